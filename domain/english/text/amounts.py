"""Spoken amounts with a unit: "an hour and a half", "2 hours 15 minutes", "half a mile".

The domain lists the words for units and their size in the column's own unit, so that a column of minutes can be compared with
hours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from domain.english.text.numbers import quantity

_ONE = frozenset(["a", "an"])
_HALF = ("and", "a", "half")


def read_amount(words: Sequence[str], at: int, units: Mapping[str, float]) -> tuple[float, float, int] | None:
    """Return (amount in the column's unit, size of the last unit in it, end), or None.

    >>> read_amount("an hour and a half".split(), 0, {"hour": 60})
    (90, 60, 5)
    """
    first = _single(words, at, units)
    if first is None:
        return None
    amount, unit, end = first
    joined = end + (words[end : end + 1] == ["and"])
    more = _single(words, joined, units)
    if more and more[1] < unit:
        return _whole(amount + more[0]), more[1], more[2]
    return amount, unit, end


def _single(words: Sequence[str], at: int, units: Mapping[str, float]) -> tuple[float, float, int] | None:
    number, begin = _number(words, at)
    said = next((n for n in (2, 1) if " ".join(words[begin : begin + n]) in units and begin + n <= len(words)), 0)
    if number is None or not said:
        return None
    end = begin + said
    unit = units[" ".join(words[begin:end])]
    if tuple(words[end : end + 3]) == _HALF:
        number, end = number + 0.5, end + 3
    return _whole(number * unit), unit, end


def _number(words: Sequence[str], at: int) -> tuple[float | None, int]:
    word = words[at] if at < len(words) else ""
    if word == "half":
        return 0.5, at + 1 + (words[at + 1 : at + 2] in (["a"], ["an"]))
    found = (quantity(words, at) if word else None) or ((1, at + 1) if word in _ONE else None)
    if found is None:
        return None, at
    number, end = found
    return (number + 0.5, end + 3) if tuple(words[end : end + 3]) == _HALF else (number, end)


def _whole(number: float) -> float:
    return int(number) if number == int(number) else number
