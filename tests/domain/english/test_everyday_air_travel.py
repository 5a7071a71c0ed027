"""Everyday ways of asking about flights, each with what is understood."""

import pytest

from domain.english.engine import Engine

SAID = [
    ("how long is a 757", "aircraft length of aircraft 757"),
    ("one way fares from boston to denver under 300 dollars", "fares from Boston to Denver costing under $300 one way"),
    ("what do they serve on the continental flights from houston to newark", "meals on CO from Houston to Newark"),
    ("fares from seattle to minneapolis that need a saturday night stay",
     "fares from Seattle to Minneapolis with a Saturday night stay"),
    ("flights from cleveland to new york tonight", "flights from Cleveland to New York on April 29, 1991 leaving evening"),
    ("flights from cleveland to new york this morning",
     "flights from Cleveland to New York on April 29, 1991 leaving morning"),
    ("weekend flights from orlando to columbus", "flights from Orlando to Columbus on Saturday or Sunday"),
    ("how much does it cost to fly from boston to denver", "fares from Boston to Denver"),
    ("how much does a limo cost in pittsburgh", "ground price of ground transport by Limousine in Pittsburgh"),
    ("what does ap fourteen mean", "restrictions Ap/14"),
    ("what's the fastest aircraft", "aircraft, only the fastest"),
    ("who is the pilot on the delta flight to miami", ""),
    ("flights from salt lake city to portland uh to seattle i mean", "flights from Salt Lake City to Seattle"),
    ("where does the united flight from boston to san diego stop", "stop places of flights on UA from Boston to San Diego"),
    ("flights from boston in the evening before 8", "flights from Boston leaving evening leaving before 8 p.m."),
    ("flights from boston at night after 10", "flights from Boston leaving night leaving after 10 p.m."),
    ("flights from boston in the morning after 9", "flights from Boston leaving morning leaving after 9 a.m."),
    ("flights from boston in the evening before 8 a.m.", "flights from Boston leaving evening leaving before 8 a.m."),
    ("how many seats does the beechcraft 1900 have", "capacity of aircraft BE1"),
    ("flights on a beechcraft at 1900", "flights on a Beechcraft leaving at 7 p.m."),
    ("what does the airline code oh mean", "airline meaning of airlines OH"),
    ("what flights from houston to seattle arrive before 8pm in seattle",
     "flights from Houston to Seattle arriving before 8 p.m."),
    ("flights from cleveland to orlando on a weekday", "flights from Cleveland to Orlando weekdays"),
    ("the fare for us flight 3357 from pittsburgh to columbus", "fares on US number 3357 from Pittsburgh to Columbus"),
    ("flights from houston to houston", ""),
    ("the lowest price for us air flights from pittsburgh to columbus",
     "flights on US from Pittsburgh to Columbus, only the cheapest"),
]  # fmt: skip


@pytest.mark.parametrize(("request_", "understood"), SAID, ids=[said for said, _ in SAID])
def test_what_is_understood(air: Engine, request_: str, understood: str) -> None:
    readings = air.ask(request_).readings
    assert [(one.paraphrase, one.unused) for one in readings[:1]] == ([(understood, ())] if understood else [])


def test_the_way_back_on_a_day_is_asked_for_after_the_way_there(air: Engine) -> None:
    turns = ["flights from boston to denver on monday"]
    assert "to Boston from Denver on Wednesday" in air.ask("returning on wednesday", turns).readings[0].paraphrase
