"""Words that a schema abbreviates, found by their letters: keepers of a table `kpr`, the villages of a column `vlg`.

Nothing but the request knows the whole word. One that nothing else explains stands for the only abbreviation that keeps its
consonants in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_SHORTEST, _LONGEST, _LONG, _MANY = 2, 5, 3, 4
_ABBREVIATED = re.compile(r"[a-z][bcdfghjklmnpqrstvwxyz]+")
_VOWELLESS = re.compile(r"[bcdfghjklmnpqrstvwxz]+")
_USUAL = frozenset(
    [
        "hq",
        "km",
        "kg",
        "cm",
        "mm",
        "kw",
        "tv",
        "cd",
        "dvd",
        "pm",
        "mph",
        "hr",
        "hrs",
        "dr",
        "mr",
        "mrs",
        "ft",
        "lb",
        "sq",
    ]
)
"""What people say as it is written."""
_ENDINGS = (
    ("ies", "y"),
    ("es", "e"),
    ("es", ""),
    ("s", ""),
    ("", ""),
    ("ed", "e"),
    ("ed", ""),
    ("ing", "e"),
    ("ing", ""),
)


def find_abbreviations(phrases: Iterable[str]) -> tuple[str, ...]:
    """Return the words of these phrases that are no words, by their letters: no vowel after the first. None where only a few have
    no vowel at all: the names are not abbreviated then, and what looks so is English."""
    words = {word for phrase in phrases for word in phrase.split() if _SHORTEST <= len(word) <= _LONGEST} - _USUAL
    strict = {word.removesuffix("s") for word in words if _VOWELLESS.fullmatch(word)} - _USUAL
    return tuple(sorted(filter(_ABBREVIATED.fullmatch, words))) if len(strict) >= _MANY else ()


def abbreviate(word: str, known: Sequence[str]) -> str | None:
    """Return the one abbreviation among these that `word` may be written out for, as often as `word` says it is."""
    if len(word) <= _LONG or not word.isalpha():
        return None
    for fits in (_is_skeleton, _keeps_order, _ends_in):
        found = {short for short in known for old, new in _ENDINGS if word.endswith(old)
                 and fits(short, word.removesuffix(old) + new)}  # fmt: skip
        shortest = {short for short in found if f"{short}s" in found} or found
        if len(shortest) == 1:
            one = shortest.pop()
            return f"{one}s" if word.endswith("s") and f"{one}s" in known else one
        if found:
            return None
    return None


def _is_skeleton(short: str, word: str) -> bool:
    """Return whether an abbreviation is a word without its vowels: hv of hive, vlg of village."""
    bare = word[:1] + re.sub(r"[aeiou]", "", word[1:])
    return re.sub(r"(.)\1", r"\1", bare) == short or bare == short


def _ends_in(short: str, word: str) -> bool:
    """Return whether the last part of a compound is meant: kpr of beekeeper."""
    return len(short) >= _LONG and any(_is_skeleton(short, word[at:]) for at in range(_LONG, len(word) - _LONG))


def _keeps_order(short: str, word: str) -> bool:
    """Return whether an abbreviation is the beginning of a word, or of its consonants, or keeps some with the first and last:
    insp of inspection, hrv of harvest, swm of swarm."""
    if len(short) < _LONG or short[0] != word[:1]:
        return False
    bare = word[:1] + re.sub(r"[aeiou]", "", word[1:])
    letters = iter(word)
    kept = all(letter in letters for letter in short)
    return word.startswith(short) or bare.startswith(short) or (kept and word[-1] == short[-1])
