"""Earlier requests in the engine's form: those that a wizard put into SQL carry the meaning of their statement, so that the
next request continues from her correction.

A meaning is used only when it returns the rows that were shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from domain.english.dialogue.references import EarlierTurn, turn_of
from domain.english.engine import Engine
from domain.english.model.domain import DomainError
from domain.english.model.meaning import Meaning
from domain.proposal.statement_meaning import meaning_of, same_rows
from domain.sandbox.database_schema import Schema
from session.values.answers import EarlierRequest, QueryFailure, Table


class EarlierTurns:
    """Reads the statements of one session, each of them once."""

    def __init__(self, schema: Callable[[], Schema], dialect: str, run: Callable[[str], Table]) -> None:
        self._schema, self._dialect, self._run = schema, dialect, run
        self._read: dict[str, Meaning | None] = {}

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
        meaning = meaning_of(sql, self._dialect, self._schema(), engine.model, engine.names)
        try:
            ours = self._run(engine.statement(meaning)) if meaning else None
        except (DomainError, QueryFailure):
            return None
        if ours is None or ours.more or shown.more:
            return None
        return meaning if same_rows(ours.rows, shown.rows) else None
