"""Enrolment: the design slot of each subject and the progress through it, folded from the store."""

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise, permutations

import msgspec

from session.store.folds import Usage
from session.study.assignment import Assignment, assign, next_slot
from session.study.design import Design, Factor, Over, condition_of, crossed, expected_strata, round_size, starts
from session.study.folder import Study

KINDS = ("condition", "first visit", "set", "position", "level at", "level of")
"""What is balanced: conditions, sets, scenarios by their place; levels that change at scenarios by place and by scenario."""
BY_PLACE = KINDS[3:]
"""Kinds that whoever is missing fills many of."""


class Enrolment(msgspec.Struct, frozen=True):
    """A slot of the design: whose it is (nobody's where `speaker` is empty), its assignment, and the scenarios that count."""

    assignment: Assignment
    speaker: str = ""
    visits: int = 0
    scenarios: int = 0
    left: bool = False

    @property
    def planned(self) -> int:
        return sum(len(visit.scenarios) for visit in self.assignment.visits)

    @property
    def finished(self) -> bool:
        """Return whether every visit was held, and every scenario that the design assigns."""
        return bool(self.speaker) and self.visits >= len(self.assignment.visits) and self.scenarios >= self.planned


class Cell(msgspec.Struct, frozen=True):
    """One combination of what the design balances: how many subjects it is to have, has, and has to the end."""

    kind: str
    name: str
    planned: int
    enrolled: int
    finished: int

    @property
    def short(self) -> int:
        return max(0, self.planned - self.enrolled)


def enrolled(usage: Usage, left: Iterable[str] = ()) -> list[Enrolment]:
    """Everybody who was enrolled, by stratum and slot; `left` have dropped out, and their slots are free."""
    gone, held = set(left), usage.held()
    found = [
        Enrolment(assignment, speaker, *held.get(speaker, (0, 0)), speaker in gone)
        for speaker, assignment in usage.assignments().items()
    ]
    return sorted(found, key=lambda one: (one.assignment.stratum, one.assignment.slot, one.left, one.speaker))


def open_slots(study: Study, design: Design, found: list[Enrolment]) -> list[Enrolment]:
    """The slots that are still to be filled, in the order in which they will be, by stratum; one where no number is planned.

    Of which stratum the next subjects are is not known: each stratum has its share of them, and one at least.
    """
    strata = sorted({*expected_strata(design, study.site), *(one.assignment.stratum for one in found)})
    there = [one for one in found if not one.left]
    missing = max(design.subjects - len(there), 0) if design.subjects else 1
    slots = []
    for stratum in strata:
        taken = {one.assignment.slot for one in there if one.assignment.stratum == stratum}
        share = max(design.subjects // len(strata) - len(taken), 1) if len(strata) > 1 else missing
        for _ in range(min(missing, share)):
            slot = next_slot(taken)
            taken.add(slot)
            slots.append(Enrolment(assign(design, study.settings.factor, study.settings.seed, slot, stratum)))
    return slots


def balance(study: Study, design: Design, found: list[Enrolment]) -> list[Cell]:
    """Count what the design balances, by `KINDS`."""
    factors, there = study.settings.factor, [one for one in found if not one.left]
    strata = expected_strata(design, study.site)
    slots = range(1, design.subjects // len(strata) + 1)
    whole = [assign(design, factors, study.settings.seed, slot, stratum) for stratum in strata for slot in slots]
    planned = _keys(factors, design, whole)
    cells = []
    for kind, name in dict.fromkeys(
        [*planned, *(key for one in there for key in _keys(factors, design, [one.assignment]))]
    ):
        mine = [one for one in there if (kind, name) in _keys(factors, design, [one.assignment])]
        cells.append(Cell(kind, name, planned.count((kind, name)), len(mine), sum(one.finished for one in mine)))
    return sorted(cells, key=lambda cell: (KINDS.index(cell.kind), cell.name))


def pairs(study: Study, design: Design) -> Counter[tuple[str, str]]:
    """Count how often one scenario follows another within a visit, over one whole round of the design; pairs that a visit has
    and that never follow each other are counted as 0."""
    factors, found = study.settings.factor, Counter[tuple[str, str]]()
    for slot in range(1, round_size(design, factors) + 1):
        for visit in assign(design, factors, study.settings.seed, slot).visits:
            found.update(dict.fromkeys(permutations(visit.scenarios, 2), 0))
            found.update(pairwise(visit.scenarios))
    return found


def _keys(factors: dict[str, Factor] | object, design: Design, given: list[Assignment]) -> list[tuple[str, str]]:
    mapping = factors if isinstance(factors, dict) else {}
    several = len(crossed(mapping, Over.VISITS)) > 1
    rotated = starts(design, mapping) != [""]
    found: list[tuple[str, str]] = []
    for assignment in given:
        first = assignment.visits[0]
        own = {condition for visit in assignment.visits for condition in visit.conditions}
        found += [("condition", name) for name in sorted(own)]
        found += [
            ("condition", condition_of(visit.levels, mapping))
            for visit in assignment.visits
            if not own and visit.levels
        ]
        found += [("first visit", condition_of(first.levels, mapping))] if several else []
        found += [("set", first.set)] if rotated else []
        for visit in assignment.visits:
            found += [("position", f"{name} {n}") for n, name in enumerate(visit.scenarios, 1)]
            for name, levels in visit.changing.items():
                found += [("level at", f"{n} {name}={level}") for n, level in enumerate(levels, 1)]
                found += [("level of", f"{held} {name}={own[name]}") for held, own in visit.every]
    return found
