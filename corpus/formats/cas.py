"""The Common Answer Specification: the notation of answers, so that any system can be compared with any reference.

Two versions are in use. The one of 1989 (Boisen, Ramshaw, Ayuso & Bates, appendix A) knows dates and nothing but quoted
strings; the one of 1992 (Boisen & Bates, appendix A) drops dates and brings alternatives (OR), NO_ANSWER, optional
quotes and C comments as white space. Grammar of the second:

    answer   ::= cas1 | ( cas1 OR answer ) | ( cas1 OR cas1 … )      (nested to the right or flat, never to the left)
    cas1     ::= scalar | relation | NO_ANSWER
    relation ::= ( tuple* )      tuple ::= ( value+ )      value ::= scalar | NIL
    scalar   ::= boolean | number | string

An answer is a value of its own here: `parse` and `render` are inverse, every error carries line and column, and nothing
is guessed: a quoted "152" stays a string.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from itertools import repeat

from corpus.formats.cas_values import (
    NO_ANSWER,
    Alternative,
    Answer,
    CasError,
    CasType,
    Date,
    NoAnswer,
    Relation,
    Row,
    Rules,
    Scalar,
    Value,
    canonical,
    kind_of,
    render,
    render_value,
)
from corpus.formats.errors import shortened
from session.values.answers import Table
from session.values.answers import Value as DatabaseValue
from session.values.sanitize import inert

__all__ = [
    "LONGEST",
    "NO_ANSWER",
    "Alternative",
    "Answer",
    "CasError",
    "CasType",
    "Date",
    "NoAnswer",
    "Relation",
    "Row",
    "Rules",
    "Scalar",
    "Value",
    "Warn",
    "answer_of",
    "canonical",
    "kind_of",
    "number_of",
    "parse",
    "render",
    "render_table",
    "render_value",
]

Warn = Callable[[CasError], None]
_SPACE = r" \t\v\n\f\r"
_TOKEN = re.compile(
    rf'(?P<open>\()|(?P<close>\))|(?P<quoted>"[^"]*")|(?P<space>[{_SPACE}]+)|(?P<comment>/\*.*?\*/)'
    rf'|(?P<word>(?:(?!/\*)[^{_SPACE}()"])+)',
    re.DOTALL,
)
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?\Z", re.ASCII)
_MONTHS = "JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC"
_DATE = re.compile(rf"(0[1-9]|[12][0-9]|3[01])-({_MONTHS})-[0-9]{{2}}\Z", re.ASCII | re.IGNORECASE)
_BOOLEANS = {"true": True, "yes": True, "false": False, "no": False}

_NESTED = "alternatives are written flat, (a OR b OR c), or nested to the right, (a OR (b OR c))"

_Token = tuple[str, str, int]


def parse(
    text: str, rules: Rules = Rules.R1992, *, lenient: bool = False, source: str = "", warn: Warn | None = None
) -> Answer:
    """Read one answer; raises CasError with its place.

    `lenient` takes the distinguished words of 1992 in mixed case too (`True`, `Nil`); strictly they are strings there.
    `source` names the file in errors. `warn` gets what is legal but hardly meant, such as NIL as a bare scalar.

    >>> render(parse('((101 "UA"))'))
    '((101 "UA"))'
    """
    return _Parser(text, rules, lenient, source, warn).answer()


LONGEST = 1000
"""Characters of a number: far more than any answer needs, far fewer than what exhausts memory or time."""


def number_of(word: str) -> int | Decimal | None:
    """The number that a word spells (sign, digits, point; no exponent), or None; raises CasError for a huge one."""
    if not _NUMBER.match(word):
        return None
    if len(word) > LONGEST:
        raise CasError(f"a number of {len(word)} characters; the longest that is read has {LONGEST}")
    return Decimal(word) if "." in word else int(word)


DEEPEST = 200
"""Parentheses within one another: far more than any answer has, far fewer than what exhausts the stack."""


class _Parser:
    """Recursive descent over the tokens; `position` is always an offset into the text."""

    def __init__(self, text: str, rules: Rules, lenient: bool, source: str, warn: Warn | None) -> None:
        self._text = text
        self._rules = rules
        self._old = rules is Rules.R1989
        self._lenient = lenient
        self._source = source
        self._warn = warn
        self._coming = self._split()
        self._ahead: list[_Token] = []
        self._depth = 0

    def answer(self) -> Answer:
        if self._peek()[0] == "end":
            raise self._error("there is no answer here; the empty relation is written ()", 0)
        alternatives = self._answer()
        kind, found, position = self._peek()
        if kind != "end":
            hint = "" if self._old else "; several alternatives are written ( a OR b )"
            raise self._error(f"the answer is complete before {found}{hint}", position)
        return Answer(tuple(alternatives))

    def _split(self) -> Iterator[_Token]:
        """One by one, for all at once would take a hundred times the memory of the text."""
        position = 0
        while position < len(self._text):
            found = _TOKEN.match(self._text, position)
            if found is None:
                what = "string" if self._text[position] == '"' else "comment"
                raise self._error(f"the {what} that begins here has no end", position)
            kind = str(found.lastgroup)
            if kind == "comment" and self._old:
                raise self._error("comments came in 1992; the rules in force are those of 1989", position)
            if kind not in ("space", "comment"):
                yield kind, found.group(), position
            position = found.end()
        yield from repeat(("end", "the end of the text", position))

    def _error(self, message: str, position: int) -> CasError:
        line = self._text.count("\n", 0, position) + 1
        return CasError(shortened(inert(message)), line, position - self._text.rfind("\n", 0, position), self._source)

    def _peek(self, ahead: int = 0) -> _Token:
        while len(self._ahead) <= ahead:
            self._ahead.append(next(self._coming))
        return self._ahead[ahead]

    def _next(self) -> _Token:
        return self._ahead.pop(0) if self._ahead else next(self._coming)

    def _is_or(self) -> bool:
        kind, found, _ = self._peek()
        return kind == "word" and found in ("OR", "or")

    def _answer(self) -> list[Alternative]:
        """One alternative, or all those that a parenthesis encloses, nested to the right or flat."""
        if self._peek()[0] != "open":
            return [self._bare()]
        position = self._next()[2]
        first, second = self._peek()[0], self._peek(1)[0]
        if first in ("close", "end") or (first == "open" and second not in ("open", "close")):
            return [self._relation()]
        self._depth += 1
        if self._depth > DEEPEST:
            raise self._error(f"more than {DEEPEST} parentheses within one another", position)
        inner = self._answer()
        if not self._is_or():
            raise self._not_a_list(position, empty=first == "open" and second == "close")
        if self._old:
            raise self._error("OR came in 1992; the rules in force are those of 1989", self._peek()[2])
        found: list[Alternative] = []
        while self._is_or():
            if len(inner) > 1:
                raise self._error(_NESTED, self._peek()[2])
            self._next()
            found += inner
            inner = self._answer()
        self._close()
        self._depth -= 1
        return [*found, *inner]

    def _not_a_list(self, position: int, empty: bool) -> CasError:
        if empty:
            return self._error("a tuple holds at least one value", position + 1)
        return self._error("a list holds tuples: a single value is written 5 or ((5))", position)

    def _bare(self) -> Alternative:
        kind, found, position = self._next()
        if kind in ("close", "end"):
            raise self._error(f"an answer was expected, not {found}", position)
        if not self._old and kind == "word" and self._distinguished(found) == "no_answer":
            return NO_ANSWER
        value = self._value(kind, found, position)
        if value is None:
            if self._old:
                raise self._error("NIL stands for a value in a tuple only: ((NIL))", position)
            self._tell("NIL by itself is read as a string; a missing value is written ((NIL))", position)
            value = found
        return Relation(((value,),), scalar=True)

    def _relation(self) -> Relation:
        rows: list[Row] = []
        kinds: list[CasType | None] = []
        while self._peek()[0] == "open":
            rows.append(self._tuple(kinds, first=not rows))
        if self._is_or() and not self._old:
            raise self._error(f"OR within a list of tuples; {_NESTED}", self._peek()[2])
        self._close()
        return Relation(tuple(rows))

    def _tuple(self, kinds: list[CasType | None], first: bool) -> Row:
        """One tuple; `kinds` holds the type of every column as far as it is known and is completed here."""
        start = self._next()[2]
        row: list[Value] = []
        while self._peek()[0] in ("word", "quoted"):
            kind, found, position = self._next()
            value = self._value(kind, found, position)
            if first:
                kinds.append(None)
            if len(row) < len(kinds) and value is not None:
                self._check_kind(kinds, len(row), value, position)
            row.append(value)
        if self._peek()[0] == "open":
            raise self._error("a tuple holds values, not lists", self._peek()[2])
        if not row and self._peek()[0] == "close":
            raise self._error("a tuple holds at least one value", start)
        self._close()
        if len(row) != len(kinds):
            raise self._error(f"this tuple has {len(row)} values, the first one {len(kinds)}", start)
        return tuple(row)

    def _check_kind(self, kinds: list[CasType | None], column: int, value: Scalar, position: int) -> None:
        kind = kind_of(value)
        known = kinds[column]
        if known is not None and known is not kind:
            raise self._error(f"a {kind} in column {column + 1}, which holds {known}s above", position)
        kinds[column] = kind

    def _close(self) -> None:
        kind, found, position = self._next()
        if kind != "close":
            raise self._error(f"a closing parenthesis was expected, not {found}", position)

    def _distinguished(self, word: str) -> str:
        """The word in lower case when its case lets it be a distinguished one, otherwise nothing."""
        return word.lower() if self._old or self._lenient or word in (word.upper(), word.lower()) else ""

    def _value(self, kind: str, found: str, position: int) -> Value:
        if kind == "quoted":
            text = found[1:-1]
            return Date(text.upper()) if self._old and _DATE.match(text) else text
        try:
            number = number_of(found)
        except CasError as error:
            raise self._error(error.message, position) from error
        if number is not None:
            return number
        word = self._distinguished(found)
        if word == "nil":
            return None
        if word in _BOOLEANS and (not self._old or word in ("true", "false")):
            return _BOOLEANS[word]
        if self._old:
            raise self._error(
                f"{found} is neither a number nor a Boolean; a string of 1989 is in double quotes", position
            )
        if word == "no_answer":
            self._tell("NO_ANSWER inside a tuple is read as a string", position)
        return found

    def _tell(self, message: str, position: int) -> None:
        if self._warn is not None:
            self._warn(self._error(message, position))


def answer_of(table: Table, *, mixed_as_strings: bool = False) -> Answer:
    """Return the rows of a database as an answer: types are the database's, NULL is NIL, floats are reals.

    Raises CasError naming row and column for what an answer cannot hold (infinity, a double quote, or a column of two
    types, unless `mixed_as_strings` turns such a column into strings).
    """
    rows = [
        [_from_database(value, number, name) for value, name in zip(row, table.columns, strict=True)]
        for number, row in enumerate(table.rows, start=1)
    ]
    for place, name in enumerate(table.columns):
        kinds = {kind_of(row[place]) for row in rows if row[place] is not None}  # type: ignore[arg-type]
        if len(kinds) > 1 and not mixed_as_strings:
            found = " and ".join(sorted(kinds))
            raise CasError(f"column {place + 1} ({name}) holds {found} values; an answer's column has one type")
        for row in rows if len(kinds) > 1 else ():
            row[place] = _as_string(row[place])
    return Answer((Relation(tuple(tuple(row) for row in rows)),))


def _from_database(value: DatabaseValue, number: int, name: str) -> Value:
    if isinstance(value, float):
        exact = Decimal(repr(value))
        if not exact.is_finite():
            raise CasError(f"row {number}, column {name}: {value} is not a number of an answer")
        return Decimal(render_value(exact))
    if isinstance(value, str) and '"' in value:
        raise CasError(f"row {number}, column {name}: a double quote cannot stand in a string of an answer")
    return value


def _as_string(value: Value) -> Value:
    return None if value is None else value if isinstance(value, str) else render_value(value)


def render_table(columns: Sequence[str], rows: Sequence[Sequence[DatabaseValue]]) -> str:
    """Columns and rows as they came from a database, as canonical text of 1992; raises like `answer_of`."""
    table = Table(tuple(columns), tuple(tuple(row) for row in rows))
    return render(canonical(answer_of(table)))
