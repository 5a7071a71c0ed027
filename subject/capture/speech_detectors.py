"""The end-pointers that people install, adapted to `subject.capture.endpointer.SpeechDetector`."""

import importlib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from session.audio.devices import WIDTH, DeviceError
from session.study.extras import INSTALL_ENDPOINTER, endpointer
from subject.capture.endpointer import SpeechDetector

PAUSE_S = 0.8
"""So much quiet ends an utterance."""

RATES = (8_000, 16_000, 32_000, 48_000)


class MissingDetectorError(DeviceError):
    """No end-pointer is installed, or none for this rate; the message says what to do."""


def detector(rate: int) -> SpeechDetector:
    """A fresh detector for sound of `rate` Hz, Silero's where it is installed; raises MissingDetectorError."""
    if rate not in RATES:
        raise MissingDetectorError(
            f"no end-pointer works at {rate} Hz: set `rate` of the primary microphone to one of {', '.join(map(str, RATES))}"
        )
    match endpointer():
        case "silero":
            return SileroDetector(rate)
        case "pocketsphinx":
            return PocketsphinxDetector(rate)
        case _:
            raise MissingDetectorError(f"end-pointed recording needs an end-pointer: {INSTALL_ENDPOINTER}")


class PocketsphinxDetector:
    """The end-pointer that comes with pocketsphinx; `pause_s` of quiet end speech. Right within about 0.2 s at signal-to-noise
    ratios of 15 dB and more."""

    name = "pocketsphinx"

    def __init__(self, rate: int, pause_s: float = PAUSE_S) -> None:
        self._endpointer = importlib.import_module("pocketsphinx").Endpointer(window=pause_s, sample_rate=rate)
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


class SileroDetector:
    """Silero's voice activity detector (MIT licence; github.com/snakers4/silero-vad), run from its ONNX file.

    The package's own code needs torch; its model does not, so only the file is taken from it: `pip install onnxruntime` and
    `pip install --no-deps silero-vad`. Of 32 ms at 16 kHz (and of as many samples at 8 kHz as half of that) the model gives
    the probability of speech; speech begins at `threshold`, and is over after `pause_s` below `threshold - 0.15`, the
    hysteresis of the package's own iterator. The model needs the end of the frame before in front of each.
    """

    name = "silero"

    def __init__(self, rate: int, pause_s: float = PAUSE_S, threshold: float = 0.5) -> None:
        self._session = _silero_session()
        self._step = max(1, rate // 16_000)
        self._rate = rate // self._step
        self._samples = 512 if self._rate == 16_000 else 256
        self.frame_bytes = self._samples * self._step * WIDTH
        self._context = np.zeros((1, self._samples // 8), dtype=np.float32)
        self._state = np.zeros((2, 1, 128), dtype=np.float32)
        self._threshold, self._pause = threshold, round(pause_s * self._rate)
        self._known = self._last = 0
        self._heard = False

    @property
    def heard(self) -> bool:
        return self._heard

    def feed(self, frame: bytes) -> float | None:
        samples = np.frombuffer(frame, dtype="<i2")[:: self._step].astype(np.float32) / np.float32(32_768)
        probability = self._probability(samples.reshape(1, -1))
        self._known += self._samples
        if probability >= self._threshold:
            self._heard = True
        if self._heard and probability >= self._threshold - 0.15:
            self._last = self._known
        return self._last / self._rate if self._heard and self._known - self._last >= self._pause else None

    def _probability(self, samples: npt.NDArray[np.float32]) -> float:
        whole = np.concatenate([self._context, samples], axis=1)
        given = {"input": whole, "state": self._state, "sr": np.array(self._rate, dtype=np.int64)}
        found, self._state = self._session.run(None, given)
        self._context = whole[:, -self._context.shape[1] :]
        return float(found[0, 0])


def _silero_session() -> Any:
    onnxruntime = importlib.import_module("onnxruntime")
    package = find_spec("silero_vad")
    folders = package.submodule_search_locations if package is not None else None
    path = Path(next(iter(folders or ("",)))) / "data" / "silero_vad.onnx"
    if not path.is_file():
        raise MissingDetectorError(
            f"{path}: this version of silero-vad brings no such model; `pip install -U silero-vad`"
        )
    options = onnxruntime.SessionOptions()
    options.inter_op_num_threads = options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(str(path), sess_options=options, providers=["CPUExecutionProvider"])
