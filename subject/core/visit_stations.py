"""Stations of a visit before and after its scenarios: agree, read, try the microphone, stop."""

from collections.abc import Callable
from enum import StrEnum

from session import events as e
from session.rules.visit_steps import current_step
from session.state.fold import SessionState
from session.study.screen_words import ENGLISH
from session.values.answers import digest
from session.values.clock import Clock, stamp
from session.values.vocabulary import Step


class Phase(StrEnum):
    """The states of a desk: each has its words on the screen, and says what the talk button may do."""

    CONNECTING = "connecting"
    CONSENT = "consent"
    STEP = "step"
    BETWEEN = "between"
    READY = "ready"
    PRESSED = "pressed"
    RECORDING = "recording"
    WORKING = "working"
    SPEAKING = "speaking"
    PAUSED = "paused"
    WITHDRAWN = "withdrawn"
    ENDED = "ended"


MICROPHONE_CLOSED = ENGLISH["message.microphone_closed"]
AT_WORK = (Phase.READY, Phase.WORKING, Phase.SPEAKING)
"""States in which a scenario goes on and nothing is being recorded."""
OVER_WITH = (e.TakeDiscarded, e.ScenarioStarted, e.ScenarioEnded, e.SessionResumed)
"""What was refused before one of these does not hold any more."""


def on_task(state: SessionState) -> bool:
    """Return whether a task is under way that the subject may declare solved, or give up."""
    return state.run is not None and state.withdrawn is None and not state.ended


class Visit:
    """Use-cases over the terminal's state; what does not belong to the station that the subject is at does nothing."""

    def __init__(self, clock: Clock, state: Callable[[], SessionState], report: Callable[[e.Fact], None]) -> None:
        self._clock = clock
        self._state = state
        self._report = report

    @property
    def step(self) -> Step | None:
        """The station with a screen of its own that the subject is at."""
        return current_step(self._state())

    def consent(self, scopes: dict[str, bool], sha256: str) -> None:
        """Agree to the text that was shown, scope by scope."""
        self._report(e.ConsentGiven(at=stamp(self._clock), version=self._version, sha256=sha256, scopes=scopes))

    def instructed(self) -> None:
        """The written instructions have been gone through."""
        if self.step is Step.INSTRUCTIONS:
            self._report(e.InstructionsRead(at=stamp(self._clock)))

    def checked(self, peak_db: float, passed: bool) -> None:
        """The microphone has been tried; the experimenter is called where it will not do."""
        if self.step is Step.MICROPHONE_CHECK:
            self._report(e.MicrophoneChecked(at=stamp(self._clock), peak_db=peak_db, passed=passed))
            if not passed:
                self._report(e.ExperimenterCalled(at=stamp(self._clock)))

    def answer(self, form: str, answers: dict[str, str]) -> None:
        """A form has been filled in."""
        if self.step == form:
            self._report(e.QuestionnaireAnswered(at=stamp(self._clock), form=form, answers=answers))

    def debriefed(self) -> None:
        """The text that tells how the study works has been read."""
        if self.step is Step.DEBRIEFING:
            self._report(e.DebriefingRead(at=stamp(self._clock), sha256=digest(self.text)))

    def confirm(self, scopes: dict[str, bool]) -> None:
        """Say again, knowing how the study works, what may be done with the recordings."""
        if self.step is Step.CONFIRM_CONSENT:
            confirmed = e.ConsentConfirmed(
                at=stamp(self._clock), version=self._version, sha256=digest(self.text), scopes=scopes
            )
            self._report(confirmed)

    def withdraw(self, erase: bool) -> None:
        """Stop taking part; with `erase` nothing that was said may be kept."""
        if self._state().withdrawn is None and not self._state().ended:
            self._report(e.WithdrawalRequested(at=stamp(self._clock), erase=erase))

    @property
    def text(self) -> str:
        """Return the text that the station has to be read."""
        state = self._state()
        return state.step.text if state.step is not None else ""

    @property
    def _version(self) -> str:
        opened = self._state().opened
        return opened.protocol.consent_version if opened else ""
