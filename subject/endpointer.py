"""Ends a take by itself when the subject has stopped speaking (SRI 1992: click to talk, the system decides the end).

The decision is made on the copies of the sound that the recorder hands out, so it can cost no sample; how long after the end
of speech it came is part of what it reports. The detector is an extra: whichever is installed is adapted to `SpeechDetector`.
"""

import importlib
from collections.abc import Callable
from typing import Protocol

import msgspec

from session.audio import WIDTH


class SpeechDetector(Protocol):
    """Told about frames of `frame_bytes` in their order, says whether there is speech; one for each take."""

    @property
    def frame_bytes(self) -> int: ...

    @property
    def heard(self) -> bool:
        """Whether there has been any speech."""

    def feed(self, frame: bytes) -> float | None:
        """Seconds from the first frame to the end of speech, at the frame that shows that it is over; None before."""


class Decision(msgspec.Struct, frozen=True):
    """The take is over. `last_speech` is the number of the sample after which nothing was said, `decided_at` that of the last
    sample known when this was found; without any speech `last_speech` is None."""

    take: str
    last_speech: int | None
    decided_at: int
    rate: int

    @property
    def why(self) -> str:
        """For the log: the reason and the time that the decision took."""
        if self.last_speech is None:
            return f"no speech within {self.decided_at / self.rate:.1f} s"
        return f"end of speech, found after {(self.decided_at - self.last_speech) / self.rate:.2f} s"


class MissingDetectorError(Exception):
    """No detector is installed; the message says what to type."""


class PocketsphinxDetector:
    """The end-pointer that comes with pocketsphinx; `pause_s` of quiet end speech. Right within about 0.2 s at signal-to-noise
    ratios of 15 dB and more."""

    def __init__(self, rate: int, pause_s: float = 0.8) -> None:
        try:
            pocketsphinx = importlib.import_module("pocketsphinx")
        except ImportError as error:
            raise MissingDetectorError(
                "end-pointed recording needs the recogniser extra: `pip install 'curtain-woz[recogniser]'`, "
                "or choose hold or press in the profile"
            ) from error
        self._endpointer = pocketsphinx.Endpointer(window=pause_s, sample_rate=rate)
        self.frame_bytes: int = self._endpointer.frame_bytes
        self._heard = False

    @property
    def heard(self) -> bool:
        return self._heard

    def feed(self, frame: bytes) -> float | None:
        before = self._endpointer.in_speech
        self._endpointer.process(frame)
        self._heard = self._heard or bool(self._endpointer.in_speech)
        ended = before and not self._endpointer.in_speech
        return float(self._endpointer.speech_end) if ended else None


class EndPointer:
    """Follows one take at a time; give it every frame of the primary channel (the recorder's `on_frame`).

    `detector` makes a fresh detector for a take. `decided` is called once a take, in the thread that brings the frames: release
    the recorder there. Without any speech it is called after `patience_s`.
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
            self._end(self._first + round(ended * self._rate))
        elif not detector.heard and self._known - self._first >= self._patience:
            self._end(None)

    def _end(self, last_speech: int | None) -> None:
        self._done = True
        self._decided(Decision(self._take, last_speech, self._known, self._rate))
