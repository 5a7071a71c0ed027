"""Receipts: one quiet line of what an action did, once the hub has it, and the command that takes it back where one can.

A note, a reply that was shown and a scenario that was ended stay on record. The record of a session only grows: a deviation
that is taken back is there, too, and that it was.
"""

from typing import assert_never

import msgspec

from session import commands as c
from session.state.fold import SessionState
from session.study.screen_words import ConsoleWords
from session.values.vocabulary import Outcome

_ForGood = (
    c.Transcribe
    | c.SendAnswer
    | c.SendCanned
    | c.SendText
    | c.StopReply
    | c.MarkReplyWrong
    | c.WriteNote
    | c.EndScenario
    | c.InvalidateScenario
    | c.SwitchRecording
    | c.AnswerCall
    | c.JudgeOutput
)
_OF_OTHER_DESKS = c.Report | c.SubjectRequest | c.MachineRequest


class Receipt(msgspec.Struct, frozen=True):
    """Words for what was `done`; `undo` is the command that takes it back, without a name yet. `run` is the scenario that the
    undoing ends, which has to be without an utterance; `more` is what the same key does next."""

    done: str
    undo: c.AnyCommand | None = None
    run: int | None = None
    more: str = ""


def receipt(command: c.AnyCommand, state: SessionState, words: ConsoleWords) -> Receipt | None:
    """Return the receipt of a command, given the state before it; None if the screen shows its effect in another place."""
    match command:
        case c.StartScenario():
            planned = state.opened.protocol.scenarios.get(command.scenario) if state.opened else None
            done = words["console_receipt.started"].format(title=planned.title if planned else command.scenario)
            mistake = words["console_receipt.mistake"]
            return Receipt(done, c.EndScenario(id="", outcome=Outcome.INVALIDATED, reason=mistake), len(state.runs))
        case c.PauseSession():
            return Receipt(words["console_receipt.paused"], c.ResumeSession(id=""))
        case c.ResumeSession():
            return Receipt(words["console_receipt.resumed"], c.PauseSession(id="", reason=""))
        case c.MarkScope():
            take = state.takes.get(command.take)
            before = take.scope if take is not None else None
            done = words["console_receipt.scope"].format(scope=words[f"console_status.{command.scope}"])
            if before is None or before == command.scope:
                return Receipt(done)
            return Receipt(done, c.MarkScope(id="", take=command.take, scope=before))
        case c.NoteDeviation(reason=reason, text=text):
            undo = c.TakeDeviationBack(id="", reason=reason, text=text)
            return Receipt(words["console_receipt.deviation"], undo, more=words["console_receipt.deviation_more"])
        case c.IdentifyWizard():
            done = words["console_receipt.operator"].format(name=command.name)
            if state.wizard in ("", command.name):
                return Receipt(done)
            return Receipt(done, c.IdentifyWizard(id="", name=state.wizard))
        case c.TakeOverStage():
            slip = words["console_receipt.slip"]
            done = words["console_receipt.taken"].format(stage=words.name(command.stage))
            return Receipt(done, c.GiveBackStage(id="", stage=command.stage, reason=slip))
        case c.GiveBackStage():
            slip = words["console_receipt.slip"]
            done = words["console_receipt.given"].format(stage=words.name(command.stage))
            return Receipt(done, c.TakeOverStage(id="", stage=command.stage, reason=slip))
        case c.SubmitQuery() | c.CancelQuery() | c.TakeDeviationBack() | c.EndSession():
            return None
        case _:
            return None if isinstance(command, _OF_OTHER_DESKS) else Receipt(_for_good(command, state, words))


def _for_good(command: _ForGood, state: SessionState, words: ConsoleWords) -> str:
    """Return the words for a command that cannot be taken back."""

    def say(key: str, **parts: object) -> str:
        return words[f"console_receipt.{key}"].format(**parts)

    match command:
        case c.Transcribe():
            return say("transcribed")
        case c.SendAnswer():
            return say("held") if _held_back(state) else say("answer")
        case c.SendCanned():
            message = state.opened.protocol.canned_messages.get(command.message) if state.opened else None
            text = (
                message.filled(command.blanks) if message and message.blanks == len(command.blanks) else command.message
            )
            return say("held") if _held_back(state) else say("canned", text=text)
        case c.SendText():
            return say("held") if _held_back(state) else say("text")
        case c.StopReply():
            return say("stopped")
        case c.MarkReplyWrong():
            return say("wrong")
        case c.WriteNote():
            return say("note")
        case c.EndScenario():
            return say("ended", outcome=words.name(command.outcome))
        case c.InvalidateScenario():
            return say("invalid")
        case c.SwitchRecording():
            return say("recording_on") if command.on else say("recording_off")
        case c.AnswerCall():
            return say("call")
        case c.JudgeOutput():
            return say("judged", verdict=words.name(command.verdict))
        case _:
            assert_never(command)


def _held_back(state: SessionState) -> bool:
    return bool(state.opened and state.opened.protocol.profile.hold_back_s)
