"""Regression check: requests with verified SQL in a domain's `requests.jsonl` still get the same answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from domain.english.engine import Engine
from domain.english.model.domain import DomainError
from session.values.answers import FailureKind, QueryFailure, Table

KEPT = "requests.jsonl"
FROM_LOG = "sent "
"""How the note of a request begins that was written down from a log, since the grammar did not read it as it was sent."""


class KeptRequest(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the file: the request, the requests before it, one or more equally right statements, and their origin."""

    question: str
    sql: str | tuple[str, ...]
    id: str | int = ""
    context: tuple[str, ...] = ()
    note: str = ""

    @property
    def statements(self) -> tuple[str, ...]:
        return (self.sql,) if isinstance(self.sql, str) else self.sql

    @property
    def by_memory(self) -> bool:
        """Return whether the memory is meant to answer it, whatever the grammar reads."""
        return self.note.startswith(FROM_LOG)


def read_kept(file: Path) -> list[tuple[int, KeptRequest]]:
    """Return the kept requests with their line numbers, none if the file is missing; DomainError names an invalid line."""
    found = []
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                found.append((number, msgspec.json.decode(line, type=KeptRequest)))
            except msgspec.MsgspecError as error:
                raise DomainError(f'{file}:{number}: {error}; {{"question": "…", "sql": "…"}} is expected') from None
    return found


def find_broken(
    engine: Engine, kept: list[tuple[int, KeptRequest]], run: Callable[[str], Table]
) -> Iterator[tuple[int, str]]:
    """Yield the lines whose request now has another answer, with its reading. `run` executes in a sandbox, since the SQL is
    untrusted."""
    for number, request in kept:
        readings = engine.ask(request.question, request.context).readings
        if not readings:
            yield number, f"“{request.question}” is not understood any more"
            continue
        best = readings[0]
        try:
            wanted = [_rows(run(sql), best.minimal_columns) for sql in request.statements]
        except QueryFailure as failure:
            yield number, f"the SQL kept for “{request.question}” fails: {failure.message}"
            continue
        try:
            found = _rows(run(best.sql), best.minimal_columns)
        except QueryFailure as failure:
            yield number, f"“{request.question}” is read as “{best.paraphrase}”, which fails: {failure.message}"
            continue
        if found not in wanted:
            yield number, f"“{request.question}” is read as “{best.paraphrase}”, which has other rows than the SQL kept"


def _rows(table: Table, columns: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    """Return the distinct rows of a table, or of those of some columns that it has, regardless of column order; QueryFailure
    when rows were cut off."""
    if table.more:
        raise QueryFailure(FailureKind.TOO_LARGE, "it has too many rows to be compared")
    at = [table.columns.index(column) for column in columns if column in table.columns] or range(len(table.columns))
    return frozenset(tuple(sorted(str(row[n]) for n in at)) for row in table.rows)
