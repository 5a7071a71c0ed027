"""The checks of a design against the study around it: what names nothing, cannot be balanced, or could not be held in a visit."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

from session.study.design import (
    STRATA,
    Design,
    Factor,
    Over,
    crossed,
    keys_of,
    places,
    round_size,
    sets_are_levels,
    strata_of,
)
from session.study.settings import Profile, Scenario
from session.study.toml_reader import fault, nearest
from session.values.vocabulary import ScenarioKind


def check_design(
    design: Design | None, factors: Mapping[str, Factor], scenarios: Mapping[str, Scenario], path: Path
) -> None:
    """Raise StudyError if the design names something missing or cannot be balanced."""
    if design is None:
        return
    practice = {scenario.id for scenario in scenarios.values() if scenario.kind is ScenarioKind.PRACTICE}
    for place, names in (
        ("scenarios", design.scenarios),
        *((f"sets.{name}", names) for name, names in design.sets.items()),
    ):
        for name in names:
            if name not in scenarios or name in practice:
                why = "is practice, which no design draws" if name in practice else "is not a scenario"
                raise fault(
                    path, f"`design.{place}` names {name!r}, which {why}; {nearest(name, {*scenarios} - practice)}"
                )
        if len(set(names)) < len(names):
            raise fault(path, f"`design.{place}` names a scenario twice")
    assigned = {*design.scenarios, *(name for names in design.sets.values() for name in names)}
    unjudged = [name for name in sorted(assigned) if scenarios[name].solution is None]
    problem = ""
    sizes = {len(names) for names in design.sets.values()}
    if design.sets and design.scenarios:
        problem = "`design` has `scenarios` and `sets`; a subject works on a set, or on the same scenarios as everybody"
    elif len(sizes) > 1 or 0 in sizes:
        problem = "`design.sets` are not of one size, and cannot be balanced; give each set as many scenarios"
    elif strange := [name for name in design.stratify if name not in STRATA]:
        problem = f"`design.stratify` names {strange[0]!r}; it may be {' or '.join(STRATA)}"
    elif unknown := [
        (place, keys["set"])
        for place, keys in _placed(factors)
        if "set" in keys and str(keys["set"]) not in design.sets
    ]:
        place, name = unknown[0]
        problem = f"`{place}.set` is {name!r}, none of `design.sets`; {nearest(str(name), design.sets)}"
    elif bare := _without_set(factors):
        problem = (
            f"`{bare}` names no `set`, and another level does; without one its subjects would be given no scenario"
        )
    elif unheld := _objection_to_places(design, factors):
        problem = unheld
    elif strangers := [place for place, keys in _placed(factors) if not isinstance(keys.get("wizard", ""), str)]:
        problem = f"`{strangers[0]}.wizard` is the name under which the wizard signs on, a text"
    elif design.end_to_end and not assigned:
        problem = "`design.end_to_end` needs `scenarios` or `sets` with solution sets, and none is assigned"
    elif design.end_to_end and unjudged:
        problem = f"`design.end_to_end`: scenario {unjudged[0]!r} has no solution set; give it a [solution]"
    elif shared := _shared_scenario(design, factors):
        problem = shared
    elif design.subjects % (size := round_size(design, factors) * (groups := strata_of(design))) or design.subjects < 0:
        fitting = max(1, round(design.subjects / size)) * size
        each = f" in {groups} groups by {' and '.join(design.stratify)}" if groups > 1 else ""
        problem = (
            f"{design.subjects} subjects cannot be balanced: all combinations of levels, sets and orders take {size}{each}; "
            f"set `design.subjects` to a multiple of it, such as {fitting}"
        )
    if problem:
        raise fault(path, problem)


def _placed(factors: Mapping[str, Factor]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the place of each level, and its keys."""
    for name, factor in factors.items():
        for level, keys in factor.levels.items():
            yield f"factor.{name}.levels.{level}", keys


def _without_set(factors: Mapping[str, Factor]) -> str:
    """Return the place of a level without a set beside one that has it; empty if there is none."""
    bare = (
        f"factor.{name}.levels.{level}"
        for name, factor in factors.items()
        if "set" in keys_of(factor)
        for level, keys in factor.levels.items()
        if "set" not in keys
    )
    return next(bare, "")


def _objection_to_places(design: Design, factors: Mapping[str, Factor]) -> str:
    """Return why a visit cannot have each combination of its scenarios' levels equally often; empty if it can."""
    inside = crossed(factors, Over.SCENARIOS)
    names = [name for name, factor in factors.items() if factor.over is Over.SCENARIOS]
    there = places(design, factors)
    if not names or (there and there % len(inside) == 0):
        return ""
    if not there:
        return (
            f"`factor.{names[0]}` changes at scenarios, and none are assigned; give `design` its `scenarios` or `sets`"
        )
    wanted = len(inside) * max(1, -(-there // len(inside)))
    return (
        f"a visit of {there} scenarios cannot have {len(inside)} combinations of levels equally often ({', '.join(names)}); "
        f"assign a multiple of {len(inside)} scenarios, such as {wanted}"
    )


def _shared_scenario(design: Design, factors: Mapping[str, Factor]) -> str:
    """Return why a visit would hold a scenario twice, under two levels of a factor that changes at scenarios; empty if none."""
    for name, factor in factors.items():
        if factor.over is not Over.SCENARIOS:
            continue
        chosen = [str(keys["set"]) for keys in factor.levels.values() if "set" in keys]
        for one, other in combinations(chosen, 2):
            if both := {*design.sets[one]} & {*design.sets[other]}:
                return (
                    f"`design.sets.{one}` and `design.sets.{other}` both hold {min(both)!r}, and a visit has both by the levels "
                    f"of `factor.{name}`; give each set scenarios of its own"
                )
    return ""


def _idle_set(design: Design, factors: Mapping[str, Factor]) -> str:
    """Return why nobody would work on a set; empty if every set is somebody's."""
    if not sets_are_levels(factors):
        return ""
    chosen = {str(keys["set"]) for _, keys in _placed(factors) if "set" in keys}
    for name in design.sets:
        if name not in chosen:
            return (
                f"`design.sets.{name}` is not assigned: levels name the sets ({', '.join(sorted(chosen))}), and none "
                "names this one; give it to a level, or take it away"
            )
    return ""


def check_visits(
    design: Design | None, factors: Mapping[str, Factor], profiles: Mapping[str, Profile], path: Path
) -> None:
    """Raise StudyError if nobody works on a set, or a visit could not have all scenarios that are assigned to it.

    `profiles` are those that visits are held under, by their condition (empty: that of the study).
    """
    if design is None:
        return
    if idle := _idle_set(design, factors):
        raise fault(path, idle)
    there = places(design, factors)
    for condition, profile in profiles.items():
        if 0 < profile.max_scenarios < there:
            under = f" under condition {condition}" if condition else ""
            raise fault(
                path,
                f"a visit of the design has {there} scenarios{under}, and `max_scenarios` of profile {profile.name} is "
                f"{profile.max_scenarios}: the last ones could never be started; raise it, or assign fewer",
            )
