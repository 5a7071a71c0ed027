"""Pairing of the rows of two relations once it is settled which column is which.

Without tolerance that is equality of sets. With it, equality is not transitive, so that greedy answers depend on luck of
order: the rows are paired by a maximum matching instead. Both sides in order often are such a pairing already.
"""

import numpy as np
import numpy.typing as npt

from evaluation.comparator.bitset_matching import MOST, Bipartite, PreparedColumns
from evaluation.comparator.value_codes import Codes, Flags, PairCodes
from evaluation.comparator.work_limit import OutOfWork, WorkMeter

Places = npt.NDArray[np.int64]


def pairing(coding: PairCodes, meter: WorkMeter, known: PreparedColumns) -> Bipartite | None:
    """Return which rows fit which when the columns of both sides are in the same order; None when it is plain that all can be
    paired.

    Raises OutOfWork if the two sides are too long to be held as bits.
    """
    nothing = np.zeros(0, dtype=np.int64)
    pairs = (nothing, nothing)
    if len(coding.a) == len(coding.b):
        a_order, b_order = _order(coding, coding.a), _order(coding, coding.b)
        in_order = _fit(coding, a_order, b_order)
        meter.add(len(coding.a) * (1 + coding.a.shape[1] // 4) // 4)
        if bool(in_order.all()):
            return None
        pairs = (a_order[in_order], b_order[in_order])
    if max(len(coding.a), len(coding.b)) > MOST:
        raise OutOfWork
    return Bipartite(coding, pairs, meter, known)


def _order(coding: PairCodes, rows: Codes) -> Places:
    """Rows by their classes first and their values second."""
    keys = [rows[:, column] for column in reversed(range(rows.shape[1]))]
    return np.lexsort(keys + [coding.kinds[key] for key in keys])


def _fit(coding: PairCodes, a_rows: Places, b_rows: Places) -> Flags:
    """Row by row, whether a tuple of `a` fits one of `b` in every column."""
    a, b = coding.a[a_rows], coding.b[b_rows]
    inside = (b >= coding.low[a]) & (b <= coding.high[a])
    found: Flags = (inside & ((a == b) | ~(coding.a_whole[a_rows] & coding.b_whole[b_rows]))).all(axis=-1)
    return found


def distinct_rows(rows: Codes) -> Places:
    """Places of the first of every distinct row, ascending."""
    _, first = np.unique(pack(rows), return_index=True)
    return np.sort(first)


def pack(rows: Codes) -> Codes:
    """Every row as one number, equal where rows are equal; codes that do not fit are numbered again on the way."""
    packed = np.zeros(len(rows), dtype=np.int64)
    size = 1
    for column in range(rows.shape[1]):
        width = int(rows[:, column].max(initial=0)) + 1
        if size * width >= 2**62:
            values, packed = np.unique(packed, return_inverse=True)
            size = len(values)
        packed = packed * width + rows[:, column]
        size *= width
    return packed
