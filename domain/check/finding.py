"""Findings about a domain: place, severity, problem and remedy."""

from __future__ import annotations

import msgspec

from session.study.toml_reader import Steps
from session.values.vocabulary import Severity


class DomainFinding(msgspec.Struct, frozen=True):
    """A finding at a key of `domain.toml`, given in parts, with its remedy. An error makes requests fail, a warning makes
    some fail; a note is worth a look."""

    severity: Severity
    key: Steps
    text: str
    remedy: str


def shown_key(key: Steps) -> str:
    """Return the key in the notation of the file.

    >>> shown_key(("attribute", "place", "accepts", "town")), shown_key(("join", 0, "path")), shown_key(("fillers",))
    ('[attribute.place] accepts.town', '[[join]] path', 'fillers')
    """
    parts = [part for part in key if isinstance(part, str)]
    if parts[0] == "join":
        return " ".join(["[[join]]", *parts[1:]])
    if len(parts) == 1:
        return parts[0]
    table, rest = (parts[:1], parts[1:]) if parts[0] == "domain" else (parts[:2], parts[2:])
    return " ".join([f"[{'.'.join(table)}]", *([".".join(rest)] if rest else [])])
