"""From a text that the wizard sent to the fact that it became: rows, or a failure with its kind."""

import asyncio
from collections.abc import Sequence
from typing import Protocol

import msgspec

from session.events import QueryFailed, QueryReturned
from session.state.fold import Attempt
from session.values.answers import FailureKind, OtherReading, QueryFailure, Table
from session.values.clock import Clock
from session.values.column_display import Reading
from session.values.vocabulary import Language


class Understood(msgspec.Struct, frozen=True):
    """An English front end's reading of a request; `question` is what a system would ask back, `proposer` an outside
    engine that proposed the statement, `others` are the further readings, the likelier first; `unused` are words that had
    no part in any of them."""

    sql: str
    paraphrase: str = ""
    question: str = ""
    proposer: str = ""
    others: tuple[OtherReading, ...] = ()
    confidence: float = 0.0
    unused: tuple[str, ...] = ()

    @property
    def readings(self) -> tuple[OtherReading, ...]:
        """All readings in order, this one first."""
        return (OtherReading(self.paraphrase, self.sql, self.confidence), *self.others)

    def chosen(self, choice: int) -> "Understood":
        """The reading at this place of the order in place of the first; QueryFailure where there are not so many."""
        order = self.readings
        if not 0 <= choice < len(order):
            raise QueryFailure(FailureKind.NOT_UNDERSTOOD, f"There is no reading {choice + 1}; there are {len(order)}.")
        taken = order[choice]
        others = order[:choice] + order[choice + 1 :]
        return msgspec.structs.replace(
            self, sql=taken.sql, paraphrase=taken.paraphrase, confidence=taken.confidence, others=others
        )


class QueryBackend(Protocol):
    """The domain database behind the hub; `run` and `understand` block and are called from worker threads."""

    @property
    def version(self) -> str: ...

    def run(self, sql: str) -> Table:
        """Rows, or QueryFailure."""

    def reading(self, table: Table) -> Reading:
        """Return how people read the table's columns; nothing for a column that the domain does not describe."""

    def understand(self, text: str, context: Sequence[str], language: Language) -> Understood:
        """A statement for an English request, or QueryFailure(NOT_UNDERSTOOD)."""

    def cancel(self) -> None:
        """End what is running; it raises QueryFailure(CANCELLED) in its thread."""


def _run(database: QueryBackend, sql: str) -> tuple[Table, Reading]:
    table = database.run(sql)
    return table, database.reading(table)


async def run_query(
    database: QueryBackend, clock: Clock, attempt: Attempt, context: Sequence[str]
) -> QueryReturned | QueryFailed:
    """Run an attempt in a worker thread; `context` are the earlier requests that it may refer to, oldest first."""
    began = clock.monotonic_ns()
    understood = Understood(attempt.text if attempt.language is Language.SQL else "")
    try:
        if attempt.language is not Language.SQL:
            understood = await asyncio.to_thread(database.understand, attempt.text, context, attempt.language)
            understood = understood.chosen(attempt.choice)
        table, reading = await asyncio.to_thread(_run, database, understood.sql)
    except QueryFailure as failure:
        return QueryFailed(
            attempt=attempt.attempt,
            kind=failure.kind,
            message=failure.message,
            sql=understood.sql,
            took=clock.monotonic_ns() - began,
            question=failure.question or understood.question,
            proposer=understood.proposer,
            others=understood.others,
        )
    return QueryReturned(
        attempt=attempt.attempt,
        sql=understood.sql,
        table=table,
        took=clock.monotonic_ns() - began,
        database_version=database.version,
        paraphrase=understood.paraphrase,
        reading=reading,
        question=understood.question,
        proposer=understood.proposer,
        others=understood.others,
        confidence=understood.confidence,
        unused=understood.unused,
    )
