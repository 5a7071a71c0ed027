"""A machine that operates a stage and is late or gone: when that is found out, and what the profile makes of it."""

from collections.abc import Sequence
from typing import assert_never

from session import events as e
from session.rules.replies import said
from session.rules.utterance_acceptance import accept
from session.state.fold import SessionState, Take, elapsed, paused_until
from session.study.settings import Profile
from session.values.clock import SECOND, Stamp
from session.values.names import derived_reply
from session.values.vocabulary import (
    Echo,
    LostOperator,
    Operator,
    OperatorTrouble,
    ResponseClass,
    Stage,
)

_GONE = OperatorTrouble.DIED
INTERPRETED = "interpreter"
"""The origin of an attempt that a machine made of the words by itself."""


def pending_stage(state: SessionState, take: Take, profile: Profile) -> Stage | None:
    """Return the stage whose operator is to act next on an utterance; None when it is answered, or another person's turn."""
    if not take.complete or take.discarded or state.answered(take):
        return None
    if state.planned is not None and state.planned.reply.take == take.take:
        return None
    if take.typed is None and not take.transcriptions:
        heard = take.hypothesis is not None and take.hypothesis.final
        if not heard:
            return Stage.RECOGNITION
        return None if take.hypothesis is not None and take.hypothesis.hypotheses else Stage.RESPONSE
    if take.typed is None and profile.echo is Echo.BEFORE_QUERY and not take.transcription_shown:
        return None
    if not take.attempts:
        return Stage.UNDERSTANDING
    last = state.attempts[take.attempts[-1]]
    if last.origin == INTERPRETED and last.text != take.text and not last.running:
        return Stage.UNDERSTANDING  # what was said has been put right since
    if last.running or take.proposed is not None:
        return None
    return Stage.RESPONSE


def _late_at(state: SessionState, take: Take, profile: Profile, now: Stamp) -> tuple[Stage, int] | None:
    """The stage whose machine is to act on the take, and the nanoseconds that it has left."""
    stage = pending_stage(state, take, profile)
    if stage is None or stage in take.late or take.moved is None or not _is_a_machine_s(state, stage, profile):
        return None
    trouble = state.stage_troubles.get(stage)
    if profile.lost_operator is LostOperator.DIAGNOSTIC and trouble is not None and trouble.trouble is _GONE:
        return stage, 0
    used = elapsed(take.moved, now) - (paused_until(state, now) - take.moved_paused)
    return stage, round(profile.operator_deadline_s * SECOND) - used


def _is_a_machine_s(state: SessionState, stage: Stage, profile: Profile) -> bool:
    """Return whether a machine operates the stage, or is to and has never come in; at a rehearsal people may play it."""
    holder = state.operator(stage)
    if holder is None:
        planned, rehearsed = getattr(profile.operators, stage), state.opened is not None and state.opened.rehearsal
        return planned is Operator.MACHINE and not rehearsed
    return holder is not Operator.HUMAN


def next_late(state: SessionState, profile: Profile, now: Stamp) -> list[int]:
    """Nanoseconds until each machine that has work to do is late."""
    if not profile.operator_deadline_s or not state.stages:
        return []
    return [found[1] for take in state.waiting() if (found := _late_at(state, take, profile, now)) is not None]


def late(state: SessionState, profile: Profile, now: Stamp) -> list[e.Fact]:
    """The facts that a machine let its deadline pass, and what follows by the profile."""
    facts: list[e.Fact] = []
    if not profile.operator_deadline_s or not state.stages:
        return facts
    for take in state.waiting():
        found = _late_at(state, take, profile, now)
        if found is None or found[1] > 0:
            continue
        stage = found[0]
        held = state.stages.get(stage) or e.StageAssigned(stage=stage, operator=Operator.MACHINE)
        detail = _why_late(state, stage, profile)
        facts.append(
            e.OperatorTroubled(
                stage=stage, trouble=OperatorTrouble.LATE, engine=held.engine, take=take.take, detail=detail
            )
        )
        facts += _instead(state, held, take, profile, "the machine is late", facts)
        if any(isinstance(fact, e.CannedSent) for fact in facts):
            break  # one reply at a time: the next utterance is late as soon as this one is answered
    return facts


def _why_late(state: SessionState, stage: Stage, profile: Profile) -> str:
    if stage not in state.stages:
        return f"none has come in, and nothing within {profile.operator_deadline_s:g} s"
    trouble = state.stage_troubles.get(stage)
    if trouble is not None and trouble.trouble is _GONE:
        return "it is gone"
    return f"nothing within {profile.operator_deadline_s:g} s"


def failed(state: SessionState, trouble: e.OperatorTroubled, profile: Profile) -> list[e.Fact]:
    """The trouble that a machine has told of a take, and what follows by the profile."""
    held, take = state.stages[trouble.stage], state.takes.get(trouble.take)
    if take is None or pending_stage(state, take, profile) is not trouble.stage or held.operator is Operator.HUMAN:
        return [trouble]
    return [trouble, *_instead(state, held, take, profile, "the machine has failed", ())]


def _instead(
    state: SessionState, held: e.StageAssigned, take: Take, profile: Profile, why: str, so_far: Sequence[e.Fact]
) -> list[e.Fact]:
    """Return what a take gets whose machine did not do its work; one reply and one change of hands at a time."""
    match profile.lost_operator:
        case LostOperator.PERSON:
            handed = _handed(held, why)
            return [] if handed in so_far else [handed]
        case LostOperator.DIAGNOSTIC:
            return diagnostic(state, take)
        case LostOperator.WAIT:
            return []
        case _:
            assert_never(profile.lost_operator)


def gone(state: SessionState, stage: Stage, why: str) -> list[e.Fact]:
    """The facts that the machine of a stage is gone, and what follows by the profile; nothing after the session's end."""
    held = state.stages.get(stage)
    known = state.stage_troubles.get(stage)
    if held is None or state.ended or state.opened is None or (known is not None and known.trouble is _GONE):
        return []
    facts: list[e.Fact] = [
        e.OperatorTroubled(stage=stage, trouble=OperatorTrouble.DIED, engine=held.engine, detail=why)
    ]
    if held.operator is Operator.HUMAN:
        return facts
    profile = state.opened.protocol.profile
    match profile.lost_operator:
        case LostOperator.PERSON:
            facts.append(_handed(held, "the machine is gone"))
        case LostOperator.WAIT if state.paused is None:
            facts.append(e.SessionPaused(reason=_waiting_for(stage)))
        case LostOperator.DIAGNOSTIC:
            waiting = [take for take in state.waiting() if pending_stage(state, take, profile) is stage]
            facts += diagnostic(state, waiting[0]) if waiting else []
        case _:
            pass
    return facts


def back(state: SessionState, stage: Stage) -> list[e.Fact]:
    """The facts that follow when a machine is back or a person in its place, and the session waits for no other that is gone."""
    ours = state.paused is not None and state.pause_reason in map(_waiting_for, Stage)
    others = [
        other
        for other, trouble in state.stage_troubles.items()
        if other is not stage and trouble.trouble is _GONE and state.operator(other) is not Operator.HUMAN
    ]
    return [e.SessionResumed()] if ours and not others else []


def diagnostic(state: SessionState, take: Take) -> list[e.Fact]:
    """The reply that the system cannot answer: the study's first message that says so."""
    messages = state.opened.protocol.canned_messages.values() if state.opened else ()
    fitting = [message for message in messages if message.response is ResponseClass.FAILURE and not message.blanks]
    if not fitting:
        return []
    message = fitting[0]
    reply = derived_reply(state.session, take.take, "unable")
    return [
        *accept(state, take),
        e.CannedSent(
            reply=reply,
            take=take.take,
            text=message.text,
            transcription=take.text,
            message=message.id,
            reason=message.reason,
            response=message.response,
            spoken=said(message.text, state.opened.protocol.profile if state.opened else None),
        ),
    ]


def _handed(held: e.StageAssigned, reason: str) -> e.StageAssigned:
    return e.StageAssigned(
        stage=held.stage, operator=Operator.HUMAN, engine=held.engine, version=held.version, reason=reason
    )


def _waiting_for(stage: Stage) -> str:
    return f"the machine of the stage {stage} is gone"
