"""Ends of a route that a place replaces which is named without a preposition: "National is what I need" after Austin to
Washington is where the route ends, since National serves Washington.

Which stations serve which place is read from the database once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import msgspec
from sqlalchemy import Connection, MetaData, select

from domain.english.model.domain import DomainModel, read_path
from domain.english.model.meaning import Condition, Meaning, Value
from domain.english.model.path_names import column_called
from domain.english.parse.parser import Parsed

_MOST_PLACES, _NAMING_SHARE = 8, 2
Served = Mapping[str, Mapping[str, frozenset[str]]]
"""For each kind of place, the stations that serve each."""
_TOLD = re.compile(
    r"\b(?:from|to|into|out of|leaving|depart[a-z]*|arriv[a-z]*|landing|between|in to|via|through|onto)\b"
)


def read_stations(model: DomainModel, schema: MetaData, link: Connection) -> Served:
    """Return the stations that serve each place that can be an end of a route; empty in a domain without routes."""
    ends = next((swap.exchange for swap in model.swap.values()), ())
    served: dict[str, dict[str, frozenset[str]]] = {}
    for kind, path in model.attribute[ends[0]].accepts.items() if ends else ():
        if kind not in model.kind or not read_path(path).steps:
            continue
        found: dict[str, set[str]] = {}
        for station, place in _pairs(path, schema, link):
            found.setdefault(place, set()).add(station)
        stations = {station for places in found.values() for station in places}
        if len(found) * _NAMING_SHARE >= len(stations):  # towns, unlike states
            served[kind] = {place: frozenset(places) for place, places in found.items()}
    return served


def _pairs(path: str, schema: MetaData, link: Connection) -> list[tuple[str, str]]:
    """Return each station with each place along the path; none where the path is not of plain columns."""
    read = read_path(path)
    station, place = (column_called(schema, name) for name in (read.steps[0].right, read.end))
    if station is None or place is None or any(step.also for step in read.steps):
        return []
    query = select(station, place).distinct()
    for step in read.steps[1:]:
        left, right = column_called(schema, step.left), column_called(schema, step.right)
        if left is None or right is None:
            return []
        query = query.where(left.__eq__(right))
    return [(str(row[0]), str(row[1])) for row in link.execute(query)]


class RouteEnds:
    """Finds the end that a place named without a preposition replaces."""

    def __init__(self, model: DomainModel, served: Served) -> None:
        self._model, self._served = model, served
        self._ends = next((swap.exchange for swap in model.swap.values()), ())

    def refine(self, parsed: Parsed, before: Meaning, plain: str) -> Parsed:
        """Return the request with its place at the end where the route before has one of the same area."""
        now = parsed.meaning
        named = [c for c in now.conditions if c.attribute in self._ends]
        if not self._served or not named or not parsed.headless or _TOLD.search(plain):
            return parsed
        kept = [c for c in named if not c.negated]
        if len(kept) != 1 or len(named) > 2:  # "Hobby, not Intercontinental" still names one place
            return parsed
        ends = [name for name in self._ends if self._alike(kept[0], before, name)]
        if len(ends) != 1:
            return parsed
        put = msgspec.structs.replace(kept[0], attribute=ends[0])
        conditions = tuple(put if c is kept[0] else c for c in now.conditions if c is kept[0] or c not in named)
        return msgspec.structs.replace(parsed, meaning=msgspec.structs.replace(now, conditions=conditions))

    def _alike(self, named: Condition, before: Meaning, end: str) -> bool:
        held = [v for c in before.conditions if c.attribute == end and not c.negated for v in c.values]
        return bool(held) and any(self._near(one, other) for one in named.values for other in held)

    def _near(self, one: Value, other: Value) -> bool:
        """Return whether two places are served by one station, or by stations that serve one town."""
        here, there = self._stations(one), self._stations(other)
        if here & there:
            return True
        towns = (places for kind in self._served.values() for places in kind.values() if len(places) <= _MOST_PLACES)
        return any(here & town and there & town for town in towns)

    def _stations(self, value: Value) -> frozenset[str]:
        name = str(value.data[0])
        places = self._served.get(value.kind)
        return places.get(name, frozenset()) if places is not None else frozenset({name})


def lists_between(model: DomainModel, fitting: Sequence[Meaning], ends: set[str]) -> Sequence[Meaning]:
    """Return the requests up to the last list of what goes between two ends: who runs those, or what one costs, has no way
    back."""
    of = {model.attribute[end].of for end in ends}
    lists = [
        n
        for n, m in enumerate(fitting)
        if {*m.entities} <= of and not (m.attributes or m.rows or m.aggregate or m.count)
    ]
    return fitting[: lists[-1] + 1] if lists else fitting


def swapped(model: DomainModel, before: Meaning, name: str) -> Meaning:
    """Return the request for the way back: with its ends exchanged, and without what holds in one direction only."""
    swap = model.swap[name]
    other = dict(zip(swap.exchange, reversed(swap.exchange), strict=True))
    conditions = tuple(
        Condition(other.get(c.attribute, c.attribute), c.values, c.negated)
        for c in before.conditions
        if c.attribute not in swap.drop
    )
    return msgspec.structs.replace(before, conditions=conditions, either=(), extremes=())
