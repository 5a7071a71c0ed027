"""Times without a.m. or p.m., resolved in the meaning, so that statement and paraphrase agree.

Depending on the conventions, "after 5" is in the afternoon, or the request has two readings. "At 5" remains a single
reading: either time matches.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import msgspec

from domain.english.model.domain import Conventions
from domain.english.model.meaning import Condition, Meaning, Value, said_in
from domain.english.text.times import COMPARED, clock_words

_DAY = range(600, 1800)


def settled(meaning: Meaning, use: Conventions) -> tuple[Meaning, ...]:
    """Return the meaning with all times resolved; two if both halves of the day are possible, the daytime one first."""
    meaning = within_parts_of_day(meaning)
    held = meaning if use.open_clock == "as said" else _changed(meaning, _either_time)
    found = left_open(meaning)
    if not found or (use.open_clock == "as said" and not use.afternoon_below):
        return (held,)
    if use.afternoon_below:
        return (_changed(held, lambda value: _in_the_afternoon(value, use.afternoon_below)),)
    begin = int(found[0].data[0]) % 1200
    halves = (0, 1200) if begin in _DAY else (1200, 0)
    return tuple(_changed(held, partial(_shifted, half=half)) for half in halves)


def settled_within(meaning: Meaning, use: Conventions) -> Meaning:
    """Return the meaning with nested meanings resolved as they were when first answered."""

    def first(inner: Meaning | None) -> Meaning | None:
        return settled(settled_within(inner, use), use)[0] if inner else None

    among = tuple(settled(one, use)[0] for one in meaning.among)
    inside, outside = first(meaning.inside), first(meaning.outside)
    return msgspec.structs.replace(meaning, inside=inside, outside=outside, among=among)


def within_parts_of_day(meaning: Meaning) -> Meaning:
    """Return the meaning with times in the half of the day in which a part of it is said of the same attribute: "in the evening
    before 8" is before 8 p.m., for nothing is both in the evening and before 8 a.m."""
    parts: dict[str, list[Value]] = {}
    for condition in meaning.conditions:
        if not condition.negated and all(value.op == "period" for value in condition.values):
            parts.setdefault(condition.attribute, []).extend(condition.values)

    def placed(condition: Condition) -> Condition:
        part = parts.get(condition.attribute, [])
        if condition.negated or not part or not any(map(_open, condition.values)):
            return condition
        ways = [tuple(_shifted(value, half) for value in condition.values) for half in (0, 1200)]
        fitting = [values for values in ways if all(any(_begins_in(value, one) for one in part) for value in values)]
        return msgspec.structs.replace(condition, values=fitting[0]) if len(fitting) == 1 else condition

    return msgspec.structs.replace(meaning, conditions=tuple(map(placed, meaning.conditions))) if parts else meaning


def _begins_in(value: Value, part: Value) -> bool:
    """Return whether a time is in a part of the day, which may go on past midnight."""
    begin, end, time = int(part.data[0]), int(part.data[1]), int(value.data[0])
    return begin <= time <= end if begin <= end else time >= begin or time <= end


def other_halves(meaning: Meaning, use: Conventions) -> tuple[Meaning, ...]:
    """Return the readings that the conventions exclude: each half for "at five", and the other half for "after five"."""
    meaning = within_parts_of_day(meaning)
    said = (value for condition in said_in(meaning) for value in condition.values)
    times = left_open(meaning)
    at = [] if times or use.open_clock == "as said" else [value for value in said if _either_half(value)]
    if not at and not (times and use.afternoon_below):
        return ()
    begin = int((*times, *at)[0].data[0]) % 1200
    halves = (0, 1200) if begin in _DAY else (1200, 0)
    ways = [_changed(meaning, partial(_shifted if times else _at_half, half=half)) for half in halves]
    return tuple(way for way in ways if way not in settled(meaning, use))


def left_open(meaning: Meaning) -> list[Value]:
    """Return the comparisons and ranges of times without a.m. or p.m."""
    return [value for condition in said_in(meaning) for value in condition.values if _open(value)]


def _open(value: Value) -> bool:
    return value.kind == "clock" and value.op not in {"=", "period"} and not value.data[-1]


def _changed(meaning: Meaning, change: Callable[[Value], Value]) -> Meaning:
    def changed(condition: Condition) -> Condition:
        return msgspec.structs.replace(condition, values=tuple(map(change, condition.values)))

    either = tuple(tuple(map(changed, group)) for group in meaning.either)
    return msgspec.structs.replace(meaning, conditions=tuple(map(changed, meaning.conditions)), either=either)


def _either_time(value: Value) -> Value:
    """Return "at 8" worded as "8 a.m. or 8 p.m."."""
    if not _either_half(value):
        return value
    early = int(value.data[0]) % 1200
    return msgspec.structs.replace(value, say=f"{clock_words(early)} or {clock_words(early + 1200)}")


def _either_half(value: Value) -> bool:
    return value.kind == "clock" and value.op == "=" and len(value.data) == 2 and not value.data[1]


def _at_half(value: Value, half: int) -> Value:
    if not _either_half(value):
        return value
    time = int(value.data[0]) % 1200 + half
    return msgspec.structs.replace(value, data=(time, 1), say=clock_words(time))


def _shifted(value: Value, half: int) -> Value:
    if not _open(value):
        return value
    times = [int(time) % 1200 + half for time in value.data[:-1]]
    if len(times) == 2 and times[1] <= times[0]:
        times[1] = (times[1] + 1200) % 2400
    return _with_times(value, times)


def _in_the_afternoon(value: Value, below: int) -> Value:
    if not _open(value):
        return value
    times = [int(time) for time in value.data[:-1]]
    if len(times) == 1 or times[0] < times[1] <= below:
        times = [time + 1200 if 0 < time < below or len(times) == 2 else time for time in times]
    elif times[1] < times[0]:
        times[1] += 1200  # "from 11 to 2" crosses noon
    return _with_times(value, times)


def _with_times(value: Value, times: list[int]) -> Value:
    said = " and ".join(map(clock_words, times))
    lead = "between" if value.op == "between" else COMPARED[value.op]
    return msgspec.structs.replace(value, data=(*times, 1), say=f"{lead} {said}")
