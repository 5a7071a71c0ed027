"""Written text as the words that people say for it: digits in words, letters of a code apart, small letters.

This is the spelling of a `.sro`, in which dictionary, language model and hypotheses of a recogniser are written. A number has
several readings ("seven thirty seven", "seven three seven"), and each is given.
"""

import re
import unicodedata
from collections.abc import Sequence
from itertools import product

_UNITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ["zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_PIECE = re.compile(r"(?P<clock>\d{1,2}:\d\d)|(?P<number>\d[\d,]*)|(?P<word>[^\W\d_]+(?:'[^\W\d_]+)*'?)")
_SPELLED = re.compile("[A-Z]{2,4}")
_MOST_READINGS = 8
Words = tuple[str, ...]


def readings(text: str) -> list[Words]:
    """Return the ways in which `text` is said, the likeliest first; none for a text without a word.

    >>> readings("DFW at 9:05")
    [('d', 'f', 'w', 'at', 'nine', 'oh', 'five')]
    >>> readings("a 737")[:2]
    [('a', 'seven', 'thirty', 'seven'), ('a', 'seven', 'three', 'seven')]
    """
    pieces = [_said(match) for match in _PIECE.finditer(unicodedata.normalize("NFC", text).replace("’", "'"))]
    found = list[Words]()
    for number, choice in enumerate(product(*pieces)):
        if number == _MOST_READINGS or not pieces:
            break
        found.append(tuple(word for part in choice for word in part))
    return found


def words_of(text: str) -> Words:
    """Return the likeliest of the readings; empty for a text without a word."""
    return next(iter(readings(text)), ())


def _said(match: re.Match[str]) -> Sequence[Words]:
    if match["clock"]:
        hour, _, minute = match["clock"].partition(":")
        if minute == "00":
            return [(*cardinal(int(hour)), "o'clock"), cardinal(int(hour))]
        return [(*cardinal(int(hour)), *(("oh",) if minute[0] == "0" else ()), *cardinal(int(minute)))]
    if match["number"]:
        return _number_readings(match["number"].replace(",", ""))
    word = match["word"]
    return [tuple(word.lower())] if _SPELLED.fullmatch(word) else [(word.lower(),)]


def _number_readings(digits: str) -> list[Words]:
    """Return a number as a code is said in pairs, digit by digit, and as a quantity; short ones as a quantity first."""
    by_digit = tuple("oh" if digit == "0" and len(digits) > 1 else _UNITS[int(digit)] for digit in digits)
    if len(digits) > 6:
        return [by_digit]
    quantity = cardinal(int(digits))
    if len(digits) < 3:
        return [quantity]
    pairs = _in_pairs(digits)
    order = [quantity, pairs, by_digit] if digits.endswith("00") else [pairs, by_digit, quantity]
    return list(dict.fromkeys(form for form in order if form))


def _in_pairs(digits: str) -> Words:
    """Return 1220 as twelve twenty, 737 as seven thirty seven, 705 as seven oh five."""
    first = len(digits) % 2
    parts = [digits[:first]] * bool(first) + [digits[at : at + 2] for at in range(first, len(digits), 2)]
    said = list[str]()
    for part in parts:
        if part == "00":
            said.append("hundred")
        elif len(part) == 2 and part[0] == "0":
            said += ["oh", _UNITS[int(part)]]
        else:
            said += cardinal(int(part))
    return tuple(said)


def cardinal(number: int) -> Words:
    """Return a quantity below a million in words.

    >>> " ".join(cardinal(1991))
    'one thousand nine hundred ninety one'
    """
    if number < 20:
        return (_UNITS[number],)
    if number < 100:
        return (_TENS[number // 10], *((_UNITS[number % 10],) if number % 10 else ()))
    size, name = (100, "hundred") if number < 1000 else (1000, "thousand")
    rest = cardinal(number % size) if number % size else ()
    return (*cardinal(number // size), name, *rest)
