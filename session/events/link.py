"""Facts about links, kept in a stream of their own, and the stand-in for what was erased.

A desk that comes and goes changes nothing in the session itself; so a session that was interrupted a hundred times reads like
one that was not, and the chain of its facts is the same.
"""

from session.events.base import Event
from session.values.vocabulary import DeskRefusal


class DeskAttached(Event, frozen=True):
    """A desk connected; `clock` names the clock of its stamps."""

    role: str
    desk: str
    clock: str
    version: str


class DeskDetached(Event, frozen=True):
    """A desk's connection ended."""

    role: str
    desk: str
    why: str


class ClockCompared(Event, frozen=True):
    """Hub's minus desk's monotonic clock, in nanoseconds, true within ± `uncertainty`; `mono` is the desk's reading."""

    clock: str
    mono: int
    offset: int
    uncertainty: int


class CommandRefused(Event, frozen=True):
    """A desk asked for something that could not be done; the person was told `reason`."""

    role: str
    command: str
    reason: str


class DeskRefused(Event, frozen=True):
    """A desk was rejected by the session; `role` is known if the token was valid."""

    role: str
    reason: DeskRefusal


class Redacted(Event, frozen=True):
    """In place of a fact whose payload was erased at its speaker's wish."""

    of: str
