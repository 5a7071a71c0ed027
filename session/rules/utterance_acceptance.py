"""Acceptance of a take as an utterance, with its number.

The number that names an utterance's files is given when something the subject can see reacts to it (MADCOW names count what the
system dealt with); until then the subject may take it back. Pure, shared by what people and what time bring about.
"""

from session import events as e
from session.state.fold import SessionState, Take
from session.values.names import LAST_UTTERANCE

SCENARIO_OVER = "scenario over"
"""Reason of a release: recording had been opened for the subject, who ended the scenario in place of speaking."""


def acceptable(take: Take, complete: bool) -> bool:
    """Return whether a take that is `complete` can become an utterance of its scenario."""
    return complete and take.run is not None and not take.accepted and not take.discarded


def accepted(state: SessionState, take: Take, ahead: int = 0) -> e.UtteranceAccepted:
    """The fact that makes an utterance of `take`, numbered behind those that are accepted and `ahead` more."""
    if take.run is None or state.runs[take.run].number is None:
        return e.UtteranceAccepted(take=take.take, number=None)
    number = state.next_number(take.run) + ahead
    return e.UtteranceAccepted(take=take.take, number=number if number <= LAST_UTTERANCE else None)


def accept_waiting(state: SessionState, but: str = "") -> list[e.Fact]:
    """Accepts every complete utterance of the current scenario, in the order in which they were spoken."""
    facts: list[e.Fact] = []
    for take in state.takes_of(len(state.runs) - 1) if state.run else ():
        if take.take != but and acceptable(take, take.complete):
            facts.append(accepted(state, take, ahead=len(facts)))
    return facts


def accept(state: SessionState, take: Take) -> list[e.Fact]:
    """Accepts `take` and those spoken before it; a reaction that the subject sees makes an utterance of it."""
    facts: list[e.Fact] = []
    for other in state.takes_of(take.run) if take.run is not None else ():
        if acceptable(other, other.complete):
            facts.append(accepted(state, other, ahead=len(facts)))
        if other.take == take.take:
            break
    return facts


def stopped(state: SessionState, event: e.RecordingStopped) -> list[e.Fact]:
    """Return the facts that the end of a take brings: nothing the second time; one that a crash left empty is discarded; one of
    a scenario that is over by now is accepted at once."""
    known = state.takes.get(event.take)
    if known and known.stopped is not None and known.sealed == event.sealed:
        return []
    if event.recovered and not any(sealed.samples for sealed in event.sealed) and not (known and known.accepted):
        return [event, e.TakeDiscarded(at=event.at, take=event.take)]
    if known is not None and known.ended_by == SCENARIO_OVER and not known.accepted:
        return [event, e.TakeDiscarded(at=event.at, take=event.take)]
    late = known is not None and known.run is not None and state.runs[known.run].outcome is not None
    return [event, accepted(state, known)] if late and known and acceptable(known, True) else [event]
