"""Numbers as people say them: "seventeen hundred", "four twenty five", "two oh one", "fifty thousand".

A stretch of number words can mean one quantity or a row of digits, and only what stands around it tells which; so
every reading that starts at a position is given, the longest first.
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
NUMBER_WORDS = frozenset({*_UNITS, *_TENS, "hundred", "thousand"} - {"o"})
"""Words that can only be part of a number; "o" can be a letter too."""


def under_hundred(words: Sequence[str], at: int) -> tuple[int, int] | None:
    """(value, end) of "seven", "seventeen", "seventy", "seventy seven" or digits of one or two places."""
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
    """(value, end) of an ordinary cardinal number: digits or "two hundred and fifty thousand"."""
    word = words[at] if at < len(words) else ""
    if word.replace(".", "", 1).isdigit():
        value, end = float(word), at + 1
        if end < len(words) and words[end] in {"hundred", "thousand", "k", "million"}:
            return value * {"hundred": 100, "thousand": 1000, "k": 1000, "million": 10**6}[words[end]], end + 1
        return value, end
    if word.endswith("k") and word[:-1].isdigit():
        return float(word[:-1]) * 1000, at + 1
    total, current, end = 0, 0, at
    if word == "a" and at + 1 < len(words) and words[at + 1] in {"hundred", "thousand"}:
        current, end = 1, at + 1
    elif word in {"oh", "o"} or (found := under_hundred(words, at)) is None:
        return None
    else:
        current, end = found
    while end < len(words):
        if words[end] == "hundred":
            current, end = current * 100, end + 1
        elif words[end] == "thousand":
            total, current, end = total + current * 1000, 0, end + 1
        else:
            skip = 1 if words[end] == "and" else 0
            more = under_hundred(words, end + skip) if words[end - 1] in {"hundred", "thousand"} else None
            if more is None or words[end + skip].isdigit():
                break
            current, end = current + more[0], more[1]
    return float(total + current), end


def digits(words: Sequence[str], at: int) -> tuple[int, int] | None:
    """(value, end) of a number said in pieces: "four seventeen" 417, "one oh two" 102, "nineteen ninety one" 1991."""
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
    """(value, end) of "third", "twenty third", "23rd"."""
    if at >= len(words):
        return None
    word = words[at]
    if word[:-2].isdigit() and word[-2:] in {"st", "nd", "rd", "th"}:
        return int(word[:-2]), at + 1
    if word in _TENS and at + 1 < len(words) and _ORDINALS.get(words[at + 1], 99) < 10:
        return _TENS[word] + _ORDINALS[words[at + 1]], at + 2
    return (_ORDINALS[word], at + 1) if word in _ORDINALS else None


def ordinal_words(number: int) -> str:
    """ "Second" for 2; "32nd" and the like above what is written out."""
    plain = next((word for word, n in _ORDINALS.items() if n == number), "")
    return plain or f"{number}{'th' if number % 100 in {11, 12, 13} else _ENDINGS.get(number % 10, 'th')}"


_ENDINGS = {1: "st", 2: "nd", 3: "rd"}
