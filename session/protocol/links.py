"""The link between a desk and the hub, without any socket: frames in, happenings out; calls in, frames out."""

import msgspec

from session.commands import AnyCommand
from session.events import Recorded
from session.protocol.messages import (
    PROTOCOL_VERSION,
    Ack,
    AudioChunk,
    CommandMessage,
    CompletionCode,
    DeskMessage,
    DeskPresence,
    DeskTurnedAway,
    FactMessage,
    Hello,
    HubTrouble,
    Ping,
    Pong,
    Refusal,
    Rejected,
    ResendRequest,
    SpeechChunk,
    Unusable,
    Welcome,
    WireError,
    decode_desk_message,
    decode_hub_message,
    encode,
)
from session.protocol.side_messages import (
    ClosingResponse,
    DraftTyped,
    LobbyState,
    MenuResponse,
    SchemaResponse,
    SolutionResponse,
    ValuesResponse,
)
from session.values.clock import Clock
from session.values.names import check_id


class FactReceived(msgspec.Struct, frozen=True):
    """A fact that the desk had not seen."""

    recorded: Recorded


class CommandAnswered(msgspec.Struct, frozen=True):
    """A command was acknowledged, or refused with a reason."""

    command: str
    refusal: str | None = None


class HistoryReset(msgspec.Struct, frozen=True):
    """The hub knows less than this desk: its store was put back. All that was folded is void; the facts come again."""


LinkEvent = (
    Welcome
    | HistoryReset
    | FactReceived
    | CommandAnswered
    | ResendRequest
    | DeskPresence
    | DeskTurnedAway
    | CompletionCode
    | HubTrouble
    | MenuResponse
    | SchemaResponse
    | ClosingResponse
    | ValuesResponse
    | SolutionResponse
    | LobbyState
    | DraftTyped
    | AudioChunk
    | SpeechChunk
)


class DeskLink:
    """A desk's end: keeps what is not acknowledged, drops what it has seen, measures the hub's clock."""

    def __init__(self, desk: str, clock: Clock, version: str, token: str = "") -> None:
        self._hello = Hello(PROTOCOL_VERSION, desk, clock.name, version, 0, token)
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
        """Return whether the hub's clock has been measured on this link."""
        return self._last is not None

    @property
    def exchange(self) -> tuple[int, int]:
        """Nanoseconds that the last exchange with the hub took, and for how long there was none; 0 until there was one."""
        return (2 * self._last[2], self._clock.monotonic_ns() - self._last[0]) if self._last else (0, 0)

    @property
    def offset(self) -> int:
        """Hub's minus this desk's monotonic clock in nanoseconds, 0 until it has been measured."""
        return self._last[1] if self._last else 0

    def opening(self) -> list[str | bytes]:
        """Frames to send on a new connection: who this is, then everything that is not acknowledged."""
        hello = msgspec.structs.replace(self._hello, have=self.have)
        return [encode(hello), *(encode(CommandMessage(command)) for command in self._pending.values())]

    def give(self, command: AnyCommand) -> str | bytes:
        """The frame of a command, which is kept until it is acknowledged."""
        self._pending[command.id] = command
        return encode(CommandMessage(command))

    def ping(self) -> str | bytes:
        """A frame that measures the hub's clock; send one every few seconds."""
        return encode(Ping(self._clock.monotonic_ns(), self._last))

    def receive(self, frame: str | bytes) -> list[LinkEvent]:
        """Return the events of a frame from the hub; raises WireError when it is none."""
        message = decode_hub_message(frame)
        match message:
            case FactMessage():
                return self._take_in(message.recorded)
            case Ack():
                return self._answered(message.id, None)
            case Refusal():
                return self._answered(message.id, message.reason)
            case Pong():
                self._measure(message)
                return []
            case Welcome():
                if message.protocol != PROTOCOL_VERSION:
                    raise WireError(
                        f"it speaks protocol {message.protocol}, this desk {PROTOCOL_VERSION}: install the same version of both"
                    )
                if self._session and self._session != message.session:
                    raise WireError(f"the hub serves session {message.session} instead of {self._session}")
                self._session = message.session
                if message.facts < self.have:
                    self.have = 0
                    return [HistoryReset(), message]
                return [message]
            case _:
                return [message]

    def _answered(self, command: str, refusal: str | None) -> list[LinkEvent]:
        """The hub answers in the order in which it was given: an older command without an answer did not reach it."""
        if command in self._pending and next(iter(self._pending)) != command:
            raise WireError(f"command {command} was answered before an older one")
        self._pending.pop(command, None)
        return [CommandAnswered(command, refusal)]

    def _take_in(self, recorded: Recorded) -> list[LinkEvent]:
        if recorded.seq <= self.have:
            return []
        if recorded.seq != self.have + 1:
            raise WireError(f"fact {recorded.seq} came after fact {self.have}")
        self.have = recorded.seq
        return [FactReceived(recorded)]

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

    def receive(self, frame: str | bytes) -> DeskMessage | AudioChunk:
        """Return the message of a desk's frame; raises WireError when it breaks the protocol, Rejected for another version."""
        message = decode_desk_message(frame)
        if self.hello is None:
            if isinstance(message, Unusable):
                return message
            if not isinstance(message, Hello):
                raise WireError("the first frame is not a hello")
            self._check(message)
            self.hello = message
        elif isinstance(message, Hello | Unusable):
            raise WireError("a second hello")
        return message

    def _check(self, hello: Hello) -> None:
        if hello.protocol != PROTOCOL_VERSION:
            raise Rejected(
                f"This hub speaks protocol {PROTOCOL_VERSION}, this desk {hello.protocol}: install the same version of both."
            )
        if hello.have < 0:
            raise WireError("a desk cannot have fewer than no facts")
        for name in (hello.desk, hello.clock):
            try:
                check_id(name)
            except ValueError as error:
                raise WireError(str(error)) from error


class RateLimiter(msgspec.Struct):
    """A bucket of so many frames that refills with time: floods wait instead of filling memory."""

    size: float
    per_second: float
    level: float = 0.0
    last: int = 0

    def admits(self, now: int, units: int) -> bool:
        """Tell whether `units` need not wait; they are counted then."""
        self._drain(now)
        if self.level + units > self.size:
            return False
        self.level += units
        return True

    def delay(self, now: int, units: int = 1) -> float:
        """Seconds to wait before what came is acted on, by a monotonic clock in nanoseconds; `units` of it came."""
        self._drain(now)
        self.level += units
        return max(0.0, (self.level - self.size) / self.per_second)

    def _drain(self, now: int) -> None:
        self.level = max(0.0, self.level - (now - self.last) / 1e9 * self.per_second)
        self.last = now
