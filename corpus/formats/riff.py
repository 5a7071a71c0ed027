"""RIFF waveform files: today's usual `.wav`, an alternative to SPHERE.

Read and written here so that verification can look at a header without a sample, and so that a corpus exported twice
has the same bytes (libraries add fields of their own). Linear PCM, µ-law and A-law are read; linear PCM is written.
"""

import io
import struct
from io import FileIO
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec
import numpy as np

from corpus.formats import pcm
from corpus.formats.errors import FormatFault
from corpus.formats.pcm import SampleCoding, Samples

MAGIC = b"RIFF"
_CODINGS = {1: SampleCoding.PCM, 6: SampleCoding.ALAW, 7: SampleCoding.ULAW}
_EXTENSIBLE = 0xFFFE
_FORM = 40  # bytes of the largest fmt chunk


class RiffHeader(msgspec.Struct, frozen=True):
    """Header of a RIFF file: rate in Hz, width in bytes per sample, frames of all channels, place of the data, and whether
    chunks stand before it that neither format nor samples need."""

    sample_rate: int
    channel_count: int
    sample_n_bytes: int
    sample_count: int
    coding: SampleCoding = SampleCoding.PCM
    data_offset: int = 44
    others: bool = False

    @property
    def frame_bytes(self) -> int:
        """Bytes of one sample of all channels."""
        return self.sample_n_bytes * self.channel_count

    @property
    def big_endian(self) -> bool:
        """Never: files of the other byte order are called RIFX."""
        return False


class RiffFile(msgspec.Struct, frozen=True):
    """A header and the raw bytes of the samples; of a file that was parsed they are not copied."""

    header: RiffHeader
    data: bytes | memoryview

    def samples(self) -> Samples:
        """The samples, shape (frames, channels); 8-bit PCM, unsigned in RIFF, is centred on zero."""
        header = self.header
        whole = len(self.data) - len(self.data) % (header.sample_n_bytes * header.channel_count)
        if header.coding is SampleCoding.PCM and header.sample_n_bytes == 1:
            unsigned = np.frombuffer(self.data[:whole], np.uint8).astype(np.int32) - 128
            return unsigned.reshape(-1, header.channel_count)
        return pcm.decode(
            self.data[:whole], header.coding, header.sample_n_bytes, header.channel_count, big_endian=False
        )


class _Format(NamedTuple):
    code: int
    channels: int
    rate: int
    frame: int  # bytes of one sample of all channels
    bits: int

    @property
    def width(self) -> int:
        """Bytes in which a sample lies, more than its bits need where it is in a wider word; 0 if nothing fits."""
        width, rest = divmod(self.frame, self.channels) if self.channels else (0, 0)
        fits = not rest and 0 < self.bits <= 8 * width and (width == 1 or _CODINGS.get(self.code) is SampleCoding.PCM)
        return width if fits and width <= 4 else 0


def pcm_file(data: bytes, sample_rate: int, channel_count: int = 1) -> RiffFile:
    """A file of 16-bit linear PCM, little-endian; raises ValueError when `data` is not a whole number of frames."""
    frame = 2 * channel_count
    if len(data) % frame:
        raise ValueError(f"{len(data)} bytes are no whole number of frames of {frame} bytes")
    return RiffFile(RiffHeader(sample_rate, channel_count, 2, len(data) // frame), data)


def render(file: RiffFile) -> bytes:
    """The bytes of a file with the canonical 44-byte header; raises ValueError for anything but linear PCM that it can hold."""
    header, frame = file.header, file.header.sample_n_bytes * file.header.channel_count
    if header.coding is not SampleCoding.PCM or header.data_offset != 44:
        raise ValueError("only linear PCM with the plain header is written as RIFF")
    if frame >> 16 or header.sample_rate * frame >> 32 or len(file.data) + 37 >> 32:
        raise ValueError(f"RIFF cannot hold {len(file.data)} bytes in frames of {frame} at {header.sample_rate} Hz")
    form = struct.pack(
        "<4sIHHIIHH", b"fmt ", 16, 1, header.channel_count, header.sample_rate,
        header.sample_rate * frame, frame, 8 * header.sample_n_bytes,
    )  # fmt: skip
    pad = b"\0" if len(file.data) % 2 else b""
    head = struct.pack("<4sI4s", MAGIC, 36 + len(file.data) + len(pad), b"WAVE")
    return head + form + struct.pack("<4sI", b"data", len(file.data)) + file.data + pad


def parse(data: bytes, path: str) -> RiffFile:
    """The file in `data`; raises `FormatFault` for one that is damaged or of an unknown coding.

    >>> parse(render(pcm_file(b"\\x01\\x00\\x02\\x00", 16_000, 1)), "x.wav").samples().ravel().tolist()
    [1, 2]
    """
    header = read_header(io.BytesIO(data), path)
    length = header.sample_count * header.sample_n_bytes * header.channel_count
    return RiffFile(header, memoryview(data)[header.data_offset : header.data_offset + length])


def read(path: Path) -> RiffFile:
    """The file at `path`."""
    return parse(path.read_bytes(), str(path))


def read_header(file: BinaryIO | FileIO, path: str) -> RiffHeader:
    """The header alone, read from an open file without touching a sample."""
    if file.read(4) != MAGIC or len(file.read(4)) != 4 or file.read(4) != b"WAVE":
        raise FormatFault(path, 0, "no RIFF waveform file", "convert it to RIFF or SPHERE")
    form: _Format | None = None
    offset, others = 12, False
    while len(head := file.read(8)) == 8:
        name, size = struct.unpack("<4sI", head)
        offset += 8
        if name == b"data":
            return msgspec.structs.replace(_header(form, size, offset, path), others=others)
        if name == b"fmt ":
            begin = file.tell()
            form = _form(file.read(min(size, _FORM)), path)
            file.seek(begin + size)
        else:
            others |= name != b"fact"  # which only counts the samples
            file.seek(size, 1)
        file.seek(size % 2, 1)
        offset += size + size % 2
    raise FormatFault(path, 0, "no data chunk in the RIFF file", "restore the file")


def _form(body: bytes, path: str) -> _Format:
    if len(body) < 16:
        raise FormatFault(path, 0, "the fmt chunk is cut off", "restore the file")
    code, channels, rate, _, frame, bits = struct.unpack("<HHIIHH", body[:16])
    if code == _EXTENSIBLE and len(body) >= 26:
        code = struct.unpack("<H", body[24:26])[0]
    return _Format(code, channels, rate, frame, bits)


def _header(form: _Format | None, size: int, offset: int, path: str) -> RiffHeader:
    if form is None:
        raise FormatFault(path, 0, "no fmt chunk before the data", "restore the file")
    if form.code not in _CODINGS or not form.width or not form.rate:
        found = f"format code {form.code}, {form.channels} channels of {form.bits} bits in {form.frame} bytes, {form.rate} Hz"
        raise FormatFault(path, 0, found, "convert the file to linear PCM")
    if size == 0xFFFFFFFF:
        raise FormatFault(path, 0, "the length was never written (a stream)", "rewrite the header")
    frames = size // (form.width * form.channels)
    return RiffHeader(form.rate, form.channels, form.width, frames, _CODINGS[form.code], offset)
