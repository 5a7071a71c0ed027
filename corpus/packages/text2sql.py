"""Questions with their SQL, in the forms of the public text-to-SQL sets, with the database itself.

`spider.json` and `tables.json` follow Spider (Yu and others 2018), `bird.json` BIRD (Li and others 2023), `cosql.json` the
sequences of CoSQL (Yu and others 2019). The SQL of an utterance is that of its annotation, one question an interpretation; where
nobody has annotated, it is the statement whose rows the subject was sent.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec

from corpus.formats.errors import counted
from corpus.io.staging import Refused, Staging
from corpus.packages.dialogues import Dialogue, dialogues
from corpus.packages.package_writer import Contents, PackageSummary

HOW = """\
spider.json, bird.json and cosql.json hold the same questions in the forms of these three sets: one entry an interpretation, and
in cosql.json one a subject-scenario, with the first interpretation of each question. tables.json is the schema in Spider's form;
database/ID/ID.sqlite is the database. source tells whether the SQL is an annotator's (reference) or the session's (session).
evidence of bird.json says which day "today" was."""
_TYPES = (
    ("time", ("date", "time")),
    ("boolean", ("bool",)),
    ("number", ("int", "real", "num", "dec", "float", "double")),
)


class QuestionPair(msgspec.Struct, frozen=True):
    """A question and the SQL of one of its interpretations, counted from 1."""

    utterance: str
    db_id: str
    question: str
    query: str
    interpretation: int
    source: str
    evidence: str


class SpiderSchema(msgspec.Struct, frozen=True):
    """A database in the form of Spider's `tables.json`; columns and tables are numbered, column 0 stands for `*`."""

    db_id: str
    table_names_original: tuple[str, ...]
    table_names: tuple[str, ...]
    column_names_original: tuple[tuple[int, str], ...]
    column_names: tuple[tuple[int, str], ...]
    column_types: tuple[str, ...]
    primary_keys: tuple[int, ...]
    foreign_keys: tuple[tuple[int, int], ...]


def write(contents: Contents, staging: Staging) -> PackageSummary:
    """Write the pairs in three forms, the schemas and the databases."""
    found = [(dialogue, [*_pairs(dialogue)]) for dialogue in dialogues(contents)]
    pairs = [pair for _, own in found for pair in own]
    if not pairs:
        raise Refused(
            "no utterance has both words and SQL: nothing was asked of the database, or nobody wrote down what was"
        )
    spider = [
        {
            "db_id": pair.db_id,
            "question": pair.question,
            "query": pair.query,
            "utterance": pair.utterance,
            "interpretation": pair.interpretation,
            "source": pair.source,
        }
        for pair in pairs
    ]
    bird = [
        {
            "question_id": number,
            "db_id": pair.db_id,
            "question": pair.question,
            "evidence": pair.evidence,
            "SQL": pair.query,
        }
        for number, pair in enumerate(pairs)
    ]
    schemas: list[SpiderSchema] = []
    for name, file in _databases(contents, sorted({pair.db_id for pair in pairs})).items():
        schemas.append(schema_of(file, name))
        staging.write(f"database/{name}/{name}.sqlite", file.read_bytes())
    for path, value in (
        ("spider.json", spider), ("bird.json", bird), ("cosql.json", _sequences(found)), ("tables.json", schemas),
    ):  # fmt: skip
        staging.write(path, msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n")
    asked = sum(bool(turn.speech.words) for dialogue, _ in found for turn in dialogue.turns)
    answered = len({pair.utterance for pair in pairs})
    notes = (f"{counted(asked - answered, 'utterance')} without SQL",) if asked > answered else ()
    return PackageSummary(answered, len({dialogue.speaker for dialogue, own in found if own}), HOW, notes)


def _pairs(dialogue: Dialogue) -> Iterator[QuestionPair]:
    evidence = f'"today" is {dialogue.today}' if dialogue.today else ""
    for turn in dialogue.turns:
        statements, source = turn.annotations.interpretations, "reference"
        if not turn.annotations.evaluation:
            statements, source = (
                tuple(request.sql for request in turn.requests if request.sent and request.sql)[-1:],
                "session",
            )
        for number, statement in enumerate(statements, start=1):
            if words := turn.speech.words:
                query = " ".join(statement.split()) if source == "session" and "'" not in statement else statement
                yield QuestionPair(
                    turn.utterance, dialogue.domain or "database", words, query, number, source, evidence
                )


def _sequences(found: list[tuple[Dialogue, list[QuestionPair]]]) -> list[dict[str, object]]:
    """One entry a subject-scenario that has a question: its questions in their order, and the last of them as the goal."""
    made: list[dict[str, object]] = []
    for dialogue, pairs in found:
        asked = [{"utterance": pair.question, "query": pair.query} for pair in pairs if pair.interpretation == 1]
        if asked:
            made.append({"id": dialogue.id, "database_id": pairs[0].db_id, "interaction": asked, "final": asked[-1]})
    return made


def _databases(contents: Contents, domains: list[str]) -> dict[str, Path]:
    """The SQLite file of each domain; raises `Refused` if one is not to be had, or one file would stand for several."""
    if contents.database is None:
        raise Refused("text2sql holds the database that was asked; name its SQLite file: --database FILE")
    found = {domain: contents.database(domain) for domain in domains}
    if len(set(found.values())) < len(found):
        raise Refused(
            f"{' and '.join(domains)} have databases of their own: one --database cannot stand for them; leave it out for those "
            "that ship, or export the sessions of each from their study, with --session"
        )
    return found


def schema_of(file: Path, name: str) -> SpiderSchema:
    """The schema of a SQLite file; raises `Refused` for what is none."""
    try:
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as link:
            return _read(link, name)
    except sqlite3.Error as error:
        raise Refused(f"{file} cannot be read as a SQLite database ({error}); name another: --database FILE") from None


def _read(link: sqlite3.Connection, name: str) -> SpiderSchema:
    listed = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
    tables = tuple(table for (table,) in link.execute(listed))
    columns: list[tuple[int, str]] = [(-1, "*")]
    types, keys = ["text"], list[int]()
    for number, table in enumerate(tables):
        for column, kind, key in link.execute("SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid", (table,)):
            keys += [len(columns)] * bool(key)
            columns.append((number, column))
            types.append(_kind(kind))
    numbers = {(tables[table], column): place for place, (table, column) in enumerate(columns) if place}
    foreign = [
        (numbers[table, own], numbers[other, theirs])
        for table in tables
        for other, own, theirs in link.execute('SELECT "table", "from", "to" FROM pragma_foreign_key_list(?)', (table,))
        if (table, own) in numbers and (other, theirs) in numbers
    ]
    spoken = tuple((table, column.replace("_", " ")) for table, column in columns)
    names = tuple(table.replace("_", " ") for table in tables)
    return SpiderSchema(name, tables, names, tuple(columns), spoken, tuple(types), tuple(keys), tuple(foreign))


def _kind(declared: str) -> str:
    """The kind of a column in Spider's words."""
    low = declared.lower()
    return next((kind for kind, signs in _TYPES if any(sign in low for sign in signs)), "text")
