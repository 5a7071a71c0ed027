"""The link between a desk and the hub, without any socket: frames in, happenings out; calls in, frames out.

Text frames are JSON, binary frames are sound. Downwards every fact carries the number that it has for the desk's role, so that
a desk that lost its link says how many it has and is given the rest. Upwards every command carries an identifier and is
repeated until it is acknowledged. Nothing here waits, so a test can lose, delay, repeat or cut frames as it likes.
"""

import struct
from typing import TypeVar

import msgspec

from session.asides import Closing, Menu, Names, Question, Reply
from session.clock import Clock, Nanoseconds
from session.commands import AnyCommand
from session.events import Recorded
from session.names import check_id

Message = TypeVar("Message")

PROTOCOL = 1
LARGEST_UP = 64 * 1024
LARGEST_DOWN = 32 * 1024 * 1024
LARGEST_DOWN_TO_SUBJECT = 1024 * 1024
SOUND_PER_FRAME = 3200
_SOUND = struct.Struct(">c26scQ")
_SOUND_MARK = b"A"


class WireError(Exception):
    """The other side does not keep to the protocol; the message says how."""


class Rejected(Exception):
    """The desk may not come in; the message is for its person, and tells nothing about other desks."""


class _Message(msgspec.Struct, frozen=True, tag_field="m", forbid_unknown_fields=True):
    """Base of the text frames."""


class Hello(_Message, frozen=True, tag="hello"):
    """First frame of a desk: who it is, and how many facts it has already."""

    protocol: int
    desk: str
    clock: str
    version: str
    have: int = 0
    token: str = ""


class Do(_Message, frozen=True, tag="do"):
    """A command; repeated until acknowledged."""

    command: AnyCommand


class Ping(_Message, frozen=True, tag="ping"):
    """The desk's monotonic clock when it left; `last` is what the desk made of the pong before."""

    sent: Nanoseconds
    last: tuple[Nanoseconds, Nanoseconds, Nanoseconds] | None = None


class Welcome(_Message, frozen=True, tag="welcome"):
    """The hub takes the desk in. There are `facts` facts for it by now: when it has them, it knows how things stand."""

    session: str
    role: str
    clock: str
    facts: int = 0


class Told(_Message, frozen=True, tag="fact"):
    """One fact, as this desk's role may see it; its `seq` is its number on this link."""

    recorded: Recorded


class Ack(_Message, frozen=True, tag="ack"):
    """The command is durably recorded."""

    id: str


class No(_Message, frozen=True, tag="no"):
    """The command was refused."""

    id: str
    reason: str


class Pong(_Message, frozen=True, tag="pong"):
    """The desk's stamp back, with the hub's at arrival and departure (monotonic nanoseconds)."""

    sent: int
    arrived: int
    left: int


class Want(_Message, frozen=True, tag="want"):
    """The hub lacks these samples of a sealed take: (first, count) pairs."""

    take: str
    letter: str
    ranges: tuple[tuple[int, int], ...]


class Peer(_Message, frozen=True, tag="peer"):
    """Another desk came or went; consoles only."""

    role: str
    up: bool
    why: str = ""


class Trouble(_Message, frozen=True, tag="trouble"):
    """The hub itself is in trouble; consoles only. An empty text says that it is over."""

    text: str


class Sound(msgspec.Struct, frozen=True):
    """A piece of a take: 16-bit little-endian samples of channel `letter` from `first` on."""

    take: str
    letter: str
    first: int
    pcm: bytes


Up = Hello | Do | Ping | Question
Down = Welcome | Told | Ack | No | Pong | Want | Peer | Trouble | Reply
_encoder = msgspec.json.Encoder()
_up: "msgspec.json.Decoder[Up]" = msgspec.json.Decoder(Up)
_down: "msgspec.json.Decoder[Down]" = msgspec.json.Decoder(Down)


def encode(message: Up | Down | Sound) -> str | bytes:
    """The frame of a message."""
    if isinstance(message, Sound):
        return _SOUND.pack(_SOUND_MARK, message.take.encode(), message.letter.encode(), message.first) + message.pcm
    return _encoder.encode(message).decode()


def decode_sound(frame: bytes) -> Sound:
    """Raises WireError for anything but a whole number of samples behind a sound header."""
    if len(frame) < _SOUND.size or (len(frame) - _SOUND.size) % 2 or len(frame) > LARGEST_UP:
        raise WireError(f"a sound frame of {len(frame)} bytes")
    mark, take, letter, first = _SOUND.unpack_from(frame)
    try:
        name, channel = check_id(take.rstrip(b"\0").decode("ascii")), letter.decode("ascii")
    except ValueError as error:
        raise WireError("a sound frame names no take") from error
    if mark != _SOUND_MARK or not "a" <= channel <= "z" or first >= 2**40:
        raise WireError("a sound frame with a broken header")
    return Sound(name, channel, first, frame[_SOUND.size :])


def decode_up(frame: str | bytes) -> Up | Sound:
    """What a desk sent; raises WireError when it is no message of the protocol."""
    if isinstance(frame, bytes):
        return decode_sound(frame)
    return _decode(_up, frame)


def decode_down(frame: str | bytes) -> Down | Sound:
    """What the hub sent; raises WireError when it is no message of the protocol."""
    if isinstance(frame, bytes):
        return decode_sound(frame)
    return _decode(_down, frame)


def _decode(decoder: "msgspec.json.Decoder[Message]", frame: str) -> "Message":
    try:
        return decoder.decode(frame.encode())
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        raise WireError(f"a frame that is no message: {error}") from error


class Arrived(msgspec.Struct, frozen=True):
    """A fact that the desk had not seen."""

    recorded: Recorded


class Answered(msgspec.Struct, frozen=True):
    """A command was acknowledged, or refused with a reason."""

    command: str
    refusal: str | None = None


class Afresh(msgspec.Struct, frozen=True):
    """The hub knows less than this desk: its store was put back. All that was folded is void; the facts come again."""


Happening = Welcome | Afresh | Arrived | Answered | Want | Peer | Trouble | Menu | Names | Closing | Sound


class DeskLink:
    """A desk's end: keeps what is not acknowledged, drops what it has seen, measures the hub's clock."""

    def __init__(self, desk: str, clock: Clock, version: str, token: str = "") -> None:
        self._hello = Hello(PROTOCOL, desk, clock.name, version, 0, token)
        self._clock = clock
        self._pending: dict[str, AnyCommand] = {}
        self._session = ""
        self._last: tuple[int, int, int] | None = None
        self.have = 0

    def show(self, token: str) -> None:
        """The token to say hello with, for a desk that learns it late."""
        self._hello = msgspec.structs.replace(self._hello, token=token)

    @property
    def pending(self) -> tuple[AnyCommand, ...]:
        """Commands that the hub has not acknowledged, in the order in which they were given."""
        return tuple(self._pending.values())

    @property
    def compared(self) -> bool:
        """Whether the hub's clock has been measured on this link."""
        return self._last is not None

    @property
    def offset(self) -> int:
        """Hub's minus this desk's monotonic clock in nanoseconds, 0 until it has been measured."""
        return self._last[1] if self._last else 0

    def opening(self) -> list[str | bytes]:
        """Frames to send on a new connection: who this is, then everything that is not acknowledged."""
        hello = msgspec.structs.replace(self._hello, have=self.have)
        return [encode(hello), *(encode(Do(command)) for command in self._pending.values())]

    def give(self, command: AnyCommand) -> str | bytes:
        """The frame of a command, which is kept until it is acknowledged."""
        self._pending[command.id] = command
        return encode(Do(command))

    def ping(self) -> str | bytes:
        """A frame that measures the hub's clock; send one every few seconds."""
        return encode(Ping(self._clock.monotonic_ns(), self._last))

    def receive(self, frame: str | bytes) -> list[Happening]:
        """What a frame from the hub means; raises WireError when it means nothing."""
        message = decode_down(frame)
        match message:
            case Told():
                return self._told(message.recorded)
            case Ack():
                self._pending.pop(message.id, None)
                return [Answered(message.id)]
            case No():
                self._pending.pop(message.id, None)
                return [Answered(message.id, message.reason)]
            case Pong():
                self._measure(message)
                return []
            case Welcome():
                if self._session and self._session != message.session:
                    raise WireError(f"the hub leads into session {message.session} instead of {self._session}")
                self._session = message.session
                if message.facts < self.have:
                    self.have = 0
                    return [Afresh(), message]
                return [message]
            case _:
                return [message]

    def _told(self, recorded: Recorded) -> list[Happening]:
        if recorded.seq <= self.have:
            return []
        if recorded.seq != self.have + 1:
            raise WireError(f"fact {recorded.seq} came after fact {self.have}")
        self.have = recorded.seq
        return [Arrived(recorded)]

    def _measure(self, pong: Pong) -> None:
        """Offset and bound by the four-stamp exchange: the hub's clock lay between the desk's two."""
        back = self._clock.monotonic_ns()
        round_trip = max(0, (back - pong.sent) - (pong.left - pong.arrived))
        offset = ((pong.arrived - pong.sent) + (pong.left - back)) // 2
        self._last = (back, offset, round_trip // 2 + 1)


class HubLink:
    """The hub's end of one connection: demands a hello first and the right version, then passes messages on."""

    def __init__(self) -> None:
        self.hello: Hello | None = None

    def receive(self, frame: str | bytes) -> Up | Sound:
        """What a desk's frame means; raises WireError when it breaks the protocol."""
        message = decode_up(frame)
        if self.hello is None:
            if not isinstance(message, Hello):
                raise WireError("the first frame is not a hello")
            self._check(message)
            self.hello = message
        elif isinstance(message, Hello):
            raise WireError("a second hello")
        return message

    def _check(self, hello: Hello) -> None:
        if hello.protocol != PROTOCOL:
            raise WireError(f"this hub speaks protocol {PROTOCOL}, the desk {hello.protocol}: install the same version")
        if hello.have < 0:
            raise WireError("a desk cannot have fewer than no facts")
        for name in (hello.desk, hello.clock):
            try:
                check_id(name)
            except ValueError as error:
                raise WireError(str(error)) from error


class Counted(msgspec.Struct):
    """A bucket of so many frames that refills with time: floods wait instead of filling memory."""

    size: float
    per_second: float
    level: float = 0.0
    last: int = 0

    def delay(self, now: int) -> float:
        """Seconds to wait before the next frame is read, by a monotonic clock in nanoseconds."""
        self.level = max(0.0, self.level - (now - self.last) / 1e9 * self.per_second)
        self.last = now
        self.level += 1
        return max(0.0, (self.level - self.size) / self.per_second)
