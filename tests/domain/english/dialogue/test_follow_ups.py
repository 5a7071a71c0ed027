"""Second turns as people say them: put politely, as clauses about those before, with words for what was named, lifting what was
said; and what of these leads nowhere.
"""

import pytest

from domain.english.engine import Engine

STAFF = [
    (["engineers in networks"], "i was wondering who lives in dallas", "employees living in Dallas"),
    (["engineers in networks"], "who live in dallas", "employees in department Networks living in Dallas who are engineers"),
    (["engineers in networks"], "people who live in dallas, i mean",
     "employees in department Networks living in Dallas who are engineers"),
    (["engineers in networks"], "could you tell me what they earn on average",
     "average salary of employees in department Networks who are engineers"),
    (["salary of engineers in networks"], "and the average?",
     "average salary of employees in department Networks who are engineers"),
    (["engineers hired after 1980"], "how many in each department",
     "number of employees for each of the departments hired after 1980 who are engineers"),
    (["how many women are there"], "per department", "number of employees for each of the departments female"),
    (["how many engineers are there in networks"], "which ones are they", "employees in department Networks who are engineers"),
    (["who works in networks"], "i'd like everybody in that department who has a phd",
     "employees in department Networks with a PHD"),
    (["engineers in networks hired after 1980"], "whenever they were hired",
     "employees in department Networks who are engineers"),
    (["engineers in networks hired after 1980"], "across all departments", "employees hired after 1980 who are engineers"),
    (["accountants in finance"], "the senior ones", "employees in department Finance who are accountants senior"),
    (["which department has the most employees"], "i'd also like a list of the women in networks hired after 1970",
     "employees in department Networks hired after 1970 female"),
    ([], "everybody in user services with what they make", "salary of employees in department User Services"),
    ([], "secretaries per department", "number of employees for each of the departments who are Secretary"),
    ([], "can you find me someone who studied physics", "employees with a degree in Physics"),
    ([], "would you happen to know who runs networks", "employees in Networks who head a department"),
]  # fmt: skip
TRAVEL = [
    ([], "i was wondering whether there's anything from boston down to dallas on a thursday",
     "flights from Boston to Dallas on Thursday"),
    (["flights from boston to dallas on thursday"], "i'd need to be there by noon though",
     "flights from Boston to Dallas on Thursday arriving by 12 p.m."),
    (["flights from boston to denver on delta with dinner"], "food isn't important", "flights from Boston to Denver on DL"),
    (["flights from boston to denver before noon"], "what if the time of day doesn't matter", "flights from Boston to Denver"),
    (["ground transportation in atlanta"], "same question for dallas", "ground transport in Dallas"),
    (["is there a limo in oakland"], "how much do they charge", "ground price of ground transport by Limousine in Oakland"),
    (["where is laguardia"], "how far is that from the city", "distances from LGA"),
    (["capacity of a 757"], "which airlines use those", "airlines on a 757"),
    ([], "capacity of a seven fifty seven", "capacity of aircraft 757"),
    ([], "wide body aircraft which ones have you got", "aircraft wide body"),
    ([], "which airports are more than thirty miles from the city", "airports over 30 miles from the city"),
]  # fmt: skip


def said(engine: Engine, request: str, *context: str) -> str:
    """The paraphrase of the first reading without what it takes over; empty without a reading."""
    readings = engine.ask(request, context).readings
    return readings[0].paraphrase.rpartition(") ")[2] if readings else ""


@pytest.mark.parametrize(("context", "request_", "meant"), STAFF)
def test_what_people_say_of_staff(personnel: Engine, context: list[str], request_: str, meant: str) -> None:
    assert said(personnel, request_, *context) == meant


@pytest.mark.parametrize(("context", "request_", "meant"), TRAVEL)
def test_what_people_say_of_travel(air: Engine, context: list[str], request_: str, meant: str) -> None:
    assert said(air, request_, *context) == meant


def test_they_and_there_that_lead_nowhere_are_not_answered_by_everything(air: Engine) -> None:
    assert said(air, "what airlines fly there", "flights from boston to denver on monday") != "airlines"
    assert air.ask("which fares have it", ["what does code yn mean"]).readings[:1] != air.ask("fares").readings[:1]


def test_the_bare_title_is_offered_beside_its_sort_unless_more_is_said(personnel: Engine) -> None:
    def offered(request: str) -> list[str]:
        return [r.paraphrase for r in personnel.ask(request).readings[1:] if r.apart == "attribute"]

    assert offered("how many clerks are there") == ["number of employees who are Clerk alone"]
    assert offered("senior clerks in finance") == []


def test_the_cheapest_taxi_is_joined_to_no_fare(air: Engine) -> None:
    (first, *_) = air.ask("what is the cheapest taxi in boston").readings
    assert "fare.fare_id" not in first.sql


def test_values_that_cannot_be_said_of_another_attribute_end_in_no_error(air: Engine) -> None:
    assert air.ask("is there one around ten", ["delta flights from boston to denver on monday morning"]).readings
