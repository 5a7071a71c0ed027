"""Labels that people read in place of a column's codes: from `[column.…]` of a domain's `domain.toml` and the database's own
decoding tables.

A result's column is known by its name alone, so that SQL typed by a wizard is read like SQL made from English. Words of a
decoding table are read once and then shared by all sessions.
"""

import threading
from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path

from domain.english.model.domain import ColumnDisplay, DomainError, load_domain
from session.values.answers import QueryFailure, Table
from session.values.column_display import ColumnReading, Reading, plainly

MOST_WORDS = 8
Run = Callable[[str], Table]


class Decoding:
    """The columns of one domain; `reading` may be called from several threads at once."""

    def __init__(self, columns: Mapping[str, ColumnDisplay]) -> None:
        self._columns = columns
        self._words: dict[str, dict[str, str]] = {}
        self._lock = threading.Lock()

    @classmethod
    def of(cls, folder: Path) -> "Decoding":
        """Of a domain folder; raises DomainError when its `domain.toml` cannot be used."""
        return cls(load_domain(folder).column)

    @classmethod
    def if_any(cls, folder: Path) -> "Decoding":
        """Of a folder, where nothing is known of the columns if it holds no domain that can be used."""
        try:
            return cls.of(folder)
        except DomainError:
            return cls({})

    def reading(self, table: Table, run: Run) -> Reading:
        """Return one `ColumnReading` per column, with words for the codes that occur in it and no others."""
        return tuple(self._column(name, index, table, run) for index, name in enumerate(table.columns))

    def worded(self, table: Table, run: Run) -> Table:
        """Return the rows, and each with words in place of its codes besides, so that a solution in words is one in codes: those
        of the domain and those of the decoding table."""
        columns = [self._columns.get(name.lower(), ColumnDisplay()) for name in table.columns]
        full = [self._decoded(column, run) if column.decode else {} for column in columns]
        rows = dict.fromkeys(table.rows)
        for row in table.rows:
            said = [
                dict.fromkeys((value, column.codes.get(str(value), value), words.get(str(value), value)))
                for value, column, words in zip(row, columns, full, strict=True)
            ]
            rows |= dict.fromkeys(product(*said))
        return Table(table.columns, tuple(rows), table.more)

    def _column(self, name: str, index: int, table: Table, run: Run) -> ColumnReading:
        known = self._columns.get(name.lower())
        if known is None:
            return ColumnReading()
        beside = {column.lower() for column in table.columns}
        if known.hidden is True or known.hidden in beside:
            return ColumnReading(known.heading, known.form, known.written, hidden=True)
        if known.decode and not known.hidden and known.decode.partition(".")[2] in beside:
            return ColumnReading(
                known.heading, known.form, known.written
            )  # its words stand beside it: the code is asked for
        words = (self._decoded(known, run) if known.decode else {}) | known.codes
        found = {str(row[index]) for row in table.rows if row[index] is not None} if words else set()
        codes = {code: words[code] for code in sorted(found) if code in words}
        return ColumnReading(known.heading, known.form, known.written, codes)

    def _decoded(self, column: ColumnDisplay, run: Run) -> dict[str, str]:
        """Words by code; nothing while the decoding table cannot be read, or where it is too long to be one."""
        key = f"{column.by} {column.decode}"
        with self._lock:
            if key in self._words:
                return self._words[key]
        source = column.by.partition(".")[0]
        try:
            rows = run(f"SELECT DISTINCT {column.by}, {column.decode} FROM {source} ORDER BY 1, 2")
        except QueryFailure:
            return {}
        words = {} if rows.more else _words(rows)
        with self._lock:
            return self._words.setdefault(key, words)


def _words(rows: Table) -> dict[str, str]:
    """A code with several meanings has them all, up to `MOST_WORDS`; beyond that it stays a code."""
    meanings: dict[str, list[str]] = {}
    for code, text in rows.rows:
        if code is not None and text is not None:
            meanings.setdefault(str(code), []).append(plainly(text))
    return {code: "/".join(texts) for code, texts in meanings.items() if len(texts) <= MOST_WORDS}
