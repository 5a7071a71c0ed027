"""The names that may be completed in an SQL text: from the domain's schema, which the hub tells, otherwise from what has been
seen.

Where the hub could not read its database, the identifiers of the statements and results that went by are offered; they begin with
those of the English front end.
"""

import re
from collections.abc import Callable, Iterable, Sequence

from domain.sandbox.database_schema import Schema
from session.state.fold import SessionState
from wizard.core.console import Console

Names = Callable[[str, str], Sequence[str]]
"""From the beginning of a name and the statement that it stands in to the names that it may become."""

MOST = 40
_IDENTIFIER = re.compile(r"'(?:[^']|'')*'|([A-Za-z_]\w*)")
_ALIAS = re.compile(r"\b(?:FROM|JOIN|,)\s*(\w+)\s+(?:AS\s+)?(\w+)", re.IGNORECASE)
KEYWORDS = frozenset({
    "select", "distinct", "from", "where", "and", "or", "not", "in", "is", "null", "like", "between",
    "exists", "join", "inner", "left", "outer", "on", "as", "group", "by", "having", "order", "asc", "desc",
    "limit", "offset", "union", "all", "intersect", "except", "case", "when", "then", "else", "end", "cast",
    "count", "sum", "min", "max", "avg", "with",
})  # fmt: skip


def of_console(console: Console) -> Names:
    """From the schema as soon as the hub has told it, until then from the session."""
    seen = of_session(lambda: console.state)

    def names(prefix: str, statement: str) -> Sequence[str]:
        schema = console.hub_info.schema
        return of_schema(schema)(prefix, statement) if schema is not None else seen(prefix, statement)

    return names


def of_schema(schema: Schema) -> Names:
    """Tables and columns, those of the tables in the statement first; after `f.` the columns of the table called `f`."""

    def names(prefix: str, statement: str) -> Sequence[str]:
        alias, dot, start = prefix.rpartition(".")
        if not dot:
            return schema.completions(prefix, statement)[:MOST]
        table = _aliases(statement).get(alias.casefold(), alias)
        fitting = [name for name in schema.columns_of(table) if name.casefold().startswith(start.casefold())]
        return [f"{alias}.{name}" for name in fitting][:MOST]

    return names


def _aliases(statement: str) -> dict[str, str]:
    return {alias.casefold(): table for table, alias in _ALIAS.findall(statement) if alias.casefold() not in KEYWORDS}


def of_session(state: Callable[[], SessionState]) -> Names:
    """Identifiers of the attempts so far and of their results' columns."""
    known: dict[str, None] = {}
    read: set[str] = set()

    def names(prefix: str, statement: str) -> Sequence[str]:
        for attempt in state().attempts.values():
            if attempt.table is not None and attempt.attempt not in read:
                read.add(attempt.attempt)
                known.update(dict.fromkeys([*identifiers(attempt.sql), *attempt.table.columns]))
        head, dot, start = prefix.rpartition(".")
        return [f"{head}{dot}{name}" for name in known if name.casefold().startswith(start.casefold())][:MOST]

    return names


def blank_of(question: str) -> str:
    """Return what a question is about, as it is in the blank of "be more specific about ___"; the wizard words it better.

    >>> blank_of("What do you mean by frobnication?"), blank_of("Where will you be leaving from?")
    ('frobnication', 'where will you be leaving from')
    """
    about = question.removesuffix("?").removeprefix("What do you mean by ")
    return about if about != question.removesuffix("?") else about[:1].lower() + about[1:]


def identifiers(sql: str) -> Iterable[str]:
    """The names in a statement, keywords and quoted texts left out.

    >>> list(identifiers("SELECT fare FROM flight WHERE city = 'from Boston'"))
    ['fare', 'flight', 'city']
    """
    return (name for name in _IDENTIFIER.findall(sql) if name and name.casefold() not in KEYWORDS)
