"""`CORPUS.names.csv`, beside an imported corpus: the source's names of utterances and speakers, for the importer alone.

It may tell who somebody is, so it is no part of the corpus, and loses the rows of anyone who withdraws.
"""

import csv
import io
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from corpus.formats.errors import FormatFault
from corpus.formats.safe_lines import text_of

COLUMNS = ("utterance", "key", "speaker", "session", "place")


def table_beside(corpus: Path) -> Path:
    """Return where the table of a corpus lies."""
    return corpus.with_name(f"{corpus.name}.names.csv")


def write(path: Path, rows: Iterable[Sequence[str]]) -> None:
    """Write the table whole, in place of an older one."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([COLUMNS, *rows])
    part = path.with_name(f".{path.name}.part")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text.getvalue())
    part.replace(path)


def rows_of(corpus: Path, speaker: str) -> list[list[str]]:
    """Return the rows of a speaker, none if a corpus has no table; raises `FormatFault`, OSError."""
    return [row for row in _rows(corpus) if row[0].startswith(speaker)]


def forget(corpus: Path, speaker: str) -> None:
    """Take the rows of a speaker away; raises `FormatFault`, OSError."""
    rows = _rows(corpus)
    kept = [row for row in rows if not row[0].startswith(speaker)]
    if len(kept) < len(rows):
        write(table_beside(corpus), kept)


def _rows(corpus: Path) -> list[list[str]]:
    path = table_beside(corpus)
    if not path.is_file():
        return []
    names, *rows = list(csv.reader(io.StringIO(text_of(path.read_bytes(), str(path)), newline=""))) or [[]]
    if tuple(names) != COLUMNS or any(len(row) != len(COLUMNS) for row in rows):
        raise FormatFault(str(path), 0, "it is not a table of names of an import", "move it elsewhere")
    return rows
