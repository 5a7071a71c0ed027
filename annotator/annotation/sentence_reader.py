"""Sentences of a `.win` read while they are written: paraphrase, statement, rows, the principles that they rest on.

The same front end and the same program make the reference answers later, so that what is shown is what will be released.
"""

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import msgspec

from annotator.annotation.annotation_rules import sentences
from corpus.formats import sql, win
from domain.database.build import DatabaseError
from domain.english.engine import Engine
from domain.english.model.domain import DomainError, load_domain
from domain.principles import PrincipleSet, load
from domain.sandbox.sandbox import Limits, Sandbox
from evaluation.references.make_references import ReferenceFiles, RefusedRequest, make
from evaluation.references.request_readings import UnreadableSql, normal
from evaluation.references.sql_from_sentences import NotUnderstood, minimal
from session.annotation.annotation_facts import Annotation
from session.values.answers import QueryFailure, Table

SHOWN_ROWS = 200
MOST_WORDS = 40
KEPT = 500
KEPT_ENGINES = 4
"""An engine is of one date; a corpus has few, and each holds the words of the whole database."""


class SentenceRead(msgspec.Struct, frozen=True):
    """A sentence as the front end understands it; `problem` says why it does not."""

    paraphrase: str = ""
    statement: str = ""
    principles: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[object, ...], ...] = ()
    more: bool = False
    problem: str = ""


class SentenceReader:
    """Over one domain, its database and a set of its principles. Raises what these raise, and ValueError."""

    def __init__(self, domain: Path, database: str, principles: str = "", rows: int = SHOWN_ROWS) -> None:
        self._domain, self._url = domain, database
        self._engines: dict[str, Engine] = {}
        described = load_domain(domain).domain
        self.names = frozenset({domain.resolve().name, "_".join(described.name.split())})
        """What a log may call the domain: by its folder, as a study does, or by its own name."""
        self._name = principles or described.principles
        self.principles: PrincipleSet = load(domain, self._name)
        self._shown = Sandbox(database, Limits(rows=rows, seconds=5.0))
        self._whole = Sandbox(database, Limits(rows=200_000, bytes=400_000_000, seconds=60.0))
        self._tables: dict[str, list[str]] = {}
        self._known: dict[tuple[str, str], SentenceRead] = {}

    @property
    def source(self) -> tuple[Path, str, str]:
        """The domain's folder, the database and the principles that it reads with."""
        return self._domain, self._url, self._name

    def close(self) -> None:
        """Let go of the database."""
        self._shown.close()
        self._whole.close()

    def _understood(self, sentence: str, day: str) -> SentenceRead:
        if not sentence.strip():
            return SentenceRead()
        answered = self._engine(day).ask(sentence)
        left = answered.readings[0].unused if answered.readings else answered.unused
        if not answered.readings or left:
            return SentenceRead(problem=f"no meaning is known of {', '.join(left)}" if left else "not understood")
        reading = answered.readings[0]
        if reading.undecided:
            return SentenceRead(problem=f"{reading.undecided!r} may be a.m. or p.m.: write a sentence for each reading")
        try:
            statement = minimal(reading, self._dialect)
            table: Table = self._shown.run(statement)
        except (NotUnderstood, QueryFailure) as error:
            return SentenceRead(reading.paraphrase, problem=str(error))
        rows = tuple(tuple(row) for row in table.rows)
        names = tuple(column if isinstance(column, str) else str(column) for column in table.columns)
        return SentenceRead(reading.paraphrase, statement, reading.principles, names, rows, table.more)

    def read(self, sentence: str, day: str = "") -> SentenceRead:
        """Return the meaning of a sentence on this day, with the first rows of its minimal answer."""
        asked = " ".join(sentence.split()), day
        if asked not in self._known:
            read = self._understood(*asked)
            if read.problem:
                return read
            self._known = dict(list(self._known.items())[-KEPT:]) | {asked: read}
        return self._known[asked]

    def words(self, begun: str) -> Sequence[str]:
        """The words of the domain that begin so, for completion."""
        engine = next(iter(self._engines.values()), None) or self._engine("")
        known = engine.lexicon.vocabulary
        return sorted(word for word in known if word.startswith(begun.casefold()))[:MOST_WORDS]

    def statements(self, annotation: Annotation, day: str = "") -> tuple[str, ...]:
        """The canonical statement of every line of the `.win`; raises NotUnderstood."""
        found = []
        for sentence in sentences(annotation):
            read = self.read(sentence, day)
            if read.problem:
                raise NotUnderstood(f"{sentence!r}: {read.problem}")
            found.append(read.statement)
        return tuple(found)

    def meaning(self, annotation: Annotation, day: str = "") -> str:
        """The statements without names of aliases and order of conditions; the words where they cannot be read; X for X."""
        if annotation.evaluation == "X":
            return "X"
        try:
            return " | ".join(sorted(normal(statement) for statement in self.statements(annotation, day)))
        except (NotUnderstood, UnreadableSql):
            return " | ".join(sorted(sentences(annotation)))

    def files(self, annotation: Annotation, day: str = "") -> dict[str, bytes]:
        """`.win`, `.sql`, `.sq2`, `.ref` and `.rf2` by program; raises NotUnderstood or Refused, which names a missing value."""
        statements = self.statements(annotation, day)
        made = self._made(annotation, statements)
        return {
            "win": win.render(win.Sentences(sentences(annotation))),
            "sql": sql.render(sql.Statements(statements)),
            **{kind: getattr(made, kind) for kind in ("ref", "sq2", "rf2")},
        }

    def refusal(self, annotation: Annotation, day: str = "") -> str:
        """Return why no reference answers can be made of this annotation; empty if they can."""
        try:
            self.files(annotation, day)
        except (NotUnderstood, RefusedRequest) as error:
            return str(error)
        return ""

    def _made(self, annotation: Annotation, statements: Sequence[str]) -> ReferenceFiles:
        if not self._tables:
            schema = self._whole.schema()
            self._tables = {table.name: [column.name for column in table.columns] for table in schema.tables}
        tags = {*annotation.tags, *(tag for reading in annotation.readings for tag in reading.tags)}
        parted = len(annotation.readings) > 1
        truths = tuple("yes/no" in reading.tags for reading in annotation.readings) if parted else ()
        return make(
            statements, self.principles, self._whole, self._tables, yes_no="yes/no" in tags, interpretations=truths
        )

    @property
    def _dialect(self) -> str:
        return "postgres" if self._shown.dialect == "postgresql" else self._shown.dialect

    def _engine(self, day: str) -> Engine:
        if day not in self._engines:
            today = date.fromisoformat(day) if day else None
            if len(self._engines) >= KEPT_ENGINES:
                del self._engines[next(iter(self._engines))]
            self._engines[day] = Engine(self._domain, self._url, today, self._name)
        return self._engines[day]


FAULTS = (DomainError, DatabaseError)
"""What a domain or its database may be at fault with."""
