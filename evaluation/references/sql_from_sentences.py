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
from domain.database.build import DatabaseError
from domain.english.engine import Engine, Reading
from domain.english.model.domain import DomainError
from evaluation.comparator.answer_input import FileFault


class NotUnderstood(ValueError):
    """A sentence that gives no statement, with the reason."""


class Reader:
    """Sentences to statements over one database, on one day."""

    def __init__(self, domain: Path, database: str, principles: str, today: str) -> None:
        """`today` is a date like 1991-06-03, empty for the domain's own; raises FileFault where there is none, or no domain."""
        try:
            self._engine = Engine(domain, database, date.fromisoformat(today) if today else None, principles)
        except (DomainError, DatabaseError, ValueError) as error:
            raise FileFault(str(error)) from error
        if not today and not self._engine.model.domain.today:
            raise FileFault(f"{domain}: no day is given that sentences are understood on; say --today DATE")

    def statements(self, sentences: Sequence[str], dialect: str) -> tuple[str, ...]:
        """The canonical statement of each sentence; raises NotUnderstood for the first without one."""
        return tuple(self._statement(sentence, dialect) for sentence in sentences)

    def _statement(self, sentence: str, dialect: str) -> str:
        answered = self._engine.ask(sentence)
        left = answered.readings[0].unused if answered.readings else answered.unused
        if not answered.readings or left:
            why = f"no meaning is known of {', '.join(left)}" if left else "not understood"
            raise NotUnderstood(f"{sentence!r}: {why}; reword it, or write the .sql by hand")
        return minimal(answered.readings[0], dialect)


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
