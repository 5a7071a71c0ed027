"""Requests with SQL that somebody checked, kept in a domain's `requests.jsonl`: do they still get the same answer?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError

from domain.english.engine import Engine
from domain.english.model.domain import DomainError

KEPT = "requests.jsonl"


class KeptRequest(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line: the request, the requests before it, and a statement, or several that are equally right, and where it is from."""

    question: str
    sql: str | tuple[str, ...]
    id: str | int = ""
    context: tuple[str, ...] = ()
    note: str = ""

    @property
    def statements(self) -> tuple[str, ...]:
        return (self.sql,) if isinstance(self.sql, str) else self.sql


def read_kept(file: Path) -> list[tuple[int, KeptRequest]]:
    """The kept requests with their lines, none where the file is missing; DomainError names a line that is none."""
    found = []
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                found.append((number, msgspec.json.decode(line, type=KeptRequest)))
            except msgspec.MsgspecError as error:
                raise DomainError(f'{file}:{number}: {error}; {{"question": "…", "sql": "…"}} is expected') from None
    return found


def find_broken(engine: Engine, kept: list[tuple[int, KeptRequest]], link: Connection) -> Iterator[tuple[int, str]]:
    """Yield the lines whose request is answered otherwise, with how it is read."""
    for number, request in kept:
        readings = engine.ask(request.question, request.context).readings
        if not readings:
            yield number, f"“{request.question}” is not understood any more"
            continue
        best = readings[0]
        try:
            wanted = [_rows(sql, (), link) for sql in request.statements]
        except SQLAlchemyError as error:
            yield number, f"the SQL kept for “{request.question}” fails: {str(error).splitlines()[0]}"
            continue
        if _rows(best.sql, best.minimal_columns, link) not in wanted:
            yield number, f"“{request.question}” is read as “{best.paraphrase}”, which has other rows than the SQL kept"


def _rows(sql: str, columns: tuple[str, ...], link: Connection) -> frozenset[tuple[str, ...]]:
    """The different rows of a statement, or of these columns of it, in any order of columns."""
    found = link.execute(text(sql.replace(":", r"\:")))
    names = list(found.keys())
    at = [names.index(column) for column in columns if column in names] or range(len(names))
    return frozenset(tuple(sorted(str(row[n]) for n in at)) for row in found)
