"""Earlier requests in the engine's form: those that a wizard put into SQL carry the meaning of their statement, so that the
next request continues from her correction.

A meaning is used only when it returns the rows that were shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
from sqlalchemy.exc import CompileError

from domain.english.dialogue.references import EarlierTurn, turn_of
from domain.english.engine import Engine
from domain.english.model.domain import DomainError, DomainModel
from domain.english.model.meaning import Meaning
from domain.proposal.domain_paths import DomainPaths
from domain.proposal.statement_conditions import Known
from domain.proposal.statement_meaning import StatementMeaning, same_rows
from domain.proposal.statement_values import TimesOfDay
from domain.sandbox.database_schema import Schema
from session.values.answers import EarlierRequest, QueryFailure, Table


class EarlierTurns:
    """Reads the statements of one session, each of them once."""

    def __init__(self, schema: Callable[[], Schema], dialect: str, run: Callable[[str], Table]) -> None:
        self._schema, self._dialect, self._run = schema, dialect, run
        self._read: dict[str, Meaning | None] = {}
        self._readers: tuple[DomainModel, StatementMeaning] | None = None

    def of(self, engine: Engine, context: Sequence[EarlierRequest]) -> list[EarlierTurn]:
        """Return the requests as turns of the dialogue."""
        return [self._turn(engine, earlier) for earlier in context]

    def _turn(self, engine: Engine, earlier: EarlierRequest) -> EarlierTurn:
        turn = turn_of(earlier)
        if not earlier.sql or earlier.shown is None:
            return turn
        if earlier.sql not in self._read:
            self._read[earlier.sql] = self._meaning(engine, earlier.sql, earlier.shown)
        meaning = self._read[earlier.sql]
        return msgspec.structs.replace(turn, meaning=meaning) if meaning else turn

    def _meaning(self, engine: Engine, sql: str, shown: Table) -> Meaning | None:
        for meaning, listed in self._reader(engine).meanings(sql):
            if self._same(engine, meaning, shown if listed == sql else self._look(listed)):
                return meaning
        return None

    def _reader(self, engine: Engine) -> StatementMeaning:
        if self._readers is None or self._readers[0] is not engine.model:
            known = Known(
                DomainPaths(engine.model, self._schema()),
                engine.names,
                TimesOfDay(engine.model, engine.conventions),
                engine.today.day,
                lambda statement: self._look(statement).rows,
                self._dialect,
            )
            self._readers = (engine.model, StatementMeaning(known))
        return self._readers[1]

    def _look(self, sql: str) -> Table:
        try:
            return self._run(sql)
        except QueryFailure:
            return Table((), (), more=True)

    def _same(self, engine: Engine, meaning: Meaning, shown: Table) -> bool:
        """Return whether a meaning returns the rows that were shown."""
        try:
            ours = self._run(engine.statement(meaning))
        except (DomainError, QueryFailure, CompileError):
            return False
        return not (ours.more or shown.more) and same_rows(ours.rows, shown.rows)
