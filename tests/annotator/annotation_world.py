"""A corpus of two rehearsed sessions with the air-travel database, and scripted people who annotate it."""

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import sqlalchemy as sa

import scenarios
from annotator.annotate_command import AnnotateOptions, annotate_command
from annotator.annotation import annotation_rules as rules
from annotator.annotation.annotating import Annotating
from annotator.annotation.sentence_reader import SentenceReader
from corpus.dataset.reader import Corpus
from domain.database.build import open_database
from session.annotation.annotation_facts import Annotation
from session.annotation.store import Work, work_path
from tests.annotator.desk import HandClock
from tests.corpus.corpora import corpus_of, session_of
from tests.scratch import scratch_folder

AIR = Path(scenarios.__file__).parent / "air_travel"
FIRST, SECOND, THIRD = "8k8011sx", "8k8021sx", "8k8031sx"
FLIGHTS = "flights from boston to denver"
Change = Callable[[Annotation], Annotation]


@cache
def database() -> str:
    return open_database(AIR, scratch_folder("air")).url


class Kept(SentenceReader):
    """A reader that outlives one call, for all that asks the same."""

    def close(self) -> None:
        pass


@cache
def kept(domain: Path, url: str, principles: str = "") -> SentenceReader:
    return Kept(domain, url, principles)


def reader() -> SentenceReader:
    return kept(AIR, database(), "")


class Bench:
    """A corpus, its later work, and as many people as are asked for."""

    def __init__(self, folder: Path) -> None:
        self.root = corpus_of(folder / "corpus", session_of("bbn", "8k8"), session_of("bbn", "8k9", number=2))
        self.clock = HandClock()
        self.work = Work(work_path(self.root))

    def person(self, name: str) -> Annotating:
        return Annotating(Corpus(self.root), self.work, name, self.clock, reader())

    def run(self, **given: Any) -> tuple[int, str, str]:
        """Call the command over the corpus; its end, what it printed and what it told."""
        out, err = io.StringIO(), io.StringIO()
        full = {"domain": str(AIR), "database": database(), **given}
        with patch("annotator.annotate_command.SentenceReader", kept if full["domain"] == str(AIR) else SentenceReader):
            status = annotate_command(AnnotateOptions(str(self.root), **full), out, err)
        return status, out.getvalue(), err.getvalue()

    def close(self) -> None:
        self.work.close()


def wh(sentence: str) -> Change:
    return lambda one: rules.with_sentence(rules.tagged(rules.classed(one, "A"), "wh-question"), 0, sentence)


def yes_no(sentence: str, pointer: str) -> Change:
    return lambda one: rules.as_yes_no(
        rules.with_sentence(rules.pointed(rules.classed(one, "D"), pointer), 0, sentence)
    )


def excluded(reason: str, detail: str = "") -> Change:
    return lambda one: rules.excluded(one, reason, detail)


def annotated(desk: Annotating, stem: str, change: Change, seconds: float = 20.0) -> None:
    """Annotate one utterance and submit it."""
    desk.open(stem)
    desk._clock.wait(seconds)  # type: ignore[attr-defined]
    desk.change(change(desk.annotation))
    desk.submit()


@contextmanager
def own_schema(server: str) -> Iterator[str]:
    """The URL of an empty schema in a PostgreSQL database."""
    schema = f"curtain_{uuid4().hex}"
    engine = sa.create_engine(server, isolation_level="AUTOCOMMIT", poolclass=sa.pool.NullPool)
    with engine.connect() as connection:
        connection.exec_driver_sql(f"CREATE SCHEMA {schema}")
    own = sa.make_url(server).update_query_dict({"options": f"-csearch_path={schema}"})
    yield own.render_as_string(hide_password=False)
    with engine.connect() as connection:
        connection.exec_driver_sql(f"DROP SCHEMA {schema} CASCADE")
    engine.dispose()
