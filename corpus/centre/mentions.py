"""Lines of lists, tables and pages that name a person or something of theirs."""

import re
from pathlib import Path

from corpus.io.staging import replace


def without(data: bytes, speaker: str) -> bytes:
    """Take the lines out that name something of a person, and the lines that go on with these: they begin with a blank."""
    # An id and a name of an utterance, and not a release: 20261125 is nothing of speaker 202.
    name = re.escape(speaker.encode()) + rb"(?:[0-9a-z]{3}(?:[svrc][a-z]?)?)?"
    pattern = re.compile(rb"(?:^|[/\s(])" + name + rb"(?:$|[/\s.:\t<)-])")
    left, gone = list[bytes](), False
    for line in data.splitlines(keepends=True):
        gone = bool(pattern.search(line.rstrip(b"\n"))) or (gone and line[:1] in (b" ", b"\t"))
        left += [] if gone else [line]
    return b"".join(left)


def is_named(path: Path, speaker: str) -> bool:
    """Return whether a file names a person or something of theirs; False where there is none."""
    return path.is_file() and without(data := path.read_bytes(), speaker) != data


def drop_lines(path: Path, speaker: str) -> None:
    """Take the lines out that name a person or something of theirs."""
    if path.is_file():
        data = path.read_bytes().replace(b"</li><li>", b"</li>\n<li>")  # pages of before were one line
        if (left := without(data, speaker)) != data:
            replace(path, left)
