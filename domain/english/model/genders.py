"""The gender of the people in the database: "he" can only refer to a man, "that lady" only to a woman.

A domain whose flags test a column for women and for men tells it: the keys of both are read once.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, MetaData, select, text

from domain.english.model.domain import DomainModel, Flag, Literal
from domain.english.model.path_names import column_called

_WOMEN, _MEN = frozenset(["female", "women", "woman"]), frozenset(["male", "men", "man"])
_MOST = 50_000


def read_genders(model: DomainModel, schema: MetaData, link: Connection) -> dict[tuple[str, Literal], str]:
    """Return "f" or "m" for each key column and key of a person whose gender is known."""
    found: dict[tuple[str, Literal], str] = {}
    for flag in model.flag.values():
        gender = "f" if _WOMEN & {*flag.words} else "m" if _MEN & {*flag.words} else ""
        if gender:
            found.update(((column, key), gender) for column, key in _keys(model, flag, schema, link))
    return found


def _keys(model: DomainModel, flag: Flag, schema: MetaData, link: Connection) -> Iterator[tuple[str, Literal]]:
    """Yield the keys of the rows that have a flag; none unless it tests one column of a table with one key column."""
    entity = model.entity[flag.of]
    own = len(flag.where) == 1 and ";" not in flag.where[0] and flag.where[0].startswith(f"{entity.table}.")
    key = column_called(schema, entity.key[0]) if own and len(entity.key) == 1 else None
    if key is not None:
        for (value,) in link.execute(select(key).where(text(flag.where[0])).limit(_MOST)).all():
            if isinstance(value, str | int | float):
                yield entity.key[0], value
