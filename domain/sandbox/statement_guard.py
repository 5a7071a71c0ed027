"""Guard that looks at a statement before any database sees it.

The databases themselves refuse to write (an authorizer on SQLite, a role on PostgreSQL); this module gives the clear
sentence first, and stops text that is too long or too deep to be looked at. Pure: text in, nothing or one `QueryFailure` out.
"""

import re
from collections.abc import Iterator

import msgspec

from session.values.answers import FailureKind, QueryFailure


class Limits(msgspec.Struct, frozen=True):
    """Bounds of one query: rows and bytes given back, seconds it may run, and how large its parts may be.

    `scratch_bytes` bounds the temporary files that sorting and grouping may fill; `compounds` the terms of UNION and
    its like, `joins` the tables joined on a server, `copies` and `growth` what table expressions may become while they
    are compiled.
    """

    rows: int = 500
    seconds: float = 10.0
    bytes: int = 4_000_000
    value_bytes: int = 65_536
    statement_characters: int = 20_000
    expression_depth: int = 100
    compounds: int = 50
    columns: int = 200
    pattern_characters: int = 200
    opcodes: int = 25_000
    copies: int = 256
    growth: int = 100_000
    scratch_bytes: int = 268_435_456
    joins: int = 64


_FUNCTIONS = """abs avg coalesce count cume_dist dense_rank first_value group_concat ifnull iif instr lag
last_value lead length like lower max min nth_value ntile nullif percent_rank rank round row_number sign string_agg
substr substring sum total typeof upper"""
FUNCTIONS = frozenset(_FUNCTIONS.split())
"""Every function that a query may call; each gives the same value for the same rows on every day, in bounded time."""

_READING = frozenset({"select", "with", "values"})
_WRITING = """alter analyze attach begin call checkpoint close cluster comment commit copy create deallocate declare
delete detach discard do drop end execute explain fetch grant import insert listen load lock merge move notify pragma prepare
reassign refresh reindex release replace reset revoke rollback savepoint security set show start truncate unlisten
update vacuum"""
_VERBS = frozenset(_WRITING.split())
_SYNTAX = """all and as between by case cross distinct else end except exists from full group having in inner intersect
is join left limit materialized not null on or order outer recursive right select then union using values when where
with"""
KEYWORDS = frozenset(_SYNTAX.split())
"""Words that are never names unless they stand in quotes."""


_TOKENS = re.compile(
    r"""(?P<space>\s+|--[^\n]*(?:\n|$)|/\*.*?(?:\*/|$))
      | (?P<quoted>'(?:[^']|'')*')
      | (?P<name>[^\W\d]\w*|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\])
      | (?P<other>\w+|.)""",
    re.VERBOSE | re.DOTALL,
)


def tokens(sql: str) -> Iterator[str]:
    """Yield the words and signs of a statement in lower case, without blanks and comments; a literal stays in its quotes.

    A quoted name that is not a plain word, or a keyword, gets an underscore, lest it be taken for something else.
    """
    for match in _TOKENS.finditer(sql):
        kind, text = match.lastgroup, match.group()
        if kind == "space":
            continue
        if kind == "name" and text[0] in '"`[':
            name = text[1:-1].lower()
            yield name if name.isidentifier() and name not in KEYWORDS else f"_{name}"
        else:
            yield text.lower() if kind == "name" else text


def check_text(sql: str, limits: Limits) -> None:
    """Refuses what is not a single reading statement of bearable size; raises `QueryFailure`."""
    if len(sql) > limits.statement_characters:
        raise QueryFailure(
            FailureKind.TOO_LARGE,
            f"The query has {len(sql)} characters; {limits.statement_characters} are allowed.",
        )
    if "\0" in sql or any("\ud800" <= sign <= "\udfff" for sign in sql):
        raise QueryFailure(FailureKind.SYNTAX, "The query contains a character that SQL does not allow.")
    words = list(tokens(sql))
    _check_verb(words)
    _check_single(words)
    _check_depth(words, limits.expression_depth)


def _check_verb(words: list[str]) -> None:
    first = next((word for word in words if word not in "(;"), None)
    if first is None:
        raise QueryFailure(FailureKind.SYNTAX, "There is no query here: type a SELECT statement.")
    if first in _VERBS:
        raise QueryFailure(
            FailureKind.FORBIDDEN, f"{first.upper()} is not allowed: the database is read-only here; use SELECT."
        )
    if first not in _READING:
        shown = first if len(first) <= 40 else first[:40] + "…"
        raise QueryFailure(FailureKind.SYNTAX, f"A query begins with SELECT, WITH or VALUES, not with {shown!r}.")


def _check_single(words: list[str]) -> None:
    if ";" in words and any(word != ";" for word in words[words.index(";") :]):
        raise QueryFailure(FailureKind.FORBIDDEN, "Only one statement at a time: remove what follows the semicolon.")


def _check_depth(words: list[str], deepest: int) -> None:
    depth = 0
    for word in words:
        depth += (word in "([") - (word in ")]") if len(word) == 1 else 0
        if depth > deepest:
            raise QueryFailure(FailureKind.TOO_LARGE, f"Brackets are nested more than {deepest} deep.")


def refused_function(name: str) -> QueryFailure:
    """Return the failure for a function outside `FUNCTIONS`."""
    return QueryFailure(FailureKind.FORBIDDEN, f"The function {name} is not allowed in a query.")


def refused_table(name: str) -> QueryFailure:
    """Return the failure for a table outside the domain, whether or not it exists."""
    return QueryFailure(FailureKind.FORBIDDEN, f"{name} is not part of the domain.")
