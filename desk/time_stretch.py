"""Time stretching: slower or faster speech at the same pitch, to understand a mumbled word.

Waveform-similarity overlap-add (Verhelst and Roelands, ICASSP 1993): windows of 30 ms are laid over each other at half
their length; each is taken near its nominal place, where it continues the previous one best.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

Samples = npt.NDArray[np.int16]
Floats = npt.NDArray[np.float32]

SLOWEST, QUICKEST = 0.4, 8.0
"""Above 3 few words can be followed; what is heard still tells who speaks, and when."""


def stretched(samples: Samples, speed: float, rate: int) -> Iterator[Samples]:
    """`samples` at `speed` (0.7: lasts 1 / 0.7 times as long), in pieces of 15 ms; raises ValueError beyond 0.4 to 8.

    Speed 1 gives the samples themselves. The last piece may be shorter.
    """
    if not SLOWEST <= speed <= QUICKEST:
        raise ValueError(f"speed {speed}: {SLOWEST} to {QUICKEST}")
    hop = rate * 15 // 1000
    if speed == 1.0 or len(samples) < 4 * hop:
        return (samples[at : at + hop] for at in range(0, len(samples), hop))
    return _overlapped(samples, speed, hop, rate * 8 // 1000)


def at_rate(samples: Samples, rate: int, other: int) -> Samples:
    """Samples taken at `rate` as they are for a device that plays `other` a second, by linear interpolation."""
    if rate == other or not len(samples):
        return samples
    places = np.arange(0, len(samples), rate / other)
    found: Samples = np.rint(np.interp(places, np.arange(len(samples)), samples)).astype(np.int16)
    return found


def _overlapped(samples: Samples, speed: float, hop: int, reach: int) -> Iterator[Samples]:
    window = np.hanning(2 * hop + 1)[:-1].astype(np.float32)
    sound = np.concatenate([samples, np.zeros(3 * hop + reach, np.int16)]).astype(np.float32)
    pieces = round(len(samples) / speed / hop)
    at = 0
    yield samples[:hop]
    rest: Floats = sound[hop : 2 * hop] * window[hop:]
    for number in range(1, pieces):
        nominal = min(round(number * hop * speed), len(samples) - hop)
        at = _best(sound, at + hop, nominal, 2 * hop, reach)
        piece = sound[at : at + 2 * hop] * window
        yield _rounded(rest + piece[:hop])
        rest = piece[hop:]


def _best(sound: Floats, natural: int, nominal: int, width: int, reach: int) -> int:
    """The place within `reach` of `nominal` where the sound is most like the natural continuation."""
    first = max(0, nominal - reach)
    region = sound[first : min(nominal + reach + width, len(sound))]
    template = sound[natural : natural + width]
    if len(template) < width or len(region) < width:
        return min(nominal, len(sound) - width)
    likeness = np.correlate(region, template, "valid")
    energy = np.cumsum(np.concatenate([[0.0], region.astype(np.float64) ** 2]))
    likeness = likeness / np.sqrt(energy[width:] - energy[:-width] + 1.0)
    return first + int(np.argmax(likeness))


def _rounded(sound: Floats) -> Samples:
    return np.clip(np.rint(sound), -32_768, 32_767).astype(np.int16)
