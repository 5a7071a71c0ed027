"""The values that an answer is made of, and how they are written; `corpus.formats.cas` reads them and is the face of both.

Apart from the parser, because everything that compares or derives answers needs the values and few need the grammar.
"""

from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

import msgspec


class Rules(StrEnum):
    """Rules of comparison, named after the paper that gave them."""

    R1989 = "1989"
    R1992 = "1992"


class Date(msgspec.Struct, frozen=True, order=True):
    """A date of 1989, nine characters `DD-MMM-YY`; the month's letters count without case."""

    text: str


Scalar = bool | int | Decimal | str | Date
Value = Scalar | None
Row = tuple[Value, ...]


class CasType(StrEnum):
    """The type of a column; integers and reals are one type in both versions."""

    BOOLEAN = "boolean"
    NUMBER = "number"
    STRING = "string"
    DATE = "date"


class CasError(ValueError):
    """Text or a value that is not an answer of the version asked for; line and column count from 1, 0 is unknown."""

    def __init__(self, message: str, line: int = 0, column: int = 0, source: str = "") -> None:
        place = ":".join(str(part) for part in (source, line, column) if part)
        super().__init__(f"{place}: {message}" if place else message)
        self.message = message
        self.line = line
        self.column = column
        self.source = source


def kind_of(value: Scalar) -> CasType:
    """The type of one value."""
    match value:
        case bool():
            return CasType.BOOLEAN
        case int() | Decimal():
            return CasType.NUMBER
        case str():
            return CasType.STRING
        case Date():
            return CasType.DATE


class Relation(msgspec.Struct, frozen=True, eq=False):
    """Rows of one length and one type per column, in the order written; `scalar` says how a 1×1 relation was written.

    Equality is of rows and types, so that TRUE is not 1, and does not look at `scalar` (`false` ≡ `((false))`).
    """

    rows: tuple[Row, ...]
    scalar: bool = False

    @property
    def arity(self) -> int:
        """The number of columns; 0 for the empty relation, which fits any."""
        return len(self.rows[0]) if self.rows else 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Relation) and self._typed() == other._typed()

    def __hash__(self) -> int:
        return hash(self.rows)

    def _typed(self) -> list[list[tuple[type, Value]]]:
        return [[(type(value), value) for value in row] for row in self.rows]


class NoAnswer(msgspec.Struct, frozen=True):
    """The token NO_ANSWER: the system says that it does not know."""


NO_ANSWER = NoAnswer()
Alternative = Relation | NoAnswer


class Answer(msgspec.Struct, frozen=True):
    """One or more alternatives; more than one only in a reference answer of 1992."""

    alternatives: tuple[Alternative, ...]

    @property
    def single(self) -> Alternative | None:
        """The one alternative, or None when there are several."""
        return self.alternatives[0] if len(self.alternatives) == 1 else None


def render(answer: Answer, rules: Rules = Rules.R1992) -> str:
    """The answer as text, one tuple a line, alternatives flat; raises CasError for what the version cannot say."""
    if len(answer.alternatives) == 1:
        return _render_one(answer.alternatives[0], rules)
    if rules is Rules.R1989 or not answer.alternatives:
        raise CasError(f"{len(answer.alternatives)} alternatives cannot be written by the rules of {rules}")
    return "(" + "\n OR ".join(_render_one(one, rules) for one in answer.alternatives) + ")"


def _render_one(one: Alternative, rules: Rules) -> str:
    if isinstance(one, NoAnswer):
        if rules is Rules.R1989:
            raise CasError("NO_ANSWER came in 1992")
        return "NO_ANSWER"
    if one.scalar:
        return render_value(one.rows[0][0], rules)
    return "(" + "\n ".join("(" + " ".join(render_value(v, rules) for v in row) + ")" for row in one.rows) + ")"


def render_value(value: Value, rules: Rules = Rules.R1992) -> str:
    """One value: numbers in plain digits, strings always in double quotes."""
    match value:
        case None:
            return "NIL"
        case bool():
            word = "TRUE" if value else "FALSE"
            return word.lower() if rules is Rules.R1989 else word
        case int():
            return str(value)
        case Decimal():
            return _render_real(value)
        case str():
            if '"' in value:
                raise CasError(f"a double quote cannot stand in a string of an answer: {value!r}")
            return f'"{value}"'
        case Date():
            return f'"{value.text}"'


def _render_real(value: Decimal) -> str:
    if not value.is_finite():
        raise CasError(f"{value} is not a number of an answer")
    whole, _, part = format(abs(value) if value == 0 else value, "f").partition(".")
    return f"{whole}.{part.rstrip('0') or '0'}"


def canonical(answer: Answer) -> Answer:
    """The one form of equal answers: relations throughout, rows in order, no row twice, no alternative twice.

    A number that its column writes without a point anywhere is written so everywhere (`48`, not `48.0`).
    """
    alternatives: dict[Alternative, None] = {}
    for one in answer.alternatives:
        ordered = one
        if isinstance(one, Relation):
            rows = _spelled(one.rows)
            ordered = Relation(tuple(sorted({_row_key(row): row for row in rows}.values(), key=_row_key)))
        alternatives[ordered] = None
    return Answer(tuple(alternatives))


def _spelled(rows: tuple[Row, ...]) -> list[Row]:
    """The rows with one spelling for each number of a column: the one without a point where there is one."""
    whole = [
        {v for v in column if isinstance(v, int) and not isinstance(v, bool)} for column in zip(*rows, strict=True)
    ]
    return [
        tuple(int(v) if isinstance(v, Decimal) and v in known else v for v, known in zip(row, whole, strict=True))
        for row in rows
    ]


def _row_key(row: Row) -> tuple[tuple[str, int | Decimal | str], ...]:
    return tuple(_value_key(value) for value in row)


def _value_key(value: Value) -> tuple[str, int | Decimal | str]:
    match value:
        case None:
            return ("nil", 0)
        case bool():
            return ("boolean", int(value))
        case int() | Decimal():
            return ("number", value)
        case str():
            return ("string", value)
        case Date():
            return ("date", value.text)


def rounded(answer: Answer, epsilon: Fraction) -> list[str]:
    """Reals whose last printed digit is coarser than the tolerance: the exact value could be scored wrong.

    A whole number such as 5.0 is left out: programs print exact values so.
    """
    found: list[str] = []
    for one in answer.alternatives:
        values = {value for row in one.rows for value in row} if isinstance(one, Relation) else set()
        for value in sorted(value for value in values if isinstance(value, Decimal) and value % 1):
            exponent = value.as_tuple().exponent
            half = Fraction(10) ** int(exponent) / 2 if isinstance(exponent, int) else Fraction(0)
            if half > abs(Fraction(value)) * epsilon:
                found.append(render_value(value))
    return found
