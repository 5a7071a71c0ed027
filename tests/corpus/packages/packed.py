"""A corpus to make packages of, and the call that makes one."""

import sqlite3
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import msgspec
import pytest

from corpus.dataset.reader import Corpus
from corpus.packages.formats import ExportFormat
from corpus.packages.package_writer import contents_of
from corpus.packages.writers import write_package
from session import events as e
from tests.corpus.corpora import corpus_of, session_of
from tests.corpus.sessions import Script


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two sites, three speakers; one utterance never transcribed, one without a word."""
    scripts = [session_of("bbn", "8k2", "f"), session_of("bbn", "8k1", "m", 2), session_of("cmu", "9a1", "f")]
    say(scripts[0], "8k2A2", "")
    say(scripts[1], "8k1A2", "~~")
    return corpus_of(tmp_path_factory.mktemp("packages") / "corpus", *scripts)


def say(script: Script, take: str, text: str) -> None:
    script.facts = [
        msgspec.structs.replace(fact, event=msgspec.structs.replace(fact.event, text=text))
        if isinstance(fact.event, e.Transcribed) and fact.event.take == take
        else fact
        for fact in script.facts
        if text or not (isinstance(fact.event, e.Transcribed) and fact.event.take == take)
    ]


SOUNDLESS = frozenset({"trn", "stm", "csv", "dialogues", "text2sql"})
"""Formats in which no sample is."""
ARCHIVED = frozenset({"webdataset", "shar", "elan", "chat", "parquet"})
"""Formats whose waveforms lie in archives or are put together."""
WRITABLE = tuple(form for form in ExportFormat if form != "parquet" or find_spec("pyarrow"))
"""Formats that can be written here: one needs an extra."""


def toy_database(folder: Path) -> Path:
    """A database for the format that holds one."""
    with closing(sqlite3.connect(folder / "toy.sqlite")) as link:
        link.execute("CREATE TABLE IF NOT EXISTS city (name TEXT)")
    return folder / "toy.sqlite"


def pack(corpus: Path, target: Path, form: str) -> Path:
    found = contents_of(Corpus(corpus), database=lambda _: toy_database(corpus.parent))
    write_package(found, target, ExportFormat(form))
    return target
