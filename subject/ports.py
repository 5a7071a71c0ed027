"""Ports of the terminal: the way to the hub, a recorder, what is kept on this machine's disk, and
what a screen tells it.
"""

from dataclasses import dataclass
from typing import Protocol

from session import commands as c
from session.protocol.messages import AudioChunk
from session.values.clock import Stamp


class SubjectUplink(Protocol):
    """The way to the hub."""

    def give(self, command: c.AnyCommand) -> None: ...

    def sound(self, sound: AudioChunk) -> None: ...

    async def room(self) -> None:
        """Return when sound that is sent now would go out soon."""


class RecorderPort(Protocol):
    """Recorder as the terminal needs it."""

    def open(self) -> None: ...

    def press(self, take: str, at: Stamp) -> str: ...

    def release(self, take: str, at: Stamp, *, tail: bool = True) -> None: ...

    def discard(self, take: str) -> None: ...


class PlayerPort(Protocol):
    """Player of replies as the terminal needs it; it tells by itself what was heard."""

    def play(self, reply: str, pcm: bytes) -> None: ...

    def stop(self) -> None: ...


class SpoolPort(Protocol):
    """Spool as the terminal needs it: sealed takes and the journal of reports."""

    def read(self, take: str, letter: str, first: int, samples: int) -> bytes: ...

    def confirm(self, take: str, letter: str, samples: int, sha256: str) -> bool: ...

    def holds(self, take: str) -> bool: ...

    def add(self, *reports: c.Report) -> None: ...

    def acknowledge(self, report: str) -> None: ...

    @property
    def troubles(self) -> list[str]:
        """List what a person should know of the folder, one sentence each."""

    def pending(self) -> list[c.Report]: ...


@dataclass(frozen=True)
class Seen:
    """Lines `first` to `last` of a reply were on the screen; `again` when it had been there before, `reopened` by hand."""

    reply: str
    first: int
    last: int
    again: bool = False
    reopened: bool = False
