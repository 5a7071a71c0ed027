"""One corpus from annotations through `answers` to `verify`, `score` and `luck`."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

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


def errors(place: Path) -> list[str]:
    return [str(one) for one in verify(place / "corpus").findings if one.severity is Severity.ERROR]


def test_figure_3_goes_through_answers_verify_and_score(place: Path) -> None:
    status, _, err = answers(place, "small")
    assert status == 0, err
    assert (place / "corpus" / FOLDER / "8k8031sx.ref").read_text() == "(TRUE\n OR ((1)\n (3)))\n"
    annotated = [one for one in verify(place / "corpus").findings if one.path.startswith(f"{FOLDER}/8k8031sx.")]
    assert [one for one in annotated if one.rule.startswith(("answer.", "cat.", "ref.", "rf2.", "sql.", "sq2."))] == []
    assert errors(place) == []
    for right in ("TRUE", "((3) (1))"):
        one = files(place, one=f"8k8011sx ((1) (3))\n8k8031sx {right}\n")["one"]
        status, out, err = score(str(place / "corpus"), [one])
        assert (status, "2 requests scored" in out) == (0, True), err


def test_what_was_edited_since_it_was_frozen_serves_no_test(place: Path) -> None:
    assert answers(place, "small")[0] == 0
    one = files(place, one="8k8011sx ((1) (3))\n8k8031sx TRUE\n")["one"]
    database, folder = place / "small.sqlite", place / "corpus" / FOLDER
    assert luck(database, str(folder), str(folder), variants=1)[0] == 0
    for kind, old, new in (("ref", "3", "4"), ("cat", "wh-question", "wh-question ; read anew"), ("sql", "BOS", "OAK")):
        path = folder / f"8k8011sx.{kind}"
        before = path.read_text()
        path.write_text(before.replace(old, new))
        status, out, err = (
            luck(database, str(folder), str(folder)) if kind == "sql" else score(str(place / "corpus"), [one])
        )
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert f"{path}: edited since it was frozen" in err
        path.write_text(before)
    assert score(str(place / "corpus"), [one])[0] == 0
