"""`curtain ask`."""

import io
import json
from pathlib import Path

import pytest

from domain.commands.ask import ask_command
from domain.database.build import BuiltDatabase
from tests.domain.english.conftest import SCENARIOS

AIR = str(SCENARIOS / "air_travel")


def run(
    database: str, lines: str, *, domain: str = AIR, today: str | None = None, as_json: bool = True
) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    status = ask_command(database, domain, today, as_json, io.StringIO(lines), out, err)
    return status, out.getvalue(), err.getvalue()


def test_a_line_of_json_for_each_request(air_travel: BuiltDatabase) -> None:
    lines = '{"id": 1, "question": "flights from boston to denver"}\n\n{"id": "b", "question": "qwer asdf"}\n'
    status, out, err = run(air_travel.url, lines)
    first, second = map(json.loads, out.splitlines())
    assert (status, err) == (1, "")
    assert first["id"] == 1
    assert first["sql"].startswith("SELECT DISTINCT flight.flight_id")
    assert first["paraphrase"] == "flights from Boston to Denver"
    assert first["confidence"] >= 0.95
    assert first["unused"] == []
    assert (second["id"], second["sql"], second["paraphrase"], second["confidence"]) == ("b", None, None, 0.0)
    assert second["unused"] == ["qwer", "asdf"]


def test_context_comes_with_the_line(air_travel: BuiltDatabase) -> None:
    lines = '{"id": 1, "question": "which of those serve dinner", "context": ["flights from boston to denver"]}'
    status, out, _ = run(air_travel.url, lines)
    assert status == 0
    assert json.loads(out)["paraphrase"].endswith("flights from Boston to Denver with Dinner")


def test_all_readings_are_offered_in_order(air_travel: BuiltDatabase) -> None:
    asked = "are there any flights from boston to denver"
    _, out, _ = run(air_travel.url, json.dumps({"id": 1, "question": asked}))
    reply = json.loads(out)
    first, second = reply["readings"]
    assert (first["sql"], first["paraphrase"], first["confidence"]) == (
        reply["sql"],
        reply["paraphrase"],
        reply["confidence"],
    )
    assert second["paraphrase"] == "whether there are any flights from Boston to Denver"
    assert second["sql"] != first["sql"]
    assert second["confidence"] < first["confidence"]


def test_what_is_withheld_is_told_with_its_doubt_and_is_no_answer(air_travel: BuiltDatabase) -> None:
    before, asked = "flights from boston to denver on monday", "any carrier into oakland"
    status, out, _ = run(air_travel.url, json.dumps({"id": 1, "question": asked, "context": [before]}))
    reply = json.loads(out)
    assert (status, reply["sql"], reply["readings"]) == (1, None, [])
    scoped, held = reply["withheld"]
    assert scoped["doubt"] == "whether it is about the last answer is left open"
    assert (held["paraphrase"], held["doubt"]) == ("airlines to Oakland", "it passes over the requests before")
    _, out, _ = run(air_travel.url, f"{before}\n{asked}\n", as_json=False)
    assert "   withheld, since it passes over the requests before: airlines to Oakland  [0." in out


def test_today_is_a_parameter(air_travel: BuiltDatabase) -> None:
    status, out, _ = run(air_travel.url, '{"id": 1, "question": "boston to denver tomorrow"}', today="1992-03-01")
    assert status == 0
    assert "March 2" in json.loads(out)["paraphrase"]


def test_a_person_sees_readings_and_what_was_left_out(air_travel: BuiltDatabase) -> None:
    said = "flights from boston to denver\nwhich of those are nonstop\n\nflights to denver\nqwer asdf\n"
    status, out, _ = run(air_travel.url, said, as_json=False)
    assert status == 1
    assert "1. flights from Boston to Denver  [0.9" in out
    assert "(from before: from Boston to Denver)" in out
    assert "ask back: Where will you be leaving from?" in out
    assert "Not understood. I do not know: qwer, asdf." in out


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"today": "soon"}, "--today 'soon'"),
        ({"domain": "/nowhere"}, "domain.toml"),
        ({"lines": "nonsense"}, "line 1"),
        ({"lines": '{"id": 1}'}, "line 1"),
    ],
)
def test_a_bad_call_is_told_and_ends_with_2(air_travel: BuiltDatabase, change: dict[str, str], message: str) -> None:
    arguments = {"lines": "", **change}
    status, out, err = run(air_travel.url, **arguments)  # type: ignore[arg-type]
    assert (status, out) == (2, "")
    assert message in err


def test_a_database_that_is_none_is_told(tmp_path: Path) -> None:
    status, _, err = run("nosuch://x", "")
    assert status == 2
    assert "--database" in err
    status, _, err = run(f"sqlite:///{tmp_path}/none.sqlite", "")
    assert (status, "no such file" in err, list(tmp_path.iterdir())) == (2, True, [])
