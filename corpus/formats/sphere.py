"""NIST SPHERE waveform files: the `.wav` of a MADCOW corpus.

libsndfile reads this format but writes only nine fields, so header and data are written here. The writer keeps to what
NIST's own strict reader demands (SPHERE 2.6, `spinput.c`): no empty strings, no `+` before a number, no blank line, the
value as long as its type says, 24 newlines and then blanks as padding. The reader is as lenient as the files of the
time need: comments, headers of any number of 1,024-byte blocks, both byte orders, µ-law and A-law, no `sample_coding`.

    NIST_1A
       1024
    sample_count -i 16000
    utterance_id -s8 8k8011ss
    end_head
"""

import math
import re
from collections.abc import Mapping
from functools import cached_property, lru_cache
from io import FileIO
from pathlib import Path
from typing import BinaryIO

import msgspec

from corpus.formats import pcm
from corpus.formats.errors import FormatFault
from corpus.formats.pcm import SampleCoding, Samples

MAGIC = b"NIST_1A\n"
BLOCK = 1024
_LARGEST = 1 << 20  # bytes; a header beyond this is no header but damage
_PAD_NEWLINES = 24
_END = "end_head"
_PLAIN_END = b"\nend_head"
_END_LINE = re.compile(rb"^end_head[ \t\r\v\f\0]*$", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*")
_TRIPLE = re.compile(rf"({_NAME.pattern})[ \t]+-(i|r|s[0-9]{{1,7}})[ \t](.*)", re.DOTALL)
_INTEGER = re.compile(r"-?[0-9]{1,18}")  # what fits into the 64 bits of other readers
_SHORTEN = b"ajkg"
_OTHERS = {
    b"RF64": "RF64", b"BW64": "BW64", b"RIFX": "RIFX", b"riff": "Wave64", b"FORM": "AIFF", b"fLaC": "FLAC", b"OggS": "Ogg",
    b"ID3": "MP3", b".snd": "Sun .au", _SHORTEN: "shorten",
}  # fmt: skip
_NEEDED = ("sample_count", "sample_n_bytes", "channel_count", "sample_rate")

Value = str | int | float
_CODINGS = {
    "": SampleCoding.PCM, "pcm": SampleCoding.PCM,
    "ulaw": SampleCoding.ULAW, "mu-law": SampleCoding.ULAW, "mulaw": SampleCoding.ULAW, "alaw": SampleCoding.ALAW,
}  # fmt: skip


class SphereHeader(msgspec.Struct, frozen=True, dict=True):
    """The fields of a header in their order, and its size in bytes (a multiple of 1,024)."""

    fields: tuple[tuple[str, Value], ...]
    size: int = BLOCK

    def get(self, name: str) -> Value | None:
        """The value of a field, or None if the header has no such field."""
        return self.by_name.get(name)

    @cached_property
    def by_name(self) -> dict[str, Value]:
        """The fields by name."""
        return dict(reversed(self.fields))  # of a field that stands twice, the first counts

    def number(self, name: str, default: int = 0) -> int:
        """The value of an integer field."""
        value = self.by_name.get(name)
        return value if isinstance(value, int) else default

    def text(self, name: str) -> str:
        """The value of a string field without surrounding blanks, empty if there is none."""
        value = self.by_name.get(name)
        return value.strip() if isinstance(value, str) else ""

    def as_text(self, name: str) -> str:
        """The value of a field of whatever type as text, without surrounding blanks, empty if there is none."""
        value = self.by_name.get(name)
        return "" if value is None else str(value).strip()

    @property
    def sample_rate(self) -> int:
        """Samples a second."""
        return self.number("sample_rate")

    @property
    def channel_count(self) -> int:
        """Channels of the file."""
        return self.number("channel_count", 1)

    @property
    def sample_n_bytes(self) -> int:
        """Bytes of one sample of one channel."""
        return self.number("sample_n_bytes", 1)

    @property
    def sample_count(self) -> int:
        """Samples of each channel, as the header says."""
        return self.number("sample_count")

    @property
    def data_offset(self) -> int:
        """Return where the samples begin."""
        return self.size

    @property
    def frame_bytes(self) -> int:
        """Bytes of one sample of all channels."""
        return self.sample_n_bytes * self.channel_count

    @property
    def coding(self) -> SampleCoding:
        """Return the coding of the samples; linear PCM where nothing is said."""
        return _CODINGS.get(self.text("sample_coding").lower(), SampleCoding.PCM)

    @property
    def big_endian(self) -> bool:
        """Return whether the most significant byte comes first (`sample_byte_format` 10, in some files an integer)."""
        return str(self.get("sample_byte_format")).strip() == "10"


class SphereFile(msgspec.Struct, frozen=True):
    """A header and the raw bytes of the samples that follow it; of a file that was parsed they are not copied."""

    header: SphereHeader
    data: bytes | memoryview

    def samples(self) -> Samples:
        """The samples, shape (frames, channels), µ-law and A-law expanded to 16 bits."""
        header = self.header
        whole = len(self.data) - len(self.data) % header.frame_bytes
        return pcm.decode(
            self.data[:whole], header.coding, header.sample_n_bytes, header.channel_count, header.big_endian
        )

    def checksum(self) -> int:
        """The checksum that the header ought to carry."""
        return pcm.checksum(self.data, self.header.sample_n_bytes, self.header.big_endian)


def render(file: SphereFile) -> bytes:
    """The bytes of a file; raises ValueError for fields that SPHERE cannot hold."""
    return render_header(file.header) + file.data


def render_header(header: SphereHeader) -> bytes:
    """The bytes of a header, padded to its size; raises ValueError when the fields do not fit or are not legal."""
    head = b"".join(_field(name, value) for name, value in header.fields) + f"{_END}\n".encode()
    text = MAGIC + f"{header.size:7d}\n".encode() + head
    if header.size % BLOCK or not BLOCK <= header.size <= _LARGEST or len(text) > header.size:
        raise ValueError(f"a SPHERE header of {header.size} bytes cannot hold {len(text)} bytes of fields")
    if len({name for name, _ in header.fields}) != len(header.fields):
        raise ValueError("a SPHERE header names a field twice")
    return (text + b"\n" * min(_PAD_NEWLINES, header.size - len(text))).ljust(header.size)


def fitting(fields: tuple[tuple[str, Value], ...]) -> SphereHeader:
    """A header just large enough for `fields`."""
    length = len(MAGIC) + 8 + len(_END) + 1 + sum(len(_field(name, value)) for name, value in fields)
    return SphereHeader(fields, math.ceil(length / BLOCK) * BLOCK)


def with_numbers(head: bytes, values: Mapping[str, int]) -> bytes:
    """A header with other values of those of these fields that it has, all else as it stands: comments, order, what nobody
    knows. It grows by a block where they do not fit.

    >>> with_numbers(render_header(fitting((("sample_max", 9), ("x", "y")))), {"sample_max": 10, "z": 1})[16:43]
    b'sample_max -i 10\\nx -s1 y\\nen'
    """
    end = _END_LINE.search(head, 16)
    if end is None:
        raise ValueError("no end_head in the header")
    fields, padding = head[16 : end.end()], head[end.end() :]
    for name, value in values.items():
        fields = re.sub(
            rb"(?m)^(%s)[ \t]+-\w+[ \t][^;\n]*?(?=[ \t]*(?:;|$))" % name.encode(), rb"\1 -i %d" % value, fields
        )
    room = len(head) - 16 - len(fields)
    if len(padding) > room >= len(padding.rstrip()):
        padding = padding[:room]
    size = math.ceil((16 + len(fields) + len(padding)) / BLOCK) * BLOCK
    return (MAGIC + f"{size:7d}\n".encode() + fields + padding).ljust(max(size, len(head)))


def padding(head: bytes) -> bytes:
    """Return the bytes behind the fields of a header, without the blanks that writers fill it with."""
    place = _end(head, len(head))
    return head[place[1] :].strip(b" \n\r\t\0") if place is not None else b""


def _end(data: bytes, size: int) -> tuple[int, int] | None:
    """Return where the line begins and ends that closes the fields; nearly all write it in the same eight letters."""
    before = data.find(_PLAIN_END, 15, size)
    if before >= 0 and data[before + len(_PLAIN_END) : before + len(_PLAIN_END) + 1] == b"\n":
        return before + 1, before + len(_PLAIN_END)
    found = _END_LINE.search(data, 16, size)
    return found.span() if found is not None else None


def parse(data: bytes, path: str) -> SphereFile:
    """The file in `data`; raises `FormatFault` for one that is damaged or shortened (compressed)."""
    header = parse_header(data, path)
    if data.startswith(_SHORTEN, header.size):
        _refuse_shorten(path, 0)
    return SphereFile(header, memoryview(data)[header.size :])


def read_header(file: BinaryIO | FileIO, path: str) -> SphereHeader:
    """The header alone, read from an open file without touching a sample."""
    first = file.read(BLOCK)
    size = _size(first, path)
    return parse_header(first + file.read(size - BLOCK), path)


def read(path: Path) -> SphereFile:
    """The file at `path`."""
    return parse(path.read_bytes(), str(path))


def parse_header(data: bytes, path: str) -> SphereHeader:
    """The header at the start of `data`; raises `FormatFault` that names the line."""
    size = _size(data, path)
    if len(data) < size:
        raise FormatFault(path, 2, f"the header ends after {len(data)} of {size} bytes", "restore the file")
    fields = _plainly(data, size) or {}
    if fields:
        return _required(SphereHeader(tuple(fields.items()), size), path)
    lines = data[16:size].split(b"\n")
    for number, raw in enumerate(lines, start=3):
        if _END_LINE.fullmatch(raw):
            return _required(SphereHeader(tuple(fields.items()), size), path)
        try:
            parsed = _line(raw)
        except FormatFault as fault:
            raise FormatFault(path, number, fault.found, fault.remedy) from None
        if parsed is None:
            continue
        if parsed[0] in fields:
            raise FormatFault(path, number, f"field {parsed[0]} occurs twice", "remove one of the two")
        fields[parsed[0]] = parsed[1]
    raise FormatFault(path, 0, "no end_head in the header", "end the header with a line end_head")


def _plainly(data: bytes, size: int) -> dict[str, Value] | None:
    """The fields of a header in which nothing is wrong; None for any other, to be gone through line by line."""
    place = _end(data, size)
    if place is None:
        return None
    try:
        parsed = [_line(raw) for raw in data[16 : place[0]].split(b"\n")[:-1]]
    except FormatFault:
        return None
    known = [field for field in parsed if field is not None]
    fields = dict(known)
    return fields if len(fields) == len(known) else None


def _as_number(name: str, value: Value) -> Value:
    """libsndfile writes `sample_n_bytes -s1 1` into µ-law files; some gave the sampling rate as a real number."""
    if name not in _NEEDED:
        return value
    if isinstance(value, str):
        return int(value) if _INTEGER.fullmatch(value) else value
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _size(data: bytes, path: str) -> int:
    if not data.startswith(MAGIC):
        if data.startswith(b"NIST_1A\r"):
            raise FormatFault(path, 1, "line ends were converted to CRLF", "copy the file again, as binary")
        found = next((f"a file of the format {name}" for magic, name in _OTHERS.items() if data.startswith(magic)), "")
        raise FormatFault(path, 1, found or "neither a SPHERE nor a RIFF file", "convert it to SPHERE or RIFF")
    stated = data[8:16].decode("latin-1")
    digits = stated.strip()
    if not digits.isascii() or not digits.isdecimal() or not stated.endswith("\n"):
        raise FormatFault(path, 2, f"header size is {stated!r}", "write it right-aligned in 7 columns")
    size = int(digits)
    if size % BLOCK or not BLOCK <= size <= _LARGEST:
        raise FormatFault(path, 2, f"header size is {size}", "make it a multiple of 1024")
    return size


@lru_cache(maxsize=4096)
def _line(raw: bytes) -> tuple[str, Value] | None:
    """The field of a line, None for a comment; of the lines of a header most are in every header of a corpus."""
    if raw.startswith(b";"):
        return None
    if not raw.strip(b" \t\0"):
        raise FormatFault("", 0, "a blank line before end_head", "remove it, or end the header with a line end_head")
    if raw.endswith(b"\r"):
        raise FormatFault("", 0, "line ends were converted to CRLF", "copy the file again, as binary")
    text = raw.decode("utf-8", "surrogateescape")
    match = _TRIPLE.fullmatch(text)
    if not match:
        raise FormatFault("", 0, f"not a field: {text[:60]!r}", "write: name -type value")
    name, kind, rest = match.groups()
    if kind.startswith("s"):
        return name, _as_number(name, _order(name, kind, rest) or _string(raw, rest, int(kind[1:])))
    word, _, more = rest.partition(";")[0].replace("\t", " ").strip().partition(" ")
    if more:
        raise FormatFault("", 0, f"{more.strip()!r} after the value of {name}", "put ; before a comment")
    return name, _as_number(name, _number(name, kind, word))


def _order(name: str, kind: str, rest: str) -> str:
    """libsndfile announces `sample_byte_format` with as many characters as a sample has bytes, 3 or 4 where 2 are there."""
    return rest if name == "sample_byte_format" and kind in ("s3", "s4") and rest in ("01", "10") else ""


def _number(name: str, kind: str, word: str) -> Value:
    if kind == "i" and _INTEGER.fullmatch(word):
        return int(word)
    try:
        real = float(word) if kind == "r" and not word.startswith("+") and "_" not in word else math.nan
    except ValueError:
        real = math.nan
    if math.isfinite(real):
        return real
    what = "an integer of at most 18 digits," if kind == "i" else "a number"
    raise FormatFault("", 0, f"{name} is {word!r}", f"write {what} without a plus sign")


def _string(raw: bytes, rest: str, length: int) -> str:
    value = raw[len(raw) - len(rest.encode("utf-8", "surrogateescape")) :]
    after = value[length:].strip()
    if length == 0 or len(value) < length or (after and not after.startswith(b";")):
        found = f"a string of {length} bytes is announced, {len(value)} are there"
        raise FormatFault("", 0, found, "correct -sN; leave an empty field out")
    return value[:length].decode("utf-8", "replace")


def _required(header: SphereHeader, path: str) -> SphereHeader:
    if "shorten" in header.text("sample_coding").lower():
        _refuse_shorten(path, 0)
    for name in _NEEDED:
        value = header.get(name)
        if value is None:
            raise FormatFault(path, 0, f"no {name} in the header", "add it; no reader can do without")
        if not isinstance(value, int):
            raise FormatFault(path, 0, f"{name} is {value!r}", "write an integer")
        if value < (name != "sample_count"):
            raise FormatFault(path, 0, f"{name} is {value}", "correct the header")
    if header.number("sample_n_bytes") > 4:
        raise FormatFault(path, 0, f"samples of {header.number('sample_n_bytes')} bytes", "write 1 to 4 bytes")
    _known_coding(header, path)
    return header


def _known_coding(header: SphereHeader, path: str) -> None:
    coding, width = header.text("sample_coding").lower(), header.number("sample_n_bytes")
    if coding not in _CODINGS or (width > 1 and _CODINGS[coding] is not SampleCoding.PCM):
        found = f"sample_coding {coding!r} with samples of {width} bytes"
        raise FormatFault(path, 0, found, "convert the file to pcm, ulaw or alaw")
    order = header.get("sample_byte_format")
    if width > 1 and order not in (None, 1, 10) and header.text("sample_byte_format") not in ("01", "10"):
        found = f"sample_byte_format {order!r} with samples of {width} bytes"
        raise FormatFault(path, 0, found, "write 01 if the least significant byte comes first, otherwise 10")
    if header.text("channels_interleaved").upper() == "FALSE" and header.number("channel_count") > 1:
        raise FormatFault(path, 0, "channels one after the other", "write each channel to a file of its own")


def _refuse_shorten(path: str, line: int) -> None:
    raise FormatFault(
        path, line, "the samples are compressed with shorten", "decompress first: sph2pipe -f sph FILE NEW"
    )


def _field(name: str, value: Value) -> bytes:
    if not _NAME.fullmatch(name) or name == _END:
        raise ValueError(f"{name!r} is not a SPHERE field name")
    if isinstance(value, str):
        raw = value.encode()
        if not raw or any(byte < 32 or byte == 127 for byte in raw) or _END in value:
            raise ValueError(f"{name}: SPHERE cannot hold the text {value!r}")
        return f"{name} -s{len(raw)} ".encode() + raw + b"\n"
    if isinstance(value, bool) or not math.isfinite(value) or (isinstance(value, int) and abs(value) >= 10**18):
        raise ValueError(f"{name}: SPHERE cannot hold {value!r}")
    kind, word = ("i", str(value)) if isinstance(value, int) else ("r", repr(value))
    return f"{name} -{kind} {word}\n".encode()
