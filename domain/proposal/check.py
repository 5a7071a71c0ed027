"""Check of an outside engine's SQL by the standards of our own readings: paraphrased, compared with the request, and run
against our own first reading.

The statement is never changed. Conditions without a basis in the request and unused words are marked; agreement with our rows
raises the confidence, disagreement lowers it and offers our reading as an alternative.
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
from domain.proposal.request_coverage import RequestCoverage, compare_with_request
from domain.proposal.statement_reading import read_statement
from domain.sandbox.database_schema import Schema
from session.hub.query_runner import UnderstoodRequest
from session.values.answers import UNSUPPORTED, FailureKind, OtherReading, QueryFailure, Table

ALONE, AGAINST = UNSUPPORTED, 0.3
"""Confidence of a statement that cannot be compared with a reading of ours, and of one that ours contradicts. Set by
judgement, since how often a proposal is right depends on the engine."""
EACH_MARK = 0.1
"""Reduction of the confidence for each unrequested condition and each unused word."""
LEAST = 0.05
_NO_LEXICON = Lexicon(DomainModel(About("", ""), {}), {})


class ProposalCheck:
    """Checks the statements for one domain; `run` executes in the sandbox."""

    def __init__(
        self,
        engine: Callable[[], Engine] | None,
        schema: Callable[[], Schema],
        dialect: str,
        run: Callable[[str], Table],
    ) -> None:
        self._engine, self._schema, self._dialect, self._run = engine, schema, dialect, run

    def understood(self, sql: str, proposer: str, text: str, turns: Sequence[EarlierTurn]) -> UnderstoodRequest:
        """Return the statement as a reading of the request; raises QueryFailure only when the wizard stops it."""
        engine = self._english()
        words = DomainWords(engine.model, engine.names) if engine else DomainWords()
        reading = read_statement(sql, self._dialect, self._schema(), words)
        context = [turn.text for turn in turns]
        held = (
            compare_with_request(reading, text, context, engine.items if engine else _items, words)
            if reading
            else RequestCoverage()
        )
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
        """Return the English engine, or None if its domain cannot be read, since the check works without one."""
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
    """Return the items of a request without a domain."""
    day = date.today()  # noqa: DTZ011
    return cover(_NO_LEXICON, read_words(text), Today(day, day.year))
