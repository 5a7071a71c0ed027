"""Sound that the hub asks for again, on its way up from this desk's disk: one piece after the other, live sound between them."""

import asyncio
from collections.abc import Callable

from session.protocol.messages import AUDIO_BYTES_PER_FRAME, AudioChunk, ResendRequest
from subject.ports import SubjectUplink

Read = Callable[[str, str, int, int], bytes]


class Uploads:
    """Gives the hub the ranges that it wants, take by take in the order in which it asked.

    `read` gives samples of a channel (`Spool.read`), and raises KeyError for one that is not on the disk any more, OSError for
    one that cannot be read; other takes do not wait for it. While a take goes up, asking for it again changes nothing: the hub
    asks until it has everything.
    """

    def __init__(self, way: SubjectUplink, read: Read) -> None:
        self._way, self._read = way, read
        self._wanted: dict[tuple[str, str], ResendRequest] = {}
        self._task: asyncio.Task[None] | None = None

    def begin(self, want: ResendRequest) -> None:
        """Call it in the event loop's thread."""
        self._wanted.setdefault((want.take, want.letter), want)
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._send_all())

    async def _send_all(self) -> None:
        while self._wanted:
            key, want = next(iter(self._wanted.items()))
            try:
                await self._send(want)
            finally:
                del self._wanted[key]

    async def _send(self, want: ResendRequest) -> None:
        step = AUDIO_BYTES_PER_FRAME // 2
        for first, count in want.ranges:
            for place in range(first, first + count, step):
                await self._way.room()
                try:
                    pcm = self._read(want.take, want.letter, place, min(step, first + count - place))
                except (KeyError, OSError):
                    return
                if not pcm:
                    break  # the range reaches beyond the take: it was changed on the way
                self._way.sound(AudioChunk(want.take, want.letter, place, pcm))
