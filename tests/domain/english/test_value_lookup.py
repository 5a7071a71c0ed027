"""Values by the beginning of their names, and a scenario's solution set: what the hub answers a console that types or waits."""

from pathlib import Path

from domain.database.build import BuiltDatabase
from domain.english.engine import Engine
from domain.english.value_lookup import ValueLookup
from domain.query_backend import English
from server.study_hub import DomainInformation
from session.study.create import new
from session.values.answers import Table
from session.values.clock import SystemClock
from study.rightness import Rightness, judge


def test_a_city_an_airport_and_an_airline_are_found_by_name_and_code(air: Engine) -> None:
    lookup = ValueLookup(air.names)
    boston = lookup.starting("bost")
    assert ("Boston", "city") in {(value.text, value.kind) for value in boston}
    assert "Francisco" in lookup.starting("francis")[0].text
    assert {value.value for value in lookup.starting("us")} & {"US"}
    assert ("UA", "airline", "United") in {(value.text, value.kind, value.name) for value in lookup.starting("ua")}
    assert ("QX", "basis", "") in {(value.text, value.kind, value.name) for value in lookup.starting("qx")}
    assert lookup.starting("") == ()
    assert lookup.starting("qqq") == ()


def test_the_hub_of_a_study_gives_values_and_the_rows_that_judge_a_solution(
    tmp_path: Path, air_travel: BuiltDatabase
) -> None:
    study = new(tmp_path / "study")
    told = DomainInformation(
        study, air_travel.url, English(study.domain_folder, air_travel.url, ""), None, SystemClock("hub")
    )
    assert told.values("bost").values[0].text == "Boston"
    rows = told.solution("practice", {})
    assert isinstance(rows, Table)
    assert judge(f"{rows.rows[0][0]} {rows.rows[0][1]}", rows) is Rightness.RIGHT
    assert told.solution("no-such-scenario", {}) is None
    bare = DomainInformation(study, "sqlite:////nowhere/at/all.sqlite", None, None, SystemClock("hub"))
    assert (bare.values("bost").values, bare.solution("practice", {})) == ((), None)
