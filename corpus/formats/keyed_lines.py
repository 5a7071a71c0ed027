"""Lines of the form `[Key:] value`: the grammar that the `.log` and the `.squ` share.

Of MADCOW's log syntax one key is known to the letter, `[End_to_end:]`; every key here is written in its manner. Blank
lines mean nothing, every other line must conform (LDC94S19 log_spec, section 1). A text of several lines is announced by its
line count and continued in lines that begin with `|`. Values go through `corpus.formats.safe_lines.escaped`.
"""

import re
from collections.abc import Iterable

import msgspec

from corpus.formats.errors import FormatFault
from corpus.formats.safe_lines import escaped, lines_of, plain

CONTINUED = "|"
_KEY = re.compile(r"\[[A-Z][A-Za-z0-9_]*:\]")
_LONGEST_KEY = 64  # so that remembered ones stay small
_MOST_KEYS = 4096
_KEYS = {CONTINUED: CONTINUED}  # by what a line starts with


class KeyedLine(msgspec.Struct, frozen=True, gc=False):
    """One line: its key, its value in plain text, and its number in the file (0 for one not yet written)."""

    key: str
    value: str = ""
    line: int = 0


def parse(data: bytes | str, path: str) -> list[KeyedLine]:
    """Return all entries of a file; raises `FormatFault` for the first line that is neither blank nor an entry.

    >>> parse(render(KeyedLine("Note", "two\\nlines")), "x.log")
    [KeyedLine(key='Note', value='two\\nlines', line=1)]
    """
    entries: list[KeyedLine] = []
    known, add = _KEYS, entries.append
    for number, line in enumerate(lines_of(data, path), start=1):
        start, _, value = line.partition(" ")
        if key := known.get(start) or _key(start):
            add(KeyedLine(key, plain(value, path, number) if "\\" in value else value, number))
        elif line.strip(" \t"):
            raise FormatFault(path, number, f"not an entry: {line[:60]!r}", "write [Key:] value")
    return entries


def _key(start: str) -> str:
    """The key with which a line starts, the same object each time, for a corpus has millions; empty if there is none."""
    if len(start) >= _LONGEST_KEY or not _KEY.fullmatch(start):
        return ""
    return _KEYS.setdefault(start, start[1:-2]) if len(_KEYS) < _MOST_KEYS else start[1:-2]


def render(entry: KeyedLine) -> str:
    """One line with its end; a value of whatever text stays within it."""
    head = CONTINUED if entry.key == CONTINUED else f"[{entry.key}:]"
    return f"{head}{' ' if entry.value else ''}{escaped(entry.value)}\n"


def render_all(entries: Iterable[KeyedLine]) -> bytes:
    """The bytes of all entries, one line each."""
    return "".join(render(entry) for entry in entries).encode()
