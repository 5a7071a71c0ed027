"""The fold from events to the state of a session, shared by hub, desks and projections.

`evolve` is pure and total: every fact, in any order, gives a state; a fact that fits nowhere changes nothing. So a desk that
sees only what its role may see folds its part of the stream with the same function.
"""

from collections.abc import Iterable
from typing import Any, TypeVar, assert_never

import msgspec

from session import events as e
from session.state.records import Attempt as Attempt
from session.state.records import Reply as Reply
from session.state.records import ScenarioRun as ScenarioRun
from session.state.records import Take as Take
from session.state.records import corrected, lost_after, without
from session.state.scenario_runs import after_scenario_fact, run_of, with_last_run
from session.state.session_state import SessionState as SessionState
from session.state.session_state import active as active
from session.state.session_state import deviation as deviation
from session.state.session_state import paused_until as paused_until
from session.state.stage_operators import at_work, is_done_by_a_person, troubles_with
from session.values.clock import Stamp
from session.values.clock import elapsed as elapsed
from session.values.persistent_map import GrowingMap
from session.values.vocabulary import Operator, PlaybackEnd, ResponseClass, Role, Stage, Step

Key = TypeVar("Key")
Item = TypeVar("Item", bound=msgspec.Struct)


def fold(recorded: Iterable[e.Recorded], state: SessionState | None = None) -> SessionState:
    """Return the state after `recorded`, from `state` or from the beginning."""
    state = SessionState() if state is None else state
    for record in recorded:
        state = evolve(state, record)
    return state


def _but(struct: Item, **changes: Any) -> Item:
    return msgspec.structs.replace(struct, **changes)


def _changed(items: GrowingMap[Key, Item], key: Key, **changes: Any) -> GrowingMap[Key, Item]:
    """Return `items` with one item changed, or unchanged if there is none of that name."""
    found = items.get(key)
    return items.put(key, _but(found, **changes)) if found is not None else items


def evolve(state: SessionState, recorded: e.Recorded) -> SessionState:
    """Return the state after one more fact."""
    after = at_work(_evolved(state, recorded), recorded)
    return after if after.people_acted or not is_done_by_a_person(recorded) else _but(after, people_acted=True)


def _evolved(state: SessionState, recorded: e.Recorded) -> SessionState:
    event = recorded.event
    if isinstance(event, e.SessionFact):
        return _session(state, event, recorded)
    if isinstance(event, e.FlowFact):
        return advanced(state, event)
    if isinstance(event, e.ScenarioFact):
        return after_scenario_fact(state, event, recorded.at)
    if isinstance(event, e.UtteranceFact):
        return _utterance(state, event, recorded.at)
    if isinstance(event, e.WizardFact):
        return _wizard(state, event, recorded.at)
    if isinstance(event, e.ReplyFact):
        return _reply(state, event, recorded.at)
    if isinstance(event, e.OperatorFact):
        return _operator(state, event, recorded.at)
    if isinstance(event, e.VoiceFact):
        return _voice(state, event)
    if isinstance(event, e.LinkFact | e.Redacted):
        return state
    assert_never(event)


def _identified(state: SessionState, event: e.WizardIdentified) -> SessionState:
    if event.role != Role.WIZARD:
        return state
    known = state.opened.certifies(event.name) if state.opened is not None else None
    return _but(state, wizard=event.name, certified=known if event.certified is None else event.certified)


def _session(state: SessionState, event: e.SessionFact, recorded: e.Recorded) -> SessionState:
    match event:
        case e.SessionOpened():
            return _but(
                state, session=recorded.session, opened=event, wizard=event.operator, began=recorded.at, ended=False,
                certified=event.certifies(event.operator),
            )  # fmt: skip
        case e.WizardIdentified():
            return _identified(state, event)
        case e.ScreenSized():
            return _but(state, screen=(event.columns, event.lines))
        case e.ConsentGiven():
            return _but(state, consent=event)
        case e.SessionPaused():
            return _but(state, paused=state.paused or recorded.at, pause_reason=event.reason, switched_on=False)
        case e.SessionResumed():
            return _but(state, paused=None, paused_total=paused_until(state, recorded.at))
        case e.SessionEnded():
            return _but(state, ended=True)
        case e.ExperimenterCalled():
            return _but(state, called=True)
        case e.CallAnswered():
            return _but(state, called=False)
        case e.SpeakerCorrected():
            return _but(state, opened=corrected(state.opened, event))
        case e.SpeakerWithdrawn():
            return _but(state, erased=True)
        case e.DeviationNoted():
            return _but(state, deviations=(*state.deviations, deviation(state, event)))
        case e.DeviationTakenBack():
            noted = deviation(state, event)
            at = state.deviations.index(noted) if noted in state.deviations else len(state.deviations)
            return _but(state, deviations=state.deviations[:at] + state.deviations[at + 1 :])
        case e.NoteWritten():
            return _but(state, notes=(*state.notes, event.text))
        case _:
            assert_never(event)


def advanced(state: SessionState, event: e.FlowFact) -> SessionState:
    """Return the state after a fact that needs no stamp of the hub's."""
    match event:
        case e.InstructionsRead() | e.MicrophoneOpened():
            return _but(state, instructed=state.instructed or isinstance(event, e.InstructionsRead))
        case e.MicrophoneChecked():
            return _but(state, checked=event)
        case e.StepBegun():
            return _but(state, step=event)
        case e.QuestionnaireAnswered():
            return _but(state, done=(*state.done, *(step for step in Step if step == event.form)))
        case e.DebriefingRead():
            return _but(state, done=(*state.done, Step.DEBRIEFING))
        case e.ConsentConfirmed():
            given = e.ConsentGiven(at=event.at, version=event.version, sha256=event.sha256, scopes=event.scopes)
            return _but(state, consent=given, done=(*state.done, Step.CONFIRM_CONSENT))
        case e.WithdrawalRequested():
            return _but(state, withdrawn=event, consent=without(state.consent, event))
        case _:
            assert_never(event)


def _take(state: SessionState, take: str, **changes: Any) -> SessionState:
    """Return the state with a take changed; an unknown take is created."""
    known = state.takes.get(take)
    if known is None:
        run = len(state.runs) - 1 if state.run else None
        known = Take(take=take, run=run, context=state.context)
        by_run = state.by_run if run is None else state.by_run.put(run, (*state.by_run.get(run, ()), take))
        state = _but(state, context="", by_run=by_run, unanswered=(*state.unanswered, take))
    return _but(state, takes=state.takes.put(take, _but(known, **changes)))


def _work(state: SessionState, at: Stamp) -> dict[str, Any]:
    """Return the changes to a take when work on it has continued."""
    return {"moved": at, "moved_paused": paused_until(state, at)}


def _settled(state: SessionState, name: str) -> SessionState:
    """Return the state after a take was discarded or answered."""
    take = state.takes.get(name)
    if take is None or not (take.discarded or state.answered(take)):
        return state
    return _but(state, unanswered=tuple(waiting for waiting in state.unanswered if waiting != name))


def _reopened(state: SessionState) -> SessionState:
    """Return the state after a reply was revoked, whichever takes had it; the only change that scans all takes."""
    takes = state.takes.values()
    names = tuple(take.take for take in takes if not take.discarded and not state.answered(take))
    return _but(state, unanswered=names)


def _utterance(state: SessionState, event: e.UtteranceFact, at: Stamp) -> SessionState:
    match event:
        case e.TalkPressed():
            known = state.takes.get(event.take)
            state = _take(state, event.take, pressed=(known and known.pressed) or event.at, released=None)
            return _but(state, switched_on=False)
        case e.RecordingSwitched():
            return _but(state, switched_on=event.on)
        case e.EndPointed():
            return state
        case e.TalkReleased():
            return _take(state, event.take, released=event.at, ended_by=event.why)
        case e.RecordingStarted():
            return _take(state, event.take, began=event.at, channels=event.channels, pre_roll=event.pre_roll)
        case e.AudioTroubled():
            state = _but(state, lost_microphones=lost_after(state.lost_microphones, event))
            if not event.take:
                return state
            troubles = state.takes[event.take].troubles if event.take in state.takes else ()
            return _take(state, event.take, troubles=(*troubles, event))
        case e.RecordingStopped():
            return _take(
                state,
                event.take,
                stopped=event.at,
                waiting_since=at,
                **_work(state, at),
                paused_before=paused_until(state, at),
                sealed=event.sealed,
                tail=event.tail,
                recovered=event.recovered,
            )
        case e.TakeConfirmed():
            return _but(state, takes=_changed(state.takes, event.take, confirmed=True))
        case e.UtteranceTyped():
            return _take(
                state,
                event.take,
                typed=event.text,
                waiting_since=at,
                paused_before=paused_until(state, at),
                **_work(state, at),
            )
        case e.TakeDiscarded():
            planned = state.planned if state.planned and state.planned.reply.take != event.take else None
            state = _but(state, takes=_changed(state.takes, event.take, discarded=True), planned=planned)
            return _settled(state, event.take)
        case e.UtteranceAccepted():
            return _but(state, takes=_changed(state.takes, event.take, accepted=True, number=event.number))
        case e.ContextSwitched():
            return _but(state, context=event.target)
        case e.TranscriptionShown():
            return _but(state, takes=_changed(state.takes, event.take, transcription_shown=True, **_work(state, at)))
        case _:
            assert_never(event)


def _wizard(state: SessionState, event: e.WizardFact, at: Stamp) -> SessionState:
    match event:
        case e.Transcribed():
            known = state.takes.get(event.take)
            texts = (*known.transcriptions, event.text) if known else (event.text,)
            return _but(
                state,
                takes=_changed(
                    state.takes, event.take, transcriptions=texts, transcription_shown=False, **_work(state, at)
                ),
            )
        case e.ScopeMarked():
            return _but(state, takes=_changed(state.takes, event.take, scope=event.scope))
        case e.QuerySubmitted():
            attempt = Attempt(
                attempt=event.attempt,
                take=event.take,
                language=event.language,
                text=event.text,
                submitted=at,
                origin=event.origin,
                in_context=event.in_context,
                choice=event.choice,
            )
            known = state.takes.get(event.take)
            names = (*known.attempts, event.attempt) if known else ()
            return _but(
                state,
                attempts=state.attempts.put(event.attempt, attempt),
                asking=(*(name for name in state.asking if name != event.attempt), event.attempt),
                takes=_changed(state.takes, event.take, attempts=names),
            )
        case e.QueryReturned():
            rows = {"table": event.table, "reading": event.reading, "database_version": event.database_version}
            rows |= {"paraphrase": event.paraphrase, "confidence": event.confidence, "unused": event.unused}
            rows |= {"spoken": event.spoken, "written": event.written, "unasked": event.unasked, "doubt": event.doubt}
            return _moved(_attempt(state, event.attempt, **_understood(event), **rows), event.attempt, at)
        case e.QueryFailed():
            failure = {"failure": event.kind, "message": event.message, "unused": event.unused}
            return _moved(_attempt(state, event.attempt, **_understood(event), **failure), event.attempt, at)
        case e.ProposalJudged():
            return state
        case e.AnswerPreviewed():
            return _attempt(state, event.attempt, previewed=True)
        case e.ReplyLimitReached():
            return _but(state, takes=_changed(state.takes, event.take, limit_reached=True))
        case _:
            assert_never(event)


def _operator(state: SessionState, event: e.OperatorFact, at: Stamp) -> SessionState:
    match event:
        case e.StageAssigned():
            back = event.operator is not Operator.HUMAN or event.reason.startswith("attached")
            over = (event.stage,) if back else ()
            troubles = {stage: trouble for stage, trouble in state.stage_troubles.items() if stage not in over}
            return _but(state, stages={**state.stages, event.stage: event}, stage_troubles=troubles)
        case e.OperatorTroubled():
            state = _but(state, stage_troubles=troubles_with(state, event))
            known = state.takes.get(event.take)
            late = (*known.late, event.stage) if known else ()
            return _but(state, takes=_changed(state.takes, event.take, late=late))
        case e.HypothesisReceived():
            moved = _work(state, at) if event.final else {}
            return _but(state, takes=_changed(state.takes, event.take, hypothesis=event, **moved))
        case e.ReplyProposed():
            return _but(state, takes=_changed(state.takes, event.take, proposed=event, **_work(state, at)))
        case e.OutputJudged():
            known = state.takes.get(event.take)
            verdicts = (*known.judged, event) if known else ()
            left = {"proposed": None} if event.stage is Stage.RESPONSE else {}
            return _but(state, takes=_changed(state.takes, event.take, judged=verdicts, **_work(state, at), **left))
        case e.ModelConsulted():
            return state
        case _:
            assert_never(event)


def _understood(event: e.QueryReturned | e.QueryFailed) -> dict[str, Any]:
    return {"sql": event.sql, "question": event.question, "proposer": event.proposer, "others": event.others}


def _moved(state: SessionState, attempt: str, at: Stamp) -> SessionState:
    known = state.attempts.get(attempt)
    return _but(state, takes=_changed(state.takes, known.take, **_work(state, at))) if known is not None else state


def _attempt(state: SessionState, attempt: str, **changes: Any) -> SessionState:
    attempts = _changed(state.attempts, attempt, **changes)
    return _but(state, attempts=attempts, asking=tuple(name for name in state.asking if attempts[name].running))


def _reply(state: SessionState, event: e.ReplyFact, at: Stamp) -> SessionState:
    match event:
        case e.ReplyPlanned():
            return _but(state, planned=event, planned_at=at)
        case e.ReplyStopped():
            return _but(state, planned=None)
        case e.AnswerSent() | e.CannedSent():
            reply = Reply(
                reply=event.reply,
                take=event.take,
                text=event.text,
                transcription=event.transcription,
                response=event.response,
                sent=at,
                attempt=event.attempt if isinstance(event, e.AnswerSent) else "",
                spoken=event.spoken,
                message=event.message if isinstance(event, e.CannedSent) else "",
                run=run_of(state, event.take),
            )
            known = state.takes.get(event.take)
            names = (*known.replies, event.reply) if known else ()
            again = event.reply in state.replies
            if not event.take and event.response is ResponseClass.GREETING:
                state = with_last_run(state, opened_by_system=True)
            state = _but(
                state,
                replies=state.replies.put(event.reply, reply),
                takes=_changed(state.takes, event.take, replies=names),
                planned=None,
            )
            return _reopened(state) if again else _settled(state, event.take)
        case e.ReplyMarkedWrong():
            return _reopened(_but(state, replies=_changed(state.replies, event.reply, wrong=event.reason)))
        case e.ReplyShown():
            return _but(state, replies=_changed(state.replies, event.reply, shown=event.at))
        case e.ReplyViewed():
            return state
        case _:
            assert_never(event)


def _voice(state: SessionState, event: e.VoiceFact) -> SessionState:
    """Return the state after a fact about a reply's sound; a reply without sound is shown as text."""
    match event:
        case e.ReplyVoiced():
            changes: dict[str, Any] = {"sound": event}
        case e.VoiceFailed():
            changes = {"voice_failed": True, "voice_trouble": event.detail}
        case e.PlaybackStarted():
            changes = {"heard_from": event.at}
        case e.PlaybackStopped():
            changes = {"heard_until": event.at, "samples_heard": event.samples, "voice_trouble": event.detail}
            changes["voice_failed"] = event.why is PlaybackEnd.FAILED
        case _:
            assert_never(event)
    return _but(state, replies=_changed(state.replies, event.reply, **changes))
