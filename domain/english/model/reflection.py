"""The tables and views of a domain's database as SQLAlchemy reads them.

A view is asked for like a table ("open orders"), but leads nowhere: that two rows show in one view says nothing of how their
tables hang together.
"""

from __future__ import annotations

from sqlalchemy import Engine, MetaData, Table, inspect
from sqlalchemy.exc import NoReferenceError, SQLAlchemyError

_VIEW = "view"
_BROKEN = "broken references"


def read_tables(database: Engine) -> MetaData:
    """Every table, and every view that can be read; SQLAlchemyError when the database cannot be reached."""
    schema = MetaData()
    schema.reflect(database, resolve_fks=False)
    for table in schema.tables.values():
        _drop_broken_keys(table)
    for name in sorted(inspect(database).get_view_names()):
        try:
            Table(name, schema, autoload_with=database, info={_VIEW: True})
        except SQLAlchemyError:
            # A view over what is there no more; to whoever asks for it, it is an unknown word.
            if name in schema.tables:
                schema.remove(schema.tables[name])
    return schema


def _drop_broken_keys(table: Table) -> None:
    """Forget the references of a table to a table or column that is not there: they join nothing."""
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
    """Return the columns whose reference was dropped by `read_tables`, each with what it referred to."""
    return sorted(schema.info.get(_BROKEN, []))


def is_view(table: Table) -> bool:
    return bool(table.info.get(_VIEW))
