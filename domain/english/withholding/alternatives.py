"""Other ways to take a request in its context, offered beside the likeliest where the words leave them open.

What was said may hold of the other end of a connection ("Sutton, that is" after the loans from Norton to Westbury), or of all
rows from which one was selected. By itself a request is read beside these only where it says enough to be a new one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from domain.english.dialogue.going_back import apply_to_whole
from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Condition, Meaning
from domain.english.parse.parser import Parsed
from domain.english.reading import Reading

_ORDER = {name: place for place, name in enumerate(("alone", "scope", "whole", "end", "half", "attribute", "form"))}
_CLOSE = 1.0
"""Scores of two attributes nearer than this leave open to which of them a value belongs."""
_GOES_ON = re.compile(
    r"\b(?:those|these|them|they|it|its|ones?|same|there|only|just|instead|then|too|also|again|what about|how about|his|her|he"
    r"|she|their)\b|^(?:and|or|but)\b"
)


def alternative_meanings(
    model: DomainModel, parsed: Parsed, merged: Meaning, before: Meaning
) -> Iterator[tuple[str, Meaning]]:
    """Yield the other meanings in context, the likeliest first, with what each differs in."""
    if other := _at_other_end(model, parsed, merged, before):
        yield "end", other
    if other := apply_to_whole(parsed, merged):
        yield "whole", other


def by_share(readings: Sequence[Reading]) -> list[Reading]:
    """Return readings with those after the first in the order in which they are right the oftener when that is not. In a dialogue
    the scope is misunderstood oftener than a value's attribute or half of the day."""
    first = readings[:1]
    carried = bool(first) and (bool(first[0].carried) or any(r.apart == "scope" for r in readings))
    return [*first, *(sorted(readings[1:], key=lambda r: _ORDER.get(r.apart, 0)) if carried else readings[1:])]


def without_fragments(parsed: Parsed, text: str, readings: Sequence[Reading]) -> tuple[Reading, ...]:
    """Return the readings without those of a request by itself that was taken to go on from others and says too little alone."""
    fragment = bool(readings) and bool(readings[0].carried) and not _may_stand_alone(parsed, text)
    return tuple(reading for reading in readings if not (fragment and reading.apart == "alone"))


def _may_stand_alone(parsed: Parsed, text: str) -> bool:
    """Return whether a request that was taken to go on from others could as well be a new one."""
    now = parsed.meaning
    said = len(now.conditions) + len(now.flags) + len(now.extremes) + len(now.having) + len(now.compared)
    return said >= 2 - (not parsed.headless) and _GOES_ON.search(text.lower()) is None


def _at_other_end(model: DomainModel, parsed: Parsed, merged: Meaning, before: Meaning) -> Meaning | None:
    """Return the meaning with the one value said now at the other end of a connection, where no word tells at which."""
    new = [c for c in merged.conditions if c not in before.conditions]
    if len(new) != 1 or new[0].negated or len(parsed.weighed) > 1:
        return None
    here = new[0].attribute
    ends = {end: other for swap in model.swap.values() for end, other in (swap.exchange, swap.exchange[::-1])}
    there = ends.get(here)
    scores = {name: score for weighed in parsed.weighed for score, name, _ in weighed.attributes}
    led = bool(scores) and scores.get(here, 0.0) - scores.get(there or "", -1.0) >= _CLOSE
    if there is None or led or any(v.kind not in model.attribute[there].accepts for v in new[0].values):
        return None
    old = tuple(c for c in before.conditions if c.attribute == here)
    said = {value for c in old for value in c.values}
    values = tuple(value for value in new[0].values if value not in said)
    replaced = [c for c in merged.conditions if c != new[0] and c.attribute != there]
    if len(values) < len(new[0].values):  # "or Sutton": beside what was said of that end
        values = (*(v for c in before.conditions if c.attribute == there for v in c.values), *values)
    moved = Condition(there, values)
    return msgspec.structs.replace(merged, conditions=(*old, *replaced, moved))
