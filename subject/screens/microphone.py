"""The microphone check: the subject says a sentence and sees whether it was heard well, before anything counts."""

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen

from desk.buttons import Act, Buttons
from desk.keys.footer import KeyFooter
from desk.level_meter import QUIETEST_DB, LevelHeard, LevelMeter, decibels
from desk.safe_text import ForeignText
from session.values.clock import Clock
from subject.capture.level import CLIPPED, Level
from subject.core import texts
from subject.screens.dialogs import ALWAYS

FULL = CLIPPED / 32_768
LOOK_S = 0.1


class MicrophoneScreen(ModalScreen[tuple[float, bool]]):
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
    MicrophoneScreen { background: $background; }
    MicrophoneScreen VerticalScroll { padding: 1 2; height: 1fr; }
    MicrophoneScreen #verdict { margin-top: 1; text-style: bold; }
    """

    def __init__(self, clock: Clock, levels: Callable[[], dict[str, Level]], listening: Callable[[], bool]) -> None:
        super().__init__()
        self._levels, self._listening = levels, listening
        self._meter = LevelMeter(clock)
        self._seen: dict[str, int] = {}
        self._peak = 0.0
        self._warned = False

    def compose(self) -> ComposeResult:
        with VerticalScroll(can_focus=False):
            yield ForeignText(texts.MICROPHONE_CHECK)
            yield ForeignText("", newlines="space", id="verdict")
        yield self._meter
        yield Buttons([Act("Continue", "continue"), Act("Try again", "again")])
        yield KeyFooter(reachable=True)

    def on_mount(self) -> None:
        self.set_interval(LOOK_S, self.look)
        self.look()

    @property
    def passed(self) -> bool:
        """Whether the loudest moment so far lies between too quiet and too loud."""
        return decibels(self._peak) >= QUIETEST_DB and self._peak < FULL

    def look(self) -> None:
        """Take in the newest levels and say what they mean."""
        self._meter.listening = self._listening()
        for level in self._levels().values():
            if self._seen.get(level.letter) != level.end:
                self._seen[level.letter] = level.end
                self._peak = max(self._peak, level.peak)
                self._meter.post_message(LevelHeard(level.peak, level.rms, level.peak >= FULL))
        if not self._warned:
            self.query_one("#verdict", ForeignText).show(self._verdict())

    def _verdict(self) -> str:
        if not self._listening():
            return texts.NO_MICROPHONE
        if self._peak >= FULL:
            return texts.CHECK_LOUD
        if self.passed:
            return texts.CHECK_GOOD
        return texts.CHECK_QUIET

    def action_again(self) -> None:
        self._peak, self._warned = 0.0, False
        self.look()

    def action_continue(self) -> None:
        if self.passed or self._warned:
            self.dismiss((decibels(self._peak), self.passed))
            return
        self._warned = True
        self.query_one("#verdict", ForeignText).show(texts.CHECK_FAILED)
