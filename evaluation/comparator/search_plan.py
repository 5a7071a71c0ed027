"""Order and limits of the searches for a mapping.

None is quick on every pair: a guess that is checked, the search by columns, the one by columns and rows together, the one by
anchors for reals, and sets of columns that alone can be meant, each within a share of the work, so that what one cannot do
another does. All are exact. Fewer do not reach the bar: with the joint search in the place of the sets of columns, 15 pairs
of the committed set end undecided (2026-11-22).
"""

from collections.abc import Iterator
from contextlib import suppress
from math import prod

from evaluation.comparator.column_candidates import candidates as fitting
from evaluation.comparator.column_candidates import reduced
from evaluation.comparator.column_search import Search
from evaluation.comparator.corner_pruning import Corners
from evaluation.comparator.correlation_guess import guess
from evaluation.comparator.dense_maximum import DenseSearch
from evaluation.comparator.joint_search import JointSearch
from evaluation.comparator.row_anchor_search import WORD
from evaluation.comparator.subsets_by_count import SubsetsByCount
from evaluation.comparator.subsets_by_rows import SubsetsByRows
from evaluation.comparator.value_codes import PairCodes
from evaluation.comparator.work_limit import GaveUp, WorkMeter

# Steps (about a microsecond each) and counts, tuned on the committed set of `benchmarks/comparator.py` so that none of its pairs
# takes a second: the first tries decide nine of ten, what is given to one search must leave time for the next.
FIRST_TRY = 100_000
FIRST_TRY_OF_REALS = 250_000
ANCHORED = 1_500_000
ANCHORED_FALLING = 500_000
FEW = 200_000  # mappings that columns alone allow: so few are tried by columns at once
MORE = 3_000_000
GUESSED = 4  # columns from which on a guess costs less than a search
GUESSES = 1
DESIGN = 100  # rows up to which the joint search beats the others on whole relations: designs have few


def find(coding: PairCodes, meter: WorkMeter, *, both: bool, candidates: list[list[int]]) -> list[int] | None:
    """A mapping from the columns of `a` to those of `b`, or None; raises OutOfWork.

    `candidates` come from `evaluation.comparator.column_candidates`; with `both` no distinct row of the reduced `b` may be
    left over.
    """
    a, b = coding.a, coding.b
    if not all(candidates) or a.shape[1] > b.shape[1]:
        return None
    none_lost = a.shape[1] == b.shape[1] and not coding.merging
    if both and (len(a) > len(b) or (len(a) < len(b) and none_lost)):
        return None
    search = Search(coding, candidates, meter, both=both)
    if both and coding.fuzzy and a.shape[1] >= GUESSED and any(len(there) > 1 for there in candidates):
        meter.add(a.shape[1] * b.shape[1] * 100 + b.size // 20)
        for places in guess(a, b, GUESSES):
            if search.holds(places):
                return places
    falling = both and a.shape[1] < b.shape[1] and len(a) < len(b) and not coding.merging
    if coding.fuzzy and a.shape[1] >= GUESSED and b.shape[1] < WORD:
        return _by_turns(search, coding, candidates, meter, falling=falling)
    if coding.fuzzy and not falling:
        return search.run()
    with suppress(GaveUp), meter.at_most(FIRST_TRY):
        return search.run()
    if not coding.fuzzy and (not both or len(b) <= DESIGN):
        return _jointly(search, coding, candidates, meter, both=both)
    if not falling:
        return search.run()
    sets = _sets(coding, meter)
    return search.run() if sets is None else _among(sets, coding, candidates, meter)


def _jointly(
    search: Search, coding: PairCodes, candidates: list[list[int]], meter: WorkMeter, *, both: bool
) -> list[int] | None:
    """Without tolerance, by columns and rows together; by patterns where a maximum is narrow and may be dense."""
    a, b = coding.kinds[coding.a], coding.kinds[coding.b]
    dense = DenseSearch(a, b, candidates, meter)
    if not both and dense.possible:
        return dense.find()
    return JointSearch(a, b, candidates, meter, both=both).find(search.holds_exactly)


def _by_turns(
    search: Search, coding: PairCodes, candidates: list[list[int]], meter: WorkMeter, *, falling: bool
) -> list[int] | None:
    """By columns and by anchors in turn, because neither is quick on all; `falling` where rows of `b` must fall together."""
    with suppress(GaveUp), meter.at_most(FIRST_TRY if falling else FIRST_TRY_OF_REALS):
        return search.run()
    few = prod(map(len, candidates)) < FEW
    if not few:
        with suppress(GaveUp), meter.at_most(ANCHORED_FALLING if falling else ANCHORED):
            return search.anchored()
    sets = _sets(coding, meter) if falling else None
    if sets is not None:
        return _among(sets, coding, candidates, meter)
    if few:
        return search.run()
    with suppress(GaveUp), meter.at_most(MORE):
        return search.run()
    return search.anchored()


def _sets(coding: PairCodes, meter: WorkMeter) -> Iterator[list[int]] | None:
    """Sets of columns of `b` that alone can be the columns of `a`; None if there would be too many to look at."""
    if not coding.fuzzy:
        corners = Corners(coding.a, coding.b, meter)
        found = corners.sets() if corners.possible else None
        if found is not None:
            return found
        dropping = SubsetsByCount(coding.a, coding.b, meter)
        if dropping.possible:
            return dropping.sets()
    growing = SubsetsByRows(coding.a, coding.b, meter, exact=not coding.fuzzy)
    return growing.sets() if growing.possible else None


def _among(sets: Iterator[list[int]], coding: PairCodes, known: list[list[int]], meter: WorkMeter) -> list[int] | None:
    """The first mapping into one of the sets; there no row can be lost, so that columns and rows tell more."""
    for kept in sets:
        meter.add(len(coding.b) // 20)
        narrowed = reduced(coding, kept)
        rest, again = fitting(narrowed, both=True)
        there = [[j for j in places if kept[j] in known[i]] for i, places in enumerate(again)]
        if all(there):
            found = Search(rest, there, meter, both=True).run()
            if found is not None:
                return [kept[j] for j in found]
    return None
