"""Reference answers made from sentences are what the printed principles say, rule by rule, and what annotators are shown is what
they are made from: front end, `answers` and annotation desk obey one source."""

import sqlite3
from contextlib import closing
from decimal import Decimal
from pathlib import Path

import pytest

from annotator.annotation.sentence_reader import SentenceReader
from corpus.formats.cas import Relation, parse
from domain.database.build import open_database
from domain.principles import load
from tests import SECONDS, THOROUGH
from tests.domain.english.principle_cases import SCENARIOS, SETS, cases, decided, statement
from tests.evaluation.commands import answers

LARGE = {"identified flight", "identified fare"}
"""Tens of thousands of rows that show nothing more."""


@pytest.fixture(scope="module")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the databases of the domains are built, once."""
    return tmp_path_factory.mktemp("databases")


@pytest.mark.parametrize(("domain", "name"), SETS)
def test_references_are_made_by_the_principles_as_printed(
    domain: str, name: str, databases: Path, tmp_path: Path
) -> None:
    if name == "references" and not THOROUGH:
        pytest.skip(SECONDS)
    database = open_database(SCENARIOS / domain, databases)
    built = Path(database.url.removeprefix("sqlite:///"))
    (tmp_path / built.name).hardlink_to(built)
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    few = {key: case for key, case in cases(domain, name).items() if key not in LARGE}
    named = {f"{100 + n:03d}011sx": item for n, item in enumerate(few.items())}
    for stem, (_, case) in named.items():
        (corpus / f"{stem}.win").write_text(case.request + "\n")
    status, _, output = answers(tmp_path, name, domain=str(SCENARIOS / domain), sentences=True)
    assert (status, output) == (0, "")
    desk = SentenceReader(SCENARIOS / domain, database.url, name)
    for stem, (_, case) in named.items():
        read = desk.read(case.request)
        assert (read.problem, f"{read.statement};") == ("", (corpus / f"{stem}.sql").read_text().strip()), case.request
    desk.close()
    rules = decided(load(SCENARIOS / domain, name))
    with closing(sqlite3.connect(built)) as link:
        for stem, (key, case) in named.items():
            first = parse((corpus / f"{stem}.ref").read_text()).alternatives[0]
            assert isinstance(first, Relation)
            rows = link.execute(statement(case, rules[key]))
            by_hand = {tuple(Decimal(str(v)) if isinstance(v, float) else v for v in row) for row in rows}
            assert first.rows, key
            assert set(first.rows) == by_hand, key
