"""Earlier requests in the engine's form: those that a wizard put into SQL carry the meaning of their statement, so that the
next request continues from her correction.

A meaning is used only when it returns the rows that were shown. Of a statement without one, the engine's own readings of what
was said are tried; else only its rows are known, and what was asked of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from sqlalchemy.exc import CompileError

from domain.english.dialogue.references import MOST_ROWS, EarlierTurn, turn_of
from domain.english.engine import Engine
from domain.english.model.domain import DomainError, DomainModel
from domain.english.model.meaning import AnswerRows, Meaning
from domain.proposal.domain_paths import DomainPaths
from domain.proposal.statement_conditions import DomainKnowledge
from domain.proposal.statement_meaning import StatementMeaning, same_rows
from domain.proposal.statement_values import TimesOfDay
from domain.sandbox.database_schema import Schema
from session.values.answers import EarlierRequest, QueryFailure, Table

_NOTHING = Table((), (), more=True)


class EarlierTurns:
    """Reads the statements of one session, each of them once."""

    def __init__(self, schema: Callable[[], Schema], dialect: str, run: Callable[[str], Table]) -> None:
        self._schema, self._dialect, self._run = schema, dialect, run
        self._read: dict[str, tuple[Meaning, Table] | None] = {}
        self._readers: tuple[DomainModel, StatementMeaning] | None = None

    def of(self, engine: Engine, context: Sequence[EarlierRequest]) -> list[EarlierTurn]:
        """Return the requests as turns of the dialogue."""
        turns: list[EarlierTurn] = []
        for earlier in context:
            turns.append(self._turn(engine, earlier, turns))
        return turns

    def _turn(self, engine: Engine, earlier: EarlierRequest, before: Sequence[EarlierTurn]) -> EarlierTurn:
        turn = turn_of(earlier)
        if not earlier.sql or earlier.shown is None:
            return turn
        if earlier.sql not in self._read:
            self._read[earlier.sql] = (
                self.meaning(engine, earlier.sql, earlier.shown)
                or self._own_reading(engine, earlier, before)
                or self._known_rows(engine, earlier.sql, earlier.shown)
            )
        found = self._read[earlier.sql]
        if found is None:
            return turn
        meaning, ours = found
        lone = len(earlier.shown.rows) == len(earlier.shown.columns) == 1
        if lone and len(ours.columns) > 1 and earlier.shown.rows[0][0] in {0, 1} and not _holds(ours, earlier.shown):
            return msgspec.structs.replace(
                turn, meaning=meaning, columns=ours.columns, rows=ours.rows, whole=not ours.more
            )
        shown = _in_order(ours, earlier.shown)
        if shown is None:
            return msgspec.structs.replace(turn, meaning=meaning)
        return msgspec.structs.replace(turn, meaning=meaning, columns=shown.columns, rows=shown.rows)

    def meaning(self, engine: Engine, sql: str, shown: Table) -> tuple[Meaning, Table] | None:
        """Return the meaning of a statement, and its rows with their keys; None if none has the rows that were shown."""
        for meaning, listed in self._reader(engine).meanings(sql):
            ours = self._same(engine, meaning, listed, shown if listed == sql else self._look(listed))
            if ours is not None:
                return meaning, ours
        return None

    def _own_reading(
        self, engine: Engine, earlier: EarlierRequest, before: Sequence[EarlierTurn]
    ) -> tuple[Meaning, Table] | None:
        """Return the engine's reading of the request that has the rows of the statement, if there is one."""
        shown = earlier.shown
        if shown is None or not shown.rows:
            return None
        for reading in engine.ask(earlier.text, before).readings:
            ours = self._same(engine, reading.meaning, earlier.sql, shown)
            if ours is not None:
                return reading.meaning, ours
        return None

    def _known_rows(self, engine: Engine, sql: str, shown: Table) -> tuple[Meaning, Table] | None:
        """Return a meaning for a statement that cannot be read: its rows, and what it asks of them."""
        for asked, keys, listed in self._reader(engine).asked(sql):
            found = self._look(keys)
            rows = tuple(dict.fromkeys(row for row in found.rows if None not in row))
            if found.more or not 0 < len(rows) <= MOST_ROWS:
                continue
            entity = asked.entities[0]
            said = f"the {len(rows)} rows of the answer requested in SQL"
            held = AnswerRows(entity, rows, said, by_hand=True)  # type: ignore[arg-type]
            meaning = msgspec.structs.replace(asked, rows=held)
            ours = self._same(engine, meaning, listed, shown if listed == sql else self._look(listed))
            if ours is not None:
                return meaning, ours
        return None

    def _reader(self, engine: Engine) -> StatementMeaning:
        if self._readers is None or self._readers[0] is not engine.model:
            known = DomainKnowledge(
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
            return _NOTHING

    def _rows(self, engine: Engine, meaning: Meaning) -> Table | None:
        try:
            return self._run(engine.statement(meaning))
        except (DomainError, QueryFailure, CompileError):
            return None

    def _same(self, engine: Engine, meaning: Meaning, sql: str, shown: Table) -> Table | None:
        """Return the rows of a meaning if they are those of the statement; beyond a screenful only their number is compared."""
        ours = self._rows(engine, meaning)
        if ours is None or shown is _NOTHING:
            return None
        if not (ours.more or shown.more):
            return ours if same_rows(ours.rows, shown.rows) else None
        listed = f"SELECT DISTINCT * FROM ({sql.strip().rstrip(';')}\n) AS listed"
        return ours if self._number(engine.statement(meaning)) == self._number(listed) else None

    def _number(self, sql: str) -> tuple[tuple[object, ...], ...]:
        return self._look(f"SELECT COUNT(*) AS number FROM ({sql}) AS counted").rows


def _holds(ours: Table, shown: Table) -> bool:
    return any({*map(str, shown.rows[0])} <= {*map(str, row)} for row in ours.rows)


def _in_order(ours: Table, shown: Table) -> Table | None:
    """Return our rows, with their keys, in the order of the statement's rows; None if they differ."""
    if len(ours.rows) != len(shown.rows) or ours.more or shown.more:
        return None
    left = [(row, frozenset(map(str, row))) for row in ours.rows]
    found: list[tuple[Any, ...]] = []
    for row in shown.rows:
        cells = frozenset(map(str, row))
        fitting = [one for one in left if cells <= one[1]]
        if len(fitting) != 1:
            return None
        found.append(fitting[0][0])
        left.remove(fitting[0])
    return Table(ours.columns, tuple(found))
