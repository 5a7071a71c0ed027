"""pocketsphinx as a recogniser: offline as its wheel comes, with a dictionary and a language model made from the study.

It decodes as the sound arrives. What a decoder takes for the mean spectrum of a voice and its microphone decides on many words,
and is not known beforehand: decoding begins again after half a second of speech, after one, two and four, and in a pause that may
be the end, each time with the mean of what there is. The end costs the second pass alone, some 0.04 s of processor time for each
second of speech. Where an end-pointer waits for quiet, it is made while that waits.
"""

import contextlib
import importlib
import itertools
import queue
import threading
from collections.abc import Iterator
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from operators.recognition.knowledge import Knowledge
from operators.recognition.recogniser import EngineTroubleError, MissingEngineError
from operators.recognition.utterance_sound import UtteranceSound
from session.values.hypotheses import Hypothesis, WordTime, bounded
from session.values.vocabulary import OperatorTrouble

FRAMES_PER_SECOND = 100
LONGEST_S = 300.0
"""Seconds of one utterance that are decoded: a microphone that was left open would hold up the session."""
_SPOTTING = "spotting"
"""The name of a search that costs next to nothing, for sound of which only the mean spectrum is wanted."""
_MOST_PATHS = 60
"""Paths of the lattice that are looked at for other hypotheses; most differ in their pauses alone."""
MOST_DECODERS = 8
"""Utterances that are decoded at once; each decoder takes some 11 MB."""
WAIT_S = 10.0
INSTALL = "`pip install 'curtain-woz[recogniser]'`"


def dictionary() -> Path:
    """Return the pronouncing dictionary that comes with pocketsphinx; raises MissingEngineError if that is not installed."""
    return _model_folder() / "cmudict-en-us.dict"


def _model_folder() -> Path:
    if find_spec("pocketsphinx") is None:
        raise MissingEngineError(f"the recogniser pocketsphinx is not installed: {INSTALL}")
    return Path(importlib.import_module("pocketsphinx").get_model_path()) / "en-us"


class PocketsphinxRecogniser:
    """Decoders of one model, one for each utterance under way; beyond `MOST_DECODERS` utterances wait for their final words."""

    name = "pocketsphinx"

    def __init__(self, knowledge: Knowledge) -> None:
        """Raises MissingEngineError if pocketsphinx is not installed or refuses the model."""
        folder = _model_folder()
        self.version = f"{version('pocketsphinx')} en-us {knowledge.sha256[:12]}"
        self._settings = {
            "hmm": str(folder / "en-us"), "lm": str(knowledge.model), "dict": str(knowledge.dictionary), "loglevel": "FATAL",
        }  # fmt: skip
        with knowledge.dictionary.open(encoding="utf-8") as words:
            self._a_word = next(words, "").partition(" ")[0]
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
        """Return a decoder for exclusive use until it is given back; None if there is none within `wait_s` seconds."""
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
        decoder = importlib.import_module("pocketsphinx").Decoder(**self._settings)
        decoder.add_keyphrase(_SPOTTING, self._a_word)
        return decoder


class PocketsphinxListening:
    """One utterance, decoded as it comes; what is left when it is over is the second pass over its words."""

    def __init__(self, recogniser: PocketsphinxRecogniser, rate: int) -> None:
        if not 8_000 <= rate <= 48_000:
            raise EngineTroubleError(OperatorTrouble.ERROR, f"pocketsphinx cannot listen at {rate} Hz")
        self._recogniser = recogniser
        self._decoder = recogniser.take()
        self._sound = UtteranceSound(rate)
        self._pieces = self._mean_until = 0
        self._is_begun = False
        self._partial = ""
        self._looked_at, self._found = 0, tuple[Hypothesis, ...]()

    def hear(self, pcm: bytes) -> Hypothesis | None:
        sound = self._sound
        if len(sound.whole) > LONGEST_S * sound.rate * 2:
            return None
        sound.hear(pcm)
        if self._decoder is None:
            return None
        if (end := sound.end) is not None:  # nothing has been said since
            if end != self._looked_at:
                self._look(self._decoder, end)
            return None
        with _failing():
            return self._go_on(self._decoder)

    def finish(self) -> tuple[Hypothesis, ...]:
        decoder = self._decoder or self._recogniser.take(WAIT_S)
        if decoder is None:
            raise EngineTroubleError(OperatorTrouble.LATE, f"no decoder of pocketsphinx was free within {WAIT_S:g} s")
        self._decoder = decoder
        try:
            end = self._sound.end or len(self._sound.whole)
            if end != self._looked_at:
                self._look(decoder, end)
            return self._found
        finally:
            self.drop()

    def _go_on(self, decoder: Any) -> Hypothesis | None:
        """Decode what has come, from the beginning where more is known of its mean spectrum or speech went on behind a pause."""
        known = self._sound.known
        if known and (known != self._mean_until or not self._is_begun):
            self._begin(decoder, known)
        before = self._pieces
        while self._is_begun and (piece := self._sound.piece(self._pieces)):
            self._feed(decoder, piece)
        if self._pieces == before:
            return None
        found = decoder.hyp()
        text = _words(found.hypstr) if found is not None else ""
        if text == self._partial:
            return None
        self._partial = text
        return Hypothesis(text)

    def _begin(self, decoder: Any, mean_until: int) -> None:
        self._end()
        mean = _mean(decoder, self._sound.until(mean_until))
        decoder.reinit_feat()
        if mean:
            decoder.set_cmn(mean)
        decoder.start_utt()
        self._is_begun, self._mean_until, self._pieces = True, mean_until, 0

    def _feed(self, decoder: Any, piece: bytes) -> None:
        decoder.process_raw(piece)
        self._pieces += 1

    def _look(self, decoder: Any, end: int) -> None:
        """Have the words of the first `end` bytes; after a word or two their mean spectrum is that of all of it."""
        with _failing():
            mean_until = self._sound.known or end
            if not self._is_begun or mean_until != self._mean_until:
                self._begin(decoder, mean_until)
            while piece := self._sound.piece(self._pieces, end):
                self._feed(decoder, piece)
            self._end()
            self._found = _hypotheses(decoder)
        self._looked_at = end

    def drop(self) -> None:
        if self._decoder is not None:
            self._end()
            self._recogniser.give_back(self._decoder)
            self._decoder = None

    def __del__(self) -> None:
        """Give back the decoder of an unfinished utterance whose session broke off."""
        with contextlib.suppress(AttributeError, RuntimeError):
            self.drop()

    def _end(self) -> None:
        if self._is_begun:
            self._is_begun = False
            self._decoder.end_utt()


@contextlib.contextmanager
def _failing() -> Iterator[None]:
    try:
        yield
    except RuntimeError as error:
        raise EngineTroubleError(OperatorTrouble.ERROR, f"pocketsphinx failed: {error}") from error


def _mean(decoder: Any, pcm: bytes) -> str:
    """The mean spectrum of sound; empty if there is none. The decoder's own would be mostly that of what it heard before."""
    decoder.activate_search(_SPOTTING)
    try:
        decoder.reinit_feat()
        decoder.start_utt()
        decoder.process_raw(pcm, no_search=True, full_utt=True)
        mean = str(decoder.get_cmn())
        decoder.end_utt()
    finally:
        decoder.activate_search()
    return "" if "nan" in mean or "inf" in mean else mean


def _hypotheses(decoder: Any) -> tuple[Hypothesis, ...]:
    """Return what a decoder understood of the utterance that it has ended."""
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


def _words(text: str) -> str:
    return " ".join(_word(word) for word in text.split() if not _is_filler(word))


def _word(text: str) -> str:
    return text.partition("(")[0]


def _is_filler(word: str) -> bool:
    return word.startswith(("<", "[", "+"))
