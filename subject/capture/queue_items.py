"""Items of the recorder's queue, and the listeners at its other end."""

from collections.abc import Callable

import msgspec

from session.events import Event
from session.values.clock import Stamp
from subject.capture.channel_take import OnFrame
from subject.capture.level import Level
from subject.capture.take_file import SealedTake


class Block(msgspec.Struct, frozen=True):
    """Sound of input number `intake`, the last frame captured at `captured_ns`; `dropped` frames before it found no room."""

    intake: int
    opening: int
    data: bytes
    frames: int
    overflowed: bool
    captured_ns: int
    dropped: int = 0


class Gone(msgspec.Struct, frozen=True):
    """The microphone of that input stopped by itself."""

    intake: int
    opening: int
    reason: str


class Replaced(msgspec.Struct, frozen=True):
    """The microphone of that input could not be opened, and what replaces it was."""

    intake: int
    reason: str


class Press(msgspec.Struct, frozen=True):
    """A take begins, or goes on (`again`)."""

    take: str
    at: Stamp
    again: bool


class Release(msgspec.Struct, frozen=True):
    """The button went up, or the end-pointer heard the end, whose own quiet is `tail` enough."""

    take: str
    at: Stamp
    tail: bool = True


class Discard(msgspec.Struct, frozen=True):
    """The take ends at once and is marked."""

    take: str


class SystemSpoke(msgspec.Struct, frozen=True):
    """The system was heard until then: no take that begins later reaches back so far."""

    until: Stamp


Item = Block | Gone | Replaced | Press | Release | Discard | SystemSpoke


class Listeners(msgspec.Struct, frozen=True):
    """Listeners of the recorder; all are called in the writer's thread and may only enqueue."""

    on_fact: Callable[[Event], None]
    on_frame: OnFrame | None = None
    on_level: Callable[[Level], None] | None = None
    on_sealed: Callable[[SealedTake], None] | None = None
