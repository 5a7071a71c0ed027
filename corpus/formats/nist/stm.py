"""NIST's STM, the time-marked reference: file, channel, speaker, begin, end, labels, words.

Each line is one segment; labels in angle brackets are declared at the head, so that sclite reports by them. The words
`IGNORE_TIME_SEGMENT_IN_SCORING` take a stretch out of the test. Lines that begin with `;;` are comments.
"""

import re
from collections.abc import Iterable

import msgspec

from corpus.formats.errors import FormatFault
from corpus.formats.safe_lines import lines_of

IGNORED = "IGNORE_TIME_SEGMENT_IN_SCORING"
_LINE = re.compile(
    r"(\S+)\s+(\S+)\s+(\S+)\s+(\d+(?:\.\d*)?|\.\d+)\s+(\d+(?:\.\d*)?|\.\d+)(?:\s+<([^>]*)>)?(?:\s+(.*))?"
)
_LABEL = re.compile(r';;\s*LABEL\s+"([^"]*)"\s+"([^"]*)"', re.IGNORECASE)


class Segment(msgspec.Struct, frozen=True, order=True):
    """One line; begin and end in seconds of the file."""

    file: str
    channel: str
    begin: float
    end: float
    speaker: str
    labels: tuple[str, ...]
    text: str

    @property
    def ignored(self) -> bool:
        """True if its words are in no test."""
        return IGNORED in self.text.upper()

    @property
    def place(self) -> tuple[str, str]:
        """File and channel, whose case tells none apart."""
        return self.file.lower(), self.channel.lower()


class Marked(msgspec.Struct, frozen=True):
    """The segments in their order, the line of each, and what the labels mean."""

    segments: tuple[Segment, ...]
    lines: tuple[int, ...]
    labels: dict[str, str]

    @property
    def overlapping(self) -> int:
        """The number of segments that begin before another one of their channel has ended."""
        ended: dict[tuple[str, str], float] = {}
        count = 0
        for segment in self.segments:
            count += segment.begin < ended.get(segment.place, 0.0)
            ended[segment.place] = max(segment.end, ended.get(segment.place, 0.0))
        return count


def parse(data: bytes | str, path: str) -> Marked:
    """The segments in a file; raises `FormatFault` for a line that is none, or segments out of order.

    >>> parse("f1 A spk 0 1.5 <O> SHOW ME", "ref.stm").segments[0].text
    'SHOW ME'
    """
    segments: list[Segment] = []
    numbers: list[int] = []
    labels: dict[str, str] = {}
    begun: dict[tuple[str, str], float] = {}
    for number, line in enumerate(lines_of(data, path), start=1):
        if line.startswith(";;"):
            labels |= {found[1].lower(): found[2] for found in [_LABEL.match(line)] if found}
        elif line.strip():
            segment = _segment(line, path, number)
            before = begun.get(segment.place, 0.0)
            if segment.begin < before:
                found = (
                    f"{segment.file} {segment.channel}: a segment from {segment.begin:g} s after one from {before:g} s"
                )
                raise FormatFault(path, number, found, "sort the segments of each file and channel by their beginnings")
            begun[segment.place] = segment.begin
            segments.append(segment)
            numbers.append(number)
    return Marked(tuple(segments), tuple(numbers), labels)


def _segment(line: str, path: str, number: int) -> Segment:
    found = _LINE.fullmatch(line.strip())
    if not found:
        remedy = "write file, channel, speaker, begin, end in seconds, <labels>, words"
        raise FormatFault(path, number, "no segment", remedy)
    file, channel, speaker, begin, end, labels, text = found.groups()
    if float(end) <= float(begin):
        raise FormatFault(
            path, number, f"a segment that ends at {end} s and begins at {begin} s", "put its times right"
        )
    named = tuple(label.strip() for label in (labels or "").split(",") if label.strip())
    return Segment(file, channel, float(begin), float(end), speaker, named, " ".join((text or "").split()))


def render(segments: Iterable[Segment], declared: Iterable[str] = ()) -> bytes:
    """Declarations of the labels, then the segments sorted by file, channel and time."""
    lines = [f";; {line}\n" for line in declared]
    for segment in sorted(segments):
        labels = ",".join(segment.labels)
        words = f" {segment.text}" if segment.text else ""
        lines.append(
            f"{segment.file} {segment.channel} {segment.speaker} {segment.begin:.3f} {segment.end:.3f} <{labels}>{words}\n"
        )
    return "".join(lines).encode()
