"""Declared solutions against solution sets: right, wrong, wrong form or none, and the time of right ones alone."""

import csv
import io
from pathlib import Path

import pytest

from session import events as e
from session.values.answers import Table
from session.values.clock import Stamp
from session.values.vocabulary import Outcome
from study.rightness import Rightness, judge
from study.solutions import SolutionAttempt, solved
from study.solutions_command import solution_sets, solutions_command
from tests.study.worlds import World

SET = Table(("transport_type", "ground_fare"), (("LIMOUSINE", 12.5), ("BUS", 3.0)))
BOTH_WAYS = Table(("part", "airline", "number"), (("OUT", "UA", 201), ("OUT", "UA", 7), ("BACK", "UA", 300)))


@pytest.mark.parametrize(
    ("declared", "rows", "verdict"),
    [
        ("take the bus, 3 dollars", SET, Rightness.RIGHT),
        ("3.00 BUS", SET, Rightness.RIGHT),
        ("the bus", SET, Rightness.WRONG_FORM),
        ("bus for 12.50 or limousine for 12.5", SET, Rightness.RIGHT),
        ("taxi, 30 dollars", SET, Rightness.WRONG),
        ("bus, 4 dollars", SET, Rightness.WRONG),
        ("ua0201 out and UA 300 back", BOTH_WAYS, Rightness.RIGHT),
        ("ua 201", BOTH_WAYS, Rightness.WRONG_FORM),
        ("ua 2010 and ua 300", BOTH_WAYS, Rightness.WRONG),
        ("limousine for 3 dollars", SET, Rightness.WRONG_FORM),
        ("12.50 or 3", SET, Rightness.WRONG),
        ("ua 7", BOTH_WAYS, Rightness.WRONG_FORM),
        ("ua 7 out, ua 201 back", BOTH_WAYS, Rightness.WRONG),
        ("KO\u0308LN 3", Table(("city", "fare"), (("Köln", 3),)), Rightness.RIGHT),
        ("", SET, Rightness.NONE),
        (None, None, Rightness.NONE),
        ("anything", None, Rightness.UNJUDGED),
    ],
)
def test_a_solution_is_right_where_it_holds_all_values_of_a_row(declared: str, rows: Table, verdict: Rightness) -> None:
    assert judge(declared, rows) is verdict


def attempt(scenario: str, verdict: Rightness, minutes: float) -> SolutionAttempt:
    return SolutionAttempt("s", "001", "", scenario, True, "x", verdict, 60 * minutes)


def test_times_without_a_right_solution_are_censored_or_failures_and_scenarios_that_tell_nobody_apart_are_flagged() -> (
    None
):
    own = [attempt("a", Rightness.RIGHT, 4), attempt("a", Rightness.WRONG, 2), attempt("a", Rightness.RIGHT, 6)]
    (censored,), (failed,) = solved(own), solved(own, failures=True)
    assert (censored.minutes, failed.minutes, censored.right, censored.given) == (5.0, 6.0, 2, 3)
    everybody = solved(attempt("b", Rightness.RIGHT, 1) for _ in range(3))[0]
    nobody = solved(attempt("b", Rightness.NONE, 1) for _ in range(3))[0]
    assert (everybody.flag, nobody.flag, nobody.minutes) == ("EVERYBODY solves it", "NOBODY solves it", None)
    assert solved([attempt("c", Rightness.UNJUDGED, 1)])[0].flag == "no solution set"


def test_solutions_are_judged_and_only_right_ones_have_a_time(tmp_path: Path) -> None:
    world = World(tmp_path / "study")
    out, err = io.StringIO(), io.StringIO()
    assert solutions_command(str(world.study.folder), failures=False, as_csv=False, out=out, err=err) == 0
    assert (out.getvalue(), err.getvalue()[:45]) == ("", "no scenario was worked on in a session that c")
    for declared, pilot in (("limousine 15.00 dollars", False), ("a bus, 1 dollar", False), ("limousine", True)):
        plan = world.plan(pilot=pilot)
        start = e.ScenarioStarted(number=1, scenario="downtown", title="x", text="x", kind="problem")
        facts: list[e.Fact] = [plan.opened, start]
        facts.append(e.SolutionDeclared(at=Stamp("subject", 1, 1), solution=declared))
        facts += [e.ScenarioEnded(outcome=Outcome.DECLARED), e.SessionEnded(reason="done")]
        world.put(plan.name, *facts)
    stamp = Stamp("subject", 1, 1)
    refused: list[e.Fact] = [
        e.ConsentGiven(at=stamp, version="1", sha256="0" * 64, scopes={name: False})
        for name in ("record", "transcribe")
    ]
    for latest in (*refused, e.WithdrawalRequested(at=stamp, erase=True)):
        plan = world.plan()
        said = e.SolutionDeclared(at=stamp, solution="limousine of who is not to be studied")
        world.put(plan.name, plan.opened, start, said, e.ScenarioEnded(outcome=Outcome.DECLARED), latest)
    out, err = io.StringIO(), io.StringIO()
    assert solutions_command(str(world.study.folder), failures=False, as_csv=True, out=out, err=err) == 0, (
        err.getvalue()
    )
    assert "not to be studied" not in out.getvalue()
    assert err.getvalue() == (
        "left out: 4 of 6 sessions (1 a pilot, 1 withdrawn, 2 without the consent that it takes)\n"
    )
    rows = list(csv.DictReader(io.StringIO(out.getvalue())))
    assert [(row["given"], row["verdict"] != "none") for row in rows] == [("1", True), ("1", True)]
    assert [row["censored"] for row in rows] == ["0" if row["correct"] == "1" else "1" for row in rows]
    told = {}
    for failures in (False, True):
        out, err = io.StringIO(), io.StringIO()
        solutions_command(str(world.study.folder), failures=failures, as_csv=False, out=out, err=err)
        assert out.getvalue().splitlines()[1].split()[:4] == ["downtown", "2", "2", "2"]
        told[failures] = err.getvalue()
    assert told[False] != told[True]


def test_right_solutions_that_hold_more_than_a_row_are_told_of(tmp_path: Path) -> None:
    world = World(tmp_path / "study")
    with solution_sets(world.study) as rows_in:
        wanted = rows_in("")(world.study.scenarios["downtown"], {})
    assert wanted is not None
    right = " ".join(map(str, wanted.rows[0]))
    for declared in (right, f"{right}, or 98765"):
        plan = world.plan()
        start = e.ScenarioStarted(number=1, scenario="downtown", title="x", text="x", kind="problem")
        said = e.SolutionDeclared(at=Stamp("subject", 1, 1), solution=declared)
        world.put(plan.name, plan.opened, start, said, e.ScenarioEnded(outcome=Outcome.DECLARED))
    told = {}
    for as_csv in (True, False):
        out, err = io.StringIO(), io.StringIO()
        solutions_command(str(world.study.folder), failures=False, as_csv=as_csv, out=out, err=err)
        told[as_csv] = out.getvalue(), err.getvalue()
    rows = csv.DictReader(io.StringIO(told[True][0]))
    assert [(row["verdict"], row["further"]) for row in rows] == [("right", ""), ("right", "98765")]
    assert told[False][1].endswith("1 right solution with further values, which may contradict: `further` of --csv\n")
