"""Sound of one utterance as pocketsphinx follows it: its pieces at 16 kHz, how much of it was speech, when it may be over.

All of it is the same for the same sound, in whatever chunks that comes: the words depend on it.
"""

import importlib
import math
from typing import Any

import numpy as np

RATE = 16_000
PIECE = RATE // 4
"""Samples that are decoded at a time; a partial hypothesis may come after each."""
QUIET_S = 0.45
"""So long after the last speech an utterance may be over; an end-pointer takes longer to believe it."""
ENOUGH_S = 0.5
"""Seconds of speech after which its mean spectrum is known for the first time; again after twice as much, up to `MOST_S`."""
MOST_S = 4.0
"""Seconds of speech whose mean spectrum is that of the voice: more changes nothing, and costs a look at all there is."""
PAUSE_S = 0.15
"""So long after the last speech is the time to begin again: before an utterance may be over this is done."""
SHARE = 0.8
"""Share of an utterance whose mean spectrum stands for that of all; speech is louder at its beginning than at its end."""
FRAME_S = 0.03
VAD_RATES = (8_000, 16_000, 32_000, 48_000)


class UtteranceSound:
    """The sound so far, of 16 bits at `rate`. `end` is the place in bytes `QUIET_S` after the last speech, None while somebody
    speaks, and before anybody has; `known` the place up to which the mean spectrum is to be taken, 0 before there is enough."""

    def __init__(self, rate: int) -> None:
        self.rate = rate
        self.whole = bytearray()
        self.known = 0
        self._vad: Any = None
        if rate in VAD_RATES:
            self._vad = importlib.import_module("pocketsphinx").Vad(sample_rate=rate, frame_length=FRAME_S)
        self._frame = 2 * round(rate * FRAME_S)
        self._wait = round(QUIET_S / FRAME_S) * self._frame
        self._seen = self._last = self._speech = 0
        self._pause = round(PAUSE_S / FRAME_S) * self._frame
        self._enough = round(ENOUGH_S / FRAME_S) * self._frame
        self._most = round(MOST_S / ENOUGH_S) * self._enough

    def hear(self, pcm: bytes) -> None:
        """Take in the next chunk."""
        self.whole += pcm
        while len(self.whole) - self._seen >= self._frame:
            frame = bytes(self.whole[self._seen : self._seen + self._frame])
            self._seen += self._frame
            if self._vad is None or self._vad.is_speech(frame):
                self._last = self._seen
                self._speech += self._frame
            self._look_at_mean()

    def _look_at_mean(self) -> None:
        """Take the mean again after twice as much speech, and in a pause that may be the end if it was taken of too little."""
        if self._enough > self._most:
            return
        if self._speech >= self._enough:
            self.known, self._enough = self._seen, 2 * self._enough
        elif self.known and self._seen - self._last == self._pause and self.known < SHARE * self._last:
            self.known = self._seen

    @property
    def end(self) -> int | None:
        over = self._vad is not None and self._last and self._seen - self._last >= self._wait
        return self._last + self._wait if over else None

    def piece(self, number: int, end: int | None = None) -> bytes:
        """Return piece `number` of the first `end` bytes at 16 kHz, the last one as long as it is; without an end, nothing until
        what comes later can change it no more."""
        first = number * PIECE
        if self.rate == RATE:
            last = 2 * (first + PIECE)
            return (
                bytes(self.whole[2 * first : last if end is None else min(last, end)])
                if self._is_here(last, end)
                else b""
            )
        step, width = self.rate / RATE, max(1, round(self.rate / RATE))
        needed = math.ceil((first + PIECE) * step) + width + 1
        if not self._is_here(2 * needed, end):
            return b""
        there = len(self.whole) // 2 if end is None else end // 2
        last = min(first + PIECE, math.ceil((there - 1) * RATE / self.rate))
        if last <= first:
            return b""
        begin = max(0, math.floor(first * step) - width)
        return at_rate(
            bytes(self.whole[2 * begin : 2 * min(needed, there)]), self.rate, first * step - begin, last - first
        )

    def _is_here(self, needed: int, end: int | None) -> bool:
        return end is not None or needed <= len(self.whole)

    def until(self, end: int) -> bytes:
        """Return the first `end` bytes at 16 kHz."""
        pieces, number = list[bytes](), 0
        while piece := self.piece(number, end):
            pieces.append(piece)
            number += 1
        return b"".join(pieces)


def at_rate(pcm: bytes, rate: int, first: float, count: int) -> bytes:
    """Return `count` samples at 16 kHz of 16-bit sound of `rate` Hz from the place `first` on, means of neighbours where it has
    more samples than that."""
    samples = np.frombuffer(pcm, dtype="<i2").astype(np.float64)
    if rate > RATE:
        width = round(rate / RATE)
        samples = np.convolve(samples, np.ones(width) / width, mode="same")
    places = first + np.arange(count) * (rate / RATE)
    return bytes(np.interp(places, np.arange(len(samples)), samples).astype("<i2"))
