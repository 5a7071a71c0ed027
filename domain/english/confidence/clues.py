"""Clues to whether a reading is right: what it ignored, guessed or resolved, and how ambiguous it was.

None is specific to a domain: they come from the meaning, from how its values were attached, and from which words of the
domain were not used.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Condition, Meaning, said_in
from domain.english.model.open_times import left_open
from domain.english.parse.combine_comparisons import Node
from domain.english.parse.parser import Parsed
from domain.english.reading import Clues
from domain.english.text.times import MONTHS

CUED = 12.0
"""The least score of a value with a cue; below it, its attribute was guessed."""
CLOSE = 1.0
"""The margin below which two scores count as equal."""
_MOST = 3
_PARTS = frozenset({"cue", "asked", "entity", "hint", "superlative"})


def clues_of(
    model: DomainModel, parsed: Parsed, meaning: Meaning, words: Sequence[str], carried: bool, before: int
) -> Clues:
    """Return the clues of a reading of `words` that are known before its SQL runs."""
    said = said_in(meaning)
    values = [value for condition in said for value in condition.values]
    attributes = [condition.attribute for condition in said]
    attached = {weighed.attributes[0][1] for weighed in parsed.weighed}
    times = [value for value in values if value.kind == "clock"]
    return Clues(
        unused=_few(len(parsed.unused)),
        idle=_few(sum(_idle(node, _spoken(meaning, said)) for node in parsed.nodes)),
        fillers=_few(sum(not node.values and node.item.words in model.fillers for node in parsed.nodes)),
        length=min(len(words), 30) / 10,
        alternatives=bool(meaning.either),
        several=any(len(condition.values) > 1 for condition in said),
        twice=len(attributes) > len({*attributes}),
        denied=any(c.negated for c in said) or any(flagged.negated for flagged in meaning.flags),
        superlative=_few(len(meaning.extremes)),
        computed=bool(meaning.count or meaning.aggregate or meaning.per or meaning.having or meaning.by),
        attributes=bool(meaning.attributes),
        headless=parsed.headless,
        close=any(_margin(weighed.attributes) < CLOSE for weighed in parsed.weighed),
        guessed=_few(sum(weighed.attributes[0][0] < CUED for weighed in parsed.weighed)),
        open_time=bool(left_open(parsed.meaning)),
        bare_hour=any(value.op == "=" and len(value.data) == 2 and not value.data[1] for value in times),
        relative_day=any(_relative(node) for node in parsed.nodes),
        namesake=any(len({v.kind for v in n.values if v.kind in model.kind}) > 1 for n in parsed.nodes),
        misspelt=bool(parsed.nodes) and not {*words} <= {word for node in parsed.nodes for word in node.item.words.split()},
        far=_few(len(_far(model, meaning, said))),
        joined=len(meaning.entities) > 1,
        implied=_few(sum(name not in attached and bool(model.attribute[name].follows) for name in attributes)),
        periods=_few(sum(value.op == "period" for value in times)),
        dated=any(value.kind in {"date", "weekday"} for value in values),
        unrestricted=not (said or meaning.flags or meaning.rows or meaning.inside),
        short=len(words) <= 4,
        carried=carried,
        later=_few(before),
        pointing=bool(before) and not carried and "refer" in parsed.senses,
    )  # fmt: skip


def _few(number: int) -> int:
    return min(number, _MOST)


def _spoken(meaning: Meaning, said: Sequence[Condition]) -> frozenset[str]:
    names = (*meaning.entities, *meaning.attributes, meaning.by, meaning.per, *(h.entity for h in meaning.having))
    return frozenset((*names, *(c.attribute for c in said), *(e.superlative for e in meaning.extremes)))


def _idle(node: Node, spoken: frozenset[str]) -> bool:
    """Return whether a word of the domain has no role in the meaning."""
    senses = [sense for sense in node.item.senses if sense.what in _PARTS]
    return bool(senses) and not (node.values or node.has("flag") or {s.name for s in senses} & spoken)


def _margin(attributes: Sequence[tuple[float, str, str]]) -> float:
    best, name, _ = attributes[0]
    return min((best - score for score, other, _ in attributes[1:] if other != name), default=float("inf"))


def _relative(node: Node) -> bool:
    return any(value.kind == "date" for value in node.values) and not {*node.item.words.split()} & {*MONTHS}


def _far(model: DomainModel, meaning: Meaning, said: Sequence[Condition]) -> list[Condition]:
    near = {*meaning.entities, *(name for entity in meaning.entities for name in model.entity[entity].needs)}
    return [condition for condition in said if model.attribute[condition.attribute].of not in near]
