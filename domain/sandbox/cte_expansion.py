"""Growth of a statement while it is compiled, before any limit on running time counts.

Databases put the text of a table expression in place of its name. Where such expressions mention one another twice,
thirty short ones make a thousand million copies; where their *columns* are mentioned twice (`x || x`), so many copies
of an expression. Both end in minutes and gigabytes with nothing to interrupt them, so both are estimated here, from
above, on the bare words.
"""

from collections import Counter

import msgspec

from domain.sandbox.statement_guard import KEYWORDS, Limits, tokens
from session.values.answers import FailureKind, QueryFailure

_TABLE_SIGNS = frozenset(("from", "join", ",", "(", "."))


def check_expansion(sql: str, limits: Limits) -> None:
    """Refuses expressions that multiply each other; raises `QueryFailure` TOO_LARGE."""
    words = list(tokens(sql))
    copied = copies(words)
    if copied > limits.copies or copied * growth(words) > limits.growth:
        raise QueryFailure(
            FailureKind.TOO_LARGE, "The parts of the query refer to one another too often; use fewer parts."
        )


def copies(words: list[str]) -> int:
    """Return an upper bound of how often one expression declared by WITH is copied: mentions multiply."""
    total = 1
    for name in _declared(words):
        mentions = sum(word.strip("'") == name and _is_mention(words, place) for place, word in enumerate(words))
        total *= max(1, mentions)
    return total


def growth(words: list[str]) -> int:
    """Return an upper bound of the growth of expressions when inner selections' columns are substituted.

    Each selection after FROM or in WITH multiplies by as often as it mentions the name that it mentions most.
    """
    total = 1
    for mentioned in _bodies(words):
        every = mentioned.pop("*", 0)
        total *= max(1, every + max(mentioned.values(), default=0))
    return total


class _Bracket(msgspec.Struct):
    """An open bracket: to which selection its words belong, and the clause at this place."""

    body: int
    clause: str


_CLAUSES = {word: word for word in ("from", "where", "having", "limit")} | {"group": "by", "order": "by"}
_CLAUSES |= dict.fromkeys(("union", "except", "intersect"), "")


def _bodies(words: list[str]) -> list[Counter[str]]:
    """Count how often each selection mentions each name, qualifiers apart; selections within expressions count with theirs.

    A star, and a number that stands for a column in ORDER BY or GROUP BY, mention every column and count as one name.
    """
    bodies: list[Counter[str]] = [Counter()]
    brackets = [_Bracket(0, "")]
    for place, word in enumerate(words):
        here = brackets[-1]
        before = words[place - 1] if place else ""
        if word == "(":
            brackets.append(_Bracket(here.body, "from" if _takes_tables(before, here) else ""))
        elif word == ")" and len(brackets) > 1:
            brackets.pop()
        elif word in ("select", "values"):
            if here.clause == "from" and before == "(":
                bodies.append(Counter())
                here.body = len(bodies) - 1
            here.clause = "select"
        elif word in _CLAUSES:
            here.clause = _CLAUSES[word]
        elif _is_every_column(word, before, here.clause):
            bodies[here.body]["*"] += 1
        elif _is_name(word) and words[place + 1 : place + 2] != ["."]:
            bodies[here.body][word] += 1
    return bodies


def _takes_tables(before: str, here: _Bracket) -> bool:
    return before in ("from", "join", "as", "materialized") or (before in (",", "(") and here.clause == "from")


def _is_every_column(word: str, before: str, clause: str) -> bool:
    if word == "*":
        return before in ("select", "distinct", "all", ",", ".")
    return clause == "by" and word.isdigit() and before in ("by", ",")


def _is_name(word: str) -> bool:
    return (word[0].isalpha() or word[0] == "_") and word not in KEYWORDS


def _declared(words: list[str]) -> list[str]:
    """Names before `AS (`, with or without a list of columns between, as WITH declares them."""
    named: dict[str, None] = {}
    if "with" not in words:
        return []
    for place, word in enumerate(words):
        if word == "as" and place and _opens(words, place + 1):
            start = place - 1
            if words[start] == ")":
                start = max(0, _opening(words, start) - 1)
            named[words[start].strip("'")] = None
    return list(named)


def _opening(words: list[str], closing: int) -> int:
    return next((place for place in range(closing, -1, -1) if words[place] == "("), 0)


def _opens(words: list[str], place: int) -> bool:
    rest = [word for word in words[place : place + 3] if word not in ("not", "materialized")]
    return bool(rest) and rest[0] == "("


def _is_mention(words: list[str], place: int) -> bool:
    before = words[place - 1] if place else ""
    after = words[place + 1] if place + 1 < len(words) else ""
    return before in _TABLE_SIGNS and after != "." and not _declares(words, place)


def _declares(words: list[str], place: int) -> bool:
    """Return whether a name stands where WITH declares it: before AS and an opening bracket, or before a list of columns."""
    after = place + 1
    if words[after : after + 1] == ["("]:
        after = next((at for at in range(after, len(words)) if words[at] == ")"), len(words)) + 1
    return words[after : after + 1] == ["as"] and _opens(words, after + 1)
