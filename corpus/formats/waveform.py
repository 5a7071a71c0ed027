"""A waveform in either of the two formats, identified by its first bytes, never by its name.

Both headers give rate, channels, width, count and place of the samples under the same names, so that what works on sound need
not know which it has.
"""

import io
from io import FileIO
from typing import BinaryIO

from corpus.formats import riff, sphere
from corpus.formats.riff import RiffFile, RiffHeader
from corpus.formats.sphere import SphereFile, SphereHeader

Header = SphereHeader | RiffHeader
Waveform = SphereFile | RiffFile


def parse(data: bytes, path: str) -> Waveform:
    """The file in `data`; raises `FormatFault`."""
    return riff.parse(data, path) if data.startswith(riff.MAGIC) else sphere.parse(data, path)


def read_header(file: BinaryIO | FileIO, path: str) -> Header:
    """The header of a file that was just opened, without a sample; raises `FormatFault`."""
    is_riff = file.read(len(riff.MAGIC)) == riff.MAGIC
    file.seek(0)
    return riff.read_header(file, path) if is_riff else sphere.read_header(file, path)


def as_flac(file: RiffFile) -> bytes:
    """The bytes of a FLAC file with the samples of a linear file of 16 bits; the same samples give the same bytes.

    >>> found = as_flac(riff.pcm_file(bytes(3200), 16_000))
    >>> found[:4], len(found) < 3200
    (b'fLaC', True)
    """
    import soundfile

    made = io.BytesIO()
    samples = file.samples().astype("<i2")
    soundfile.write(made, samples, file.header.sample_rate, format="FLAC", subtype="PCM_16")
    return made.getvalue()
