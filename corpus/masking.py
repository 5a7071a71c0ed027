"""What identifies a person goes from sound and text alike: a tone over the samples, `[masked]` in place of the words.

Which samples and which words is for people to say, at the transcription desk. Here it is only carried out, to the sample: so many
samples come out as went in, those outside the stretches are bit for bit the same, and the tone can be known again, so
that `curtain verify` can tell a masked stretch from a damaged one.
"""

from collections.abc import Iterable, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from corpus import riff, samples, sphere, sro
from corpus.faults import FormatFault
from corpus.phrases import Phrase
from corpus.riff import RiffFile
from corpus.sphere import SphereFile, SphereHeader, Value
from corpus.sro import Event, Mark, Sign, Token, Transcription, Word

TONE_HZ = 1_000
AMPLITUDE = 3_277  # 20 dB below full scale

Samples = NDArray[np.int16]
Pair = tuple[int, int]
WHOLE: tuple[Pair, ...] = ((0, 1 << 40),)
"""Of a recording of any length, at any rate."""


def merged(stretches: Iterable[Pair], count: int) -> tuple[Pair, ...]:
    """Stretches in order within `count` samples, those that touch made one, empty ones left out.

    >>> merged([(5, 9), (0, 2), (8, 99), (3, 3)], 12)
    ((0, 2), (5, 12))
    """
    found: list[Pair] = []
    for first, last in sorted((max(0, first), min(last, count)) for first, last in stretches):
        if first >= last:
            continue
        if found and first <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], last))
        else:
            found.append((first, last))
    return tuple(found)


def at_rate(stretches: Iterable[Pair], rate: int, other: int) -> tuple[Pair, ...]:
    """Stretches counted at `rate` as they lie in a channel of `other` samples a second, outward to whole samples.

    >>> at_rate([(1, 3)], 16_000, 8_000)
    ((0, 2),)
    """
    return tuple((first * other // rate, -(-last * other // rate)) for first, last in stretches)


def tone(count: int, rate: int) -> Samples:
    """The bleep: `count` samples of a tone that begins at zero."""
    made: Samples = np.rint(AMPLITUDE * np.sin(2 * np.pi * TONE_HZ * np.arange(count) / rate)).astype(np.int16)
    return made


def bleeped(sound: Samples, stretches: Sequence[Pair], rate: int) -> Samples:
    """A copy of 16-bit `sound` with the tone in place of every stretch."""
    masked = sound.copy()
    for first, last in stretches:
        masked[first:last] = tone(last - first, rate)
    return masked


def unbleeped(sound: Samples, stretches: Sequence[Pair], rate: int) -> tuple[Pair, ...]:
    """The stretches that are not wholly under the tone, or do not lie in the sound."""
    return tuple(
        (first, last)
        for first, last in stretches
        if not 0 <= first < last <= len(sound)
        or np.abs(sound[first:last].astype(np.int32) - tone(last - first, rate)).max() > 1
    )


def masked_wave(data: bytes, path: str, stretches: Iterable[Pair], rate: int) -> tuple[bytes, tuple[Pair, ...]]:
    """A .wav, SPHERE or RIFF, with `stretches` (counted at `rate`) under the tone, and where they lie in its own samples.

    Raises `FormatFault` for anything but 16-bit linear PCM of one channel.
    """
    file = riff.parse(data, path) if data.startswith(riff.MAGIC) else sphere.parse(data, path)
    own = _plain_rate(file, path)
    sound = file.samples()[:, 0].astype(np.int16)
    placed = merged(at_rate(stretches, rate, own), len(sound))
    masked = bleeped(sound, placed, own)
    if isinstance(file, RiffFile):
        return riff.render(riff.pcm_file(masked.astype("<i2").tobytes(), own)), placed
    raw = masked.astype(">i2" if file.header.big_endian else "<i2").tobytes()
    try:
        return sphere.render(SphereFile(_header(file.header, masked, raw), raw)), placed
    except ValueError as error:
        raise FormatFault(path, 0, str(error), "correct the header") from None


def _plain_rate(file: SphereFile | RiffFile, path: str) -> int:
    header = file.header
    if isinstance(header, SphereHeader):
        width, channels, rate = (header.number(name) for name in ("sample_n_bytes", "channel_count", "sample_rate"))
        coding = header.coding
    else:
        width, channels, rate, coding = (
            header.sample_n_bytes, header.channel_count, header.sample_rate, header.coding,
        )  # fmt: skip
    if (width, channels, coding) != (2, 1, samples.Coding.PCM):
        raise FormatFault(path, 0, f"{channels} channels of {8 * width} bits, {coding}", "mask 16-bit linear PCM only")
    return rate


def _header(header: SphereHeader, sound: Samples, raw: bytes) -> SphereHeader:
    level = samples.levels(sound.reshape(-1, 1))
    figures: dict[str, Value] = {
        "sample_min": level.minimum,
        "sample_max": level.maximum,
        "sample_checksum": samples.checksum(raw, 2, header.big_endian),
    }
    fields = tuple((name, figures.get(name, value)) for name, value in header.fields)
    fitting = sphere.fitting(fields)
    return msgspec.structs.replace(fitting, size=max(fitting.size, header.size))


def masked(transcription: Transcription) -> Transcription:
    """With `[masked]` in place of every stretch that identifies a person; edges of other stretches stay, so that these close."""
    found: list[Token] = []
    inside = False
    for token in transcription.tokens:
        match token:
            case Mark(Sign.IDENTIFYING_BEGINS):
                inside = True
                found.append(Event(sro.MASKED))
            case Mark(Sign.IDENTIFYING_ENDS):
                inside = False
            case _ if not inside or sro.span_edge(token)[0]:
                found.append(token)
    return Transcription(tuple(found))


def phrases(transcription: Transcription) -> tuple[Phrase, ...]:
    """The words of every stretch that identifies a person, in lower case; an empty phrase for one without words."""
    found: list[Phrase] = []
    words: list[str] | None = None
    for token in transcription.tokens:
        match token:
            case Mark(Sign.IDENTIFYING_BEGINS):
                words = []
            case Mark(Sign.IDENTIFYING_ENDS):
                found.append(tuple(words or ()))
                words = None
            case Word(text) if words is not None:
                words.append(text.replace(":", ""))
    return tuple(found)
