"""The scenarios that the design assigned to this visit: which is next, what is left, and about how long that takes. Pure."""

from collections.abc import Sequence
from itertools import takewhile

from session.state.fold import ScenarioRun, SessionState, elapsed
from session.study.screen_words import CONSOLE_ENGLISH, ConsoleWords
from session.values.clock import SECOND
from session.values.vocabulary import Outcome


def left_to_do(state: SessionState) -> tuple[str, ...]:
    """Return the assigned scenarios of this visit that are still to be held, in their order; an invalid one is held again."""
    assignment = state.opened.assignment if state.opened is not None else None
    if assignment is None:
        return ()
    done = {run.scenario for run in state.runs if run.number is not None and run.outcome is not Outcome.INVALIDATED}
    return tuple(name for name in assignment.now.scenarios if name not in done)


def condition_of(state: SessionState, scenario: str) -> str:
    """Return the condition of a scenario in this visit: its own, or that of the one in whose place it is held; empty if the
    design assigns none, which is so of what is held after all that was assigned.

    What is held out of plan takes the places that are left one after the other, so that two in a row have two places' levels.
    """
    assignment = state.opened.assignment if state.opened is not None else None
    if assignment is None:
        return ""
    own, left = assignment.now.condition_of(scenario), left_to_do(state)
    return own or (assignment.now.condition_of(left[_strangers(state) % len(left)]) if left else "")


def _strangers(state: SessionState) -> int:
    """Return how many scenarios that were not assigned were held since the last one that was; what was no use is held again."""
    assigned = state.opened.assignment.now.scenarios if state.opened and state.opened.assignment else ()
    held = [run for run in state.runs if run.number is not None and run.outcome is not Outcome.INVALIDATED]
    return sum(1 for _ in takewhile(lambda run: run.scenario not in assigned, reversed(held)))


def departure(state: SessionState, scenario: str, words: ConsoleWords = CONSOLE_ENGLISH) -> str:
    """Return how starting `scenario` would depart from the design; empty if it does not."""
    assignment = state.opened.assignment if state.opened is not None else None
    if assignment is None or not assignment.now.scenarios:
        return ""
    left = left_to_do(state)
    if left and left[0] == scenario:
        return ""
    if not left:
        return words["console_text.departs_at_end"]
    return words["console_text.departs"].format(title=left[0])


def next_line(state: SessionState, words: ConsoleWords = CONSOLE_ENGLISH) -> str:
    """Return what is next, what is left and how long it takes, in one line; empty if no design says so."""
    if state.opened is None or state.opened.assignment is None or not state.opened.assignment.now.scenarios:
        return ""
    planned, left = state.opened.assignment.now.scenarios, left_to_do(state)
    if not left:
        return words["console_text.assigned_done"].format(count=len(planned))
    known = state.opened.protocol.scenarios.get(left[0])
    minutes = _minutes(state, left)
    about = words["console_text.about_minutes"].format(minutes=max(1, round(minutes))) if minutes else ""
    title = known.title if known else left[0]
    under = state.opened.assignment.now.condition_of(left[0])
    title = f"{title} · {under}" if under else title
    return words["console_text.assigned_next"].format(title=title, left=len(left), count=len(planned), about=about)


def _minutes(state: SessionState, left: Sequence[str]) -> float:
    """Return about how long these scenarios take: by the mean of this visit's, or by their limits before there is one; 0 if
    nothing says it."""
    spent = [
        elapsed(run.started, run.ended) / SECOND / 60 for run in state.runs if _timed(run) and run.ended is not None
    ]
    if spent or state.opened is None:
        return len(left) * sum(spent) / max(len(spent), 1)
    protocol = state.opened.protocol
    own = [protocol.scenario_profiles.get(condition_of(state, name), protocol.profile) for name in left]
    limits = [profile.scenario_limit_s for profile in own]
    return sum(limits) / 60 if all(limits) else 0.0


def _timed(run: ScenarioRun) -> bool:
    return run.number is not None and run.ended is not None and run.outcome is not Outcome.INVALIDATED
