"""Facts about replies that are spoken: the sound that was made, and what of it was heard.

The hub makes the sound when a reply is committed; the subject's desk plays it. Places are samples of that sound, from 0.
"""

from session.events.base import Event
from session.values.clock import Stamp
from session.values.limits import Count, Identifier, Text
from session.values.vocabulary import PlaybackEnd


class ReplyVoiced(Event, frozen=True):
    """The sound of a reply is made and kept: `samples` of 16 bits, `rate` a second, that hash to `sha256`; `took` nanoseconds
    passed since the reply was committed. `engine` made it, in the version and with the voice that `version` names."""

    reply: Identifier
    sha256: str
    samples: Count
    rate: int
    engine: str = ""
    version: str = ""
    took: int = 0


class VoiceFailed(Event, frozen=True):
    """No sound could be made of a reply: its text stands on the subject's screen in place of speech."""

    reply: Identifier
    engine: str = ""
    detail: Text = ""


class PlaybackStarted(Event, frozen=True):
    """The first sample of a reply was given to the loudspeaker."""

    at: Stamp
    reply: Identifier


class PlaybackStopped(Event, frozen=True):
    """The sound of a reply is over after its first `samples` samples; where it `failed`, its text is shown instead."""

    at: Stamp
    reply: Identifier
    samples: Count
    why: PlaybackEnd = PlaybackEnd.ENDED
    detail: Text = ""
