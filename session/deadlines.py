"""What the mere passing of time brings about: limits that end and replies that were held back.

Pure like `rules`; the hub asks `next_due` how long it may sleep and `due` what has happened by then.
"""

from session import events as e
from session.clock import SECOND, Stamp
from session.rules import accept, accept_waiting
from session.state import SessionState, Take, elapsed
from session.vocabulary import Outcome


def due(state: SessionState, now: Stamp) -> list[e.Fact]:
    """The facts that the passing of time has brought about by `now`."""
    if state.opened is None or state.ended:
        return []
    profile = state.opened.protocol.profile
    facts: list[e.Fact] = []
    if state.planned is not None and now.mono >= state.planned.due:
        take = state.takes.get(state.planned.reply.take)
        facts += [*(accept(state, take) if take else []), state.planned.reply]
    if state.paused:
        return facts
    facts += [
        e.ReplyLimitReached(take=take.take)
        for take in state.waiting()
        if profile.reply_limit_s
        and not take.limit_reached
        and _used(state, take, now) >= profile.reply_limit_s * SECOND
    ]
    run = state.run
    if run is not None and profile.scenario_limit_s and run.number is not None:
        used = elapsed(run.started, now) - (state.paused_total - run.paused_before)
        if used >= profile.scenario_limit_s * SECOND:
            facts += [*accept_waiting(state), e.ScenarioEnded(outcome=Outcome.TIME_UP)]
    return facts


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
        waits.append(state.planned.due - now.mono)
    if not state.paused:
        limit = round(profile.reply_limit_s * SECOND)
        waits += [limit - _used(state, take, now) for take in state.waiting() if limit and not take.limit_reached]
        run = state.run
        if run is not None and profile.scenario_limit_s and run.number is not None:
            used = elapsed(run.started, now) - (state.paused_total - run.paused_before)
            waits.append(round(profile.scenario_limit_s * SECOND) - used)
    return max(0, min(waits)) if waits else None
