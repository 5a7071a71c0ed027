"""The most that an answer may say, derived from the SQL of the least that it must say.

The maximum keeps the columns of the minimum and adds every column that constrains the answer ("any information used to
generate the minimal answer", MADCOW 1993, section 5), what identifies the same entities, and what the domain's rules add:
fares are always fares for flights. What is asked of `IN (SELECT …)` is brought into the outer statement first, so that
its constraints can be shown too. Rows are a set; joining in what the minimum asks by `IN` never changes which they are.
"""

from collections.abc import Iterator

from sqlglot import exp, parse

from domain.principles import Companion, MaximumRules
from evaluation.references.sql_unfolding import (
    NotDerivable,
    Tables,
    conjuncts,
    one_query,
    plain,
    rename,
    sources,
    unfold,
    without_with,
)

__all__ = ["NotDerivable", "Tables", "check_rules", "derive"]


def derive(
    sql: str, rules: MaximumRules, *, tables: Tables | None = None, dialect: str = "sqlite", described: bool = True
) -> str:
    """The maximal statement; the minimum's columns come first. Raises NotDerivable.

    `tables` gives the columns of the database's tables, for columns that name no table among several. The arms of a
    UNION are derived one by one and show the same columns; rows that LIMIT picks are picked in the same way. A least or
    greatest value is that of the rows which have it, and they are `described`; where there are none, it cannot be.
    """
    query = without_with(_folded(one_query(sql, dialect), dialect))
    if described and isinstance(query, exp.Select):
        query = _having_it(query) or query
    known: Tables = tables or {}
    if dialect == "sqlite":
        known = {name.lower(): [column.lower() for column in columns] for name, columns in known.items()}
    if isinstance(query, exp.SetOperation):
        return str(_union(query, rules, known).sql(dialect=dialect))
    assert isinstance(query, exp.Select)
    return str(_maximal(query, rules, known).sql(dialect=dialect))


def _folded(query: exp.Query, dialect: str) -> exp.Query:
    """Names in small letters where the database reads them without case; else FLIGHT would not be known for flight."""
    for name in query.find_all(exp.Identifier):
        if dialect == "sqlite" or not name.quoted:
            name.set("this", name.name.lower())
    return query


def _maximal(select: exp.Select, rules: MaximumRules, tables: Tables) -> exp.Select:
    _refuse(select)
    limited = _LimitedSelect(select) if select.args.get("limit") or select.args.get("offset") else None
    unfold(select, tables)
    if select.args.get("group") or any(column.find(exp.AggFunc) for column in select.expressions):
        return _aggregate(select)
    if limited is not None:
        limited.pin(select, tables)
    select.set("order", None)
    _flatten(select)
    chosen: list[exp.Expression] = [column.copy() for column in select.expressions]
    equal = _Equal(select)
    for column in (*_asked(select), *_constraining(select)):
        _add(chosen, column, equal)
    for alias, name in _entities(select):
        for column_name in rules.identify.get(name, ()):
            _add(chosen, exp.column(column_name, alias), equal)
    for bring in rules.brings:
        _bring(select, bring, chosen, equal)
    select.set("expressions", chosen)
    select.set("distinct", exp.Distinct())
    return select


def _having_it(select: exp.Select) -> exp.Select | None:
    """`SELECT MIN(cost) … WHERE …` as the cost of those rows whose cost it is: the cheapest fare is a fare, and fares are for
    flights (principle 2.3.8). None for any other statement."""
    only = select.expressions[0].unalias() if len(select.expressions) == 1 else None
    if not isinstance(only, exp.Min | exp.Max) or not isinstance(only.this, exp.Column):
        return None
    if any(select.args.get(key) for key in ("group", "having", "limit", "offset", "distinct")):
        return None
    picked = select.copy()
    column = only.this.copy()
    named = select.expressions[0].alias
    picked.set("expressions", [exp.alias_(column, named) if named else column])
    asked = exp.EQ(this=column.copy(), expression=exp.Subquery(this=select.copy()))
    picked.set("where", exp.Where(this=exp.and_(*conjuncts(select), asked)))
    return picked


def _refuse(select: exp.Select) -> None:
    if any(
        isinstance(column, exp.Star) or (column.find(exp.Star) and not column.find(exp.Count))
        for column in select.expressions
    ):
        raise NotDerivable("SELECT *: the minimum names its columns")
    if select.find(exp.Window):
        raise NotDerivable("a window function")


class _LimitedSelect:
    """A minimum whose LIMIT picks rows: the maximum shows the same rows and what they were ordered by."""

    def __init__(self, select: exp.Select) -> None:
        if not select.args.get("order"):
            raise NotDerivable("LIMIT without ORDER BY picks any rows; say which")
        if select.args.get("group") or any(column.find(exp.AggFunc) for column in select.expressions):
            raise NotDerivable("LIMIT over groups: ask for the groups whose figure is the least or greatest")
        self._least = select.copy()

    def pin(self, select: exp.Select, tables: Tables) -> None:
        """Leave out LIMIT and ask instead that the minimum's columns and those of ORDER BY be among the rows picked."""
        select.set("limit", None)
        select.set("offset", None)
        order = [_meant(select, one.this) for one in select.args["order"].expressions]
        if not all(isinstance(column, exp.Column) for column in order):
            raise NotDerivable("LIMIT by a computed order: order by columns")
        shown = [column.unalias() for column in select.expressions]
        inner = self._least
        unfold(inner, tables)
        pinned = [*shown, *(column for column in order if column not in shown)]
        picked = [_meant(inner, one.this) for one in inner.args["order"].expressions]
        own = [column.unalias() for column in inner.expressions]
        inner.set("expressions", [*own, *(column.copy() for column in picked if column not in own)])
        outer = pinned[0].copy() if len(pinned) == 1 else exp.Tuple(expressions=[one.copy() for one in pinned])
        condition = exp.In(this=outer, query=exp.Subquery(this=inner))
        select.set("where", exp.Where(this=exp.and_(*conjuncts(select), condition)))


def _meant(select: exp.Select, column: exp.Expression) -> exp.Expression:
    """Return what a term of ORDER BY stands for: a column of the statement, its name there, or its number."""
    if isinstance(column, exp.Literal) and not column.is_string:
        place = int(column.this)
        if not 1 <= place <= len(select.expressions):
            raise NotDerivable(f"ORDER BY {place}: there are {len(select.expressions)} columns")
        found: exp.Expression = select.expressions[place - 1].unalias()
        return found
    named: list[exp.Expression] = [one.unalias() for one in select.expressions if one.alias == column.name]
    return named[0] if isinstance(column, exp.Column) and not column.table and named else column


def _union(query: exp.SetOperation, rules: MaximumRules, tables: Tables) -> exp.Query:
    """Every arm with what any arm adds; raises NotDerivable if an arm cannot show what another does."""
    if query.args.get("limit") or query.args.get("offset"):
        raise NotDerivable("LIMIT over a UNION: which arm a row is of would decide")
    leasts = list(_arms(query))
    width = len(leasts[0].expressions)
    if any(len(least.expressions) != width for least in leasts):
        raise NotDerivable("the arms of UNION have different numbers of columns")
    arms = [_maximal(least, rules, tables) for least in leasts]
    extras = [dict(_keys(arm, width)) for arm in arms]
    wanted = list(dict.fromkeys(key for extra in extras for key in extra))
    for arm, extra in zip(arms, extras, strict=True):
        arm.set("expressions", [*arm.expressions[:width], *(_shown(arm, key, extra) for key in wanted)])
    found: exp.Query = arms[0]
    for arm in arms[1:]:
        found = exp.Union(this=found, expression=arm, distinct=True)
    return found


_Key = tuple[str, str, int]


def _arms(query: exp.Expression) -> Iterator[exp.Select]:
    if isinstance(query, exp.Subquery):
        yield from _arms(query.this)
    elif isinstance(query, exp.Union):
        yield from _arms(query.this)
        yield from _arms(query.expression)
    elif isinstance(query, exp.Select):
        yield query
    else:
        name = type(query).__name__.upper()
        raise NotDerivable(f"{name}: its arms constrain different columns; write it with IN or NOT IN")


def _keys(arm: exp.Select, width: int) -> Iterator[tuple[_Key, exp.Expression]]:
    """Return what an arm adds to the minimum, named by table, column and which of several tables of that name it is of."""
    for column in arm.expressions[width:]:
        if not isinstance(column, exp.Column):
            raise NotDerivable(f"an arm of UNION adds {column.sql()}, which is not a column")
        alike = [alias for alias, name in _tables(arm) if name == dict(_tables(arm)).get(column.table)]
        yield (
            (
                dict(_tables(arm)).get(column.table, column.table),
                column.name,
                alike.index(column.table) if alike else 0,
            ),
            column,
        )


def _shown(arm: exp.Select, key: _Key, extra: dict[_Key, exp.Expression]) -> exp.Expression:
    if key in extra:
        return extra[key]
    table, column, number = key
    alike = [alias for alias, name in _tables(arm) if name == table]
    if len(alike) <= number:
        raise NotDerivable(f"one arm of UNION is constrained by {table}.{column}, another does not have it")
    return exp.column(column, alike[number])


def _tables(select: exp.Select) -> list[tuple[str, str]]:
    return [(source.alias_or_name, source.name) for source in sources(select) if isinstance(source, exp.Table)]


def _aggregate(select: exp.Select) -> exp.Select:
    """A count, least or greatest has no rows to describe: its maximum adds what it is grouped by and what is asked to be equal.

    "Any column used to constrain the answer" (Boisen & Bates 1992, 2.2.2) has one value where the statement fixes it by `=`.
    """
    fresh = select.copy()
    group = fresh.args.get("group")
    chosen = [column.copy() for column in fresh.expressions]
    if group is None and any(not column.find(exp.AggFunc) for column in chosen):
        raise NotDerivable("a column beside an aggregate without GROUP BY")
    shown = [one.unalias() for one in chosen]
    for column in group.expressions if group is not None else ():
        if column not in shown:
            chosen.append(column.copy())
            shown.append(column)
    for column, value in _fixed(select):
        if column not in shown:
            # of no rows there is no least value, but what was asked for is known
            chosen.append(exp.func("COALESCE", exp.Min(this=column.copy()), value.copy()))
            shown.append(column)
    fresh.set("expressions", chosen)
    fresh.set("order", None)
    return fresh


def _fixed(select: exp.Select) -> Iterator[tuple[exp.Column, exp.Literal]]:
    """Columns that the statement asks to equal a value, and the value."""
    for one in conjuncts(select):
        if isinstance(one, exp.EQ):
            column, value = (
                (one.this, one.expression) if isinstance(one.this, exp.Column) else (one.expression, one.this)
            )
            if isinstance(column, exp.Column) and isinstance(value, exp.Literal):
                yield column, value


def _flatten(select: exp.Select) -> None:
    """Turn `x IN (SELECT y …)` among the conjuncts into joins, from the outside inwards."""
    number = 0
    while True:
        found = next((one for one in conjuncts(select) if _is_plain_in(one)), None)
        if found is None:
            return
        number += 1
        inner = found.args["query"].this.copy()
        rename(inner, f"q{number}", _names(select))
        others = [one.copy() for one in conjuncts(select) if one is not found]
        joined = [exp.EQ(this=found.this.copy(), expression=inner.expressions[0].unalias().copy()), *conjuncts(inner)]
        for join in inner.args.get("joins") or []:
            on = join.args.get("on")
            joined += [on.copy()] if on is not None else []
        for source in sources(inner):
            select.append("joins", exp.Join(this=source.copy(), kind="CROSS"))
        select.set("where", exp.Where(this=exp.and_(*others, *joined)))


def _is_plain_in(condition: exp.Expression) -> bool:
    query = condition.args.get("query") if isinstance(condition, exp.In) else None
    inner = query.this if isinstance(query, exp.Subquery) else None
    if not isinstance(inner, exp.Select) or len(inner.expressions) != 1 or isinstance(condition.this, exp.Tuple):
        return False
    return plain(inner) and all(isinstance(source, exp.Table) for source in sources(inner))


def _names(select: exp.Select) -> set[str]:
    return {source.alias_or_name for source in sources(select)}


def _asked(select: exp.Select) -> Iterator[exp.Column]:
    """Nothing beyond the minimum's own columns; here so that DISTINCT ON or expressions show their parts."""
    for column in select.expressions:
        if not isinstance(column.unalias(), exp.Column):
            yield from column.find_all(exp.Column)


def _constraining(select: exp.Select) -> Iterator[exp.Column]:
    """Columns of the statement itself in WHERE and ON, in their order; those within subqueries stay there."""
    places = [select.args.get("where"), *(join.args.get("on") for join in select.args.get("joins") or [])]
    for place in places:
        for column in place.find_all(exp.Column, bfs=False) if place is not None else ():
            if column.find_ancestor(exp.Select) is select:
                yield column.copy()


def _entities(select: exp.Select) -> list[tuple[str, str]]:
    """Alias and name of the tables that the minimum's columns are of."""
    tables = {source.alias_or_name: source.name for source in sources(select) if isinstance(source, exp.Table)}
    used = [column.table for one in select.expressions for column in one.find_all(exp.Column)]
    aliases = [alias or next(iter(tables)) for alias in used if alias or len(tables) == 1]
    return [(alias, tables[alias]) for alias in dict.fromkeys(aliases) if alias in tables]


def _bring(select: exp.Select, bring: Companion, chosen: list[exp.Expression], equal: "_Equal") -> None:
    tables = {source.name: source.alias_or_name for source in sources(select) if isinstance(source, exp.Table)}
    entities = {name: alias for alias, name in _entities(select)}
    if bring.entity not in entities:
        return
    alias = tables.get(bring.table)
    if alias is None:
        alias = f"brought_{bring.table}"
        for join in bring.joins:
            text = join.format(**{bring.entity: entities[bring.entity], bring.table: alias})
            joined = parse(f"SELECT 1 FROM t {text}", read="sqlite")[0]
            if isinstance(joined, exp.Select):
                for part in joined.args.get("joins") or []:
                    select.append("joins", part.copy())
    for name in bring.columns:
        _add(chosen, exp.column(name, alias), equal)


class _Equal:
    """Group the columns that the statement itself makes equal; of such, one is shown."""

    def __init__(self, select: exp.Select) -> None:
        self._parent: dict[str, str] = {}
        only = [source.alias_or_name for source in sources(select)]
        self._table = only[0] if len(only) == 1 else ""
        inner = [join for join in select.args.get("joins") or [] if not join.side]
        conditions = [*conjuncts(select), *(join.args.get("on") for join in inner)]
        for condition in conditions:
            for part in condition.flatten() if isinstance(condition, exp.And) else [condition]:
                if (
                    isinstance(part, exp.EQ)
                    and isinstance(part.this, exp.Column)
                    and isinstance(part.expression, exp.Column)
                ):
                    self._parent[self.of(part.expression)] = self.of(part.this)

    def of(self, column: exp.Column) -> str:
        """One name for all columns that are equal to this one."""
        name = f"{column.table or self._table}.{column.name}".lower()
        while name in self._parent and self._parent[name] != name:
            name = self._parent[name]
        return name


def _add(chosen: list[exp.Expression], column: exp.Column, equal: _Equal) -> None:
    there = {equal.of(one.unalias()) for one in chosen if isinstance(one.unalias(), exp.Column)}  # type: ignore[arg-type]
    if equal.of(column) not in there:
        chosen.append(column.copy())


def check_rules(rules: MaximumRules, tables: Tables) -> list[str]:
    """List what the rules name and the database does not have."""
    wrong = [
        f"{table}.{column}"
        for table, columns in rules.identify.items()
        for column in columns
        if column not in tables.get(table, ())
    ]
    return wrong + [
        f"{bring.table}.{column}"
        for bring in rules.brings
        for column in bring.columns
        if column not in tables.get(bring.table, ())
    ]
