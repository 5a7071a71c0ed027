"""The ways of a domain to its columns, in a normal form in which those of a statement can be looked up."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from domain.english.model.column_test import ColumnTest, read_test
from domain.english.model.domain import DomainModel, read_path
from domain.english.model.path_names import spelt
from domain.proposal.statement_scope import Equality
from domain.sandbox.database_schema import Schema

ColumnPath = tuple[tuple[Equality, ...], str]
"""The equalities from one table on to another, and the column there."""
Test = tuple[ColumnPath, str, frozenset[str], str]
"""What a condition holds of the column at the end of a way: operator, values, and another column instead of a value."""


def shortest(steps: Sequence[Equality], end: str) -> ColumnPath:
    """Return a way without the tables that it only passes through."""
    found: list[Equality] = []
    for left, right in steps:
        if found and found[-1][1] == left:
            found[-1] = (found[-1][0], right)
        else:
            found.append((left, right))
    while found and found[-1][1] == end:
        end = found.pop()[0]
    return tuple(found), end


def column_path(text: str) -> ColumnPath:
    """Return a path of `domain.toml` as a way; of a key of several columns only the first counts."""
    path = read_path(text)
    return shortest([(spelt(one.left), spelt(one.right)) for one in path.steps], spelt(path.end))


def table_of(column: str) -> str:
    """Return the table of "table.column"."""
    return column.partition(".")[0]


class DomainPaths:
    """The names by which a domain knows the columns at the ends of its join paths."""

    def __init__(self, model: DomainModel, schema: Schema) -> None:
        self.model, self.schema = model, schema

    @cached_property
    def said(self) -> dict[ColumnPath, list[tuple[str, str]]]:
        """The attributes and kinds under which something can be said of a column."""
        found: dict[ColumnPath, list[tuple[str, str]]] = {}
        for name, attribute in self.model.attribute.items():
            for kind, text in attribute.accepts.items():
                if text != "-" and "|" not in text and "," not in text.rpartition(";")[2]:
                    found.setdefault(column_path(text), []).append((name, kind))
        return found

    @cached_property
    def asked(self) -> dict[str, list[ColumnPath]]:
        """The ways to the columns that answer a question for an attribute."""
        return {name: [column_path(text) for text in a.select] for name, a in self.model.attribute.items() if a.select}

    @cached_property
    def flags(self) -> dict[str, frozenset[Test]]:
        """Return the tests of each flag."""
        return {name: frozenset(map(_test_of, flag.where)) for name, flag in self.model.flag.items() if flag.where}

    @cached_property
    def limits(self) -> dict[str, frozenset[Test]]:
        """Return the tests that tell the things of an entity from other rows of its table."""
        return {name: frozenset(map(_test_of, e.where)) for name, e in self.model.entity.items() if e.where}

    @cached_property
    def refers(self) -> dict[str, list[str]]:
        """The entities whose only key is equal to a column of another table, by that column."""
        keys = {spelt(e.key[0]): name for name, e in self.model.entity.items() if len(e.key) == 1 and not e.where}
        pairs = [
            (f"{t.name}.{here}", f"{table}.{there}") for t in self.schema.tables for here, table, there in t.references
        ]
        texts = [join.path for join in self.model.join]
        texts += [
            t
            for a in self.model.attribute.values()
            for t in (*a.accepts.values(), *a.select)
            if ";" in t and "|" not in t
        ]
        for text in texts:
            path = read_path(text)
            last = [path.end.split(" = ")] if "=" in path.end else []
            pairs += [(spelt(step.left), spelt(step.right)) for step in path.steps]
            pairs += [(spelt(pair[0].strip()), spelt(pair[1].strip())) for pair in last]
        found: dict[str, list[str]] = {}
        for one, other in pairs:
            for here, there in ((one, other), (other, one)):
                if there in keys and keys[there] not in found.get(here, []):
                    found.setdefault(here, []).append(keys[there])
        for column, name in keys.items():
            found.setdefault(column, []).insert(0, name)
        return found

    @cached_property
    def spoken_of(self) -> frozenset[str]:
        """The columns of which something can be said: a request could change what was said of them."""
        ways = [*self.said, *(test[0] for tests in self.flags.values() for test in tests)]
        return frozenset(end for _, end in ways) | {
            column for m in self.model.superlative.values() for column in m.column.values()
        }

    @cached_property
    def keys(self) -> dict[str, list[tuple[str, str]]]:
        """The columns of a table that are equal to the only key of an entity, each with that key."""
        found: dict[str, list[tuple[str, str]]] = {}
        for column, names in self.refers.items():
            for name in names:
                key = spelt(self.model.entity[name].key[0])
                if key != column:
                    found.setdefault(table_of(column), []).append((column, key))
        return found


def _test_of(text: str) -> Test:
    steps, _, end = text.rpartition(";")
    test: ColumnTest = read_test(end.strip())
    path = read_path(f"{steps}; {test.column}" if steps else test.column)
    way = seen_from([(spelt(one.left), spelt(one.right)) for one in path.steps], spelt(path.end), test.op)
    return as_test(way, test.op, [str(value) for value in test.value], spelt(test.other) if test.other else "")


def seen_from(steps: Sequence[Equality], end: str, op: str) -> ColumnPath:
    """Return the way to a column that is tested; if the test is only that there is something, that is on the other side."""
    return (tuple(steps), end) if op == "is not null" else shortest(steps, end)


def as_test(way: ColumnPath, op: str, values: Sequence[str], other: str = "") -> Test:
    """Return a test with its operator in one spelling."""
    op = {"!=": "<>", "in": "="}.get(op, op)
    if op in {"like", "not like"} and len(values) == 1 and values[0][:1] == values[0][-1:] == "%":
        op, values = op.replace("like", "contains"), [values[0].strip("%")]
    return way, op, frozenset(values), other
