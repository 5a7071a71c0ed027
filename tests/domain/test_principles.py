"""Principles of interpretation at their bounds, and the sets as data: base, freeze, impact."""

import re
import sqlite3
import tomllib
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import msgspec
import pytest

from domain.principles import (
    Citation,
    Principle,
    PrinciplesError,
    PrincipleSet,
    changed,
    check_freeze,
    impact,
    load,
)
from tests import ROOT

BLANK = re.compile(r"\{([a-z_]+)\}")
ROOT = ROOT / "scenarios"
PAPERS = load(ROOT / "air_travel", "papers")
REFERENCES = load(ROOT / "air_travel", "references")
PERSONNEL = load(ROOT / "personnel", "bbn_1989")


@pytest.fixture
def database() -> Iterator[sqlite3.Connection]:
    made = sqlite3.connect(":memory:")
    yield made
    made.close()


def fragments(principle: Principle, **values: str | int) -> tuple[str, ...]:
    """The SQL of every reading of a principle, its blanks filled: with a column where their names end so, else with a value."""
    found = (principle.sql, *principle.also)
    assert {name for part in found for name in BLANK.findall(part)} == {*values}
    filled = {
        name: str(value) if isinstance(value, int) or name.endswith("column") else f"'{value}'"
        for name, value in values.items()
    }
    return tuple(BLANK.sub(lambda blank: filled[blank.group(1)], part) for part in found)


def holds(database: sqlite3.Connection, fragment: str, **columns: str | int | None) -> bool:
    """Whether a fragment is true of one row with these columns."""
    names = ", ".join(f"? AS {name}" for name in columns)
    query = f"SELECT 1 FROM (SELECT {names}) AS it WHERE {fragment}"
    return database.execute(query, list(columns.values())).fetchone() is not None


@pytest.mark.parametrize(
    ("period", "inside", "outside", "edges"),
    [
        ("morning", [1, 1159, 600], [1201, 2359], [0, 1200]),
        ("afternoon", [1201, 1759], [1159, 1801, 0], [1200, 1800]),
        ("evening", [1801, 2159], [1759, 2201, 0], [1800, 2200]),
        ("day", [601, 1200, 1759], [559, 1801], [600, 1800]),
        ("night", [1801, 2359, 2400, 0, 559], [601, 1200, 1759], [1800, 600]),
        ("early_morning", [1, 759], [801, 1200], [0, 800]),
        ("mid_afternoon", [1301, 1559], [1259, 1601], [1300, 1600]),
        ("red_eye", [1801, 2359, 2400, 0, 559], [601, 1200, 1759], [1800, 600]),
    ],
)
def test_periods_exclude_their_end_points_and_the_references_include_them(
    database: sqlite3.Connection, period: str, inside: list[int], outside: list[int], edges: list[int]
) -> None:
    for chosen, edge_holds in ((PAPERS, False), (REFERENCES, True)):
        (fragment,) = fragments(chosen[f"2.4.4.{period}"], time_column="it.time")
        assert [holds(database, fragment, time=time) for time in inside] == [True] * len(inside)
        assert [holds(database, fragment, time=time) for time in outside] == [False] * len(outside)
        assert [holds(database, fragment, time=time) for time in edges] == [edge_holds] * len(edges)


def test_a_time_before_1300_without_am_or_pm_has_two_readings(database: sqlite3.Connection) -> None:
    morning, evening = fragments(PAPERS["2.4.3"], time_column="it.time", time=800)
    assert holds(database, morning, time=800)
    assert not holds(database, morning, time=2000)
    assert holds(database, evening, time=2000)


def test_between_two_times_is_open_in_one_set_and_closed_in_the_other(database: sqlite3.Connection) -> None:
    for chosen, edge in ((PAPERS, False), (REFERENCES, True)):
        (fragment,) = fragments(chosen["2.4.5"], time_column="it.time", first=900, second=1100)
        assert [holds(database, fragment, time=time) for time in (900, 901, 1099, 1100)] == [edge, True, True, edge]


def test_before_a_time_excludes_it(database: sqlite3.Connection) -> None:
    (fragment,) = fragments(PAPERS["2.4.6"], time_column="it.time", time=900)
    assert [holds(database, fragment, time=time) for time in (859, 900)] == [True, False]


def test_between_two_cities_is_from_the_first_to_the_second(database: sqlite3.Connection) -> None:
    columns = {"from_column": "it.origin", "to_column": "it.destination"}
    (fragment,) = fragments(PAPERS["2.2.1"], **columns, first="OAK", second="DEN")
    assert holds(database, fragment, origin="OAK", destination="DEN")
    assert not holds(database, fragment, origin="DEN", destination="OAK")


@pytest.mark.parametrize(
    ("stops", "connections", "direct", "nonstop"),
    [
        (0, 0, True, True),
        (1, 0, True, False),
        (0, 1, False, False),
        (1, 1, False, False),
    ],
)
def test_direct_is_not_nonstop(
    database: sqlite3.Connection, stops: int, connections: int, direct: bool, nonstop: bool
) -> None:
    row = {"stops": stops, "connections": connections}
    (direct_sql,) = fragments(PAPERS["2.2.4"], connections_column="it.connections")
    (nonstop_sql,) = fragments(PAPERS["2.2.5"], stops_column="it.stops", connections_column="it.connections")
    assert holds(database, direct_sql, **row) is direct
    assert holds(database, nonstop_sql, **row) is nonstop


def test_one_way_and_round_trip_fares(database: sqlite3.Connection) -> None:
    (one_way,) = fragments(PAPERS["2.3.1"], required_column="it.required")
    (round_trip,) = fragments(PAPERS["2.3.2"], cost_column="it.cost")
    assert [holds(database, one_way, required=value) for value in ("NO", "YES", None)] == [True, False, False]
    assert [holds(database, round_trip, cost=value) for value in (0, 200, None)] == [True, True, False]


def test_the_cheapest_fare_is_that_of_one_direction(database: sqlite3.Connection) -> None:
    database.executescript(
        "CREATE TABLE fare (fare_id, one_direction_cost, round_trip_cost);"
        "INSERT INTO fare VALUES (1, 100, 150), (2, 90, 300), (3, 90, NULL), (4, NULL, 10);"
    )
    (fragment,) = fragments(PAPERS["2.3.3"])
    assert database.execute(f"SELECT fare_id FROM fare WHERE {fragment}").fetchall() == [(2,), (3,)]


def test_a_snack_is_a_meal(database: sqlite3.Connection) -> None:
    (fragment,) = fragments(PAPERS["2.5"], meal_column="it.meal")
    assert [holds(database, fragment, meal=meal) for meal in ("SNACK", "LUNCH", None)] == [True, True, False]


def test_stops_meals_days_and_times_of_a_flight(database: sqlite3.Connection) -> None:
    database.executescript("""
        CREATE TABLE flight_stop (flight_id, stop_number, stop_airport);
        INSERT INTO flight_stop VALUES (7, 1, 'DFW'), (8, 1, 'ATL');
        CREATE TABLE food_service (meal_code, meal_number, compartment, meal_description);
        INSERT INTO food_service VALUES ('S', 1, 'Y', 'SNACK'), ('L', 1, 'F', 'LUNCH');
        CREATE TABLE days (days_code, day_name); INSERT INTO days VALUES ('67', 'SATURDAY'), ('67', 'SUNDAY'), ('1', 'MONDAY');
        CREATE TABLE flight (flight_id, departure_time, meal_code, flight_days); INSERT INTO flight VALUES (7, 915, 'S', '67');
    """)
    (when,) = fragments(PAPERS["2.4.1"], flight=7)
    (stops,) = fragments(PAPERS["2.2.3"], flight_column="flight.flight_id")
    (meals,) = fragments(PAPERS["2.5.1"], meal_column="flight.meal_code")
    (days,) = fragments(PAPERS["2.4.2"], days_column="flight.flight_days")
    assert database.execute(when).fetchall() == [(915,)]
    there = database.execute(f"SELECT stop_airport FROM flight, flight_stop WHERE stop_airport IN ({stops})")
    assert there.fetchall() == [("DFW",)]
    within = "SELECT x.meal_description, x.meal_number, x.compartment FROM flight, food_service x WHERE EXISTS ({})"
    served = database.execute(within.format(meals + " AND food_service.meal_code = x.meal_code"))
    assert served.fetchall() == [("SNACK", 1, "Y")]
    names = database.execute(
        f"SELECT d.day_name FROM flight, days d WHERE d.days_code = flight_days AND d.day_name IN ({days})"
    )
    assert names.fetchall() == [("SATURDAY",), ("SUNDAY",)]


def test_lists_are_of_primary_keys_and_meals_are_told_by_three_columns() -> None:
    keys = {
        "aircraft": ("aircraft_code",),
        "airline": ("airline_code",),
        "airport": ("airport_code",),
        "flight_stop": ("flight_id", "stop_number"),
        "dual_carrier": ("main_airline", "low_flight_number", "high_flight_number", "dual_airline"),
    }
    assert {name: tuple(PAPERS.identifiers[name]) for name in keys} == keys
    asked = [
        column.split(".")[1]
        for column in fragments(PAPERS["2.5.1"], meal_column="m")[0].split(" FROM ")[0][7:].split(", ")
    ]
    assert asked == ["meal_description", "meal_number", "compartment"]


def test_what_must_be_there_and_what_is_excluded_is_stipulated_for_the_personnel_domain() -> None:
    for number in ("s2.scalar", "s3.head", "s3.list", "3.2.both", "3.2.more", "s8.excluded", "3.1.units"):
        assert PERSONNEL[number].source.startswith("Boisen et al. 1989")
    assert "employee ids and salaries" in PERSONNEL["3.2.both"].examples[0]
    for reason in ("ambiguous", "vague", "not there", "presuppose", "order", "about the database itself"):
        assert reason in PERSONNEL["s8.excluded"].text


def test_stipulated_identifiers_of_the_personnel_domain() -> None:
    assert {name: tuple(columns) for name, columns in PERSONNEL.identifiers.items()} == {
        "employee": ("employee_id",),
        "country": ("country_code",),
        "degree": ("degree", "employee_id", "school_code"),
        "department": ("department",),
        "division": ("division",),
        "major": ("major_code",),
        "school": ("school_code",),
        "state": ("state_code",),
    }


@pytest.mark.parametrize(
    ("table", "key", "meaning"),
    [
        ("aircraft", "aircraft_code", "aircraft_description"),
        ("airline", "airline_code", "airline_name"),
        ("airport", "airport_code", "airport_name"),
        ("city", "city_code", "city_name"),
        ("class_of_service", "booking_class", "class_description"),
        ("code_description", "code", "description"),
    ],
)
def test_each_code_that_has_a_meaning_is_decoded_by_its_own_column(
    database: sqlite3.Connection, table: str, key: str, meaning: str
) -> None:
    database.execute(f"CREATE TABLE {table} ({key}, {meaning})")
    database.execute(f"INSERT INTO {table} VALUES ('Q', 'SAID'), ('F', 'OTHER')")
    (one,) = [each for each in fragments(PAPERS["2.9.1"], code="Q") if f"FROM {table} " in each]
    assert database.execute(one).fetchall() == [("SAID",)]


def test_the_meaning_of_a_code_that_is_no_key_gives_several_rows(database: sqlite3.Connection) -> None:
    database.executescript(
        "CREATE TABLE class_of_service (booking_class, class_description);"
        "INSERT INTO class_of_service VALUES ('Q', 'COACH'), ('Q', 'COACH DISCOUNTED'), ('F', 'FIRST');"
    )
    found = fragments(PAPERS["2.9.1"], code="Q")
    assert len(found) == 6
    (classes,) = [one for one in found if "class_of_service" in one]
    assert len(database.execute(classes).fetchall()) == 2


def test_a_type_of_aircraft_is_a_code_or_a_basic_type(database: sqlite3.Connection) -> None:
    names = {"maker_column": "it.maker", "code_column": "it.code", "basic_column": "it.basic"}
    by_code, by_type = fragments(PAPERS["2.15"], **names, maker="BOEING", type="767")
    assert holds(database, by_code, maker="BOEING", code="767", basic="767-200")
    assert not holds(database, by_code, maker="BOEING", code="762", basic="767")
    assert holds(database, by_type, maker="BOEING", code="762", basic="767")
    assert not holds(database, by_type, maker="AIRBUS", code="762", basic="767")


def test_titles_and_managers_of_the_personnel_domain(database: sqlite3.Connection) -> None:
    (title,) = fragments(PERSONNEL["s6.title"], title_column="it.title", word="SCIENTIST")
    titles = ("SENIOR SCIENTIST", "Scientist", "PROJECT MANAGER")
    assert [holds(database, title, title=value) for value in titles] == [True, False, False]
    database.executescript(
        "CREATE TABLE employee (employee_id, supervisor, job_title, work_phone, last_name, street);"
        "INSERT INTO employee VALUES (1, NULL, 'CLERK', '6218', 'LEE', '1 ELM'),"
        "(2, 1, 'SUPERVISOR', '1', 'A', 'B');"
    )
    (manager,) = fragments(PERSONNEL["s6.manager"], id_column="e.employee_id")
    assert database.execute(f"SELECT e.employee_id FROM employee e WHERE {manager}").fetchall() == [(1,)]
    for number, value in (("t2.telephone", "6218"), ("t2.name", "LEE"), ("t2.address", "1 ELM")):
        assert database.execute(fragments(PERSONNEL[number], employee=1)[0]).fetchall() == [(value,)]
    (ratio,) = fragments(PERSONNEL["3.1.ratio"], part=45, whole=423)
    assert round(database.execute(f"SELECT {ratio}").fetchone()[0], 4) == 0.1064


def test_a_principle_that_a_set_has_not_is_a_wrong_key() -> None:
    with pytest.raises(KeyError):
        PAPERS["99"]


def test_every_principle_says_where_it_comes_from_and_the_second_set_differs_only_where_it_says() -> None:
    for chosen in (PAPERS, REFERENCES, PERSONNEL):
        assert all(one.source and one.text and one.dated for one in chosen.principle)
    assert set(changed(PAPERS, REFERENCES)) == {
        "2.4.4.morning",
        "2.4.4.afternoon",
        "2.4.4.evening",
        "2.4.4.day",
        "2.4.4.night",
        "2.4.4.early_morning",
        "2.4.4.mid_afternoon",
        "2.4.4.red_eye",
        "2.4.5",
        "2.4.7",
    }
    assert REFERENCES.maximum == PAPERS.maximum
    files = (ROOT / "air_travel").glob("principles*.toml")
    assert sorted(tomllib.loads(path.read_text("utf-8"))["name"] for path in files) == ["papers", "references"]


def made(**changes: object) -> PrincipleSet:
    one = Principle("1", "title", "text", "source", date(1991, 1, 1))
    return msgspec.structs.replace(PrincipleSet("s", "t", "1", date(1991, 1, 1), principle=(one,)), **changes)


def test_a_change_lists_the_annotations_that_cite_it() -> None:
    before = made()
    after = made(principle=(Principle("1", "title", "other text", "source", date(1991, 1, 1)),))
    citations = [Citation("e0001", "1", ("1", "2")), Citation("e0002", "1", ("2",))]
    assert impact(before, after, citations) == [("e0001", ("1",))]
    assert before.digest != after.digest
    with pytest.raises(ValueError, match="e0003 does not say by which version"):
        impact(before, after, [Citation("e0003", "", ("1",))])


def test_a_frozen_set_does_not_change() -> None:
    before = made(frozen_from=date(1992, 8, 1), frozen_until=date(1992, 12, 1))
    after = msgspec.structs.replace(before, principle=())
    check_freeze(before, after, date(1992, 7, 31))
    check_freeze(before, before, date(1992, 9, 1))
    check_freeze(before, after, date(1992, 12, 1))
    with pytest.raises(PrinciplesError, match="frozen since 1992-08-01 until 1992-12-01: 1 may not change"):
        check_freeze(before, after, date(1992, 8, 1))
    with pytest.raises(PrinciplesError, match="its settings"):
        check_freeze(before, msgspec.structs.replace(before, frozen_from=None), date(1992, 9, 1))


@pytest.mark.parametrize(
    ("text", "say"),
    [
        ("name = 1", "Expected `str`"),
        ("name = 'a'\n[x", "principles.toml"),
        ("name='a'\ntitle='t'\nversion='1'\ndated=1991-01-01\nyes_no='maybe'", "yes_no"),
        ("name='a'\ntitle='t'\nversion='1'\ndated=1991-01-01\nbase='b'", "its base 'b' is not there"),
        ("name='a'\ntitle='t'\nversion='1'\ndated=1991-01-01\ncolour='b'", "colour"),
    ],
)
def test_a_faulty_file_is_named(tmp_path: Path, text: str, say: str) -> None:
    (tmp_path / "principles.toml").write_text(text)
    with pytest.raises(PrinciplesError, match=say):
        load(tmp_path, "a")


def test_an_unknown_set_names_those_there_are() -> None:
    with pytest.raises(PrinciplesError, match="there is papers, references"):
        load(ROOT / "air_travel", "nobody")
