"""SQL of an outside engine, held to what our own readings are held to: said in English, compared with the request, run
against our own first reading of the same request.

None of it changes the statement. What nobody asked for and what was passed over is marked; the same rows as ours make it surer,
others less sure, and then ours is offered beside it.
"""

from collections.abc import Callable, Sequence
from datetime import date

from sqlalchemy.exc import SQLAlchemyError

from domain.database.build import DatabaseError
from domain.english.dialogue.references import EarlierTurn
from domain.english.engine import Engine
from domain.english.model.domain import About, DomainError, DomainModel
from domain.english.parse.tagger import Item, Lexicon, cover
from domain.english.reading import Answered
from domain.english.text.times import Today
from domain.english.text.tokens import read_words
from domain.proposal.agreement import agree
from domain.proposal.domain_words import DomainWords
from domain.proposal.request_coverage import RequestCoverage, hold
from domain.proposal.statement_reading import read_statement
from domain.sandbox.database_schema import Schema
from session.hub.query_runner import UnderstoodRequest
from session.values.answers import FailureKind, OtherReading, QueryFailure, Table

ALONE, AGAINST = 0.5, 0.3
"""How sure a statement is with which no reading of ours can be compared, and one that ours contradicts: set by judgement, since
how often it is right depends on the engine."""
EACH_MARK = 0.1
"""What each condition that nobody asked for, and each word passed over, takes off."""
LEAST = 0.05
_NO_LEXICON = Lexicon(DomainModel(About("", ""), {}), {})


class ProposalCheck:
    """Checks the statements of one domain; `run` is the sandbox's."""

    def __init__(
        self,
        engine: Callable[[], Engine] | None,
        schema: Callable[[], Schema],
        dialect: str,
        run: Callable[[str], Table],
    ) -> None:
        self._engine, self._schema, self._dialect, self._run = engine, schema, dialect, run

    def understood(self, sql: str, proposer: str, text: str, turns: Sequence[EarlierTurn]) -> UnderstoodRequest:
        """The statement as a reading of the request; QueryFailure only when the wizard stops it."""
        engine = self._english()
        words = DomainWords(engine.model, engine.names) if engine else DomainWords()
        reading = read_statement(sql, self._dialect, self._schema(), words)
        context = [turn.text for turn in turns]
        held = hold(reading, text, context, engine.items if engine else _items, words) if reading else RequestCoverage()
        answered = engine.ask(text, turns) if engine else Answered()
        same = self._same(sql, answered)
        best = answered.readings[0] if answered.readings else None
        others: tuple[OtherReading, ...] = ()
        sure = ALONE
        if best is not None and same is True:
            sure = 1 - (1 - best.confidence) * (1 - ALONE)
        elif best is not None and same is False:
            sure = AGAINST
            others = (OtherReading(best.paraphrase, best.sql, best.confidence),)
        sure -= EACH_MARK * (len(held.unasked) + len(held.unused))
        return UnderstoodRequest(
            sql,
            reading.paraphrase(held.carried) if reading else "",
            answered.clarification or "",
            proposer=proposer,
            others=others,
            confidence=round(max(LEAST, sure), 2) if reading else 0.0,
            unused=held.unused,
            unasked=held.unasked,
        )

    def _english(self) -> Engine | None:
        """The English front end; none if its domain cannot be read, which a statement does not need."""
        try:
            return self._engine() if self._engine else None
        except (DomainError, DatabaseError, SQLAlchemyError):
            return None

    def _same(self, sql: str, answered: Answered) -> bool | None:
        if not answered.readings:
            return None
        best = answered.readings[0]
        try:
            theirs = self._run(sql)
            return agree(self._run(best.sql), best.minimal_columns, theirs)
        except QueryFailure as failure:
            if failure.kind is FailureKind.CANCELLED:
                raise
            return None


def _items(text: str) -> tuple[Item, ...]:
    """The pieces of a request where no domain names anything."""
    day = date.today()  # noqa: DTZ011
    return cover(_NO_LEXICON, read_words(text), Today(day, day.year))
