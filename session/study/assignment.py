"""The assignment of a subject: what the design gives to anyone who is enrolled in a slot, drawn from the study's seed. Pure.

Slots are numbered from 1 within a stratum. Each block of slots holds every cell (levels between subjects, first set) once, in an
order drawn from the seed, and successive blocks go through the rows of the squares; so what was enrolled so far is as balanced
as can be at any time. The slot of somebody who withdrew or dropped out is the next one to be filled.
"""

import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import count
from math import lcm

import msgspec

from session.study.design import Design, Factor, Over, condition_of, crossed, level_keys, levels_in, rows_of, starts


class VisitPlan(msgspec.Struct, frozen=True):
    """One visit of a subject: the level of each factor, the scenarios in their order, their set, and the wizard if one is set.

    `conditions` are those of the scenarios, in the same order, where a factor changes from one to the next.
    """

    levels: dict[str, str]
    scenarios: tuple[str, ...] = ()
    set: str = ""
    wizard: str = ""
    conditions: tuple[str, ...] = ()

    @property
    def every(self) -> list[tuple[str, dict[str, str]]]:
        """The scenarios, each with all of its levels."""
        own = [levels_in(condition) for condition in self.conditions] or [self.levels] * len(self.scenarios)
        return [*zip(self.scenarios, own, strict=True)]

    @property
    def changing(self) -> dict[str, list[str]]:
        """The levels of each factor that changes from scenario to scenario, in the order of the scenarios."""
        own = [levels for _, levels in self.every]
        return {name: [levels[name] for levels in own] for name in (own[0] if own else ()) if name not in self.levels}

    def condition_of(self, scenario: str) -> str:
        """Return the condition of a scenario of the visit; empty if scenarios have none of their own."""
        return dict(zip(self.scenarios, self.conditions, strict=False)).get(scenario, "")


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
        parts += [f"order {' '.join(now.scenarios)}"] if now.scenarios else []
        return "; ".join([*parts, *(f"{name} {' '.join(levels)}" for name, levels in now.changing.items())])


def next_slot(taken: Collection[int]) -> int:
    """Return the lowest slot that nobody holds."""
    return next(slot for slot in count(1) if slot not in taken)


def assign(design: Design, factors: Mapping[str, Factor], seed: int, slot: int, stratum: str = "") -> Assignment:
    """Return what the slot of a stratum holds: always the same for a design and a seed."""
    cells = [(levels, start) for levels in crossed(factors, Over.SUBJECTS) for start in starts(design, factors)]
    block, place = divmod(slot - 1, len(cells))
    drawn = _shuffled(len(cells), f"{seed}/{stratum}/{block}")[place]
    between, start = cells[drawn]
    rows = rows_of(design, factors)
    inside = len(rows.orders) * len(rows.levels)
    turn = (block + drawn) % (len(rows.visits) * inside)
    round_ = block // (len(rows.visits) * inside)
    within = turn + turn // lcm(len(rows.visits), inside)  # every row of visits meets every order of scenarios once
    under = within + within % inside // lcm(len(rows.orders), len(rows.levels))  # and every order every row of levels

    def row(kind: str, of: list[tuple[int, ...]], number: int) -> tuple[int, ...]:
        return of[_shuffled(len(of), f"{seed}/{stratum}/{kind}/{round_}")[number % len(of)]]

    order = row("orders", rows.orders, within)
    visits = crossed(factors, Over.VISITS)
    names = list(design.sets)
    plans = []
    for number, treatment in enumerate(row("visits", rows.visits, turn)):
        turned = names[(names.index(start) + number) % len(names)] if start else ""
        levels = row("levels", rows.levels, under + number)
        plans.append(_visit(design, factors, {**between, **visits[treatment]}, turned, order, levels))
    return Assignment(slot, tuple(plans), stratum)


def _visit(
    design: Design, factors: Mapping[str, Factor], levels: dict[str, str], turned: str, order: Sequence[int],
    row: Sequence[int],
) -> VisitPlan:  # fmt: skip
    """Return a visit under levels of its own: its scenarios in an order, with the set whose turn it is, and a row of levels."""
    keys = level_keys(levels, factors)
    chosen, wizard = turned or str(keys.get("set", "")), str(keys.get("wizard", ""))
    inside = crossed(factors, Over.SCENARIOS)
    if inside == [{}]:
        bank = design.sets[chosen] if chosen else design.scenarios
        return VisitPlan(levels, tuple(bank[i] for i in order) if bank else (), chosen, wizard)
    following = Counter[str]()
    scenarios, conditions = [], []
    for own in (inside[cell] for cell in row):
        named = chosen or str(level_keys(own, factors).get("set", ""))
        bank = design.sets[named] if named else design.scenarios
        scenarios.append(bank[order[following[named]]])
        following[named] += 1
        conditions.append(condition_of({**levels, **own}, factors))
    return VisitPlan(levels, tuple(scenarios), chosen, wizard, tuple(conditions))


def condition_at(assignment: Assignment, factors: Mapping[str, Factor]) -> str:
    """Return the name of the condition of the assignment's present visit."""
    return condition_of(assignment.now.levels, factors)


def _shuffled(size: int, seed: str) -> list[int]:
    order = list(range(size))
    random.Random(seed).shuffle(order)
    return order
