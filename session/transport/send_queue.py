"""The queue of frames to one desk."""

import asyncio

from session.protocol.messages import AudioChunk, HubMessage, Welcome, encode

QUEUE = 20_000
SOUND_IN_QUEUE = 100


class SendQueue:
    """Frames on their way to one desk: sound is dropped when it grows stale, facts never.

    What there was when the desk came may all wait for it; of what has happened since, no more than `QUEUE`.
    """

    def __init__(self) -> None:
        self._frames: asyncio.Queue[str | bytes] = asyncio.Queue()
        self._sounds = 0
        self._most = QUEUE
        self.overrun = False

    def put(self, message: HubMessage | AudioChunk) -> None:
        if isinstance(message, Welcome):
            self._most = QUEUE + message.facts
        if isinstance(message, AudioChunk):
            if self._sounds >= SOUND_IN_QUEUE:
                return
            self._sounds += 1
        elif self._frames.qsize() >= self._most:
            self.overrun = True
            return
        self._frames.put_nowait(encode(message))

    async def get(self) -> str | bytes:
        frame = await self._frames.get()
        self._sounds -= isinstance(frame, bytes)
        return frame
