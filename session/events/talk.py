"""Facts that begin and end a take: the subject's button, or what is in its place, a switch elsewhere or an end-pointer."""

from session.events.base import Event
from session.values.clock import Stamp
from session.values.limits import Count, Identifier, SamplingRate, Text


class TalkPressed(Event, frozen=True):
    """The button went down; stamped in the handler."""

    at: Stamp
    take: Identifier


class TalkReleased(Event, frozen=True):
    """The button went up, or what ended the take in its place."""

    at: Stamp
    take: Identifier
    why: Text = "released"


class RecordingSwitched(Event, frozen=True):
    """The subject's recording was switched on or off: by a console (AT&T, MADCOW 1992, section 2.4), or on, by itself, when a
    spoken reply had ended. The subject's desk obeys when it has this, and reports `TalkPressed` or `TalkReleased` as of any
    take."""

    at: Stamp
    on: bool


class EndPointed(Event, frozen=True):
    """The end-pointer found the utterance over (SRI, MADCOW 1992, section 2.5).

    Places are samples of the take's primary channel: nothing was said after `speech_end` (None: nothing was said at all), and
    `decided_at` was the last sample known when this was found. Their distance is the time that the decision took.
    """

    at: Stamp
    take: Identifier
    decided_at: Count
    rate: SamplingRate
    speech_end: Count | None = None
    detector: Text = ""
