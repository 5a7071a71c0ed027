"""Paraphrases of statements: the projection and every condition in English, each with the words of a request that can
correspond to it.

The paraphrase is derived from the statement alone. Parts without a wording are quoted as written, so that nothing is left
out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from domain.proposal.domain_words import DomainWords, Path, word_keys
from domain.proposal.statement_parts import (
    COUNT,
    EXTREME,
    GROUP,
    NOT,
    Keys,
    StatementPart,
    StatementReading,
    literal_of,
)
from domain.proposal.statement_scope import ColumnMention, Selections, conjuncts
from domain.sandbox.database_schema import Schema

_OPS = {exp.EQ: "=", exp.NEQ: "<>", exp.GT: ">", exp.GTE: ">=", exp.LT: "<", exp.LTE: "<="}
_TURNED = {">": "<", ">=": "<=", "<": ">", "<=": ">="}
_SAID = {"=": "", "<>": "not ", ">": "over ", ">=": "at least ", "<": "under ", "<=": "at most "}
_OF_TIME = {"=": "at ", "<>": "not at ", ">": "after ", ">=": "at or after ", "<": "before ", "<=": "at or before "}
_SETS = {exp.Union: "and also", exp.Intersect: "that are also among", exp.Except: "but not"}
_AGGREGATES = {exp.Max: "highest", exp.Min: "lowest", exp.Avg: "average", exp.Sum: "sum of"}
_MOST_COLUMNS = 4


def read_statement(sql: str, dialect: str, schema: Schema, words: DomainWords) -> StatementReading | None:
    """Return the reading of a statement; None if it is not a single query."""
    try:
        found = [tree for tree in sqlglot.parse(sql, read=dialect) if tree is not None]
    except (SqlglotError, RecursionError):
        return None
    if len(found) != 1 or not isinstance(found[0], exp.Query):
        return None
    try:
        return _SelectionReader(schema, words, dialect).query(found[0], ())
    except RecursionError:
        return None


class _SelectionReader:
    """Reads the SELECTs of one statement; `levels` are those around the current one, the innermost last."""

    def __init__(self, schema: Schema, words: DomainWords, dialect: str) -> None:
        self._words, self._dialect = words, dialect
        self._selections = Selections(schema)
        self._tables = self._selections.tables
        self._used: set[Any] = set()

    def query(self, tree: Any, levels: tuple[int, ...]) -> StatementReading:
        given = [self.query(cte.this, levels) for cte in getattr(tree, "ctes", ())]
        if isinstance(tree, exp.SetOperation):
            found = self._set(tree, levels)
        elif isinstance(tree, exp.Subquery):
            found = self.query(tree.this, levels)
        elif isinstance(tree, exp.Select):
            found = self._select(tree, levels)
        else:
            found = StatementReading(self._written(tree), (), frozenset())
        parts = tuple(part for one in given for part in (StatementPart(f"[out of: {one.asked}]", one.keys), *one.parts))
        return msgspec.structs.replace(found, parts=(*found.parts, *parts))

    def _set(self, tree: Any, levels: tuple[int, ...]) -> StatementReading:
        one, other = self.query(tree.this, levels), self.query(tree.expression, levels)
        joint = next((said for kind, said in _SETS.items() if isinstance(tree, kind)), "and")
        rest = StatementPart(
            f"{joint} {other.paraphrase()}", other.spoken, tuple(n for part in other.parts for n in part.needs)
        )
        parts = (*one.parts, rest, *self._limits(tree, []))
        return StatementReading(one.asked, parts, one.keys)

    def _select(self, select: Any, levels: tuple[int, ...]) -> StatementReading:
        conditions, here = self._selections.open(select, levels)
        parts: list[StatementPart] = []
        for condition, at in conditions:
            parts += self._condition(condition, at)
        asked, counted = self._projection(select, here)
        parts += self._grouped(select, here)
        parts += self._limits(select, here)
        parts += self._unused_joins(here[-1])
        tables = [self._words.table(name)[1] for name in self._tables.mentioned.values()]
        columns = [self._column(column, here)[1] for column in select.find_all(exp.Column)]
        parts = [*dict.fromkeys((*counted, *parts))]
        return StatementReading(asked, tuple(parts), frozenset().union(*tables, *columns))

    def _condition(self, tree: Any, here: tuple[int, ...]) -> Iterator[StatementPart]:
        """Yield the parts of one condition."""
        match tree:
            case exp.Subquery():
                within = self.query(tree.this, here)
                yield StatementPart(f"[out of: {within.asked}]", within.keys)
                yield from within.parts
            case exp.Is() if (said := self._null_test(tree, here)) is not None:
                yield said
            case exp.Or():
                yield self._disjunction(tree, here)
            case exp.Not():
                yield self._negation(tree, here)
            case exp.Between():
                for op, end in ((">=", "low"), ("<=", "high")):
                    yield self._compared(tree.this, op, [tree.args[end]], here, tree)
            case exp.In() if tree.expressions:
                yield self._compared(tree.this, "=", tree.expressions, here, tree)
            case exp.Like() | exp.ILike():
                yield self._compared(tree.this, "=", [tree.expression], here, tree)
            case exp.EQ() | exp.NEQ() | exp.GT() | exp.GTE() | exp.LT() | exp.LTE():
                op, one, other = _OPS[type(tree)], tree.this, tree.expression
                if isinstance(one, exp.Literal):
                    op, one, other = _TURNED.get(op, op), other, one
                yield self._compared(one, op, [other], here, tree)
            case _:
                yield self._other(tree, here)

    def _compared(self, left: Any, op: str, values: Sequence[Any], here: tuple[int, ...], whole: Any) -> StatementPart:
        literals = [literal_of(value) for value in values]
        place = self._tables.place(left, here) if isinstance(left, exp.Column) else None
        if place is None or any(value is None for value in literals):
            return self._other(whole, here)
        held = [value for value in literals if value is not None]
        self._used.add(place.node)
        if len(held) == 1 and op in ("=", "<>") and (flag := self._flag(place, op, held[0])):
            said, keys = flag
            return StatementPart(said, keys, (keys | self._column(left, here)[1],))
        paths = list(self._tables.paths(place))
        roles = next((found for _, path in reversed(paths) if (found := self._words.attributes(path))), [])
        known = roles[0] if roles else ""
        way = next((_way(self._tables.mentioned[root], path) for root, path in paths if root == self._tables.first), "")
        told = [self._words.value(place.column, value) for value in held]
        timed = any(one[2] for one in told)
        negation = op == "<>"
        said = " or ".join(one[0] for one in told)
        text = _word(op, held, timed) + said
        pattern = self._words.pattern(known) or f"with {self._column(left, here)[0]} {{}}{way}"
        text = pattern.replace("{}", text) if "{}" in pattern else f"{pattern} {text}"
        named = (
            self._words.column(paths[-1][1])[1]
            | self._column(left, here)[1]
            | ({f"attribute:{known}"} if known else set())
        )
        needs = [self._value_keys(value, one[1], timed) for value, one in zip(held, told, strict=True)]
        needs += [frozenset({NOT})] if negation else []
        bound = "" if negation else op[0].strip("=")
        return StatementPart(f"not {text}" if negation else text, named, tuple(needs), frozenset(roles), bound)

    def _null_test(self, tree: Any, here: tuple[int, ...], how: str = "is") -> StatementPart | None:
        """Return the part of a null test, where the domain has a flag for it."""
        place = self._tables.place(tree.this, here) if isinstance(tree.this, exp.Column) else None
        if place is None or not isinstance(tree.expression, exp.Null):
            return None
        flag = self._words.flag(f"{place.table}.{place.column} {how} null")
        return StatementPart(flag[0], flag[1], (flag[1],)) if flag else None

    def _flag(self, place: ColumnMention, op: str, value: str | float) -> tuple[str, Keys] | None:
        column = f"{place.table}.{place.column}"
        shown = f"'{value}'" if isinstance(value, str) else f"{value}"
        return self._words.flag(f"{column} {'!=' if op == '<>' else op} {shown}")

    def _value_keys(self, value: str | float, keys: Keys, timed: bool) -> Keys:
        """Return the keys that can denote a value: its own, all its words, and for a time of day a part of the day."""
        whole = frozenset({"all " + " ".join(sorted(word_keys(str(value))))})
        return keys | whole | ({"v:period"} if timed else frozenset())

    def _disjunction(self, tree: Any, here: tuple[int, ...]) -> StatementPart:
        sides = [[*self._sub(side, here)] for side in tree.flatten()]
        said = "either " + " or ".join(" ".join(part.said for part in side) for side in sides)
        parts = [part for side in sides for part in side]
        return StatementPart(
            said, frozenset().union(*(p.keys for p in parts)), tuple(need for p in parts for need in p.needs)
        )

    def _negation(self, tree: Any, here: tuple[int, ...]) -> StatementPart:
        inside = tree.this.unnest()
        if isinstance(inside, exp.Is):
            return self._null_test(inside, here, "is not") or self._other(tree, here)
        parts = [*self._sub(inside, here)]
        said = " ".join(part.said for part in parts)
        needs = tuple(need for part in parts for need in part.needs)
        roles = parts[0].roles if len(parts) == 1 else frozenset()
        return StatementPart(
            f"not ({said})", frozenset().union(*(p.keys for p in parts)), (*needs, frozenset({NOT})), roles
        )

    def _sub(self, tree: Any, here: tuple[int, ...]) -> Iterator[StatementPart]:
        for one in conjuncts(tree):
            for condition, at in self._selections.leading(one, here):
                yield from self._condition(condition, at)

    def _other(self, tree: Any, here: tuple[int, ...]) -> StatementPart:
        """Return the part of any other condition: its subqueries in English, the rest as written."""
        level = tree.find_ancestor(exp.Select)
        columns = [column for column in tree.find_all(exp.Column) if column.find_ancestor(exp.Select) is level]
        keys: Keys = frozenset().union(*(self._column(column, here)[1] for column in columns))
        needs: list[Keys] = []
        written = tree.copy()
        selects = [one for one in tree.find_all(exp.Select) if one.find_ancestor(exp.Select) is level]
        copies = [one for one in written.find_all(exp.Select) if one.find_ancestor(exp.Select) is None]
        for select, copied in zip(selects, copies, strict=True):
            within = self.query(select, here)
            keys |= within.keys
            needs += [need for part in within.parts for need in part.needs if EXTREME not in need]
            keys |= {EXTREME, "aggregate"} if select.find(exp.AggFunc) else frozenset()
            copied.replace(exp.Var(this=within.paraphrase()))
        for literal in tree.find_all(exp.Literal):
            value = literal_of(literal)
            if value is not None and literal.find_ancestor(exp.Select) is level:
                needs.append(self._value_keys(value, frozenset({f"v:{value}".lower()}), timed=False))
        if isinstance(tree, exp.Is) or not (needs or selects):
            needs.append(keys)
        return StatementPart(f"where {self._expression(written, here)}", keys, tuple(needs))

    def _expression(self, tree: Any, here: tuple[int, ...]) -> str:
        """Return an expression with words for its columns."""
        copied = exp.Paren(this=tree.copy()).this
        for number in [*copied.find_all(exp.Count)]:
            number.replace(exp.Var(this="number"))
        for column in [*copied.find_all(exp.Column)]:
            if column is not copied:
                column.replace(exp.Var(this=self._column(column, here)[0]))
        if isinstance(copied, exp.Column):
            return self._column(copied, here)[0]
        return self._written(copied)

    def _column(self, column: Any, here: tuple[int, ...]) -> tuple[str, Keys]:
        place = self._tables.place(column, here)
        self._used |= {place.node} if place else set()
        if place is None:
            return column.name.replace("_", " "), word_keys(column.name)
        return self._words.column(((), f"{place.table}.{place.column}"))

    def _projection(self, select: Any, here: tuple[int, ...]) -> tuple[str, list[StatementPart]]:
        """Return the wording of the projection, and its aggregates."""
        mine = [name for node, name in self._tables.mentioned.items() if node[0] == here[-1]]
        things = self._words.table(mine[0])[0] if mine else "these"
        counted: list[StatementPart] = []
        said: list[str] = []
        for column in (one.unalias() for one in select.expressions):
            aggregate = column.find(exp.AggFunc)
            if isinstance(column, exp.Exists) and isinstance(column.this, exp.Query):
                within = self.query(column.this, here)
                return f"whether there are any {within.asked}", [StatementPart("", within.keys), *within.parts]
            if isinstance(column, exp.Star) or (isinstance(column, exp.Column) and isinstance(column.this, exp.Star)):
                continue
            if isinstance(aggregate, exp.Count):
                counted.append(StatementPart("", frozenset({COUNT}), (frozenset({COUNT}),)))
                inside = aggregate.find(exp.Column)
                place = self._tables.place(inside, here) if inside is not None else None
                things = self._words.table(place.table)[0] if place else things
                said.append("number")
            elif aggregate is not None:
                counted.append(
                    StatementPart("", frozenset({"aggregate", EXTREME}), (frozenset({"aggregate", EXTREME}),))
                )
                lead = next((word for kind, word in _AGGREGATES.items() if isinstance(aggregate, kind)), "")
                inside = aggregate.find(exp.Column)
                said.append(
                    f"{lead} {self._expression(inside, here)}" if lead and inside else self._expression(column, here)
                )
            else:
                said.append(self._expression(column, here))
        said = list(dict.fromkeys(said))
        if not said or (len(said) > _MOST_COLUMNS and not counted):
            return things, counted
        return f"{', '.join(said)} of {things}", counted

    def _grouped(self, select: Any, here: tuple[int, ...]) -> Iterator[StatementPart]:
        group, having = select.args.get("group"), select.args.get("having")
        if group is not None:
            by = [self._expression(one, here) for one in group.expressions]
            keys = [self._column(one, here)[1] for one in group.find_all(exp.Column)]
            yield StatementPart(f"for each {', '.join(by)}", frozenset({GROUP, EXTREME}).union(*keys))
        for condition in conjuncts(having.this if having is not None else None):
            part = self._other(condition, here)
            yield msgspec.structs.replace(part, keys=part.keys | {COUNT, EXTREME, "aggregate"})

    def _limits(self, select: Any, here: Sequence[int]) -> Iterator[StatementPart]:
        """Yield the limit, with the order when it decides which rows remain."""
        order, limit = select.args.get("order"), select.args.get("limit")
        if limit is None:
            return
        number = limit.expression.name if limit.expression is not None else ""
        by = []
        keys: Keys = frozenset({EXTREME})
        for one in order.expressions if order is not None else ():
            by.append(f"{'highest' if one.args.get('desc') else 'lowest'} {self._expression(one.this, tuple(here))}")
            keys = keys.union(*(self._column(column, tuple(here))[1] for column in one.find_all(exp.Column)))
        superlatives = frozenset(key for key in keys if key.startswith("superlative:"))
        said = f", only the first {number}" + (f" by {', '.join(by)}" if by else " of any order")
        needs = frozenset({f"v:{number}", EXTREME}) | superlatives
        yield StatementPart(said, keys, (needs,))

    def _unused_joins(self, level: int) -> Iterator[StatementPart]:
        """Yield tables that are joined without a condition, which still restrict the result to rows with a match."""
        first = next((node for node in self._tables.mentioned if node[0] == level), None)
        for node, table in self._tables.mentioned.items():
            if node[0] == level and node != first and node not in self._used and self._tables.degree(node) < 2:
                said, keys = self._words.table(table)
                yield StatementPart(f"that have {said}", keys, (keys,))

    def _written(self, tree: Any) -> str:
        return " ".join(str(tree.sql(dialect=self._dialect)).split())


def _word(op: str, values: Sequence[object], timed: bool) -> str:
    """Return a comparison in words; a day has no "at"."""
    op = "=" if op == "<>" else op
    dated = timed and any(isinstance(value, str) for value in values)
    return "" if dated and op == "=" else (_OF_TIME if timed else _SAID)[op]


def _way(root: str, path: Path) -> str:
    """Return the wording of the foreign key by which an entity reaches the column, since it may refer to the same table
    twice."""
    if not path[0]:
        return ""
    sides = path[0][0].split(" = ")
    mine = next((side for side in sides if side.partition(".")[0] == root), sides[0])
    other = next(side for side in (*sides[::-1],) if side != mine or sides[0] == sides[1])
    name = mine.partition(".")[2]
    return "" if name == other.partition(".")[2] else f" by {name.replace('_', ' ')}"
