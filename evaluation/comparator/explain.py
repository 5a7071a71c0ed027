"""Explanation of a wrong answer in terms of its own columns and tuples.

The verdict alone sends people to the wrong place: an answer with one flight too many looks, column by column, like the
right one. So the mapping that came nearest is shown, with the first tuple missing under it and the first one too many.
"""

import msgspec
import numpy as np

from corpus.formats.cas import Relation, Row, Rules, render_value
from evaluation.comparator.column_candidates import reduced
from evaluation.comparator.comparison import Judgement
from evaluation.comparator.options import Options
from evaluation.comparator.row_pairing import pack
from evaluation.comparator.value_codes import Codes, Flags, PairCodes

NEAR = 2_000


class Explanation(msgspec.Struct, frozen=True):
    """Explanation of what keeps an answer from an alternative.

    `mapping` gives, for every column of the reference, the nearest column of the answer (counted from 1). `missing` and
    `surplus` are tuples in CAS, `missing_count` and `surplus_count` say how many there are of them.
    """

    reason: str
    mapping: tuple[int, ...] = ()
    missing: str | None = None
    surplus: str | None = None
    missing_count: int = 0
    surplus_count: int = 0

    def text(self) -> str:
        """The explanation in a line."""
        parts = [self.reason]
        if self.mapping:
            columns = ", ".join(f"{i}→{j}" for i, j in enumerate(self.mapping, start=1))
            parts.append(f"nearest columns (reference→answer) {columns}")
        if self.missing is not None:
            parts.append(f"missing {self.missing}" + _more(self.missing_count))
        if self.surplus is not None:
            parts.append(f"too much {self.surplus}" + _more(self.surplus_count))
        return "; ".join(parts)


def _more(count: int) -> str:
    return f" and {count - 1} more" if count > 1 else ""


def explain(
    judgement: Judgement, least: Relation, given: Relation, most: Relation | None, options: Options
) -> Explanation:
    """Explain what keeps `given` from one alternative of a reference."""
    if judgement.mapping is None:
        return explain_minimum(least, given, options)
    if most is None or not most.rows:
        return Explanation("the maximum is empty, the answer is not")
    if given.arity > most.arity:
        return Explanation(f"the answer has {given.arity} columns, the maximum allows {most.arity}")
    found = _difference(given, most, options, a_is_reference=False, both=False)
    columns = ", ".join(f"{i}→{j}" for i, j in enumerate(found.mapping, start=1))
    reason = f"the answer goes beyond the maximum; nearest columns (answer→maximum) {columns}"
    return Explanation(reason, (), None, found.missing, 0, found.missing_count)


def explain_minimum(least: Relation, given: Relation, options: Options) -> Explanation:
    """Explain what keeps an answer from having the tuples of the minimum."""
    if not least.rows:
        return Explanation(
            "the reference is empty, the answer is not", (), None, _shown(given.rows[0], options), 0, len(given.rows)
        )
    if not given.rows:
        return Explanation("the answer is empty", (), _shown(least.rows[0], options), None, len(least.rows), 0)
    if given.arity < least.arity:
        return Explanation(f"the answer has {given.arity} columns, the reference needs {least.arity}")
    return _difference(least, given, options, a_is_reference=True, both=True)


def _difference(a: Relation, b: Relation, options: Options, *, a_is_reference: bool, both: bool) -> Explanation:
    coding = PairCodes(a.rows, b.rows, options, a_is_reference=a_is_reference)
    mapping = _nearest(coding)
    view = reduced(coding, mapping)
    absent, extra = _unmatched(view)
    extra = extra if both else []
    missing = _shown(a.rows[view.a_rows[absent[0]]], options) if absent else None
    surplus = _shown(tuple(b.rows[view.b_rows[extra[0]]][j] for j in mapping), options) if extra else None
    if absent or extra:
        reason = "no choice of columns gives the tuples of the reference"
    else:
        paired = "given tuples of their own" if view.merging else "paired one to one"
        reason = f"within the tolerance the tuples of the reference cannot be {paired}"
    return Explanation(reason, tuple(j + 1 for j in mapping), missing, surplus, len(absent), len(extra))


def _unmatched(coding: PairCodes) -> tuple[list[int], list[int]]:
    """Rows of either side that fit none of the other when the columns stand as they are."""
    packed = pack(np.concatenate([coding.a, coding.b]))
    a, b = packed[: len(coding.a)], packed[len(coding.a) :]
    absent, extra = np.flatnonzero(~np.isin(a, b)).tolist(), np.flatnonzero(~np.isin(b, a)).tolist()
    if not coding.fuzzy:
        return absent, extra
    return _alone(coding, absent, forward=True), _alone(coding, extra, forward=False)


def _alone(coding: PairCodes, rows: list[int], *, forward: bool) -> list[int]:
    """Return the rows that fit none of the other side within the tolerance; only rows of the same classes can."""
    a, b = (coding.kinds[side] for side in (coding.a, coding.b))
    packed = pack(np.concatenate([a, b]))
    own, other = (packed[: len(a)], packed[len(a) :]) if forward else (packed[len(a) :], packed[: len(a)])
    order = np.argsort(other, kind="stable")
    first, after = (np.searchsorted(other[order], own[rows], side=side) for side in ("left", "right"))
    near = zip(rows, first.tolist(), after.tolist(), strict=True)
    return [row for row, start, end in near if not _fitting(coding, row, order[start:end], forward=forward).any()]


def _fitting(coding: PairCodes, row: int, others: Codes, *, forward: bool) -> Flags:
    """Flag those of these rows of the other side that fit this one, all columns in their order."""
    a, b = (row, others) if forward else (others, row)
    codes, there = coding.a[a], coding.b[b]
    inside = (there >= coding.low[codes]) & (there <= coding.high[codes])
    found: Flags = (inside & ((codes == there) | ~(coding.a_whole[a] & coding.b_whole[b]))).all(axis=-1)
    return found


def _nearest(coding: PairCodes) -> list[int]:
    """Columns given away one by one to the pair that shares the largest part of its values; then by their order."""
    a = [set(coding.kinds[column].tolist()) for column in coding.a.T]
    b = [set(coding.kinds[column].tolist()) for column in coding.b.T]
    order = sorted((-len(x & y) / len(x | y), i, j) for i, x in enumerate(a) for j, y in enumerate(b))
    given: dict[int, int] = {}
    for _, i, j in order:
        if i not in given and j not in given.values():
            given[i] = j
    return [given[i] for i in range(len(a))]


def _shown(row: Row, options: Options) -> str:
    rules = options.rules if options.rules is Rules.R1989 else Rules.R1992
    text = "(" + " ".join(render_value(value, rules) for value in row) + ")"
    return text if len(text) <= NEAR else text[: NEAR - 1] + "…"
