"""The microphone check: the subject says a sentence and sees whether it was heard well, before anything counts."""

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widget import Widget

from desk.buttons import ButtonAction, Buttons
from desk.keys.footer import KeyFooter
from desk.level_bar import LevelHeard, LevelMeter
from desk.safe_text import ForeignText
from desk.wheel import WheelScreen
from desk.worded import words_near
from session.values.clock import Clock
from subject.capture.level import Level
from subject.core.microphone_trial import FULL, MicrophoneTrial
from subject.screens.task_dialogs import ALWAYS

LOOK_S = 0.1


class MicrophoneScreen(WheelScreen[tuple[float, bool]], ModalScreen[tuple[float, bool]]):
    """Ends with the loudest moment in dB below full scale, and whether that will do; nothing of the check is kept.

    Only a second "continue" leaves a microphone that will not do: the experimenter is called then.
    """

    AUTO_FOCUS = "Button"
    HELP = "Say a sentence. When the level is good, Enter continues."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "continue", "Continue"),
        Binding("f10", "continue", "Continue", show=False, priority=True),
        Binding("f3", "again", "Try again", show=False, priority=True),
        *ALWAYS,
    ]
    DEFAULT_CSS = """
    MicrophoneScreen { background: $background; align-horizontal: center; }
    MicrophoneScreen > * { max-width: 100; }
    MicrophoneScreen > KeyFooter { max-width: 100%; }
    MicrophoneScreen VerticalScroll { padding: 1 2; height: 1fr; }
    MicrophoneScreen #verdict { margin-top: 1; text-style: bold; }
    """

    def __init__(self, clock: Clock, levels: Callable[[], dict[str, Level]], listening: Callable[[], bool]) -> None:
        super().__init__()
        self._levels, self._listening = levels, listening
        self._meter = LevelMeter(clock)
        self._trial = MicrophoneTrial()

    def compose(self) -> ComposeResult:
        with VerticalScroll(can_focus=False):
            yield ForeignText(words_near(self)["check.text"].strip())
            yield ForeignText("", newlines="space", id="verdict")
        yield self._meter
        yield Buttons([ButtonAction("Continue", "continue"), ButtonAction("Try again", "again")])
        yield KeyFooter(reachable=True)

    @property
    def wheeled(self) -> Widget:
        return self.query_one(VerticalScroll)

    def on_mount(self) -> None:
        self.set_interval(LOOK_S, self.look)
        self.look()

    def look(self) -> None:
        """Take in the newest levels and say what they mean."""
        self._meter.listening = self._listening()
        for level in self._levels().values():
            if self._trial.hear(level):
                self._meter.post_message(LevelHeard(level.peak, level.rms, level.peak >= FULL))
        self._say()

    def _say(self) -> None:
        self.query_one("#verdict", ForeignText).show(words_near(self)[self._trial.verdict(listening=self._listening())])

    def action_again(self) -> None:
        self._trial.again()
        self.look()

    def action_continue(self) -> None:
        if (done := self._trial.leave()) is not None:
            self.dismiss(done)
        else:
            self._say()
