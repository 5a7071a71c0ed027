"""One corpus from annotations through `answers` to `verify`, `score` and `luck`."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from corpus.dataset import ndx
from corpus.export.madcow import export
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from tests.corpus.sessions import MemorySource, whole_session
from tests.evaluation.commands import answers, files, luck, score

PRINCIPLES = """
name = "small"
title = "a small set"
version = "1"
dated = 2026-01-01
[maximum.identify]
flight = ["flight_id", "airline_code"]
"""
FLIGHTS = "SELECT flight_id FROM flight WHERE origin = 'BOS';\n"
FOLDER = "spon/8k8/1"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """An exported corpus, annotated as figure 3 of MADCOW 1993 has it: the third sentence has two readings and one `.win`."""
    export(MemorySource(whole_session()), tmp_path / "corpus")
    with closing(sqlite3.connect(tmp_path / "small.sqlite")) as made:
        made.executescript(
            "CREATE TABLE flight (flight_id INTEGER, airline_code TEXT, origin TEXT);"
            "INSERT INTO flight VALUES (3, 'US', 'BOS'), (1, 'AA', 'BOS'), (2, 'AA', 'OAK');"
        )
    (tmp_path / "principles.toml").write_text(PRINCIPLES)
    two = "D:\ninterp#1: yes/no context-dep:Q1\ninterp#2: wh-ques context-dep:Q1\n"
    for stem, category, sentence in (
        ("8k8011sx", "A: wh-question\n", "list flights from boston\n"),
        ("8k8031sx", two, "are there flights from boston\n"),
    ):
        for kind, text in (("cat", category), ("win", sentence), ("sql", FLIGHTS)):
            (tmp_path / "corpus" / FOLDER / f"{stem}.{kind}").write_text(text)
    return tmp_path


def made(place: Path) -> None:
    """Make a new corpus with the answers of the annotated one."""
    status, _, err = answers(place, "small", out=str(place / "new"))
    assert status == 0, err


def errors(place: Path) -> list[str]:
    return [str(one) for one in verify(place / "new").findings if one.severity is Severity.ERROR]


def test_figure_3_goes_through_answers_verify_and_score(place: Path) -> None:
    made(place)
    assert (place / "new" / FOLDER / "8k8031sx.ref").read_text() == "(TRUE\n OR ((1)\n (3)))\n"
    annotated = [one for one in verify(place / "new").findings if one.path.startswith(f"{FOLDER}/8k8031sx.")]
    assert [one for one in annotated if one.rule.startswith(("answer.", "cat.", "ref.", "rf2.", "sql.", "sq2."))] == []
    assert errors(place) == []
    for right in ("TRUE", "((3) (1))"):
        one = files(place, one=f"8k8011sx ((1) (3))\n8k8031sx {right}\n")["one"]
        status, out, err = score(str(place / "new"), [one])
        assert (status, "2 requests scored" in out) == (0, True), err


def test_what_was_edited_since_it_was_frozen_serves_no_test(place: Path) -> None:
    made(place)
    one = files(place, one="8k8011sx ((1) (3))\n8k8031sx TRUE\n")["one"]
    database, folder = place / "small.sqlite", place / "new" / FOLDER
    assert luck(database, str(folder), str(folder), variants=1)[0] == 0
    for kind, old, new in (("ref", "3", "4"), ("cat", "wh-question", "wh-question ; re-read"), ("sql", "BOS", "OAK")):
        path = folder / f"8k8011sx.{kind}"
        before = path.read_text()
        path.write_text(before.replace(old, new))
        status, out, err = (
            luck(database, str(folder), str(folder)) if kind == "sql" else score(str(place / "new"), [one])
        )
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert f"{path}: edited since it was frozen" in err
        path.write_text(before)
    assert score(str(place / "new"), [one])[0] == 0


def test_no_answer_is_written_into_a_corpus(place: Path) -> None:
    before = {path: path.read_bytes() for path in (place / "corpus").rglob("*") if path.is_file()}
    status, out, err = answers(place, "small")
    assert (status, out) == (2, "")
    assert "is a corpus, which is derived and never edited; name a new one: --out NEW" in err
    made(place)
    assert {path: path.read_bytes() for path in (place / "corpus").rglob("*") if path.is_file()} == before
    assert answers(place, "small", out=str(place / "new"))[0] == 2
    assert answers(place, "small", out=str(place / "other"))[0] == 0


def test_answers_of_no_corpus_go_beside_their_sql(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    sqlite3.connect(tmp_path / "small.sqlite").close()
    (tmp_path / "principles.toml").write_text(PRINCIPLES)
    status, _, err = answers(tmp_path, "small", out=str(tmp_path / "new"))
    assert (status, "is not a corpus; its answers are written beside its .sql" in err) == (2, True)


def test_a_test_is_limited_to_the_utterances_of_a_list(place: Path) -> None:
    made(place)
    one = files(place, one="8k8011sx ((1) (3))\n8k8031sx FALSE\n")["one"]
    pool = place / "pool.ndx"
    pool.write_bytes(ndx.render("pool", [f"{FOLDER}/8k8011sx"]))
    status, out, err = score(str(place / "new"), [one], only=str(pool))
    assert (status, "1 requests scored" in out, "1 of 2 requests" in err) == (0, True, True)
    assert score(str(place / "new"), [one])[0] == 1
    pool.write_bytes(ndx.render("pool", [f"{FOLDER}/8k8091sx"]))
    status, _, err = score(str(place / "new"), [one], only=str(pool))
    assert (status, "none of its utterances has a reference in this test" in err) == (2, True)
    pool.write_text("spon/8k8/1/other\n")
    assert score(str(place / "new"), [one], only=str(pool))[0] == 2
