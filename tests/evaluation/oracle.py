"""The comparison spelt out: every injection of columns, every pairing of rows. Slow, and plainly what the papers say."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations

from corpus.formats.cas import Row, Value
from evaluation.comparator.options import Integers, Near, Options


def normal(rows: Sequence[Row], options: Options) -> list[tuple[tuple[str, object], ...]]:
    """Values with their types; a number that a column writes as an integer anywhere is one throughout the column."""
    columns = []
    for column in zip(*rows, strict=True):
        whole = {value for value in column if type(value) is int}
        columns.append([_typed(value, whole, options) for value in column])  # type: ignore[arg-type]
    return list(zip(*columns, strict=True))


def _typed(value: Value, whole: set[Value], options: Options) -> tuple[str, object]:
    if value is None or isinstance(value, bool):
        return (type(value).__name__, value)
    if isinstance(value, str):
        return ("string", value.strip() if options.trim else value)
    if not isinstance(value, (int,)) and hasattr(value, "text"):
        return ("date", value.text)
    exact = value in whole and options.integers is Integers.EXACT
    return ("integer" if exact else "real", Fraction(value))


def fits(reference: tuple[str, object], given: tuple[str, object], options: Options) -> bool:
    numbers = ("integer", "real")
    if reference[0] in numbers and given[0] in numbers:
        a, b = reference[1], given[1]
        assert isinstance(a, Fraction)
        assert isinstance(b, Fraction)
        if reference[0] == given[0] == "integer":
            return a == b
        if options.digits is not None:
            return _digits(a, options.digits) == _digits(b, options.digits)
        return abs(a - b) <= abs(a) * options.epsilon
    return reference == given


def _digits(value: Fraction, digits: int) -> str:
    if value == 0:
        return "0"
    power = 0
    scaled = abs(value)
    while scaled >= 10**digits:
        scaled, power = scaled / 10, power + 1
    while scaled < 10 ** (digits - 1):
        scaled, power = scaled * 10, power - 1
    return str(Fraction(round(scaled)) * Fraction(10) ** power * (1 if value > 0 else -1))


def same_tuples(
    a: list[tuple[tuple[str, object], ...]], b: list[tuple[tuple[str, object], ...]], options: Options
) -> bool:
    """Whether the distinct rows of both can be paired one to one, or those of `b` be told to those of `a` with none left out."""
    left = list(
        {tuple((k if k not in ("integer", "real") else "number", v) for k, v in row): row for row in a}.values()
    )
    right = list(
        {tuple((k if k not in ("integer", "real") else "number", v) for k, v in row): row for row in b}.values()
    )
    if len(left) > len(right) or (len(left) < len(right) and options.near is Near.APART):
        return False
    edges = [
        [j for j, there in enumerate(right) if all(fits(x, y, options) for x, y in zip(row, there, strict=True))]
        for row in left
    ]
    partner: dict[int, int] = {}

    def place(i: int, seen: set[int]) -> bool:
        for j in edges[i]:
            if j not in seen:
                seen.add(j)
                if j not in partner or place(partner[j], seen):
                    partner[j] = i
                    return True
        return False

    return all(place(i, set()) for i in range(len(left))) and {j for row in edges for j in row} == {*range(len(right))}


def minimum_holds(least: Sequence[Row], given: Sequence[Row], options: Options) -> bool:
    if not least or not given:
        return not least and not given
    a, b = normal(least, options), normal(given, options)
    return any(
        same_tuples(a, [tuple(row[j] for j in places) for row in b], options)
        for places in permutations(range(len(b[0])), len(a[0]))
    )


def maximum_holds(given: Sequence[Row], most: Sequence[Row], options: Options) -> bool:
    """Every tuple of the answer fits one of the maximum, for some injection of its columns."""
    if not given:
        return True
    if not most:
        return False
    a, b = normal(given, options), normal(most, options)
    return any(
        all(
            any(all(fits(row[j], value, options) for j, value in zip(places, one, strict=True)) for row in b)
            for one in a
        )
        for places in permutations(range(len(b[0])), len(a[0]))
    )
