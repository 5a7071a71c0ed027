"""Backend of a session's queries: a sandboxed database and, where the domain has one, its English front end.

One `Backend` serves one session, because cancelling stops all that its sandbox runs; the English engine, whose index of the
database's values takes time to build, is shared.
"""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from domain.code_labels import Decoding
from domain.database.build import DatabaseError
from domain.english.dialogue.references import turn_of
from domain.english.engine import Engine
from domain.english.menu import Menu
from domain.english.model.domain import DomainError, DomainModel
from domain.english.model.value_index import Named, Phrase
from domain.english.reading import Answered
from domain.english.reading import Reading as EnglishReading
from domain.growth.verified_requests import Verified, VerifiedRequests
from domain.llm_proposal import Endpoint, Proposing
from domain.proposal.check import ProposalCheck
from domain.proposal.domain_words import DomainWords
from domain.proposal.earlier_turns import EarlierTurns
from domain.proposal.statement_reading import read_statement
from domain.sandbox.output_texts import output_texts
from domain.sandbox.sandbox import Sandbox
from domain.sandbox.statement_guard import Limits
from domain.spoken.sentences import SpokenForm, load_spoken_form
from session.hub.query_runner import Consultation, UnderstoodRequest
from session.rules.blanks import words
from session.store.types import database_problem
from session.values.answers import EarlierRequest, FailureKind, OtherReading, QueryFailure, Table
from session.values.column_display import Reading
from session.values.vocabulary import Language

COUNTING_S = 0.25
"""The seconds in which the rows of all further readings of a request are counted; of those left over none are named."""
VERIFIED = 0.99
"""How sure a statement is that somebody checked for the same request."""


class English:
    """The English engine of a domain folder, built when it is first needed and then shared between threads."""

    def __init__(self, folder: Path, url: str, today: str) -> None:
        self._folder, self._url = folder, url
        self._today = date.fromisoformat(today) if today else None
        self._engine: Engine | None = None
        self._verified = VerifiedRequests()
        self._lock = threading.Lock()

    @property
    def engine(self) -> Engine:
        """The engine; the first caller waits while it is built."""
        with self._lock:
            if self._engine is None:
                self._verified = VerifiedRequests.of(self._folder)
                self._engine = Engine(self._folder, self._url, self._today)
            return self._engine

    def verified(self, text: str, earlier: Sequence[str], answered: Answered) -> Verified | None:
        """Return the verified statement of the same request, if there is one."""
        alone = bool(answered.readings) and not (answered.readings[0].carried or answered.readings[0].meaning.rows)
        return self._verified.find(text, earlier, alone)

    def menu(self) -> Menu:
        """Return the menu over the engine, everything that it offers tried out already: no key waits for that.

        Raises DomainError when the domain or its database cannot be read.
        """
        try:
            menu = Menu(self.engine)
            for choice in menu.after("").choices:
                menu.after(f"{choice.text} ")
        except SQLAlchemyError as error:
            raise DomainError(f"the domain's database {database_problem(error)}") from error
        return menu

    def vocabulary(self) -> tuple[DomainModel, Mapping[Phrase, Sequence[Named]]]:
        """Return the domain's own words and the names of the values in its database; raises DomainError when
        either cannot be read."""
        try:
            return self.engine.model, self.engine.names
        except DatabaseError as error:
            raise DomainError(str(error)) from error
        except SQLAlchemyError as error:
            raise DomainError(f"the domain's database {database_problem(error)}") from error


class Backend:
    """Implements `session.hub.query_runner.QueryBackend`."""

    def __init__(
        self,
        url: str,
        version: str,
        english: English | None,
        limits: Limits | None = None,
        decoding: Decoding | None = None,
        proposing: Proposing | None = None,
        spoken_form: SpokenForm | None = None,
    ) -> None:
        self._spoken_form = spoken_form or SpokenForm()
        self.version = version
        self.sandbox = Sandbox(url, limits)
        self._english = english
        self._proposing = proposing
        self._decoding = decoding or Decoding({})
        self._seen: tuple[str, Table | QueryFailure] | None = None
        self._turns = EarlierTurns(self.sandbox.schema, self.sandbox.dialect, self.sandbox.run)

    def run(self, sql: str) -> Table:
        """Rows of one SELECT, or QueryFailure; a proposal that was looked at to compare it is not run a second time."""
        seen, self._seen = self._seen, None
        if seen is None or seen[0] != sql:
            return self.sandbox.run(sql)
        if isinstance(seen[1], QueryFailure):
            raise seen[1]
        return seen[1]

    def reading(self, table: Table) -> Reading:
        """Return how people read the table's columns; a decoding table that cannot be read leaves its codes as they are."""
        return self._decoding.reading(table, self.sandbox.run)

    def spoken(self, table: Table, reading: Reading, most: int) -> str:
        """Return the table in sentences, by the domain's spoken form."""
        return self._spoken_form.say(table, reading, most)

    def understand(self, text: str, context: Sequence[EarlierRequest], language: Language) -> UnderstoodRequest:
        """Return the likeliest reading's statement; raises QueryFailure(NOT_UNDERSTOOD), naming the words that prevent it."""
        if language is Language.PROPOSAL:
            return self._proposed(text, context)
        if self._english is None:
            raise QueryFailure(FailureKind.NOT_UNDERSTOOD, "This domain has no English front end; ask in SQL.")
        engine = self._english.engine
        answered = engine.ask(text, self._turns.of(engine, context))
        if known := self._english.verified(text, [earlier.text for earlier in context], answered):
            return self._remembered(known, answered)
        if answered.readings:
            best = answered.readings[0]
            others = _others((*answered.readings[1:], *answered.withheld))
            return UnderstoodRequest(
                best.sql,
                best.paraphrase,
                answered.clarification or "",
                others=others,
                confidence=best.confidence,
                unused=best.unused,
                if_empty=best.if_empty,
            )
        words = ", ".join(answered.unused)
        because = f" because of: {words}" if words else ""
        because = f": {answered.reason}" if answered.reason else because
        raise QueryFailure(
            FailureKind.NOT_UNDERSTOOD,
            f"Not understood{because}.",
            answered.clarification or _asking(answered.unused),
            answered.unused,
            _others(answered.withheld),
        )

    def _remembered(self, known: Verified, answered: Answered) -> UnderstoodRequest:
        """Return what somebody checked, with where that stands, before what the grammar reads."""
        assert self._english is not None
        own = [reading for reading in answered.readings if reading.sql == known.sql]
        engine = self._english.engine
        words = DomainWords(engine.model, engine.names)
        reading = None if own else read_statement(known.sql, self.sandbox.dialect, self.sandbox.schema(), words)
        said = own[0].paraphrase if own else reading.paraphrase(()) if reading else ""
        others = (r for r in answered.readings if r.sql != known.sql)
        return UnderstoodRequest(
            known.sql,
            f"(verified: {known.origin}) {said}".strip(),
            others=tuple(OtherReading(r.paraphrase, r.sql, round(min(r.confidence, 1 - VERIFIED), 2)) for r in others),
            confidence=VERIFIED,
        )

    def _proposed(self, text: str, context: Sequence[EarlierRequest]) -> UnderstoodRequest:
        """Return the outside engine's statement, checked by the standards of our own readings."""
        if self._proposing is None:
            raise QueryFailure(
                FailureKind.NOT_UNDERSTOOD, "No engine proposes statements here; name one under [engine] in study.toml."
            )
        said = [earlier.text for earlier in context]
        proposed = self._proposing.propose(text, said, self.sandbox.schema(), self.sandbox.dialect)
        english = self._english
        check = ProposalCheck(
            (lambda: english.engine) if english else None,
            self.sandbox.schema,
            self.sandbox.dialect,
            lambda sql: self._looked_at(sql) if sql == proposed else self.sandbox.run(sql),
        )
        turns = self._turns.of(english.engine, context) if english else [turn_of(earlier) for earlier in context]
        return check.understood(proposed, self._proposing.name, text, turns)

    def _looked_at(self, sql: str) -> Table:
        """Rows of a statement that is run next, kept for then; what failed at its own fault fails then in the same way."""
        try:
            table = self.sandbox.run(sql)
        except QueryFailure as failure:
            if failure.kind is not FailureKind.CANCELLED:
                self._seen = (sql, failure)
            raise
        self._seen = (sql, table)
        return table

    def written(self, sql: str) -> tuple[str, ...]:
        """Return the texts that a statement itself puts on the screen, beside what it reads."""
        return output_texts(sql, self.sandbox.dialect)

    def counted(self, readings: Sequence[OtherReading]) -> tuple[OtherReading, ...]:
        """Return the readings with how many rows each brings, all within a moment: nobody waits for what is only compared."""
        until = time.monotonic() + COUNTING_S
        found = list[OtherReading]()
        for reading in readings:
            try:
                table = self.sandbox.run(reading.sql, until - time.monotonic())
            except QueryFailure:
                found.append(reading)
            else:
                found.append(msgspec.structs.replace(reading, rows=len(table.rows), more=table.more))
        return tuple(found)

    def consulted(self) -> Consultation | None:
        """Return what asking the engine cost since this was asked last."""
        return self._proposing.consulted() if self._proposing is not None else None

    def words(self) -> frozenset[str]:
        """Return the words of the domain and of its values; those of the tables alone where it has no English front end."""
        schema = self.sandbox.schema()
        names = (name for table in schema.tables for name in (table.name, *schema.columns_of(table.name)))
        own = self._english.engine.lexicon.domain_words if self._english is not None else frozenset[str]()
        return own | {word for name in names for word in words(name)}

    def cancel(self) -> None:
        """Stop what runs."""
        self.sandbox.cancel()
        if self._proposing is not None:
            self._proposing.cancel()


def _others(readings: Sequence[EnglishReading]) -> tuple[OtherReading, ...]:
    return tuple(OtherReading(r.paraphrase, r.sql, r.confidence, r.doubt) for r in readings)


def backends(
    folder: Path,
    url: str,
    version: str,
    today: str,
    limits: Limits | None = None,
    engine: Endpoint | None = None,
    english: English | None = None,
) -> Callable[[], Backend]:
    """Makes the backend of each session over one database; `folder` is the domain's, `engine` what may propose SQL."""
    english = english or english_of(folder, url, today)
    decoding = Decoding.of(folder) if english is not None else None
    form = load_spoken_form(folder)
    return lambda: Backend(url, version, english, limits, decoding, Proposing(engine) if engine else None, form)


def english_of(folder: Path, url: str, today: str) -> English | None:
    """Return the English front end of a domain folder; None when it has none."""
    return English(folder, url, today) if (folder / "domain.toml").is_file() else None


def _asking(words: Sequence[str]) -> str:
    """Return what anybody would ask who heard words that mean nothing to her."""
    return f"What do you mean by {' '.join(words)}?" if words else ""
