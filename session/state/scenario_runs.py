"""Scenarios of a session as its facts tell, and the profile that is in force: a scenario may have one of its own.

Where levels change from scenario to scenario, a scenario's start brings the profile that it is held under, and its end brings
back the session's. Everything that reads `state.opened.protocol.profile` so reads what holds now, at the hub and at every desk.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from session import events as e
from session.state.records import ScenarioRun, invalidated
from session.state.session_state import SessionState, paused_until
from session.study.settings import Profile
from session.values.clock import Stamp


def after_scenario_fact(state: SessionState, event: e.ScenarioFact, at: Stamp) -> SessionState:
    """Return the state after a fact about a scenario."""
    match event:
        case e.ScenarioStarted():
            run = ScenarioRun(
                number=event.number,
                scenario=event.scenario,
                title=event.title,
                text=event.text,
                kind=event.kind,
                common=event.common,
                started=at,
                paused_before=paused_until(state, at),
                condition=event.condition,
                profile=event.profile,
            )
            begun = msgspec.structs.replace(state, runs=(*state.runs, run), context="")
            return _under(begun, event.profile or state.session_profile)
        case e.SolutionDeclared():
            return with_last_run(state, solution=event.solution)
        case e.ScenarioGivenUp():
            return state
        case e.ScenarioEnded():
            over = with_last_run(state, outcome=event.outcome, reason=event.reason, ended=at)
            return _under(msgspec.structs.replace(over, switched_on=False), state.session_profile)
        case e.ScenarioInvalidated():
            return msgspec.structs.replace(state, runs=invalidated(state.runs, event))


def _under(state: SessionState, profile: Profile | None) -> SessionState:
    """The state with this profile in force."""
    if state.opened is None or profile is None or profile is state.opened.protocol.profile:
        return state
    protocol = msgspec.structs.replace(state.opened.protocol, profile=profile)
    return msgspec.structs.replace(
        state, opened=msgspec.structs.replace(state.opened, protocol=protocol), between_scenarios=state.session_profile
    )


def with_last_run(state: SessionState, **changes: Any) -> SessionState:
    """Return the state with the scenario that began last changed."""
    if not state.runs:
        return state
    return msgspec.structs.replace(state, runs=(*state.runs[:-1], msgspec.structs.replace(state.runs[-1], **changes)))


def run_of(state: SessionState, take: str) -> int | None:
    """Return the place of the scenario to which a reply to a take belongs, of one to none that of the scenario going on."""
    known = state.takes.get(take)
    if known is not None:
        return known.run
    return len(state.runs) - 1 if state.run is not None else None


class ProfileInForce:
    """Follows the facts of a session and knows under which profile each is seen; None before the session is opened.

    What is about an utterance is seen as the utterance's scenario has it, however late it comes: else a transcription that the
    scenario kept behind the curtain would pass it during the next one.
    """

    def __init__(self) -> None:
        self._now: Profile | None = None
        self._session: Profile | None = None
        self._of: dict[str, Profile | None] = {}

    def after(self, event: e.Fact) -> Profile | None:
        """Return the profile under which a fact is seen, its own change counted."""
        match event:
            case e.SessionOpened():
                self._now = self._session = event.protocol.profile
            case e.ScenarioStarted():
                self._now = event.profile or self._session
            case e.ScenarioEnded():
                self._now = self._session
            case e.QuerySubmitted():
                self._of[event.attempt] = self._of.setdefault(event.take, self._now)
            case e.QueryReturned() | e.QueryFailed():
                return self._of.get(event.attempt, self._now)
            case _:
                if take := getattr(event, "take", ""):
                    return self._of.setdefault(take, self._now)
        return self._now


def profiles_in_force(recorded: Iterable[e.Recorded]) -> Iterator[Profile | None]:
    """Yield the profile under which each fact of a session is seen."""
    follower = ProfileInForce()
    for record in recorded:
        yield follower.after(record.event)
