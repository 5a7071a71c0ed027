"""Three seconds of a microphone before a session: is anyone there, how loud, how noisy, does it clip?

What people hear about too late: a muted headset, a gain at the stop, a fan beside the table-top microphone. Nothing is
written to disk, and what was heard is forgotten as soon as it has been played back.
"""

import threading
from collections.abc import Callable, Iterator

import msgspec
import numpy as np
import numpy.typing as npt

from session.audio.devices import Loudspeaker, Microphone
from subject.capture.level_meter import Samples, is_clipped, is_dead

_FULL = 32_768
_STEP_MS = 20


class Check(msgspec.Struct, frozen=True):
    """Peak, level of the loudest and of the quietest tenth (dB below full scale), clipped samples, samples lost by overflow."""

    name: str
    seconds: float
    peak_db: float
    speech_db: float
    noise_db: float
    clipped: int
    overflows: int
    dead: bool

    def problems(self) -> Iterator[str]:
        """Yield what is wrong, each with its remedy; nothing if the microphone can be used."""
        if not self.seconds:
            yield f"{self.name}: gives no sound at all; plug it in again, or close the program that uses it"
        elif self.dead:
            yield f"{self.name}: is muted or broken; look for a switch on its cable and for the mute of the mixer"
        if self.clipped:
            yield f"{self.name}: {self.clipped} samples are clipped; turn the gain down until the peak stays below -6 dB"
        elif self.seconds and not self.dead and self.peak_db < -30:
            yield f"{self.name}: too faint (peak {self.peak_db:.0f} dB); speak, turn the gain up, or come nearer"
        if self.seconds and not self.dead and self.speech_db - self.noise_db < 15 and self.peak_db >= -30:
            yield (
                f"{self.name}: speech is only {self.speech_db - self.noise_db:.0f} dB above the noise; "
                "look for a fan or move the microphone nearer; or there was no speech"
            )
        if self.overflows:
            yield f"{self.name}: {self.overflows} overflows; close other programs, or use a larger block"


def judge(name: str, samples: Samples, rate: int, overflows: int = 0) -> Check:
    """Judge the microphone by `samples`, shaped (n,) or (n, channels); of several channels the worst counts."""
    if not len(samples):
        return Check(name, 0.0, -np.inf, -np.inf, -np.inf, 0, overflows, True)
    columns = samples.reshape(len(samples), -1)
    step = rate * _STEP_MS // 1000
    levels = [np.sort(_levels(columns[:, column], step)) for column in range(columns.shape[1])]
    tenth = max(1, len(levels[0]) // 10)
    return Check(
        name,
        len(columns) / rate,
        peak_db=min(
            _db(float(np.abs(columns[:, column].astype(np.int32)).max())) for column in range(columns.shape[1])
        ),
        speech_db=min(_db(float(level[-tenth:].mean())) for level in levels),
        noise_db=max(_db(float(level[:tenth].mean())) for level in levels),
        clipped=int(is_clipped(columns).sum()),
        overflows=overflows,
        dead=any(bool(is_dead(columns[:, column]).all()) for column in range(columns.shape[1])),
    )


def _levels(samples: Samples, step: int) -> npt.NDArray[np.float64]:
    whole = samples[: max(1, len(samples) // step) * step].astype(np.float64)
    levels: npt.NDArray[np.float64] = np.sqrt(np.mean(whole.reshape(-1, min(step, len(whole))) ** 2, axis=1))
    return levels


def _db(value: float) -> float:
    return float(20 * np.log10(max(value, 0.1) / _FULL))


def listen(microphone: Microphone, seconds: float = 3.0, patience: float = 5.0) -> tuple[Samples, int]:
    """So many seconds of the microphone, shaped (n, channels), and its overflows; less if it gives no more in time.

    Closes the microphone. Raises `DeviceError` if it cannot be started.
    """
    wanted = int(seconds * microphone.rate)
    blocks: list[bytes] = []
    count = overflows = 0
    enough = threading.Event()

    def on_block(data: bytes, frames: int, overflowed: bool, captured_ns: int | None) -> None:
        nonlocal count, overflows
        blocks.append(data)
        count += frames
        overflows += overflowed
        if count >= wanted:
            enough.set()

    try:
        microphone.start(on_block, lambda reason: enough.set())
        enough.wait(seconds + patience)
    finally:
        microphone.close()
    samples: Samples = np.frombuffer(b"".join(blocks), dtype="<i2").astype(np.int16).reshape(-1, microphone.channels)
    return samples[:wanted], overflows


def play(loudspeaker: Loudspeaker, samples: Samples, finished: Callable[[], None]) -> None:
    """Begin to play one channel; `finished` is called in the device's thread when all was given to it."""
    at = 0

    def fill(count: int) -> bytes:
        nonlocal at
        piece = samples[at : at + count]
        if len(samples) <= at < len(samples) + count:
            finished()
        at += count
        return np.pad(piece, (0, count - len(piece))).astype("<i2").tobytes()

    loudspeaker.start(fill, lambda reason: finished())
