"""Commands around the turn: marks, notes, scenarios, the visit. What belongs to the turn itself is `wizard.core.console`."""

from collections.abc import Callable

import msgspec

from session import commands as c
from session.state.fold import Take
from session.study.screen_words import CONSOLE_ENGLISH, ConsoleWords, console_words_of
from session.values.clock import Clock, stamp
from session.values.vocabulary import Outcome, ProposalVerdict, Role, Scope
from wizard.core.ports import WizardUplink
from wizard.core.receipts import Receipt, receipt
from wizard.core.selection import Selection
from wizard.core.stage_hands import Hand

NOTHING_SAID = "The participant has not said anything yet."


class Commands(Selection):
    """Commands of a console to the hub; a refusal becomes the `message`."""

    _changed: Callable[[], None]

    def __init__(self, clock: Clock, offset: Callable[[], int], up: WizardUplink, new_id: Callable[[], str]) -> None:
        super().__init__(clock, offset)
        self.role = Role.WIZARD
        self.message = ""
        self.attended = False
        self.receipt: Receipt | None = None
        """Receipt of the last action that the hub has taken in."""
        self._up = up
        self._new_id = new_id
        self._awaited: dict[str, Receipt] = {}
        self._worded: object = None
        self._words = CONSOLE_ENGLISH

    def stop_reply(self) -> None:
        """Stop the reply that is held back."""
        if planned := self.state.planned:
            self._give(c.StopReply(id=self._new_id(), reply=planned.reply.reply))

    def mark_wrong(self, reply: str, reason: str) -> None:
        """A reply that went out was an error."""
        self._give(c.MarkReplyWrong(id=self._new_id(), reply=reply, reason=reason))

    def mark_scope(self, scope: Scope) -> None:
        """Judge the current request."""
        if take := self._need_take():
            self._give(c.MarkScope(id=self._new_id(), take=take.take, scope=scope))

    def note(self, text: str) -> None:
        """Write a private note, tied to the current utterance if there is one."""
        take = self.take
        self._give(c.WriteNote(id=self._new_id(), text=text, take=take.take if take else ""))

    @property
    def noted_deviation(self) -> c.TakeDeviationBack | None:
        """The deviation that the last action noted, as the command that takes it back."""
        last = self.receipt
        return last.undo if last is not None and isinstance(last.undo, c.TakeDeviationBack) else None

    def deviate(self, reason: str, text: str, instead: c.TakeDeviationBack | None = None) -> None:
        """Note a departure from the protocol, `instead` of one that was noted before."""
        if instead is not None:
            self._give(msgspec.structs.replace(instead, id=self._new_id()))
        self._give(c.NoteDeviation(id=self._new_id(), reason=reason, text=text))

    def start_scenario(self, scenario: str, bindings: dict[str, str] | None = None, reason: str = "") -> None:
        """Put a problem before the subject, attended or not as it was said last; `reason` where the design assigns another."""
        start = c.StartScenario(
            id=self._new_id(), scenario=scenario, bindings=bindings or {}, attended=self.attended, reason=reason
        )
        self._give(start)

    def switch_attended(self) -> None:
        """Say that somebody sits beside the subject from the next scenario on, or nobody any more."""
        self.attended = not self.attended
        self.receipt = Receipt(self.words[f"console_receipt.{'attended' if self.attended else 'alone'}"])
        self._changed()

    def switch_recording(self) -> None:
        """Switch the subject's recording on, or off."""
        on = not (self.state.switched_on or self.state.talking)
        self._give(c.SwitchRecording(id=self._new_id(), at=stamp(self._clock), on=on))

    def end_scenario(self, outcome: Outcome = Outcome.ENDED, reason: str = "") -> None:
        """End the scenario from here."""
        self._give(c.EndScenario(id=self._new_id(), outcome=outcome, reason=reason))

    def invalidate(self, run: int, reason: str) -> None:
        """Take a scenario that is over out of what counts; `run` is its place among the session's."""
        self._give(c.InvalidateScenario(id=self._new_id(), run=run, reason=reason))

    def change_hands(self, hand: Hand, reason: str = "") -> None:
        """Take a stage over, give it back, or judge what a machine has proposed for the utterance."""
        name, take = self._new_id(), self.take
        match hand.what:
            case "take":
                self._give(c.TakeOverStage(id=name, stage=hand.stage, reason=reason))
            case "give":
                self._give(c.GiveBackStage(id=name, stage=hand.stage, reason=reason))
            case what if take is not None:
                verdict = ProposalVerdict.ACCEPTED if what == "accept" else ProposalVerdict.REJECTED
                self._give(c.JudgeOutput(id=name, stage=hand.stage, take=take.take, verdict=verdict))
            case _:
                pass

    def pause(self, reason: str) -> None:
        """Pause the session, or continue with it."""
        if self.state.paused:
            self._give(c.ResumeSession(id=self._new_id()))
        else:
            self._give(c.PauseSession(id=self._new_id(), reason=reason))

    def answer_call(self) -> None:
        """The subject's call was seen to."""
        self._give(c.AnswerCall(id=self._new_id()))

    def identify(self, name: str) -> None:
        """Operator."""
        self._give(c.IdentifyWizard(id=self._new_id(), name=name))

    def end_session(self, reason: str = "done") -> None:
        """Close the visit."""
        self._give(c.EndSession(id=self._new_id(), reason=reason))

    def _need_take(self) -> Take | None:
        take = self.take
        if take is None:
            self._show_message(NOTHING_SAID)
        return take

    @property
    def words(self) -> ConsoleWords:
        """The words of this session's consoles."""
        opened = self.state.opened
        if opened is not self._worded:  # asked for at every line of every painting
            self._worded, self._words = opened, console_words_of(opened.protocol if opened else None)
        return self._words

    @property
    def undoable(self) -> bool:
        """Return whether the last action can be taken back: a reply is still held back, or its receipt says how."""
        last = self.receipt
        return self.state.planned is not None or (last is not None and last.undo is not None)

    @property
    def too_late_to_undo(self) -> bool:
        """Return whether the last action was a scenario's start, and something has been said in it since, or it is over."""
        last = self.receipt
        if last is None or last.run is None:
            return False
        return self.state.run is None or bool(self.state.takes_of(last.run))

    def undo(self) -> None:
        """Take the last action back, where that can be done."""
        last = self.receipt
        if self.state.planned is not None:
            self.stop_reply()
        elif last is None or last.undo is None:
            self._show_message(self.words["console_receipt.nothing"])
        elif self.too_late_to_undo:
            self._show_message(self.words["console_receipt.too_late"])
        else:
            undone = self.words["console_receipt.undone"].format(done=last.done)
            self._give(msgspec.structs.replace(last.undo, id=self._new_id()), Receipt(undone))

    def _answered(self, command: str, refusal: str | None) -> None:
        """The hub has taken a command in, or refused it."""
        told = self._awaited.pop(command, None)
        if refusal:
            self._show_message(refusal)
        elif told is not None:
            self.receipt = told

    def _give(self, command: c.AnyCommand, told: Receipt | None = None) -> None:
        self.message = ""
        if (told := told or receipt(command, self.state, self.words)) is not None:
            self._awaited[command.id] = told
        self._up.give(command)

    def _show_message(self, message: str) -> None:
        self.message = message
        self._changed()
