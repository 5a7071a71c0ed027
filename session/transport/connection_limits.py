"""Limits on connections to a hub, so that no client, desk or stranger, can deny service to others.

A desk that floods waits (`session.protocol.links.RateLimiter`), one that reads too slowly is cut off (`SendQueue`); here are the
bounds on how many there are, and on the bytes of sound and of commands that one may send.
"""

import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from session.protocol.links import RateLimiter

MOST_CONNECTIONS = 4_000
MOST_UNKNOWN = 500
"""Sockets at once that have not shown a token; each has ten seconds for it."""
HANDSHAKE_WITHIN_S = 10.0
MOST_SILENT = 1_000
"""Sockets at once on which nobody has asked for anything yet; a desk asks at once."""
FRAMES_PER_S, FRAMES_BURST = 500, 2000
"""Commands that one desk may give."""
SOUND_PER_S = 4_000_000
SOUND_BURST = 16_000_000
"""Bytes of sound that one desk may send: ten times four channels at 48 kHz, for what it still owes after a cut."""

TEXT_PER_S = 100_000
TEXT_BURST = 4_000_000
"""Bytes of commands that one desk may give: they go into the store, which no limit on recordings covers. A wizard who types and
queries gives a thousandth of it."""
MOST_KEPT = 4_000


class DeskRate:
    """Rate at which one desk may send."""

    def __init__(self) -> None:
        self._frames = RateLimiter(size=FRAMES_BURST, per_second=FRAMES_PER_S)
        self._texts = RateLimiter(size=TEXT_BURST, per_second=TEXT_PER_S)
        self._sound = RateLimiter(size=SOUND_BURST, per_second=SOUND_PER_S)

    def delay(self, frame: str | bytes, now: int) -> float:
        """Seconds to wait before a frame is acted on, by a monotonic clock in nanoseconds; it is counted."""
        if isinstance(frame, bytes):
            return self._sound.delay(now, len(frame))
        return max(self._frames.delay(now), self._texts.delay(now, len(frame)))

    def admits(self, sound: bytes, now: int) -> bool:
        """Tell whether a piece of sound need not wait; it is counted then."""
        return self._sound.admits(now, len(sound))

    def rested(self, now: int) -> bool:
        """Tell whether the desk may send all that a new one may."""
        return all(limit.delay(now, 0) == limit.level == 0 for limit in (self._frames, self._texts, self._sound))


class DeskRates:
    """Rates of all desks, which outlive their connections: whoever floods gains nothing by connecting again."""

    def __init__(self) -> None:
        self._known: dict[str, DeskRate] = {}

    def of(self, place: str, now: int) -> DeskRate:
        """Return the rate of the desk at a place of a session; one of its own for what sits at none."""
        if not place:
            return DeskRate()
        if len(self._known) >= MOST_KEPT:
            self._known = {name: rate for name, rate in self._known.items() if not rate.rested(now)}
        return self._known.setdefault(place, DeskRate())


class Abortable(Protocol):
    """A socket, as far as it is cut off."""

    def abort(self) -> None:
        """Close it at once."""


class ConnectionLimits:
    """Counts the connections of one server; `refused` were too many.

    However few files the process may have open, half of them are for desks and a quarter for those who only connect: the rest is
    for the store and the recordings.
    """

    def __init__(self) -> None:
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        self._files = sys.maxsize if files == resource.RLIM_INFINITY else files
        self._silent: dict[Abortable, None] = {}
        self._handshakes: dict[Abortable, float] = {}
        self._unknown = 0
        self.refused = 0

    def _most_silent(self) -> int:
        return min(MOST_SILENT, self._files // 4)

    def count_handshake(self, socket: Abortable, now: float) -> None:
        """Count a socket whose encryption begins at a time in seconds; raises ConnectionRefusedError if there are too many.

        A handshake that fails is not told of, so each counts for as long as one may take.
        """
        over = [one for one, since in self._handshakes.items() if now - since > HANDSHAKE_WITHIN_S]
        for one in over:
            del self._handshakes[one]
        if len(self._handshakes) >= self._most_silent():
            self.refused += 1
            raise ConnectionRefusedError("too many sockets begin an encryption")
        self._handshakes[socket] = now

    def count_silent(self, socket: Abortable) -> None:
        """Count a socket on which nothing has been asked yet; if there are too many, close the oldest."""
        self._handshakes.pop(socket, None)
        if len(self._silent) >= self._most_silent():
            longest = next(iter(self._silent))
            del self._silent[longest]
            self.refused += 1
            longest.abort()
        self._silent[socket] = None

    def count_no_longer_silent(self, socket: Abortable) -> None:
        """Count a socket as silent no longer: it has asked for something, or is closed."""
        self._silent.pop(socket, None)

    def admit(self, connections: int) -> bool:
        """Tell whether one more may come when there are so many."""
        if connections < min(MOST_CONNECTIONS, self._files // 2) and self._unknown < MOST_UNKNOWN:
            return True
        self.refused += 1
        return False

    @contextmanager
    def unknown(self) -> Iterator[None]:
        """Count a connection as one that has not shown a token yet."""
        self._unknown += 1
        try:
            yield
        finally:
            self._unknown -= 1
