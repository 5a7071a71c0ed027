"""The generated air-travel database: size, golden hash, and figures that agree with one another."""

import shutil
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import pytest

from domain.database.build import BuiltDatabase, load_generator, open_database, sha256_of_rows
from domain.database.table_shape import Row
from domain.sandbox.sandbox import Sandbox
from scenarios.air_travel import generator
from scenarios.air_travel.carriers import AIRCRAFT, AIRLINES
from scenarios.air_travel.codes import CODE_OF_DAYS, DAY_SETS
from scenarios.air_travel.places import AIRPORTS, CITIES, miles
from tests.domain.conftest import AIR_TRAVEL

TABLES = {
    "aircraft": 27,
    "airline": 45,
    "airport": 52,
    "airport_service": 62,
    "city": 46,
    "class_of_service": 10,
    "compartment_class": 4,
    "days": 48,
    "flight": 23_457,
    "month": 12,
    "restriction": 4,
    "state": 53,
    "time_interval": 6,
    "time_zone": 4,
}


REFERENCES = """
airport.state_code>state airport.time_zone_code>time_zone airport_service.city_code>city
airport_service.airport_code>airport city.state_code>state city.time_zone_code>time_zone
compartment_class.compartment<food_service dual_carrier.main_airline>airline dual_carrier.dual_airline>airline
equipment_sequence.aircraft_code>aircraft fare.from_airport>airport fare.to_airport>airport
fare.fare_basis_code>fare_basis fare.fare_airline>airline fare.restriction_code>restriction
fare_basis.booking_class>class_of_service fare_basis.class_type<compartment_class fare_basis.basis_days<days
flight.flight_days<days flight.from_airport>airport flight.to_airport>airport flight.airline_code>airline
flight.aircraft_code_sequence<equipment_sequence flight.meal_code<food_service flight_fare.flight_id>flight
flight_fare.fare_id>fare flight_leg.flight_id>flight flight_leg.leg_flight>flight flight_stop.flight_id>flight
flight_stop.stop_airport>airport flight_stop.arrival_airline>airline flight_stop.departure_airline>airline
ground_service.city_code>city ground_service.airport_code>airport flight_stop.stop_days<days
"""


class Tables:
    """The generated rows by name of table and column."""

    def __init__(self, rows: dict[str, list[Row]]) -> None:
        self.rows = rows
        self.columns = {shape.name: [field.name for field in shape.fields] for shape in generator.SHAPES}

    def all(self, table: str) -> list[dict[str, str | int | None]]:
        return [dict(zip(self.columns[table], row, strict=True)) for row in self.rows[table]]

    def of(self, table: str, *columns: str) -> list[tuple[str | int | None, ...]]:
        """Some columns of a table, which of a large one are had sooner than all."""
        places = [self.columns[table].index(column) for column in columns]
        return [tuple(row[place] for place in places) for row in self.rows[table]]


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the folder, as a study carries its domain with it."""
    folder = tmp_path_factory.mktemp("copied") / "study" / "domain"
    shutil.copytree(AIR_TRAVEL, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture(scope="module")
def tables(copied: Path) -> Tables:
    """What the copy makes; the shipped folder's own rows are those of `air_travel`."""
    return Tables({name: list(rows) for name, rows in load_generator(copied).generate().items()})


def minutes(clock: object) -> int:
    assert isinstance(clock, int)
    return clock // 100 * 60 + clock % 100


def hours(airport: object) -> int:
    return {"EST": -5, "CST": -6, "MST": -7, "PST": -8}[AIRPORTS[str(airport)].zone]


def test_the_rows_are_those_of_every_machine(tables: Tables) -> None:
    assert generator.ROWS_SHA256 == "f5c4b2947967888bce4cab434a738ef0093e3008ee14a09826d434ded2b90a0c"
    assert sha256_of_rows(generator.SHAPES, tables.rows) == generator.ROWS_SHA256


def test_another_seed_gives_another_database_of_the_same_size(tables: Tables) -> None:
    other = generator.generate(seed=7)
    assert len(other["flight"]) == 23_457
    assert other["flight"] != tables.rows["flight"]
    assert other["city"] == tables.rows["city"]


def test_the_version_names_the_content(air_travel: BuiltDatabase) -> None:
    assert air_travel.version == f"air_travel 1 {generator.ROWS_SHA256[:12]}"
    assert air_travel.sha256 == generator.ROWS_SHA256


def test_a_copy_of_the_folder_stands_by_itself_and_is_the_same_database(
    copied: Path, tmp_path: Path, air_travel: BuiltDatabase
) -> None:
    program = load_generator(copied)
    assert Path(str(program.__file__)).parent == copied
    assert Path(str(program.places.__file__)).parent == copied
    built = open_database(copied, tmp_path / "cache")
    assert (built.version, built.sha256) == (air_travel.version, air_travel.sha256)


def test_there_are_twenty_five_tables_with_what_was_promised(tables: Tables) -> None:
    assert len(generator.SHAPES) == 25
    assert {name: len(tables.rows[name]) for name in TABLES} == TABLES
    assert all(tables.rows.values())


def test_every_row_has_values_of_the_type_of_its_column(tables: Tables) -> None:
    for shape in generator.SHAPES:
        types = [int if field.integer else str for field in shape.fields]
        for row in tables.rows[shape.name]:
            assert len(row) == len(types)
            assert all(value is None or type(value) is type_ for value, type_ in zip(row, types, strict=True)), row


def test_keys_are_unique_and_never_empty(tables: Tables) -> None:
    for shape in generator.SHAPES:
        keys = tables.of(shape.name, *shape.key)
        assert len(set(keys)) == len(keys), shape.name
        assert None not in {value for key in keys for value in key}


@pytest.mark.parametrize(
    "reference",
    REFERENCES.split(),
)
def test_codes_refer_to_rows_that_exist(tables: Tables, reference: str) -> None:
    """`a.x>b`: x is a key of b; `a.x<b`: x is the like-named (or first) column of b."""
    source, _, target = reference.partition(">" if ">" in reference else "<")
    table, _, column = source.partition(".")
    there = tables.columns[target]
    place = there.index(column) if column in there else 0
    known = {row[place] for row in tables.rows[target]} | {None}
    assert {value for (value,) in tables.of(table, column)} <= known


def test_texts_are_in_capitals_as_the_domain_has_them(tables: Tables) -> None:
    for name, rows in tables.rows.items():
        assert all(value == value.upper() for row in rows for value in row if isinstance(value, str)), name


def test_no_detour_is_shorter_than_the_straight_way() -> None:
    for one in AIRPORTS:
        for other in AIRPORTS:
            straight = miles(one, other)
            assert straight == miles(other, one)
            assert (straight == 0) == (one == other)
            assert all(straight <= miles(one, middle) + miles(middle, other) for middle in AIRPORTS)


@pytest.mark.parametrize(
    ("one", "other", "ground"), [("BOS", "SFO", 2704), ("JFK", "LAX", 2475), ("ATL", "MIA", 594), ("ORD", "DEN", 901)]
)
def test_distances_are_within_four_percent_of_those_over_the_ground(one: str, other: str, ground: int) -> None:
    assert 96 * ground <= 100 * miles(one, other) <= 101 * ground


def test_time_elapsed_agrees_with_the_clocks_and_the_time_zones(tables: Tables) -> None:
    for flight in tables.all("flight"):
        shift = 60 * (hours(flight["to_airport"]) - hours(flight["from_airport"]))
        on_clocks = minutes(flight["arrival_time"]) - minutes(flight["departure_time"]) - shift
        assert on_clocks % 1440 == flight["time_elapsed"], flight


def test_clocks_show_times_that_exist(tables: Tables) -> None:
    for flight in tables.all("flight"):
        for column in ("departure_time", "arrival_time"):
            clock = flight[column]
            assert isinstance(clock, int)
            assert 0 <= clock < 2400
            assert clock % 100 < 60


def test_nonstop_flights_fly_at_speeds_that_aircraft_have(tables: Tables) -> None:
    for flight in tables.all("flight"):
        if flight["stops"] == 0:
            distance = miles(str(flight["from_airport"]), str(flight["to_airport"]))
            aircraft = AIRCRAFT[str(flight["aircraft_code_sequence"])]
            elapsed = flight["time_elapsed"]
            assert isinstance(elapsed, int)
            assert 20 <= elapsed - distance * 60 // aircraft.speed <= 45
            assert distance <= aircraft.range


def test_every_two_cities_are_served_both_ways(tables: Tables) -> None:
    served = {(flight["from_airport"], flight["to_airport"]) for flight in tables.all("flight")}
    airports = {city.name: {service.airport for service in city.services} for city in CITIES}
    for start, leaving in airports.items():
        for end, arriving in airports.items():
            if start != end and not leaving & arriving:
                assert any((one, other) in served for one in leaving for other in arriving), (start, end)


def test_nobody_flies_nonstop_between_airports_of_one_city(tables: Tables) -> None:
    shared = {(one.airport, other.airport) for city in CITIES for one in city.services for other in city.services}
    nonstop = [flight for flight in tables.all("flight") if flight["stops"] == 0]
    assert not shared & {(flight["from_airport"], flight["to_airport"]) for flight in nonstop}


def test_every_airport_and_every_airline_has_flights(tables: Tables) -> None:
    flights = tables.all("flight")
    assert {flight["from_airport"] for flight in flights} == set(AIRPORTS)
    assert {flight["to_airport"] for flight in flights} == set(AIRPORTS)
    assert {flight["airline_code"] for flight in flights} == set(AIRLINES)


def test_stops_agree_with_their_rows(tables: Tables) -> None:
    stops: dict[str | int | None, list[dict[str, str | int | None]]] = defaultdict(list)
    for stop in tables.all("flight_stop"):
        stops[stop["flight_id"]].append(stop)
    for flight in tables.all("flight"):
        own = sorted(stops[flight["flight_id"]], key=lambda stop: int(stop["stop_number"] or 0))
        assert flight["stops"] == len(own)
        assert [stop["stop_number"] for stop in own] == [*range(1, len(own) + 1)]
        changes = sum(
            (stop["arrival_airline"], stop["arrival_flight_number"])
            != (stop["departure_airline"], stop["departure_flight_number"])
            for stop in own
        )
        assert flight["connections"] == changes
        places = [flight["from_airport"], *(stop["stop_airport"] for stop in own), flight["to_airport"]]
        assert all(one != other for one, other in pairwise(places))


def test_stop_times_agree_with_their_clocks(tables: Tables) -> None:
    for stop in tables.all("flight_stop"):
        waited = minutes(stop["departure_time"]) - minutes(stop["arrival_time"])
        assert stop["stop_time"] == waited
        if stop["arrival_flight_number"] != stop["departure_flight_number"]:
            assert waited >= AIRPORTS[str(stop["stop_airport"])].connect_minutes


def test_connections_consist_of_direct_flights_that_meet(tables: Tables) -> None:
    flights = {flight["flight_id"]: flight for flight in tables.all("flight")}
    legs: dict[str | int | None, list[dict[str, str | int | None]]] = defaultdict(list)
    for row in sorted(tables.rows["flight_leg"], key=lambda row: (row[0], row[1])):
        legs[row[0]].append(flights[row[2]])
    assert set(legs) == {number for number, flight in flights.items() if flight["connections"]}
    for number, parts in legs.items():
        whole = flights[number]
        assert (parts[0]["from_airport"], parts[-1]["to_airport"]) == (whole["from_airport"], whole["to_airport"])
        assert all(one["to_airport"] == other["from_airport"] for one, other in pairwise(parts))
        assert all(part["connections"] == 0 for part in parts)
        assert (parts[0]["departure_time"], parts[-1]["arrival_time"]) == (
            whole["departure_time"],
            whole["arrival_time"],
        )
        days = frozenset.intersection(*(DAY_SETS[str(part["flight_days"])] for part in parts))
        assert whole["flight_days"] == CODE_OF_DAYS[days]


def test_no_flight_is_listed_twice(tables: Tables) -> None:
    listed = [row[1:] for row in tables.rows["flight"]]
    via = defaultdict(list)
    for row in tables.rows["flight_stop"]:
        via[row[0]].append(row[1:])
    seen = [(row[1:], tuple(via[row[0]])) for row in tables.rows["flight"]]
    assert len(set(seen)) == len(listed)


def test_every_flight_has_fares_of_its_airline_and_its_airports(tables: Tables) -> None:
    fares = {fare["fare_id"]: fare for fare in tables.all("fare")}
    sold = defaultdict(list)
    for flight, fare in tables.rows["flight_fare"]:
        sold[flight].append(fares[fare])
    for flight in tables.all("flight"):  # type: ignore[assignment]
        own = sold[flight["flight_id"]]  # type: ignore[index]
        assert own
        for fare in own:  # type: ignore[assignment]
            assert fare["fare_airline"] == flight["airline_code"]  # type: ignore[index]
            assert (fare["from_airport"], fare["to_airport"]) == (flight["from_airport"], flight["to_airport"])  # type: ignore[index]
    assert set(fares) == {fare for _, fare in tables.rows["flight_fare"]}


def test_fares_of_an_airline_and_a_basis_never_fall_with_distance(tables: Tables) -> None:
    by_kind = defaultdict(list)
    for fare in tables.all("fare"):
        distance = miles(str(fare["from_airport"]), str(fare["to_airport"]))
        by_kind[fare["fare_airline"], fare["fare_basis_code"]].append((distance, fare["one_direction_cost"]))
    for costs in by_kind.values():
        ordered = sorted(costs)
        assert all(one[1] <= other[1] for one, other in pairwise(ordered) if one[0] < other[0])  # type: ignore[operator]
        if ordered[-1][0] - ordered[0][0] > 300:
            assert ordered[-1][1] > ordered[0][1]  # type: ignore[operator]


def test_a_better_class_costs_more_on_the_same_way(tables: Tables) -> None:
    classes = {basis["fare_basis_code"]: basis["class_type"] for basis in tables.all("fare_basis")}
    costs: dict[tuple[object, ...], dict[object, list[int]]] = defaultdict(lambda: defaultdict(list))
    for fare in tables.all("fare"):
        way = (fare["fare_airline"], fare["from_airport"], fare["to_airport"])
        costs[way][classes[fare["fare_basis_code"]]].append(int(fare["one_direction_cost"] or 0))
    for offered in costs.values():
        present = [offered[name] for name in ("FIRST", "BUSINESS", "COACH", "THRIFT") if name in offered]
        assert all(min(better) > max(worse) for better, worse in pairwise(present))


def test_a_round_trip_is_cheaper_than_two_one_way_tickets(tables: Tables) -> None:
    kinds = set()
    for fare in tables.all("fare"):
        there, both = fare["one_direction_cost"], fare["round_trip_cost"]
        kinds.add((both is None, fare["round_trip_required"]))
        assert isinstance(there, int)
        assert there > 0
        assert both is None or there < int(both) < 2 * there
    assert kinds == {(True, "NO"), (False, "NO"), (False, "YES")}


def test_the_calendar_holds_the_years_and_the_right_weekdays(tables: Tables) -> None:
    dates = {(row[2], row[0], row[1]): row[3] for row in tables.rows["date_day"]}
    assert {1991, 1992, 1993, 2026, 2027} <= {year for year, _, _ in dates}
    assert dates[1992, 2, 23] == "SUNDAY"
    assert dates[1992, 2, 29] == "SATURDAY"
    assert dates[2026, 11, 21] == "SATURDAY"
    assert (1991, 2, 29) not in dates


def test_the_periods_are_those_of_the_principles(tables: Tables) -> None:
    assert set(tables.rows["time_interval"]) == {
        ("MORNING", 0, 1200),
        ("AFTERNOON", 1200, 1800),
        ("EVENING", 1800, 2200),
        ("DAY", 600, 1800),
        ("NIGHT", 1800, 600),
        ("EARLY MORNING", 0, 800),
    }


def test_ground_transport_reaches_every_city(tables: Tables) -> None:
    served = {(row["city_code"], row["airport_code"]) for row in tables.all("ground_service")}
    assert served == {(row["city_code"], row["airport_code"]) for row in tables.all("airport_service")}
    kinds = {row["transport_type"] for row in tables.all("ground_service")}
    assert kinds == {"TAXI", "LIMOUSINE", "RENTAL CAR", "RAPID TRANSIT", "AIR TAXI OPERATION"}


def test_flights_under_a_partners_code_have_numbers_of_its_block(tables: Tables) -> None:
    blocks = [(row[0], row[1], row[2]) for row in tables.rows["dual_carrier"]]
    for flight in tables.all("flight"):
        number = flight["flight_number"]
        inside = any(main == flight["airline_code"] and low <= number <= high for main, low, high in blocks)  # type: ignore[operator]
        assert inside == (flight["dual_carrier"] == "YES"), flight


def test_the_usual_question_has_an_answer(sandbox: Sandbox) -> None:
    rows = sandbox.run(
        "SELECT DISTINCT flight.flight_id FROM flight, airport_service origin, city origin_city,"
        " airport_service target, city target_city, days, date_day, flight_fare, fare"
        " WHERE flight.from_airport = origin.airport_code AND origin.city_code = origin_city.city_code"
        " AND origin_city.city_name = 'boston' AND flight.to_airport = target.airport_code"
        " AND target.city_code = target_city.city_code AND target_city.city_name = 'Denver'"
        " AND flight.flight_days = days.days_code AND days.day_name = date_day.day_name AND date_day.year = 1992"
        " AND date_day.month_number = 2 AND date_day.day_number = 24 AND flight.flight_id = flight_fare.flight_id"
        " AND flight_fare.fare_id = fare.fare_id AND fare.one_direction_cost < 400"
    ).rows
    assert 1 <= len(rows) <= 200
