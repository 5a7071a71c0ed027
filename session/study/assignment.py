"""The assignment of a subject: what the design gives to whoever is enrolled in a slot, drawn from the study's seed. Pure.

Slots are numbered from 1 within a stratum. Each block of slots holds every cell (levels between subjects, first set) once, in an
order drawn from the seed, and successive blocks go through the rows of the squares; so what was enrolled so far is as balanced
as can be at any time. The slot of somebody who withdrew or dropped out is the next one to be filled.
"""

import random
from collections.abc import Collection, Mapping
from itertools import count
from math import lcm

import msgspec

from session.study.design import Design, Factor, condition_of, crossed, level_keys, rows_of, sets_are_levels, starts


class VisitPlan(msgspec.Struct, frozen=True):
    """One visit of a subject: the level of each factor, the scenarios in their order, their set, and the wizard if one is set."""

    levels: dict[str, str]
    scenarios: tuple[str, ...] = ()
    set: str = ""
    wizard: str = ""


class Assignment(msgspec.Struct, frozen=True):
    """The share of one subject: a slot of a stratum (0 for pilots and rehearsals, which use none), and all visits."""

    slot: int
    visits: tuple[VisitPlan, ...]
    stratum: str = ""
    visit: int = 0

    @property
    def now(self) -> VisitPlan:
        return self.visits[self.visit]

    @property
    def text(self) -> str:
        """The assignment in one line, for a log and for people."""
        now = self.now
        parts = [f"slot {self.slot}" if self.slot else "no slot"]
        parts += [f"stratum {self.stratum}"] if self.stratum else []
        parts += [f"visit {self.visit + 1} of {len(self.visits)}"] if len(self.visits) > 1 else []
        parts += [f"set {now.set}"] if now.set else []
        parts += [f"wizard {now.wizard}"] if now.wizard else []
        return "; ".join([*parts, *([f"order {' '.join(now.scenarios)}"] if now.scenarios else [])])


def next_slot(taken: Collection[int]) -> int:
    """Return the lowest slot that nobody holds."""
    return next(slot for slot in count(1) if slot not in taken)


def assign(design: Design, factors: Mapping[str, Factor], seed: int, slot: int, stratum: str = "") -> Assignment:
    """Return what the slot of a stratum holds: always the same for a design and a seed."""
    cells = [(levels, start) for levels in crossed(factors, within=False) for start in starts(design, factors)]
    block, place = divmod(slot - 1, len(cells))
    drawn = _shuffled(len(cells), f"{seed}/{stratum}/{block}")[place]
    between, start = cells[drawn]
    visits, orders = rows_of(design, factors)
    turn = (block + drawn) % (len(visits) * len(orders))
    round_ = block // (len(visits) * len(orders))
    visit_row = visits[_shuffled(len(visits), f"{seed}/{stratum}/visits/{round_}")[turn % len(visits)]]
    shift = turn // lcm(len(visits), len(orders))  # every row of visits meets every order of scenarios once
    order = orders[_shuffled(len(orders), f"{seed}/{stratum}/orders/{round_}")[(turn + shift) % len(orders)]]
    within = crossed(factors, within=True)
    plans = []
    for number, treatment in enumerate(visit_row):
        levels = {**between, **within[treatment]}
        keys = level_keys(levels, factors)
        names = list(design.sets)
        chosen = str(keys.get("set", "")) if sets_are_levels(factors) else ""
        if start:
            chosen = names[(names.index(start) + number) % len(names)]
        bank = design.sets[chosen] if chosen else design.scenarios
        plans.append(
            VisitPlan(levels, tuple(bank[i] for i in order) if bank else (), chosen, str(keys.get("wizard", "")))
        )
    return Assignment(slot, tuple(plans), stratum)


def condition_at(assignment: Assignment, factors: Mapping[str, Factor]) -> str:
    """Return the name of the condition of the assignment's present visit."""
    return condition_of(assignment.now.levels, factors)


def _shuffled(size: int, seed: str) -> list[int]:
    order = list(range(size))
    random.Random(seed).shuffle(order)
    return order
