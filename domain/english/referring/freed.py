"""Requests that free what was restricted: "any shift then", "either day works", "whoever drives", "Abbott or no Abbott", "go
up to fifty thousand".

What is freed is found by the words for it: a noun of the attribute, a clause that asks for it, or the value itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from domain.english.dialogue.replacing import drop_named, flags_of, in_thousands
from domain.english.dialogue.widening import attributes_of_noun, without_restrictions
from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Condition, Meaning, Value
from domain.english.parse.combine_comparisons import compared
from domain.english.parse.tagger import Item

_LEAD = (
    r"(?:(?:or|and|but|then|so|well|ok|okay|oh|no|yes|yeah|fine|right|alright|all right|actually|maybe|now|please|just|hm"
    r"|you know|what about|how about|what if|on|in|at|from|to|with|by|for|of|show me|give me|let us try|try|make it|list"
    r"|let us have"
    r"|i guess|i suppose|i think|i (?:will|would|can|could) take|we (?:will|would|can|could) take|(?:he|she) (?:will|would|can"
    r"|could) take|i can do|we can do|iam (?:happy|fine|ok|easy|good|flexible|open) (?:with|on|about|to)|iam open to"
    r"|we are (?:open to|fine with|happy with|easy on)|i can live with|i do not mind|i would not mind) )*"
)
_FINE = (
    r"(?: (?:is|are|will|would|might|could)(?: (?:be|do))?)?(?:(?: (?:also|all|perfectly|just|absolutely|quite))*"
    r" (?:fine|good|great|alright|all right|acceptable|possible|tolerable|bearable|allowed|no problem|not a problem|works?|suits?"
    r"|do|does|does it|works fine|okay|ok))?"
)
_TAIL = (
    r"(?: (?:(?:for|with|by) (?:me|us|him|her|them)|(?:me|us|him|her|them)|then|now|please|too|really|at all|whatsoever|any more"
    r"|anymore|after all|i guess|i think|i suppose|actually|instead|though|you like|you have|there is|you have got|that day))*"
)
_SORT = r"(?:(?:kind|sort|type|particular|old|one|other|sorts|kinds|types)(?: of)? (?:the )?)*"
_NOUN = r"(?P<noun>[a-z]+(?: [a-z]+)??)"
_ANY = re.compile(rf"^{_LEAD}(?:any|whatever|whichever|no particular) {_SORT}{_NOUN}{_FINE}{_TAIL}$")
_ALL = re.compile(rf"^{_LEAD}(?:all|every|each)(?: of)?(?: the)? {_SORT}{_NOUN}{_TAIL}$")
_EITHER = re.compile(
    rf"^{_LEAD}(?:either|both)(?: one)?(?: of)?(?: the| those| these)?(?: two| 2)? {_NOUN}{_FINE}{_TAIL}$"
)
_OPEN = re.compile(
    rf"^{_LEAD}(?:the |its |a )?{_NOUN} (?:(?:is|are) )?(?:now )?(?:not (?:that |so |really |very |too |all that )?(?:important"
    r"|needed|necessary|required|essential|relevant|an issue|fixed|set)|(?:still |wide |completely |totally )?open|flexible"
    r"|irrelevant|unimportant|optional|negotiable|does not matter|do not matter|no object|no longer matters?|up in the air)"
    rf"{_TAIL}(?: (?:and |but )?(?:just |please |do )?(?:keep|leave|stay with|stick with|still|only)(?: it| the)?(?: on| with)?"
    r" (?P<kept>[a-z0-9 ]+))?$"
)
_CLAUSE = re.compile(
    rf"^{_LEAD}(?:(?:no matter|regardless of|irrespective of|never mind|i do not care|(?:it |that )?(?:does|do) not(?: really)?"
    r" matter(?: to (?:me|us))?) )?(?P<ask>who|what|which|when|where|how (?:old|much|many|long|far|early|late|big)|whoever"
    r"|whatever|whichever|whenever|wherever|anyone who|anybody who|anyone that|anybody that)"
    r" (?P<clause>[a-z']+(?: [a-z']+){0,4})$"
)
_ASKS = re.compile(r"any(?:one|body) (?:who|that)")
_TWICE = re.compile(rf"^{_LEAD}any (?P<one>[a-z]+)(?: and| or)? any (?P<two>[a-z]+){_FINE}{_TAIL}$")
_NEVER_MIND = re.compile(
    rf"^{_LEAD}(?:never mind|forget|ignore|drop|skip|scrap|lose|leave off|do not (?:worry|bother))(?: about)? (?:the |that |my )?"
    rf"(?P<noun>[a-z]+){_TAIL}$"
)
_TOLERATED = re.compile(
    rf"^{_LEAD}(?:a|an|one|some|the odd|having a|making a) (?P<noun>[a-z]+)(?: or (?:two|so))?"
    r"(?: (?:is|are|would be|will be)(?: (?:fine|good|great|alright|all right|acceptable|possible|tolerable|bearable|allowed"
    rf"|no problem|not a problem|okay|ok))?){_TAIL}$"
    rf"|^(?:(?:and|but|well|actually|oh) )*(?:i|we|he|she) (?:do|does|would) not mind (?:a|one|having a|making a|the odd) "
    rf"(?P<minded>[a-z]+){_TAIL}$"
)
_LIFTS = re.compile(
    r"\b(?:no matter|regardless|irrespective|never mind|not care|not matter|not really matter|[a-z]+ever|any(?:one|body))\b"
)
_WITH_OR = re.compile(
    r"\b(?:with or without|with and without) (?:a |an |any |the )?(?P<one>[a-z]+(?: [a-z]+)?)$"
    r"|\b(?P<other>[a-z]+) or (?:no|not|without) (?P=other)$"
)
_UP_TO = re.compile(
    rf"^{_LEAD}(?:(?:i|we|he|she|you) (?:can|could|might|may|would|will) )?(?:(?:go|stretch|raise|extend|push|move|increase|bring"
    r"|take|lift|widen|lower|drop|come|reduce|open)(?: (?:it|that|this|the (?:limit|range|upper limit|top|ceiling|maximum"
    r"|lower limit|bottom|minimum|bar)|things))? )?(?P<way>up|down|as (?:high|far|much|low) as|all the way up|all the way"
    r" down|out)?(?: to)? "
    r"(?P<amount>[a-z0-9$ ]+?)(?: instead| then| now| please| i should say| i should have said| i meant| sorry"
    r"| if (?:need be|necessary|i must|i have to))*$"
)
_EVER = {"whoever": "who", "whatever": "what", "whenever": "when", "wherever": "where", "whichever": "which"}


@dataclass(frozen=True)
class Freed:
    """Frees what a request of one domain frees. `nouns` maps a noun to the attributes it refers to, `items` returns the items of
    a text."""

    model: DomainModel
    nouns: Mapping[str, frozenset[str]]
    items: Callable[[str], Sequence[Item]]

    def free(self, plain: str, earlier: Sequence[Meaning]) -> Meaning | None:
        """Return the previous request with what this one frees; None when it frees nothing, or says more."""
        return next((freed for freed in self._ways(plain, earlier) if freed), None)

    def _ways(self, plain: str, earlier: Sequence[Meaning]) -> Iterator[Meaning | None]:
        """Yield what the request leaves of the previous one by each way to free something."""
        before = earlier[-1]
        if found := _EITHER.match(plain):
            yield self._either(_singular(found["noun"]), earlier)
        if (found := _ALL.match(plain)) and not self._is_entity(found["noun"]):
            yield self._of_noun(_singular(found["noun"]), earlier)
        if found := _ANY.match(plain):
            yield self._of_noun(_singular(found["noun"]), earlier)
        if found := _NEVER_MIND.match(plain):
            yield self._of_noun(_singular(found["noun"]), earlier)
        if found := _TWICE.match(plain):
            yield self._twice(found["one"], found["two"], earlier)
        if found := _TOLERATED.match(plain):
            yield without_restrictions(before, (), flags_of(self.model, found["noun"] or found["minded"]))
        if found := _OPEN.match(plain):
            yield self._but(self._of_noun(_singular(found["noun"]), earlier), found["kept"] or "")
        if found := _WITH_OR.search(plain):
            yield self._with_or_without(plain, found, before)
        if (found := _CLAUSE.match(plain)) and _LIFTS.search(plain):
            yield self._asked(f"{_ASKS.sub('who', _EVER.get(found['ask'], found['ask']))} {found['clause']}", before)
        if _UP_TO.match(plain):
            yield self._bounded(plain, before)

    def _but(self, freed: Meaning | None, kept: str) -> Meaning | None:
        """Return what was freed, if it still holds what is to be kept."""
        return freed if freed and (not kept or drop_named(self.model, freed, self.items(kept))) else None

    def _twice(self, one: str, two: str, earlier: Sequence[Meaning]) -> Meaning | None:
        """Return the previous request with two things freed: "any street, any shop"."""
        freed = self._of_noun(_singular(one), earlier)
        return self._of_noun(_singular(two), (*earlier[:-1], freed)) if freed else None

    def _of_noun(self, noun: str, earlier: Sequence[Meaning]) -> Meaning | None:
        """Return the previous request without its restrictions of what a noun names."""
        before = earlier[-1]
        for words in dict.fromkeys((noun, noun.partition(" ")[0], noun.rpartition(" ")[2])):
            names = attributes_of_noun(words, self.nouns)
            if words != noun and not self._is_idle(noun, words):
                continue
            if places := self._as_places(names, earlier):
                return places
            freed = without_restrictions(
                before, names - self._ends(), flags_of(self.model, words) | self._flags_on(names, words, before)
            )
            if freed := freed or (None if names & self._ends() else drop_named(self.model, before, self.items(words))):
                return freed
        return None

    def _is_idle(self, noun: str, words: str) -> bool:
        """Return whether the other word of a noun phrase adds nothing: "cover size"."""
        rest = noun.replace(words, "", 1).strip()
        return (
            rest in {"size", "kind", "type", "sort", "make", "model", "bit", "part", "thing", "then", "that day"}
            or not rest
        )

    def _flags_on(self, names: frozenset[str], noun: str, before: Meaning) -> frozenset[str]:
        """Return the flags of the previous request that classify what a noun names: "hard cover" of a binding."""
        singular = {noun, noun.removesuffix("s")}
        owners = {n for n, e in self.model.entity.items() if singular & {*e.words}} - {*before.entities}
        columns = {path for name in names for path in self.model.attribute[name].accepts.values() if ";" not in path}
        columns |= {column for name in names for column in self.model.attribute[name].select}
        held = {n for f in before.flags for n in f.flags}
        return frozenset(
            n for n in held
            if self.model.flag[n].of in owners or any(test.partition(" ")[0] in columns for test in self.model.flag[n].where)
        )  # fmt: skip

    def _ends(self) -> frozenset[str]:
        return frozenset(end for swap in self.model.swap.values() for end in swap.exchange)

    def _as_places(self, names: frozenset[str], earlier: Sequence[Meaning]) -> Meaning | None:
        """Return the previous request with a station at an end of its route as the place named there before: "any station"."""
        before, put = earlier[-1], list[Condition]()
        for condition in before.conditions:
            held = condition.attribute in names & self._ends()
            kinds = {v.kind for v in condition.values}
            alike = (c for m in earlier[:-1] for c in m.conditions if held and c.attribute == condition.attribute)
            wider = [c for c in alike if kinds.isdisjoint(v.kind for v in c.values)]
            put.append(wider[-1] if wider else condition)
        changed = msgspec.structs.replace(before, conditions=tuple(put))
        return changed if changed != before else None

    def _either(self, noun: str, earlier: Sequence[Meaning]) -> Meaning | None:
        """Return the previous request with the last two values of what a noun names."""
        before, names = earlier[-1], attributes_of_noun(noun, self.nouns)
        for condition in reversed(before.conditions):
            if condition.attribute not in names or condition.negated or any(v.op != "=" for v in condition.values):
                continue
            if len(condition.values) > 1:
                return before
            others = [
                v for m in reversed(earlier[:-1]) for c in m.conditions
                if c.attribute == condition.attribute and not c.negated and len(c.values) == 1
                for v in c.values if v.data != condition.values[0].data and v.op == "="
            ]  # fmt: skip
            if others:
                both = msgspec.structs.replace(condition, values=(others[0], *condition.values))
                return msgspec.structs.replace(
                    before, conditions=tuple(both if c is condition else c for c in before.conditions)
                )
        return None

    def _with_or_without(self, plain: str, found: re.Match[str], before: Meaning) -> Meaning | None:
        """Return the previous request without what may be there or not: "with or without stops", "Abbott or no Abbott"."""
        words = found["one"] or found["other"]
        freed = drop_named(self.model, before, self.items(words)) or self._of_noun(words, (before,))
        rest = plain[: found.start()].strip()
        if freed is None or not rest or re.fullmatch(_LEAD, f"{rest} "):
            return freed
        said = [item for item in self.items(rest) if item.has("value")]
        held = [v for c in freed.conditions for v in c.values]
        return freed if said and all(any(s.value in held for s in item.all("value")) for item in said) else None

    def _asked(self, clause: str, before: Meaning) -> Meaning | None:
        """Return the previous request without what a clause asks for: "no matter when they were hired"."""
        clause = re.sub(r"^(?:what|which) (?:the |a )?(?=[a-z]+$)", "", clause)
        if re.fullmatch(r"how old(?: .*)?", clause):
            return self._old(before)
        idle = re.compile(r"\b(?:they|it|he|she|that|those|these|them|there|is|are|was|were|do|does|did|be)\b")
        words = " ".join(idle.sub(" ", clause).split())
        asked = self.items(words)
        if any(item.has("value") for item in asked):
            return None
        names = {s.name for item in asked for what in ("asked", "cue", "trailing") for s in item.all(what)}
        kept = tuple(c for c in before.conditions if c.attribute not in names)
        if len(kept) < len(before.conditions) and names:
            return msgspec.structs.replace(before, conditions=kept)
        return drop_named(self.model, before, asked)

    def _old(self, before: Meaning) -> Meaning | None:
        """Return the previous request without what restricts age or a day of birth."""
        aged = {
            n for n, a in self.model.attribute.items() if "birth" in n or "age" in n.split("_") or "old" in a.trailing
        }
        flags = {n for f in before.flags for n in f.flags if any("birth" in test for test in self.model.flag[n].where)}
        return without_restrictions(before, aged, flags)

    def _is_entity(self, noun: str) -> bool:
        return any({noun, noun.removesuffix("s")} & {*e.words} for e in self.model.entity.values())

    def _bounded(self, plain: str, before: Meaning) -> Meaning | None:
        """Return the previous request with an amount that bounds it further out: "go up to fifty thousand"."""
        found = _UP_TO.match(plain)
        way = found["way"] if found else ""
        named = [s.value for item in self.items(found["amount"]) for s in item.all("value") if s.value] if found else []
        numbers = [v for v in named if v.kind in {"number", "money"} and v.op == "=" and len(v.data) == 1]
        if not way or not numbers or len(self.items(found["amount"] if found else "")) != 1:
            return None
        for condition in reversed(before.conditions):
            if condition.negated or len(condition.values) != 1 or condition.values[0].kind not in {"number", "money"}:
                continue
            old = condition.values[0]
            value = _further(old, in_thousands(numbers[0], old), down="down" in way or "low" in way)
            put = msgspec.structs.replace(condition, values=(value,)) if value else condition
            changed = msgspec.structs.replace(
                before, conditions=tuple(put if c is condition else c for c in before.conditions)
            )
            return changed if changed != before else None
        return None


def _singular(noun: str) -> str:
    return f"{noun[:-3]}y" if noun.endswith("ies") else noun


def _further(old: Value, new: Value, down: bool) -> Value | None:
    """Return a bound or a range with one end moved out."""
    amount, money = new.data[0], "$" if old.kind == "money" or "$" in old.say else ""
    if old.op == "between" and len(old.data) == 2:
        low, high = (amount, old.data[1]) if down else (old.data[0], amount)
        return msgspec.structs.replace(old, data=(low, high), say=f"between {money}{low} and {money}{high}")
    if old.op in ({">", ">="} if down else {"<", "<="}):
        plain = msgspec.structs.replace(old, data=(amount,), op="=", say=f"{money}{amount}")
        return msgspec.structs.replace(plain, op=old.op, say=compared(plain, old.op))
    return None
