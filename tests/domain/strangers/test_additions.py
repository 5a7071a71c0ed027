"""Words added to requests about databases that nobody has described are understood or marked, and never turned round."""

import io
import json
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from benchmarks.english import Runner
from benchmarks.understanding import strangers
from benchmarks.understanding.general_modifiers import main, outcomes
from domain.english.engine import Engine
from domain.learn.learn import learn_command
from tests.domain.strangers.databases import build

HERE = Path(__file__).parent
DATABASES = Path(strangers.__file__).parent / "strangers_databases"


@pytest.fixture(scope="module")
def lending(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, output = tmp_path_factory.mktemp("lending"), io.StringIO()
    assert learn_command(build("lending", folder / "rows.sqlite"), str(folder / "learnt"), output, output) == 0
    return folder


def engine_for(name: str, folder: Path) -> Engine:
    file = strangers.database(DATABASES, name, folder)
    return Engine(strangers.learnt(file, folder / "learnt"), f"sqlite:///{file}", strangers.newest_day(file))


@pytest.fixture(scope="module")
def races(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    return engine_for("s5", tmp_path_factory.mktemp("races"))


def test_additions_are_said_change_the_answer_or_leave_none(lending: Path) -> None:
    lines = (HERE / "lending_open.jsonl").read_text().splitlines()
    rows = [row | {"said": row["question"]} for row in map(json.loads, lines)]
    rows = [row | {"sql": [row["sql"]] if isinstance(row["sql"], str) else row["sql"]} for row in rows]
    engine = Engine(lending / "learnt", f"sqlite:///{lending}/rows.sqlite", date(2025, 6, 1))
    runner = Runner(str(lending / "rows.sqlite"), None)
    found = [*outcomes(engine, rows, runner, 6)]
    runner.close()
    counts = Counter(outcome.what for outcome in found)
    assert len(found) > 100
    assert counts["inverted"] == 0, [outcome for outcome in found if outcome.what == "inverted"]
    assert counts["silent"] <= 0.02 * len(found), [outcome for outcome in found if outcome.what == "silent"]


@pytest.mark.parametrize(
    ("request_", "paraphrase"),
    [
        ("where does three passes start", "RaceCalendar24 Start Town of races race name Three Passes"),
        (
            "where does three passes start but not por",
            "RaceCalendar24 Start Town of races race name Three Passes not rider POR",
        ),
        (
            "where does three passes start except ibr",
            "RaceCalendar24 Start Town of races race name Three Passes not team IBR",
        ),
        ("where does three passes start unless it is avignon", None),
    ],
)
def test_a_question_for_a_place_leaves_no_exception_out(races: Engine, request_: str, paraphrase: str | None) -> None:
    readings = races.ask(request_).readings
    assert (readings[0].paraphrase if readings else None) == paraphrase


def test_an_order_to_cancel_is_no_question_for_those_who_are_described(tmp_path: Path) -> None:
    plants = engine_for("s6", tmp_path)
    assert plants.ask("customers who never ordered anything").readings[0].unused == ()
    readings = plants.ask("cancel the customers who never ordered anything").readings
    assert not readings or "cancel" in readings[0].unused


def test_the_benchmark_prints_what_became_of_the_additions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = {"database": "s6", "said": "customers who never ordered anything"}
    sql = "SELECT customer FROM customers WHERE customer NOT IN (SELECT customer FROM orders)"
    (tmp_path / "requests.jsonl").write_text(json.dumps(row | {"sql": sql}))
    assert main([str(tmp_path / "requests.jsonl"), str(DATABASES), "--each", "4", "--show"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum(int(line.split()[-2]) for line in lines if line.endswith("additions")) == 4
    assert sum("inverted 0 times" in line for line in lines) == 2
