"""The English-to-SQL engine: one request in, readings with SQL, paraphrase and confidence out.

Built once from a domain folder and its database, then unchanging: `ask` reads no clock, no file and no database, so it
may be called from any thread and gives the same for the same request.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import msgspec
from sqlalchemy import Engine as Database
from sqlalchemy import MetaData, create_engine

from domain.english.joins import JoinPlanner
from domain.english.meaning import Meaning
from domain.english.model import Conventions, DomainError, DomainModel, load_domain
from domain.english.paraphrase import paraphrase
from domain.english.parsing import Parsed, parse
from domain.english.rendering import Renderer
from domain.english.tagging import Lexicon, cover
from domain.english.times import Today
from domain.english.values import index_values
from domain.english.words import read_words


class Reading(msgspec.Struct, frozen=True):
    """One way to understand a request. `minimal_columns` are what the minimal answer consists of; the other columns
    of `sql` identify rows on a screen. `unused` are words that had no part in it; `principles` are cited by id."""

    sql: str
    paraphrase: str
    confidence: float
    unused: tuple[str, ...]
    minimal_columns: tuple[str, ...]
    principles: tuple[str, ...]
    meaning: Meaning


class Answered(msgspec.Struct, frozen=True):
    """All readings of a request, the likeliest first, none when it was not understood; and, when the request leaves
    something necessary open, the question that a system would ask. `unused` tells a wizard which words stood in the
    way where there is no reading."""

    readings: tuple[Reading, ...] = ()
    clarification: str | None = None
    unused: tuple[str, ...] = ()


class Engine:
    """English to SQL over one database, as its domain folder says."""

    def __init__(self, domain_folder: Path, database_url: str | Database, today: date | None = None) -> None:
        self.model: DomainModel = load_domain(domain_folder)
        own = isinstance(database_url, str)
        database = create_engine(database_url) if isinstance(database_url, str) else database_url
        try:
            self._schema = MetaData()
            self._schema.reflect(database)
            with database.connect() as link:
                values = index_values(self.model, self._schema, link)
        finally:
            if own:
                database.dispose()
        self._dialect = database.dialect
        about = self.model.domain
        day = today or (date.fromisoformat(about.today) if about.today else date.today())  # noqa: DTZ011
        self._lexicon = Lexicon(self.model, values)
        self.conventions = self.model.principles.get(about.principles, Conventions())
        fixed = {word: date.fromisoformat(d) for word, d in self.conventions.dates.items()}
        self._today = Today(day, about.year or day.year, fixed)
        self._planner = JoinPlanner(self.model, self._schema)
        self._renderer = Renderer(self.model, self._schema, self._planner, self.conventions)

    def ask(self, text: str, context: Sequence[str] = ()) -> Answered:
        """Readings of a request; `context` are earlier requests of the dialogue, oldest first."""
        parsed = self._parsed(text)
        if parsed is None or parsed.refused:
            return Answered(unused=parsed.unused if parsed else ())
        if parsed.confidence < self.model.domain.threshold:
            return Answered(unused=parsed.unused)
        try:
            return Answered((self._reading(parsed),), unused=parsed.unused)
        except DomainError:
            return Answered(unused=parsed.unused)

    def _parsed(self, text: str) -> Parsed | None:
        tokens = read_words(text)
        if not tokens:
            return None
        return parse(self.model, cover(self._lexicon, tokens, self._today))

    def _reading(self, parsed: Parsed) -> Reading:
        statement, minimal = self._renderer.render(parsed.meaning)
        compiled = statement.compile(dialect=self._dialect, compile_kwargs={"literal_binds": True})
        return Reading(
            str(compiled), paraphrase(self.model, parsed.meaning), parsed.confidence, parsed.unused, minimal, (),
            parsed.meaning,
        )  # fmt: skip
