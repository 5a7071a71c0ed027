"""Masked sound: a tone over the samples that identify somebody.

It is carried out to the sample: so many samples come out as went in, those outside the stretches are bit for bit the same, and
the tone can be known again, so that `curtain verify` can tell a masked stretch from a damaged one.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpus.annotation.masking import Pair, at_rate, merged
from corpus.formats import pcm, sphere, waveform
from corpus.formats.pcm import SampleCoding
from corpus.formats.riff import RiffFile
from corpus.formats.sphere import SphereFile
from corpus.formats.waveform import Waveform

TONE_HZ = 1_000
AMPLITUDE = 3_277  # 20 dB below full scale

Samples = NDArray[np.int16]


def tone(count: int, rate: int) -> Samples:
    """The bleep: `count` samples of a tone that begins at zero."""
    made: Samples = np.rint(AMPLITUDE * np.sin(2 * np.pi * TONE_HZ * np.arange(count) / rate)).astype(np.int16)
    return made


class _Body(NamedTuple):
    """The samples of a file as they are there, shape (frames, channels, bytes of one)."""

    raw: NDArray[np.uint8]
    rate: int
    coding: SampleCoding
    big_endian: bool
    unsigned: bool

    def tone(self, count: int) -> NDArray[np.uint8]:
        """The tone as it is in such a file: the same in every channel, whatever they are in."""
        made = pcm.encode(tone(count, self.rate), self.coding, self.raw.shape[2], self.big_endian)
        return (made ^ np.uint8(0x80) if self.unsigned else made)[:, np.newaxis, :]

    def steps(self, raw: NDArray[np.uint8]) -> pcm.Samples:
        """Samples in the steps of their coding, shape (frames, channels)."""
        channels, width = raw.shape[1:]
        signed = raw ^ np.uint8(0x80) if self.unsigned else raw
        values = pcm.decode(signed.tobytes(), self.coding, width, channels, self.big_endian)
        return pcm.steps(values, self.coding, width)


def unbleeped(file: Waveform, stretches: Sequence[Pair]) -> tuple[Pair, ...]:
    """The stretches that are not wholly under the tone in every channel, or do not lie in the sound."""
    body = _body(file)
    return tuple(
        (first, last)
        for first, last in stretches
        if not 0 <= first < last <= len(body.raw)
        or np.abs(body.steps(body.raw[first:last]) - body.steps(body.tone(last - first))).max() > 1
    )


def masked_wave(data: bytes, path: str, stretches: Iterable[Pair], rate: int) -> tuple[bytes, tuple[Pair, ...]]:
    """A .wav, SPHERE or RIFF, with `stretches` (counted at `rate`) under the tone in every channel, and where they are in its
    own samples. It stays in its coding, so that no other sample changes; of the header only what tells of the samples does.
    """
    file = waveform.parse(data, path)
    body = _body(file)
    placed = merged(at_rate(stretches, rate, body.rate), len(body.raw))
    masked = body.raw.copy()
    for first, last in placed:
        masked[first:last] = body.tone(last - first)
    kept = file.data[masked.size :]
    if isinstance(file, RiffFile):
        offset = file.header.data_offset
        return data[:offset] + masked.tobytes() + data[offset + masked.size :], placed
    return _with_header(data, SphereFile(file.header, masked.tobytes() + kept)), placed


def _body(file: Waveform) -> _Body:
    header = file.header
    unsigned = isinstance(file, RiffFile) and header.coding is SampleCoding.PCM and header.sample_n_bytes == 1
    frames = len(file.data) // header.frame_bytes
    raw = np.frombuffer(file.data, np.uint8, frames * header.frame_bytes)
    shaped = raw.reshape(frames, header.channel_count, header.sample_n_bytes)
    return _Body(shaped, header.sample_rate, header.coding, header.big_endian, unsigned)


def _with_header(data: bytes, file: SphereFile) -> bytes:
    """The samples of `file` behind the header of `data`, in which only the figures about them are new."""
    level = pcm.levels(file.samples())
    figures = {"sample_min": level.minimum, "sample_max": level.maximum, "sample_checksum": file.checksum()}
    return sphere.with_numbers(data[: file.header.size], figures) + file.data
