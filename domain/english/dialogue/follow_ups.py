"""Follow-ups: requests read in the context of earlier ones, as a change to them, a clause about them, a question about a
selected row, or with what they take over."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec

from domain.english.dialogue.clauses import (
    ask_price,
    group_result,
    is_about_other_things,
    only_refers_back,
    read_with_head,
    relate_to_result,
    restrict_result,
)
from domain.english.dialogue.context_limits import asks_about_definite_thing, names_nothing, repeats_answer
from domain.english.dialogue.dialogue_context import changes_nested, merge_with_context, narrows_group
from domain.english.dialogue.going_back import find_returned_list
from domain.english.dialogue.new_requests import (
    has_result_as_subject,
    is_about_named,
    is_complete,
    is_new_question,
    needs_context,
    only_names_entity,
)
from domain.english.dialogue.openings import Opening, return_target
from domain.english.dialogue.places_before import is_about_places, place_at_destination, take_route
from domain.english.dialogue.pronouns import replace_thing
from domain.english.dialogue.proportions import picked_among
from domain.english.dialogue.references import split_described, split_superlative
from domain.english.dialogue.route_ends import RouteEnds
from domain.english.dialogue.whole_changes import Changes
from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Meaning
from domain.english.parse.constructions.most_before import of_each
from domain.english.parse.parser import Parsed
from domain.english.parse.whole_requests import is_whole, narrows_one
from domain.english.text.tokens import read_words, words_of

_ANY_AND = re.compile(
    r"^(?:(?:ok|okay|then|and|but|so|well|on|with|by) )*any (?:other )?(?P<noun>[a-z]+) "
    r"(?P<rest>(?:from|to|into|out of|in|at|on|after|before|by|with|without|under|over|between|as long as)\b.+)$"
)
_WHATEVER = re.compile(
    r"^(?P<rest>.+?) (?:whatever|whichever|regardless of|no matter(?: what)?|irrespective of) (?:their|its|his|her|the) "
    r"(?P<noun>[a-z]+)(?: (?:is|are|may be|might be))?$"
)
_PEOPLE = re.compile(r"\b(?:people|everybody|everyone|anybody|anyone|employees|all of the [a-z]+s)\b")
Carried = tuple[Parsed, tuple[Meaning, Meaning] | None]
"""The best parse of the request, and its meaning in context with the part that was taken over."""


@dataclass(frozen=True)
class FollowUpReader:
    """Reads requests of one domain in the context of earlier ones. `parsed` parses a request alone or with the previous
    meaning."""

    model: DomainModel
    changes: Changes
    parsed: Callable[[str, Meaning | None], Parsed | None]
    ends: RouteEnds

    def read_in_context(self, opening: Opening, parsed: Parsed, earlier: Sequence[Meaning]) -> Carried:
        """Return the best parse of a request after earlier ones, and its meaning in context if it depends on them."""
        if not earlier:
            return parsed, None
        best, merged = self._read_after(opening, parsed, earlier)
        continues = opening.corrects or opening.mends or opening.returns
        plain = words_of(read_words(opening.text))
        if merged and not continues and is_whole(self.model, plain, parsed, merged[0], earlier[-1]):
            others = best.headless and not best.unused and narrows_one(self.model, parsed.meaning, merged[0])
            return (best, (best.meaning, Meaning(best.meaning.entities))) if others else (parsed, None)
        return best, merged

    def _read_after(self, opening: Opening, parsed: Parsed, earlier: Sequence[Meaning]) -> Carried:
        """Return the best parse and the meaning in context after at least one request."""
        if way := take_route(self.model, opening.text, earlier):
            opening, earlier = msgspec.structs.replace(opening, text=way[0]), way[1]
            return self._follow_route(opening, self.parsed(way[0], None) or parsed, earlier)
        before, plain = earlier[-1], words_of(read_words(opening.text))
        if is_about_named(self.model, parsed, opening):
            return parsed, None
        if opening.returns and parsed.headless and (whole := find_returned_list(parsed, opening.text, earlier)):
            return Parsed(whole, (), 1.0, headless=True), (whole, whole)
        changed = self.changes.apply(opening.text, earlier, opening.mends)
        if changed := changed or of_each(self.model, parsed, before, opening.text):
            return Parsed(changed, (), 1.0, headless=True), (changed, changed)
        if found := self._ask_about_selected(opening, earlier) or self._read_clause(opening, parsed, earlier, plain):
            return found
        if found := self._read_freed(opening, earlier, plain):
            return found
        if found := self._ask_about_described(opening, parsed, earlier, plain):
            return found
        alone = is_about_other_things(self.model, parsed, before, plain)
        dependent = (
            opening.corrects
            or needs_context(self.model, parsed, opening)
            or asks_about_definite_thing(parsed, before, opening.text)
        )
        if not (alone or dependent) and (there := place_at_destination(self.model, parsed, earlier[-1:], opening.text)):
            return parsed, there
        anew = is_new_question(self.model, parsed, opening) or only_names_entity(self.model, parsed, before, opening)
        if alone or not dependent or anew:
            return parsed, None
        best = self.ends.refine(self._best(opening, parsed, before), before, plain)
        merged = None if narrows_group(best, before) else merge_with_context(self.model, best, earlier, opening)
        if narrows_group(best, before) or (merged is None and names_nothing(best, opening.text)):
            return _refused(best), None
        if merged is None and opening.returns:
            return self._return_to_new_value(opening, earlier)
        if merged is None and has_result_as_subject(self.model, best, opening.text):
            named = self._read_with_name(opening, best, before)
            if named[1]:
                return named
        if merged is None and (there := place_at_destination(self.model, best, earlier, opening.text)):
            return msgspec.structs.replace(best, unused=()), there
        if (
            merged is None
            and is_about_places(self.model, before, plain)
            and (named := self._read_with_name(opening, best, before))[1]
        ):
            return named
        if merged is None and (only_refers_back(best, plain) or is_about_places(self.model, before, plain)):
            merged = relate_to_result(self.model, best.meaning, before)
            return (best, merged) if merged else self._read_with_name(opening, best, before)
        if merged and repeats_answer(best, merged[0], before, opening.text):
            return _refused(best, opening.text), None
        return best, merged

    def asks_selected(self, opening: Opening, latest: Meaning | None, earlier: Sequence[Meaning]) -> bool:
        """Return whether a request is understood as one about the row that the previous one selected: "her specialty" after the
        cheapest doctor, which changes with that selection."""
        parsed = self.parsed(opening.text, None) if latest and (latest.extremes or latest.inside) else None
        if parsed is None or latest is None or parsed.refused:
            return False
        parsed, merged = self.read_in_context(opening, parsed, earlier)
        asks = merged is not None and (merged[0].attributes or merged[0].count or merged[0].entities != latest.entities)
        return bool(asks) and not parsed.unused and not parsed.refused

    def _return_to_new_value(self, opening: Opening, earlier: Sequence[Meaning]) -> Carried:
        """Return the last request with a new value: "go back to Norton" where Norton was never mentioned."""
        text = return_target(opening.text)
        parsed = self.parsed(text, earlier[-1]) if text else None
        if parsed is None or parsed.unused or not parsed.headless or not parsed.meaning.conditions:
            return _refused(parsed or Parsed(Meaning(earlier[-1].entities), (), 0.0)), None
        return parsed, merge_with_context(self.model, parsed, earlier, Opening(text))

    def _follow_route(self, opening: Opening, parsed: Parsed, earlier: Sequence[Meaning]) -> Carried:
        """Return the request about the same route as an earlier one: "the jets on that route"."""
        merged = (
            None if parsed.unused or parsed.meaning.having else merge_with_context(self.model, parsed, earlier, opening)
        )
        return (parsed, merged) if merged else (_refused(parsed, *(parsed.unused or ("that route",))), None)

    def _read_clause(self, opening: Opening, parsed: Parsed, earlier: Sequence[Meaning], plain: str) -> Carried | None:
        """Return a clause about the previous result, a grouped number of it, or its price; None for anything else."""
        before = earlier[-1]
        clause = self.parsed(opening.relative, before) if opening.relative else None
        told = clause is not None and clause.headless and not clause.unused
        if clause and told and (parsed.meaning.entities == before.entities or {*parsed.unused} & {"who", "not"}):
            return clause, merge_with_context(self.model, clause, earlier, opening)

        def read(text: str) -> Parsed | None:
            return self.parsed(text, None)

        if clause := read_with_head(self.model, parsed, before, plain, read):
            return clause, restrict_result(self.model, clause, before) or merge_with_context(
                self.model, clause, earlier, opening
            )
        if each := group_result(self.model, parsed, before, plain, read):
            taken = Meaning(before.entities, conditions=before.conditions, flags=before.flags)
            return Parsed(each, (), 1.0, headless=True), (each, taken)
        if most := picked_among(self.model, before, plain, read):
            return Parsed(most, (), 1.0, headless=True), (most, before)
        if price := ask_price(self.model, parsed, before, plain):
            return Parsed(price, (), 1.0, headless=True), (price, msgspec.structs.replace(price, attributes=()))
        return None

    def _best(self, opening: Opening, parsed: Parsed, before: Meaning) -> Parsed:
        """Return the best parse: of the request alone, with the previous meaning, or with the meaning nested in that."""
        # "their names" are those of the previous result, not of the first entity with names
        loose = parsed.headless or (parsed.meaning.attributes and not any(n.has("entity") for n in parsed.nodes))
        about = self.parsed(opening.text, before) if loose and not parsed.swap else None
        best = about if about and about.confidence >= parsed.confidence else parsed
        if before.inside and best.headless:
            # "what about Norton" after the author of the cheapest book from Sutton constrains the book
            within = self.parsed(opening.text, before.inside)
            if (
                within
                and within.headless
                and not within.unused
                and changes_nested(self.model, within, before.inside, before)
            ):
                return within
        return best

    def _read_with_name(self, opening: Opening, best: Parsed, before: Meaning) -> Carried:
        """Return the request with "that" replaced by the name of the only antecedent; refused when there is none."""
        named = self.parsed(replace_thing(self.model, opening.text, before), None)
        if named and not (named.unused or named.headless or named.refused) and named.meaning != best.meaning:
            return named, (named.meaning, msgspec.structs.replace(before, attributes=(), count=False))
        return _refused(best), None

    def _ask_about_selected(self, opening: Opening, earlier: Sequence[Meaning]) -> Carried | None:
        """Return the question about "the oldest one" or "the cheapest of those", selected from the previous result."""
        apart = split_superlative(self.model, words_of(read_words(opening.text)))
        if apart and (inside := earlier[-1].inside):
            # after the author of the oldest, the price of the cheapest is of the same books
            earlier = (*earlier, msgspec.structs.replace(inside, extremes=()))
        which = self.parsed(apart[0], earlier[-1]) if apart else None
        most = (
            merge_with_context(self.model, which, earlier, Opening(apart[0]))
            if apart and which and not which.unused
            else None
        )
        rest = self.parsed(apart[1], most[0]) if apart and most and most[0].extremes else None
        if rest is None or most is None or rest.unused or rest.headless:
            return None
        merged = merge_with_context(self.model, rest, (*earlier, most[0]), opening)
        return (rest, merged) if merged else None

    def _read_freed(self, opening: Opening, earlier: Sequence[Meaning], plain: str) -> Carried | None:
        """Return a request that frees something and goes on from there: "any shop in Norton"."""
        found = _ANY_AND.match(plain) or _WHATEVER.match(plain)
        freed = self.changes.free(f"any {found['noun']}", earlier) if found else None
        rest = self.parsed(found["rest"], freed) if found else None
        if found and found.re is _WHATEVER and rest and not (freed or rest.unused or rest.refused):
            whole = not rest.headless or _PEOPLE.search(found["rest"])
            return (rest, (rest.meaning, Meaning(rest.meaning.entities))) if whole else None
        if found is None or freed is None or rest is None or rest.unused or rest.refused:
            return None
        if found.re is _WHATEVER:
            return self.read_in_context(
                msgspec.structs.replace(opening, text=found["rest"]), rest, (*earlier[:-1], freed)
            )
        if not rest.headless:
            return None
        merged = merge_with_context(self.model, rest, (*earlier[:-1], freed), Opening(found["rest"]))
        return (rest, merged) if merged else None

    def _ask_about_described(
        self, opening: Opening, parsed: Parsed, earlier: Sequence[Meaning], plain: str
    ) -> Carried | None:
        """Return the question about "the morning one" or "the Norton book", one of the previous result by what is said of it."""
        if is_complete(self.model, parsed.meaning) or opening.corrects or opening.mends:
            return None
        for at in range(len(earlier), max(0, len(earlier) - 3), -1):
            before = earlier[at - 1]
            for trait, question in split_described(self.model, plain, before):
                which = self.parsed(trait, before)
                if which is None or which.unused or which.refused or which.meaning.extremes:
                    continue
                traits = which.meaning.conditions or which.meaning.flags
                one = merge_with_context(self.model, which, earlier[:at], Opening(trait)) if traits else None
                if one is None or one[0].entities != before.entities:
                    continue
                singled = msgspec.structs.replace(one[0], attributes=(), count=False, extremes=())
                if found := self._asked_of(question, singled):
                    return found
        return None

    def _asked_of(self, text: str, singled: Meaning) -> Carried | None:
        """Return a question with "it" asked of what was singled out; None when it asks nothing, or is not understood."""
        rest = self.parsed(text, singled)
        if rest is None or rest.unused or rest.refused:
            return None
        now, plain = rest.meaning, words_of(read_words(text))
        if price := ask_price(self.model, rest, singled, plain):
            return Parsed(price, (), 1.0, headless=True), (price, singled)
        asks = (
            now.attributes
            or now.count
            or now.extremes
            or now.flags
            or now.conditions
            or now.entities != singled.entities
        )
        merged = merge_with_context(self.model, rest, (singled,), Opening(text)) if asks else None
        again = merged is None or merged[0] == singled or repeats_answer(rest, merged[0], singled, text)
        return None if again or merged is None else (rest, merged)


def _refused(parsed: Parsed, *unused: str) -> Parsed:
    return msgspec.structs.replace(parsed, refused=True, confidence=0.0, unused=unused or parsed.unused)
