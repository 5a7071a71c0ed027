"""The end of a scenario from a console, and taking one that is over out of what counts.

A scenario that turns out to be of no use often does so when it is over: at the debriefing, or when the next one begins. What the
subject was told of its end stays as it was; that it was declared invalid is said beside it, with the reason.
"""

from session import commands as c
from session import events as e
from session.rules.refusal import RequestRefused, refused
from session.rules.utterance_acceptance import accept_waiting
from session.state.fold import SessionState
from session.values.sanitize import one_line
from session.values.vocabulary import Outcome


def objection_to_ending(state: SessionState, command: c.EndScenario) -> RequestRefused | None:
    """Return why the scenario cannot be ended so; None when it can."""
    if state.run is None:
        return refused("no_scenario_runs")
    if command.outcome in (Outcome.DECLARED, Outcome.GIVEN_UP):
        return refused("participants_end")
    return _unexplained(command.reason) if command.outcome is Outcome.INVALIDATED else None


def ended(state: SessionState, command: c.EndScenario) -> list[e.Fact]:
    """The end of the scenario that is going on, what was said in it accepted before."""
    return [*accept_waiting(state), e.ScenarioEnded(outcome=command.outcome, reason=one_line(command.reason))]


def objection_to_invalidating(state: SessionState, command: c.InvalidateScenario) -> RequestRefused | None:
    """Return why that scenario cannot be declared invalid; None when it can."""
    if not 0 <= command.run < len(state.runs):
        return refused("no_such_scenario")
    outcome = state.runs[command.run].outcome
    if outcome is None:
        return refused("still_going_on")
    if outcome is Outcome.INVALIDATED:
        return refused("invalid_already")
    return _unexplained(command.reason)


def _unexplained(reason: str) -> RequestRefused | None:
    return None if one_line(reason) else refused("why_invalid")
