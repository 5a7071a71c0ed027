"""The desks of later work as terminal apps: thin over their cores, which decide everything."""

import asyncio
import signal
from typing import ClassVar, Protocol, cast

from textual.binding import Binding, BindingType
from textual.screen import Screen

from annotator.annotation.annotating import Annotating
from annotator.judging.rating import Rating
from annotator.screens.annotation_desk import AnnotatingScreen
from annotator.screens.judging_desk import JudgingScreen
from annotator.screens.transcription_screen import TranscribingScreen
from annotator.transcription import Transcribing
from desk.app import DeskApp
from desk.dialogs import Choose, ListEntry
from desk.keys.order import KeysInOrder
from desk.recording_player import Player

ENDED = (signal.SIGHUP, signal.SIGTERM)
"""The terminal was closed; somebody has ended the desk from without."""


class DraftScreen(Protocol):
    """Screen of a desk: it keeps what is being written, and tells the person something."""

    def keep(self) -> bool: ...

    def say(self, text: str) -> None: ...


class LaterWorkApp(KeysInOrder, DeskApp[None]):
    """A desk over one screen; `notice` is said at the start, such as that there is no loudspeaker."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+p", "command_palette", "All by name", tooltip="Finds any action by its name", priority=True),
    ]

    def __init__(self, main: Screen[None], *, notice: str = "", theme: str = "dark") -> None:
        super().__init__(theme=theme)
        self.main = main
        self._notice = notice

    @property
    def _keeping(self) -> DraftScreen:
        return cast(DraftScreen, self.main)

    def on_mount(self) -> None:
        for signal_number in ENDED:
            asyncio.get_running_loop().add_signal_handler(signal_number, self.end, signal_number)
        self.push_screen(self.main)
        if self._notice:
            self.call_after_refresh(self._keeping.say, self._notice)

    def on_unmount(self) -> None:
        for signal_number in ENDED:
            asyncio.get_running_loop().remove_signal_handler(signal_number)

    def end(self, why: signal.Signals) -> None:
        """Keep what is on the sheet, once there is one. Where the terminal is gone nothing can be said any more, and the desk
        ends as if killed."""
        try:
            if self.main.is_mounted:
                self._keeping.keep()
        finally:
            if why is signal.SIGHUP:
                asyncio.get_running_loop().remove_signal_handler(why)
                signal.raise_signal(why)
            self.exit()

    async def action_quit(self) -> None:
        """Keep what is on the sheet; where it cannot be kept, leaving is asked about once."""
        if self._keeping.keep():
            self.exit()
            return
        choices = [ListEntry("y", "yes", "Leave; the last text is lost"), ListEntry("n", "", "Stay")]
        ask = Choose("The last text cannot be saved. Leave anyway?", choices, at=1)
        self.push_screen(ask, lambda answer: self.exit() if answer else None)


class TranscriptionApp(LaterWorkApp):
    """`first` is the utterance to begin with."""

    TITLE = "Curtain: transcription"

    def __init__(
        self, desk: Transcribing, player: Player, first: str, *, notice: str = "", theme: str = "dark"
    ) -> None:
        self.transcribing = TranscribingScreen(desk, player, first)
        super().__init__(self.transcribing, notice=notice, theme=theme)


class AnnotationApp(LaterWorkApp):
    """`first` is the utterance to begin with."""

    TITLE = "Curtain: annotation"

    def __init__(self, desk: Annotating, player: Player, first: str, *, notice: str = "", theme: str = "dark") -> None:
        self.annotating = AnnotatingScreen(desk, player, first)
        super().__init__(self.annotating, notice=notice, theme=theme)

    async def action_quit(self) -> None:
        """Leave once what was submitted has its reference answers."""
        await self.annotating.finished()
        await super().action_quit()


class JudgingApp(LaterWorkApp):
    """`first` is the dialogue to begin with."""

    TITLE = "Curtain: judging"

    def __init__(self, desk: Rating, player: Player, first: str, *, notice: str = "", theme: str = "dark") -> None:
        self.judging = JudgingScreen(desk, player, first)
        super().__init__(self.judging, notice=notice, theme=theme)
