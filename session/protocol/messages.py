"""Messages between a desk and the hub, and their frames.

Text frames are JSON, binary frames are sound. Downwards every fact carries the number that it has for the desk's role, so that
a desk that lost its link says how many it has and is given the rest. Upwards every command carries an identifier and is
repeated until it is acknowledged. Nothing here waits, so a test can lose, delay, repeat or cut frames as it likes.
"""

import struct
from collections.abc import Iterator
from typing import TypeVar

import msgspec

from session.commands import AnyCommand
from session.events import Recorded
from session.protocol.side_messages import DraftTyped, SideMessage, SideResponse
from session.values.limits import Identifier, Nanoseconds
from session.values.names import check_id
from session.values.vocabulary import DeskRefusal

Message = TypeVar("Message")

PROTOCOL_VERSION = 2
"""1 until 2026-11-22, with tags that `session.protocol.frame_upcasting` renames in recordings of the wire."""
LARGEST_DESK_FRAME = 64 * 1024
LARGEST_CONSOLE_FRAME = 32 * 1024 * 1024
LARGEST_SUBJECT_FRAME = 1024 * 1024
AUDIO_BYTES_PER_FRAME = 3200
_SOUND = struct.Struct(">c26scQ")
_SOUND_MARK = b"A"
_SPEECH = struct.Struct(">c32sQ")
_SPEECH_MARK = b"V"
SPEECH_BYTES_PER_FRAME = 60_000
SPEECH_RATE = 16_000
"""Samples a second of all that is spoken: one rate, so that a desk opens its loudspeaker once and places are comparable."""


class WireError(Exception):
    """The other side does not keep to the protocol; the message says how."""


class InvalidCommand(Exception):
    """A command whose form or values cannot be meant; the message says what is wrong and where. The link is in order."""

    def __init__(self, command: str, problem: str) -> None:
        super().__init__(problem)
        self.command = command


class Rejected(Exception):
    """The desk may not come in; the message is for its person, and tells nothing about other desks. `why` is for programs."""

    def __init__(self, message: str, why: DeskRefusal = DeskRefusal.TOKEN) -> None:
        super().__init__(message)
        self.why = why


class _Message(msgspec.Struct, frozen=True, tag_field="m", forbid_unknown_fields=True):
    """Base of the text frames."""


class Hello(_Message, frozen=True, tag="hello"):
    """First frame of a desk: its name, and how many facts it has already.

    Its form never changes, so that any hub can read the version.
    """

    protocol: int
    desk: str
    clock: str
    version: str
    have: int = 0
    token: str = ""


class Unusable(_Message, frozen=True, tag="unusable"):
    """First frame, and the last one, of a page whose browser cannot run it, or has it open (`taken`) in another window; the
    token is in its address."""

    token: str
    taken: bool = False


class CommandMessage(_Message, frozen=True, tag="command"):
    """A command; repeated until acknowledged."""

    command: AnyCommand


class Ping(_Message, frozen=True, tag="ping"):
    """The desk's monotonic clock when it left; `last` is what the desk made of the pong before."""

    sent: Nanoseconds
    last: tuple[Nanoseconds, Nanoseconds, Nanoseconds] | None = None


class Welcome(_Message, frozen=True, tag="welcome"):
    """The hub admits the desk. There are `facts` facts for it by now; with all of them it is up to date."""

    session: str
    role: str
    clock: str
    facts: int = 0
    protocol: int = PROTOCOL_VERSION


class FactMessage(_Message, frozen=True, tag="fact"):
    """One fact, as this desk's role may see it; its `seq` is its number on this link."""

    recorded: Recorded


class Ack(_Message, frozen=True, tag="ack"):
    """The command is durably recorded."""

    id: str


class Refusal(_Message, frozen=True, tag="refusal"):
    """The command was refused."""

    id: str
    reason: str


class Pong(_Message, frozen=True, tag="pong"):
    """The desk's stamp back, with the hub's at arrival and departure (monotonic nanoseconds)."""

    sent: int
    arrived: int
    left: int


class ResendRequest(_Message, frozen=True, tag="resend"):
    """The hub lacks these samples of a sealed take: (first, count) pairs."""

    take: str
    letter: str
    ranges: tuple[tuple[int, int], ...]


class DeskPresence(_Message, frozen=True, tag="presence"):
    """Another desk came or went; consoles only."""

    role: str
    up: bool
    why: str = ""


class DeskTurnedAway(_Message, frozen=True, tag="turned_away"):
    """A desk was rejected by the session; sent to consoles only. `role` is empty if the token was wrong."""

    role: str
    reason: DeskRefusal


class CompletionCode(_Message, frozen=True, tag="completion"):
    """The code that the subject shows anyone who sent her, to be paid; the subject's desk only, once the session has ended."""

    code: str


class HubTrouble(_Message, frozen=True, tag="trouble"):
    """The hub itself is in trouble; consoles only. An empty text says that it is over."""

    text: str


class AudioChunk(msgspec.Struct, frozen=True):
    """A piece of a take: 16-bit little-endian samples of channel `letter` from `first` on."""

    take: str
    letter: str
    first: int
    pcm: bytes


class SpeechChunk(msgspec.Struct, frozen=True):
    """A piece of what the system says, on its way to the subject's desk: 16-bit little-endian samples from `first` on, of the
    sound that hashes to `sha256` as a whole."""

    sha256: str
    first: int
    pcm: bytes


def speech_chunks(sha256: str, pcm: bytes) -> Iterator[SpeechChunk]:
    """A sound in pieces of a frame each."""
    for place in range(0, len(pcm), SPEECH_BYTES_PER_FRAME):
        yield SpeechChunk(sha256, place // 2, pcm[place : place + SPEECH_BYTES_PER_FRAME])


Sound = AudioChunk | SpeechChunk
DeskMessage = Hello | Unusable | CommandMessage | Ping | SideMessage
HubMessage = (
    Welcome
    | FactMessage
    | Ack
    | Refusal
    | Pong
    | ResendRequest
    | DeskPresence
    | DeskTurnedAway
    | CompletionCode
    | HubTrouble
    | SideResponse
    | DraftTyped
)
_encoder = msgspec.json.Encoder()
_up: "msgspec.json.Decoder[DeskMessage]" = msgspec.json.Decoder(DeskMessage)
_down: "msgspec.json.Decoder[HubMessage]" = msgspec.json.Decoder(HubMessage)


def encode(message: DeskMessage | HubMessage | Sound) -> str | bytes:
    """The frame of a message."""
    if isinstance(message, AudioChunk):
        return _SOUND.pack(_SOUND_MARK, message.take.encode(), message.letter.encode(), message.first) + message.pcm
    if isinstance(message, SpeechChunk):
        return _SPEECH.pack(_SPEECH_MARK, bytes.fromhex(message.sha256), message.first) + message.pcm
    return _encoder.encode(message).decode()


def decode_audio(frame: bytes) -> AudioChunk:
    """Raises WireError for anything but a whole number of samples behind a sound header."""
    if len(frame) < _SOUND.size or (len(frame) - _SOUND.size) % 2 or len(frame) > LARGEST_DESK_FRAME:
        raise WireError(f"a sound frame of {len(frame)} bytes")
    mark, take, letter, first = _SOUND.unpack_from(frame)
    try:
        name, channel = check_id(take.rstrip(b"\0").decode("ascii")), letter.decode("ascii")
    except ValueError as error:
        raise WireError("a sound frame names no take") from error
    if mark != _SOUND_MARK or not "a" <= channel <= "z" or first >= 2**40:
        raise WireError("a sound frame with a broken header")
    return AudioChunk(name, channel, first, frame[_SOUND.size :])


def decode_speech(frame: bytes) -> SpeechChunk:
    """Raises WireError for anything but a whole number of samples behind a speech header."""
    if len(frame) <= _SPEECH.size or (len(frame) - _SPEECH.size) % 2 or len(frame) > LARGEST_DESK_FRAME:
        raise WireError(f"a speech frame of {len(frame)} bytes")
    _, sha256, first = _SPEECH.unpack_from(frame)
    if first >= 2**40:
        raise WireError("a speech frame with a broken header")
    return SpeechChunk(sha256.hex(), first, frame[_SPEECH.size :])


def decode_desk_message(frame: str | bytes) -> DeskMessage | AudioChunk:
    """Decode a desk's frame; raises WireError when it is not a message of the protocol, InvalidCommand for one wrong command."""
    if isinstance(frame, bytes):
        return decode_audio(frame)
    try:
        return _decode(_up, frame)
    except WireError as error:
        if isinstance(error.__cause__, msgspec.ValidationError) and (name := _command_named(frame)):
            raise InvalidCommand(name, _fault(str(error.__cause__))) from error
        raise


def decode_hub_message(frame: str | bytes) -> HubMessage | Sound:
    """Decode a frame of the hub; raises WireError when it is not a message of the protocol."""
    if isinstance(frame, bytes):
        return decode_speech(frame) if frame[:1] == _SPEECH_MARK else decode_audio(frame)
    return _decode(_down, frame)


def _fault(problem: str) -> str:
    """Return the problem, beginning with the field.

    >>> _fault("Expected `int` >= 0 - at `$.command.event.sealed[...].samples`")
    '`samples`: expected `int` >= 0'
    """
    what, _, path = problem.rpartition(" - at ")
    field = path.strip("`").replace("[...]", "").rpartition(".")[2]
    return f"`{field}`: {what[:1].lower()}{what[1:]}" if what and field != "command" else problem


class _Named(msgspec.Struct):
    id: Identifier


class _NamedCommand(msgspec.Struct, tag_field="m", tag="command"):
    """A command of which nothing is read but its name, so that it can be refused."""

    command: _Named


def _command_named(frame: str) -> str:
    """Return the name of the command in a frame; empty if there is none."""
    try:
        return msgspec.json.decode(frame.encode(), type=_NamedCommand).command.id
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return ""


def _decode(decoder: "msgspec.json.Decoder[Message]", frame: str) -> "Message":
    try:
        return decoder.decode(frame.encode())
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        raise WireError(f"a frame that is not a message: {error}") from error
