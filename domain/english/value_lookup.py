"""Lookup of domain values by the beginning of their names, for a user who types a city or a code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from domain.english.model.value_index import Named, Phrase
from session.protocol.side_messages import DomainValue

MOST_FOUND = 12
_SHORT = 3


class ValueLookup:
    """Looks up values among the names of an English engine; immutable once built."""

    def __init__(self, names: Mapping[Phrase, Sequence[Named]]) -> None:
        told = sorted(
            (
                (" ".join(phrase), DomainValue(_as_said(phrase, str(named.value)), str(named.value), _kind(named.kind)))
                for phrase, found in names.items()
                for named in found
            ),
            key=lambda entry: len(entry[0].split()),  # names of equal length keep the order of kinds
        )
        called: dict[tuple[str, str], str] = {}
        for _, value in told:
            if value.value.casefold() not in value.text.casefold().split():  # a name that repeats its code adds nothing
                called.setdefault((value.value, value.kind), value.text)
        self._values = [(phrase, _with_name(value, called)) for phrase, value in told]

    def starting(self, typed: str) -> tuple[DomainValue, ...]:
        """Return the values whose name starts with the typed text, then those with a later word that does; single words
        first."""
        wanted = " ".join(typed.casefold().split())
        if not wanted:
            return ()
        first = [value for name, value in self._values if name.startswith(wanted)]
        later = [value for name, value in self._values if f" {wanted}" in name]
        found: dict[tuple[str, str], DomainValue] = {}
        for value in (*first, *later):
            found.setdefault((value.value, value.kind), value)
            if len(found) == MOST_FOUND:
                break
        return tuple(found.values())


def _as_said(phrase: Phrase, value: str) -> str:
    """Return a name with capitals, or a code as the database spells it.

    >>> _as_said(("vienna",), "VIENNA"), _as_said(("vie",), "VIE"), _as_said(("ap", "80"), "AP/80")
    ('Vienna', 'VIE', 'AP/80')
    """
    is_code = len(value) <= _SHORT or any(character.isdigit() for character in value)
    if is_code and "".join(phrase) == "".join(character for character in value.lower() if character.isalnum()):
        return value
    return " ".join(word.capitalize() for word in phrase)


def _with_name(value: DomainValue, called: Mapping[tuple[str, str], str]) -> DomainValue:
    """Return a code with its name in the domain, since a wizard does not know every code by heart."""
    name = called.get((value.value, value.kind), "") if value.text == value.value else ""
    return msgspec.structs.replace(value, name=name) if name else value


def _kind(name: str) -> str:
    return name.replace("_", " ")
