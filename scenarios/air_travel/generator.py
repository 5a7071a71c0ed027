"""The air-travel database: 25 tables in the shape of the ATIS relational schema, every row invented from a seed.

The real tables were copies of the Official Airline Guide and may not be passed on. This generator gives a database of
the size of 1992 (46 cities, 52 airports, 23,457 flights) whose figures agree with one another: times with distances
and time zones, fares with distances and classes, stops and connections with their rows. Whole numbers only, so that
the rows, and the SHA-256 that names them, are the same on every machine.
"""

import itertools
from collections.abc import Sequence

from domain.database.table_shape import Row, Rows, Shape, shape

from . import carriers, codes, fares, ground, places
from .carriers import AIRCRAFT
from .connections import connecting, duration
from .schedule import DAY, Leg, Trip, chained, common_days, legs, main_leg, meal_of, wait

NAME = "air_travel"
VERSION = 1
SEED = 1992
FLIGHTS = 23_457
ROWS_SHA256 = "f5c4b2947967888bce4cab434a738ef0093e3008ee14a09826d434ded2b90a0c"
_FIRST_FLIGHT = 100_001

SHAPES: tuple[Shape, ...] = (
    shape(
        "aircraft",
        "aircraft_code aircraft_description manufacturer basic_type engines:i propulsion wide_body wing_span:i length:i"
        " weight:i capacity:i pay_load:i cruising_speed:i range_miles:i pressurized",
        "aircraft_code",
    ),
    shape("airline", "airline_code airline_name note", "airline_code"),
    shape(
        "airport",
        "airport_code airport_name airport_location state_code country_name time_zone_code minimum_connect_time:i",
        "airport_code",
    ),
    shape(
        "airport_service",
        "city_code airport_code miles_distant:i direction minutes_distant:i",
        "city_code airport_code",
        ["airport_code"],
    ),
    shape("city", "city_code city_name state_code country_name time_zone_code", "city_code", ["city_name"]),
    shape("class_of_service", "booking_class rank:i class_description", "booking_class"),
    shape("code_description", "code description", "code"),
    shape("compartment_class", "compartment class_type", "compartment class_type"),
    shape("date_day", "month_number:i day_number:i year:i day_name", "year month_number day_number"),
    shape("days", "days_code day_name", "days_code day_name", ["day_name"]),
    shape(
        "dual_carrier",
        "main_airline low_flight_number:i high_flight_number:i dual_airline service_name",
        "main_airline low_flight_number",
    ),
    shape("equipment_sequence", "aircraft_code_sequence aircraft_code", "aircraft_code_sequence aircraft_code"),
    shape(
        "fare",
        "fare_id:i from_airport to_airport fare_basis_code fare_airline restriction_code one_direction_cost:i"
        " round_trip_cost:i round_trip_required",
        "fare_id",
        ["from_airport to_airport", "fare_basis_code"],
    ),
    shape(
        "fare_basis",
        "fare_basis_code booking_class class_type premium economy discounted night season basis_days",
        "fare_basis_code",
    ),
    shape(
        "flight",
        "flight_id:i flight_days from_airport to_airport departure_time:i arrival_time:i airline_flight airline_code"
        " flight_number:i aircraft_code_sequence meal_code stops:i connections:i dual_carrier time_elapsed:i",
        "flight_id",
        ["from_airport to_airport", "to_airport", "airline_code flight_number"],
    ),
    shape("flight_fare", "flight_id:i fare_id:i", "flight_id fare_id", ["fare_id"]),
    shape("flight_leg", "flight_id:i leg_number:i leg_flight:i", "flight_id leg_number", ["leg_flight"]),
    shape(
        "flight_stop",
        "flight_id:i stop_number:i stop_days stop_airport arrival_time:i arrival_airline arrival_flight_number:i"
        " departure_time:i departure_airline departure_flight_number:i stop_time:i",
        "flight_id stop_number",
        ["stop_airport"],
    ),
    shape("food_service", "meal_code meal_number:i compartment meal_description", "meal_code meal_number compartment"),
    shape(
        "ground_service", "city_code airport_code transport_type ground_fare:i", "city_code airport_code transport_type"
    ),
    shape("month", "month_number:i month_name", "month_number"),
    shape(
        "restriction",
        "restriction_code advance_purchase:i stopovers saturday_stay_required minimum_stay:i maximum_stay:i"
        " application no_discounts",
        "restriction_code",
    ),
    shape("state", "state_code state_name country_name", "state_code"),
    shape("time_interval", "period begin_time:i end_time:i", "period begin_time"),
    shape("time_zone", "time_zone_code time_zone_name hours_from_gmt:i", "time_zone_code"),
)


def generate(seed: int = SEED) -> Rows:
    """The rows of every table in `SHAPES`, by table name; the same for the same seed everywhere."""
    direct, through = chained(legs(seed))
    room = FLIGHTS - len(direct) - len(through)
    trips: list[Trip] = [*((leg,) for leg in direct), *through, *connecting(direct, through, room, seed)]
    flights = list(enumerate(sorted(trips, key=_order), start=_FIRST_FLIGHT))
    numbers = {trip[0]: flight for flight, trip in flights if len(trip) == 1}
    return (
        places.rows()
        | carriers.rows()
        | codes.rows()
        | ground.rows()
        | fares.rows(flights, seed)
        | {
            "flight": [_flight(flight, trip) for flight, trip in flights],
            "flight_leg": [row for flight, trip in flights for row in _flight_legs(flight, trip, numbers)],
            "flight_stop": [row for flight, trip in flights for row in _stops(flight, trip)],
            "equipment_sequence": _equipment(trips),
        }
    )


def _order(trip: Trip) -> tuple[object, ...]:
    first = trip[0]
    rest = tuple((leg.airline, leg.number, leg.start, leg.departure) for leg in trip[1:])
    return first.start, trip[-1].end, first.departure, first.airline, first.number, len(trip), rest


def _flight(flight: int, trip: Trip) -> Row:
    first, last, main = trip[0], trip[-1], main_leg(trip)
    return (
        flight,
        common_days(trip),
        first.start,
        last.end,
        _clock(first.departure),
        _clock(last.arrival),
        "/".join(dict.fromkeys(f"{leg.airline}{leg.number}" for leg in trip)),
        main.airline,
        main.number,
        _sequence(trip),
        meal_of(trip),
        len(trip) - 1,
        _changes(trip),
        "YES" if main.dual else "NO",
        duration(trip),
    )


def _clock(minutes: int) -> int:
    """Minutes after midnight as HHMM; beyond midnight on the clock of the next or the last day."""
    hours, rest = divmod(minutes % DAY, 60)
    return 100 * hours + rest


def _sequence(trip: Trip) -> str:
    return "/".join(dict.fromkeys(leg.aircraft for leg in trip))


def _changes(trip: Trip) -> int:
    return sum(one.number != other.number for one, other in itertools.pairwise(trip))


def _flight_legs(flight: int, trip: Trip, numbers: dict[Leg, int]) -> list[Row]:
    """The flights that a connecting flight consists of; a direct flight has none of these rows."""
    if not _changes(trip):
        return []
    return [(flight, place, numbers[leg]) for place, leg in enumerate(trip, start=1)]


def _stops(flight: int, trip: Trip) -> list[Row]:
    days = common_days(trip)
    return [
        (
            *(flight, place, days, one.end),
            *(_clock(one.arrival), one.airline, one.number),
            *(_clock(other.departure), other.airline, other.number, wait(one, other)),
        )
        for place, (one, other) in enumerate(itertools.pairwise(trip), start=1)
    ]


def _equipment(trips: Sequence[Trip]) -> list[Row]:
    """A sequence's aircraft; each aircraft is a sequence by itself, flown or not."""
    sequences = {_sequence(trip) for trip in trips} | set(AIRCRAFT)
    return [(sequence, code) for sequence in sorted(sequences) for code in sorted(sequence.split("/"))]
