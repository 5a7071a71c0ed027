"""What a statement may look like before any database sees it.

The databases themselves refuse to write (an authorizer on SQLite, a role on PostgreSQL); this module gives the clear
sentence first, and stops what the databases do not: text that takes unbounded time or memory to *compile*. Common
table expressions are copied by SQLite at every mention, so forty short ones can fill the memory before the first row
is looked for, when no limit on running time counts yet. Pure: text in, nothing or one `QueryFailure` out.
"""

import re
from collections.abc import Iterator

import msgspec

from session.answers import FailureKind, QueryFailure


class Limits(msgspec.Struct, frozen=True):
    """Bounds of one query: rows and bytes given back, seconds it may run, and how large its parts may be.

    `scratch_bytes` bounds the temporary files that sorting and grouping may fill; `compounds` the terms of UNION and
    its like, `expansion` the copies of common table expressions.
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
    expansion: int = 256
    scratch_bytes: int = 268_435_456


_FUNCTIONS = """abs avg coalesce count cume_dist dense_rank first_value glob group_concat ifnull iif instr lag
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

_TOKENS = re.compile(
    r"""(?P<space>\s+|--[^\n]*(?:\n|$)|/\*.*?(?:\*/|$))
      | (?P<quoted>'(?:[^']|'')*')
      | (?P<name>[^\W\d]\w*|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\])
      | (?P<other>\w+|.)""",
    re.VERBOSE | re.DOTALL,
)


def tokens(sql: str) -> Iterator[str]:
    """The words and signs of a statement in lower case, without blanks and comments; a literal stays in its quotes."""
    for match in _TOKENS.finditer(sql):
        kind, text = match.lastgroup, match.group()
        if kind == "space":
            continue
        yield text.strip('"`[]').lower() if kind == "name" else text


def check_text(sql: str, limits: Limits) -> None:
    """Refuses what is no single reading statement of bearable size; raises `QueryFailure`."""
    if len(sql) > limits.statement_characters:
        raise QueryFailure(
            FailureKind.TOO_LARGE,
            f"The query has {len(sql)} characters; {limits.statement_characters} are allowed.",
        )
    if "\0" in sql or any("\ud800" <= sign <= "\udfff" for sign in sql):
        raise QueryFailure(FailureKind.SYNTAX, "The query holds a character that no SQL text can hold.")
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
            FailureKind.FORBIDDEN, f"{first.upper()} is not allowed: the database is only read here, by SELECT."
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


def expansion(sql: str) -> int:
    """An upper bound of how many copies of one common table expression SQLite makes: mentions multiply."""
    words = list(tokens(sql))
    named = _table_expressions(words)
    copies = 1
    for name in named:
        mentions = sum(1 for place, word in enumerate(words) if word == name and _is_table(words, place))
        copies *= max(1, mentions)
    return copies


def _table_expressions(words: list[str]) -> list[str]:
    """Names before `AS (`, with or without a list of columns between, as WITH declares them."""
    if "with" not in words:
        return []
    named: list[str] = []
    for place, word in enumerate(words):
        if word != "as" or place == 0 or not _opens(words, place + 1):
            continue
        start = place - 1
        if words[start] == ")":
            while start > 0 and words[start] != "(":
                start -= 1
            start -= 1
        if start >= 0 and words[start] not in named:
            named.append(words[start])
    return named


def _opens(words: list[str], place: int) -> bool:
    rest = [word for word in words[place : place + 3] if word not in ("not", "materialized")]
    return bool(rest) and rest[0] == "("


def _is_table(words: list[str], place: int) -> bool:
    before = words[place - 1] if place else ""
    after = words[place + 1] if place + 1 < len(words) else ""
    return before in ("from", "join", ",", "(", "in", ".") and after != "." and not _declares(words, place)


def _declares(words: list[str], place: int) -> bool:
    """Whether a name stands where WITH declares it: before AS and an opening bracket, or before a list of columns."""
    after = place + 1
    if after < len(words) and words[after] == "(":
        while after < len(words) and words[after] != ")":
            after += 1
        after += 1
    return after < len(words) and words[after] == "as" and _opens(words, after + 1)


def check_expansion(sql: str, limits: Limits) -> None:
    """Refuses common table expressions that multiply each other; raises `QueryFailure` TOO_LARGE."""
    if expansion(sql) > limits.expansion:
        raise QueryFailure(
            FailureKind.TOO_LARGE, "The WITH expressions use one another too often; write the query with fewer."
        )


def refused_function(name: str) -> QueryFailure:
    """The failure for a function outside `FUNCTIONS`."""
    return QueryFailure(FailureKind.FORBIDDEN, f"The function {name} is not allowed in a query.")


def refused_table(name: str) -> QueryFailure:
    """The failure for a table that may exist but is none of the domain's."""
    return QueryFailure(FailureKind.FORBIDDEN, f"{name} is not part of the domain.")
