"""Audio samples as numbers: decoding, checksum and levels, for every coding in corpora of the field.

Kept apart from the file formats because SPHERE and RIFF share it, and because verification looks at levels without
caring where the samples came from. Samples are NumPy arrays of shape (frames, channels).
"""

from enum import StrEnum
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

_KINDS = {
    (width, order == ">"): (np.dtype(f"{order}i{width}"), np.dtype(f"=i{width}"))
    for order in "<>"
    for width in (1, 2, 4)
}
_WORDS = {(width, order == ">"): np.dtype(f"{order}u{min(width, 2)}") for order in "<>" for width in (1, 2, 3, 4)}
"""The kinds of samples and of the words of a checksum, made once: a corpus has millions of files."""
CLIP_RUN = 3  # equal full-scale samples in a row: fewer also occur in healthy loud speech

Samples = NDArray[np.signedinteger[Any]]


class SampleCoding(StrEnum):
    """Coding of a sample in the file; the names are SPHERE's `sample_coding`."""

    PCM = "pcm"
    ULAW = "ulaw"
    ALAW = "alaw"


class Levels(msgspec.Struct, frozen=True):
    """Levels of a take: its extremes in sample units, and how many samples are in clipped runs."""

    minimum: int
    maximum: int
    clipped: int

    @property
    def peak(self) -> int:
        """The largest distance from zero."""
        return max(self.maximum, -self.minimum)


def decode(data: bytes | memoryview, coding: SampleCoding, width: int, channels: int, big_endian: bool) -> Samples:
    """Raw bytes of a file as samples of shape (frames, channels); `width` is in bytes per sample.

    µ-law and A-law become 16-bit linear (ITU-T G.711). Raises ValueError for a length that is not a whole frame.
    """
    if len(data) % (width * channels):
        raise ValueError(f"{len(data)} bytes are no whole number of frames of {width * channels} bytes")
    linear = coding is SampleCoding.PCM
    raw = _linear(data, width, big_endian) if linear else _TABLES[coding][np.frombuffer(data, np.uint8)]
    return raw.reshape(-1, channels)


def encode(values: Samples, coding: SampleCoding, width: int, big_endian: bool) -> NDArray[np.uint8]:
    """16-bit samples as they are in a file, shape (samples, `width`): the nearest code of µ-law and A-law, linear samples of
    another width so that full scale stays full scale.

    >>> encode(np.array([0, -32124], np.int16), SampleCoding.ULAW, 1, big_endian=False).tolist()
    [[255], [0]]
    """
    if coding is not SampleCoding.PCM:
        return _nearest(values, coding).reshape(-1, 1)
    wide = values.astype(np.int32)
    wide = wide >> 8 if width == 1 else wide << 8 * (width - 2)
    order = np.arange(width)[::-1] if big_endian else np.arange(width)
    return (wide.reshape(-1, 1) >> 8 * order & 0xFF).astype(np.uint8)


def steps(values: Samples, coding: SampleCoding, width: int) -> Samples:
    """Samples counted in the steps of their coding, or in those of 16 bits where theirs are finer: neighbours differ by one."""
    if coding is not SampleCoding.PCM:
        found: Samples = np.searchsorted(np.unique(_TABLES[coding]), values)
        return found
    return values.astype(np.int32) >> 8 * max(0, width - 2)


def checksum(data: bytes | memoryview, width: int, big_endian: bool) -> int:
    """NIST's `sample_checksum`: the sum of all samples taken as unsigned words, modulo 65536.

    SPHERE 2.6, `spchksum.c`; its manual says 0..32767, its code and real files do not. What is left of a word that was cut
    off does not count.
    """
    kind = _WORDS[width, big_endian]
    words = np.frombuffer(data, kind, len(data) // kind.itemsize)
    return int(np.add.reduce(words, dtype=np.uint16))  # the sum wraps at 65536 by itself


def levels(samples: Samples, full_scale: int = 32767) -> Levels:
    """Extremes and clipped samples over all channels; zeros for no samples."""
    if samples.size == 0:
        return Levels(0, 0, 0)
    flat = samples.reshape(-1)
    minimum, maximum = int(np.minimum.reduce(flat)), int(np.maximum.reduce(flat))
    loud = maximum >= full_scale or minimum <= -full_scale
    return Levels(minimum, maximum, _clipped(samples, full_scale) if loud else 0)


def _clipped(samples: Samples, full_scale: int) -> int:
    total = 0
    for channel in samples.T:
        loud = (channel >= full_scale) | (channel <= -full_scale)
        at_limit = np.concatenate(([False], loud, [False]))
        edges = np.flatnonzero(at_limit[1:] != at_limit[:-1])
        runs = edges[1::2] - edges[0::2]
        total += int(runs[runs >= CLIP_RUN].sum())
    return total


def _linear(data: bytes | memoryview, width: int, big_endian: bool) -> Samples:
    if kinds := _KINDS.get((width, big_endian)):
        found = np.frombuffer(data, kinds[0])
        return found if kinds[0].isnative else found.astype(kinds[1])
    if width == 3:
        triples = np.frombuffer(data, np.uint8).reshape(-1, 3).astype(np.int32)
        low, middle, high = triples.T if not big_endian else triples.T[::-1]
        packed: NDArray[np.int32] = (high << 24 | middle << 16 | low << 8) >> 8
        return packed
    raise ValueError(f"samples of {width} bytes are not supported")


def _ulaw_table() -> NDArray[np.int32]:
    code = ~np.arange(256, dtype=np.int32) & 0xFF
    magnitude = (((code & 0x0F) << 3) + 0x84 << ((code >> 4) & 7)) - 0x84
    return np.where(code & 0x80, -magnitude, magnitude).astype(np.int32)


def _alaw_table() -> NDArray[np.int32]:
    code = np.arange(256, dtype=np.int32) ^ 0x55
    exponent = (code >> 4) & 7
    mantissa = ((code & 0x0F) << 4) + 8
    magnitude = np.where(exponent == 0, mantissa, (mantissa + 0x100) << np.maximum(exponent - 1, 0))
    return np.where(code & 0x80, magnitude, -magnitude).astype(np.int32)


_TABLES = {SampleCoding.ULAW: _ulaw_table(), SampleCoding.ALAW: _alaw_table()}


def _nearest(values: Samples, coding: SampleCoding) -> NDArray[np.uint8]:
    """Of two codes that are as near, the higher value; of the two zeros of µ-law the positive one."""
    table = _TABLES[coding]
    codes = np.lexsort((np.arange(256) if coding is SampleCoding.ALAW else -np.arange(256), table))
    ordered = table[codes]
    above = np.clip(np.searchsorted(ordered, values), 1, len(ordered) - 1)
    nearer = above - (values.astype(np.int32) - ordered[above - 1] < ordered[above] - values)
    return codes[nearer].astype(np.uint8)
