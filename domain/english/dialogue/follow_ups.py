"""Follow-ups: requests read in the context of earlier ones, as a change to them, a clause about them, a question about a
selected row, or with what they take over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec

from domain.english.dialogue.clauses import (
    belonging,
    divided,
    names_others,
    of_those,
    points_back,
    priced,
    with_head,
)
from domain.english.dialogue.context_limits import adds_nothing, the_one, without_a_head
from domain.english.dialogue.dialogue_context import carried, changes_within, narrows_group
from domain.english.dialogue.new_requests import asks_anew, depends, of_all_there_are, of_what_was_asked
from domain.english.dialogue.openings import Opening, without_return
from domain.english.dialogue.places_before import of_place, of_that_way, placed
from domain.english.dialogue.pronouns import with_thing
from domain.english.dialogue.proportions import picked_among
from domain.english.dialogue.references import singled_out
from domain.english.dialogue.whole_changes import Changes
from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Meaning
from domain.english.parse.constructions.most_before import of_each
from domain.english.parse.parser import Parsed
from domain.english.text.tokens import read_words, words_of

Carried = tuple[Parsed, tuple[Meaning, Meaning] | None]
"""The best parse of the request, and its meaning in context with the part that was taken over."""


@dataclass(frozen=True)
class FollowUpReader:
    """Reads requests of one domain in the context of earlier ones. `parsed` parses a request alone or with the previous
    meaning."""

    model: DomainModel
    changes: Changes
    parsed: Callable[[str, Meaning | None], Parsed | None]

    def carried(self, opening: Opening, parsed: Parsed, earlier: Sequence[Meaning]) -> Carried:
        """Return the best parse of a request after earlier ones, and its meaning in context if it depends on them."""
        if not earlier:
            return parsed, None
        if way := of_that_way(self.model, opening.text, earlier):
            opening, earlier = msgspec.structs.replace(opening, text=way[0]), way[1]
            return self._along(opening, self.parsed(way[0], None) or parsed, earlier)
        before, plain = earlier[-1], words_of(read_words(opening.text))
        changed = self.changes.made(opening.text, earlier, opening.mends)
        if changed := changed or of_each(self.model, parsed, before, opening.text):
            return Parsed(changed, (), 1.0, headless=True), (changed, changed)
        if found := self._of_the_most(opening, earlier) or self._of_those(opening, parsed, earlier, plain):
            return found
        alone = names_others(self.model, parsed, before, plain)
        hangs = opening.corrects or depends(self.model, parsed, opening) or the_one(parsed, before, opening.text)
        if not (alone or hangs) and (there := placed(self.model, parsed, earlier[-1:], opening.text)):
            return parsed, there
        anew = asks_anew(self.model, parsed, opening) or of_all_there_are(self.model, parsed, before, opening)
        if alone or not hangs or anew:
            return parsed, None
        best = self._best(opening, parsed, before)
        merged = None if narrows_group(best, before) else carried(self.model, best, earlier, opening)
        if narrows_group(best, before) or (merged is None and without_a_head(best, opening.text)):
            return _refused(best), None
        if merged is None and opening.returns:
            return self._changed_back(opening, earlier)
        if merged is None and of_what_was_asked(self.model, best, opening.text):
            named = self._named(opening, best, before)
            if named[1]:
                return named
        if merged is None and (there := placed(self.model, best, earlier, opening.text)):
            return msgspec.structs.replace(best, unused=()), there
        if merged is None and of_place(self.model, before, plain) and (named := self._named(opening, best, before))[1]:
            return named
        if merged is None and (points_back(best, plain) or of_place(self.model, before, plain)):
            merged = belonging(self.model, best.meaning, before)
            return (best, merged) if merged else self._named(opening, best, before)
        if merged and adds_nothing(best, merged[0], before, opening.text):
            return _refused(best, opening.text), None
        return best, merged

    def _changed_back(self, opening: Opening, earlier: Sequence[Meaning]) -> Carried:
        """Return the last request with a new value: "go back to Norton" where Norton was never mentioned."""
        text = without_return(opening.text)
        parsed = self.parsed(text, earlier[-1]) if text else None
        if parsed is None or parsed.unused or not parsed.headless or not parsed.meaning.conditions:
            return _refused(parsed or Parsed(Meaning(earlier[-1].entities), (), 0.0)), None
        return parsed, carried(self.model, parsed, earlier, Opening(text))

    def _along(self, opening: Opening, parsed: Parsed, earlier: Sequence[Meaning]) -> Carried:
        """Return the request about the same route as an earlier one: "the jets on that route"."""
        merged = None if parsed.unused or parsed.meaning.having else carried(self.model, parsed, earlier, opening)
        return (parsed, merged) if merged else (_refused(parsed, *(parsed.unused or ("that route",))), None)

    def _of_those(self, opening: Opening, parsed: Parsed, earlier: Sequence[Meaning], plain: str) -> Carried | None:
        """Return a clause about the previous result, a grouped number of it, or its price; None for anything else."""
        before = earlier[-1]
        clause = self.parsed(opening.relative, before) if opening.relative else None
        told = clause is not None and clause.headless and not clause.unused
        if clause and told and (parsed.meaning.entities == before.entities or {*parsed.unused} & {"who", "not"}):
            return clause, carried(self.model, clause, earlier, opening)

        def read(text: str) -> Parsed | None:
            return self.parsed(text, None)

        if clause := with_head(self.model, parsed, before, plain, read):
            return clause, of_those(self.model, clause, before) or carried(self.model, clause, earlier, opening)
        if each := divided(self.model, parsed, before, plain, read):
            taken = Meaning(before.entities, conditions=before.conditions, flags=before.flags)
            return Parsed(each, (), 1.0, headless=True), (each, taken)
        if most := picked_among(self.model, before, plain, read):
            return Parsed(most, (), 1.0, headless=True), (most, before)
        if price := priced(self.model, parsed, before, plain):
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
                and changes_within(self.model, within, before.inside, before)
            ):
                return within
        return best

    def _named(self, opening: Opening, best: Parsed, before: Meaning) -> Carried:
        """Return the request with "that" replaced by the name of the only antecedent; refused when there is none."""
        named = self.parsed(with_thing(self.model, opening.text, before), None)
        if named and not (named.unused or named.headless or named.refused) and named.meaning != best.meaning:
            return named, (named.meaning, msgspec.structs.replace(before, attributes=(), count=False))
        return _refused(best), None

    def _of_the_most(self, opening: Opening, earlier: Sequence[Meaning]) -> Carried | None:
        """Return the question about "the oldest one" or "the cheapest of those", selected from the previous result."""
        apart = singled_out(self.model, words_of(read_words(opening.text)))
        if apart and (inside := earlier[-1].inside):
            # after the author of the oldest, the price of the cheapest is of the same books
            earlier = (*earlier, msgspec.structs.replace(inside, extremes=()))
        which = self.parsed(apart[0], earlier[-1]) if apart else None
        most = carried(self.model, which, earlier, Opening(apart[0])) if apart and which and not which.unused else None
        rest = self.parsed(apart[1], most[0]) if apart and most and most[0].extremes else None
        if rest is None or most is None or rest.unused or rest.headless:
            return None
        merged = carried(self.model, rest, (*earlier, most[0]), opening)
        return (rest, merged) if merged else None


def _refused(parsed: Parsed, *unused: str) -> Parsed:
    return msgspec.structs.replace(parsed, refused=True, confidence=0.0, unused=unused or parsed.unused)
