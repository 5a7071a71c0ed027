"""The decision on a command: the one place where a session's order is decided.

`decide` is pure. A request that would break the order of a turn (speech, transcription, *shown to the subject*, then the
query: BBN 1989, section 6.1) is refused with a reason for people; a report is never refused. What a subject may do depends
only on what the subject's own screen can know, so that a refusal tells nothing of what happens behind the curtain.
"""

from collections.abc import Collection
from typing import assert_never

import msgspec

from session import commands as c
from session import events as e
from session.rules.blanks import foreign_words
from session.rules.machine_commands import asked_by_machine, open_take
from session.rules.recording_switch import after_reply, objection, pause_for
from session.rules.refusal import RequestRefused as RequestRefused
from session.rules.refusal import refused, refused_to_subject
from session.rules.replies import LONGEST_TEXT as LONGEST_TEXT
from session.rules.replies import (
    answer,
    canned,
    own_text,
    proposal,
    proposed_reply,
    reply_delay,
    writes_nothing,
)
from session.rules.replies import answer_text as answer_text
from session.rules.scenario_ending import ended, objection_to_ending, objection_to_invalidating
from session.rules.scenario_start import start_scenario
from session.rules.stage_holding import (
    Work,
    give_back,
    judged_by_replying,
    judged_by_transcribing,
    objection_to_leading,
    objection_to_work,
    proposed_words,
    rejected_words,
    stage_of,
    take_over,
)
from session.rules.utterance_acceptance import accept, accept_waiting, stopped
from session.rules.visit_keeping import kept_in_order
from session.rules.visit_steps import completed
from session.state.fold import SessionState, Take, elapsed
from session.study.settings import Profile
from session.values.clock import SECOND, Stamp
from session.values.consent import ConsentScope
from session.values.sanitize import one_line
from session.values.vocabulary import (
    Echo,
    Language,
    Operator,
    Outcome,
    PlaybackEnd,
    ProposalVerdict,
    RecordingControl,
    ResponseClass,
    Role,
    Stage,
)

LONGEST_SQL = 20_000
AFTERWARDS = c.WriteNote | c.MarkReplyWrong | c.NoteDeviation | c.TakeDeviationBack | c.InvalidateScenario


Decision = list[e.Fact] | RequestRefused


def decide(
    state: SessionState, command: c.AnyCommand, role: Role, now: Stamp, domain: Collection[str] = frozenset()
) -> Decision:
    """Return the facts that `command` brings about at the hub's time `now`, or the reason why there are none.

    `domain` are the words of the domain and its values, in small letters, for a command that `needs_domain_words`.
    """
    if state.opened is None:
        return refused("not_opened")
    if not c.permitted(role, command):
        return refused_to_subject("not_done") if role is Role.SUBJECT else refused("not_for_desk")
    if isinstance(command, c.Report):
        return _reported(state, command.event, state.opened.protocol.profile)
    if isinstance(command, c.SubjectRequest):
        return _asked_by_subject(state, command)
    if state.ended and not isinstance(command, AFTERWARDS):
        return refused("ended")
    if isinstance(command, Work) and (why := objection_to_work(state, stage_of(command), role)):
        return why
    if isinstance(command, c.StartScenario | c.EndSession) and (why := objection_to_leading(state, role)):
        return why
    if isinstance(command, c.MachineRequest):
        return asked_by_machine(state, command, role, state.opened.protocol.profile)
    return _asked_by_console(state, command, role, now, domain)


def needs_domain_words(state: SessionState, command: c.AnyCommand) -> bool:
    """Return whether a command is decided by the words of the domain; making them ready takes a moment."""
    unwritten = not state.allows(ConsentScope.TRANSCRIBE)
    match command:
        case c.SendCanned():
            free = state.opened is not None and state.opened.protocol.profile.free_text
            return bool(command.blanks) and (unwritten or not free)
        case c.SendAnswer():
            attempt = state.attempts.get(command.attempt)
            return attempt is not None and bool(attempt.written) and writes_nothing(state)
        case c.SubmitQuery():
            return unwritten and command.language is Language.MENU
        case _:
            return False


def _reported(state: SessionState, event: e.Fact, profile: Profile) -> list[e.Fact]:
    match event:
        case e.TalkPressed():
            return [*accept_waiting(state, but=event.take), event]
        case e.UtteranceTyped():
            known = state.takes.get(event.take)
            if known is not None and known.typed is not None:
                return []
            text = one_line(event.text)[:LONGEST_TEXT] if state.allows(ConsentScope.TRANSCRIBE) else ""
            return [*accept_waiting(state, but=event.take), msgspec.structs.replace(event, text=text)]
        case e.AudioTroubled():
            return [event, *pause_for(state, event, profile)]
        case e.RecordingStopped():
            return stopped(state, event)
        case e.PlaybackStopped() if event.why is not PlaybackEnd.FAILED:
            return [event, *after_reply(state, event.reply, event.at, profile)]
        case e.ReplyShown() if event.reply in state.replies and state.replies[event.reply].voice_failed:
            first = state.replies[event.reply].shown is None
            return [event, *(after_reply(state, event.reply, event.at, profile) if first else [])]
        case e.QuestionnaireAnswered() | e.DebriefingRead() | e.ConsentConfirmed():
            return completed(state, event)
        case e.WithdrawalRequested():
            ended = e.ScenarioEnded(outcome=Outcome.ENDED, reason="the participant has withdrawn")
            return [*accept_waiting(state), event, ended] if state.run is not None else [event]
        case _:
            return [event]


def _asked_by_subject(state: SessionState, command: c.SubjectRequest) -> Decision:
    match command:
        case c.DiscardTake():
            take = state.takes.get(command.take)
            if take is None or not take.complete:
                return refused_to_subject("nothing_to_undo")
            if take.accepted or take.discarded or take.replies:
                return refused_to_subject("too_late_to_undo")
            return [e.TakeDiscarded(at=command.at, take=take.take)]
        case c.DeclareSolution():
            if state.run is None:
                return refused_to_subject("no_task_now")
            solution = one_line(command.solution)[:LONGEST_TEXT]
            if not solution:
                return refused_to_subject("no_solution_yet")
            return [
                *accept_waiting(state),
                e.SolutionDeclared(at=command.at, solution=solution),
                e.ScenarioEnded(outcome=Outcome.DECLARED),
            ]
        case c.GiveUp():
            if state.run is None:
                return refused_to_subject("no_task_now")
            return [
                *accept_waiting(state),
                e.ScenarioGivenUp(at=command.at),
                e.ScenarioEnded(outcome=Outcome.GIVEN_UP),
            ]
        case _:
            assert_never(command)


def _asked_by_console(
    state: SessionState, command: c.ConsoleRequest, role: Role, now: Stamp, domain: Collection[str]
) -> Decision:
    profile = state.opened.protocol.profile if state.opened is not None else Profile(name="none")
    match command:
        case c.StartScenario():
            return start_scenario(state, command, now, profile)
        case c.SwitchRecording():
            return objection(state, command.on, profile) or [e.RecordingSwitched(at=command.at, on=command.on)]
        case c.EndScenario():
            return objection_to_ending(state, command) or ended(state, command)
        case c.InvalidateScenario():
            gone = e.ScenarioInvalidated(run=command.run, reason=one_line(command.reason))
            return objection_to_invalidating(state, command) or [gone]
        case c.Transcribe():
            return _transcribe(state, command, profile)
        case c.SubmitQuery():
            return _submit(state, command, profile, domain)
        case c.SendAnswer() | c.SendCanned() | c.SendText():
            return _send(state, command, role, now, domain)
        case c.StopReply():
            if state.planned is None or state.planned.reply.reply != command.reply:
                return refused("gone_out")
            return [e.ReplyStopped(reply=command.reply)]
        case c.TakeOverStage():
            return take_over(state, command)
        case c.GiveBackStage():
            return give_back(state, command, profile)
        case c.JudgeOutput():
            return _judge(state, command, now, profile)
        case c.CancelQuery():
            attempt = state.attempts.get(command.attempt)
            return [] if attempt and attempt.running else refused("not_running")
        case _:
            return kept_in_order(state, command, role)


def _judge(state: SessionState, command: c.JudgeOutput, now: Stamp, profile: Profile) -> Decision:
    """A person accepts a machine's output as it is, and it goes its way; or rejects it, and it does not."""
    take = open_take(state, command.take)
    if isinstance(take, RequestRefused):
        return take
    if command.verdict is ProposalVerdict.EDITED:
        return refused("send_edited")
    fact = e.OutputJudged(stage=command.stage, take=take.take, verdict=command.verdict, choice=command.choice)
    if command.stage is Stage.RESPONSE:
        if take.proposed is None:
            return refused("no_proposal")
        if command.verdict is ProposalVerdict.REJECTED:
            return [fact]
        sent = _release(state, proposed_reply(state, take.proposed, take), take, now, profile)
        return sent if isinstance(sent, RequestRefused) else [fact, *sent]
    if command.stage is Stage.RECOGNITION:
        if command.verdict is ProposalVerdict.REJECTED:
            return rejected_words(state, take)
        taken = c.Transcribe(id=command.id, at=now, take=take.take, text="", hypothesis=command.choice)
        return _transcribe(state, taken, profile)
    return refused("no_proposals", stage=command.stage)


def _transcribe(state: SessionState, command: c.Transcribe, profile: Profile) -> Decision:
    take = open_take(state, command.take)
    if isinstance(take, RequestRefused):
        return take
    if not state.allows(ConsentScope.TRANSCRIBE):
        return refused("not_written_ask")
    text: str | RequestRefused = one_line(command.text)
    if command.hypothesis is not None:
        text = proposed_words(state, take, command.hypothesis)
    if isinstance(text, RequestRefused):
        return text
    if not text:
        return refused("no_transcription")
    if len(text) > LONGEST_TEXT:
        return refused("long_transcription", count=len(text), most=LONGEST_TEXT)
    if not take.complete:
        return refused("still_speaking")
    profile = state.profile_of(take.take) or profile
    fact = e.Transcribed(at=command.at, take=take.take, text=text)
    judged = judged_by_transcribing(state, take, command.hypothesis)
    return [*judged, *(accept(state, take) if profile.echo is Echo.BEFORE_QUERY else []), fact]


def _submit(state: SessionState, command: c.SubmitQuery, profile: Profile, domain: Collection[str]) -> Decision:
    take = open_take(state, command.take)
    if isinstance(take, RequestRefused):
        return take
    if not command.text.strip():
        return refused("no_query")
    if len(command.text) > LONGEST_SQL:
        return refused("long_query", count=len(command.text), most=LONGEST_SQL)
    if why := _objection_to_words(state, command, domain):
        return why
    if state.running is not None:
        return refused("query_runs")
    profile = state.profile_of(take.take) or profile
    spoken = take.typed is None and profile.recording is not RecordingControl.TYPED
    if spoken and profile.echo is Echo.BEFORE_QUERY and state.allows(ConsentScope.TRANSCRIBE):
        if not take.transcriptions:
            return refused("transcribe_first")
        if not take.transcription_shown:
            return refused("not_shown_yet")
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


def _objection_to_words(state: SessionState, command: c.SubmitQuery, domain: Collection[str]) -> RequestRefused | None:
    """Return why a request may not be kept in these words: English is what was said, as good as written down."""
    if state.allows(ConsentScope.TRANSCRIBE) or command.language is Language.SQL:
        return None
    if command.language is Language.MENU and not foreign_words(state, command.take, command.text, domain):
        return None
    return refused("not_written_ask")


def _send(
    state: SessionState,
    command: c.SendAnswer | c.SendCanned | c.SendText,
    role: Role,
    now: Stamp,
    domain: Collection[str],
) -> Decision:
    profile = state.opened.protocol.profile if state.opened is not None else Profile(name="none")
    reply: e.AnswerSent | e.CannedSent | RequestRefused
    match command:
        case c.SendAnswer():
            reply = answer(state, command, domain)
        case c.SendCanned():
            reply = canned(state, command, domain)
        case c.SendText():
            reply = own_text(state, command, role, profile)
    if isinstance(reply, RequestRefused):
        return reply
    if state.planned is not None:
        return refused("on_its_way")
    if not reply.take:
        return [reply]
    take = open_take(state, reply.take)
    if isinstance(take, RequestRefused):
        return take
    if not take.complete:
        return refused("still_speaking")
    if state.answered(take) and reply.response is not ResponseClass.FILLER:
        return refused("answered")
    if role is Role.RESPONDER and state.operator(Stage.RESPONSE) is Operator.CORRECTED:
        return [proposal(reply)]
    reply = msgspec.structs.replace(reply, transcription=take.text)
    sent = _release(state, reply, take, now, profile)
    return sent if isinstance(sent, RequestRefused) else judged_by_replying(take, sent, role)


def _release(
    state: SessionState, reply: e.AnswerSent | e.CannedSent, take: Take, now: Stamp, profile: Profile
) -> Decision:
    """The reply at once, or planned for later where the profile delays replies or holds them back."""
    waited = elapsed(take.waiting_since, now) if take.waiting_since else 0
    filler = reply.response is ResponseClass.FILLER
    profile = state.profile_of(take.take) or profile
    least = round(reply_delay(state, take, profile) * SECOND)
    delay = 0 if filler else max(least - waited, round(profile.hold_back_s * SECOND), 0)
    if delay == 0:
        return [*accept(state, take), reply]
    planned = msgspec.structs.replace(reply, planned_delay=delay)
    return [e.ReplyPlanned(reply=planned, due=now.mono + delay)]
