"""Ends a take by itself when the subject has stopped speaking (SRI 1992: click to talk, the system decides the end).

The decision is made on the copies of the sound that the recorder hands out, in a thread of its own, so it can cost no sample and
delay none; how long after the end of speech it came is part of what it reports. What hears speech is an extra, see
`subject.capture.speech_detectors`.
"""

import os
import queue
import threading
from collections.abc import Callable
from typing import Protocol

import msgspec

from session.audio.devices import WIDTH
from session.events import EndPointed
from session.values.clock import Stamp
from subject.ports import RecorderPort


class SpeechDetector(Protocol):
    """Told about frames of `frame_bytes` in their order, says whether there is speech; one for each take."""

    @property
    def name(self) -> str: ...

    @property
    def frame_bytes(self) -> int: ...

    @property
    def heard(self) -> bool:
        """Return whether there has been any speech."""

    def feed(self, frame: bytes) -> float | None:
        """Seconds from the first frame to the end of speech, at the frame that shows that it is over; None before."""


class Decision(msgspec.Struct, frozen=True):
    """The take is over. `last_speech` is the number of the sample after which nothing was said, `decided_at` that of the last
    sample known when this was found; without any speech `last_speech` is None."""

    take: str
    last_speech: int | None
    decided_at: int
    rate: int
    detector: str

    @property
    def why(self) -> str:
        """For the log: the reason and the time that the decision took."""
        if self.last_speech is None:
            return f"no speech within {self.decided_at / self.rate:.1f} s"
        return f"end of speech, found after {(self.decided_at - self.last_speech) / self.rate:.2f} s"

    def as_fact(self, at: Stamp) -> EndPointed:
        """The fact to report."""
        return EndPointed(
            at=at,
            take=self.take,
            decided_at=self.decided_at,
            rate=self.rate,
            speech_end=self.last_speech,
            detector=self.detector,
        )


class EndPointer:
    """Follows one take at a time; give it every frame of the primary channel (the recorder's `on_frame`).

    `detector` makes a fresh detector for a take. `decided` is called once a take, in the thread that brings the frames. Without
    any speech it is called after `patience_s`. `follow` has a take looked at again, from its next frame on: it has been pressed,
    for the first time or again within its tail.
    """

    def __init__(
        self,
        detector: Callable[[], SpeechDetector],
        rate: int,
        decided: Callable[[Decision], None],
        *,
        letter: str = "s",
        patience_s: float = 8.0,
    ) -> None:
        self._make, self._rate, self._decided, self._letter = detector, rate, decided, letter
        self._patience = int(patience_s * rate)
        self._take = ""
        self._done = True
        self._detector: SpeechDetector | None = None
        self._rest = bytearray()
        self._first = self._known = 0

    def follow(self) -> None:
        """The button went down: start again with the next frame."""
        self._take = ""

    def frame(self, take: str, letter: str, first: int, pcm: bytes) -> None:
        """A piece of a take."""
        if letter != self._letter:
            return
        if take != self._take:
            self._begin(take, first)
        if self._done or self._detector is None:
            return
        self._rest += pcm
        while len(self._rest) >= self._detector.frame_bytes and not self._done:
            frame = bytes(self._rest[: self._detector.frame_bytes])
            del self._rest[: len(frame)]
            self._follow(self._detector, frame)

    def _begin(self, take: str, first: int) -> None:
        self._take, self._done, self._detector = take, False, self._make()
        self._first = self._known = first
        self._rest.clear()

    def _follow(self, detector: SpeechDetector, frame: bytes) -> None:
        self._known += len(frame) // WIDTH
        ended = detector.feed(frame)
        if ended is not None:
            self._end(detector, self._first + round(ended * self._rate))
        elif not detector.heard and self._known - self._first >= self._patience:
            self._end(detector, None)

    def _end(self, detector: SpeechDetector, last_speech: int | None) -> None:
        self._done = True
        self._decided(Decision(self._take, last_speech, self._known, self._rate, detector.name))


def log_no_end(why: str) -> None:
    """Tell the desk's log why no end of speech is found; a participant cannot mend it, and is told only what to do now."""
    os.write(2, f"The end of speech is not looked for any more: {why}\n".encode())


class EndPointing:
    """A recorder whose takes an end-pointer follows in a thread of its own; give its `frame` what the recorder hands out.

    `failed` is called, in that thread and once, when the end-pointer itself fails: takes then end as the subject ends them.
    Why it did goes to file descriptor 2, which is a desk's log.
    """

    def __init__(self, recorder: RecorderPort, pointer: EndPointer, failed: Callable[[], None]) -> None:
        self._recorder, self._pointer, self._failed = recorder, pointer, failed
        self._queue: queue.SimpleQueue[tuple[str, str, int, bytes] | str | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="end-pointer", daemon=True)
        self._thread.start()

    def open(self) -> None:
        """The recorder's own."""
        self._recorder.open()

    def press(self, take: str, at: Stamp) -> str:
        """Begin a take, or continue with one in its tail, and listen for its end."""
        current = self._recorder.press(take, at)
        self.follow(current)
        return current

    def follow(self, take: str) -> None:
        """A take was begun, or is gone on with: its end is looked for from its next frame on."""
        self._queue.put(take)

    def release(self, take: str, at: Stamp, *, tail: bool = True) -> None:
        """The recorder's own."""
        self._recorder.release(take, at, tail=tail)

    def discard(self, take: str) -> None:
        """The recorder's own."""
        self._recorder.discard(take)

    def frame(self, take: str, letter: str, first: int, pcm: bytes) -> None:
        """A piece of a take; any thread may bring it, and it is only queued."""
        self._queue.put((take, letter, first, pcm))

    def close(self) -> None:
        """End the thread; what still waits is looked at first."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (item := self._queue.get()) is not None:
            try:
                self._pointer.follow() if isinstance(item, str) else self._pointer.frame(*item)
            except Exception as error:  # noqa: BLE001 – whatever a detector does, the take must go on to be recorded
                log_no_end(f"{type(error).__name__}: {error}")
                self._failed()
                return
