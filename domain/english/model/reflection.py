"""Reflection of a database's tables and views with SQLAlchemy.

A view can be asked for like a table ("open orders"), but no join passes through it: that two rows appear in one view does
not relate their tables.
"""

from __future__ import annotations

from sqlalchemy import Engine, MetaData, Table, inspect
from sqlalchemy.exc import NoReferenceError, SQLAlchemyError

_VIEW = "view"
_BROKEN = "broken references"


def read_tables(database: Engine) -> MetaData:
    """Return all tables and all readable views; raise SQLAlchemyError if the database cannot be reached."""
    schema = MetaData()
    schema.reflect(database, resolve_fks=False)
    for table in schema.tables.values():
        _drop_broken_keys(table)
    for name in sorted(inspect(database).get_view_names()):
        try:
            Table(name, schema, autoload_with=database, info={_VIEW: True})
        except SQLAlchemyError:
            # The view's tables no longer exist, so its name must stay an unknown word.
            if name in schema.tables:
                schema.remove(schema.tables[name])
    return schema


def _drop_broken_keys(table: Table) -> None:
    """Drop foreign keys to tables or columns that do not exist."""
    for key in [*table.foreign_key_constraints]:
        try:
            [element.column for element in key.elements]
        except NoReferenceError:
            found = ((str(element.parent), element.target_fullname) for element in key.elements)
            table.metadata.info.setdefault(_BROKEN, []).extend(found)
            table.constraints.discard(key)
            for element in key.elements:
                element.parent.foreign_keys.discard(element)
                table.foreign_keys.discard(element)


def broken_references(schema: MetaData) -> list[tuple[str, str]]:
    """Return the columns whose foreign key `read_tables` dropped, each with its target."""
    return sorted(schema.info.get(_BROKEN, []))


def is_view(table: Table) -> bool:
    return bool(table.info.get(_VIEW))
