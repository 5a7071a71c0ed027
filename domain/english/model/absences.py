"""Flags for missing values: "no home phone", "without a boss", "home phone missing".

Requests ask for empty cells as often as for their contents. Each attribute whose column has empty cells gets a flag with
the phrases for lacking it.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from sqlalchemy import Connection, MetaData, literal, select

from domain.english.model.domain import Attribute, DomainModel, Flag, read_path
from domain.english.model.path_names import column_called

_BEFORE = (
    "no {}", "without {}", "without a {}", "without an {}", "without any {}", "with no {}", "have no {}", "has no {}",
    "having no {}", "not have {}", "not have a {}", "not have an {}", "not have any {}", "lacking {}", "lacking a {}", "lack {}",
    "lack a {}", "lacks {}", "lacks a {}", "missing {}", "missing a {}", "not got a {}", "not got any {}", "not given a {}",
    "not given us a {}", "not give a {}",
)  # fmt: skip
_AFTER = ("", " listed", " on file", " on record", " recorded", " given", " at all", " in the system", " of their own")


def with_absences(model: DomainModel, schema: MetaData, link: Connection) -> DomainModel:
    """Return the model with a flag for each attribute that some rows lack."""
    known = {words for flag in model.flag.values() for words in flag.words}
    known |= {words for attribute in model.attribute.values() for words in (*attribute.words, *attribute.cues)}
    flags: dict[str, Flag] = {}
    for name, attribute in model.attribute.items():
        column = _column(model, attribute)
        nouns = [noun for noun in attribute.words if _noun(noun)]
        if not nouns or f"no_{name}" in model.flag or not _sometimes_empty(column, schema, link):
            continue
        words = tuple(form for noun in nouns for form in _forms(noun) if form not in known)
        said = f"without {name.replace('_', ' ')}"
        flags[f"no_{name}"] = Flag(words, attribute.of, (f"{column} is null",), said)
    return msgspec.structs.replace(model, flag=model.flag | flags) if flags else model


def _column(model: DomainModel, attribute: Attribute) -> str:
    """Return the attribute's column, or its foreign key, in the entity's own table, else an empty string."""
    if not attribute.select:
        return ""
    path = read_path(attribute.select[0])
    column = path.steps[0].left if path.steps else path.end
    plain = len(path.steps) < 2 and not (path.steps and path.steps[0].also) and "," not in column
    owned = column.partition(".")[0] == model.entity[attribute.of].table
    return column if plain and owned and column not in model.entity[attribute.of].key else ""


def _sometimes_empty(column: str, schema: MetaData, link: Connection) -> bool:
    held = column_called(schema, column)
    if held is None or not held.nullable:
        return False
    one = select(literal(1)).select_from(held.table).limit(1)
    empty, full = (link.execute(one.where(test)).first() for test in (held.is_(None), held.is_not(None)))
    return empty is not None and full is not None


def _noun(words: str) -> bool:
    """Return whether words name the attribute as a noun, as something that one can have."""
    first, _, rest = words.partition(" ")
    return first not in _NO_NOUN and rest.rpartition(" ")[2] not in _VERBAL and not words.endswith(_ENDINGS)


def _forms(noun: str) -> Iterator[str]:
    for before in _BEFORE:
        for after in _AFTER:
            yield before.format(noun) + after


_NO_NOUN = frozenset(["how", "what", "which", "where", "when", "who", "does", "do", "is", "in", "on", "at", "reports", "report",
                      "works", "work", "working", "located", "old"])  # fmt: skip
_VERBAL = frozenset(["of", "to", "for", "under", "in"])
_ENDINGS = ("supervises", "supervise", "manages", "manage")
