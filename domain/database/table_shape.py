"""Shapes of the tables that a generator fills: names, types, keys and what is looked up often.

A domain's generator is plain data and plain functions; this is all of Curtain that it needs to know.
"""

from collections.abc import Mapping, Sequence

import msgspec

Cell = str | int | None
Row = tuple[Cell, ...]
Rows = Mapping[str, Sequence[Row]]


class Field(msgspec.Struct, frozen=True):
    """A column of a table to be filled: integers when `integer`, otherwise text."""

    name: str
    integer: bool = False


class Shape(msgspec.Struct, frozen=True):
    """A table to be filled: its fields in order, its primary key (may be none) and further indexes."""

    name: str
    fields: tuple[Field, ...]
    key: tuple[str, ...] = ()
    indexes: tuple[tuple[str, ...], ...] = ()


def shape(name: str, fields: str, key: str = "", indexes: Sequence[str] = ()) -> Shape:
    """Return a `Shape` out of words: `shape("city", "city_code city_name rank:i", "city_code", ["city_name"])`.

    >>> shape("days", "days_code rank:i").fields
    (Field(name='days_code', integer=False), Field(name='rank', integer=True))
    """
    parsed = tuple(Field(word.removesuffix(":i"), word.endswith(":i")) for word in fields.split())
    return Shape(name, parsed, tuple(key.split()), tuple(tuple(index.split()) for index in indexes))
