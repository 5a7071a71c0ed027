"""Experimental conditions that change the profile: the site's procedure as it applies to one subject.

A condition is a name, by which subjects are compared, and keys of the profile, which make the difference (SRI, MADCOW 1992,
section 2.5: recogniser, instructions and limits varied between subjects). A session is stored with the profile it was held under.
"""

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from session.study.settings import Profile
from session.study.toml_reader import converted, fault, nearest
from session.values.vocabulary import Step

FIXED = frozenset({"name", "version", "operators", "microphones", "consent"})
"""Keys that are the same for all subjects of a study: machines and devices are made ready for all of them."""


def profiles_of(
    names: tuple[str, ...], changes: Mapping[str, Mapping[str, Any]], profile: Profile, path: Path
) -> dict[str, Profile]:
    """Return the profile under each condition that changes it; raises StudyError that names the key in `path`."""
    return {name: _changed(name, keys, names, profile, path) for name, keys in changes.items()}


def _changed(name: str, keys: Mapping[str, Any], names: tuple[str, ...], profile: Profile, path: Path) -> Profile:
    if name not in names:
        raise fault(path, f"`condition.{name}` is none of the `conditions`; {nearest(name, names)}")
    return changed(f"condition.{name}", keys, profile, path)


def changed(place: str, keys: Mapping[str, Any], profile: Profile, path: Path) -> Profile:
    """Return the profile with `keys` changed, which stand at `place` in the file `path`; raises StudyError."""
    plain = msgspec.to_builtins(profile)
    for key, value in keys.items():
        if key not in plain:
            raise fault(path, f"`{place}.{key}` is not a key of a profile; {nearest(key, plain)}")
        if key in FIXED:
            raise fault(path, f"`{place}.{key}`: a condition cannot change this; make a study of its own for it")
        plain[key] = {**plain[key], **value} if isinstance(plain[key], dict) and isinstance(value, dict) else value
    return converted(plain, Profile, path, tuple(place.split(".")))


TOLD = ("spoken", "show_answers", "answer_form", "recording", "barge_in", "context_return")
"""Keys of a profile that instructions tell of: how an answer comes, how one speaks to the system, and goes back to a request."""


def told_apart(profiles: Iterable[Profile]) -> list[str]:
    """Return the keys that instructions tell of and that are not the same in all of these profiles."""
    found = list(profiles)
    return [key for key in TOLD if len({getattr(profile, key) for profile in found}) > 1]


def own_file(condition: str) -> str:
    """Return the name of the file with the instructions of a condition."""
    return f"instructions_{condition}.txt"


def instructions_of(
    folder: Path, conditions: Mapping[str, Profile], read_text: Callable[[Path, Profile], str]
) -> dict[str, str]:
    """Return the instructions of the conditions that have some of their own, `instructions_NAME.txt`."""
    own = {name: folder / own_file(name) for name in conditions}
    return {name: read_text(path, conditions[name]) for name, path in own.items() if path.is_file()}


def untold(profile: Profile, conditions: Mapping[str, Profile], own: Collection[str]) -> dict[str, list[str]]:
    """Return the conditions whose subjects would read what is not true for them, each with the keys that make it so."""
    changed_keys = {
        name: [key for key in TOLD if getattr(condition, key) != getattr(profile, key)]
        for name, condition in conditions.items()
        if name not in own and Step.INSTRUCTIONS in condition.steps
    }
    return {name: keys for name, keys in changed_keys.items() if keys}


def untrue_instructions(
    profile: Profile, conditions: Mapping[str, Profile], own: Collection[str]
) -> list[tuple[str, str]]:
    """Return what is not true in the instructions, and its remedy, for each condition of `untold`."""
    return [
        (
            f"instructions.txt is not true of condition {name}, which changes {', '.join(keys)}",
            f"write {own_file(name)}; subjects of that condition read it instead",
        )
        for name, keys in untold(profile, conditions, own).items()
    ]


def draw_condition(conditions: Sequence[str], seed: int, drawn: Iterable[str] | Mapping[str, int]) -> str:
    """Draw the condition of the next subject: each comes once per block of subjects, in an order drawn from the seed."""
    used, places = Counter(drawn), Counter(conditions)
    block = min((used[condition] // count for condition, count in places.items()), default=0)  # these are full
    used.subtract({condition: block * count for condition, count in places.items()})
    while places:
        shuffled = list(conditions)
        random.Random(f"{seed}/{block}").shuffle(shuffled)
        for condition in shuffled:
            if not used[condition]:
                return condition
            used[condition] -= 1
        block += 1
    return ""
