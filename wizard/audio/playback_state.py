"""State of ear and link for the console's screen: whether there is sound, the last utterance again, mute.

Without a loudspeaker everything else works; what is missing is said in the status line.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from session.transport.websocket import LinkState
from wizard.core.console import Console

if TYPE_CHECKING:
    from wizard.audio.monitor import Monitor

Recorded = Callable[[str], bytes]
"""The samples of a take, by its name; empty when they are not at hand."""


class PlaybackState:
    """Over a `Monitor`, which may be missing or come later; `recorded` gives earlier utterances where they are at hand."""

    def __init__(
        self,
        monitor: Monitor | None,
        link: Callable[[], LinkState],
        recorded: Recorded | None = None,
    ) -> None:
        self.link = link
        self.typed: Callable[[], bool] = lambda: False
        """Tells that the subject types, so that there is nothing to hear."""
        self._monitor = monitor
        self._recorded = recorded

    def use(self, monitor: Monitor | None) -> None:
        """The monitor to hear with from now on."""
        self._monitor = monitor

    def replay_from(self, recorded: Recorded | None) -> None:
        """Take earlier utterances from there from now on."""
        self._recorded = recorded

    @property
    def open(self) -> bool:
        """Return whether the subject can be heard."""
        return self._monitor is not None and self._monitor.listening and not self.typed()

    @property
    def peak(self) -> float | None:
        """The loudest sample of what came in last, 1.0 at full scale; None if nothing can be heard."""
        return self._monitor.peak if self._monitor is not None and self.open else None

    @property
    def status(self) -> str:
        """For the status line, which says nothing of sound where the subject types."""
        if self.typed():
            return ""
        if self._monitor is None or not self._monitor.listening:
            return "× no sound"
        return "muted" if self._monitor.muted else "√ sound"

    def replay(self, console: Console, speed: float) -> str:
        """Play the utterance at hand, or the last one heard; says why not, if not."""
        if self._monitor is None:
            return "There is no loudspeaker."
        if self._monitor.muted:
            return "The sound is off. Alt+H turns it on."
        take = console.take
        pcm = self._recorded(take.take) if self._recorded and take is not None and take.confirmed else b""
        return "" if self._monitor.replay(speed, pcm or None) else "Nothing has been heard yet."

    def stop(self) -> bool:
        """End a replay; False when none was going on."""
        if self._monitor is None or not self._monitor.replaying:
            return False
        self._monitor.stop_replay()
        return True

    def mute(self) -> str:
        """Turn the sound off or on."""
        if self._monitor is None:
            return "There is no loudspeaker."
        self._monitor.muted = not self._monitor.muted
        return "The sound is off. Alt+H turns it on." if self._monitor.muted else ""
