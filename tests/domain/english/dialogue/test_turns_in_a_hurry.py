"""Turns of people in a hurry or in a mood: short, spoken in their own order, undone again, with asides around them."""

import pytest

from domain.english.engine import Engine

DENVER = "flights from boston to denver"
TURNS = [
    # undone, and lifted before something else is asked
    ([DENVER, "on united"], "one step back", "flights from Boston to Denver"),
    (
        [f"{DENVER} on monday", "with dinner"],
        "put it back to before the food",
        "flights from Boston to Denver on Monday",
    ),
    ([DENVER, "with dinner"], "ok forget dinner just no connections", "flights from Boston to Denver direct"),
    ([f"{DENVER} on american"], "american or otherwise", "flights from Boston to Denver"),
    # the word order of speech
    ([DENVER], "whichever lands first", "flights from Boston to Denver, only the earliest by arrival time"),
    (
        [DENVER],
        "between those two which arrives sooner",
        "flights from Boston to Denver, only the earliest by arrival time",
    ),
    ([DENVER, "which ones stop"], "stopping where", "stop places of flights from Boston to Denver"),
    ([DENVER], "in before five p m", "flights from Boston to Denver arriving before 5 p.m."),
    # the end of a route that a place replaces, and a whole new route
    (["flights from boston to washington"], "national is what i need", "flights from Boston to DCA"),
    (["flights from boston to love field"], "try d f w", "flights from Boston to DFW"),
    (["flights from phoenix to houston"], "intercontinental not hobby", "flights from Phoenix to IAH"),
    ([f"{DENVER} under two hours"], "sunday phoenix from toronto", "flights on Sunday to Phoenix from Toronto"),
    # corrections
    (["boston to denver friday"], "saturday i keep saying friday", "flights from Boston to Denver on Saturday"),
    (["connect time at newark"], "i said newark but i need boston", "connect time of airports in Boston"),
    # a bound on what selected one row holds of all
    ([DENVER, "the latest of these"], "after seven p m", "flights from Boston to Denver leaving after 7 p.m."),
]
FIRST = [
    ("nonstops boston washington thursday", "flights from Boston to Washington on Thursday nonstop"),
    ("o'hare la guardia nonstop", "flights from ORD to LGA nonstop"),
    ("united seattle dallas no seattle denver wed", "flights on UA from Seattle to Denver on Wednesday"),
    (
        "goodness my boys are crazy about trucks so which flights go from boston to denver",
        "flights from Boston to Denver",
    ),
]


@pytest.mark.parametrize(("context", "request_", "meant"), TURNS)
def test_a_turn_in_a_hurry_goes_on_from_the_ones_before(
    air: Engine, context: list[str], request_: str, meant: str
) -> None:
    assert _said(air, request_, *context) == meant


@pytest.mark.parametrize(("request_", "meant"), FIRST)
def test_a_request_in_a_hurry_stands_by_itself(air: Engine, request_: str, meant: str) -> None:
    assert _said(air, request_) == meant


def _said(air: Engine, request: str, *context: str) -> str:
    """The likeliest reading, said back without what it took over."""
    readings = air.ask(request, context).readings
    return readings[0].paraphrase.rpartition(") ")[2] if readings else "none"
