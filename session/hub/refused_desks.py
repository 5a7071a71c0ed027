"""Desks that were not let into a session: a fact beside the session's own, and a word to its consoles.

Of those who show a wrong address as often as they can, one in ten seconds is kept for each reason: they fill no disk. A page
that was left open at a session of yesterday knocks until it is closed: it is told of as long, and kept once an hour.
"""

from session import events as e
from session.hub.hub import Hub
from session.protocol.messages import DeskTurnedAway
from session.values.clock import SECOND, Clock
from session.values.vocabulary import DeskRefusal

EVERY_NS = 10 * SECOND
OVER_EVERY_NS = 3600 * SECOND


class RefusedDesks:
    """The desks that one hub refused, in those of its sessions that it has at hand."""

    def __init__(self, hub: Hub, clock: Clock) -> None:
        self._hub, self._clock = hub, clock
        self._last: dict[tuple[str, DeskRefusal], int] = {}

    async def note(self, name: str, role: str, reason: DeskRefusal) -> None:
        """Keep that a desk was refused in the session of this name, and tell who sits at its consoles."""
        session = self._hub.sessions.get(name)
        late = reason is DeskRefusal.OVER
        if session is None or session.over is not late:
            return
        if late:
            session.tell_consoles(DeskTurnedAway(role, reason))
        now, every = self._clock.monotonic_ns(), OVER_EVERY_NS if late else EVERY_NS
        if now - self._last.get((name, reason), now - every) < every:
            return
        self._last[name, reason] = now
        if not late:
            session.tell_consoles(DeskTurnedAway(role, reason))
        await session.record_link(e.DeskRefused(role=role, reason=reason))
