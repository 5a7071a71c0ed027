"""Connections of the generated schedule: who is linked, how long a change takes, what the two legs make together."""

from typing import Any

import pytest

from scenarios.air_travel.connections import Board, connecting, duration
from scenarios.air_travel.draws import Draws
from scenarios.air_travel.schedule import Leg, meal_of


def leg(start: str, end: str, departure: int, airline: str = "UA", number: int = 1, days: str = "DAILY") -> Leg:
    return Leg(airline, number, start, end, departure, 60, days, "733", None)


def test_cities_that_no_airline_links_are_linked_by_two() -> None:
    legs = [leg("BOS", "ORD", 600), leg("ORD", "SLC", 800, "DL", 2)]
    assert tuple(legs) in connecting(legs, [], 5, 1)


def test_cities_beyond_two_changes_are_linked_by_three_flights() -> None:
    legs = [leg("BOS", "ORD", 400), leg("ORD", "DEN", 600, "AA", 2), leg("DEN", "SLC", 800, "DL", 3)]
    assert tuple(legs) in connecting(legs, [], 9, 1)


@pytest.mark.parametrize(("departure", "met"), [(569, False), (570, False), (590, True), (740, False)])
def test_a_connection_needs_time_to_change_and_not_too_much(departure: int, met: bool) -> None:
    """The first leg lands at ORD at 540 local; 50 minutes are needed there, and 150 are the most."""
    first = leg("BOS", "ORD", 540)
    board = Board([first, leg("ORD", "SLC", departure, number=2)])
    assert (board.onward(first, "SLC", 150, one_family=True) is not None) == met


def test_a_connection_needs_a_common_day() -> None:
    first = leg("BOS", "ORD", 540, days="SU")
    board = Board([first, leg("ORD", "SLC", 600, number=2, days="MO")])
    assert board.onward(first, "SLC", 150, one_family=True) is None


def test_a_trip_lasts_from_the_first_departure_to_the_last_arrival() -> None:
    assert duration((leg("BOS", "ORD", 540), leg("ORD", "SLC", 600, number=2))) == 180


def test_meals_of_two_legs_are_told_by_one_code() -> None:
    eaten = (leg("BOS", "ORD", 400), leg("ORD", "SLC", 600))
    served = [tuple(Leg(*(*_fields(one)[:8], meal)) for one, meal in zip(eaten, meals, strict=True)) for meals in
              ((None, None), ("BR", None), ("BR", "SN"), ("SN", "LU"), ("SN", "SN"), ("LU", "DI"))]  # fmt: skip
    assert [meal_of(trip) for trip in served] == [None, "BR", "BS", "LS", "SN", "LS"]


def _fields(one: Leg) -> tuple[Any, ...]:
    return tuple(getattr(one, name) for name in one.__struct_fields__)


def test_chance_is_the_same_everywhere() -> None:
    draws = Draws(1992, "AA", "BOS")
    assert [draws.below(1000) for _ in range(5)] == [725, 720, 288, 270, 488]
