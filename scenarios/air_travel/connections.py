"""Connecting flights: where passengers change, chosen so that every two cities are served both ways.

First the best connections of each pair of airports that an airline and its partners offer by themselves; where that
leaves two cities unserved, any airlines, and at last two changes. All as many as the schedule has room for.
"""

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator

from .draws import Draws
from .places import AIRPORTS, CITIES, City
from .schedule import DAY, Leg, Trip, apart, common_days, sensible, wait

_LONGEST_WAIT = 150
_LONGEST_FALLBACK_WAIT = 420

Pair = tuple[str, str]


class Board:
    """Departures by pair of airports, in order of time."""

    def __init__(self, legs: Iterable[Leg]) -> None:
        self._legs: dict[Pair, list[Leg]] = defaultdict(list)
        for leg in sorted(legs, key=lambda other_leg: (other_leg.departure, other_leg.airline, other_leg.number)):
            self._legs[leg.start, leg.end].append(leg)
        self.reached: dict[str, list[str]] = defaultdict(list)
        for start, end in sorted(self._legs):
            self.reached[start].append(end)

    def legs(self, start: str, end: str) -> list[Leg]:
        return self._legs.get((start, end), [])

    def onward(self, leg: Leg, end: str, longest: int, one_family: bool) -> Leg | None:
        """The first leg to `end` that a passenger of `leg` can reach."""
        shortest = AIRPORTS[leg.end].connect_minutes
        arrival = leg.arrival
        for other in self.legs(leg.end, end):
            if (
                shortest <= other.departure - arrival <= longest
                and (not one_family or other.family == leg.family)
                and other.number != leg.number
                and common_days((leg, other))
            ):
                return other
        return None


def duration(trip: Trip) -> int:
    """Minutes from the first departure to the last arrival, waiting included."""
    flown = sum(leg.elapsed for leg in trip)
    return flown + sum(wait(one, other) for one, other in itertools.pairwise(trip))


def connecting(legs: Iterable[Leg], through: Iterable[Trip], wanted: int, seed: int) -> list[Trip]:
    """`wanted` connections, or as many as there are, none twice; those that the unserved cities need come first."""
    board = Board(legs)
    offered = {pair: sorted(trips, key=_rank) for pair, trips in _single_changes(board).items()}
    served = {(trip[0].start, trip[-1].end) for trip in through} | {
        (start, end) for start, ends in board.reached.items() for end in ends
    }
    chosen = list(_needed(board, offered, served))
    have = set(chosen)
    for trip in _rounds(offered, seed):
        if len(chosen) >= wanted:
            break
        if trip not in have:
            have.add(trip)
            chosen.append(trip)
    return chosen


def _rank(trip: Trip) -> tuple[int, int, str, int]:
    return duration(trip), trip[0].departure, trip[0].airline, trip[0].number


def _single_changes(board: Board) -> dict[Pair, list[Trip]]:
    found: dict[Pair, list[Trip]] = defaultdict(list)
    for start in sorted(board.reached):
        for middle in board.reached[start]:
            arriving = board.legs(start, middle)
            for end in board.reached[middle]:
                if end != start and apart(start, end):
                    found[start, end] += _changes(board, arriving, end, _LONGEST_WAIT, one_family=True)
    return found


def _changes(board: Board, arriving: list[Leg], end: str, longest: int, one_family: bool) -> Iterator[Trip]:
    for leg in arriving:
        other = board.onward(leg, end, longest, one_family)
        if other and sensible((leg, other)):
            yield leg, other


def _needed(board: Board, offered: dict[Pair, list[Trip]], served: set[Pair]) -> Iterator[Trip]:
    """One connection for each two cities between which no direct flight goes."""
    for start in CITIES:
        for end in CITIES:
            if start == end or set(_airports(start)) & set(_airports(end)) or _is_served(start, end, served):
                continue
            trip = _best(board, offered, start, end)
            if trip is not None:
                served.add((trip[0].start, trip[-1].end))
                yield trip


def _is_served(start: City, end: City, served: set[Pair]) -> bool:
    return any((one, other) in served for one in _airports(start) for other in _airports(end))


def _airports(city: City) -> tuple[str, ...]:
    return tuple(service.airport for service in city.services)


def _best(board: Board, offered: dict[Pair, list[Trip]], start: City, end: City) -> Trip | None:
    pairs = [(one, other) for one in _airports(start) for other in _airports(end)]
    ready = [trip for pair in pairs for trip in offered.get(pair, ())[:1]]
    if not ready:
        ready = [trip for pair in pairs for trip in _any_airline(board, *pair)]
    if not ready:
        ready = [trip for pair in pairs for trip in _two_changes(board, *pair)]
    return min(ready, key=_rank) if ready else None


def _any_airline(board: Board, start: str, end: str) -> Iterator[Trip]:
    for middle in board.reached[start]:
        for leg in board.legs(start, middle):
            other = board.onward(leg, end, _LONGEST_FALLBACK_WAIT, one_family=False)
            if other and leg.arrival < DAY:
                yield leg, other


def _two_changes(board: Board, start: str, end: str) -> Iterator[Trip]:
    for middle in board.reached[start]:
        for leg in board.legs(start, middle):
            for second in board.reached[middle]:
                other = board.onward(leg, second, _LONGEST_FALLBACK_WAIT, one_family=False)
                last = board.onward(other, end, _LONGEST_FALLBACK_WAIT, one_family=False) if other else None
                if other is None or last is None or second == start or max(leg.arrival, other.arrival) >= DAY:
                    continue
                if common_days((leg, other, last)):
                    yield leg, other, last


def _rounds(offered: dict[Pair, list[Trip]], seed: int) -> Iterator[Trip]:
    """The best of every pair, then the second best of every pair, and so on; within a round in drawn order."""
    order = sorted(offered, key=lambda pair: (Draws(seed, *pair, "connection").below(1 << 32), pair))
    for place in range(max(map(len, offered.values()), default=0)):
        for pair in order:
            if place < len(offered[pair]):
                yield offered[pair][place]
