"""Frames of SQL: what a statement asks for, of which tables, under which conditions, each in one form however it is written.

A column is named by the way to it from what is asked for: `FLIGHT.FROM_AIRPORT > AIRPORT_SERVICE.CITY_CODE > CITY.CITY_NAME` is
the name of the city that a flight leaves, be it reached by a join or by `IN (SELECT …)`. So `from Boston to Denver` and
`from Denver to Boston` differ, and names of aliases do not.
"""

from collections.abc import Iterator, Sequence

import sqlglot
from sqlglot import exp

ASKS, TABLES, CONDITIONS = "ASKS", "TABLES", "CONDITIONS"
Fills = dict[str, tuple[str, ...]]
_STEP = " > "
_TURNED: dict[type[exp.Expr], type[exp.Binary]] = {exp.GT: exp.LT, exp.LT: exp.GT, exp.GTE: exp.LTE, exp.LTE: exp.GTE}
_MOST_DEEP = 40


def frames(sql: str) -> list[Fills]:
    """Return the fills of each statement; raises sqlglot's `SqlglotError`, and ValueError for what asks for nothing or nests too
    deep.

    >>> frames("SELECT f.id FROM flight f JOIN city c ON c.code = f.goal WHERE 5 > f.cost AND c.name = 'OAK'")[0]["CONDITIONS"]
    ('FLIGHT.COST < 5', "FLIGHT.GOAL > CITY.NAME = 'OAK'")
    """
    parsed = [each for each in sqlglot.parse(sql, read="sqlite") if each is not None]
    return [_frame(statement) for statement in parsed]


def _frame(statement: exp.Expr) -> Fills:
    asks: list[str] = []
    conditions: list[str] = []
    arms = [*_arms(statement)]
    if not arms:
        raise ValueError(f"{statement.key.upper()}, which asks for nothing")
    for select in arms:
        scope = _Scope(select, None, "", 0)
        asks += scope.asks()
        conditions += scope.conditions()
    tables = sorted({table.name.upper() for table in statement.find_all(exp.Table)})
    fills = {ASKS: asks, TABLES: tables, CONDITIONS: sorted(conditions)}
    return {name: tuple(dict.fromkeys(values)) for name, values in fills.items() if values}


def _arms(statement: exp.Expr) -> Iterator[exp.Select]:
    """Yield the SELECTs that a statement puts together."""
    if isinstance(statement, exp.Select):
        yield statement
    elif isinstance(statement, exp.Subquery):
        yield from _arms(statement.this)
    elif isinstance(statement, exp.SetOperation):
        yield from _arms(statement.left)
        yield from _arms(statement.right)


class _Scope:
    """One SELECT: its tables by alias, and the way to each."""

    def __init__(self, select: exp.Select, outer: "_Scope | None", way: str | None, depth: int) -> None:
        """`way` is that to its first table; None if an equation with an outer column may show it."""
        if depth > _MOST_DEEP:
            raise ValueError(f"a statement in more than {_MOST_DEEP} others")
        self._select, self._outer, self._depth = select, outer, depth
        clause = select.args.get("from_") or select.args.get("from")
        joins = select.args.get("joins") or []
        sources = [each.this for each in ([clause] if clause else []) + joins]
        self._tables = {source.alias_or_name: _name(source) for source in sources}
        self._within = [source.this for source in sources if isinstance(source, exp.Subquery)]
        named = select.args.get("with_") or select.args.get("with")
        self._within += [each.this for each in named.expressions] if named else []
        self._ways: dict[str, str] = {}
        if self._tables and way is not None:
            self._ways[self._first()] = way
        clauses = [select.args.get("where"), select.args.get("having")]
        held = [each.this for each in clauses if each] + [join.args["on"] for join in joins if join.args.get("on")]
        self._held = self._linked([part for each in held for part in _parts(each)])

    def _first(self) -> str:
        """The table that is asked for: that of the first column, otherwise the first one."""
        column = next((each.find(exp.Column) for each in self._select.selects if each.find(exp.Column)), None)
        named = column.table if column is not None else ""
        return named if named in self._tables else next(iter(self._tables))

    def _linked(self, held: Sequence[exp.Expr]) -> list[exp.Expr]:
        """Find the ways along equations of columns, and return the conditions that are none of them."""
        left = list(held)
        while True:
            step = next((link for each in left if (link := self._link(each)) is not None), None)
            if step is None and self._tables and not self._ways:
                self._ways[self._first()] = ""
                continue
            if step is None:
                break
            condition, alias, way = step
            self._ways[alias] = way
            left = [each for each in left if each is not condition]
        for alias in self._tables:
            self._ways.setdefault(alias, "")
        return left

    def _link(self, condition: exp.Expr) -> tuple[exp.Expr, str, str] | None:
        """Return the table to which an equation of columns leads from one whose way is known."""
        if isinstance(condition, exp.EQ):
            one, other = condition.left, condition.right
            if isinstance(one, exp.Column) and isinstance(other, exp.Column):
                for known, new in ((one, other), (other, one)):
                    if new.table in self._tables and new.table not in self._ways and self._knows(known.table):
                        return condition, new.table, self.text(known)
        return None

    def _knows(self, alias: str) -> bool:
        return alias in self._ways or (
            alias not in self._tables and self._outer is not None and self._outer._knows(alias)
        )

    def asks(self) -> list[str]:
        return [self.text(each.unalias()) for each in self._select.selects]

    def conditions(self) -> list[str]:
        """List what must hold, each part of a conjunction by itself."""
        found = [text for each in self._held for text in self._condition(each)]
        found += [text for each in self._within for arm in _arms(each) for text in self._inner(arm, "").conditions()]
        limit = self._select.args.get("limit")
        if limit is not None:
            order = self._select.args.get("order")
            by = ", ".join(map(self.text, order.expressions)) if order else ""
            found.append(f"FIRST {limit.expression.sql('sqlite')}" + (f" BY {by}" if by else ""))
        return found

    def _condition(self, condition: exp.Expr) -> list[str]:
        if isinstance(condition, exp.Not):
            denied = self._condition(condition.this.unnest())
            return [f"NOT {denied[0]}" if len(denied) == 1 else f"NOT ({'; '.join(sorted(denied))})"]
        if isinstance(condition, exp.In) and condition.args.get("query"):
            way = self.text(condition.this)
            return self._of_arms(condition.args["query"], way, f"{way} IN ")
        if isinstance(condition, exp.Exists):
            return self._of_arms(condition.this, None, "SOME ")
        if isinstance(condition, exp.Between):
            what = self.text(condition.this)
            bounds = self.text(condition.args["low"]), self.text(condition.args["high"])
            return [f"{what} >= {bounds[0]}", f"{what} <= {bounds[1]}"]
        return [self.text(condition)]

    def _of_arms(self, query: exp.Expr, way: str | None, otherwise: str) -> list[str]:
        """The conditions of what is nested; of alternatives, or of what has no condition, the whole of it."""
        arms = [*_arms(query.unnest())]
        inner = [self._inner(arm, way).conditions() for arm in arms]
        if len(arms) == 1 and inner[0]:
            return inner[0]
        return [otherwise + " OR ".join(self._whole(arm) for arm in arms)]

    def _inner(self, select: exp.Select, way: str | None) -> "_Scope":
        return _Scope(select, self, way, self._depth + 1)

    def _whole(self, select: exp.Select) -> str:
        scope = self._inner(select, None)
        conditions = "; ".join(sorted(scope.conditions()))
        return f"({', '.join(scope.asks())}{' WHERE ' + conditions if conditions else ''})"

    def text(self, expression: exp.Expr) -> str:
        """An expression in capitals: columns by their ways, the nested as a whole, the sides of a comparison in order."""
        if isinstance(expression, exp.Column):
            return self._column(expression)
        if isinstance(expression, exp.Literal):
            return expression.sql("sqlite").upper()
        if isinstance(expression, exp.Ordered) and not expression.args.get("desc"):
            return self.text(expression.this)
        copy = expression.copy()
        for node in [*copy.find_all(exp.Column, exp.Subquery, exp.Select, bfs=True)]:
            if node.find_ancestor(exp.Subquery, exp.Select) is None:
                arms = " OR ".join(map(self._whole, _arms(node)))
                new = exp.var(self._column(node) if isinstance(node, exp.Column) else arms)
                if node is copy:
                    return str(new.name)
                node.replace(new)
        return _ordered(copy).sql("sqlite").upper()

    def _column(self, column: exp.Column) -> str:
        alias = column.table or (next(iter(self._tables)) if len(self._tables) == 1 else "")
        if alias and alias not in self._tables and self._outer is not None:
            return self._outer._column(column)
        named = f"{self._tables.get(alias, alias)}.{column.name}" if alias else column.name
        way = self._ways.get(alias, "")
        return f"{way}{_STEP if way else ''}{named}".upper()


def _name(source: exp.Expr) -> str:
    return source.name if isinstance(source, exp.Table) else source.alias_or_name


def _parts(condition: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the parts of a conjunction."""
    inner = condition.unnest()
    if isinstance(inner, exp.And):
        yield from _parts(inner.left)
        yield from _parts(inner.right)
    else:
        yield inner


def _ordered(expression: exp.Expr) -> exp.Expr:
    """A comparison with its constant on the right; of two columns or values in the order of their names."""
    turned = _TURNED.get(type(expression), type(expression))
    if not isinstance(expression, exp.EQ | exp.NEQ | exp.GT | exp.LT | exp.GTE | exp.LTE):
        return expression
    one, other = expression.left, expression.right
    constant = isinstance(one, exp.Literal), isinstance(other, exp.Literal)
    if constant[0] > constant[1] or (constant[0] == constant[1] and one.sql() > other.sql()):
        return turned(this=other.copy(), expression=one.copy())
    return expression
