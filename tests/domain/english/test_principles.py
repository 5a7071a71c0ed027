"""The conventions that the engine obeys are those that the domain's principles state, under the same names and ids."""

import re
import sqlite3
import tomllib
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from domain.database.build import Database
from domain.english.engine import Engine
from domain.english.model.domain import DomainError, load_domain
from domain.principles import load
from tests.domain.english.conftest import SCENARIOS

SETS = [("air_travel", "papers"), ("air_travel", "references"), ("personnel", "bbn_1989")]


def principles(domain: str, name: str) -> dict[str, dict[str, Any]]:
    """All principles of a set by id, those of its base included."""
    files = [tomllib.loads(f.read_text()) for f in (SCENARIOS / domain).glob("principles*.toml")]
    (found,) = [f for f in files if f["name"] == name]
    below = principles(domain, found["base"]) if "base" in found else {}
    return below | {p["id"]: p for p in found["principle"]}


@pytest.mark.parametrize(("domain", "name"), SETS)
def test_every_principle_cited_exists(domain: str, name: str) -> None:
    cited = set(load_domain(SCENARIOS / domain).principles[name].cite.values())
    assert cited
    assert cited <= set(principles(domain, name))


@pytest.mark.parametrize(("domain", "name"), SETS[:2])
def test_parts_of_the_day_are_those_of_the_principles(domain: str, name: str) -> None:
    model = load_domain(SCENARIOS / domain)
    checked = 0
    for key, identifier in model.principles[name].cite.items():
        if key.startswith("period "):
            period = model.period[key.removeprefix("period ").replace(" ", "_")]
            sql = principles(domain, name)[identifier]["sql"]
            assert set(map(int, re.findall(r"\d+", sql))) == {period.begin, period.end}, key
            assert ("=" in sql) == model.principles[name].inclusive, key
            checked += 1
    assert checked == 7


def test_the_set_named_is_obeyed(air_travel: Database) -> None:
    def statement(name: str) -> str:
        return Engine(SCENARIOS / "air_travel", air_travel.url, principles=name).ask(
            "boston to denver in the morning"
        ).readings[0].sql  # fmt: skip

    assert "departure_time BETWEEN 0 AND 1200" in statement("references")
    assert "departure_time > 0 AND flight.departure_time < 1200" in statement("papers")


def test_a_nonstop_flight_has_no_connection_where_the_set_says_so(air_travel: Database) -> None:
    asked = {}
    for name in ("papers", "references"):
        engine = Engine(SCENARIOS / "air_travel", air_travel.url, principles=name)
        asked[name] = engine.ask("nonstop flights from boston to denver").readings[0]
    assert "flight.stops = 0 AND flight.connections = 0" in asked["papers"].sql
    assert "2.2.5" in asked["papers"].principles
    assert "flight.stops = 0" in asked["references"].sql
    assert "connections = 0" not in asked["references"].sql
    assert "2.2.5" not in asked["references"].principles
    ruled = principles("air_travel", "papers")["2.2.5"]["sql"]
    assert ruled.format(stops_column="flight.stops", connections_column="flight.connections") in asked["papers"].sql


def test_a_set_that_rules_on_a_flag_unknown_is_told(tmp_path: Path) -> None:
    text = (SCENARIOS / "air_travel" / "domain.toml").read_text()
    assert "nonstop = [" in text
    (tmp_path / "domain.toml").write_text(text.replace("nonstop = [", "nonstpo = ["))
    with pytest.raises(DomainError, match=r"\[principles.papers.flags\] nonstpo: no such flag"):
        load_domain(tmp_path)


def test_a_reading_cites_what_it_rests_on(air: Engine) -> None:
    cited = air.ask("cheapest one way fare from boston to denver in the evening").readings[0].principles
    assert {"2.3.1", "2.3.3", "2.3.8", "2.4.4.evening"} <= set(cited)


def test_a_set_that_is_not_there_is_told(air_travel: Database) -> None:
    with pytest.raises(DomainError, match="known: papers, references"):
        Engine(Path(SCENARIOS / "air_travel"), air_travel.url, principles="mine")


@pytest.mark.parametrize(("domain", "name"), SETS)
def test_things_are_identified_as_the_principles_have_it(domain: str, name: str) -> None:
    model = load_domain(SCENARIOS / domain)
    keys = {
        entity.table: {(key.partition(".")[0], key.partition(".")[2]) for key in entity.key}
        for entity in model.entity.values()
    }
    for table, columns in load(SCENARIOS / domain, name).identifiers.items():
        assert keys[table] == {(table, column) for column in columns}, table


@pytest.mark.parametrize(
    ("request_", "minimal"),
    [
        ("what meals are served on flights from boston to denver", ("meal_description", "meal_number", "compartment")),
        ("ground transportation in denver", ("city_code", "airport_code", "transport_type")),
        ("what states are there", ("state_code",)),
        ("list the time zones", ("time_zone_code",)),
        ("list the intermediate stops", ("flight_id", "stop_number")),
        ("dual carriers", ("main_airline", "low_flight_number", "high_flight_number", "dual_airline")),
    ],
)
def test_a_list_is_answered_by_what_identifies(air: Engine, request_: str, minimal: tuple[str, ...]) -> None:
    assert air.ask(request_).readings[0].minimal_columns == minimal


@pytest.mark.parametrize(
    ("said", "time", "times", "shown"),
    [
        ("at 8", 800, {800, 2000}, "at 8 a.m. or 8 p.m."),
        ("at 12", 1200, {0, 1200}, "at 12 a.m. or 12 p.m."),
        ("at 12:30", 1230, {30, 1230}, "at 12:30 a.m. or 12:30 p.m."),
    ],
)
def test_an_open_time_means_both_halves_of_the_day_in_word_statement_and_principle(
    air_travel: Database, said: str, time: int, times: set[int], shown: str
) -> None:
    engine = Engine(SCENARIOS / "air_travel", air_travel.url, principles="papers")
    reading = engine.ask(f"flights from boston to denver {said}").readings[0]
    assert reading.sql.endswith(f"flight.departure_time IN ({', '.join(map(str, sorted(times)))})")
    assert shown in reading.paraphrase
    assert "2.4.3" in reading.principles
    ruled = principles("air_travel", "papers")["2.4.3"]
    held = set()
    with closing(sqlite3.connect(":memory:")) as database:
        for fragment in (ruled["sql"], *ruled["also"]):
            query = f"SELECT {fragment.format(time_column='?1', time=time)}"
            held |= {other for other in range(2400) if database.execute(query, [other]).fetchone() == (1,)}
    assert held == times
