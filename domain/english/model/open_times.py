"""Times whose half of the day was left open, settled in the meaning: the statement and its paraphrase are made from one.

A set of conventions takes "after 5" for the afternoon, or leaves both halves possible: then a request has two readings.
"At 5" stays one first: either time will do.
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
    """The meaning with every time settled, twice where both halves of the day are possible, the one by day first."""
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
    """The meaning with the requests inside it settled as they were answered when they were asked by themselves."""

    def first(inner: Meaning | None) -> Meaning | None:
        return settled(settled_within(inner, use), use)[0] if inner else None

    among = tuple(settled(one, use)[0] for one in meaning.among)
    inside, outside = first(meaning.inside), first(meaning.outside)
    return msgspec.structs.replace(meaning, inside=inside, outside=outside, among=among)


def other_halves(meaning: Meaning, use: Conventions) -> tuple[Meaning, ...]:
    """The meanings that conventions rule out and that may have been meant: each half of the day "at five", and the one that they
    do not take "after five" for."""
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
    """The comparisons and ranges of times of which nobody said whether they are in the morning."""
    return [value for condition in said_in(meaning) for value in condition.values if _open(value)]


def _open(value: Value) -> bool:
    return value.kind == "clock" and value.op not in {"=", "period"} and not value.data[-1]


def _changed(meaning: Meaning, change: Callable[[Value], Value]) -> Meaning:
    def changed(condition: Condition) -> Condition:
        return msgspec.structs.replace(condition, values=tuple(map(change, condition.values)))

    either = tuple(tuple(map(changed, group)) for group in meaning.either)
    return msgspec.structs.replace(meaning, conditions=tuple(map(changed, meaning.conditions)), either=either)


def _either_time(value: Value) -> Value:
    """ "At 8" said as 8 a.m. or 8 p.m."""
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
        times[1] += 1200  # from 11 to 2 runs over noon
    return _with_times(value, times)


def _with_times(value: Value, times: list[int]) -> Value:
    said = " and ".join(map(clock_words, times))
    lead = "between" if value.op == "between" else COMPARED[value.op]
    return msgspec.structs.replace(value, data=(*times, 1), say=f"{lead} {said}")
