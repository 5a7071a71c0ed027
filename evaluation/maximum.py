"""The most that an answer may say, derived from the SQL of the least that it must say.

The maximum keeps the columns of the minimum and adds every column that constrains the answer ("any information used to
generate the minimal answer", MADCOW 1993, section 5), what identifies the same entities, and what the domain's rules add:
fares are always fares for flights. What is asked of `IN (SELECT …)` is brought into the outer statement first, so that
its constraints can be shown too. Rows are a set; joining in what the minimum asks by `IN` never changes which they are.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlglot import exp, parse
from sqlglot.errors import SqlglotError

from domain.principles import Bring, MaximumRules


class NotDerivable(ValueError):
    """No maximum can be derived from this statement; the text says why."""


Tables = Mapping[str, Sequence[str]]


def derive(sql: str, rules: MaximumRules, *, tables: Tables | None = None, dialect: str = "sqlite") -> str:
    """The maximal statement; the minimum's columns come first. Raises NotDerivable.

    `tables` gives the columns of the database's tables, for columns that name no table among several.
    """
    select = _one_select(sql, dialect)
    _refuse(select)
    _qualify(select, tables or {})
    if select.find(exp.AggFunc) is not None and any(column.find(exp.AggFunc) for column in select.expressions):
        return _aggregate(select, dialect)
    select = select.copy()
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
    return str(select.sql(dialect=dialect))


def _one_select(sql: str, dialect: str) -> exp.Select:
    try:
        statements = [one for one in parse(sql, read=dialect) if one is not None]
    except SqlglotError as error:
        raise NotDerivable(f"the statement cannot be read: {str(error).splitlines()[0]}") from error
    if len(statements) != 1:
        raise NotDerivable(f"{len(statements)} statements; an interpretation is one statement")
    if isinstance(statements[0], exp.SetOperation):
        raise NotDerivable("a set operation: its arms constrain different columns; write one SELECT")
    if not isinstance(statements[0], exp.Select):
        raise NotDerivable("not a SELECT")
    return statements[0]


def _refuse(select: exp.Select) -> None:
    if any(
        isinstance(column, exp.Star) or (column.find(exp.Star) and not column.find(exp.Count))
        for column in select.expressions
    ):
        raise NotDerivable("SELECT *: the minimum names its columns")
    if select.args.get("limit") or select.args.get("offset"):
        raise NotDerivable("LIMIT picks rows that no column explains; ask for the minimum or maximum instead")
    if select.args.get("with_") or select.args.get("with"):
        raise NotDerivable("WITH: write the subquery where it is used")
    if select.find(exp.Window):
        raise NotDerivable("a window function")
    if any(isinstance(source, exp.Subquery) for source in _sources(select)):
        raise NotDerivable("a subquery in FROM: name its tables in FROM")
    if any(join.side for join in select.args.get("joins") or []):
        raise NotDerivable("an outer join in the minimum")


def _sources(select: exp.Select) -> list[exp.Expression]:
    start = select.args.get("from_") or select.args.get("from")
    joins = select.args.get("joins") or []
    return [*([start.this] if start is not None else []), *(join.this for join in joins)]


def _qualify(select: exp.Select, tables: Tables) -> None:
    """Give every column of the statement itself its table's name."""
    sources = {source.alias_or_name: source.name for source in _sources(select)}
    for column in list(select.find_all(exp.Column)):
        if column.table or column.find_ancestor(exp.Select) is not select:
            continue
        homes = [alias for alias, name in sources.items() if len(sources) == 1 or column.name in tables.get(name, ())]
        if len(homes) != 1:
            raise NotDerivable(f"column {column.name} names no table; write table.{column.name}")
        column.set("table", exp.to_identifier(homes[0]))


def _aggregate(select: exp.Select, dialect: str) -> str:
    """A count, least or greatest has no rows to describe: its maximum adds the columns that it is grouped by."""
    fresh = select.copy()
    group = fresh.args.get("group")
    chosen = [column.copy() for column in fresh.expressions]
    for column in group.expressions if group is not None else ():
        if column not in [one.unalias() for one in chosen]:
            chosen.append(column.copy())
    if group is None and any(not column.find(exp.AggFunc) for column in chosen):
        raise NotDerivable("a column beside an aggregate without GROUP BY")
    fresh.set("expressions", chosen)
    fresh.set("order", None)
    return str(fresh.sql(dialect=dialect))


def _conjuncts(select: exp.Select) -> list[Any]:
    where = select.args.get("where")
    if where is None:
        return []
    return list(where.this.flatten()) if isinstance(where.this, exp.And) else [where.this]


def _flatten(select: exp.Select) -> None:
    """Turn `x IN (SELECT y …)` among the conjuncts into joins, from the outside inwards."""
    number = 0
    while True:
        found = next((one for one in _conjuncts(select) if _is_plain_in(one)), None)
        if found is None:
            return
        number += 1
        inner = found.args["query"].this.copy()
        _rename(inner, f"q{number}", _names(select))
        others = [one.copy() for one in _conjuncts(select) if one is not found]
        joined = [exp.EQ(this=found.this.copy(), expression=inner.expressions[0].unalias().copy()), *_conjuncts(inner)]
        sources = _sources(inner)
        for join in inner.args.get("joins") or []:
            on = join.args.get("on")
            joined += [on.copy()] if on is not None else []
        for source in sources:
            select.append("joins", exp.Join(this=source.copy(), kind="CROSS"))
        select.set("where", exp.Where(this=exp.and_(*others, *joined)))


def _is_plain_in(condition: exp.Expression) -> bool:
    query = condition.args.get("query") if isinstance(condition, exp.In) else None
    inner = query.this if isinstance(query, exp.Subquery) else None
    if not isinstance(inner, exp.Select) or len(inner.expressions) != 1 or inner.args.get("group"):
        return False
    if inner.args.get("limit") or any(join.side for join in inner.args.get("joins") or []):
        return False
    plain_sources = all(isinstance(source, exp.Table) for source in _sources(inner))
    return plain_sources and not any(column.find(exp.AggFunc) for column in inner.expressions)


def _names(select: exp.Select) -> set[str]:
    return {source.alias_or_name for source in _sources(select)}


def _rename(inner: exp.Select, prefix: str, taken: set[str]) -> None:
    """Give the tables of a subquery names of their own, and every column of it its table's name."""
    sources = [source for source in _sources(inner) if isinstance(source, exp.Table)]
    names = {source.alias_or_name: f"{prefix}_{source.alias_or_name}" for source in sources}
    own = [column for column in inner.find_all(exp.Column) if column.find_ancestor(exp.Select) is inner]
    for column in own:
        if column.table in names:
            column.set("table", exp.to_identifier(names[column.table]))
        elif not column.table and len(sources) == 1:
            column.set("table", exp.to_identifier(next(iter(names.values()))))
        elif not column.table:
            raise NotDerivable(f"column {column.name} of a subquery names no table")
        elif column.table not in taken:
            raise NotDerivable(f"column {column.sql()}: there is no such table")
    for source in sources:
        source.set("alias", exp.TableAlias(this=exp.to_identifier(names[source.alias_or_name])))


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
    tables = {source.alias_or_name: source.name for source in _sources(select) if isinstance(source, exp.Table)}
    used = [column.table for one in select.expressions for column in one.find_all(exp.Column)]
    aliases = [alias or next(iter(tables)) for alias in used if alias or len(tables) == 1]
    return [(alias, tables[alias]) for alias in dict.fromkeys(aliases) if alias in tables]


def _bring(select: exp.Select, bring: Bring, chosen: list[exp.Expression], equal: "_Equal") -> None:
    tables = {source.name: source.alias_or_name for source in _sources(select) if isinstance(source, exp.Table)}
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
    """Which columns the statement itself makes equal; of such, one is shown."""

    def __init__(self, select: exp.Select) -> None:
        self._parent: dict[str, str] = {}
        only = [source.alias_or_name for source in _sources(select)]
        self._table = only[0] if len(only) == 1 else ""
        conditions = [*_conjuncts(select), *(join.args.get("on") for join in select.args.get("joins") or [])]
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
    """What the rules name that the database does not have."""
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
