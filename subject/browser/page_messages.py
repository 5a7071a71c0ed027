"""Messages between a page and its gateway: JSON in text frames, sound in binary ones as from any desk.

Upwards a page says hello, then what was done in front of it and what its microphone did, each under an identifier that it keeps
until it is acknowledged; downwards come parts of what is to be seen, each whole, whenever it is another one.
"""

from collections.abc import Mapping

import msgspec

from session import events as e
from session.protocol.messages import Ping, Unusable, WireError
from session.values.clock import Stamp

CaptureFact = (
    e.TalkPressed
    | e.TalkReleased
    | e.RecordingStarted
    | e.RecordingStopped
    | e.MicrophoneOpened
    | e.AudioTroubled
    | e.PlaybackStarted
    | e.PlaybackStopped
)  # fmt: skip
"""What a page's recorder and its loudspeaker report; everything else follows from what the subject does."""


class _Up(msgspec.Struct, frozen=True, tag_field="m", forbid_unknown_fields=True):
    """Base of what a page says."""


class PageHello(_Up, frozen=True, tag="hello"):
    """First frame: who this is, what time it is there, which takes are on its disk, the one that is being recorded, the
    replies of which there is something to tell yet, whether one of them can be heard, and whether the page is worked with a
    finger."""

    token: str
    desk: str
    at: Stamp
    version: str = ""
    takes: tuple[str, ...] = ()
    held: str = ""
    lamp: str = ""
    replies: tuple[str, ...] = ()
    loud: bool = False
    finger: bool = False


class CaptureReport(_Up, frozen=True, tag="report"):
    """Something that the page's recorder or its loudspeaker did."""

    id: str
    event: CaptureFact


class LevelReport(_Up, frozen=True, tag="level"):
    """Loudness, where the screen asks for it; `end` counts samples of the stream."""

    end: int
    peak: float
    rms: float


class MicrophoneState(_Up, frozen=True, tag="microphone"):
    """The microphone was opened, at `rate` samples a second, or could not be; `why`, in the browser's words."""

    open: bool
    why: str = ""
    rate: int = 0


class Quiet(_Up, frozen=True, tag="quiet"):
    """There has been silence for as long as the pre-roll reaches back."""


class _Done(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Base of what a subject does at the page."""


class Agreed(_Done, frozen=True):
    """The scopes of consent, ticked or not, under the text of this hash."""

    scopes: dict[str, bool]
    sha256: str


class TextRead(_Done, frozen=True):
    """The text of a station was read to its end."""

    step: str


class TrialLeft(_Done, frozen=True):
    """The microphone check is to be left."""


class TrialAgain(_Done, frozen=True):
    """The microphone check is to begin again."""


class FormFilled(_Done, frozen=True):
    """A form was filled in; answers by item."""

    form: str
    answers: dict[str, str]


class Confirmed(_Done, frozen=True):
    """The scopes of consent again, after the last text."""

    scopes: dict[str, bool]


class Typed(_Done, frozen=True):
    """A request from the keyboard."""

    text: str


class Undone(_Done, frozen=True):
    """Take back what was said last."""


class Solved(_Done, frozen=True):
    """The task is done."""

    solution: str


class GivenUp(_Done, frozen=True):
    """The task is given up."""


class Called(_Done, frozen=True):
    """The experimenter is called."""


class Withdrew(_Done, frozen=True):
    """The subject stops taking part."""

    erase: bool


class Returned(_Done, frozen=True):
    """The dialogue continues from an earlier utterance."""

    take: str


class Sized(_Done, frozen=True):
    """There is room for so many characters and lines."""

    columns: int
    lines: int


class Understood(_Done, frozen=True):
    """The line that says what was understood of a take was painted."""

    take: str


class InSight(msgspec.Struct, frozen=True):
    """Lines `first` to `last` of the turn `key` can be seen."""

    key: str
    first: int
    last: int


class LinesViewed(_Done, frozen=True):
    """The lines of turns that can be seen now; `reopened` are those that were opened again by hand."""

    spans: tuple[InSight, ...]
    reopened: tuple[str, ...] = ()


Deed = (
    Agreed
    | TextRead
    | TrialLeft
    | TrialAgain
    | FormFilled
    | Confirmed
    | Typed
    | Undone
    | Solved
    | GivenUp
    | Called
    | Withdrew
    | Returned
    | Sized
    | Understood
    | LinesViewed
)


class DeedReport(_Up, frozen=True, tag="deed"):
    """Something that the subject did, or that was painted before her."""

    id: str
    at: Stamp
    deed: Deed


Told = CaptureReport | DeedReport | LevelReport | MicrophoneState | Quiet
"""What is acted on once the session is known."""

PageMessage = PageHello | Unusable | Told | Ping
_up: "msgspec.json.Decoder[PageMessage]" = msgspec.json.Decoder(PageMessage)
_encoder = msgspec.json.Encoder()


def decode_page_message(frame: str) -> PageMessage:
    """Decode a page's text frame; raises WireError when it is none."""
    try:
        return _up.decode(frame.encode())
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        raise WireError(f"a frame that is not a message: {error}") from error


def encode_part(name: str, part: object) -> str:
    """The frame of a part of what is to be seen."""
    return _encoder.encode({"m": "part", "name": name, "part": part}).decode()


def encode_order(kind: str, **fields: object) -> str:
    """The frame of anything else that a page is told."""
    body: Mapping[str, object] = {"m": kind, **fields}
    return _encoder.encode(body).decode()
