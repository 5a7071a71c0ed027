"""Speech that nobody records: a person who talks without having pressed the button is told so while they talk."""

from desk.level_bar import QUIETEST_DB, decibels
from session.values.clock import MILLISECOND, SECOND
from subject.core.terminal import Phase, Terminal

SPEECH_NS = SECOND
"""As long as somebody talks before it is said: a cough and a chair are shorter."""
PAUSE_NS = 600 * MILLISECOND
"""As long as the voice may be away within speech."""
SAID_NS = 3 * SECOND
"""As long as it is said after the voice has gone, so that it can be read."""


def goes_unrecorded(terminal: Terminal) -> bool:
    """Return whether what is said now is lost: the microphone is open, and the button waits for a press."""
    return terminal.phase is Phase.READY and terminal.listening and not terminal.operated


class UnheardSpeech:
    """Takes in levels, and tells whether somebody talks although the button waits for a press."""

    def __init__(self) -> None:
        self._since: int | None = None
        self._voice = self._until = 0

    def hear(self, peak: float, now_ns: int) -> None:
        """Take in the loudest sample of the last few milliseconds."""
        if decibels(peak) < QUIETEST_DB:
            return
        if self._since is None or now_ns - self._voice > PAUSE_NS:
            self._since = now_ns
        self._voice = now_ns
        if now_ns - self._since >= SPEECH_NS:
            self._until = now_ns + SAID_NS

    def forget(self) -> None:
        """Begin again: what is said now is recorded, or is not expected."""
        self._since, self._until = None, 0

    def told(self, now_ns: int) -> bool:
        """Return whether it is to be said now."""
        return now_ns < self._until

    def told_at(self, terminal: Terminal, now_ns: int) -> bool:
        """Return whether it is to be said at this desk now."""
        if not goes_unrecorded(terminal):
            self.forget()
        return self.told(now_ns)
