"""A rehearsal before one's eyes: the two desks that are played, as their people would see them."""

import asyncio
import io
from collections.abc import Callable, Coroutine
from typing import Any, ClassVar, TextIO

from textual.binding import BindingType
from textual.widget import Widget

from desk.safe_text import ForeignText
from rehearsal.screens.two_desks import SUBJECT, WIZARD, SeenSubjectApp, TwoDesks
from rehearsal.session_run import LeftEarly, Rehearsed
from session.values.clock import Clock
from subject.desk import SubjectDesk
from wizard.app import WizardApp
from wizard.audio.playback_state import PlaybackState
from wizard.desk import WizardDesk

PREPARING = " Preparing the rehearsal"


class ProgressStream(io.StringIO):
    """Stream of what the rehearsal says of its progress, for one line of the screen."""

    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__()
        self._say = say

    def write(self, text: str) -> int:
        if text.strip():
            self._say(text.strip())
        return len(text)


class WatchedRehearsal(TwoDesks):
    """Holds a rehearsal and shows it; `outcome` has what it gave, or raises what it raised.

    `hold` makes it from a stream for its progress and from this app, which it tells of its desks.
    """

    TITLE = "Curtain: rehearsal"
    BINDINGS: ClassVar[list[BindingType]] = []
    DEFAULT_CSS = "#progress { height: 1; text-style: bold; }"

    def __init__(
        self, hold: "Callable[[TextIO, WatchedRehearsal], Coroutine[Any, Any, Rehearsed]]", theme: str = "dark"
    ) -> None:
        super().__init__(theme=theme)
        self._hold = hold
        self._held: asyncio.Future[Rehearsed] | None = None
        self._screens: tuple[SeenSubjectApp, WizardApp] | None = None
        self.progress = ForeignText(PREPARING, id="progress")

    def foot(self) -> list[Widget]:
        return [self.progress]

    def on_mount(self) -> None:
        self.run_worker(self._perform(), name="rehearsal")

    async def _perform(self) -> None:
        held = self._held = asyncio.ensure_future(
            self._hold(ProgressStream(lambda text: self.progress.show(f" {text}")), self)
        )
        try:
            await asyncio.wait([held])
        finally:
            held.cancel()
            await asyncio.gather(held, return_exceptions=True)
            await self.leave_desks()
        self.exit()

    @property
    def outcome(self) -> Rehearsed:
        """The rehearsal, held; raises what kept it from being held."""
        if self._held is None or self._held.cancelled() or not self._held.done():
            raise LeftEarly
        return self._held.result()

    async def seated(self, subject: SubjectDesk, wizard: WizardDesk, clock: Clock) -> None:
        """The desks are there: put their screens over them."""
        theirs = SeenSubjectApp(
            subject.terminal,
            clock,
            open_microphone=lambda: None,  # the scripted subject opens it
            levels=lambda: subject.levels,
            reason=lambda: subject.link_state.reason,
            theme=self.chosen_theme,
        )
        listening = PlaybackState(wizard.monitor, lambda: wizard.link_state)
        hers = WizardApp(wizard.console, clock, listening, theme=self.chosen_theme)
        self._screens = theirs, hers
        await self.show_desk(SUBJECT, theirs)
        await self.show_desk(WIZARD, hers)
        self.progress.show(" The rehearsal is going on; Q leaves it, and nothing of it is kept")

    def changed(self) -> None:
        """Have both screens show what their desks know now."""
        for screen in self._screens or ():
            screen.changed()
