"""Tables of codes of several sorts, which no key refers to: rows such as JOB, WB, weighbridge operator.

The codes of a column are those of the sort that has all of them; of several sorts that do, the one that is named like the column
or its table.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from sqlalchemy import Connection, MetaData, select

from domain.english.model.path_names import column_called
from domain.learn.names_in_words import in_words
from domain.learn.survey import ColumnFacts, Survey, TableFacts

_MOST_ROWS, _WIDTHS, _FEWEST_SORTS = 500, range(3, 6), 2
Sorts = dict[str, dict[str, str]]


class CodedColumns(msgspec.Struct, frozen=True):
    """Words for the codes of columns, by table.column, and the tables of codes."""

    labels: dict[str, dict[str, str]] = {}
    tables: frozenset[str] = frozenset()

    def of(self, table: TableFacts, column: ColumnFacts) -> dict[str, str]:
        """Return the codes of a column by their words; none for columns of anything else."""
        return self.labels.get(f"{table.name}.{column.name}", {})


def coded_columns(facts: Survey, schema: MetaData, link: Connection) -> CodedColumns:
    """Return the columns whose codes a table of codes explains."""
    found, tables = dict[str, dict[str, str]](), set[str]()
    for lookup in facts.tables:
        sorts = _sorts(lookup, schema, link)
        for table, column in _coded(facts, lookup) if len(sorts) >= _FEWEST_SORTS else ():
            if codes := _fitting(sorts, table, column):
                found[f"{table.name}.{column.name}"] = {label: code for code, label in codes.items()}
                tables.add(lookup.name)
    return CodedColumns(found, frozenset(tables))


def _sorts(lookup: TableFacts, schema: MetaData, link: Connection) -> Sorts:
    """Return the words for the codes of each sort, if a table is one of codes of several sorts."""
    words = [c for c in lookup.columns if c.holds == "text" and c.name not in lookup.key]
    if (
        lookup.view
        or len(lookup.key) != 2
        or len(lookup.columns) not in _WIDTHS
        or lookup.rows > _MOST_ROWS
        or not words
    ):
        return {}
    found = (column_called(schema, f"{lookup.name}.{name}") for name in (*lookup.key, words[0].name))
    held = [column for column in found if column is not None]
    sorts: Sorts = {}
    for sort, code, label in ([*row] for row in link.execute(select(*held))):
        if all(isinstance(cell, str) for cell in (sort, code, label)):
            sorts.setdefault(sort, {})[code] = label.lower()
    return sorts


def _coded(facts: Survey, lookup: TableFacts) -> Iterator[tuple[TableFacts, ColumnFacts]]:
    for table in facts.tables:
        for column in table.columns if table.name != lookup.name else ():
            if column.holds in {"text", "code"} and not facts.is_reference(table.name, column.name):
                yield table, column


def _fitting(sorts: Sorts, table: TableFacts, column: ColumnFacts) -> dict[str, str]:
    fitting = [sort for sort, codes in sorts.items() if {*column.sample} <= {*codes}]
    called = f"{in_words(column.name)} {in_words(table.name)}".split()
    fitting = [s for s in fitting if {*in_words(s).split()} & {*called}] or fitting
    return sorts[fitting[0]] if len(fitting) == 1 else {}
