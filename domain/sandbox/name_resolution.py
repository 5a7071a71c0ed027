"""Resolve every name of a parsed statement, and refuse what is not on a list.

PostgreSQL calls a function for `row.name` and `(value).name` when no column has that name, finds its catalogues under
unqualified names, and calls functions in casts. A list of forbidden words cannot keep up with that, so the rule is the
other way round: a statement may hold the kinds of expression, the functions and the types listed here, and every table
and column in it is bound by scope to one that the schema or the statement itself declares.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import msgspec
from sqlglot import exp

from domain.sandbox.database_schema import Schema
from domain.sandbox.error_hints import explained
from domain.sandbox.name_spelling import as_typed
from domain.sandbox.statement_guard import FUNCTIONS, Limits, refused_function, refused_table
from session.values.answers import FailureKind, QueryFailure

Names = tuple[str, ...]

SERVER_FUNCTIONS = FUNCTIONS - {"group_concat", "like", "string_agg", "total", "typeof"} | {"str_position"}
"""Functions that a query may call on a server: those that it has, without those that collect texts of any length; and
`position(… in …)`, which stands there for SQLite's `instr`."""

_EXPRESSIONS = frozenset((
    exp.Add, exp.Alias, exp.All, exp.And, exp.Any, exp.Between, exp.Boolean, exp.Case, exp.DataTypeParam, exp.Distinct,
    exp.Div, exp.DPipe, exp.EQ, exp.Escape, exp.Exists, exp.Fetch, exp.Filter, exp.Group, exp.GT, exp.GTE, exp.Having,
    exp.If, exp.In, exp.Interval, exp.Is, exp.Limit, exp.LimitOptions, exp.Literal, exp.LT, exp.LTE, exp.Mod, exp.Mul,
    exp.Neg, exp.NEQ, exp.Not, exp.Null, exp.NullSafeEQ, exp.NullSafeNEQ, exp.Offset, exp.Or, exp.Order, exp.Ordered,
    exp.Paren, exp.Sub, exp.Tuple, exp.Where, exp.Window, exp.WindowSpec,
))  # fmt: skip
_CALLED = re.compile(r"\w+(?=\()")
_PATTERNS = (exp.Like, exp.ILike, exp.RegexpLike, exp.RegexpILike, exp.SimilarTo)
_QUERIES = (exp.Select, exp.SetOperation, exp.Subquery, exp.Values)
_TYPE_NAMES = """BIGINT BOOLEAN CHAR DATE DECIMAL DOUBLE FLOAT INT INTERVAL SMALLINT TEXT TIME TIMESTAMP TIMESTAMPTZ
TIMETZ UUID VARBINARY VARCHAR"""
_TYPES = frozenset(getattr(exp.DataType.Type, name) for name in _TYPE_NAMES.split())
_TIMES = frozenset(getattr(exp.DataType.Type, name) for name in ("DATE", "TIME", "TIMESTAMP", "TIMESTAMPTZ", "TIMETZ"))
_DAYS = frozenset(("now", "today", "tomorrow", "yesterday"))
_KEYS = {
    exp.Select: "with kind distinct expressions from joins where group having windows order limit offset",
    exp.SetOperation: "with this expression distinct order limit offset",
    exp.Subquery: "with this alias joins order limit offset",
    exp.Values: "expressions alias order limit offset",
    exp.Table: "this alias db joins",
    exp.Join: "this on using kind side method",
    exp.With: "expressions",
    exp.CTE: "this alias materialized",
}
_BARE = frozenset(
    (
        (exp.Identifier, exp.Alias),
        (exp.Identifier, exp.Window),
        (exp.Star, exp.Count),
        (exp.Var, exp.Interval),
        (exp.Var, exp.WindowSpec),
    )
)
_CLAUSES = ("where", "group", "having", "windows", "order", "limit", "offset", "distinct")
_SYSTEM = ("pg_", "information_schema")
_MOST_DECIMALS = 50


class NameScope(msgspec.Struct, frozen=True):
    """Names visible at one level of a statement: tables with their columns, names that WITH gives, output columns."""

    ctes: Mapping[str, Names] = {}
    sources: dict[str, Names] = msgspec.field(default_factory=dict)
    outputs: Names = ()
    outer: NameScope | None = None

    def levels(self) -> Iterator[NameScope]:
        """Yield this scope and those around it, the innermost first."""
        level: NameScope | None = self
        while level is not None:
            yield level
            level = level.outer


class Resolver:
    """Checks one statement against a schema; `home` is the schema of the server in which the tables lie."""

    def __init__(self, sql: str, schema: Schema, home: str, limits: Limits) -> None:
        self._sql = sql
        self._schema = schema
        self._tables = {table.name: tuple(column.name for column in table.columns) for table in schema.tables}
        self._home = home
        self._limits = limits
        self._joined = 0

    def query(self, node: exp.Expression, outer: NameScope) -> Names:
        """Check a query and return the names of its columns; raises `QueryFailure`.

        The tables of the domain are given the name of their schema, so that the server can take them for no others.
        """
        scope = NameScope(self._ctes(node, outer), outer=outer)
        match node:
            case exp.Select():
                return self._select(node, scope)
            case exp.SetOperation():
                self._check_keys(node, exp.SetOperation)
                names = self.query(node.this, scope)
                self.query(node.expression, scope)
            case exp.Values():
                self._check_keys(node, exp.Values)
                for row in node.expressions:
                    self._check(row, scope)
                first = node.expressions[0]
                width = len(first.expressions) if isinstance(first, exp.Tuple) else 1
                names = tuple(f"column{number}" for number in range(1, width + 1))
            case exp.Subquery() if isinstance(node.this, _QUERIES):
                self._check_keys(node, exp.Subquery)
                names = self.query(node.this, scope)
            case _:
                raise _refused(node)
        ordered = msgspec.structs.replace(scope, outputs=names)
        self._check_clauses(node, ordered)
        return names

    def _select(self, node: exp.Select, scope: NameScope) -> Names:
        self._check_keys(node, exp.Select)
        from_ = node.args.get("from_") or node.args.get("from")
        if from_ is not None:
            self._source(from_.this, scope)
        for join in node.args.get("joins") or ():
            self._join(join, scope)
        names: list[str] = []
        for expression in node.expressions:
            if expression.is_star and not isinstance(expression, exp.Count):
                names += self._star(expression, scope)
            else:
                self._check(expression, scope)
                names.append(_output_name(expression))
        self._check_clauses(node, msgspec.structs.replace(scope, outputs=tuple(names)))
        return tuple(names)

    def _check_clauses(self, node: exp.Expression, scope: NameScope) -> None:
        for clause in _CLAUSES:
            part = node.args.get(clause)
            for expression in part if isinstance(part, list) else [part]:
                if isinstance(expression, exp.Expression):
                    self._check(expression, scope)

    def _check_keys(self, node: exp.Expression, kind: type[exp.Expression]) -> None:
        """Refuse every part of a node that is not listed: INTO, locks, samples, hints and what a later grammar adds."""
        known = _KEYS[kind].split()
        for key, part in node.args.items():
            if part and key.rstrip("_") not in known:
                raise _refused(node)

    def _ctes(self, node: exp.Expression, outer: NameScope) -> dict[str, Names]:
        """Return the names that the WITH of a query gives, each visible to those after it and to the query."""
        with_ = node.args.get("with_") or node.args.get("with")
        if with_ is None:
            return {}
        if with_.args.get("recursive"):
            raise QueryFailure(
                FailureKind.FORBIDDEN, "WITH RECURSIVE is not allowed on a server: its memory has no limit."
            )
        self._check_keys(with_, exp.With)
        found: dict[str, Names] = {}
        for cte in with_.expressions:
            self._check_keys(cte, exp.CTE)
            name = cte.args["alias"].this.name
            if name.startswith(_SYSTEM):
                raise refused_table(name)
            columns = self.query(cte.this, NameScope(dict(found), outer=outer))
            found[name] = self._renamed(columns, cte.args["alias"])
        return found

    def _source(self, node: exp.Expression, scope: NameScope) -> None:
        """Bind what is in FROM to the names and columns that it gives to `scope`."""
        alias = node.args.get("alias")
        match node:
            case exp.Table():
                self._check_keys(node, exp.Table)
                columns = self._table(node, scope)
                self._bind((alias or node).this.name, self._renamed(columns, alias), scope)
            case exp.Subquery() if isinstance(node.this, exp.Table | exp.Subquery) and alias is None:
                self._check_keys(node, exp.Subquery)
                self._source(node.this, scope)
            case exp.Subquery() | exp.Values() if alias is not None and alias.this is not None:
                enclosing = scope.outer or NameScope()
                columns = self.query(node, NameScope(scope.ctes, outer=enclosing))
                self._bind(alias.this.name, self._renamed(columns, alias), scope)
            case _:
                raise _refused(node)
        for join in node.args.get("joins") or ():
            self._join(join, scope)

    def _join(self, join: exp.Join, scope: NameScope) -> None:
        self._check_keys(join, exp.Join)
        self._joined += 1
        if self._joined > self._limits.joins:
            raise QueryFailure(FailureKind.TOO_LARGE, f"The query joins more than {self._limits.joins} tables.")
        self._source(join.this, scope)
        if (condition := join.args.get("on")) is not None:
            self._check(condition, scope)

    def _table(self, node: exp.Table, scope: NameScope) -> Names:
        if not isinstance(node.this, exp.Identifier):
            raise refused_function(node.this.name if node.this else "")
        name, db = node.this.name, node.args["db"].name if node.args.get("db") else ""
        if not db:
            for level in scope.levels():
                if name in level.ctes:
                    return level.ctes[name]
        if db not in ("", self._home) or (name not in self._tables and name.startswith(_SYSTEM)):
            raise refused_table(f"{db}.{name}" if db else name)
        if name not in self._tables:
            raise self._unknown(f"no such table: {name}")
        node.set("db", exp.to_identifier(self._home, quoted=True))
        return self._tables[name]

    def _bind(self, name: str, columns: Names, scope: NameScope) -> None:
        """Add a name to a scope.

        One that stands for something else further out is refused: where PostgreSQL sees only part of a FROM clause,
        in ON, it would take the outer one.
        """
        for level in scope.levels():
            if level.sources.get(name, columns) != columns:
                raise QueryFailure(FailureKind.SYNTAX, f"{name} names two different tables; rename one of them.")
        if name in scope.sources:
            raise QueryFailure(FailureKind.SYNTAX, f"The table name {name} occurs twice; rename one of them.")
        scope.sources[name] = columns

    def _renamed(self, columns: Names, alias: exp.TableAlias | None) -> Names:
        given = tuple(name.name for name in alias.args.get("columns") or ()) if alias is not None else ()
        if given and len(given) != len(columns):
            raise QueryFailure(FailureKind.SYNTAX, f"{len(given)} column names are given for {len(columns)} columns.")
        return given or columns

    def _star(self, node: exp.Expression, scope: NameScope) -> Names:
        if node.args.get("except_") or node.args.get("except") or node.args.get("replace"):
            raise _refused(node)
        if isinstance(node, exp.Star):
            return tuple(name for columns in scope.sources.values() for name in columns)
        return self._columns_of(node, scope)

    def _columns_of(self, column: exp.Expression, scope: NameScope) -> Names:
        """Return the columns of the table that a column is qualified with, as PostgreSQL finds it: the innermost."""
        if not isinstance(column, exp.Column) or column.args.get("db") is not None:
            raise self._unknown(f"no such column: {as_typed(column)}")
        name = column.args["table"].name
        for level in scope.levels():
            if name in level.sources:
                return level.sources[name]
        raise self._unknown(f"no such table: {name}")

    def _check(self, expression: exp.Expression, scope: NameScope) -> None:
        """Check an expression and everything in it."""
        waiting = [expression]
        while waiting:
            node = waiting.pop()
            kind = type(node)
            if isinstance(node, _QUERIES):
                self.query(node, scope)
            elif kind is exp.Column:
                self._check_column(node, scope)
            elif kind is exp.Cast:
                self._check_cast(node)
                waiting.append(node.this)
            elif kind in _EXPRESSIONS or self._may_call(node):
                waiting += node.iter_expressions()
            elif (kind, type(node.parent)) not in _BARE:
                raise _refused(node)

    def _may_call(self, node: exp.Expression) -> bool:
        if isinstance(node, _PATTERNS):
            pattern = node.args["expression"]
            plain = isinstance(node, exp.Like | exp.ILike) and isinstance(pattern, exp.Literal | exp.Column)
            if not plain or len(pattern.name) > self._limits.pattern_characters:
                raise QueryFailure(FailureKind.TOO_LARGE, "A pattern must be a short text after LIKE.")
            return True
        if isinstance(node, exp.Substring):
            if not all(_is_number(node.args.get(part)) for part in ("start", "length")):
                # With a text there PostgreSQL reads a regular expression.
                raise QueryFailure(FailureKind.FORBIDDEN, "The positions of substr must be written as numbers.")
            return True
        if isinstance(node, exp.Round) and not _is_number(node.args.get("decimals"), _MOST_DECIMALS):
            # PostgreSQL writes as many zeros as it is asked for.
            raise QueryFailure(FailureKind.TOO_LARGE, f"round takes a written number of up to {_MOST_DECIMALS} digits.")
        if not isinstance(node, exp.Func):
            return False
        if _function(node) not in SERVER_FUNCTIONS:
            written = _CALLED.match(node.sql("postgres"))
            raise refused_function(written[0].lower() if written else _function(node))
        return True

    def _check_column(self, node: exp.Expression, scope: NameScope) -> None:
        if not isinstance(node.this, exp.Identifier):
            raise _refused(node)
        name = node.this.name
        if node.args.get("table") is not None:
            known = name in self._columns_of(node, scope)
        else:
            known = any(name in columns for level in scope.levels() for columns in level.sources.values())
            known = known or (name in scope.outputs and node.find_ancestor(exp.Order, exp.Group) is not None)
        if not known:
            raise self._unknown(f"no such column: {as_typed(node)}")

    def _check_cast(self, node: exp.Expression) -> None:
        if any(part and key not in ("this", "to") for key, part in node.args.items()):
            raise _refused(node)
        self._check_type(node.args["to"])
        written = node.this.unnest()
        day = {*re.findall(r"[a-z]+", written.name.lower())} & _DAYS if isinstance(written, exp.Literal) else set()
        if day and node.args["to"].this in _TIMES:
            raise QueryFailure(
                FailureKind.FORBIDDEN, f"{day.pop()} changes from day to day; write the date or the time."
            )

    def _check_type(self, node: exp.Expression) -> None:
        if not isinstance(node, exp.DataType) or node.this not in _TYPES or node.args.get("nested"):
            raise _refused(node)
        for parameter in node.expressions:
            size = parameter.name
            if not (isinstance(parameter, exp.DataTypeParam) and size.isdigit() and len(size) <= 4):
                raise QueryFailure(FailureKind.TOO_LARGE, f"{node.sql('postgres')} is too long for a value.")

    def _unknown(self, complaint: str) -> QueryFailure:
        return QueryFailure(FailureKind.SYNTAX, explained(complaint, self._sql, self._schema))


def _is_number(node: object, most: int | None = None) -> bool:
    """Return whether a number is written here, or nothing; an integer of at most `most` where that is given."""
    inner = node.this if isinstance(node, exp.Neg) else node
    written = inner is None or (isinstance(inner, exp.Literal) and not inner.is_string)
    if most is None or inner is None or not written:
        return written
    return isinstance(inner, exp.Literal) and inner.name.isdecimal() and len(inner.name) < 9 and int(inner.name) <= most


def _function(node: exp.Func) -> str:
    return node.name.lower() if isinstance(node, exp.Anonymous) else node.sql_name().lower()


def _output_name(node: exp.Expression) -> str:
    """Return the name that PostgreSQL gives to an output column."""
    match node:
        case exp.Alias():
            return str(node.args["alias"].name)
        case exp.Column():
            return str(node.this.name)
        case exp.Cast() | exp.Window() | exp.Filter() | exp.Paren():
            return _output_name(node.this)
        case exp.Subquery() if isinstance(node.this, exp.Select) and node.this.expressions:
            return _output_name(node.this.expressions[0])
        case exp.Case() | exp.If():
            return "case"
        case exp.Connector() | exp.Exists():
            return "?column?"
        case exp.Func():
            return _function(node)
        case _:
            return "?column?"


def _refused(node: exp.Expression) -> QueryFailure:
    shown = " ".join(as_typed(node).split())
    return QueryFailure(
        FailureKind.FORBIDDEN, f"{shown if len(shown) <= 60 else shown[:60] + '…'} is not allowed in a query."
    )
