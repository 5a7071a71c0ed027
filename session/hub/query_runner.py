"""From a text that the wizard sent to the fact that it became: rows, or a failure with its kind."""

import asyncio
from collections.abc import Sequence
from typing import Protocol

import msgspec

from session.events import QueryFailed, QueryReturned
from session.state.fold import Attempt
from session.values.answers import EarlierRequest, FailureKind, OtherReading, QueryFailure, Table
from session.values.clock import Clock
from session.values.column_display import Reading
from session.values.vocabulary import Language


class UnderstoodRequest(msgspec.Struct, frozen=True):
    """An English front end's reading of a request; `question` is what a system would ask back, `proposer` an outside
    engine that proposed the statement, `others` are the further readings, the likelier first, those withheld last; `unused` are
    words that had no part in any of them, `unasked` conditions of a proposed statement that nothing in the request speaks for;
    `if_empty` is the confidence where no row comes of it, `doubt` what speaks against a reading that was withheld."""

    sql: str
    paraphrase: str = ""
    question: str = ""
    proposer: str = ""
    others: tuple[OtherReading, ...] = ()
    confidence: float = 0.0
    unused: tuple[str, ...] = ()
    unasked: tuple[str, ...] = ()
    if_empty: float | None = None
    doubt: str = ""

    @property
    def readings(self) -> tuple[OtherReading, ...]:
        """Return all readings in order, this one first."""
        return (OtherReading(self.paraphrase, self.sql, self.confidence, self.doubt), *self.others)

    def chosen(self, choice: int) -> "UnderstoodRequest":
        """The reading at this place of the order in place of the first; QueryFailure where there are not so many."""
        order = self.readings
        if not 0 <= choice < len(order):
            raise QueryFailure(FailureKind.NOT_UNDERSTOOD, f"There is no reading {choice + 1}; there are {len(order)}.")
        if not choice:
            return self
        taken = order[choice]
        others = order[:choice] + order[choice + 1 :]
        read = {"sql": taken.sql, "paraphrase": taken.paraphrase, "confidence": taken.confidence, "others": others}
        read |= {"doubt": taken.doubt}
        # beside a proposal stands what the domain's own grammar read
        own = {"proposer": "", "unasked": (), "unused": ()} if self.proposer else {}
        return msgspec.structs.replace(self, if_empty=None, **read, **own)

    @classmethod
    def of_withheld(cls, failure: QueryFailure, choice: int) -> "UnderstoodRequest":
        """The withheld reading at this place, of which the first is 1, for by itself none is taken; the failure where none is."""
        if not 0 < choice <= len(failure.withheld):
            raise failure
        first, *others = failure.withheld
        held = cls(
            first.sql, first.paraphrase, failure.question, confidence=first.confidence, unused=failure.unused,
            others=tuple(others), doubt=first.doubt,
        )  # fmt: skip
        return held.chosen(choice - 1)

    def sure_of(self, table: Table) -> float:
        """Return the confidence once the rows are known: none are rather a sign that something else was meant."""
        return self.confidence if table.rows or self.if_empty is None else self.if_empty


class Consultation(msgspec.Struct, frozen=True):
    """The cost of asking an outside model once; `prompt` is the SHA-256 of what it was sent, `took` in nanoseconds, tokens as it
    says, `failure` why nothing came of it."""

    model: str
    version: str = ""
    prompt: str = ""
    took: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    failure: str = ""


class QueryBackend(Protocol):
    """The domain database behind the hub; `run` and `understand` block and are called from worker threads."""

    @property
    def version(self) -> str: ...

    def run(self, sql: str) -> Table:
        """Rows, or QueryFailure."""

    def reading(self, table: Table) -> Reading:
        """Return how people read the table's columns; nothing for a column that the domain does not describe."""

    def spoken(self, table: Table, reading: Reading, most: int) -> str:
        """Say the table as people would: how many rows there are and, of these, `most` at most in sentences."""

    def understand(self, text: str, context: Sequence[EarlierRequest], language: Language) -> UnderstoodRequest:
        """A statement for an English request, or QueryFailure(NOT_UNDERSTOOD)."""

    def words(self) -> frozenset[str]:
        """Return the words of the domain and of its values, in small letters; the first call may take a moment."""

    def written(self, sql: str) -> tuple[str, ...]:
        """Return the texts that a statement itself puts on the screen, beside what it reads."""

    def counted(self, readings: Sequence[OtherReading]) -> tuple[OtherReading, ...]:
        """Return the readings with how many rows each brings, as far as that is found out in a moment."""

    def consulted(self) -> Consultation | None:
        """Return the cost of the last understanding by an outside model, once; None if none was asked."""

    def cancel(self) -> None:
        """End what is running; it raises QueryFailure(CANCELLED) in its thread."""


def _run(database: QueryBackend, sql: str, said: int | None) -> tuple[Table, Reading, str]:
    table = database.run(sql)
    reading = database.reading(table)
    return table, reading, "" if said is None else database.spoken(table, reading, said)


def _understood(database: QueryBackend, attempt: Attempt, context: Sequence[EarlierRequest]) -> UnderstoodRequest:
    """Return the reading that the attempt takes: the first, or the one at its place, which may be withheld."""
    try:
        understood = database.understand(attempt.text, context, attempt.language)
    except QueryFailure as failure:
        return UnderstoodRequest.of_withheld(failure, attempt.choice)
    return understood.chosen(attempt.choice)


async def run_query(
    database: QueryBackend, clock: Clock, attempt: Attempt, context: Sequence[EarlierRequest], said: int | None = None
) -> QueryReturned | QueryFailed:
    """Run an attempt in a worker thread; `context` are the earlier requests that it may refer to, oldest first, `said` is how
    many rows of an answer are spoken (None: nothing is)."""
    began = clock.monotonic_ns()
    understood = UnderstoodRequest(attempt.text if attempt.language is Language.SQL else "")
    try:
        if attempt.language is not Language.SQL:
            understood = await asyncio.to_thread(_understood, database, attempt, context)
        table, reading, spoken = await asyncio.to_thread(_run, database, understood.sql, said)
    except QueryFailure as failure:
        others = understood.others or failure.withheld
        return QueryFailed(
            attempt=attempt.attempt,
            kind=failure.kind,
            message=failure.message,
            sql=understood.sql,
            took=clock.monotonic_ns() - began,
            question=failure.question or understood.question,
            proposer=understood.proposer,
            others=await asyncio.to_thread(database.counted, others) if others else (),
            unused=failure.unused,
        )
    by_grammar = attempt.language is not Language.SQL and not understood.proposer
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
        others=await asyncio.to_thread(database.counted, understood.others) if understood.others else (),
        confidence=understood.sure_of(table),
        unused=understood.unused,
        unasked=understood.unasked,
        doubt=understood.doubt,
        spoken=spoken,
        written=() if by_grammar else await asyncio.to_thread(database.written, understood.sql),
    )
