"""Requests for other things than those spoken of: "who else works there", "does any other shop sell it", "another one in Norton".

The request is read without the word, in a context that no longer selects the row or the value spoken of; that one is then left
out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from domain.english.dialogue.follow_ups import Carried, FollowUpReader
from domain.english.dialogue.openings import Opening
from domain.english.dialogue.replacing import exclude_values
from domain.english.dialogue.widening import attributes_of_noun
from domain.english.model.domain import tied
from domain.english.model.meaning import Condition, Meaning
from domain.english.parse.parser import Parsed
from domain.english.referring.asked_again import identifies, names_row, without_row
from domain.english.text.tokens import read_words, words_of

_OTHER = re.compile(
    r"\b(?:(?P<one>another|an other|(?:a )?different)|(?:any |some |the |all the |all |which |what |no |how many |are there "
    r"|is there )other) (?!than\b|ones?\b|day\b|way\b|side\b|hand\b|two\b|words\b|things?\b|time\b|half\b)(?P<noun>[a-z]+)"
)
_ELSE = re.compile(r"\b(?P<who>who|which|anyone|anybody|someone|somebody|everybody|everyone) else\b")

_THERE = re.compile(r"\b(?:there|it|that|those|these|them|they)\b")
_ANY_OTHER = re.compile(
    r"^(?:(?:or|and|but|on|in|at|with|from|to|by|for|then|maybe) )*any other [a-z]+(?: (?:then|too|is fine|will do))*$"
)
_EACH = re.compile(
    r"^(?:(?:and|so|but|ok|now|then) )*(?:how many|what number of|the number of) (?P<what>[a-z]+(?: [a-z]+)?)"
    r"(?: (?:do|does|are|is|has|have|can|work|works|live))?(?: there)?(?: (?:in|on|for|at|with|within))?"
    r" (?:each|every one)(?: one)?(?: of (?:them|those|these|the (?:two|three|four)))?"
    r"(?: (?:have|has|got|employ|run|fly|offer|there|work|do|altogether))*$"
)
_AT_IT = re.compile(r"(?<!\bis )(?<!\bare )\bthere\b|\b(?:in|at|for) it\b")
_SURE = 0.9


class OtherThingsReader(FollowUpReader):
    """Reads follow-ups of one domain, those for other things among them."""

    def read_in_context(self, opening: Opening, parsed: Parsed, earlier: Sequence[Meaning]) -> Carried:
        """Return the best parse of a request after earlier ones, and its meaning in context if it depends on them."""
        plain = words_of(read_words(opening.text))
        found = _OTHER.search(plain) or _ELSE.search(plain) if earlier and not opening.corrects else None
        others = self._others(opening, plain, found, earlier) if found else None
        if earlier and (each := self._of_each(plain, earlier[-1])):
            return each
        if others is None and earlier and not opening.corrects and (there := self._there(plain, earlier[-1])):
            return there
        return others or super().read_in_context(opening, parsed, earlier)

    def _of_each(self, plain: str, last: Meaning) -> Carried | None:
        """Return how many belong to each of the rows requested before: "how many people does each of them have"."""
        found = _EACH.match(plain)
        if (
            not found
            or len(last.entities) != 1
            or last.per
            or last.by
            or last.count
            or last.extremes
            or last.rows
            or last.inside
        ):
            return None
        about = self.model.entity[last.entities[0]]
        whole = self.parsed(f"number of {found['what']} in each {about.one or last.entities[0]}", None)
        if whole is None or whole.unused or whole.refused or not (whole.meaning.per or whole.meaning.by) or last.having:
            return None
        meaning = msgspec.structs.replace(
            whole.meaning, conditions=(*last.conditions, *whole.meaning.conditions), flags=(*last.flags, *whole.meaning.flags)
        )  # fmt: skip
        taken = Meaning(last.entities, conditions=last.conditions, flags=last.flags)
        return msgspec.structs.replace(whole, confidence=_SURE, headless=True), (meaning, taken)

    def _there(self, text: str, last: Meaning) -> Carried | None:
        """Return a request for what belongs to the place or group of somebody: "who works there" after the department of Ann Lee
        asks for all who do, not for her."""
        text = self._at_it(text, last)
        alone = self.parsed(text, None) if _AT_IT.search(text) else None
        if alone is None or alone.unused or alone.refused or alone.headless or len(last.entities) != 1:
            return None
        now, entity = alone.meaning, alone.meaning.entities[0]
        named = [c for c in last.conditions if identifies(self.model, c, entity)]
        if not named or last.entities == (entity,) or now.inside or last.count or last.aggregate or last.per:
            return None
        if last.attributes or not tied(self.model, (entity, *last.entities)):
            return None
        meaning = msgspec.structs.replace(now, inside=last)
        return msgspec.structs.replace(alone, confidence=_SURE), (meaning, Meaning((entity,), inside=last))

    def _at_it(self, text: str, last: Meaning) -> str:
        """Return the request with "in that department" as "there", after a request for a department."""
        things = "|".join(map(re.escape, self.model.entity[last.entities[0]].words)) or "it"
        return re.sub(rf"\b(?:in|at|from|on|for) (?:that|this|the same|that same) (?:{things})\b", "there", text)

    def _others(self, opening: Opening, plain: str, found: re.Match[str], earlier: Sequence[Meaning]) -> Carried | None:
        before, after = plain[: found.start()], plain[found.end() :]
        if found.re is _OTHER and _ANY_OTHER.match(plain):
            return None  # "or on any other line" frees the line
        if found.re is _OTHER:
            word = "any" if found["one"] else found.group().rpartition(" other ")[0]
            text = f"{before}{word} {found['noun']}{after}"
            return self._without(opening, text, earlier) or self._another(opening, text, found["noun"], earlier)
        asked = dict.fromkeys([found["who"], *(f"which {many}" for many in self._named_things(earlier))])
        ways = (self._without(opening, f"{before}{word}{after}", earlier) for word in asked)
        return next((way for way in ways if way), None)

    def _named_things(self, earlier: Sequence[Meaning]) -> list[str]:
        """Return the words for the things of which one was named or selected, the last first."""
        named = [
            name for m in reversed(earlier[-2:]) for name in self.model.entity
            if names_row(self.model, m, name) and not self.model.entity[name].where
        ]  # fmt: skip
        return [self.model.entity[name].many or name for name in dict.fromkeys(named)]

    def _without(self, opening: Opening, text: str, earlier: Sequence[Meaning]) -> Carried | None:
        """Return a request for other things read without that word, less what was spoken of."""
        last = earlier[-1]
        text = self._at_it(text, last)
        alone = self.parsed(text, None)
        if alone is None or alone.refused or alone.meaning.compared:
            return None
        entity = last.entities[0] if alone.headless else alone.meaning.entities[0]
        named = [c for m in reversed(earlier[-2:]) for c in m.conditions if identifies(self.model, c, entity)][:1]
        singled = last.entities == (entity,) and bool(last.extremes or (last.rows and not last.rows.by_hand))
        if not named and not singled:
            return None
        within = last.entities != (entity,) and _THERE.search(text)
        before = last if within else without_row(self.model, last, entity)
        best = self._there(text, last) if within else None
        best = best or self._in_context(opening, text, (*earlier[:-1], before))
        meaning = (best[1][0] if best[1] else best[0].meaning) if best else None
        if best is None or meaning is None or meaning.entities != (entity,) or meaning.extremes or meaning.aggregate:
            return None
        if named:
            denied = tuple(Condition(self._own(entity, c), c.values, True) for c in named)
            kept = tuple(c for c in meaning.conditions if c not in named)
            without = msgspec.structs.replace(meaning, conditions=(*kept, *denied))
            if not (kept or meaning.flags or meaning.inside or meaning.having or meaning.rows):
                return None
        else:
            spoken_of = msgspec.structs.replace(last, attributes=(), count=False, aggregate="", named=False)
            without = msgspec.structs.replace(meaning, outside=spoken_of)
        return self._sure(best, (without, best[1][1] if best[1] else Meaning(meaning.entities)))

    def _own(self, entity: str, named: Condition) -> str:
        """Return the attribute by which an entity's own rows are named."""
        kind = named.values[0].kind
        own = (
            n
            for n, a in self.model.attribute.items()
            if a.of == entity and a.accepts.get(kind) == self.model.kind[kind].column
        )
        return next(own, named.attribute)

    def _sure(self, best: Carried, merged: tuple[Meaning, Meaning]) -> Carried:
        return msgspec.structs.replace(best[0], confidence=max(best[0].confidence, _SURE)), merged

    def _another(self, opening: Opening, text: str, noun: str, earlier: Sequence[Meaning]) -> Carried | None:
        """Return a request for another value of what a noun names than the previous request had."""
        singular = f"{noun[:-3]}y" if noun.endswith("ies") else noun
        names, alone = attributes_of_noun(singular, self.changes.nouns), self.parsed(text, None)
        varied = exclude_values(earlier[-1], names) if names else None
        if varied is None or alone is None or alone.refused:
            return None
        says = {*alone.unused} - {noun} or alone.meaning.conditions or alone.meaning.flags or alone.meaning.attributes
        if alone.headless and not says:  # in context "in any town" would free the one that is excluded
            return self._sure((msgspec.structs.replace(alone, unused=()), None), (varied, varied))
        best = self._in_context(opening, text, (*earlier[:-1], varied))
        denied = {*varied.conditions} - {*earlier[-1].conditions}
        return self._sure(best, best[1]) if best and best[1] and denied <= {*best[1][0].conditions} else None

    def _in_context(self, opening: Opening, text: str, earlier: Sequence[Meaning]) -> Carried | None:
        """Return a text read in context; None where it is not understood."""
        alone = self.parsed(text, None)
        if alone is None:
            return None
        best = super().read_in_context(msgspec.structs.replace(opening, text=text), alone, earlier)
        return None if best[0].unused or best[0].refused else best
