"""Player of the system's replies, one after the other, which reports in samples how much of each was heard.

The loudspeaker's own thread asks for sound; nothing here waits for it. A reply is over when its last sample has been heard, which
is the device's delay after that sample was given away; and the room is `quiet` when so much time has passed behind it as a
recording reaches back, so that no take begins with the system's own voice.
"""

import threading
from collections import deque
from collections.abc import Callable
from typing import Protocol

from session.audio.devices import WIDTH, DeviceError, Loudspeaker, sounding
from session.values.clock import MILLISECOND, SECOND, Clock, Stamp, stamp
from session.values.vocabulary import PlaybackEnd


class Heard(Protocol):
    """The listener; every method is called from whatever thread, and only enqueues."""

    def began(self, reply: str, at: Stamp) -> None: ...

    def ended(self, reply: str, samples: int, why: PlaybackEnd, detail: str, at: Stamp) -> None: ...

    def quiet(self) -> None: ...


class _Sound:
    """A reply that is being played, or waits for its turn."""

    def __init__(self, reply: str, pcm: bytes) -> None:
        self.reply, self.pcm = reply, pcm
        self.given = 0
        """Samples that the device was given."""
        self.beyond = 0
        """Samples of silence that it was given behind them."""

    @property
    def samples(self) -> int:
        return len(self.pcm) // WIDTH


class ReplyPlayer:
    """The loudspeaker of a subject's desk, opened with the first reply and kept open; `pause_ms` is how long a quiet room is to
    have been quiet."""

    def __init__(self, opener: Callable[[], Loudspeaker], clock: Clock, heard: Heard, pause_ms: int) -> None:
        self._opener, self._clock, self._heard, self._pause_ms = opener, clock, heard, pause_ms
        self._lock = threading.Lock()
        self._opening = threading.Lock()
        self._loudspeaker: Loudspeaker | None = None
        self._waiting: deque[_Sound] = deque()
        self._now: _Sound | None = None
        self._silence: int | None = None
        self._over_at = 0
        self._closed = False

    def wait_for_quiet(self, pause_ms: int) -> None:
        """Take a room for quiet after so long from now on: a scenario may let the subject interrupt, and the next one not."""
        self._pause_ms = pause_ms

    def open(self) -> None:
        """Open the loudspeaker, if it is not; raises DeviceError."""
        with self._opening:
            if self._loudspeaker is not None or self._closed:
                return
            self._loudspeaker = sounding(self._opener(), self.fill, self._gone)

    def play(self, reply: str, pcm: bytes) -> None:
        """Play a reply behind those that wait; it fails at once where no loudspeaker can be had."""
        try:
            self.open()
        except DeviceError as error:
            self._heard.ended(reply, 0, PlaybackEnd.FAILED, str(error), stamp(self._clock))
            self._heard.quiet()
            return
        with self._lock:
            self._silence = None
            self._waiting.append(_Sound(reply, pcm))

    def stop(self) -> None:
        """Be silent; what is being played and what waits is interrupted."""
        with self._lock:
            stopped = [*([self._now] if self._now else []), *self._waiting]
            self._now, self._silence = None, None
            self._waiting.clear()
        at, unheard = stamp(self._clock), self._delay
        for sound in stopped:
            samples = min(sound.samples, max(0, sound.given + sound.beyond - unheard))
            self._heard.ended(sound.reply, samples, PlaybackEnd.INTERRUPTED, "", at)
        self._heard.quiet()

    def close(self) -> None:
        """Interrupt what is played and give the loudspeaker back; closing twice does no harm."""
        self._closed = True
        if self._now is not None or self._waiting:
            self.stop()
        with self._opening:
            loudspeaker, self._loudspeaker = self._loudspeaker, None
        if loudspeaker is not None:
            loudspeaker.close()

    def fill(self, count: int) -> bytes:
        """The loudspeaker's next `count` samples."""
        parts, left = list[bytes](), count
        while left:
            with self._lock:
                if self._now is None and self._waiting:
                    self._now = self._waiting.popleft()
                sound = self._now
            if sound is None:
                self._be_quiet(left)
                parts.append(bytes(left * WIDTH))
                break
            piece, left = self._next(sound, left)
            parts.append(piece)
        return b"".join(parts)

    @property
    def _delay(self) -> int:
        """Samples that were given to the device and have not been heard."""
        device = self._loudspeaker
        return device.latency_ns * device.rate // SECOND if device is not None else 0

    def _next(self, sound: _Sound, left: int) -> tuple[bytes, int]:
        """The next piece of a reply, or of the silence in which its end is still to be heard; and how much is left to fill."""
        if sound.given < sound.samples:
            if not sound.given:
                self._heard.began(sound.reply, stamp(self._clock))
            piece = sound.pcm[sound.given * WIDTH : (sound.given + left) * WIDTH]
            sound.given += len(piece) // WIDTH
            return piece, left - len(piece) // WIDTH
        silence = min(left, max(0, self._delay - sound.beyond))
        sound.beyond += silence
        if sound.beyond >= self._delay:
            with self._lock:
                over = self._now is sound
                if over:
                    self._now, self._silence = None, 0
            if over:
                at = stamp(self._clock)
                self._over_at = at.mono
                self._heard.ended(sound.reply, sound.samples, PlaybackEnd.ENDED, "", at)
        return bytes(silence * WIDTH), left - silence

    def _be_quiet(self, count: int) -> None:
        with self._lock:
            if self._silence is None or self._loudspeaker is None:
                return
            self._silence += count
            if self._silence < self._pause_ms * self._loudspeaker.rate // 1000:
                return
            # A device that catches up after a stall asks for samples faster than time goes by.
            if self._clock.monotonic_ns() - self._over_at < self._pause_ms * MILLISECOND:
                return
            self._silence = None
        self._heard.quiet()

    def _gone(self, reason: str) -> None:
        """The device has stopped by itself; what it was to play is shown instead."""
        with self._lock:
            lost = [*([self._now] if self._now else []), *self._waiting]
            self._now = self._silence = self._loudspeaker = None
            self._waiting.clear()
        for sound in lost:
            self._heard.ended(sound.reply, sound.given, PlaybackEnd.FAILED, reason, stamp(self._clock))
        self._heard.quiet()
