"""Findings about a domain: where, how bad, what, and what to do."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class Weight(StrEnum):
    """Badness of a finding: an error makes requests fail, a warning some of them, a note is worth a look."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Finding(msgspec.Struct, frozen=True):
    """A finding at a key of `domain.toml`, as the parts of the key, with its remedy."""

    weight: Weight
    key: tuple[str, ...]
    text: str
    remedy: str


def shown_key(key: tuple[str, ...]) -> str:
    """The key as a person looks for it.

    >>> shown_key(("attribute", "place", "accepts", "town")), shown_key(("join", "0", "path")), shown_key(("fillers",))
    ('[attribute.place] accepts.town', '[[join]] path', 'fillers')
    """
    if key[0] == "join":
        return " ".join(["[[join]]", *key[2:]])
    if len(key) == 1:
        return key[0]
    table, rest = (key[:1], key[1:]) if key[0] == "domain" else (key[:2], key[2:])
    return " ".join([f"[{'.'.join(table)}]", *([".".join(rest)] if rest else [])])
