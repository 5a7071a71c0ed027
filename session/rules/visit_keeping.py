"""Remarks, pauses and the end of a visit: commands that keep it in order and put no word into the dialogue."""

from typing import assert_never

from session import commands as c
from session import events as e
from session.rules.refusal import RequestRefused, refused
from session.rules.replies import LONGEST_TEXT
from session.rules.scenario_start import refused_without_certificate
from session.rules.visit_steps import next_step
from session.state.fold import SessionState, deviation
from session.values.consent import ConsentScope
from session.values.sanitize import one_line
from session.values.vocabulary import Role

Remark = (
    c.MarkScope
    | c.MarkReplyWrong
    | c.WriteNote
    | c.NoteDeviation
    | c.TakeDeviationBack
    | c.IdentifyWizard
    | c.PauseSession
    | c.ResumeSession
    | c.AnswerCall
    | c.EndSession
)


def kept_in_order(
    state: SessionState,
    command: Remark,
    role: Role,
) -> list[e.Fact] | RequestRefused:
    """Return the facts of remarks about a visit, of its pauses and of its end."""
    match command:
        case c.MarkScope():
            if command.take not in state.takes:
                return refused("no_utterance")
            return [e.ScopeMarked(take=command.take, scope=command.scope)]
        case c.MarkReplyWrong():
            if command.reply not in state.replies:
                return refused("no_reply")
            return [e.ReplyMarkedWrong(reply=command.reply, reason=one_line(command.reason))]
        case c.WriteNote():
            if not state.allows(ConsentScope.TRANSCRIBE):
                return refused("not_written_note")
            text = one_line(command.text)[:LONGEST_TEXT]
            return [e.NoteWritten(text=text, take=command.take)] if text else refused("no_note")
        case c.NoteDeviation():
            return [e.DeviationNoted(reason=one_line(command.reason), text=one_line(command.text))]
        case c.TakeDeviationBack():
            return _taken_back(state, command)
        case c.IdentifyWizard():
            name = one_line(command.name)
            if not name:
                return refused("no_name")
            opened = state.opened if state.run is not None and role is Role.WIZARD else None
            if (
                opened is not None
                and opened.must_certify
                and (why := refused_without_certificate(name, opened.certified or ()))
            ):
                return why
            known = state.opened.certifies(name) if state.opened is not None and role is Role.WIZARD else None
            return [e.WizardIdentified(name=name, role=role, certified=known)]
        case c.PauseSession():
            if state.paused:
                return refused("paused_already")
            return [e.SessionPaused(reason=one_line(command.reason))]
        case c.ResumeSession():
            return [e.SessionResumed()] if state.paused else refused("not_paused")
        case c.AnswerCall():
            return [e.CallAnswered()] if state.called else refused("no_call")
        case c.EndSession():
            if state.run is not None:
                return refused("end_scenario_first")
            following = next_step(state) if state.step is None else None
            return [following or e.SessionEnded(reason=one_line(command.reason))]
        case _:
            assert_never(command)


def _taken_back(state: SessionState, command: c.TakeDeviationBack) -> list[e.Fact] | RequestRefused:
    back = e.DeviationTakenBack(reason=one_line(command.reason), text=one_line(command.text))
    return [back] if deviation(state, back) in state.deviations else refused("no_deviation")
