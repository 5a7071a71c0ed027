"""What follows from a command: the one place where a session's order is decided.

`decide` is pure. A request that would break the order of a turn (speech, transcription, *shown to the subject*, then the
query: BBN 1989, section 6.1) is refused with a reason for people; a report is never refused. What a subject may do depends
only on what the subject's own screen can know, so that a refusal tells nothing of what happens behind the curtain.
"""

from typing import assert_never

import msgspec

from session import commands as c
from session import events as e
from session.rules.recording_switch import objection, pause_for
from session.rules.replies import LONGEST_TEXT as LONGEST_TEXT
from session.rules.replies import Refused as Refused
from session.rules.replies import answer, canned, own_text
from session.rules.replies import answer_text as answer_text
from session.rules.scenario_ending import ended, objection_to_ending, objection_to_invalidating
from session.rules.utterance_acceptance import accept, accept_waiting, stopped
from session.rules.visit_steps import completed, lacking_practice, next_step, opening_step
from session.state.fold import SessionState, Take, active, elapsed
from session.study.settings import Profile
from session.values.clock import SECOND, Stamp
from session.values.consent import ConsentScope
from session.values.names import LAST_SCENARIO
from session.values.sanitize import one_line
from session.values.vocabulary import Echo, Outcome, RecordingControl, ResponseClass, Role, ScenarioKind

LONGEST_SQL = 20_000
AFTERWARDS = c.WriteNote | c.MarkReplyWrong | c.NoteDeviation | c.InvalidateScenario


Decision = list[e.Fact] | Refused


def decide(state: SessionState, command: c.AnyCommand, role: Role, now: Stamp) -> Decision:
    """The facts that `command` brings about at the hub's time `now`, or the reason why there are none."""
    if state.opened is None:
        return Refused("The session has not been opened.")
    if not c.permitted(role, command):
        return Refused("This desk cannot do that.")
    if isinstance(command, c.Report):
        return _reported(state, command.event, state.opened.protocol.profile)
    if isinstance(command, c.SubjectRequest):
        return _asked_by_subject(state, command)
    if state.ended and not isinstance(command, AFTERWARDS):
        return Refused("The session has ended.")
    return _asked_by_console(state, command, role, now, state.opened.protocol.profile)


def _reported(state: SessionState, event: e.Fact, profile: Profile) -> list[e.Fact]:
    match event:
        case e.TalkPressed():
            return [*accept_waiting(state, but=event.take), event]
        case e.UtteranceTyped():
            known = state.takes.get(event.take)
            if known is not None and known.typed is not None:
                return []
            text = one_line(event.text)[:LONGEST_TEXT]
            return [*accept_waiting(state, but=event.take), msgspec.structs.replace(event, text=text)]
        case e.AudioTroubled():
            return [event, *pause_for(state, event, profile)]
        case e.RecordingStopped():
            return stopped(state, event)
        case e.QuestionnaireAnswered() | e.DebriefingRead() | e.ConsentConfirmed():
            return completed(state, event)
        case e.WithdrawalRequested():
            ended = e.ScenarioEnded(outcome=Outcome.ENDED, reason="the subject has withdrawn")
            return [*accept_waiting(state), event, ended] if state.run is not None else [event]
        case _:
            return [event]


def _asked_by_subject(state: SessionState, command: c.SubjectRequest) -> Decision:
    match command:
        case c.DiscardTake():
            take = state.takes.get(command.take)
            if take is None or not take.complete:
                return Refused("There is nothing to discard.")
            if take.accepted or take.discarded or take.replies:
                return Refused("It is too late to undo this: the request is already being answered.")
            return [e.TakeDiscarded(at=command.at, take=take.take)]
        case c.DeclareSolution():
            if state.run is None:
                return Refused("No scenario is going on.")
            solution = one_line(command.solution)[:LONGEST_TEXT]
            if not solution:
                return Refused("Please write down the solution first.")
            return [
                *accept_waiting(state),
                e.SolutionDeclared(at=command.at, solution=solution),
                e.ScenarioEnded(outcome=Outcome.SOLVED),
            ]
        case c.GiveUp():
            if state.run is None:
                return Refused("No scenario is going on.")
            return [
                *accept_waiting(state),
                e.ScenarioGivenUp(at=command.at),
                e.ScenarioEnded(outcome=Outcome.GIVEN_UP),
            ]
        case _:
            assert_never(command)


def _asked_by_console(
    state: SessionState, command: c.ConsoleRequest, role: Role, now: Stamp, profile: Profile
) -> Decision:
    match command:
        case c.StartScenario():
            return _start_scenario(state, command, now, profile)
        case c.SwitchRecording():
            why = objection(state, command.on, profile)
            return Refused(why) if why else [e.RecordingSwitched(at=command.at, on=command.on)]
        case c.EndScenario():
            why = objection_to_ending(state, command)
            return Refused(why) if why else ended(state, command)
        case c.InvalidateScenario():
            why = objection_to_invalidating(state, command)
            return Refused(why) if why else [e.ScenarioInvalidated(run=command.run, reason=one_line(command.reason))]
        case c.Transcribe():
            return _transcribe(state, command, profile)
        case c.SubmitQuery():
            return _submit(state, command, profile)
        case c.SendAnswer() | c.SendCanned() | c.SendText():
            return _send(state, command, now, profile)
        case c.StopReply():
            if state.planned is None or state.planned.reply.reply != command.reply:
                return Refused("It is too late: the reply has gone out.")
            return [e.ReplyStopped(reply=command.reply)]
        case c.CancelQuery():
            attempt = state.attempts.get(command.attempt)
            return [] if attempt and attempt.running else Refused("This query is not running any more.")
        case _:
            return _noted(state, command, role)


def _noted(
    state: SessionState,
    command: (
        c.MarkScope
        | c.MarkReplyWrong
        | c.WriteNote
        | c.NoteDeviation
        | c.IdentifyWizard
        | c.PauseSession
        | c.ResumeSession
        | c.AnswerCall
        | c.EndSession
    ),
    role: Role,
) -> Decision:
    match command:
        case c.MarkScope():
            if command.take not in state.takes:
                return Refused("There is no such utterance.")
            return [e.ScopeMarked(take=command.take, scope=command.scope)]
        case c.MarkReplyWrong():
            if command.reply not in state.replies:
                return Refused("There is no such reply.")
            return [e.ReplyMarkedWrong(reply=command.reply, reason=one_line(command.reason))]
        case c.WriteNote():
            text = one_line(command.text)[:LONGEST_TEXT]
            return [e.NoteWritten(text=text, take=command.take)] if text else Refused("The note is empty.")
        case c.NoteDeviation():
            return [e.DeviationNoted(reason=one_line(command.reason), text=one_line(command.text))]
        case c.IdentifyWizard():
            name = one_line(command.name)
            return [e.WizardIdentified(name=name, role=role)] if name else Refused("Say who you are.")
        case c.PauseSession():
            if state.paused:
                return Refused("The session is paused already.")
            return [e.SessionPaused(reason=one_line(command.reason))]
        case c.ResumeSession():
            return [e.SessionResumed()] if state.paused else Refused("The session is not paused.")
        case c.AnswerCall():
            return [e.CallAnswered()] if state.called else Refused("Nobody has called.")
        case c.EndSession():
            if state.run is not None:
                return Refused("End the scenario first.")
            following = next_step(state) if state.step is None else None
            return [following or e.SessionEnded(reason=one_line(command.reason))]
        case _:
            assert_never(command)


def _start_scenario(state: SessionState, command: c.StartScenario, now: Stamp, profile: Profile) -> Decision:
    if state.opened is None or state.run is not None:
        return Refused("A scenario is going on; end it first.")
    if state.withdrawn is not None:
        return Refused("The subject has withdrawn; end the session.")
    if state.step is not None:
        return Refused("The scenarios of this visit are over.")
    if profile.consent and state.consent is None:
        return Refused("The subject has not given consent yet.")
    if not state.allows(ConsentScope.RECORD):
        return Refused("The subject does not consent to being recorded; end the session.")
    if (step := opening_step(state)) is not None:
        return Refused(f"The subject is still at this step: {step.replace('_', ' ')}.")
    scenario = state.opened.protocol.scenarios.get(command.scenario)
    if scenario is None:
        return Refused(f"There is no scenario {command.scenario}.")
    if missing := scenario.unbound(command.bindings):
        return Refused(f"Bind {', '.join(missing)} first; then scenario {scenario.id} can start.")
    practice = scenario.kind is ScenarioKind.PRACTICE
    if not practice and (why := lacking_practice(state)):
        return Refused(why)
    if not practice and profile.max_scenarios and state.counted >= profile.max_scenarios:
        return Refused(f"The profile allows {profile.max_scenarios} scenarios, and they are done.")
    if profile.session_limit_s and state.began and active(state, now) >= profile.session_limit_s * SECOND:
        return Refused(f"The session's {profile.session_limit_s / 60:g} minutes are over.")
    numbered = sum(run.number is not None for run in state.runs)
    number = None if practice else state.opened.first_scenario + numbered
    if number is not None and number > LAST_SCENARIO:
        return Refused(
            f"Speaker {state.opened.speaker.id} has had {LAST_SCENARIO} scenarios, as many as names allow; "
            "open a session under a new speaker id."
        )
    return [
        e.ScenarioStarted(
            number=number,
            scenario=scenario.id,
            title=scenario.title,
            text=scenario.bound(command.bindings),
            kind=scenario.kind,
            common=scenario.common,
            bindings=command.bindings,
            attended=command.attended,
        )
    ]


def _open_take(state: SessionState, name: str) -> Take | Refused:
    take = state.takes.get(name)
    if take is None:
        return Refused("There is no such utterance.")
    if take.discarded:
        return Refused("The subject has discarded this utterance.")
    return take


def _transcribe(state: SessionState, command: c.Transcribe, profile: Profile) -> Decision:
    take = _open_take(state, command.take)
    if isinstance(take, Refused):
        return take
    if not state.allows(ConsentScope.TRANSCRIBE):
        return Refused("The subject has not agreed to being written down; ask the database directly.")
    text = one_line(command.text)
    if not text:
        return Refused("The transcription is empty.")
    if len(text) > LONGEST_TEXT:
        return Refused(f"The transcription has {len(text)} characters; at most {LONGEST_TEXT} are allowed.")
    if not take.complete:
        return Refused("The subject is still speaking.")
    fact = e.Transcribed(at=command.at, take=take.take, text=text)
    return [*(accept(state, take) if profile.echo is Echo.BEFORE_QUERY else []), fact]


def _submit(state: SessionState, command: c.SubmitQuery, profile: Profile) -> Decision:
    take = _open_take(state, command.take)
    if isinstance(take, Refused):
        return take
    if not command.text.strip():
        return Refused("The query is empty.")
    if len(command.text) > LONGEST_SQL:
        return Refused(f"The query has {len(command.text)} characters; at most {LONGEST_SQL} are allowed.")
    if state.running is not None:
        return Refused("A query is running; cancel it first.")
    spoken = take.typed is None and profile.recording is not RecordingControl.TYPED
    if spoken and profile.echo is Echo.BEFORE_QUERY and state.allows(ConsentScope.TRANSCRIBE):
        if not take.transcriptions:
            return Refused("Transcribe the utterance first: the subject is to see it before the query runs.")
        if not take.transcription_shown:
            return Refused("The subject's screen has not shown the transcription yet.")
    return [
        e.QuerySubmitted(
            at=command.at,
            attempt=command.id,
            take=take.take,
            language=command.language,
            text=command.text,
            origin=command.origin,
            in_context=command.in_context,
            choice=command.choice,
        )
    ]


def _send(
    state: SessionState, command: c.SendAnswer | c.SendCanned | c.SendText, now: Stamp, profile: Profile
) -> Decision:
    reply: e.AnswerSent | e.CannedSent | Refused
    match command:
        case c.SendAnswer():
            reply = answer(state, command)
        case c.SendCanned():
            reply = canned(state, command)
        case c.SendText():
            reply = own_text(command, profile)
    if isinstance(reply, Refused):
        return reply
    if state.planned is not None:
        return Refused("A reply is on its way already; stop it first.")
    if not reply.take:
        return [reply]
    take = _open_take(state, reply.take)
    if isinstance(take, Refused):
        return take
    if not take.complete:
        return Refused("The subject is still speaking.")
    if state.answered(take) and reply.response is not ResponseClass.FILLER:
        return Refused("This utterance has its reply; mark that one as wrong before you send another.")
    return _release(state, msgspec.structs.replace(reply, transcription=take.text), take, now, profile)


def _release(
    state: SessionState, reply: e.AnswerSent | e.CannedSent, take: Take, now: Stamp, profile: Profile
) -> Decision:
    """The reply at once, or planned for later where the profile delays replies or holds them back."""
    waited = elapsed(take.waiting_since, now) if take.waiting_since else 0
    filler = reply.response is ResponseClass.FILLER
    delay = 0 if filler else max(round(profile.reply_delay_s * SECOND) - waited, round(profile.hold_back_s * SECOND), 0)
    if delay == 0:
        return [*accept(state, take), reply]
    planned = msgspec.structs.replace(reply, planned_delay=delay)
    return [e.ReplyPlanned(reply=planned, due=now.mono + delay)]
