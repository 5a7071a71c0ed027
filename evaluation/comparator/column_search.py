"""Search for the column of the reference that each column of an answer is, without trying all orders.

A mapping gives every column of `a` a column of `b` of its own. It is sought depth first, and cut by what costs little:

* a column goes only where its set of values does (under a tolerance, where every value finds one that fits);
* the *witnesses*: rows that must find a partner on the other side. What fits a witness so far is one bit set per row, and
  the bits of a column are and-ed with one instruction per 64 rows. A row that refuted one mapping becomes a witness
  against all later ones, so that near-misses are refuted once and not once per order;
* the columns taken together so far have the same tuples on both sides, and, since every tuple of the reference comes
  from at least one row of the answer, none has more rows in the reference than in the answer, nor fewer than the answer
  can lose by dropping columns;
* equal columns are interchangeable and tried once.

The search is exact. Past the work limit it says so instead of guessing.
"""

from collections.abc import Container, Iterator
from functools import cached_property
from itertools import zip_longest

import numpy as np

from evaluation.comparator.bitset_matching import Bipartite, PreparedColumns
from evaluation.comparator.colour_refinement import Refinement
from evaluation.comparator.column_candidates import reduced
from evaluation.comparator.row_anchor_search import Anchoring
from evaluation.comparator.row_pairing import pack, pairing
from evaluation.comparator.value_codes import Codes, Flags, PairCodes, distinct
from evaluation.comparator.work_limit import WorkMeter

WITNESSES = 160
TABLE = 1 << 16
HARD = 16


class Witness:
    """A row of one side and what fits it on the other; `forward` when the row is one of `a`."""

    def __init__(self, coding: PairCodes, row: int, forward: bool, meter: WorkMeter) -> None:
        self.key = (forward, row)
        self.forward = forward
        self._coding = coding
        self._row = row
        self._meter = meter
        self._bits: dict[tuple[int, int], int] = {}
        self._known: dict[tuple[int, bool, int], int] = {}
        self.everything = (1 << len(coding.b if forward else coding.a)) - 1

    def bits(self, i: int, j: int) -> int:
        """The rows of the other side that fit this one when column `i` of `a` is column `j` of `b`."""
        found = self._bits.get((i, j))
        if found is None:
            found = self._bits[i, j] = self._compute(i, j)
        return found

    def _compute(self, i: int, j: int) -> int:
        coding = self._coding
        if self.forward:
            code, whole, column = int(coding.a[self._row, i]), bool(coding.a_whole[self._row, i]), j
        else:
            code, whole, column = int(coding.b[self._row, j]), bool(coding.b_whole[self._row, j]), i
        known = self._known.get((code, whole, column))
        if known is None:
            self._meter.add(20)
            flags = (coding.fits if self.forward else coding.fitted_by)(code, whole, column)
            known = self._known[code, whole, column] = _as_bits(flags)
        return known


def _as_bits(flags: Flags) -> int:
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


class Search:
    """One search for a mapping; `both` asks that no row of `b` be left over (the minimum), otherwise `b` may hold more."""

    def __init__(self, coding: PairCodes, candidates: list[list[int]], meter: WorkMeter, *, both: bool) -> None:
        self._coding = coding
        self._both = both
        self._meter = meter
        self._a, self._b = coding.kinds[coding.a], coding.kinds[coding.b]
        self._exact = not coding.fuzzy
        self._ready = PreparedColumns(len(coding.b), meter)
        self._places = {row: place for place, row in enumerate(coding.b_rows)}
        self._excess = len(self._b) - len(self._a) if both and self._exact else None
        self._width = int(max(self._a.max(), self._b.max())) + 1
        self._candidates = _closest_first(coding, candidates)
        self._flat = [bool((column == column[0]).all()) for column in self._a.T]
        even = both and self._a.shape == self._b.shape  # then nothing can be merged either
        self._refinement = Refinement(self._a, self._b) if even else None
        self._a_twin, self._b_twin = _twins(coding.a, coding.a_whole), _twins(coding.b, coding.b_whole)
        spread = [len(distinct(self._a[:, i])) for i in range(self._a.shape[1])]
        self._order = sorted(range(len(spread)), key=lambda i: (len(candidates[i]), -spread[i], i))
        self._witnesses: list[Witness] = []
        self._names: set[tuple[bool, int]] = set()
        self._chosen: dict[int, int] = {}
        for forward in (True, False) if both else (True,):
            rows = self._a if forward else self._b
            for row in _rare_rows(rows):
                self._add(row, forward)
            for row in _hard_rows(coding, forward) if coding.fuzzy else ():
                self._add(row, forward)

    def run(self) -> list[int] | None:
        """Column of `b` for each column of `a`, or None when there is no mapping; raises OutOfWork."""
        self._chosen = {}
        nothing = np.zeros(len(self._a), dtype=np.int64), np.zeros(len(self._b), dtype=np.int64)
        if not self._descend(0, [], *nothing):
            return None
        return [self._chosen[i] for i in range(self._a.shape[1])]

    def holds(self, places: list[int]) -> bool:
        """Return whether this is a mapping; where it is none, a row that refutes it is kept against others."""
        if any(j not in self._candidates[i] for i, j in enumerate(places)):
            return False
        if self._refuted(places):
            return False
        self._chosen = dict(enumerate(places))
        settled = self._not_too_many() and self._settled()
        self._chosen = {}
        return settled

    def holds_exactly(self, places: list[int]) -> bool:
        """Return whether this is a mapping where there is no tolerance: the tuples of `a` are among those of `b`, or all of
        them."""
        packed = pack(np.concatenate([self._a, self._b[:, places]]))
        self._meter.add(len(packed) // 5)
        a, b = packed[: len(self._a)], packed[len(self._a) :]
        return bool(np.isin(a, b).all() and (not self._both or np.isin(b, a).all()))

    def anchored(self) -> list[int] | None:
        """Search for a mapping by asking first where single rows go."""
        return self._anchoring.find(self.holds)

    @cached_property
    def _anchoring(self) -> Anchoring:
        sides = [[(forward, row) for row in _hard_rows(self._coding, forward)] for forward in (True, False)]
        turns = zip_longest(*(sides if self._both else sides[:1]))
        keys = [key for turn in turns for key in turn if key is not None]
        hard = [Witness(self._coding, row, forward, self._meter) for forward, row in keys]
        return Anchoring(self._coding, self._candidates, hard, self._meter)

    def _refuted(self, places: list[int]) -> bool:
        """Return whether some witness has no partner left; the one that has refuted a mapping is asked first about the next."""
        for number, witness in enumerate(self._witnesses):
            bits = witness.everything
            for i, j in enumerate(places):
                bits &= witness.bits(i, j)
                if not bits:
                    self._meter.add(2 + number)
                    self._witnesses.insert(number // 2, self._witnesses.pop(number))
                    return True
        self._meter.add(2 + len(self._witnesses))
        return False

    def _add(self, row: int, forward: bool) -> None:
        witness = Witness(self._coding, row, forward, self._meter)
        if witness.key not in self._names and len(self._witnesses) < WITNESSES:
            self._names.add(witness.key)
            self._witnesses.append(witness)

    def _catch_up(self, state: list[int]) -> bool:
        """Bring the bit sets of witnesses met since up to the mapping so far; False when one has none left."""
        for witness in self._witnesses[len(state) :]:
            bits = witness.everything
            for i, j in self._chosen.items():
                bits &= witness.bits(i, j)
            state.append(bits)
        return all(state)

    def _descend(self, depth: int, state: list[int], a_group: Codes, b_group: Codes) -> bool:
        if depth == len(self._order):
            return self._settled()
        i = self._order[depth]
        allowed = self._allowed(i, depth)
        for j in self._open(i):
            if j not in allowed:
                continue
            if not self._catch_up(state):
                return False
            narrowed = self._narrow(state, i, j)
            if narrowed is None:
                continue
            self._chosen[i] = j
            groups = self._joint(a_group, b_group, i, j) if self._not_too_many() else None
            if groups is not None and self._descend(depth + 1, narrowed, *groups):
                return True
            del self._chosen[i]
        return False

    def _allowed(self, i: int, depth: int) -> Container[int]:
        """Return where column `i` may still go by the colours, which are made again as long as they can tell more."""
        if self._refinement is None or (depth and not self._exact):
            return self._candidates[i]
        self._meter.add(self._refinement.cost)
        found = self._refinement.columns(self._chosen)
        return () if found is None else found[i]

    def _open(self, i: int) -> Iterator[int]:
        taken = set(self._chosen.values())
        least = self._chosen.get(self._a_twin[i], -1)
        for j in self._candidates[i]:
            free_twin = self._b_twin[j] >= 0 and self._b_twin[j] not in taken and self._b_twin[j] in self._candidates[i]
            if j not in taken and not free_twin and j > least:
                yield j

    def _narrow(self, state: list[int], i: int, j: int) -> list[int] | None:
        narrowed = []
        self._meter.add(2 + len(state) // 8)
        for witness, bits in zip(self._witnesses, state, strict=False):
            left = bits & witness.bits(i, j)
            if not left:
                return None
            narrowed.append(left)
        return narrowed

    def _joint(self, a_group: Codes, b_group: Codes, i: int, j: int) -> tuple[Codes, Codes] | None:
        """Number the tuples of the columns so far on both sides alike; None when their sets or counts disagree."""
        if self._flat[i]:
            return a_group, b_group
        a_joint = a_group * self._width + self._a[:, i]
        b_joint = b_group * self._width + self._b[:, j]
        size = (int(max(a_group.max(), b_group.max())) + 1) * self._width
        self._meter.add((len(a_joint) + len(b_joint)) // 200 + 5)
        if size > TABLE:
            self._meter.add((len(a_joint) + len(b_joint)) // 15)
            _, again = np.unique(np.concatenate([a_joint, b_joint]), return_inverse=True)
            a_joint, b_joint = again[: len(a_joint)], again[len(a_joint) :]
            size = int(again.max()) + 1
        a_count = np.bincount(a_joint, minlength=size)
        b_count = np.bincount(b_joint, minlength=size)
        missing = (a_count > 0) & (b_count == 0)
        if missing.any():
            self._add(int(np.flatnonzero(missing[a_joint])[0]), True)
            return None
        surplus = (b_count > 0) & (a_count == 0)
        if self._both and surplus.any():
            self._add(int(np.flatnonzero(surplus[b_joint])[0]), False)
            return None
        if self._excess is not None:
            lost = b_count - a_count
            if lost.min() < 0 or lost.max() > self._excess:
                return None
        names = np.cumsum((a_count > 0) | (b_count > 0)) - 1
        return names[a_joint], names[b_joint]

    def _not_too_many(self) -> bool:
        """Under a tolerance: the answer's columns so far must not tell more rows apart than the reference has."""
        if self._exact or not self._both or self._coding.merging or len(self._b) == len(self._a):
            return True
        self._meter.add(len(self._b) // 10)
        return len(distinct(pack(self._coding.b[:, list(self._chosen.values())]))) <= len(self._a)

    def _settled(self) -> bool:
        """Return whether the whole mapping holds; without tolerance the sets have just been found equal."""
        if self._exact:
            return True
        view = reduced(self._coding, [self._chosen[i] for i in range(self._a.shape[1])])
        if self._both and (len(view.a) > len(view.b) or (len(view.a) < len(view.b) and not view.merging)):
            return False
        found = pairing(view, self._meter, self._ready)
        return found is None or self._agree(found, view)

    def _agree(self, found: Bipartite, view: PairCodes) -> bool:
        """Return whether all rows can be paired; a row that nothing fits becomes a witness against other mappings."""
        alone = found.alone()
        if alone is not None:
            self._add(alone, True)
            return False
        if not self._both:
            return True
        untouched = found.untouched()
        if untouched is not None:
            self._add(self._places[view.b_rows[untouched]], False)
            return False
        return found.perfect() and found.untouched(len(view.b)) is None


def _twins(codes: Codes, whole: Flags) -> list[int]:
    """For every column the nearest equal one to its left, or -1."""
    seen: dict[bytes, int] = {}
    twins = []
    for column in range(codes.shape[1]):
        key = codes[:, column].tobytes() + whole[:, column].tobytes()
        twins.append(seen.get(key, -1))
        seen[key] = column
    return twins


def _closest_first(coding: PairCodes, candidates: list[list[int]]) -> list[list[int]]:
    """Candidates whose values are spread most alike first: where there is a mapping, it is then found sooner."""
    marks = np.linspace(0, 1, 33)
    a = [np.quantile(column, marks) for column in coding.a.T]
    b = [np.quantile(column, marks) for column in coding.b.T]
    return [sorted(there, key=lambda j: float(np.abs(a[i] - b[j]).sum())) for i, there in enumerate(candidates)]


def _rare_rows(codes: Codes, wanted: int = 6) -> list[int]:
    """A few rows whose values are the rarest of their columns: the fewest rows can be their partners."""
    score = np.zeros(len(codes))
    for column in range(codes.shape[1]):
        counts = np.bincount(codes[:, column])
        score += np.log(counts[codes[:, column]])
    rarest = np.argsort(score, kind="stable")[: wanted - wanted // 3]
    commonest = np.argsort(-score, kind="stable")[: wanted // 3]
    return list(dict.fromkeys([*rarest.tolist(), *commonest.tolist()]))


def _hard_rows(coding: PairCodes, forward: bool) -> list[int]:
    """Rows whose values the fewest values of the other side fit under the tolerance, whichever column is which."""
    rows, low, high = (coding.a, coding.low, coding.high) if forward else (coding.b, coding.back_low, coding.back_high)
    there = np.sort((coding.b if forward else coding.a).ravel())
    fitting = np.searchsorted(there, high[rows], side="right") - np.searchsorted(there, low[rows], side="left")
    score = np.log(np.maximum(fitting, 1)).sum(axis=1)
    return np.argsort(score, kind="stable")[:HARD].tolist()  # type: ignore[no-any-return]
