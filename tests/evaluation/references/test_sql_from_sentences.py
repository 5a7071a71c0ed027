"""`.sql` out of `.win`, on the library of the engine's tests."""

from pathlib import Path
from typing import Any

import pytest

from corpus.formats import sql
from tests.domain.english.conftest import DOMAIN, ROWS, TABLES
from tests.evaluation.commands import answers
from tests.sqlite_files import fill

GOLDEN = Path(__file__).parents[2] / "golden" / "corpus"
PRINCIPLES = """
name = "plain"
title = "a set"
version = "1"
dated = 2026-01-01
[maximum.identify]
book = ["book_id", "title"]
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    fill(tmp_path / "library.sqlite", TABLES, ROWS)  # type: ignore[arg-type]
    (tmp_path / "domain.toml").write_text(DOMAIN)
    (tmp_path / "principles.toml").write_text(PRINCIPLES)
    (tmp_path / "corpus").mkdir()
    return tmp_path


def write(place: Path, **files: str) -> None:
    for kind, text in files.items():
        (place / "corpus" / f"8k8011sx.{kind}").write_text(text)


def read(place: Path, kind: str) -> str:
    return (place / "corpus" / f"8k8011sx.{kind}").read_text()


def run(place: Path, **options: Any) -> tuple[int, str, str]:
    return answers(place, "plain", sentences=True, **options)


def test_sql_is_made_from_the_sentences_and_made_again_to_the_byte(place: Path) -> None:
    write(
        place,
        win="list books at norton\nhow many books at norton\n",
        cat="A: testably-ambiguous\ninterp#1:\ninterp#2:\n",
    )
    assert run(place)[0] == 0
    made = {kind: read(place, kind) for kind in ("sql", "sq2", "ref", "rf2")}
    first, second = sql.parse(made["sql"], "x.sql").statements
    assert first.startswith("SELECT DISTINCT book.book_id AS book_id FROM book ")  # the title is for the screen alone
    assert second.startswith("SELECT COUNT(DISTINCT book.book_id)")
    assert made["ref"] == "(((1))\n OR ((1)))\n"
    assert run(place, check=True) == (0, "", "")
    for kind in made:
        (place / "corpus" / f"8k8011sx.{kind}").unlink()
    assert run(place)[0] == 0
    assert {kind: read(place, kind) for kind in made} == made


def test_sql_that_its_sentence_does_not_give_is_told(place: Path) -> None:
    write(place, win="list books from norton\n", sql="SELECT book_id FROM book;\n")
    status, out, _ = run(place, check=True)
    assert status == 1
    assert "8k8011sx.sql: differs from what the .win gives" in out
    assert run(place)[0] == 2  # nothing is replaced unasked
    assert read(place, "sql") == "SELECT book_id FROM book;\n"


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("list books from norton about sailing", "'list books from norton about sailing': no meaning is known of "),
        ("colourless green ideas", "; reword it, or write the .sql by hand"),
    ],
)
def test_a_sentence_that_is_not_understood_to_the_last_word_gives_nothing(place: Path, sentence: str, why: str) -> None:
    write(place, win=f"{sentence}\n")
    status, _, err = run(place)
    assert status == 1
    assert "8k8011sx.win: " in err
    assert why in err
    assert not list((place / "corpus").glob("*.sql"))


def test_class_x_gets_no_sql_and_readings_are_counted(place: Path) -> None:
    write(place, win="list books\n", cat="X: ill-formed\n")
    assert run(place)[0] == 0
    assert not list((place / "corpus").glob("*.sql"))
    write(place, cat="A:\ninterp#1: wh-question\ninterp#2: wh-question\n")
    status, _, err = run(place)
    assert status == 2
    assert "8k8011sx.win: 1 sentences, 2 interpretations in 8k8011sx.cat" in err


def test_the_day_of_a_sentence_is_said_by_call_or_domain(place: Path) -> None:
    (place / "domain.toml").write_text(DOMAIN.replace('today = "1991-06-03"\n', ""))
    write(place, win="list books from norton\n")
    status, _, err = run(place)
    assert (status, "say --today DATE" in err) == (2, True)
    assert run(place, day="1991-06-03")[0] == 0


def test_a_sentence_is_understood_on_the_day_of_its_log_unless_the_call_says_another(place: Path) -> None:
    dated = DOMAIN.replace("[attribute.day.accepts]", '[attribute.day.accepts]\ndate = "loan.day_name"')
    (place / "domain.toml").write_text(dated)
    write(place, win="list loans tomorrow\n")
    log = (GOLDEN / "8k8001sx.log").read_text()
    assert "[Today:] 1991-11-21\n" in log
    domains, logs, calls = "1991-06-04", "1991-11-22", "1991-07-02"

    def made(**options: Any) -> str:
        status, _, err = run(place, replace=True, **options)
        assert status == 0, err
        return read(place, "sql")

    assert domains in made()
    (place / "corpus" / "8k8001sx.log").write_text(log)
    assert logs in made()
    assert calls in made(day="1991-07-01")
    (place / "corpus" / "8k8001sx.log").write_text(log.replace("[Today:] 1991-11-21", "[Today:] soon"))
    status, _, err = run(place)
    assert (status, "8k8001sx.log: [Today: soon] is not a date" in err) == (2, True)
    assert calls in made(day="1991-07-01")
