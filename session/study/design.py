"""The design of a study: factors and their levels, sets and orders of scenarios, as `study.toml` gives them, checked when read.

A level changes keys of the profile, and may name a wizard, a domain or a set of scenarios. A factor is between subjects, or
within them: then its level changes from visit to visit, or from scenario to scenario of each visit. Eight subjects, four
scenarios each, two sets of four, counterbalanced, is the design of the end-to-end evaluation of October 1992 (MADCOW 1993,
section 4).
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from itertools import chain, combinations, product
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from session.study.conditions import changed
from session.study.scenario_levels import check_scenario_levels, over_places
from session.study.settings import Profile, Setting
from session.study.toml_reader import fault

OF_DESIGN = ("set", "wizard", "domain")
"""Keys of a level that are none of the profile."""
STRATA = {"sex": ("f", "m"), "site": ()}
"""What strata are made of, and the values that a study can count on; its own site is one."""
MOST_CONDITIONS = 64


class SequenceOrder(StrEnum):
    """The order of treatments over subjects: rows of a square, or the same for everybody."""

    WILLIAMS = "williams"
    LATIN = "latin"
    FIXED = "fixed"


class ChangesAt(StrEnum):
    """The moments at which a factor within subjects has its next level."""

    VISIT = "visit"
    SCENARIO = "scenario"


class Over(StrEnum):
    """The units that the levels of a factor are spread over."""

    SUBJECTS = "subjects"
    VISITS = "visits"
    SCENARIOS = "scenarios"


class Factor(Setting, frozen=True):
    """`[factor.NAME]`: what is varied; each level is a table of keys of the profile, and of `set`, `wizard` and `domain`."""

    levels: dict[str, dict[str, Any]]
    within: bool = False
    changes_at: ChangesAt = ChangesAt.VISIT

    @property
    def over(self) -> Over:
        """The units that its levels are spread over."""
        if not self.within:
            return Over.SUBJECTS
        return Over.SCENARIOS if self.changes_at is ChangesAt.SCENARIO else Over.VISITS


class Design(Setting, frozen=True):
    """`[design]`: how many subjects there are to be, and what they work on in which order."""

    subjects: int = 0
    order: SequenceOrder = SequenceOrder.WILLIAMS
    scenarios: tuple[str, ...] = ()
    sets: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    stratify: tuple[str, ...] = ()
    end_to_end: bool = False


def latin_square(size: int) -> list[tuple[int, ...]]:
    """Return the cyclic Latin square: each treatment once in each row and each position.

    >>> latin_square(3)
    [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    """
    return [tuple((row + place) % size for place in range(size)) for row in range(size)]


def williams_square(size: int) -> list[tuple[int, ...]]:
    """Return Williams's design: each treatment follows each other one equally often, once where `size` is even, otherwise
    twice.

    An odd size needs two squares, the second one the first one's mirror (E. J. Williams, Experimental designs balanced for the
    estimation of residual effects of treatments, Australian Journal of Scientific Research A 2, 1949, pp. 149-168).

    >>> williams_square(4)
    [(0, 1, 3, 2), (1, 2, 0, 3), (2, 3, 1, 0), (3, 0, 2, 1)]
    """
    first = [0]
    for step in range(1, size):
        first.append((step + 1) // 2 if step % 2 else size - step // 2)
    rows = [tuple((treatment + row) % size for treatment in first) for row in range(size)]
    return rows if size % 2 == 0 or size == 1 else rows + [row[::-1] for row in rows]


def square(order: SequenceOrder, size: int) -> list[tuple[int, ...]]:
    """Return the orders of `size` treatments over which subjects are spread."""
    match order:
        case SequenceOrder.WILLIAMS:
            return williams_square(size)
        case SequenceOrder.LATIN:
            return latin_square(size)
        case SequenceOrder.FIXED:
            return [tuple(range(size))]


def crossed(factors: Mapping[str, Factor], over: Over) -> list[dict[str, str]]:
    """Return all combinations of levels of the factors that are spread over these; one that is empty for none."""
    chosen = {name: factor for name, factor in factors.items() if factor.over is over}
    return [
        dict(zip(chosen, levels, strict=True)) for levels in product(*(factor.levels for factor in chosen.values()))
    ]


def condition_of(levels: Mapping[str, str], factors: Mapping[str, Factor]) -> str:
    """Return the name of the condition that a combination of levels makes, by which subjects are compared."""
    return " ".join(f"{name}={levels[name]}" for name in factors if name in levels)


def levels_in(condition: str) -> dict[str, str]:
    """Return the levels that the name of a condition gives.

    >>> levels_in("delay=slow echo=late")
    {'delay': 'slow', 'echo': 'late'}
    """
    return dict([part.partition("=")[::2] for part in condition.split()])


def level_keys(levels: Mapping[str, str], factors: Mapping[str, Factor]) -> dict[str, Any]:
    """Return the keys that the levels change, those of the design among them."""
    return dict(chain.from_iterable(factors[name].levels[level].items() for name, level in levels.items()))


def every_condition(factors: Mapping[str, Factor]) -> dict[str, dict[str, str]]:
    """Return all conditions of visits that the factors make, by name, each as its levels; none if nothing changes there."""
    every = product(crossed(factors, Over.SUBJECTS), crossed(factors, Over.VISITS))
    found = {condition_of(levels, factors): levels for levels in ({**one, **other} for one, other in every)}
    return {name: levels for name, levels in found.items() if levels}


def scenario_conditions(factors: Mapping[str, Factor]) -> dict[str, dict[str, dict[str, str]]]:
    """Return, by the name of the condition of a visit, the conditions of its scenarios, each as all of its levels; empty if
    no factor changes at scenarios."""
    inside = crossed(factors, Over.SCENARIOS)
    if inside == [{}]:
        return {}
    visits = every_condition(factors) or {"": {}}
    return {
        visit: {condition_of({**levels, **own}, factors): {**levels, **own} for own in inside}
        for visit, levels in visits.items()
    }


class FactorProfiles(NamedTuple):
    """The profile under each condition of a visit, and under each of its scenarios' by the visit's; names as conditions have."""

    visits: dict[str, Profile]
    scenarios: dict[str, dict[str, Profile]]


def profiles_of_factors(factors: Mapping[str, Factor], profile: Profile, path: Path) -> FactorProfiles:
    """Return the profile under each combination of levels; raises StudyError that names the key in `path`."""
    for name, factor in factors.items():
        _check_levels(name, factor, profile, path)
    for (first, one), (second, other) in combinations(factors.items(), 2):
        if both := keys_of(one) & keys_of(other):
            raise fault(
                path, f"`factor.{first}` and `factor.{second}` both change `{min(both)}`; make one factor of the two"
            )
    every, inside = every_condition(factors), scenario_conditions(factors)
    count = sum(map(len, inside.values())) or len(every)
    if count > MOST_CONDITIONS:
        raise fault(path, f"the factors make {count} conditions; at most {MOST_CONDITIONS} can be held apart")

    def under(conditions: Mapping[str, Mapping[str, str]]) -> dict[str, Profile]:
        found = {}
        for name, levels in conditions.items():
            keys = {key: value for key, value in level_keys(levels, factors).items() if key not in OF_DESIGN}
            found[name] = changed(f"factor {name}", keys, profile, path)
        return found

    return FactorProfiles(under(every), {visit: under(own) for visit, own in inside.items()})


def keys_of(factor: Factor) -> set[str]:
    return set(chain.from_iterable(factor.levels.values()))


def _check_levels(name: str, factor: Factor, profile: Profile, path: Path) -> None:
    if factor.changes_at is ChangesAt.SCENARIO and not factor.within:
        raise fault(
            path,
            f"`factor.{name}.changes_at` is of a factor within subjects; write `within = true`, too, or leave it out",
        )
    if len(factor.levels) < 2:
        raise fault(path, f"`factor.{name}` has {len(factor.levels)} level; a factor has at least two `levels`")
    for text in (name, *factor.levels):
        if not text or any(char.isspace() or char in "=,;" for char in text):
            raise fault(path, f"`factor.{name}`: {text!r} is not a name: a word without blanks, `=`, `,` and `;`")
    if factor.changes_at is ChangesAt.SCENARIO:
        check_scenario_levels(name, factor.levels, path)
    made: dict[str, str] = {}
    for level, keys in factor.levels.items():
        place = f"factor.{name}.levels.{level}"
        if not keys:
            raise fault(path, f"`{place}` overrides nothing; write the key that it leaves as it is, too")
        own = {key: value for key, value in keys.items() if key in OF_DESIGN}
        kept = {key: value for key, value in keys.items() if key not in OF_DESIGN}
        effect = repr((changed(place, kept, profile, path), sorted(own.items())))
        if effect in made:
            raise fault(path, f"`{place}` and level `{made[effect]}` make the same difference; change one of them")
        made[effect] = level


def _levels(factors: Mapping[str, Factor]) -> Iterator[dict[str, Any]]:
    for factor in factors.values():
        yield from factor.levels.values()


def sets_are_levels(factors: Mapping[str, Factor]) -> bool:
    """Return whether a level says which set is worked on, so that no rotation does."""
    return any("set" in keys for keys in _levels(factors))


def starts(design: Design, factors: Mapping[str, Factor]) -> list[str]:
    """Return the sets with which a subject can begin; an empty name where there are none to rotate."""
    return list(design.sets) if design.sets and not sets_are_levels(factors) else [""]


def places(design: Design, factors: Mapping[str, Factor]) -> int:
    """Return how many scenarios a visit has: a set of them, or where scenarios have sets by their levels all of these sets."""
    inside = [factor for factor in factors.values() if factor.over is Over.SCENARIOS and "set" in keys_of(factor)]
    return set_size(design) * (len(inside[0].levels) if inside else 1)


def set_size(design: Design) -> int:
    return len(next(iter(design.sets.values()), design.scenarios))


def expected_strata(design: Design, site: str) -> list[str]:
    """Return the strata that a study can count on, by their names: of the sexes f and m; one without a name if there are none."""
    return [" ".join(names) for names in product(*(STRATA[name] or (site,) for name in design.stratify))]


def strata_of(design: Design) -> int:
    """Return how many strata a study can count on."""
    return len(expected_strata(design, ""))


class SquareRows(NamedTuple):
    """The rows of the squares over which subjects are spread: of visits, of scenarios, and of the levels that these have."""

    visits: list[tuple[int, ...]]
    orders: list[tuple[int, ...]]
    levels: list[tuple[int, ...]]


def rows_of(design: Design, factors: Mapping[str, Factor]) -> SquareRows:
    """Return the rows of the squares; the levels of scenarios are counterbalanced where the scenarios' order is fixed, too."""
    size = set_size(design)
    order = design.order if size else SequenceOrder.FIXED
    of_levels = SequenceOrder.LATIN if design.order is SequenceOrder.LATIN else SequenceOrder.WILLIAMS
    levels = square(of_levels, len(crossed(factors, Over.SCENARIOS)))
    return SquareRows(
        square(SequenceOrder.WILLIAMS, len(crossed(factors, Over.VISITS))),
        square(order, max(size, 1)),
        [over_places(row, places(design, factors)) for row in levels],
    )


def round_size(design: Design, factors: Mapping[str, Factor]) -> int:
    """Return how many subjects take every combination of levels, sets and orders once."""
    rows = rows_of(design, factors)
    every = len(rows.visits) * len(rows.orders) * len(rows.levels)
    return len(crossed(factors, Over.SUBJECTS)) * len(starts(design, factors)) * every
