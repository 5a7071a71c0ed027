"""Comparison of two answers: the rows of an outside engine with those of our own first reading."""

from collections.abc import Sequence

from session.values.answers import Table


def agree(ours: Table, minimal: Sequence[str], theirs: Table) -> bool | None:
    """Return whether the rows agree in the columns that answer the request (`minimal`), regardless of order and of other
    columns. None if that is undecidable: rows were cut off, there are none, or the columns differ.

    >>> agree(Table(("id", "name"), ((1, "A"), (2, "B"))), ("id",), Table(("name",), (("B",), ("A",))))
    True
    """
    if ours.more or theirs.more or not (ours.rows or theirs.rows):
        return None
    if not (ours.rows and theirs.rows):
        return False
    names = [name.casefold() for name in theirs.columns]
    own = [name.casefold() for name in ours.columns]
    for wanted in ([name.casefold() for name in minimal], [name for name in own if name in names]):
        if wanted and all(name in names and name in own for name in wanted):
            here, there = [own.index(name) for name in wanted], [names.index(name) for name in wanted]
            return _cells(ours, here) == _cells(theirs, there)
    answering = [own.index(name.casefold()) for name in minimal if name.casefold() in own] or list(range(len(own)))
    found = [at for at in range(len(names)) if _cells(ours, answering[:1]) == _cells(theirs, [at])]
    if len(answering) == 1 and (found or len(names) == 1):
        return bool(found)
    return None


def _cells(table: Table, columns: Sequence[int]) -> set[tuple[object, ...]]:
    return {tuple(row[at] for at in columns) for row in table.rows}
