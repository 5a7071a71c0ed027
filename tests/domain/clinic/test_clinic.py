"""A third domain: a hundred requests, sealed before its folder was learnt, answered as learnt and after a few edits."""

import hashlib
import json
import sqlite3
from collections import Counter
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from benchmarks.english import Runner, judge
from benchmarks.understanding import dialogues
from benchmarks.understanding.edited_domain import write_edited
from domain.english.engine import Engine
from domain.learn.learn import learn_command
from tests.domain.clinic.database import build

HERE = Path(__file__).parent
SEALED = "248821112fe71ec0f1e14e10b7008d507b7c9b91783ff0245685ed8ede04edc0"
MOST_EDITED = 60


def verdicts(domain: Path, file: Path) -> Counter[str]:
    """How the requests fare; one that the database cannot answer is right without an answer."""
    engine = Engine(domain, f"sqlite:///{file}", date(2025, 6, 1))
    runner = Runner(str(file), None)
    counted: Counter[str] = Counter()
    for line in (HERE / "requests.jsonl").read_text().splitlines():
        request = json.loads(line)
        readings = engine.ask(request["question"]).readings
        sql = readings[0].sql if readings else None
        unanswerable = "wrong" if sql else "right"
        counted[judge(runner, request["sql"], sql) if request["sql"] else unanswerable] += 1
    runner.close()
    return counted


@pytest.fixture(scope="module")
def clinic(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """(the database, what was learnt of it)"""
    folder = tmp_path_factory.mktemp("clinic")
    url = build(folder / "clinic.sqlite")
    with (folder / "told").open("w") as log:
        assert learn_command(url, str(folder / "learnt"), log, log) == 0
    return folder / "clinic.sqlite", folder / "learnt"


def test_the_requests_are_the_sealed_ones() -> None:
    assert hashlib.sha256((HERE / "requests.jsonl").read_bytes()).hexdigest() == SEALED


def test_what_is_learnt_answers_most_requests(clinic: tuple[Path, Path]) -> None:
    file, learnt = clinic
    found = verdicts(learnt, file)
    assert found["right"] >= 97
    assert found["wrong"] <= 1


def test_a_few_edits_answer_nearly_all(clinic: tuple[Path, Path], tmp_path: Path) -> None:
    file, learnt = clinic
    edits = (HERE / "edits.toml").read_text()
    assert len(edits.splitlines()) <= MOST_EDITED
    write_edited(learnt, HERE / "edits.toml", tmp_path)
    found = verdicts(tmp_path, file)
    assert found["right"] >= 98
    assert found["wrong"] <= 1


def test_what_could_be_said_of_something_else_is_not_guessed(clinic: tuple[Path, Path]) -> None:
    engine = Engine(clinic[1], f"sqlite:///{clinic[0]}", date(2025, 6, 1))
    shift = engine.ask("no the day shift", ["nurses on the night shift"]).readings[0]
    assert shift.paraphrase == "nurses shift day"
    context = ["who's on nights in pediatrics"]
    assert engine.ask("evenings", context).readings[0].carried == "department Pediatrics"
    assert engine.ask("claytons", context).readings[0].carried == ""


OF_AGES = [
    ("how many patients are over sixty five", "birth_date < '1960-06-01'"),
    ("how many patients are under eighteen", "birth_date > '2007-06-01'"),
    ("how many patients are at least 30 years old", "birth_date <= '1995-06-01'"),
    ("how many patients are aged between 30 and 40", "birth_date > '1984-06-01' AND birth_date <= '1995-06-01'"),
    ("how many patients are aged 40", "birth_date > '1984-06-01' AND birth_date <= '1985-06-01'"),
]


@pytest.mark.parametrize(("request_", "test"), OF_AGES)
def test_ages_are_counted_from_the_day_of_birth(clinic: tuple[Path, Path], request_: str, test: str) -> None:
    reading = Engine(clinic[1], f"sqlite:///{clinic[0]}", date(2025, 6, 1)).ask(request_).readings[0]
    with closing(sqlite3.connect(clinic[0])) as link:
        wanted = link.execute(f"SELECT COUNT(*) FROM patient WHERE {test}").fetchone()
        assert link.execute(reading.sql).fetchone() == wanted
    assert "aged" in reading.paraphrase


LEARNT = [
    ("which nurse in pediatrics has been here longest", "picks", "MIN(nurse_2.hire_date)"),
    ("which appointments were cancelled last month", "holds", "appointment_date >= '2025-05-01'"),
    ("how many appointments has doctor ramsey had this year", "holds", "appointment_date < '2026-01-01'"),
    ("doctors hired in the nineties", "holds", "hire_date >= '1990-01-01'"),
    ("doctors who have been here since before 2010", "holds", "doctor.hire_date < '2010-01-01'"),
    ("which doctors charge less than 90", "holds", "doctor.consultation_fee < 90"),
    ("which doctors work on the second floor", "holds", "floor = 2"),
    ("medications made by corvin", "holds", "manufacturer = 'Corvin'"),
    ("where do the patients with asthma live", "asks", "patient.town"),
]


@pytest.mark.parametrize(("request_", "does", "piece"), LEARNT)
def test_what_people_say_of_a_column(clinic: tuple[Path, Path], request_: str, does: str, piece: str) -> None:
    reading = Engine(clinic[1], f"sqlite:///{clinic[0]}", date(2025, 6, 1)).ask(request_).readings[0]
    assert piece.lower() in reading.sql.lower(), f"{does}: {reading.sql}"
    assert not reading.unused


def test_who_is_not_asked_of_a_quantity(clinic: tuple[Path, Path]) -> None:
    engine = Engine(clinic[1], f"sqlite:///{clinic[0]}", date(2025, 6, 1))
    assert not engine.ask("who was hired last").readings
    assert engine.ask("just the men", ["patients from ashford"]).readings[0].paraphrase.endswith("sex M")


NUMBERS = [
    ("how many beds are there", "SELECT SUM(beds) FROM room"),
    (
        "how many beds does cardiology have",
        "SELECT SUM(beds) FROM room JOIN department USING (department_id) WHERE name = 'Cardiology'",
    ),
    (
        "how many beds are there in each department",
        "SELECT name, SUM(beds) FROM room JOIN department USING (department_id) GROUP BY name",
    ),
    ("how many beds do the surgery rooms have", "SELECT room_id, beds FROM room WHERE room_type = 'surgery'"),
    (
        "how many times was ibufast prescribed",
        "SELECT COUNT(*) FROM prescription JOIN medication USING (medication_id) WHERE name = 'Ibufast'",
    ),
    (
        "which medicine is prescribed most often",
        "SELECT medication_id FROM prescription GROUP BY 1 ORDER BY COUNT(*) DESC LIMIT 1",
    ),
    (
        "which department has the most beds",
        "SELECT department_id FROM room GROUP BY 1 HAVING SUM(beds) = "
        "(SELECT MAX(n) FROM (SELECT SUM(beds) AS n FROM room GROUP BY department_id))",
    ),
]


@pytest.mark.parametrize(("request_", "sql"), NUMBERS)
def test_numbers_of_things_and_of_what_was_done(clinic: tuple[Path, Path], request_: str, sql: str) -> None:
    reading = Engine(clinic[1], f"sqlite:///{clinic[0]}", date(2025, 6, 1)).ask(request_).readings[0]
    runner = Runner(str(clinic[0]), None)
    assert judge(runner, [sql], reading.sql) == "right", reading.sql
    runner.close()


def test_an_hour_of_editing_that_is_measured_fits_the_database(clinic: tuple[Path, Path], tmp_path: Path) -> None:
    file, learnt = clinic
    edits = Path(dialogues.__file__).parent / "clinic_edits.toml"
    assert len(edits.read_text().splitlines()) <= MOST_EDITED
    write_edited(learnt, edits, tmp_path / "edited")
    engine = Engine(tmp_path / "edited", f"sqlite:///{file}", date(2025, 6, 1))
    assert (
        engine.ask("which drugs can i get over the counter").readings[0].paraphrase
        == "medications no prescription required"
    )
