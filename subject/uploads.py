"""Sends the ranges of takes that the hub lacks, as fast as the link carries them and no faster."""

import asyncio

from session.clock import Clock
from session.wire import SOUND_PER_FRAME, Sound, Want
from subject.ports import Keeping, Up


class Uploads:
    """One upload at a time for each channel of a take; asked again while one runs, it lets that one finish."""

    def __init__(self, up: Up, keeping: Keeping, clock: Clock) -> None:
        self._up, self._keeping, self._clock = up, keeping, clock
        self._running: dict[tuple[str, str], asyncio.Task[None]] = {}

    def begin(self, want: Want) -> None:
        """Send these ranges; call it in the event loop's thread."""
        key = (want.take, want.letter)
        if key not in self._running or self._running[key].done():
            self._running[key] = asyncio.get_running_loop().create_task(self._send(want))

    async def _send(self, want: Want) -> None:
        step = SOUND_PER_FRAME // 2
        for first, count in want.ranges:
            for place in range(first, first + count, step):
                while not self._up.room:
                    await self._clock.sleep(0.05)
                try:
                    pcm = self._keeping.read(want.take, want.letter, place, min(step, first + count - place))
                except KeyError:
                    return
                self._up.sound(Sound(want.take, want.letter, place, pcm))
