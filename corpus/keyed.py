"""Lines of the form `[Key:] value`: the grammar that the `.log` and the `.squ` share.

Of MADCOW's log syntax one key is known to the letter, `[End_to_end:]`; every key here is written in its manner. Blank
lines mean nothing, every other line must conform (LDC94S19 log_spec, section 1). Values go through `corpus.lines.inert`.
"""

import re
from collections.abc import Iterable

import msgspec

from corpus.faults import FormatFault
from corpus.lines import inert, lines_of, plain

_LINE = re.compile(r"\[([A-Z][A-Za-z0-9_ ]*):\](?: (.*))?", re.DOTALL)


class Entry(msgspec.Struct, frozen=True):
    """One line: its key, its value in plain text, and its number in the file (0 for one not yet written)."""

    key: str
    value: str = ""
    line: int = 0


def parse(data: bytes | str, path: str) -> list[Entry]:
    """All entries of a file; raises `FormatFault` for the first line that is neither blank nor an entry."""
    entries: list[Entry] = []
    for number, line in enumerate(lines_of(data, path), start=1):
        if not line.strip(" \t"):
            continue
        match = _LINE.fullmatch(line)
        if not match:
            raise FormatFault(path, number, f"not an entry: {line[:60]!r}", "write [Key:] value")
        entries.append(Entry(match[1], plain(match[2] or "", path, number), number))
    return entries


def render(entry: Entry) -> str:
    """One line with its end; a value of whatever text stays within it."""
    return f"[{entry.key}:]{' ' if entry.value else ''}{inert(entry.value)}\n"


def render_all(entries: Iterable[Entry]) -> bytes:
    """The bytes of all entries, one line each."""
    return "".join(render(entry) for entry in entries).encode()
