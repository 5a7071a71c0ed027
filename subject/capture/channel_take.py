"""One channel of the take being recorded: writes its samples, detects faults in the sound, and passes copies on.

A disk that refuses costs nothing as long as it relents before the take ends: samples wait in memory and are tried again.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import numpy as np

from session.audio.devices import WIDTH
from session.values.vocabulary import AudioTrouble
from subject.capture.level_meter import LevelStretch, clipping, is_clipped, is_dead, silence
from subject.capture.take_file import ChannelEnd, SealedTake, TakeFile, TakeHeader

FRAMES_PER_SECOND = 50


class TroubleReport(Protocol):
    """Report of a channel on what is wrong with its sound."""

    def __call__(
        self, take: str, trouble: AudioTrouble, letter: str, at_sample: int, samples: int, detail: str
    ) -> None: ...


OnFrame = Callable[[str, str, int, bytes], None]
"""Receives a copy of the sound in pieces of at most 20 ms: take, channel's letter, number of the first sample, samples."""


class ChannelTake:
    """`count` samples so far; after `end`, complete as soon as it has `stop` of them."""

    def __init__(
        self, directory: Path, header: TakeHeader, report: TroubleReport, on_frame: OnFrame, silence_ms: int
    ) -> None:
        self.header = header
        self.count = 0
        self.stop: int | None = None
        self.overflows = 0
        self._released = 0
        self._file = TakeFile(directory, header)
        self._surplus = bytearray()
        self._report, self._on_frame = report, on_frame
        self._frame_bytes = header.rate // FRAMES_PER_SECOND * WIDTH
        self._clipping, self._silence = clipping(header.rate), silence(header.rate, silence_ms)
        self._refused = False

    @property
    def complete(self) -> bool:
        """Return whether every sample up to the end of the tail is in."""
        return self.stop is not None and self.count >= self.stop

    @property
    def tail(self) -> int:
        """Samples after the release."""
        return 0 if self.stop is None else max(0, min(self.count, self.stop) - self._released)

    def feed(self, data: bytes) -> None:
        """The next samples; those beyond the tail are kept aside until the take is sealed or goes on."""
        room = len(data) if self.stop is None else max(0, (self.stop - self.count) * WIDTH)
        self._surplus += data[room:]
        if data[:room]:
            self._record(data[:room])

    def end(self, released: int, tail: int) -> None:
        """The button went up at sample `released`; what is in already stays in. An end that turns out to lie later takes back
        what was kept aside, or the take would have a hole there."""
        self._released = max(0, released)
        self.stop = max(self.count, self._released + tail)
        self._take_back()

    def go_on(self) -> None:
        """Continue after all: what was kept aside belongs to the take."""
        self.stop = None
        self._take_back()

    def _take_back(self) -> None:
        surplus = bytes(self._surplus)
        self._surplus.clear()
        self.feed(surplus)

    def sync(self) -> None:
        """Have the disk hold everything; tries again what it refused."""
        self._write(self._file.sync)

    def seal(self, ending: ChannelEnd) -> tuple[SealedTake, bytes]:
        """Finish the file; gives it and the samples kept aside."""
        self._tell(AudioTrouble.CLIPPING, self._clipping.finish())
        self._tell(AudioTrouble.SILENCE, self._silence.finish())
        if self.stop is not None and self.count < self.stop:
            self._trouble(AudioTrouble.GAP, self.count, self.stop - self.count, "the stream ended before the tail did")
        try:
            sealed = self._file.seal(ending)
        except OSError as error:
            written, lost = self._file.written, self._file.waiting
            sealed = self._file.give_up(ending)
            self._trouble(AudioTrouble.DISK, written, lost, f"{_refusal(error)}: {lost} samples are lost")
        return sealed, bytes(self._surplus)

    def _record(self, data: bytes) -> None:
        samples = np.frombuffer(data, dtype="<i2").astype(np.int16, copy=False)
        self._tell(AudioTrouble.CLIPPING, self._clipping.feed(self.count, is_clipped(samples)))
        self._tell(AudioTrouble.SILENCE, self._silence.feed(self.count, is_dead(samples)))
        self._file.hold(data)
        if not self._refused:
            self._write(self._file.flush)
        self._hand_out(self.count, data)
        self.count += len(data) // WIDTH

    def _write(self, action: Callable[[], None]) -> None:
        try:
            action()
            self._refused = False
        except OSError as error:
            if not self._refused:
                detail = f"{_refusal(error)}; the sound waits in memory. Make room on the disk"
                self._trouble(AudioTrouble.DISK, self._file.written, self._file.waiting, detail)
            self._refused = True

    def _hand_out(self, first: int, data: bytes) -> None:
        """Copies of at most 20 ms, at once: waiting for a full frame would delay the ear."""
        for at in range(0, len(data), self._frame_bytes):
            self._on_frame(self.header.take, self.header.letter, first + at // WIDTH, data[at : at + self._frame_bytes])

    def _trouble(self, trouble: AudioTrouble, at_sample: int, samples: int, detail: str) -> None:
        self._report(self.header.take, trouble, self.header.letter, at_sample, samples, detail)

    def _tell(self, trouble: AudioTrouble, stretches: Iterator[LevelStretch]) -> None:
        for stretch in stretches:
            self._trouble(trouble, stretch.start, stretch.samples, "")


def _refusal(error: OSError) -> str:
    return f"the disk refuses the recording ({error.strerror or error})"
