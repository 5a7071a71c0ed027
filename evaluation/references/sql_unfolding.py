"""A minimal statement without WITH and without plain subqueries in FROM, so that all its constraints are in one place.

Only what cannot change the set of rows is done: a subquery that groups, counts, limits or is joined on the outside stays as
it is, a table of its own, whose constraints are its own affair.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlglot import exp, parse
from sqlglot.errors import SqlglotError


class NotDerivable(ValueError):
    """No maximum can be derived from this statement; the text says why."""


Tables = Mapping[str, Sequence[str]]


def one_query(sql: str, dialect: str) -> exp.Query:
    """The one statement in the text; raises NotDerivable."""
    try:
        statements = [one for one in parse(sql, read=dialect) if one is not None]
    except SqlglotError as error:
        raise NotDerivable(f"the statement cannot be read: {str(error).splitlines()[0]}") from error
    if len(statements) != 1:
        raise NotDerivable(f"{len(statements)} statements; an interpretation is one statement")
    found = statements[0]
    if not isinstance(found, (exp.Select, exp.SetOperation)):
        raise NotDerivable("not a SELECT")
    return found


def without_with(query: exp.Query) -> exp.Query:
    """Return the query with every name that WITH gives replaced by its query; raises NotDerivable if WITH is recursive."""
    query = query.copy()
    key = "with_" if query.args.get("with_") else "with"
    clause = query.args.get(key)
    if clause is None:
        return query
    if clause.args.get("recursive"):
        raise NotDerivable("WITH RECURSIVE: its rows have no one place that constrains them")
    query.set(key, None)
    known: dict[str, exp.Query] = {}
    for part in clause.expressions:
        body = _named(without_with(part.this), part.args["alias"].columns)
        known[part.alias.lower()] = _replaced(body, known)
    return _replaced(query, known)


def _named(body: exp.Query, names: Sequence[exp.Expression]) -> exp.Query:
    if not names:
        return body
    if not isinstance(body, exp.Select) or len(names) != len(body.expressions):
        raise NotDerivable("WITH names other columns than it has")
    body.set(
        "expressions",
        [exp.alias_(column.unalias(), name.name) for column, name in zip(body.expressions, names, strict=True)],
    )
    return body


def _replaced(query: exp.Query, known: Mapping[str, exp.Query]) -> exp.Query:
    for table in list(query.find_all(exp.Table)):
        body = None if table.db else known.get(table.name.lower())
        if body is not None:
            alias = exp.TableAlias(this=exp.to_identifier(table.alias_or_name))
            table.replace(exp.Subquery(this=body.copy(), alias=alias))
    return query


def unfold(select: exp.Select, tables: Tables) -> None:
    """Bring plain subqueries in FROM into the statement itself and give every column its table's name."""
    for source in sources(select):
        if isinstance(source, exp.Subquery) and isinstance(source.this, exp.Select) and plain(source.this):
            unfold(source.this, tables)
    qualify(select, tables)
    counted = bool(select.args.get("group")) or any(column.find(exp.AggFunc) for column in select.expressions)
    for source in sources(select):
        # how often a row is there decides a count, so that DISTINCT must stay where rows are counted
        if (
            isinstance(source, exp.Subquery)
            and _can_be_merged(source)
            and not (counted and source.this.args.get("distinct"))
        ):
            _merge(select, source)


def plain(inner: exp.Select) -> bool:
    """Return whether its rows are those of its tables that meet its conditions, no more and no fewer."""
    if any(inner.args.get(part) for part in ("group", "having", "limit", "offset", "with", "with_")):
        return False
    if any(join.side for join in inner.args.get("joins") or []):
        return False
    return not any(column.find(exp.AggFunc, exp.Window, exp.Star) for column in inner.expressions)


def _can_be_merged(source: exp.Subquery) -> bool:
    inner = source.this
    if not isinstance(inner, exp.Select) or not plain(inner) or not source.alias:
        return False
    join = source.parent
    outside = isinstance(join, exp.Join) and bool(join.side)
    return not outside and all(isinstance(one, exp.Table) for one in sources(inner))


def _merge(select: exp.Select, source: exp.Subquery) -> None:
    inner, alias = source.this.copy(), source.alias
    rename(inner, alias, set())
    meant = {column.alias_or_name.lower(): column.unalias() for column in inner.expressions}
    for column in list(select.find_all(exp.Column)):
        if column.table.lower() == alias.lower() and column.find_ancestor(exp.Subquery) is not source:
            if column.name.lower() not in meant:
                raise NotDerivable(f"column {column.sql()}: the subquery {alias} has no such column")
            found = meant[column.name.lower()].copy()
            fresh = found if isinstance(found, exp.Column) else exp.paren(found)
            column.replace(exp.alias_(fresh, column.name) if column.parent is select else fresh)
    first, *others = sources(inner)
    inner_joins = [join.copy() for join in inner.args.get("joins") or []]
    place, joins = source.parent, list(select.args.get("joins") or [])
    source.replace(first.copy())
    after = joins.index(place) + 1 if isinstance(place, exp.Join) else 0
    select.set("joins", [*joins[:after], *inner_joins, *joins[after:]] if others else joins)
    where = [*conjuncts(select), *(one.copy() for one in conjuncts(inner))]
    if where:
        select.set("where", exp.Where(this=exp.and_(*where)))


def sources(select: exp.Select) -> list[exp.Expression]:
    """Return what is in FROM and JOIN, in order."""
    start = select.args.get("from_") or select.args.get("from")
    joins = select.args.get("joins") or []
    return [*([start.this] if start is not None else []), *(join.this for join in joins)]


def qualify(select: exp.Select, tables: Tables) -> None:
    """Give every column of the statement itself its table's name."""
    homes = {source.alias_or_name: _columns(source, tables) for source in sources(select)}
    aliases = {column.alias for column in select.expressions if isinstance(column, exp.Alias)}
    for column in list(select.find_all(exp.Column)):
        if column.table or column.find_ancestor(exp.Select) is not select:
            continue
        if column.name in aliases and column.find_ancestor(exp.Order) is not None:
            continue
        found = [alias for alias, names in homes.items() if len(homes) == 1 or column.name.lower() in names]
        if len(found) != 1:
            raise NotDerivable(f"column {column.name} names no table; write table.{column.name}")
        column.set("table", exp.to_identifier(found[0]))


def _columns(source: exp.Expression, tables: Tables) -> set[str]:
    if isinstance(source, exp.Subquery):
        return {name.lower() for name in source.named_selects}
    return {name.lower() for name in tables.get(source.name, ())}


def conjuncts(select: exp.Select) -> list[Any]:
    """Return the conditions of WHERE, all of which must hold."""
    where = select.args.get("where")
    if where is None:
        return []
    return list(where.this.flatten()) if isinstance(where.this, exp.And) else [where.this]


def rename(inner: exp.Select, prefix: str, taken: set[str]) -> None:
    """Give the tables of a subquery names of their own, and every column of it its table's name."""
    tables = [source for source in sources(inner) if isinstance(source, exp.Table)]
    names = {source.alias_or_name: f"{prefix}_{source.alias_or_name}" for source in tables}
    own = [column for column in inner.find_all(exp.Column) if column.find_ancestor(exp.Select) is inner]
    for column in own:
        if column.table in names:
            column.set("table", exp.to_identifier(names[column.table]))
        elif not column.table and len(tables) == 1:
            column.set("table", exp.to_identifier(next(iter(names.values()))))
        elif not column.table:
            raise NotDerivable(f"column {column.name} of a subquery names no table")
        elif column.table not in taken:
            raise NotDerivable(f"column {column.sql()}: there is no such table")
    for source in tables:
        source.set("alias", exp.TableAlias(this=exp.to_identifier(names[source.alias_or_name])))
