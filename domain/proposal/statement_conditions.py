"""Conditions of a statement as parts of a meaning: attributes and flags of the domain, the rows of a key, the least and
greatest, comparisons with others, what must be absent."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import msgspec
from sqlglot import exp

from domain.english.model.meaning import AnswerRows, Condition, Flagged, Value
from domain.english.model.path_names import spelt
from domain.english.model.value_index import Named, Phrase, phrase
from domain.proposal.domain_paths import ColumnPath, DomainPaths, Test, as_test, seen_from, shortest, table_of
from domain.proposal.normal_statement import alternatives
from domain.proposal.statement_parts_of_meaning import Choice, Either, Part, Unread
from domain.proposal.statement_scope import ColumnMention, Equality, Node, Selections, conjuncts
from domain.proposal.statement_tests import Levels, Tested, by_column, tests_of
from domain.proposal.statement_values import TimesOfDay, in_month, name_words, values_of

Scoped = tuple[Any, Levels]
Look = Callable[[str], Sequence[Sequence[Any]]]
"""Runs a statement; no rows where it fails."""
_MOST_VALUES = 12
_MOST_TESTS = 2


class DomainKnowledge(msgspec.Struct, frozen=True):
    """Facts about a domain and its database that hold for any statement."""

    paths: DomainPaths
    names: Mapping[Phrase, Sequence[Named]]
    times: TimesOfDay
    today: date
    look: Look
    dialect: str


class TestReader:
    """Reads the plain tests of one statement, about the things of `entity` whose table is `root`."""

    def __init__(self, known: DomainKnowledge, selections: Selections, root: Node | None, entity: str) -> None:
        self.known, self.selections, self.root, self.entity = known, selections, root, entity
        self.paths, self.model, self.tables = known.paths, known.paths.model, selections.tables

    def choices(self, tests: Sequence[Tested]) -> list[list[Choice]]:
        """Return the ways to read each test, or several together."""
        found, tests = self._persons(tests)
        flags, tests = self._flags(tests)
        for group in by_column(tests):
            ways = [*self._said(group)]
            if group[0].op == "is not null":
                ways = [(), *ways]  # often it only keeps out rows that a list would not have
            if not ways and len(group) > 1:
                found += [[*self._said([test])] for test in group]
            else:
                found.append(ways)
        return [*found, *flags]

    def ways(self, place: ColumnMention) -> Iterator[tuple[Node, ColumnPath]]:
        """Yield the ways to a column from the tables from which it can be spoken of."""
        for node, steps in self._seen_from(place.node):
            yield node, shortest(steps, f"{place.table}.{place.column}")

    def _seen_from(self, there: Node) -> Iterator[tuple[Node, tuple[Equality, ...]]]:
        """Yield a table and those joined to it, but none that could be mistaken for that of what is asked for."""
        for node, steps in self.tables.ways(there):
            if node == self.root or self.root is None or self.tables.mentioned[node] != self._root_table():
                yield node, steps

    # names of persons, which several columns hold

    def _persons(self, tests: Sequence[Tested]) -> tuple[list[list[Choice]], list[Tested]]:
        spelt_out: dict[Node, dict[str, Tested]] = {}
        for test in tests:
            if test.op == "=" and len(test.values) == 1 and not test.part:
                spelt_out.setdefault(test.place.node, {})[test.column] = test
        found: list[list[Choice]] = []
        gone: set[int] = set()
        for name, kind in self.model.kind.items():
            for columns in ([spelt(one) for one in text.split()] for text in kind.names if " " in text):
                for node, held in spelt_out.items():
                    if {*columns} <= {*held}:
                        said = " ".join(held[column].texts[0] for column in columns)
                        keys = [n.value for n in self.known.names.get(phrase(said), ()) if n.kind == name]
                        key = ColumnMention(node, table_of(columns[0]), spelt(kind.column).rpartition(".")[2])
                        values = tuple(Value(name, (value,), say=said.title()) for value in keys)
                        ways = [(Condition(way, values),) for way, of in self._attributes(key) if of == name and values]
                        if ways:
                            found.append(list(dict.fromkeys(ways)))
                            gone |= {id(held[column]) for column in columns}
        return found, [test for test in tests if id(test) not in gone]

    # flags

    def _flags(self, tests: Sequence[Tested]) -> tuple[list[list[Choice]], list[Tested]]:
        held = self._by_table(tests)
        found: list[list[Choice]] = []
        gone: set[int] = set()
        for name, wanted in sorted(self.paths.flags.items(), key=lambda pair: -len(pair[1])):
            for node, there in held.items():
                if self.tables.mentioned[node] != self.model.entity[self.model.flag[name].of].table:
                    continue
                used = {id(test) for one in wanted for test in there.get(one, ())}
                if used and wanted <= {*there} and not gone & used:
                    gone |= used
                    found.append([(Flagged((name,)),)])
        for name, wanted in self.paths.limits.items():
            for node, there in held.items() if name == self.entity else ():
                if node == self.root and wanted <= {*there}:
                    gone |= {id(test) for one in wanted for test in there[one]}
        return found, [test for test in tests if id(test) not in gone]

    def _by_table(self, tests: Sequence[Tested], before: Collection[Node] = ()) -> dict[Node, dict[Test, list[Tested]]]:
        """Return the tests as seen from each table."""
        held: dict[Node, dict[Test, list[Tested]]] = {}
        for test in tests:
            for node, steps in self._seen_from(test.place.node) if not test.part else ():
                way = seen_from(steps, test.column, test.op)
                other = f"{test.other.table}.{test.other.column}" if test.other else ""
                held.setdefault(node, {}).setdefault(as_test(way, test.op, test.texts, other), []).append(test)
        for node in [*held, *([self.root] if self.root else [])]:
            # who is on the other side of a join is there
            for there, steps in self.tables.ways(node):
                if len(steps) == 1 and there not in before:
                    way = (((steps[0][1], steps[0][0]),), steps[0][0])
                    held.setdefault(node, {}).setdefault(as_test(way, "is not null", ()), [])
        return held

    def flags_of_joins(self, before: Collection[Node] = ()) -> list[Flagged]:
        """Return the flags that test no more than that there is something on the other side of a join, but not in the tables
        `before`."""
        held = self._by_table([], before).get(self.root, {}) if self.root else {}
        own = [n for n in self.paths.flags if self.model.entity[self.model.flag[n].of].table == self._root_table()]
        return [Flagged((name,)) for name in own if self.paths.flags[name] <= {*held}]

    def _root_table(self) -> str:
        return self.tables.mentioned[self.root] if self.root else ""

    # attributes

    def _said(self, group: Sequence[Tested]) -> Iterator[Choice]:
        """Yield the ways to say all tests of a column."""
        test = group[0]
        if any(t.other for t in group):
            return
        if len(group) == 1 and (flag := self._flag_of(test)):
            yield (flag,)
        yield from self._conditions(test.place, group)
        if len(group) == 1 and not test.part:
            if test.op in {"=", "<>"}:
                yield from self._named_elsewhere(test)
                yield from self._rows(test)
            yield from self._listed(test)
            yield from self._flags_like(test)

    def _conditions(self, place: ColumnMention, group: Sequence[Tested]) -> Iterator[Choice]:
        for name, kind in self._attributes(place):
            if groups := self._values(kind, group):
                negated = len(group) == 1 and group[0].op == "<>"
                yield tuple(Condition(name, values, negated) for values in groups)

    def _attributes(self, place: ColumnMention) -> Iterator[tuple[str, str]]:
        """Yield the attributes and kinds under which something can be said of a column, those of what is asked for first."""
        found = [said for _, way in self.ways(place) for said in self.paths.said.get(way, ())]
        found = found or [*self._beyond(place)]
        if not found:
            found = [said for _, way in self.ways(place) for said in self._alike(way)]
        yield from sorted(dict.fromkeys(found), key=lambda said: self.model.attribute[said[0]].of != self.entity)

    def _beyond(self, place: ColumnMention) -> Iterator[tuple[str, str]]:
        """Yield what can be said of a column of something to which a table refers that does not stand in the statement."""
        for node, (steps, end) in self.ways(place):
            for column, key in self.paths.keys.get(self.tables.mentioned[node], ()):
                yield from self.paths.said.get(shortest([(key, column), *steps], end), ())

    def _alike(self, way: ColumnPath) -> Iterator[tuple[str, str]]:
        """Yield what can be said of a column that bears the same name in another table and leads on to the same."""
        (first, *rest), end = way[0] or ((("", ""),)), way[1]
        left = first[0] or end
        for (steps, other), said in self.paths.said.items():
            begin = steps[0][0] if steps else other
            same = [right for _, right in steps[:1]] == [right for _, right in way[0][:1]] and [*steps[1:]] == [*rest]
            if (
                begin != left
                and begin.rpartition(".")[2] == left.rpartition(".")[2]
                and same
                and (not steps or other == end)
            ):
                yield from (
                    one for one in said if self.model.entity[self.model.attribute[one[0]].of].table == table_of(begin)
                )

    def _values(self, kind: str, group: Sequence[Tested]) -> tuple[tuple[Value, ...], ...]:
        test = group[0]
        if test.part:
            return self._dated(kind, group)
        if kind in self.model.kind or kind == "weekday":
            plain = len(group) == 1 and test.op in {"=", "<>"}
            return (tuple(self._name(kind, value) for value in test.values),) if plain else ()
        bounds = [("=" if t.op == "<>" else t.op, value) for t in group for value in t.values]
        found = values_of(kind, bounds, self.known.times, self.known.today)
        if found and len(group) == 1 and test.op in {"=", "<>"}:
            return (tuple(value for values in found for value in values),)
        return found

    def _dated(self, kind: str, group: Sequence[Tested]) -> tuple[tuple[Value, ...], ...]:
        test = group[0]
        if kind == test.part == "month" and len(group) == 1 and test.op in {"=", "<>"}:
            return (tuple(in_month(int(value), self.known.today) for value in test.values),)
        if kind == test.part == "year":
            bounds = [("=" if t.op == "<>" else t.op, float(value)) for t in group for value in t.values]
            return values_of(kind, bounds, self.known.times, self.known.today)
        return ()

    def _name(self, kind: str, value: object) -> Value:
        """Return a name as a value; a numeric key is replaced by the name that it stands for."""
        said = name_words(value)
        if not isinstance(value, str) and kind in self.model.kind:
            named = [words for words, held in self.known.names.items() if Named(kind, value) in held]  # type: ignore[arg-type]
            said = max((" ".join(words).title() for words in named), key=len, default=said)
        return Value(kind, (value,), say=said)  # type: ignore[arg-type]

    # what a code or a piece of a name stands for

    def _named_elsewhere(self, test: Tested) -> Iterator[Choice]:
        """Yield what is said of a code by the name of what it stands for, and of a name by the code that is held here."""
        found: list[Condition] = []
        for _, (steps, end) in self.ways(test.place):
            for (other, far), said in self.paths.said.items():
                if len(other) == len(steps) + 1 and other[:-1] == steps and other[-1][0] == end:
                    column, right = far, other[-1][1]
                elif len(steps) == len(other) + 1 and steps[:-1] == other and steps[-1][0] == far:
                    column, right = steps[-1][1], end
                else:
                    continue
                named = [(name, kind) for name, kind in said if kind in self.model.kind or kind == "weekday"]
                for name, kind in named if (values := self._looked_up(column, right, test)) else ():
                    told = tuple(self._name(kind, value) for value in values)
                    found.append(Condition(name, told, test.op == "<>"))
        own = sorted(found, key=lambda condition: self.model.attribute[condition.attribute].of != self.entity)
        yield from ((condition,) for condition in own)

    def _looked_up(self, column: str, right: str, test: Tested) -> list[Any]:
        """Return the values of another column in the same rows, if no other rows have them."""
        table = table_of(right)
        if table_of(column) != table:
            return []
        there = [*test.values]
        values = self._column(column, table, _among(right, there))
        if not 0 < len(values) <= _MOST_VALUES or {*self._column(right, table, _among(column, values))} != {*there}:
            return []
        return values

    def _listed(self, test: Tested) -> Iterator[Choice]:
        """Yield the names that a column has where the test is met: a piece of a name means all names that have it."""
        own = [(name, kind) for name, kind in self._attributes(test.place) if kind in self.model.kind]
        values = self._column(test.column, test.place.table, bare(test.tree)) if own else []
        for name, kind in own if 0 < len(values) <= _MOST_VALUES else ():
            yield (Condition(name, tuple(self._name(kind, value) for value in values)),)

    def _flag_of(self, test: Tested) -> Flagged | None:
        """Return the flag whose denial is this test, if there is one."""
        opposite = {"<>": "=", "is null": "is not null", "is not null": "is null", "not like": "like"}.get(test.op, "")
        for node, way in self.ways(test.place) if opposite else ():
            wanted = frozenset({as_test(way, opposite, test.texts)})
            for name, tests in self.paths.flags.items():
                if tests == wanted and self.tables.mentioned[node] == self.model.entity[self.model.flag[name].of].table:
                    return Flagged((name,), negated=True)
        return None

    def _flags_like(self, test: Tested) -> Iterator[Choice]:
        """Yield flags of which the test is the half, and flags that the same rows meet."""
        for node, way in self.ways(test.place):
            wanted = as_test(way, test.op, test.texts)
            for name, tests in self.paths.flags.items():
                if self.tables.mentioned[node] != self.model.entity[self.model.flag[name].of].table:
                    continue
                half = wanted in tests and len(tests) <= _MOST_TESTS
                if half or (len(tests) == 1 and (self._same(test, *tests) or self._there(test, *tests))):
                    yield (Flagged((name,)),)

    def _there(self, test: Tested, other: Test) -> bool:
        """Return whether a column is not empty of whose values a flag tests more."""
        (steps, end), op, _, _ = other
        return test.op == "is not null" and op == "=" and (steps[0][0] if steps else end) == test.column

    def _same(self, test: Tested, other: Test) -> bool:
        """Return whether the same values of the column meet both tests."""
        (steps, end), op, values, _ = other
        if steps or end != test.column or op not in {"contains", "like"} or len(values) != 1:
            return False
        (text,) = values
        like = exp.Like(this=exp.column(end.partition(".")[2]), expression=exp.Literal.string(f"%{text.strip('%')}%"))
        held = self._column(end, test.place.table, bare(test.tree))
        return bool(held) and {*held} == {*self._column(end, test.place.table, like)}

    def _column(self, column: str, table: str, condition: Any) -> list[Any]:
        select = exp.select(column.partition(".")[2]).distinct().from_(table).where(condition)
        return [row[0] for row in self.known.look(select.sql(dialect=self.known.dialect)) if row[0] is not None]

    def _rows(self, test: Tested) -> Iterator[Choice]:
        """Yield the rows of which the key is told."""
        if test.op != "=":
            return
        for node, (steps, end) in self.ways(test.place):
            for entity in self.paths.refers.get(end, ()) if not steps and node == test.place.node else ():
                many = self.model.entity[entity].many if len(test.values) > 1 else entity
                said = f"{many.replace('_', ' ')} {', '.join(test.texts)}"
                yield (AnswerRows(entity, tuple((value,) for value in test.values), said),)

    # one of several

    def either(self, tree: Any, at: Levels) -> list[Choice]:
        """Return the ways to read conditions of which one must hold."""
        sides: list[list[Part]] = []
        parts = [part.unnest() for part in alternatives(tree)]
        bounds = [test for part in parts for test in tests_of(self.tables, part, at)]
        one = {(test.place, test.part) for test in bounds}
        if len(bounds) == len(parts) == 2 and len(one) == 1 and {t.op[0] for t in bounds} == {"<", ">"}:
            for name, kind in self._attributes(bounds[0].place):
                pair = [(t.op, t.values[0]) for t in sorted(bounds, key=lambda t: t.op[0], reverse=True) if t.values]
                found = values_of(kind, pair, self.known.times, self.known.today) if kind == "clock" else ()
                if len(found) == 1:
                    return [(Condition(name, found[0]),)]
        for part in parts:
            tests = [test for one in conjuncts(part) for c, here in self.selections.leading(one, at)
                     for test in tests_of(self.tables, c, here)]  # fmt: skip
            choices = self.choices(tests)
            if not tests or not all(choices):
                raise Unread
            sides.append([one for ways in choices for one in ways[0]])
        if all(len(side) == 1 and isinstance(side[0], Flagged) and not side[0].negated for side in sides):
            return [(Flagged(tuple(n for side in sides for f in side if isinstance(f, Flagged) for n in f.flags)),)]
        if all(isinstance(part, Condition) for side in sides for part in side):
            groups = tuple(tuple(part for part in side if isinstance(part, Condition)) for side in sides)
            flat = [c for group in groups for c in group]
            if (
                all(len(g) == 1 for g in groups)
                and len({(c.attribute, c.negated) for c in flat}) == 1
                and not flat[0].negated
            ):
                return [(Condition(flat[0].attribute, tuple(v for c in flat for v in c.values)),)]
            return [(Either(groups),)]
        raise Unread


def _among(column: str, values: Sequence[Any]) -> Any:
    return exp.In(this=exp.column(column.partition(".")[2]), expressions=[exp.convert(value) for value in values])


def bare(tree: Any) -> Any:
    """Return a test with the table names removed from its columns."""
    copied = tree.copy()
    for column in [*copied.find_all(exp.Column)]:
        column.set("table", None)
    return copied
