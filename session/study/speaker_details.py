"""Details of a subject, as an experimenter enters and corrects them: the counts by sex and age of a corpus come from here."""

from collections.abc import Iterable

import msgspec

from session.study.settings import Speaker

SEXES = ("f", "m", "x")
OLDEST = 120
KEYS = tuple(field for field in Speaker.__struct_fields__ if field != "id")


def described(speaker: str, about: Iterable[str]) -> Speaker:
    """The subject of this id (empty: the site's next one) with what is known, each `KEY=VALUE`; raises ValueError.

    Keys are sex (f, m, or x for any other), age in years, dialect, recruitment and compensation (MADCOW 1992, sections 2.2 and
    2.4); each at most once.
    """
    details = _entries(about)
    if nothing := [key for key, value in details.items() if not value]:
        raise ValueError(f"about {nothing[0] + '='!r}: write KEY=VALUE, KEY one of {', '.join(KEYS)}")
    return _with(Speaker(speaker), details)


def corrected(before: Speaker, about: Iterable[str]) -> Speaker:
    """The subject with other values, each `KEY=VALUE` as for `described`; an empty value is one that nobody knows. Raises
    ValueError."""
    return _with(before, _entries(about))


def differing(one: Speaker, other: Speaker) -> tuple[str, ...]:
    """The keys of what is told otherwise.

    >>> differing(Speaker("001", "f", 31), Speaker("001", "f", 13, "Southern"))
    ('age', 'dialect')
    """
    return tuple(key for key in KEYS if getattr(one, key) != getattr(other, key))


def _entries(about: Iterable[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for entry in about:
        key, equals, value = (part.strip() for part in entry.partition("="))
        if key not in KEYS or not equals:
            raise ValueError(f"about {entry!r}: write KEY=VALUE, KEY one of {', '.join(KEYS)}")
        if found.setdefault(key, value) != value:
            raise ValueError(f"about: {key} is {found[key]} and {value}; say it once")
    if found.get("sex") and found["sex"] not in SEXES:
        raise ValueError(f"about sex={found['sex']}: write {', '.join(SEXES[:-1])} or {SEXES[-1]}")
    age = found.get("age")
    if age and not (age.isascii() and age.isdecimal() and len(age) <= 3 and 0 < int(age) <= OLDEST):
        raise ValueError(f"about age={age}: write whole years from 1 to {OLDEST}")
    return found


def _with(speaker: Speaker, details: dict[str, str]) -> Speaker:
    texts = {key: value for key, value in details.items() if key != "age"}
    age = (int(details["age"]) if details["age"] else None) if "age" in details else speaker.age
    return msgspec.structs.replace(speaker, age=age, **texts)
