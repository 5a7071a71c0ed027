"""Deadlines, which the mere passing of time reaches: limits that end and replies that were held back.

Pure like `rules`; the hub asks `next_due` how long it may sleep and `due` what has happened by then.
"""

from session import events as e
from session.rules.operator_deadlines import late, next_late
from session.rules.replies import opening
from session.rules.utterance_acceptance import accept, accept_waiting
from session.state.fold import SessionState, Take, elapsed
from session.values.clock import SECOND, Stamp
from session.values.vocabulary import Outcome


def due(state: SessionState, now: Stamp) -> list[e.Fact]:
    """The facts that the passing of time has brought about by `now`."""
    if state.opened is None or state.ended:
        return []
    profile = state.opened.protocol.profile
    facts: list[e.Fact] = []
    if state.planned is not None and _until_planned(state, now) <= 0:
        take = state.takes.get(state.planned.reply.take)
        facts += [*(accept(state, take) if take else []), state.planned.reply]
    if state.paused:
        return facts
    if (greeting := opening(state)) is not None:
        facts.append(greeting)
    facts += [
        e.ReplyLimitReached(take=take.take)
        for take in _unattended(state)
        if _used(state, take, now) >= _ns(profile.reply_limit_s)
    ]
    if not any(isinstance(fact, e.AnswerSent | e.CannedSent) for fact in facts):
        facts += late(state, profile, now)
    run = state.run
    if run is not None and profile.scenario_limit_s and run.number is not None:
        used = elapsed(run.started, now) - (state.paused_total - run.paused_before)
        if used >= _ns(profile.scenario_limit_s):
            facts += [fact for fact in accept_waiting(state) if fact not in facts]
            facts.append(e.ScenarioEnded(outcome=Outcome.TIME_UP))
    return facts


def _ns(seconds: float) -> int:
    """One rounding for alarm and deed, lest the alarm ring a nanosecond early."""
    return round(seconds * SECOND)


def _until_planned(state: SessionState, now: Stamp) -> int:
    """Nanoseconds until the planned reply is due, below 0 when it is late; holds after a restart of the hub's machine too."""
    if state.planned is None:
        return 0
    if state.planned_at is None:
        return state.planned.due - now.mono
    return state.planned.due - state.planned_at.mono - elapsed(state.planned_at, now)


def _unattended(state: SessionState) -> list[Take]:
    """Utterances for which the limit counts: no reply yet, none planned, and the limit not told before."""
    if state.opened is None or not state.opened.protocol.profile.reply_limit_s:
        return []
    planned = state.planned.reply.take if state.planned else ""
    return [take for take in state.waiting() if not take.limit_reached and take.take != planned]


def _used(state: SessionState, take: Take, now: Stamp) -> int:
    """Nanoseconds that the reply to `take` has been awaited, pauses left out."""
    if take.waiting_since is None:
        return 0
    return elapsed(take.waiting_since, now) - (state.paused_total - take.paused_before)


def next_due(state: SessionState, now: Stamp) -> int | None:
    """Nanoseconds from `now` until `due` may have something to say; None when nothing is being waited for."""
    if state.opened is None or state.ended:
        return None
    profile = state.opened.protocol.profile
    waits: list[int] = []
    if state.planned is not None:
        waits.append(_until_planned(state, now))
    if not state.paused:
        if opening(state) is not None:
            waits.append(0)
        waits += [_ns(profile.reply_limit_s) - _used(state, take, now) for take in _unattended(state)]
        waits += next_late(state, profile, now)
        run = state.run
        if run is not None and profile.scenario_limit_s and run.number is not None:
            used = elapsed(run.started, now) - (state.paused_total - run.paused_before)
            waits.append(_ns(profile.scenario_limit_s) - used)
    return max(0, min(waits)) if waits else None
