"""What an experimenter tells of a new session's subject: the counts by sex and age of a corpus come from here."""

from collections.abc import Iterable

from session.study import Speaker

SEXES = ("f", "m", "x")
OLDEST = 120
_KEYS = tuple(field for field in Speaker.__struct_fields__ if field != "id")


def described(speaker: str, about: Iterable[str]) -> Speaker:
    """The subject of this id (empty: the site's next one) with what is known, each `KEY=VALUE`; raises ValueError.

    Keys are sex (f, m, or x for any other), age in years, dialect, recruitment and compensation (MADCOW 1992, sections 2.2 and
    2.4); each at most once.
    """
    found: dict[str, str] = {}
    for each in about:
        key, equals, value = (part.strip() for part in each.partition("="))
        if key not in _KEYS or not equals or not value:
            raise ValueError(f"about {each!r}: write KEY=VALUE, KEY one of {', '.join(_KEYS)}")
        if found.setdefault(key, value) != value:
            raise ValueError(f"about: {key} is {found[key]} and {value}; say it once")
    if found.get("sex", "x") not in SEXES:
        raise ValueError(f"about sex={found['sex']}: write {', '.join(SEXES[:-1])} or {SEXES[-1]}")
    age = found.pop("age", None)
    if age is not None and not (age.isascii() and age.isdecimal() and len(age) <= 3 and 0 < int(age) <= OLDEST):
        raise ValueError(f"about age={age}: write whole years from 1 to {OLDEST}")
    texts = (found.get(key, "") for key in ("dialect", "recruitment", "compensation"))
    return Speaker(speaker, found.get("sex", ""), None if age is None else int(age), *texts)
