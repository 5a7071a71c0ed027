"""Every choice of a comparison in one value, and the signature that says them with every figure.

A score can be quoted only when it is known what was computed; the papers themselves tell the tolerance three ways
(relative, ±0.01 %, a number of significant digits), so the choice is printed and never implied.
"""

import re
from enum import StrEnum
from fractions import Fraction

import msgspec

from corpus.formats.cas import Rules

COMPARATOR_VERSION = "1"
EPSILON = "0.0001"
WORK = 2_000_000
"""About two seconds. The committed adversarial set needs 1.5 million steps at most."""


class Alternatives(StrEnum):
    """Number of alternatives of a reference that an answer must match."""

    ANY = "any"
    ALL = "all"


class Integers(StrEnum):
    """Treatment of two numbers that are both written without a point: by the tolerance, or exactly."""

    EXACT = "exact"
    TOLERANT = "tolerant"


class Near(StrEnum):
    """Treatment of an answer's tuples that are within the tolerance of one tuple of the reference: one, or each apart."""

    ONE = "one"
    APART = "apart"


class Options(msgspec.Struct, frozen=True):
    """Options of a comparison.

    `tolerance` is `0.0001` (that share of the reference's value, Boisen et al. 1989, S-9), `0` (none) or `digits:n`
    (n most significant digits, the other telling of the same page). `trim` ignores blanks around strings (1992).
    `work` bounds the search, in steps that take about a microsecond; past it the verdict is `undecided`.
    """

    rules: Rules = Rules.R1992
    tolerance: str = EPSILON
    integers: Integers = Integers.EXACT
    near: Near = Near.ONE
    alternatives: Alternatives = Alternatives.ANY
    lenient: bool = False
    trim: bool = True
    work: int = WORK

    def __post_init__(self) -> None:
        if not re.fullmatch(r"digits:[1-9][0-9]?|[0-9]+(\.[0-9]+)?", self.tolerance):
            raise ValueError(f"tolerance {self.tolerance!r}: write a share such as 0.0001, or digits:4")
        if self.work < 1:
            raise ValueError(f"work limit {self.work}: write a number of steps, such as {WORK}")
        if self.digits is None and self.epsilon >= 1:
            raise ValueError(f"tolerance {self.tolerance}: it is a share of the reference's value and below 1")

    @property
    def digits(self) -> int | None:
        """The number of significant digits compared, or None when the tolerance is relative."""
        return int(self.tolerance[7:]) if self.tolerance.startswith("digits:") else None

    @property
    def epsilon(self) -> Fraction:
        """The relative tolerance, exactly; 0 when significant digits are compared."""
        return Fraction(0) if self.digits is not None else Fraction(self.tolerance)

    def signature(self, *, maximum: bool) -> str:
        """Return what was computed, in one line that can stand beside a figure."""
        parts = [
            "CAS",
            f"rules:{self.rules}",
            f"ref:{'minmax' if maximum else 'min'}",
            f"tol:{self.tolerance}",
            f"int:{self.integers}",
            f"near:{self.near}",
            f"or:{self.alternatives}",
            f"case:{'lenient' if self.lenient else 'strict'}",
            f"trim:{'yes' if self.trim else 'no'}",
            f"v:{COMPARATOR_VERSION}",
        ]
        return "|".join(parts)


class ComparisonOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of a comparison as they are typed at a shell; every command that compares extends them."""

    rules: str = "1992"
    tolerance: str = EPSILON
    integers: str = "exact"
    near: str | None = None
    alternatives: str = "any"
    lenient: bool = False
    work: int = WORK

    def comparison(self) -> Options:
        """Return the options of the Comparator; raises ValueError for one that has no meaning."""
        return options_for(
            Rules(self.rules),
            tolerance=self.tolerance,
            integers=self.integers,
            **({} if self.near is None else {"near": self.near}),
            alternatives=self.alternatives,
            lenient=self.lenient,
            work=self.work,
        )


def options_for(rules: Rules, **changes: object) -> Options:
    """The options that a paper's rules imply: 1989 does not trim strings and counts near tuples apart; the rest is shared.

    `digits=n`, easier to type at a shell, is taken for `digits:n`.
    """
    if isinstance(changes.get("tolerance"), str):
        changes["tolerance"] = str(changes["tolerance"]).replace("digits=", "digits:")
    old = rules is Rules.R1989
    base: dict[str, object] = {"rules": rules, "trim": not old, "near": Near.APART if old else Near.ONE}
    return msgspec.convert({**base, **changes}, Options)
