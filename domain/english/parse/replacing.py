"""Requests that only put something in the place of what was said: "norton instead of sutton", "another town"."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

import msgspec

from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Condition, Meaning, Value
from domain.english.parse.tagger import Item
from domain.english.parse.widening import spoken_of

_INSTEAD = frozenset(["instead of", "rather than", "not", "in place of"])
_ANOTHER = re.compile(
    r"^(?:(?:and|or|then|so|what about|how about|what if|on|in|at|from|to|with|by|for|do you have|is there|are there|show me|any"
    r"|i want|i would like|i need|make it|make that|please|maybe|only) )*(?:another|an other|other|an?y? ?different|different) "
    r"(?P<noun>[a-z]+(?: [a-z]+)?)(?: please| instead)?$"
)


def exchanged(before: Meaning, items: Sequence[Item]) -> Meaning | None:
    """The earlier meaning with one value put for another, where a request says nothing else; None where it does."""
    at = next((n for n, item in enumerate(items) if item.words in _INSTEAD and item.has("not")), None)
    places = [n for n, item in enumerate(items) if item.has("value")]
    others = (item for n, item in enumerate(items) if n != at and n not in places)
    if at is None or len(places) != 2 or not all(item.has("fill") or item.has("cue") for item in others):
        return None
    if items[at].words == "not" and not (at < places[0] and any(i.words == "but" for i in items)):
        return None
    old, new = places if at < places[0] else places[::-1]
    found = [c for c in before.conditions for v in c.values if _same(v, items[old])]
    if len(found) != 1 or len(found[0].values) != 1 or found[0].negated:
        return None
    kind = found[0].values[0].kind
    value = next((s.value for s in items[new].all("value") if s.value and s.value.kind == kind), None)
    if value is None:
        return None
    put = msgspec.structs.replace(found[0], values=(value,))
    return msgspec.structs.replace(before, conditions=tuple(put if c is found[0] else c for c in before.conditions))


def _same(value: Value, item: Item) -> bool:
    return any(s.value and (s.value.kind, s.value.data) == (value.kind, value.data) for s in item.all("value"))


def differing(text: str, nouns: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The attributes of which a request wants another value than before; none where it says something else."""
    found = _ANOTHER.match(text)
    return spoken_of(found.group("noun"), nouns) if found else frozenset()


def with_another(before: Meaning, attributes: Collection[str]) -> Meaning | None:
    """The earlier meaning with other values of these attributes than it had; None where it had none."""
    denied = [c for c in before.conditions if c.attribute in attributes and not c.negated]
    if not denied or any(v.op != "=" for c in denied for v in c.values):
        return None
    kept = tuple(Condition(c.attribute, c.values, True) if c in denied else c for c in before.conditions)
    return msgspec.structs.replace(before, conditions=kept)


def flags_of(model: DomainModel, noun: str) -> frozenset[str]:
    """The flags of the group that a noun names: "shifts" of "night shift"."""
    forms = {noun, noun.removesuffix("s"), noun + "s"}
    return frozenset(name for name, flag in model.flag.items() if flag.group in forms)
