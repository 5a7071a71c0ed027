"""Lines of a TOML file by key, so that a finding names the line that has to be changed."""

from __future__ import annotations

import re

_HEADER = re.compile(r"\s*(\[\[?)([^\]]+)\]")
_KEY = re.compile(r"""\s*("[^"]*"|'[^']*'|[\w-]+)((?:\s*\.\s*[\w-]+)*)\s*=""")
_PART = re.compile(r""""[^"]*"|'[^']*'|[^.\s]+""")


class TomlLines:
    """The lines of one file.

    >>> lines = TomlLines('name = 1\\n[kind.town]\\ncolumn = "a.b"\\n[kind.town.also]\\n"a b" = "W"\\n[[join]]\\npath = ""\\n')
    >>> lines.line("kind", "town", "also", "a b"), lines.line("join", "0", "path"), lines.line("kind", "town", "drop")
    (5, 7, 2)
    """

    def __init__(self, text: str) -> None:
        self._at: dict[tuple[str, ...], int] = {}
        table: tuple[str, ...] = ()
        for number, line in enumerate(text.splitlines(), start=1):
            if header := _HEADER.match(line):
                table = self._table(_parts(header.group(2)), header.group(1) == "[[")
                self._at.setdefault(table, number)
            elif key := _KEY.match(line):
                self._at.setdefault((*table, *_parts(key.group(1) + key.group(2))), number)

    def _table(self, parts: tuple[str, ...], several: bool) -> tuple[str, ...]:
        if not several:
            return parts
        count = sum(1 for known in self._at if known[:-1] == parts and known[-1].isdigit())
        return (*parts, str(count))

    def line(self, *key: str) -> int:
        """Return the line of a key, or of the nearest table around it; 1 where the file has neither."""
        while key and key not in self._at:
            key = key[:-1]
        return self._at.get(key, 1)


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in _PART.findall(text))
