"""`.sql` out of `.win`: what the wizard's sentences mean, in the SQL of the minimal answer.

The sentences were made for a machine: each is read by the domain's English to SQL, without context, and must be understood to
the last word. So the SQL can be made again to the byte (MADCOW 1992, figure 3: `.sql` is made from `.win` by program).
"""

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from corpus.formats import sql
from corpus.formats.errors import FormatFault
from corpus.formats.layout import file_name, parse_name
from corpus.formats.log import file
from domain.database.build import DatabaseError
from domain.english.engine import Engine
from domain.english.model.domain import DomainError
from domain.english.reading import Reading
from evaluation.comparator.answer_input import FileFault, read_text


class NotUnderstood(ValueError):
    """A sentence that gives no statement, with the reason."""


class Reader:
    """Sentences to statements over one database, each on the day that it was asked under."""

    def __init__(self, domain: Path, database: str, principles: str, day: str = "") -> None:
        """`day` is a date like 1991-06-03 that goes before all others; empty for those of the sentences."""
        self._domain, self._database, self._principles, self._day = domain, database, principles, day
        self._engines: dict[str, Engine] = {}

    def statements(self, sentences: Sequence[str], dialect: str, asked_on: str = "") -> tuple[str, ...]:
        """The canonical statement of each sentence; raises NotUnderstood for the first without one.

        `asked_on` is the date that the log gives, empty for the domain's own. Raises FileFault if there is no day, or no
        domain.
        """
        engine = self._engine(self._day or asked_on)
        return tuple(_statement(engine, sentence, dialect) for sentence in sentences)

    def _engine(self, day: str) -> Engine:
        if day not in self._engines:
            try:
                today = date.fromisoformat(day) if day else None
                engine = Engine(self._domain, self._database, today, self._principles)
            except (DomainError, DatabaseError, ValueError) as error:
                raise FileFault(str(error)) from error
            if not day and not engine.model.domain.today:
                raise FileFault(f"{self._domain}: no day is given that sentences are understood on; say --today DATE")
            self._engines[day] = engine
        return self._engines[day]


def _statement(engine: Engine, sentence: str, dialect: str) -> str:
    answered = engine.ask(sentence)
    left = answered.readings[0].unused if answered.readings else answered.unused
    if not answered.readings or left:
        why = f"no meaning is known of {', '.join(left)}" if left else "not understood"
        raise NotUnderstood(f"{sentence!r}: {why}; reword it, or write the .sql by hand")
    if open_time := answered.readings[0].undecided:
        raise NotUnderstood(f"{sentence!r}: {open_time!r} may be a.m. or p.m.; write a sentence for each reading")
    return minimal(answered.readings[0], dialect)


def day_of(folder: Path, stem: str) -> str:
    """The date that an utterance was asked under, as the log beside it says; empty if none does, or there is no log.

    Raises FormatFault or FileFault for a log that cannot be read, or whose date is none.
    """
    try:
        name = file_name(parse_name(f"{stem}.win").stem, "log")
    except ValueError:
        return ""
    path = folder / str(name)
    day = file.parse(read_text(path), str(path)).get("Today") if path.exists() else ""
    try:
        return date.fromisoformat(day).isoformat() if day else ""
    except ValueError as error:
        raise FormatFault(
            str(path), 0, f"[Today: {day}] is not a date", "write one like 1991-06-03, or say --today"
        ) from error


def minimal(reading: Reading, dialect: str) -> str:
    """The canonical statement of a reading without the columns that are for the screen alone; raises NotUnderstood."""
    names = {name.rpartition(".")[2] for name in reading.minimal_columns}
    try:
        statement = sqlglot.parse_one(reading.sql, read=dialect)
    except SqlglotError as error:
        raise NotUnderstood(f"{reading.paraphrase!r}: its SQL cannot be read: {error}") from error
    if isinstance(statement, exp.Select):
        kept = [column for column in statement.expressions if column.alias_or_name in names]
        if not kept:
            raise NotUnderstood(f"{reading.paraphrase!r}: its SQL does not show {' '.join(sorted(names))}")
        statement.set("expressions", kept)
    return sql.canonical(statement.sql(dialect=dialect))
