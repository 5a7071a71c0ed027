"""`.com`: free remarks on a subject-scenario, for people. Data for programs are in the `.log`."""

import unicodedata

import msgspec

from corpus.formats.safe_lines import lines_of


class Comments(msgspec.Struct, frozen=True):
    """Remarks, one per line; blank lines at the end and blanks at the ends of lines mean nothing."""

    lines: tuple[str, ...]


def parse(data: bytes | str, path: str) -> Comments:
    """The remarks in a file; raises `FormatFault` only for bytes that are no UTF-8.

    >>> render(parse("first\\nsecond\\n\\n", "x.com"))
    b'first\\nsecond\\n'
    """
    lines = [line.rstrip() for line in lines_of(data, path)]
    while lines and not lines[-1]:
        lines.pop()
    return Comments(tuple(lines))


def render(comments: Comments) -> bytes:
    """The bytes, in composed Unicode (NFC)."""
    return "".join(unicodedata.normalize("NFC", line) + "\n" for line in comments.lines).encode()
