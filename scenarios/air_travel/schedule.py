"""Direct flights: who flies from where to where at what time, without a stop or with one or two.

Airlines fly between their hubs and the airports around; a regional airline flies short ways, often under the code of
a partner. Where an aircraft goes on within the hour, the two flights carry one number and are sold as one flight with
a stop as well. All times are minutes after local midnight until the rows are written.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache

import msgspec

from .carriers import AIRCRAFT, AIRLINES, DUAL_NUMBERS, Airline
from .codes import CODE_OF_DAYS, DAY_SETS, MEALS
from .draws import Draws
from .places import AIRPORTS, cities_of, miles, zone_minutes

DAY = 1440
_REGIONAL_MILES = 450
_PATTERNS = ("DAILY",) * 12 + ("-SA", "-SU", "-SS", "-SS", "MWF", "TTS", "FSM", "SS", "SU", "FR", "SA", "MO")


class Leg(msgspec.Struct, frozen=True):
    """A flight from take-off to the next landing; `departure` in local minutes, `elapsed` in minutes."""

    airline: str
    number: int
    start: str
    end: str
    departure: int
    elapsed: int
    days: str
    aircraft: str
    meal: str | None
    dual: bool = False

    @property
    def arrival(self) -> int:
        """Local time of arrival in minutes; from 1440 on it is the next day, below 0 the day before."""
        return self.departure + self.elapsed + zone_minutes(self.start, self.end)

    @property
    def family(self) -> str:
        return AIRLINES[self.airline].family


Trip = tuple[Leg, ...]
"""Legs in order that are sold as one flight."""


@cache
def apart(one: str, other: str) -> bool:
    """Return whether anybody would fly: two airports that serve no city in common."""
    return not set(cities_of(one)) & set(cities_of(other))


def wait(before: Leg, after: Leg) -> int:
    """Minutes on the ground between two legs; negative when the second leaves first."""
    return after.departure - before.arrival


def common_days(trip: Sequence[Leg]) -> str | None:
    """The code of the days on which all legs go, or None when there is no such code."""
    return _common_code(*(leg.days for leg in trip))


@cache
def _common_code(*codes: str) -> str | None:
    return CODE_OF_DAYS.get(frozenset.intersection(*(DAY_SETS[code] for code in codes)))


def legs(seed: int) -> list[Leg]:
    """Every nonstop flight."""
    apart_from = {code: [other for other in AIRPORTS if apart(code, other)] for code in AIRPORTS}
    found: list[Leg] = []
    for airline in AIRLINES.values():
        numbers = _Numbers(airline)
        for start, end in _routes(airline, apart_from, seed):
            found += _flights(airline, start, end, numbers, seed)
            found += _flights(airline, end, start, numbers, seed)
    return found


def _routes(airline: Airline, apart_from: dict[str, list[str]], seed: int) -> Iterator[tuple[str, str]]:
    furthest = max(AIRCRAFT[code].range for code in airline.fleet) * 9 // 10
    if airline.regional:
        furthest = min(furthest, _REGIONAL_MILES)
    seen: set[frozenset[str]] = set()
    for place, hub in enumerate(airline.hubs):
        for spoke in apart_from[hub]:
            if frozenset((hub, spoke)) in seen or not 40 <= miles(hub, spoke) <= furthest:
                continue
            if spoke in airline.hubs or Draws(seed, airline.code, hub, spoke).chance(_share(airline, place, spoke)):
                seen.add(frozenset((hub, spoke)))
                yield hub, spoke


def _share(airline: Airline, hub_place: int, spoke: str) -> int:
    """In percent, how likely an airline flies between its hub of that place in the list and an airport."""
    rank = AIRPORTS[spoke].rank
    if airline.regional:
        return 75
    small = len(airline.hubs) == 1
    return max(5, (15 if small else 35) + 6 * rank - 7 * hub_place - (30 if rank < 3 else 0))


def _flights(airline: Airline, start: str, end: str, numbers: "_Numbers", seed: int) -> Iterator[Leg]:
    draws = Draws(seed, airline.code, start, end, "flights")
    distance = miles(start, end)
    weight = AIRPORTS[start].rank * AIRPORTS[end].rank
    count = 2 + draws.below(3) if airline.regional else 1 + weight // 22 + draws.below(3) - (distance > 1500)
    for place in range(max(1, count)):
        departure = _departure(draws, place, max(1, count), distance, zone_minutes(start, end))
        days = "DAILY" if place == 0 else draws.pick(_PATTERNS)
        code = _aircraft(airline, distance, weight, draws)
        elapsed = _elapsed(distance, AIRCRAFT[code].speed, draws)
        sold = airline.partner if airline.partner and draws.chance(60) else airline.code
        dual = sold != airline.code
        meal = _meal(departure, elapsed, AIRCRAFT[code].jet, draws)
        yield Leg(sold, numbers.next(dual), start, end, departure, elapsed, days, code, meal, dual)


def _departure(draws: Draws, place: int, count: int, distance: int, zones: int) -> int:
    """Spread over the day from six on; long ways to the east also leave before midnight."""
    if distance > 1400 and zones >= 60 and place == count - 1 and draws.chance(35):
        return 5 * (264 + draws.below(20))
    slot = 900 // count
    return 5 * ((360 + place * slot + draws.below(slot)) // 5)


def _elapsed(distance: int, speed: int, draws: Draws) -> int:
    """Taxiing and climbing 25 to 35 minutes, then cruising; in steps of five minutes."""
    return 5 * (-(-(25 + distance * 60 // speed) // 5) + draws.below(3))


def _aircraft(airline: Airline, distance: int, weight: int, draws: Draws) -> str:
    fit = [code for code in airline.fleet if AIRCRAFT[code].range * 9 // 10 >= distance]
    wide_wanted = distance > 900 and weight >= 40
    sized = [code for code in fit if wide_wanted or not AIRCRAFT[code].wide]
    return draws.pick(sized or fit)


def _meal(departure: int, elapsed: int, jet: bool, draws: Draws) -> str | None:
    if not jet or elapsed < 70:
        return None
    middle = (departure + elapsed // 2) % DAY
    for first, last, code in ((330, 600, "BR"), (660, 840, "LU"), (1020, 1230, "DI")):
        if first <= middle < last and elapsed >= 90:
            return _longer(code, elapsed)
    if elapsed >= 120:
        return "SN"
    return "S/" if draws.chance(40) else None


def _longer(code: str, elapsed: int) -> str:
    """Beyond four hours a snack comes with the meal."""
    return code[0] + "S" if elapsed > 240 else code


class _Numbers:
    """Flight numbers of an airline: its own from 101 on, and those of its partner's block, round and round."""

    def __init__(self, airline: Airline) -> None:
        self._own = 100
        self._first, self._last = DUAL_NUMBERS.get(airline.code, (0, 0))
        self._dual = self._first - 1

    def next(self, dual: bool) -> int:
        if not dual:
            self._own += 1
            return self._own
        self._dual = self._first if self._dual == self._last else self._dual + 1
        return self._dual


def chained(all_legs: Sequence[Leg]) -> tuple[list[Leg], list[Trip]]:
    """The legs, numbers shared where an aircraft goes on; and the direct flights with one or two stops."""
    after = _onward(all_legs)
    followers = set(after.values())
    numbered: dict[int, Leg] = {}
    through: list[Trip] = []
    for place in range(len(all_legs)):
        if place in followers:
            continue
        chain = [all_legs[place]]
        at = place
        numbered[at] = all_legs[at]
        while at in after:
            at = after[at]
            leg = msgspec.structs.replace(all_legs[at], number=chain[0].number)
            numbered[at] = leg
            chain.append(leg)
        through += _parts(chain)
    return [numbered[place] for place in range(len(all_legs))], through


def _onward(all_legs: Sequence[Leg]) -> dict[int, int]:
    """Return which leg the aircraft of a leg flies next, both by place in the list; no leg follows two."""
    leaving: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for place, leg in enumerate(all_legs):
        leaving[leg.airline, leg.aircraft, leg.start].append(place)
    after: dict[int, int] = {}
    taken: set[int] = set()
    for place, leg in enumerate(all_legs):
        for other in leaving[leg.airline, leg.aircraft, leg.end]:
            if other not in taken and leg.dual == all_legs[other].dual and _goes_on(leg, all_legs[other]):
                after[place] = other
                taken.add(other)
                break
    return after


def _goes_on(leg: Leg, other: Leg) -> bool:
    return (
        25 <= wait(leg, other) <= 75
        and apart(leg.start, other.end)
        and sensible((leg, other))
        and common_days((leg, other)) is not None
    )


def sensible(trip: Sequence[Leg]) -> bool:
    """Return whether the way round is bearable, and every leg but the last ends on the day on which it began."""
    flown = sum(miles(leg.start, leg.end) for leg in trip)
    same_day = all(0 <= leg.arrival < DAY for leg in trip[:-1])
    return same_day and flown * 10 <= miles(trip[0].start, trip[-1].end) * 15 + 1500


def _parts(chain: Sequence[Leg]) -> Iterator[Trip]:
    for size in (2, 3):
        for first in range(len(chain) - size + 1):
            trip = tuple(chain[first : first + size])
            if apart(trip[0].start, trip[-1].end) and sensible(trip) and common_days(trip):
                yield trip


def main_leg(trip: Trip) -> Leg:
    """The leg under whose airline and number a flight is sold: the longest, the first of two as long."""
    return max(trip, key=lambda leg: miles(leg.start, leg.end))


def meal_of(trip: Sequence[Leg]) -> str | None:
    """The meals of several legs as one code: the greatest with a snack if there is one."""
    served = [leg.meal for leg in trip if leg.meal]
    main = [code for code in served if not code.startswith("S")]
    if main:
        with_snack = f"{main[0][0]}S"
        return with_snack if len(served) > 1 and with_snack in MEALS else main[0]
    return served[0] if served else None
