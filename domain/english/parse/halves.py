"""Half of the day of a time that corrects another: "sorry, before six" after "after six p.m." is before six in the evening."""

from __future__ import annotations

import msgspec

from domain.english.model.meaning import Condition, Meaning, Value
from domain.english.parse.combine_comparisons import compared
from domain.english.text.times import clock_words

_NOON = 1200


def same_half(now: Condition, before: Meaning) -> Condition:
    """A condition with its bare hours in the half of the day in which the time before it was said to be."""
    said = [v for c in before.conditions if c.attribute == now.attribute for v in c.values]
    halves = {int(v.data[0]) >= _NOON for v in said if v.kind == "clock" and len(v.data) == 2 and v.data[1]}
    if halves != {True}:
        return now
    return msgspec.structs.replace(now, values=tuple(_later(value) for value in now.values))


def _later(value: Value) -> Value:
    if value.kind != "clock" or len(value.data) != 2 or value.data[1] or int(value.data[0]) >= _NOON:
        return value
    hhmm = int(value.data[0]) + _NOON
    plain = msgspec.structs.replace(value, data=(hhmm, 1), op="=", say=clock_words(hhmm))
    return msgspec.structs.replace(plain, op=value.op, say=compared(plain, value.op) if value.op != "=" else plain.say)
