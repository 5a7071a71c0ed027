"""What begins and ends a take: the subject's button, or what stands in its place, a switch elsewhere or an end-pointer."""

from session.events.base import Event
from session.values.clock import Stamp


class TalkPressed(Event, frozen=True):
    """The button went down; stamped in the handler."""

    at: Stamp
    take: str


class TalkReleased(Event, frozen=True):
    """The button went up, or what ended the take in its place."""

    at: Stamp
    take: str
    why: str = "released"


class RecordingSwitched(Event, frozen=True):
    """A console switched the subject's recording on or off (AT&T, MADCOW 1992, section 2.4); the subject's desk obeys when it
    has this, and reports `TalkPressed` or `TalkReleased` as of any take."""

    at: Stamp
    on: bool


class EndPointed(Event, frozen=True):
    """The end-pointer found the utterance over (SRI, MADCOW 1992, section 2.5).

    Places are samples of the take's primary channel: nothing was said after `speech_end` (None: nothing was said at all), and
    `decided_at` was the last sample known when this was found. Their distance is the time that the decision took.
    """

    at: Stamp
    take: str
    decided_at: int
    rate: int
    speech_end: int | None = None
    detector: str = ""
