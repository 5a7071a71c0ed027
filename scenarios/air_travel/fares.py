"""Prices of flights: fares by airline and pair of airports, growing with distance, and which flight has which.

Every amount is in whole dollars and follows from the distance and the airline alone, so that fares of one airline
never fall as the way grows longer, first class costs more than business, business more than coach and coach more than
thrift, and a round trip costs less than two one-way tickets.
"""

from collections.abc import Iterable, Iterator, Sequence

from domain.database.table_shape import Row

from .carriers import AIRCRAFT, AIRLINES
from .codes import BASES
from .draws import Draws
from .places import miles
from .schedule import Trip, main_leg

_SHARE = {"F": 150, "FN": 135, "C": 125, "Y": 100, "YN": 84, "B": 78, "M": 68}
_SHARE |= {"K": 60, "Q": 52, "QX": 48, "VR": 42}  # in percent of the full coach fare
_RESTRICTION = {"M": "AP/07", "Q": "AP/14", "VR": "AP/21", "QX": "EX/05"}
_ONE_WAY_ONLY = frozenset({"K", "B", "YN", "FN"})
_ROUND_TRIP_ONLY = frozenset({"VR", "QX", "Q"})
_FIRST_FARE = 7_000_001

FareKey = tuple[str, str, str, str]
"""Airline, from airport, to airport, fare basis."""


def coach(airline: str, start: str, end: str) -> int:
    """The full coach fare one way, in dollars."""
    return (4800 + 23 * miles(start, end)) * AIRLINES[airline].price // 10_000


def one_way(key: FareKey) -> int:
    airline, start, end, basis = key
    return coach(airline, start, end) * _SHARE[basis] // 100


def round_trip(key: FareKey) -> int | None:
    """Less than twice the way there; None when the fare is for one way only."""
    if key[3] in _ONE_WAY_ONLY:
        return None
    there = one_way(key)
    return 2 * there - max(1, there * 8 // 100)


def bases_of(trip: Trip, seed: int) -> Iterator[str]:
    """The fare bases at which a flight is sold: what its cabins, its hour and its airline allow."""
    airline = main_leg(trip).airline
    cabins = set.intersection(*(set(AIRCRAFT[leg.aircraft].compartments) for leg in trip))
    night = trip[0].departure >= 1260 or trip[0].departure < 360
    draws = Draws(seed, "fares", airline, *(part for leg in trip for part in (leg.number, leg.start, leg.end)))
    allowed = {
        "F": "F" in cabins,
        "FN": "F" in cabins and night,
        "C": "C" in cabins and miles(trip[0].start, trip[-1].end) >= 700,
        "Y": True,
        "YN": night,
        "B": draws.chance(60),
        "M": draws.chance(75),
        "K": AIRLINES[airline].price < 97 or draws.chance(25),
        "Q": draws.chance(70),
        "QX": draws.chance(20),
        "VR": draws.chance(65),
    }
    return (basis for basis in BASES if allowed[basis])


def rows(flights: Sequence[tuple[int, Trip]], seed: int) -> dict[str, list[Row]]:
    """The tables fare and flight_fare."""
    sold = [
        (flight, (main_leg(trip).airline, trip[0].start, trip[-1].end, basis))
        for flight, trip in flights
        for basis in bases_of(trip, seed)
    ]
    numbers = _numbered(key for _, key in sold)
    return {
        "fare": [_fare_row(number, key) for key, number in numbers.items()],
        "flight_fare": [(flight, numbers[key]) for flight, key in sold],
    }


def _numbered(keys: Iterable[FareKey]) -> dict[FareKey, int]:
    return {key: number for number, key in enumerate(sorted(set(keys)), start=_FIRST_FARE)}


def _fare_row(number: int, key: FareKey) -> Row:
    airline, start, end, basis = key
    required = "YES" if basis in _ROUND_TRIP_ONLY else "NO"
    restriction = _RESTRICTION.get(basis)
    return (number, start, end, basis, airline, restriction, one_way(key), round_trip(key), required)
