"""Checks of a domain against its database: columns, joins, values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from sqlalchemy import Connection, MetaData, select, type_coerce
from sqlalchemy.types import NullType

from domain.check.finding import DomainFinding
from domain.english.model.column_test import read_test
from domain.english.model.domain import DomainError, DomainModel, Literal, read_path
from domain.english.model.path_names import column_called, table_called
from domain.english.model.value_index import Named, Phrase
from domain.english.sql.join_planner import JoinPlanner
from session.study.toml_reader import Steps
from session.values.vocabulary import Severity

_COLUMN = re.compile(r"(?<![\w.'])([A-Za-z_]\w*)\.([A-Za-z_]\w*)")
_BETWEEN = re.compile(r"[;=&|<>!(),]|\b(?:is not null|is null|not in|in|not like|like|between|and|or)\b")
_QUOTED = re.compile(r"'[^']*'")
_SHOWN = 3


def find_misfits(model: DomainModel, schema: MetaData) -> Iterator[DomainFinding]:
    """Yield tables and columns that the database does not have."""
    for name, entity in model.entity.items():
        for table in (entity.table, *entity.needs):
            if table_called(schema, table) is None:
                remedy = f"write one of {', '.join(sorted(schema.tables))}"
                yield DomainFinding(
                    Severity.ERROR, ("entity", name, "table"), f"the database has no table {table}", remedy
                )
    for key, text in _texts(model):
        for table, column in _lacking(text, schema):
            known = table_called(schema, table) is not None
            remedy = f"write a column of {table}" if known else "write a table that it has"
            yield DomainFinding(Severity.ERROR, key, f"the database has no column {table}.{column}", remedy)


def _lacking(text: str, schema: MetaData) -> Iterator[tuple[str, str]]:
    """Yield table and column of each column that a path, a test or SQL names and the database lacks. Names may have blanks and
    other signs."""
    for piece in map(str.strip, _BETWEEN.split(_QUOTED.sub("", text))):
        table, _, column = piece.partition(".")
        if column_called(schema, piece) is not None:
            continue
        if table_called(schema, table) is not None and column and "." not in column:
            yield table, column
        else:
            yield from (c for c in _COLUMN.findall(piece) if column_called(schema, ".".join(c)) is None)


def _texts(model: DomainModel) -> Iterator[tuple[Steps, str]]:
    """Yield every text of the domain that names columns, with its key."""
    for name, entity in model.entity.items():
        for field in ("key", "display", "minimal", "where"):
            yield from ((("entity", name, field), text) for text in getattr(entity, field))
    for name, kind in model.kind.items():
        yield ("kind", name, "column"), kind.column
        yield from ((("kind", name, "names"), text) for text in kind.names)
        yield from ((("kind", name, "reached"), text) for text in kind.reached.values())
    for name, attribute in model.attribute.items():
        here = ("attribute", name)
        yield from (((*here, "accepts", kind), text) for kind, text in attribute.accepts.items())
        yield from (((*here, "select"), text) for text in attribute.select)
        yield from (((*here, "where"), text) for text in attribute.where)
        yield from (((*here, "with_flag"), text) for text in attribute.with_flag.values())
        for field in ("tally", "years_since", "overnight", "minimum", "maximum"):
            yield (*here, field), getattr(attribute, field)
    for name, flag in model.flag.items():
        yield from ((("flag", name, "where"), text) for text in flag.where)
    for name, superlative in model.superlative.items():
        columns = (*superlative.column.values(), *superlative.with_flag.values(), *superlative.show)
        tallies = {name for name, attribute in model.attribute.items() if attribute.tally}
        named = (text for text in columns if text.rpartition(".")[2] not in tallies)
        yield from ((("superlative", name, "column"), text) for text in named)
    for name, column in model.column.items():
        yield from ((("column", name, "decode"), text) for text in (column.decode, column.by))
    yield from ((("join", at, "path"), join.path) for at, join in enumerate(model.join))


def find_gaps(model: DomainModel, schema: MetaData) -> Iterator[DomainFinding]:
    """Yield entities that cannot be joined with the default one, and joins that are ambiguous between two references."""
    planner = JoinPlanner(model, schema)
    base = model.entity[model.domain.entity]
    for name, entity in model.entity.items():
        if entity.table == base.table or (base.related is not None and name not in base.related):
            continue
        try:
            planner.connect(base.table, [entity.table])
        except DomainError as error:
            text = f"it cannot be queried together with {model.domain.entity}: {error}"
            remedy = f'[[join]] tables = ["{base.table}", "{entity.table}"], path = "table.column = table.column"'
            yield DomainFinding(Severity.WARNING, ("entity", name), text, remedy)


def find_idle_values(
    model: DomainModel, schema: MetaData, values: Mapping[Phrase, Sequence[Named]], link: Connection
) -> Iterator[DomainFinding]:
    """Yield values that no word refers to, and synonyms and tests for values that the database does not hold."""
    reached: dict[str, set[Literal]] = {}
    for named in values.values():
        for entry in named:
            reached.setdefault(entry.kind, set()).add(entry.value)
    for name, kind in model.kind.items():
        if not kind.column:
            continue
        held = {value for value in _held(kind.column, schema, link) if value is not None and value != ""}
        wanted = held & {*kind.only} if kind.only else held
        if mute := sorted(map(str, wanted - reached.get(name, set()))):
            shown = ", ".join(mute[:_SHOWN]) + (f" and {len(mute) - _SHOWN} more" if len(mute) > _SHOWN else "")
            text = f"no word reaches {shown} of {kind.column}"
            remedy = f"give them names under [kind.{name}.also]" + ("" if kind.bare else ", or a form under `patterns`")
            yield DomainFinding(Severity.NOTE, ("kind", name), text, remedy)
        said = {key: value for key, value in kind.also.items() if value not in held and not _alike(value, held)}
        for key, value in said.items():
            text = f"“{key}” stands for {value!r}, which {kind.column} does not hold"
            remedy = "write a value that it holds, or delete the line"
            yield DomainFinding(Severity.WARNING, ("kind", name, "also", key), text, remedy)
        for value in kind.only:
            if value not in held:
                text = f"{kind.column} does not hold {value!r}"
                yield DomainFinding(
                    Severity.WARNING, ("kind", name, "only"), text, "delete it, or write it as the column does"
                )
    yield from _void_flags(model, schema, link)


def _void_flags(model: DomainModel, schema: MetaData, link: Connection) -> Iterator[DomainFinding]:
    for name, flag in model.flag.items():
        for text in flag.where:
            try:
                test = read_test(read_path(text).end)
            except (DomainError, ValueError):
                continue
            if test.op not in {"=", "in"} or not test.value:
                continue
            held = _held(test.column, schema, link)
            if all(value not in held and not _alike(value, held) for value in test.value):
                told = ", ".join(map(repr, test.value))
                remedy = "write the value as the column has it, or delete the flag"
                yield DomainFinding(
                    Severity.WARNING, ("flag", name, "where"), f"no row of {test.column} has {told}", remedy
                )


def _held(column: str, schema: MetaData, link: Connection) -> set[Literal | None]:
    found = column_called(schema, column)
    if found is None:
        return set()
    return set(link.execute(select(type_coerce(found, NullType())).distinct()).scalars())


def _alike(value: Literal, held: AbstractSet[Literal | None]) -> bool:
    """Return whether the value is held in another case, or as a number instead of a text."""
    return str(value).casefold() in {str(other).casefold() for other in held}
