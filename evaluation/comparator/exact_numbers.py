"""Numbers of whole columns as integers on one scale, exactly.

Two answers of ten thousand rows by twenty columns hold 400,000 decimals; to hash each of them costs more than to settle the
comparison. Multiplied by one power of ten they are integers, which fit 64 bits nearly always and are then ranked by sorting.
Decimals that a database made of doubles do not fit: they are ranked as doubles, which keep their order, and two that one
double stands for are distinguished by a comparison of the decimals. What is left is ranked as integers of any size.
"""

from collections.abc import Sequence
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, Inexact, InvalidOperation, Overflow
from itertools import repeat
from math import lcm
from operator import eq
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

Ranks = npt.NDArray[np.int64]
Number = int | Decimal

SAMPLE = 64
MOST_PLACES = 18
FEW_PLACES = 6  # a sample with more is of doubles, whose places vary: to count them all costs more than to rank them so
WORD = 2**62
LEAST = 1e-290
"""Nearer to nothing a double has fewer digits than elsewhere."""

# Inexact and InvalidOperation are raised, so that what comes out is exact or does not come out
_EXACT = Context(prec=40, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[Inexact, InvalidOperation, Overflow])


class Ranked(msgspec.Struct, frozen=True):
    """Numbers by rank: `ranks` in the order given, `scaled` the distinct ones ascending and `first` where each stood first.

    `scaled` is an array of int64, of Python's integers where these do not suffice, or of doubles: these are near the numbers,
    and no two of them are equal.
    """

    ranks: Ranks
    scaled: npt.NDArray[Any]
    first: Ranks


def ranked(numbers: Sequence[Number]) -> Ranked:
    """Rank finite numbers by value; 1 and 1.0 are one number."""
    scaled = _in_words(numbers)
    if scaled is None and (by_doubles := _by_doubles(numbers)) is not None:
        return by_doubles
    if scaled is None:
        values, first, ranks = _distinct(numbers)
    else:
        values, first, ranks = np.unique(scaled, return_index=True, return_inverse=True)
    return Ranked(ranks.astype(np.int64), values, first.astype(np.int64))


def _in_words(numbers: Sequence[Number]) -> npt.NDArray[Any] | None:
    """The numbers times one power of ten, as 64-bit integers; None if that is not exact."""
    types = set(map(type, numbers))
    try:
        if Decimal not in types:
            found: npt.NDArray[Any] | None = np.array(numbers, dtype=np.int64)
        else:
            places = _places(numbers[:SAMPLE])
            found = _without_point(numbers, places)
            if found is None and places <= FEW_PLACES:
                found = _without_point(numbers, _places(numbers))
    except OverflowError:
        return None
    if found is None or (len(found) and (found.min() < -WORD or found.max() > WORD)):
        return None
    return found


def _by_doubles(numbers: Sequence[Number]) -> Ranked | None:
    """The numbers ranked as doubles; None if a double stands for two of them, or for one that it cannot come near."""
    try:
        near = np.fromiter(map(float, numbers), dtype=np.float64, count=len(numbers))
    except OverflowError:
        return None
    size = np.abs(near[near != 0])
    if not np.isfinite(near).all() or (len(size) and size.min() < LEAST):
        return None
    values, first, ranks = np.unique(near, return_index=True, return_inverse=True)
    if not all(map(eq, numbers, map(numbers.__getitem__, first[ranks].tolist()))):
        return None
    return Ranked(ranks.astype(np.int64), values, first.astype(np.int64))


def _places(numbers: Sequence[Number]) -> int:
    """Return how many decimals the numbers need at most."""
    exponents = (number.as_tuple().exponent for number in numbers if isinstance(number, Decimal))
    return max((-exponent for exponent in exponents if isinstance(exponent, int) and exponent < 0), default=0)


def _without_point(numbers: Sequence[Number], places: int) -> npt.NDArray[Any] | None:
    if not 0 <= places <= MOST_PLACES:
        return None
    scale = Decimal(10**places)
    try:
        products = map(_EXACT.multiply, numbers, repeat(scale))
        return np.array(list(map(_EXACT.to_integral_exact, products)), dtype=np.int64)
    except (Inexact, InvalidOperation):
        return None


def _of_any_size(numbers: Sequence[Number]) -> list[int]:
    """Return all numbers times one number that makes integers of them."""
    scale = Decimal(1).scaleb(_places(numbers), _EXACT)
    try:
        return list(map(int, map(_EXACT.multiply, numbers, repeat(scale))))
    except (Inexact, InvalidOperation, Overflow):
        ratios = [number.as_integer_ratio() for number in numbers]
        whole = lcm(*{divisor for _, divisor in ratios})
        return [top * (whole // divisor) for top, divisor in ratios]


def _distinct(numbers: Sequence[Number]) -> tuple[npt.NDArray[Any], Ranks, Ranks]:
    # equal numbers have equal hashes, and both sides of a right answer hold the same: half of them need no scaling
    unique = list(dict.fromkeys(numbers))
    scaled = _of_any_size(unique)
    order = sorted(range(len(scaled)), key=scaled.__getitem__)
    rank = dict(zip(map(unique.__getitem__, order), range(len(order)), strict=True))
    ranks = np.fromiter(map(rank.__getitem__, numbers), dtype=np.int64, count=len(numbers))
    _, first = np.unique(ranks, return_index=True)
    return np.array(list(map(scaled.__getitem__, order)), dtype=np.object_), first, ranks
