"""Turns of spoken dialogues as people go on, narrow, change, go back and refer: what each asks for, said back."""

import pytest

from domain.english.dialogue.references import EarlierTurn
from domain.english.engine import Engine
from domain.english.wording.wordings import reword_plainly

DENVER = "flights from boston to denver"
TRAVEL = [
    # of those before, by pronouns and by comparing two
    ([DENVER], "how much is the later of those two", "fares of the flights from Boston to Denver, only the latest"),
    ([DENVER], "which one of the two is cheaper", "flights from Boston to Denver, only the cheapest"),
    ([f"{DENVER} on monday"], "what does it cost on t w a", "fares from Boston to Denver on Monday on TW"),
    ([f"{DENVER} on united"], "when are they on saturday",
     "departure time of flights from Boston to Denver on UA on Saturday"),
    (["what airline is y x"], "which cities do they fly to nonstop out of milwaukee",
     "goes to of flights on YX from Milwaukee nonstop"),
    (["flights from denver on delta"], "where can i go from there with them", "goes to of flights from Denver on DL"),
    ([DENVER], "which airport does it go to", "arrival airport of flights from Boston to Denver"),
    ([DENVER, "does any one of those make a stop"], "where", "stop places of flights from Boston to Denver stopover"),
    ([DENVER], "who has the most of them", "airlines with the most flights from Boston to Denver"),
    (["list the airports in california"], "which of these has the most flights on sunday",
     "airports with the most flights in California on Sunday"),
    ([f"{DENVER} on monday"], "show me the jets on that route", "flights from Boston to Denver jet"),
    ([DENVER], "how much would a taxi be there", "ground transport by Taxi in Denver"),
    (["airports in boston"], "is there a limousine", "ground transport by Limousine of the airports in Boston"),
    # narrowing, changing, widening
    ([DENVER], "not too early let's say after 10 a m", "flights from Boston to Denver leaving after 10 a.m."),
    ([f"{DENVER} in the morning"], "evening would be best", "flights from Boston to Denver leaving evening"),
    (["flights from san diego to san francisco"], "the alaska ones",
     "flights from San Diego to San Francisco on AS"),
    ([f"{DENVER} on monday"], "is there anything the day before", "flights from Boston to Denver on Sunday"),
    ([f"{DENVER} after five pm"], "five thirty", "flights from Boston to Denver leaving after 5:30 p.m."),
    (["fares from boston to denver under three hundred dollars"], "make it two fifty",
     "fares from Boston to Denver costing under $250"),
    ([f"{DENVER} with breakfast"], "i'll take any meal", "flights from Boston to Denver"),
    ([DENVER], "tell me the price", "fares from Boston to Denver"),
    ([f"{DENVER} on monday"], "only evening departures", "flights from Boston to Denver on Monday leaving evening"),
    ([DENVER], "narrow it down to united", "flights from Boston to Denver on UA"),
    (["flights from boston to washington dulles"], "make the airport national", "flights from Boston to DCA"),
    ([f"{DENVER} nonstop"], "no then what about with a stop", "flights from Boston to Denver one stop"),
    ([f"{DENVER} on american"], "does anyone else go", "flights from Boston to Denver not on AA"),
    ([f"{DENVER} after six pm"], "earlier ones", "flights from Boston to Denver leaving before 6 p.m."),
    ([f"{DENVER} on monday"], "how about flights to memphis instead", "flights from Boston on Monday to Memphis"),
    ([f"{DENVER} on monday"], "cheapest first please", "flights from Boston to Denver on Monday"),
    ([DENVER], "i hate those show me the jets", "flights from Boston to Denver jet"),
    ([DENVER], "i want the nonstops because my wife hates waiting", "flights from Boston to Denver nonstop"),
    # corrections
    (["flights from boston to denver around five in the afternoon"], "sorry not five uh make it 4 30",
     "flights from Boston to Denver leaving around 4:30 p.m."),
    ([DENVER], "what time is it back no what time does it get in", "arrival time of flights from Boston to Denver"),
    ([f"{DENVER} before noon"], "scratch that after noon", "flights from Boston to Denver leaving after 12 p.m."),
    # the way back, and back to what was asked before
    ([f"{DENVER} on monday"], "flip it around", "flights to Boston from Denver"),
    ([DENVER, "how much would a taxi be there"], "now coming home the following saturday",
     "flights to Boston from Denver on Saturday"),
    ([DENVER, "only united", "what do those cost"], "go back to the whole list and give me just the nonstops",
     "flights from Boston to Denver nonstop"),
    ([DENVER, "only united", "which is the shortest"], "no go back to the first list any airline which one leaves earliest",
     "flights from Boston to Denver, only the earliest"),
    (["the last flight from boston to denver"], "and the first one", "flights from Boston to Denver, only the earliest"),
    (["the first flight from boston to denver"], "and the next", "flights from Boston to Denver, only the second earliest"),
    # afresh, without a word of it
    ([f"{DENVER} on monday"], "does comair go from cincinnati to tampa", "flights on OH from Cincinnati to Tampa"),
    ([f"{DENVER} on monday", "what about xyzzy plugh"], "does comair go from cincinnati to tampa",
     "flights on OH from Cincinnati to Tampa"),
    ([DENVER], "which washington airport is the nearest to downtown", "airports Washington, only the nearest"),
]  # fmt: skip
FIRST = [
    ("i live up near white plains so what goes from westchester to chicago o'hare", "flights from Westchester County to ORD"),
    ("fares from boston to denver under four hundred one way", "fares from Boston to Denver costing under 400 one way"),
    ("what flies from dallas love field to houston hobby", "flights from DAL to HOU"),
    ("i need to land in atlanta around one p m coming from indianapolis",
     "flights to Atlanta arriving around 1 p.m. from Indianapolis"),
    ("i need the last flight of the day from new york to los angeles", "flights from New York to Los Angeles, only the latest"),
    ("which of your airplanes are propeller planes", "aircraft turboprop"),
    ("what does a rental car cost in philly", "ground price of ground transport by Rental Car in Philadelphia"),
    ("which airport in california has the most flights leaving on sunday",
     "airports with the most flights in California on Sunday"),
    ("we want to fly from newark to orlando with the kids", "flights from Newark to Orlando"),
    ("flights from newark to orlando next week",
     "flights from Newark to Orlando"
     " (in next week (May 6, 1991 to May 12, 1991): flights are the same in every week and month)"),
]  # fmt: skip


def said(engine: Engine, request: str, *context: str | EarlierTurn) -> str:
    """The paraphrase of the first reading without what it takes over; empty without a reading."""
    readings = engine.ask(request, context).readings
    return readings[0].paraphrase.removeprefix(f"(from before: {readings[0].carried}) ") if readings else ""


@pytest.mark.parametrize(("context", "request_", "meant"), TRAVEL)
def test_a_turn_goes_on_as_people_mean_it(air: Engine, context: list[str], request_: str, meant: str) -> None:
    assert said(air, request_, *context) == meant


@pytest.mark.parametrize(("request_", "meant"), FIRST)
def test_a_spoken_request_stands_by_itself(air: Engine, request_: str, meant: str) -> None:
    assert said(air, request_) == meant


def test_a_request_with_a_strange_word_is_gone_on_from_and_the_word_is_named(air: Engine) -> None:
    strange = "flights from boston to denver with a jacuzzi"
    assert air.ask(strange).readings == ()
    reading = air.ask("on monday", [strange]).readings[0]
    assert reading.paraphrase == (
        "(from before: from Boston to Denver; “jacuzzi” was not understood) flights from Boston to Denver on Monday"
    )
    later = air.ask("which airlines are those", [strange, "on monday"]).readings[0]
    assert "“jacuzzi” was not understood" in later.paraphrase
    assert air.ask("on monday", ["flights from boston with a jacuzzi"]).readings == ()


LIST = EarlierTurn(DENVER, ("flight_id",), ((101242,), (101243,), (101244,), (101245,)))
SECOND = EarlierTurn(
    "tell me about the second one which airline is it", ("flight_id", "airline_code"), ((101243, "UA"),)
)


@pytest.mark.parametrize(
    ("request_", "rows"),
    [
        ("and the fourth one what does that cost", "(101245)"),
        ("and the next one", "(101244)"),
        ("what about the one before that", "(101242)"),
        ("the third and fourth one what do they cost", "(101244, 101245)"),
    ],
)
def test_rows_are_counted_in_the_last_list_and_not_in_the_one_row_asked_about_since(
    air: Engine, request_: str, rows: str
) -> None:
    reading = air.ask(request_, [LIST, SECOND]).readings[0]
    assert f"{rows} of the answer before" in reading.paraphrase


def test_there_is_the_one_place_that_was_shown(air: Engine) -> None:
    nearest = EarlierTurn("which washington airport is the nearest to downtown", ("airport_code",), (("DCA",),))
    assert said(air, "what flights go there from detroit", nearest) == "flights to DCA from Detroit"
    assert said(air, "is there a subway from it", nearest) == "ground transport by Rapid Transit in DCA"
    several = EarlierTurn("airports in washington", ("airport_code",), (("DCA",), ("IAD",)))
    assert "DCA" not in said(air, "what flights go there from detroit", several)


@pytest.mark.parametrize(
    ("request_", "plain"),
    [
        ("how much is the later of those two", "how much is the latest of those"),
        ("which is cheaper", "which is the cheapest"),
        ("which is cheaper than that", "which is cheaper than that"),
        ("late say after eight", "late after eight"),
        ("get rid of those", "the others"),
        ("on monday no how many are there", "how many are there"),
        ("books with no pictures", "books with no pictures"),
    ],
)
def test_wordings_are_put_plainly_and_others_left(request_: str, plain: str) -> None:
    assert reword_plainly(request_) == plain
