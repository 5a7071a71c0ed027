"""pocketsphinx as a recogniser: offline as its wheel comes, with a dictionary and a language model made from the study.

Partial hypotheses come from decoding as the sound arrives. The final ones come from a second look at the whole utterance, whose
mean spectrum is known by then: that costs some 0.1 s for each second of speech, and words that the first look has lost come back.
Where an end-pointer waits for quiet, the second look is taken while it waits: after `QUIET_S` without speech, at what there is.
"""

import contextlib
import importlib
import itertools
import queue
import threading
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from operators.recognition.knowledge import Knowledge
from operators.recognition.recogniser import EngineTroubleError, MissingEngineError
from session.values.hypotheses import Hypothesis, WordTime, bounded
from session.values.vocabulary import OperatorTrouble

RATE = 16_000
FRAMES_PER_SECOND = 100
LONGEST_S = 300.0
"""Seconds of one utterance that are decoded: a microphone that was left open would hold up the session."""
_MOST_PATHS = 60
"""Paths of the lattice that are looked at for other hypotheses; most differ in their pauses alone."""
PARTIAL_EVERY = RATE // 4
QUIET_S = 0.45
"""So long after the last speech an utterance may be over; an end-pointer takes longer to believe it."""
FRAME_S = 0.03
VAD_RATES = (8_000, 16_000, 32_000, 48_000)
MOST_DECODERS = 8
"""Utterances that are decoded at once; each decoder takes some 11 MB."""
WAIT_S = 10.0
INSTALL = "`pip install 'curtain-woz[recogniser]'`"


def dictionary() -> Path:
    """Return the pronouncing dictionary that comes with pocketsphinx; raises MissingEngineError where that is not installed."""
    return _model_folder() / "cmudict-en-us.dict"


def _model_folder() -> Path:
    if find_spec("pocketsphinx") is None:
        raise MissingEngineError(f"the recogniser pocketsphinx is not installed: {INSTALL}")
    return Path(importlib.import_module("pocketsphinx").get_model_path()) / "en-us"


class PocketsphinxRecogniser:
    """Decoders of one model, one for each utterance under way; beyond `MOST_DECODERS` utterances wait for their final words."""

    name = "pocketsphinx"

    def __init__(self, knowledge: Knowledge) -> None:
        """Raises MissingEngineError where pocketsphinx is not installed or refuses the model."""
        folder = _model_folder()
        self.version = f"{version('pocketsphinx')} en-us {knowledge.sha256[:12]}"
        self._settings = {
            "hmm": str(folder / "en-us"), "lm": str(knowledge.model), "dict": str(knowledge.dictionary), "loglevel": "FATAL",
        }  # fmt: skip
        self._making = threading.Lock()
        self._made = 0
        self._free: queue.SimpleQueue[Any] = queue.SimpleQueue()
        try:
            self._free.put(self._new())
        except (RuntimeError, ValueError) as error:
            raise MissingEngineError(f"pocketsphinx refuses the model {knowledge.model}: {error}") from error

    def begin(self, rate: int, utterance: str = "") -> "PocketsphinxListening":
        return PocketsphinxListening(self, rate)

    def take(self, wait_s: float = 0.0) -> Any:
        """Return a decoder that nobody else uses until it is given back; None where there is none within `wait_s` seconds."""
        with contextlib.suppress(queue.Empty):
            return self._free.get_nowait()
        with self._making:
            if self._made < MOST_DECODERS:
                return self._new()
        try:
            return self._free.get(timeout=wait_s) if wait_s else None
        except queue.Empty:
            return None

    def give_back(self, decoder: Any) -> None:
        """Let the next utterance have a decoder."""
        self._free.put(decoder)

    def _new(self) -> Any:
        self._made += 1
        return importlib.import_module("pocketsphinx").Decoder(**self._settings)


class PocketsphinxListening:
    """One utterance: decoded as it comes for the partial hypotheses, and as a whole for the final ones."""

    def __init__(self, recogniser: PocketsphinxRecogniser, rate: int) -> None:
        if not 8_000 <= rate <= 48_000:
            raise EngineTroubleError(OperatorTrouble.ERROR, f"pocketsphinx cannot listen at {rate} Hz")
        self._recogniser, self._rate = recogniser, rate
        self._decoder = recogniser.take()
        self._whole = bytearray()
        self._waiting = bytearray()
        self._begun = False
        self._before = self._partial = ""
        self._quiet = Quiet(rate)
        self._looked_at, self._found = 0, tuple[Hypothesis, ...]()

    def hear(self, pcm: bytes) -> Hypothesis | None:
        if len(self._whole) > LONGEST_S * self._rate * 2:
            return None
        self._whole += pcm
        self._quiet.hear(self._whole)
        if (end := self._quiet.end) is not None and end != self._looked_at and self._decoder is not None:
            self._waiting.clear()
            self._look(self._decoder, end)
            self._before = self._found[0].text if self._found else ""
            return None
        if self._quiet.end is not None:
            return None  # nothing has been said since
        self._waiting += pcm
        if self._decoder is None or len(self._waiting) < PARTIAL_EVERY * 2 * self._rate // RATE:
            return None
        piece, self._waiting = bytes(self._waiting), bytearray()
        try:
            if not self._begun:
                _start(self._decoder)
                self._begun = True
            self._decoder.process_raw(at_rate(piece, self._rate))
            found = self._decoder.hyp()
        except RuntimeError as error:
            raise EngineTroubleError(OperatorTrouble.ERROR, f"pocketsphinx failed: {error}") from error
        text = f"{self._before} {_words(found.hypstr) if found is not None else ''}".strip()
        if text == self._partial:
            return None
        self._partial = text
        return Hypothesis(text)

    def finish(self) -> tuple[Hypothesis, ...]:
        decoder = self._decoder or self._recogniser.take(WAIT_S)
        if decoder is None:
            raise EngineTroubleError(OperatorTrouble.LATE, f"no decoder of pocketsphinx was free within {WAIT_S:g} s")
        self._decoder = decoder
        try:
            end = self._quiet.end or len(self._whole)
            if end != self._looked_at:
                self._look(decoder, end)
            return self._found
        finally:
            self.drop()

    def _look(self, decoder: Any, end: int) -> None:
        """Decode the first `end` bytes as a whole, which are the same however the sound was cut into pieces."""
        try:
            self._end_partials()
            self._found = _decoded(decoder, at_rate(bytes(self._whole[:end]), self._rate))
        except RuntimeError as error:
            raise EngineTroubleError(OperatorTrouble.ERROR, f"pocketsphinx failed: {error}") from error
        self._looked_at = end

    def drop(self) -> None:
        if self._decoder is not None:
            self._end_partials()
            self._recogniser.give_back(self._decoder)
            self._decoder = None

    def __del__(self) -> None:
        """Give the decoder back of an utterance that nobody ended: its session broke off."""
        with contextlib.suppress(AttributeError, RuntimeError):
            self.drop()

    def _end_partials(self) -> None:
        if self._begun:
            self._begun = False
            self._decoder.end_utt()


class Quiet:
    """A watch for the end of speech: `end` is the place in bytes `QUIET_S` after the last speech, None while somebody speaks, and
    before anybody has. The same for the same sound, in whatever pieces it comes."""

    def __init__(self, rate: int) -> None:
        self._vad: Any = None
        self._frame = self._wait = 0
        if rate in VAD_RATES:
            self._vad = importlib.import_module("pocketsphinx").Vad(sample_rate=rate, frame_length=FRAME_S)
            self._frame = int(self._vad.frame_bytes)
            self._wait = round(QUIET_S / FRAME_S) * self._frame
        self._known = self._last = 0

    def hear(self, whole: bytearray) -> None:
        """Take in what has come since."""
        while self._vad is not None and len(whole) - self._known >= self._frame:
            if self._vad.is_speech(bytes(whole[self._known : self._known + self._frame])):
                self._last = self._known + self._frame
            self._known += self._frame

    @property
    def end(self) -> int | None:
        over = self._last and self._known - self._last >= self._wait
        return self._last + self._wait if over else None


def _start(decoder: Any) -> None:
    """Begin again: from the mean spectrum of what it heard before, the decoder would never hear the same twice."""
    decoder.reinit_feat()
    decoder.start_utt()


def _decoded(decoder: Any, pcm: bytes) -> tuple[Hypothesis, ...]:
    """Decode a whole utterance."""
    _start(decoder)
    decoder.process_raw(pcm, full_utt=True)
    decoder.end_utt()
    found = decoder.hyp()
    if found is None or not _words(found.hypstr):
        return ()
    words = tuple(
        WordTime(
            _word(segment.word),
            segment.start_frame / FRAMES_PER_SECOND,
            (segment.end_frame + 1) / FRAMES_PER_SECOND,
            segment.prob,
        )
        for segment in decoder.seg()
        if not _is_filler(segment.word)
    )
    others = [_words(path.hypstr) for path in itertools.islice(decoder.nbest(), _MOST_PATHS)]
    sure = sum(word.confidence or 0.0 for word in words) / len(words) if words else 0.0
    return bounded([Hypothesis(_words(found.hypstr), sure, words), *(Hypothesis(text) for text in others if text)])


def at_rate(pcm: bytes, rate: int) -> bytes:
    """Return 16-bit sound of `rate` Hz at 16 kHz, means of neighbours where it has more samples than that."""
    if rate == RATE:
        return pcm
    samples = np.frombuffer(pcm[: len(pcm) // 2 * 2], dtype="<i2").astype(np.float64)
    if rate > RATE and len(samples):
        width = round(rate / RATE)
        samples = np.convolve(samples, np.ones(width) / width, mode="same")
    places = np.arange(0, len(samples) - 1, rate / RATE)
    return np.interp(places, np.arange(len(samples)), samples).astype("<i2").tobytes() if len(samples) else b""


def _words(text: str) -> str:
    return " ".join(_word(word) for word in text.split() if not _is_filler(word))


def _word(text: str) -> str:
    return text.partition("(")[0]


def _is_filler(word: str) -> bool:
    return word.startswith(("<", "[", "+"))
