"""A request for each rule and setting of the shipped principles, and what it must be answered with, in SQL by hand.

`{rule}` in a statement is the rule's own text as the principles print it; its blanks are in `blanks`.
"""

from pathlib import Path

import msgspec

import scenarios
from domain.english.model.domain import load_domain
from domain.principles import PrincipleSet, load

SCENARIOS = Path(scenarios.__file__).parent
SETS = [("air_travel", "papers"), ("air_travel", "references"), ("personnel", "bbn_1989")]

_AT = "SELECT airport_code FROM airport_service NATURAL JOIN city WHERE city_name"
_LEAVING = f"flight.from_airport IN ({_AT} = 'MEMPHIS')"
_FLIGHTS = f"SELECT flight_id FROM flight WHERE {_LEAVING}"
_FARES = (
    f"SELECT fare.fare_id FROM fare JOIN flight_fare USING (fare_id) JOIN flight USING (flight_id) WHERE {_LEAVING}"
)
_EMPLOYEES = "SELECT employee_id FROM employee WHERE"
_MONDAY = "flight_days IN (SELECT days_code FROM days WHERE day_name = '{day}')"
_LATE = "(departure_time > arrival_time AND (time_elapsed >= 60 OR arrival_time < 41))"


class Case(msgspec.Struct, frozen=True):
    """A request and the statement whose rows its minimal answer has."""

    request: str
    sql: str
    blanks: dict[str, str | int] = {}


def _timed(said: str, **times: int) -> Case:
    request = f"flights from memphis {said}"
    return Case(request, f"{_FLIGHTS} AND ({{rule}})", {"time_column": "departure_time", **times})


def _flagged(request: str, statement: str = _FLIGHTS) -> Case:
    return Case(request, f"{statement} AND ({{rule}})")


def _arriving(day_before: bool) -> Case:
    day, before = _MONDAY.format(day="MONDAY"), _MONDAY.format(day="SUNDAY")
    held = f"(CASE WHEN {_LATE} THEN {before} ELSE {day} END)" if day_before else day
    return Case("flights from memphis arriving on monday", f"{_FLIGHTS} AND {held}")


_MEANING = "{{rule}} WHERE {column} = '{code}'"
_AIR = {
    "clock =": _timed("leaving at 8", time=800),
    "clock between": _timed("leaving between 5 pm and 7 pm", first=1700, second=1900),
    "clock <": _timed("leaving before 5 pm", time=1700),
    "clock >": _timed("leaving after 5 pm", time=1700),
    "clock around": _timed("leaving around 5 pm", first=1630, second=1730),
    "nonstop": _flagged("nonstop flights from memphis"),
    "direct": _flagged("direct flights from memphis"),
    "with_meal": _flagged("flights from memphis with a meal"),
    "one_way": _flagged("one way fares from memphis", _FARES),
    "round_trip": _flagged("round trip fares from memphis", _FARES),
    "cheapest": Case("what is the cheapest fare", "SELECT fare_id FROM fare WHERE {rule}"),
    "dearest": Case("what is the most expensive fare", "SELECT fare_id FROM fare WHERE {rule}"),
    "cheapest round_trip": Case("what is the cheapest round trip fare", "SELECT fare_id FROM fare WHERE {rule}"),
    "dearest round_trip": Case("what is the most expensive round trip fare", "SELECT fare_id FROM fare WHERE {rule}"),
    "asked departure_time": Case("departure times of flights from memphis", f"{{rule}} WHERE {_LEAVING}"),
    "asked flight_days": Case("on what days are there flights from memphis", f"{{rule}} WHERE {_LEAVING}"),
    "asked stop_places": Case("what stops do the flights from memphis make", f"{{rule}} WHERE {_LEAVING}"),
    "asked meal": Case("what meals are there", "{rule}"),
    "explained airline": Case("what does DL mean", _MEANING.format(column="airline_code", code="DL")),
    "explained airport": Case("what does DFW mean", _MEANING.format(column="airport_code", code="DFW")),
    "explained aircraft": Case("what does the code 73S mean", _MEANING.format(column="aircraft_code", code="73S")),
    "explained booking_class": Case(
        "what does booking class Q mean", _MEANING.format(column="booking_class", code="Q")
    ),
}
_AIR_SETTINGS = {
    "open_clock": _AIR["clock ="],
    "around": _AIR["clock around"],
}
_MOST = "(SELECT airline_code, COUNT(*) AS n FROM flight GROUP BY airline_code)"
_SET = {
    "papers": {
        "by": Case("flights from memphis arriving by 5 pm", f"{_FLIGHTS} AND arrival_time <= 1700"),
        "overnight": _arriving(day_before=True),
        "counted_most": Case(
            "which airline has the most flights",
            f"SELECT airline_code, n FROM {_MOST} WHERE n = (SELECT MAX(n) FROM {_MOST})",
        ),
    },
    "references": {
        "by": Case("flights from memphis arriving by 5 pm", f"{_FLIGHTS} AND arrival_time < 1700"),
        "overnight": _arriving(day_before=False),
        "counted_most": Case("which airline has the most flights", f"SELECT airline_code, n FROM {_MOST}"),
        "afternoon_below": Case("flights from memphis leaving after 5", f"{_FLIGHTS} AND departure_time > 1700"),
        "dates": Case("flights from memphis tomorrow", f"{_FLIGHTS} AND {_MONDAY.format(day='SUNDAY')}"),
    },
    "bbn_1989": {
        "noun_question": Case("employees in department 45?", "SELECT COUNT(*) FROM employee WHERE department = '45'"),
    },
}
_PERSONNEL = {
    "asked work_phone": Case("telephones of the clerks", "{rule} WHERE instr(job_title, 'CLERK') > 0"),
    "asked name": Case("names of the clerks", "{rule} WHERE instr(job_title, 'CLERK') > 0"),
    "asked address": Case("addresses of the clerks", "{rule} WHERE instr(job_title, 'CLERK') > 0"),
    "share": Case(
        "what percentage of the employees are women",
        "SELECT {rule}",
        {
            "part": "(SELECT COUNT(*) FROM employee WHERE sex = 'F')",
            "whole": "(SELECT COUNT(*) FROM employee)",
        },
    ),
    **{
        word: Case(f"list the {word}s", f"{_EMPLOYEES} {{rule}}")
        for word in ("scientist", "engineer", "programmer", "clerk", "accountant", "manager")
    },
}


def cases(domain: str, name: str) -> dict[str, Case]:
    """The cases of a set by what its rules, settings and identifiers decide."""
    model, chosen = load_domain(SCENARIOS / domain), load(SCENARIOS / domain, name)
    periods = {
        key: _timed(f"leaving {model.period[key.removeprefix('period ').replace(' ', '_')].words[0]}")
        for key in chosen.rules
        if key.startswith("period ")
    }
    listed = {
        f"identified {entity.table}": Case(
            f"list all {entity.words[-1]}",
            f"SELECT {', '.join(chosen.identifiers[entity.table])} FROM {entity.table}",
        )
        for entity in model.entity.values()
        if entity.table in chosen.identifiers and entity.words
    }
    shipped = {**_AIR, **_AIR_SETTINGS} if domain == "air_travel" else _PERSONNEL
    known = decided(chosen)
    return {key: case for key, case in {**shipped, **periods, **listed, **_SET[name]}.items() if key in known}


def decided(chosen: PrincipleSet) -> dict[str, str]:
    """What a set decides, each with the text of its rule."""
    rules = {key: " OR ".join(fragments) for key, fragments in chosen.rules.items()}
    shown_by = {"open_clock": "clock =", "around": "clock around"}
    settings = {key: rules.get(shown_by.get(key, ""), "") for principle in chosen.principle for key in principle.sets}
    return rules | settings | {f"identified {table}": "" for table in chosen.identifiers}


def statement(case: Case, rule: str) -> str:
    """The SQL by hand with the rule in it, as printed."""
    filled = rule
    for blank, value in case.blanks.items():
        filled = filled.replace(f"{{{blank}}}", str(value))
    return case.sql.replace("{rule}", filled)
