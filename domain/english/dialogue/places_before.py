"""References to earlier places: "there", the destination of the previous route, and "that route", the route itself."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from domain.english.dialogue.references import EarlierTurn, shown_keys
from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Condition, Meaning
from domain.english.parse.parser import Parsed
from domain.english.parse.value_kinds import kind_for
from domain.english.text.tokens import read_words, words_of

_WAY = re.compile(
    r" (?:on|for|along|over|of|flying|going) (?:that|this|the same|that same|said) (?:routes?|trip|run|leg|journey|way"
    r"|stretch|sector)\b"
    r"|(?: (?:on|for|of))? (?:that|this|the same|that same) (?:route|city pair)\b"
    r"| (?:between|for|on) (?:those|these|the same) (?:two |same )*(?:cities|towns|places|stations|points|[a-z]*ports)\b"
    r"| between (?:the two|them|those two|these two)$"
)
_GO_THERE = re.compile(
    r"\b(?P<go>fly|flies|go|goes|get|gets|travel|travels|flying|going|run|runs|sail|sails|leave|leaves)(?: there"
    r"| to (?:it|that one|there))\b",
    re.IGNORECASE,
)
_THERE = re.compile(r"(?<!is )(?<!are )\b(?:there|(?:at|from|in|near) (?:it|that one|there))\b", re.IGNORECASE)
_ITSELF = re.compile(r"\b(?P<be>is|does|was|has|are|do) (?:it|that one|that)\b(?! [a-z]+ing\b)", re.IGNORECASE)
_ANYWHERE = re.compile(
    r"\b(?:anywhere|everywhere|all cities|every city|any city|each city|which (?!one)[a-z]+|what (?:cities|towns"
    r"|places)|how many|where"
    r"|in all|overall|in the (?:country|database)|most|cheapest|average)\b"
)
_HERE = re.compile(
    r"\b(?:here|at this end|on this end|at my end|before i (?:leave|go|fly)|to catch it|to the [a-z]*port)\b"
)
"""Words for the place where a journey starts."""


def take_route(model: DomainModel, text: str, earlier: Sequence[Meaning]) -> tuple[str, tuple[Meaning, ...]] | None:
    """Return the request without "on that route", and the route of the latest request that had one, with nothing else of
    it."""
    plain = words_of(read_words(text))
    found = _WAY.search(plain)
    ends = {name for swap in model.swap.values() for name in swap.exchange}
    if not found or not ends:
        return None
    for meaning in reversed(earlier):
        way = tuple(c for c in meaning.conditions if c.attribute in ends)
        if len(way) > 1:
            said = f"{plain[: found.start()]}{plain[found.end() :]}".strip()
            return said, (Meaning((model.domain.entity,), conditions=way),)
    return None


def replace_place(model: DomainModel, text: str, turn: EarlierTurn, before: Meaning) -> str:
    """Return the request with "there" and "it" replaced by the only place shown: "what flies there" after the nearest
    port."""
    found = _GO_THERE.search(text) or _THERE.search(text) or _ITSELF.search(text)
    entity = before.entities[0]
    if not found or len(before.entities) > 1 or len(turn.rows) != 1 or not turn.whole:
        return text
    kinds = (
        kind
        for kind in _kinds_of_places(model)
        if kind in model.kind and model.kind[kind].column in model.entity[entity].key
    )
    keys = shown_keys(model, turn, entity)
    if not next(kinds, "") or len(keys) != 1 or len(keys[0]) != 1 or keys[0][0] is None:
        return text
    groups = found.groupdict()
    leads = f"{groups['go']} to" if "go" in groups else groups.get("be", "at")
    return f"{text[: found.start()]}{leads} {keys[0][0]}{text[found.end() :]}"


def is_about_places(model: DomainModel, before: Meaning, plain: str) -> bool:
    """Return whether a question is about the places of the previous result: "how far out is it"."""
    kinds = {model.kind[kind].column for kind in _kinds_of_places(model) if kind in model.kind}
    own = len(before.entities) == 1 and kinds & {*model.entity[before.entities[0]].key}
    return bool(own) and re.search(r"\b(?:it|there|that|those|them|they|these)\b", plain) is not None


def _kinds_of_places(model: DomainModel) -> set[str]:
    """Return the kinds of names that routes connect."""
    ends = {name for swap in model.swap.values() for name in swap.exchange}
    return {kind for name in ends for kind in model.attribute[name].accepts}


def place_at_destination(
    model: DomainModel, parsed: Parsed, earlier: Sequence[Meaning], text: str
) -> tuple[Meaning, Meaning] | None:
    """Return the request at the destination of the previous route: "how much is a taxi there". None when the request names a
    place or there was no route."""
    now, plain = parsed.meaning, text.lower()
    entity = now.entities[0]
    if len(now.entities) > 1 or parsed.unused or _ANYWHERE.search(plain) or entity == model.domain.entity:
        return None
    if model.entity[entity].related is None or model.domain.entity in (model.entity[entity].related or ()):
        return None
    at = 0 if _HERE.search(plain) else 1
    leads = {swap.exchange[at] for swap in model.swap.values()}
    said = next((c for m in reversed(earlier) for c in m.conditions if c.attribute in leads and not c.negated), None)
    if said is None or len(said.values) != 1 or said.values[0].kind not in model.kind:
        return None
    value = said.values[0]
    takes = [n for n, a in model.attribute.items() if a.of == entity and a.default and kind_for(a, value)]
    of_it = (a for a in model.attribute.values() if a.of == entity and a.default)
    places = {k for a in of_it for k in a.accepts if k in model.kind} & _kinds_of_places(model)
    if not takes or any(v.kind in places for c in now.conditions for v in c.values):
        return None
    there = Condition(takes[0], (value,))
    merged = msgspec.structs.replace(now, conditions=(*now.conditions, there))
    return merged, Meaning(now.entities, conditions=(there,))
