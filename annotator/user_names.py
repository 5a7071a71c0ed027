"""Names of people at the desk. There is no login: names alone identify people, so two names that look alike count as one
person's.

It errs towards one person: who is taken for another person by mistake adds a surname, but a check by one's own eyes is none.
"""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

LONGEST_NAME = 60
_FEW = 3
"""So many names fit on a line."""

_UNSEEN = "\N{HANGUL CHOSEONG FILLER}\N{HANGUL JUNGSEONG FILLER}"
"""Letters by their category that show nothing; the other fillers of Hangul are normalised to the second."""
_MARKS = "\ua78c\u0294\u0242\u01c0\u01c1\u01c2\u01c3\ua78f"
"""Letters by their category that look like an apostrophe, a question mark, a bar or a dot: saltillo, glottal stops, clicks."""
_MODIFIER = "MODIFIER"
"""How the names of the letters begin that stand beside others of any alphabet, as the ʻokina and the apostrophes do."""
_LOOKS = str.maketrans(
    "авекмнорстухіјѕһԁԛԝпгѵ" + "αβεζηικμνορτυχ" + "ᴀʙᴄᴅᴇɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ" + "ɑıɡøłđ01",
    "abekmhopctyxijshdqwnrv" + "abezhikmnoptyx" + "abcdeghijklmnoprstuvwyz" + "aigoldol",
)
"""Letters of three alphabets, small for their capitals too, that are taken for a Latin letter where they are read."""


def same(one: str, other: str) -> bool:
    """Return whether two names are one person's, however they were typed: only letters and digits tell people apart, and only
    by their looks.

    >>> same("Anna  B.", "anna b"), same("anna-b", "AnnaB"), same("Anna", "Ann")
    (True, True, False)
    """
    return bare(one) == bare(other)


@lru_cache
def bare(name: str) -> str:
    """The letters and digits of a name, small, without accents, Latin where they look so; empty if none can be seen.

    >>> bare("Ａnna\\N{COMBINING GRAPHEME JOINER} \\N{HANGUL FILLER}"), bare("ÁNNA"), bare("\\N{CYRILLIC SMALL LETTER A}nna")
    ('anna', 'anna', 'anna')
    """
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold())
    return "".join(char for char in plain if char.isalnum() and not _tells_nothing(char)).translate(_LOOKS)


def _tells_nothing(letter: str) -> bool:
    return letter in _UNSEEN or letter in _MARKS or _script(letter) == _MODIFIER


def _script(letter: str) -> str:
    return unicodedata.name(letter, "UNNAMED").split()[0]


def named(person: str) -> str:
    """Return the name of a person at the desk; raises ValueError for an invalid one."""
    if not bare(person) or not person.isprintable() or len(person) > LONGEST_NAME:
        raise ValueError(f"{person!r} is not a name: say who transcribes, in at most {LONGEST_NAME} characters")
    scripts = {_script(char) for char in unicodedata.normalize("NFKC", person) if char.isalpha()} - {_MODIFIER}
    if len(scripts) > 1 and "LATIN" in scripts:
        raise ValueError(
            f"{person!r} has letters of several alphabets ({', '.join(sorted(scripts)).lower()}), and some look alike: write the "
            "name with those of one"
        )
    return " ".join(person.split())


def newcomer(person: str, others: Iterable[str]) -> str:
    """Return a warning for somebody who has never worked here while others have; empty for all else. A slip in one's own name
    would make a second person of oneself."""
    known = sorted(set(others))
    if not known or any(same(person, other) for other in known):
        return ""
    few = ", ".join(known[:_FEW]) + (f" and {len(known) - _FEW} more" if len(known) > _FEW else "")
    return f"{person} is new; so far: {few}. If you are one of these, Ctrl+Q and come back as such"
