"""Limits on connections to a hub, so that no client, desk or stranger, can deny service to others.

A desk that floods waits (`session.protocol.links.RateLimiter`), one that reads too slowly is cut off (`SendQueue`); here are the
bounds on how many there are, and on the bytes of sound and of commands that one may send.
"""

from collections.abc import Iterator
from contextlib import contextmanager

MOST_CONNECTIONS = 4_000
MOST_UNKNOWN = 500
"""Sockets at once that have not shown a token; each has ten seconds for it."""
SOUND_PER_S = 4_000_000
SOUND_BURST = 16_000_000
"""Bytes of sound that one desk may send: ten times four channels at 48 kHz, for what it still owes after a cut."""

TEXT_PER_S = 100_000
TEXT_BURST = 4_000_000
"""Bytes of commands that one desk may give: they go into the store, which no limit on recordings covers. A wizard who types and
queries gives a thousandth of it."""


class ConnectionLimits:
    """Counts the connections of one server; `refused` were too many."""

    def __init__(self) -> None:
        self._unknown = 0
        self.refused = 0

    def admit(self, connections: int) -> bool:
        """Tell whether one more may come when there are so many."""
        if connections < MOST_CONNECTIONS and self._unknown < MOST_UNKNOWN:
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
