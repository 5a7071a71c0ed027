"""Lines of the form `[Key:] value`: the grammar that the `.log` and the `.squ` share.

Of MADCOW's log syntax one key is known to the letter, `[End_to_end:]`; every key here is written in its manner. Blank
lines mean nothing, every other line must conform (LDC94S19 log_spec, section 1). A text of several lines is announced by its
line count and continued in lines that begin with `|`. Values go through `corpus.lines.escaped`.
"""

import re
from collections.abc import Iterable

import msgspec

from corpus.faults import FormatFault
from corpus.lines import escaped, lines_of, plain

CONTINUED = "|"
_LINE = re.compile(r"(?:\[(?P<key>[A-Z][A-Za-z0-9_]*):\]|\|)(?: (?P<value>.*))?", re.DOTALL)


class Entry(msgspec.Struct, frozen=True):
    """One line: its key, its value in plain text, and its number in the file (0 for one not yet written)."""

    key: str
    value: str = ""
    line: int = 0


def parse(data: bytes | str, path: str) -> list[Entry]:
    """All entries of a file; raises `FormatFault` for the first line that is neither blank nor an entry."""
    entries: list[Entry] = []
    matches = _LINE.fullmatch
    for number, line in enumerate(lines_of(data, path), start=1):
        if match := matches(line):
            key, value = match.groups("")
            entries.append(Entry(key or CONTINUED, plain(value, path, number) if "\\" in value else value, number))
        elif line.strip(" \t"):
            raise FormatFault(path, number, f"not an entry: {line[:60]!r}", "write [Key:] value")
    return entries


def render(entry: Entry) -> str:
    """One line with its end; a value of whatever text stays within it."""
    head = CONTINUED if entry.key == CONTINUED else f"[{entry.key}:]"
    return f"{head}{' ' if entry.value else ''}{escaped(entry.value)}\n"


def render_all(entries: Iterable[Entry]) -> bytes:
    """The bytes of all entries, one line each."""
    return "".join(render(entry) for entry in entries).encode()
