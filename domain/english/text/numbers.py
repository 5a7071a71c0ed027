"""Spoken numbers: "seventeen hundred", "four twenty five", "two oh one", "fifty thousand".

A sequence of number words can be one quantity or a series of digits, which only the context decides; each form has a reader
of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

_UNITS = {
    w: n
    for n, w in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ]
    )
} | {"oh": 0, "o": 0}
_TENS = {
    w: 10 * n
    for n, w in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], start=2)
}
_ORDINALS = {
    w: n
    for n, w in enumerate(
        [
            "first",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
            "eleventh",
            "twelfth",
            "thirteenth",
            "fourteenth",
            "fifteenth",
            "sixteenth",
            "seventeenth",
            "eighteenth",
            "nineteenth",
            "twentieth",
        ],
        start=1,
    )
} | {"thirtieth": 30}

ORDINAL_WORDS = tuple(_ORDINALS)
_DOZEN = 12
_LARGE = {"thousand": 1000, "k": 1000, "grand": 1000, "million": 10**6, "billion": 10**9}
_SIZES = {"hundred": 100, "dozen": _DOZEN, **_LARGE}
_PARTED = frozenset({*_SIZES} - {"hundred", "k", "grand"})
NUMBER_WORDS = frozenset({*_UNITS, *_TENS, "hundred", "thousand"} - {"o"})
"""Words that are always part of a number; "o" can also be a letter."""


def under_hundred(words: Sequence[str], at: int) -> tuple[int, int] | None:
    """Return (value, end) of "seven", "seventeen", "seventy", "seventy seven" or digits of one or two places, or None."""
    if at >= len(words):
        return None
    word = words[at]
    if word.isdigit() and len(word) <= 2:
        return int(word), at + 1
    if word in _TENS:
        if at + 1 < len(words) and 0 < _UNITS.get(words[at + 1], 0) < 10:
            return _TENS[word] + _UNITS[words[at + 1]], at + 2
        return _TENS[word], at + 1
    if word in _UNITS:
        return _UNITS[word], at + 1
    return None


def quantity(words: Sequence[str], at: int) -> tuple[float, int] | None:
    """Return (value, end) of a cardinal number: digits, "two hundred and fifty thousand", "half a million", "one point five
    million", "two dozen"; None where there is none."""
    if part := _part_of_a_size(words, at):
        return part
    word = words[at] if at < len(words) else ""
    if word.replace(".", "", 1).isdigit():
        return _with_sizes(float(word), words, at + 1)
    if word.endswith("k") and word[:-1].isdigit():
        return float(word[:-1]) * 1000, at + 1
    if word == "a" and words[at + 1 : at + 2] and words[at + 1] in _SIZES:
        return _with_sizes(1, words, at + 1)
    if word in {"oh", "o"} or (found := under_hundred(words, at)) is None:
        return None
    value, end = found
    if words[end : end + 1] == ["point"] and (fraction := _fraction(words, end + 1)):
        return _with_sizes(float(f"{value}.{fraction[0]}"), words, fraction[1])
    if words[end : end + 3] == ["and", "a", "half"] and words[end + 3 : end + 4] and words[end + 3] in _LARGE:
        return (value + 0.5) * _LARGE[words[end + 3]], end + 4
    return _with_sizes(value, words, end)


def _with_sizes(value: float, words: Sequence[str], end: int) -> tuple[float, int]:
    """Return (value, end) of a number with the hundreds, thousands and millions after it, and their remainder."""
    total, current = 0.0, value
    while end < len(words):
        size = _SIZES.get(words[end], 0)
        if words[end] == "hundred" or size == _DOZEN:
            current, end = current * size, end + 1
        elif size:
            total, current, end = (total + current) * size if size > total else total + current * size, 0, end + 1
            if words[end : end + 3] == ["and", "a", "half"]:
                total, end = total + size / 2, end + 3
        else:
            skip = 1 if words[end] == "and" else 0
            more = under_hundred(words, end + skip) if words[end - 1] in _SIZES and words[end - 1] != "dozen" else None
            if more is None or words[end + skip].isdigit() or (skip and words[more[1] : more[1] + 1] == ["hundred"]):
                break  # between eight hundred and nine hundred
            current, end = current + more[0], more[1]
    return float(total + current), end


def _part_of_a_size(words: Sequence[str], at: int) -> tuple[float, int] | None:
    """Return (value, end) of "half a million", "a quarter of a million" or "half a dozen", or None."""
    skip = at + (words[at : at + 1] == ["a"])
    part = {"half": 0.5, "quarter": 0.25}.get(words[skip], 0.0) if skip < len(words) else 0.0
    rest = skip + 1 + (words[skip + 1 : skip + 2] == ["of"])
    if part and words[rest : rest + 1] == ["a"] and words[rest + 1 : rest + 2] and words[rest + 1] in _PARTED:
        return part * _SIZES[words[rest + 1]], rest + 2
    return None


def _fraction(words: Sequence[str], at: int) -> tuple[str, int] | None:
    """Return (digits, end) of the decimals after "point": five, two five, 75; or None."""
    text, end = "", at
    while end < len(words) and (found := under_hundred(words, end)) and (found[0] < 10 or not text):
        text, end = text + str(found[0]), found[1]
    return (text, end) if text else None


def digits(words: Sequence[str], at: int) -> tuple[int, int] | None:
    """Return (value, end) of a number said in parts: "four seventeen" 417, "one oh two" 102, "nineteen ninety one" 1991; or
    None."""
    text, end = "", at
    while end < len(words) and len(text) < 5:
        if words[end] in {"hundred"} and len(text) in {1, 2}:
            whole = quantity(words, at)
            return (int(whole[0]), whole[1]) if whole else None
        piece = under_hundred(words, end)
        if piece is None or (words[end].isdigit() and end > at):
            break
        text += str(piece[0])
        end = piece[1]
    if not text:
        if at < len(words) and words[at].isdigit():
            return int(words[at]), at + 1
        return None
    return int(text), end


def ordinal(words: Sequence[str], at: int) -> tuple[int, int] | None:
    """Return (value, end) of "third", "twenty third" or "23rd", or None."""
    if at >= len(words):
        return None
    word = words[at]
    if word[:-2].isdigit() and word[-2:] in {"st", "nd", "rd", "th"}:
        return int(word[:-2]), at + 1
    if word in _TENS and at + 1 < len(words) and _ORDINALS.get(words[at + 1], 99) < 10:
        return _TENS[word] + _ORDINALS[words[at + 1]], at + 2
    return (_ORDINALS[word], at + 1) if word in _ORDINALS else None


def ordinal_words(number: int) -> str:
    """Return the ordinal, such as "second" for 2; "32nd" and the like beyond the ordinals with a word."""
    plain = next((word for word, n in _ORDINALS.items() if n == number), "")
    return plain or f"{number}{'th' if number % 100 in {11, 12, 13} else _ENDINGS.get(number % 10, 'th')}"


_ENDINGS = {1: "st", 2: "nd", 3: "rd"}
