"""The queue of frames to one desk."""

import asyncio
from collections.abc import Callable

from session.protocol.messages import AudioChunk, FactMessage, HubMessage, Sound, Welcome, encode

QUEUE = 20_000
SOUND_IN_QUEUE = 100
MOST_BYTES = 64 * 1024**2
"""More than the largest frame, so that one result of a query always fits behind others."""


class SendQueue:
    """Frames on their way to one desk: a subject's sound is dropped when it grows stale, facts and what the system says never.

    What there was when the desk came may all wait for it; of what has happened since, no more than `QUEUE` frames and
    `MOST_BYTES`.
    """

    def __init__(self, at_once: Callable[[str | bytes], bool] = lambda frame: False) -> None:
        """`at_once` sends a frame by itself, and returns whether it could; it is asked where none waits."""
        self._at_once = at_once
        self._frames: asyncio.Queue[tuple[str | bytes, bool]] = asyncio.Queue()
        self._sounds = 0
        self._most = QUEUE
        self._bytes = self._history = 0
        self.overrun = False

    def put(self, message: HubMessage | Sound | str) -> None:
        """Queue a message, or the text of a frame as it is."""
        if isinstance(message, Welcome):
            self._most = QUEUE + message.facts
            self._history = message.facts
        if isinstance(message, AudioChunk):
            if self._sounds >= SOUND_IN_QUEUE:
                return
        elif self._frames.qsize() >= self._most or (self._bytes >= MOST_BYTES and not self._history):
            self.overrun = True
            return
        frame = message if isinstance(message, str) else encode(message)
        self._history = max(0, self._history - isinstance(message, FactMessage))
        if self._frames.empty() and self._at_once(frame):
            return
        stale = isinstance(message, AudioChunk)
        self._sounds += stale
        self._bytes += len(frame)
        self._frames.put_nowait((frame, stale))

    async def get(self) -> str | bytes:
        frame, stale = await self._frames.get()
        self._sounds -= stale
        self._bytes -= len(frame)
        return frame
