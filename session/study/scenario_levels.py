"""Levels that change from scenario to scenario of one visit: what they may change, and their order over the visit's scenarios.

A running session cannot change what its desks were made ready with: devices, the recording, the texts that were read and
agreed to, the machines that operate, the database. What is left is read again with every scenario, at the hub and at every
desk.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from session.study.settings import Profile
from session.study.toml_reader import fault

IN_A_SESSION = frozenset({
    "answer_form", "barge_in", "context_return", "echo", "expand_codes", "free_text", "hold_back_s", "noise", "opening",
    "reply_delay_s", "reply_delay_spread_s", "reply_limit_s", "rows_shown", "rows_to_interpreter", "scenario_limit_s",
    "show_answers", "spoken", "subject_heard", "summary", "voice",
})  # fmt: skip
"""Keys of a profile that may differ between two scenarios of one visit."""
SET = "set"
_WHY = {
    "domain": "a session has one database",
    "wizard": "a wizard signs on for a whole visit",
    "session_limit_s": "it is about the visit as a whole",
    "max_scenarios": "it is about the visit as a whole",
    "session_seed": "it is drawn with once for the visit",
}


def check_scenario_levels(name: str, levels: Mapping[str, Mapping[str, Any]], path: Path) -> None:
    """Raise StudyError if a level of the factor changes what a running session cannot change."""
    known = {*Profile.__struct_fields__, *_WHY}
    sets: dict[str, str] = {}
    for level, keys in levels.items():
        place = f"factor.{name}.levels.{level}"
        for key in keys:
            if key in known and key not in IN_A_SESSION:
                why = _WHY.get(key, "desks and people are made ready for it before the first scenario")
                raise fault(
                    path,
                    f"`{place}.{key}` cannot change from scenario to scenario: {why}; leave `changes_at` out, and it "
                    f"changes from visit to visit, or change one of {', '.join(sorted({*IN_A_SESSION, SET}))}",
                )
        if (chosen := str(keys.get(SET, ""))) and chosen in sets:
            raise fault(
                path,
                f"`{place}.set` is {chosen!r}, which level `{sets[chosen]}` has, too; a visit would hold each of its "
                "scenarios twice: give each level a set of its own",
            )
        sets[chosen] = level


def over_places(row: Sequence[int], places: int) -> tuple[int, ...]:
    """Return a row of a square over so many places, a multiple of its length: forth, back, forth …

    Turned about, each level comes as early as late within the visit, and still follows each other one equally often.

    >>> over_places((0, 1), 4)
    (0, 1, 1, 0)
    """
    found: list[int] = []
    while len(found) < places:
        found += row if len(found) // len(row) % 2 == 0 else reversed(row)
    return tuple(found)
