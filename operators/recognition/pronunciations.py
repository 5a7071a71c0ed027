"""Pronunciations in the phones of CMU's dictionary: looked up, or put together by letter where the dictionary has no entry.

The rules are few and meant for names; a word that they cannot read at all is named in one line, with the remedy.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

_ALTERNATIVE = re.compile(r"(.+)\(\d+\)")
Phones = tuple[str, ...]


class UnreadableWordError(ValueError):
    """A word that is in no dictionary and cannot be read by rule."""

    def __init__(self, word: str) -> None:
        super().__init__(
            f"{word!r} is not in the dictionary and has letters that no rule can read; give its pronunciation in "
            "domain/pronunciations.dict, one line: the word, then its phones"
        )


def read_dictionary(lines: Iterable[str], wanted: Callable[[str], bool] = lambda _: True) -> dict[str, list[Phones]]:
    """Return the pronunciations of the `wanted` words of a dictionary in CMU's format."""
    found: dict[str, list[Phones]] = {}
    for line in lines:
        word, *phones = line.split()[:64] or [""]
        if alternative := _ALTERNATIVE.fullmatch(word):
            word = alternative[1]
        if phones and not word.startswith(";") and wanted(word):
            found.setdefault(word, []).append(tuple(phones))
    return found


def pronounced(
    words: Iterable[str], dictionary: Mapping[str, list[Phones]], own: Mapping[str, list[Phones]]
) -> tuple[dict[str, list[Phones]], list[UnreadableWordError]]:
    """Return the pronunciations of all `words`, the study's `own` before the dictionary's, and an error for each word that has
    none. A single letter is said by its name."""
    found: dict[str, list[Phones]] = {}
    unreadable = list[UnreadableWordError]()
    for word in sorted(set(words)):
        try:
            found[word] = list(own.get(word, ())) or list(dictionary.get(word, ())) or [by_rule(word)]
        except UnreadableWordError as error:
            unreadable.append(error)
    return found, unreadable


def render(pronunciations: Mapping[str, list[Phones]]) -> str:
    """Return the lines of a dictionary."""
    return "".join(
        f"{word}{f'({place})' if place > 1 else ''} {' '.join(phones)}\n"
        for word, several in sorted(pronunciations.items())
        for place, phones in enumerate(several, start=1)
    )


def own_pronunciations(domain: Path) -> dict[str, list[Phones]]:
    """Return those that a study gives in `pronunciations.dict` of its domain; none if there is no such file."""
    path = domain / "pronunciations.dict"
    return read_dictionary(path.read_text(encoding="utf-8").splitlines()) if path.is_file() else {}


def by_rule(word: str) -> Phones:
    """Return how a word is probably said, the longest known group of letters first.

    >>> " ".join(by_rule("vasquez"))
    'V AE S K W EH Z'
    """
    return tuple(_phones(word)) or _refuse(word)


def _refuse(word: str) -> Phones:
    raise UnreadableWordError(word)


def _phones(word: str) -> Iterator[str]:
    letters, at = word.replace("'", ""), 0
    while at < len(letters):
        for length in (4, 3, 2, 1):
            group = letters[at : at + length]
            if len(group) == length and (sound := _sound(group, at, letters)) is not None:
                yield from sound.split()
                at += length
                break
        else:
            raise UnreadableWordError(word)


def _sound(group: str, at: int, letters: str) -> str | None:
    """Return the phones of a group of letters at its place, None if the group is none."""
    following = letters[at + len(group) :]
    if group == "e" and not following and at > 1 and set(letters[:at]) & set("aeiouy"):
        return ""
    if len(group) == 2 and group[0] == group[1] and group[0] in _CONSONANTS:
        return _CONSONANTS[group[0]]
    if group in ("c", "g") and following[:1] in tuple("eiy"):
        return "S" if group == "c" else "JH"
    if group == "y":
        return "Y" if at == 0 else "IY" if not following else "IH"
    if group in _LONG and len(following) == 2 and following[1] == "e" and following[0] in _CONSONANTS:
        return _LONG[group]
    if group == "o" and not following:
        return "OW"
    if group == "a" and not following:
        return "AH"
    return _GROUPS.get(group) or _CONSONANTS.get(group) or _SHORT.get(group)


_SHORT = {
    "a": "AE", "e": "EH", "i": "IH", "o": "AA", "u": "AH", "á": "AA", "é": "EY", "í": "IY", "ó": "OW", "ú": "UW", "ä": "EH",
    "ö": "ER", "ü": "UW", "è": "EH", "à": "AA", "ñ": "N Y", "ç": "S",
}  # fmt: skip
_LONG = {"a": "EY", "e": "IY", "i": "AY", "o": "OW", "u": "UW"}
_CONSONANTS = {
    "b": "B", "c": "K", "d": "D", "f": "F", "g": "G", "h": "HH", "j": "JH", "k": "K", "l": "L", "m": "M", "n": "N", "p": "P",
    "q": "K", "r": "R", "s": "S", "t": "T", "v": "V", "w": "W", "x": "K S", "z": "Z",
}  # fmt: skip
_GROUPS = {
    "tion": "SH AH N", "sion": "ZH AH N", "ough": "AO", "eigh": "EY", "sch": "SH", "tch": "CH", "igh": "AY", "dge": "JH",
    "air": "EH R", "ear": "IH R", "eer": "IH R", "our": "AO R", "ure": "ER", "ck": "K", "ch": "CH", "sh": "SH", "th": "TH",
    "ph": "F", "wh": "W", "qu": "K W", "gh": "G", "kn": "N", "wr": "R", "ng": "NG", "ai": "EY", "ay": "EY", "au": "AO",
    "aw": "AO", "ee": "IY", "ea": "IY", "ei": "IY", "ey": "IY", "eu": "UW", "ew": "UW", "ia": "IY AH", "ie": "IY",
    "io": "IY OW", "oa": "OW", "oi": "OY", "oy": "OY", "oo": "UW", "ou": "AW", "ow": "OW", "ue": "UW", "ui": "UW IY",
    "ar": "AA R", "er": "ER", "ir": "ER", "or": "AO R", "ur": "ER", "ß": "S",
}  # fmt: skip
