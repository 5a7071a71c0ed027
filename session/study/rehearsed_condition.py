"""Condition of a rehearsal: the requested one, whether or not a slot has reached it."""

from collections.abc import Iterable
from itertools import count

import msgspec

from session.study.assignment import Assignment, assign, condition_at
from session.study.design import Over, every_condition
from session.study.folder import Study
from session.study.settings import Profile
from session.study.toml_reader import nearest


def rehearsed_assignment(study: Study, wanted: str) -> Assignment | None:
    """Return what the first slot of the design that comes under it has under a condition; it holds no slot.

    `wanted` names the condition, or some of its levels, as in `topic=staff`. None if the study has no design; raises
    ValueError if no condition is called so.
    """
    design, factors = study.settings.planned, study.settings.factor
    if design is None:
        return None
    for level in wanted.split():
        if (factor := factors.get(level.partition("=")[0])) is not None and factor.over is Over.SCENARIOS:
            raise ValueError(
                f"{level}: this factor changes from scenario to scenario, and every rehearsal has all of its levels; "
                "leave it out"
            )
    matching(every_condition(factors), wanted)
    for slot in count(1):
        held = assign(design, factors, study.settings.seed, slot)
        for visit in range(len(held.visits)):
            found = msgspec.structs.replace(held, slot=0, visit=visit)
            if _names(condition_at(found, factors), wanted):
                return found
    raise AssertionError("every condition is in a block of slots")


def profile_under(study: Study, wanted: str) -> tuple[str, Profile]:
    """Return the first condition of visits or scenarios with the wanted levels, and its profile, for what is held outside the
    design; without any the study's own. Raises ValueError if no condition is called so."""
    if not wanted:
        return "", study.profile
    every = {**study.conditions}
    for own in study.scenario_profiles.values():
        every |= own
    found = matching(every, wanted)
    return found, every[found]


def matching(conditions: Iterable[str], wanted: str) -> str:
    """Return the first condition that has all the levels that are wanted.

    >>> matching(["topic=travel delay=slow", "topic=staff delay=slow"], "topic=staff")
    'topic=staff delay=slow'
    """
    there = list(conditions)
    if (found := next((name for name in there if _names(name, wanted)), None)) is None:
        raise ValueError(f"no condition of the study is called {wanted!r}; {nearest(wanted, there)}")
    return found


def _names(condition: str, wanted: str) -> bool:
    return set(wanted.split()) <= set(condition.split())
