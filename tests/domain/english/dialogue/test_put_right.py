"""Turns that put a turn before them right: what each asks for, said back, and what it leaves as it was."""

import pytest

from domain.english.dialogue.references import EarlierTurn
from domain.english.engine import Engine

FARES = "round trip fares from denver to atlanta"
DENVER = "flights from boston to denver"
DENIED = [
    ([f"{DENVER} on friday nonstop"], "thursday not friday", "flights from Boston to Denver on Thursday nonstop"),
    ([f"{DENVER} on friday"], "sorry not friday thursday", "flights from Boston to Denver on Thursday"),
    ([f"{DENVER} on friday", "thursday not friday"], "no not denver dallas", "flights from Boston to Dallas on Thursday"),
    ([FARES, "below four hundred"], "boss says three hundred not four",
     "fares from Denver to Atlanta costing under 300 round trip"),
    ([FARES, "below four hundred"], "five not four hundred", "fares from Denver to Atlanta costing under 500 round trip"),
    (["first class fares from indianapolis to phoenix"], "he says business not first",
     "fares Business class from Indianapolis to Phoenix"),
    (["the last flight from boston to denver"], "first i mean not last", "flights from Boston to Denver, only the earliest"),
    ([f"{DENVER} after five pm"], "i said after five but i meant before five",
     "flights from Boston to Denver leaving before 5 p.m."),
    ([f"{DENVER} after five pm"], "before six not after five", "flights from Boston to Denver leaving before 6 p.m."),
    ([f"{DENVER} on united"], "scratch united delta is who i have miles with", "flights from Boston to Denver on DL"),
    ([f"{DENVER} with a snack"], "did i say snack i'd rather it was breakfast", "flights from Boston to Denver with Breakfast"),
    ([f"{DENVER} on monday evening", "nonstop ones"], "sorry i said evening i meant afternoon",
     "flights from Boston to Denver on Monday leaving afternoon nonstop"),
    ([f"{DENVER} on united", "no i mean delta"], "no i mean american", "flights from Boston to Denver on AA"),
    ([f"{DENVER} on united", "no i mean delta"], "no united was right after all", "flights from Boston to Denver on UA"),
    ([f"{DENVER} on united"], "forget that united business", "flights from Boston to Denver"),
    ([f"{DENVER} on monday", "tuesday not monday"], "and nonstop", "flights from Boston to Denver on Tuesday nonstop"),
]  # fmt: skip
SUPPOSED = [
    ([f"{DENVER} on friday"], "would it be any different if i left before ten",
     "flights from Boston to Denver on Friday leaving before 10 a.m."),
    ([f"{DENVER} on friday"], "and if i waited until after twelve thirty p m",
     "flights from Boston to Denver on Friday leaving after 12:30 p.m."),
    ([f"{DENVER} on friday"], "what if we went on sunday", "flights from Boston to Denver on Sunday"),
    ([f"{DENVER} on united"], "would southwest be better", "flights from Boston to Denver on WN"),
    ([f"{DENVER} on united"], "how does delta look", "flights from Boston to Denver on DL"),
    ([f"{DENVER} before eleven"], "eleven is too early for me noon i mean",
     "flights from Boston to Denver leaving before 12 p.m."),
    # what was only asked of the list stays beside it
    ([f"{DENVER} on friday", "what do they serve on those"], "what if i left before ten",
     "flights from Boston to Denver on Friday leaving before 10 a.m."),
    ([f"{DENVER} on friday", "departure times"], "and on saturday",
     "departure time of flights from Boston to Denver on Saturday"),
]  # fmt: skip
AGAIN = [
    ([f"{DENVER} on united", "nonstop", "make it delta"], "the united ones again please",
     "flights from Boston to Denver on UA nonstop"),
    ([f"{DENVER} on a 757", "make it a 737"], "757s again", "flights from Boston to Denver on a 757"),
    ([DENVER, "with dinner"], "show me the first list again", "flights from Boston to Denver"),
    ([DENVER, "after two in the afternoon", "before ten in the morning"], "never mind that give me the after two ones again",
     "flights from Boston to Denver leaving after 2 p.m."),
    ([DENVER, "only pan am", "in the evening"], "no no that is late for me show me again all the pan am ones",
     "flights from Boston to Denver on PA"),
    ([f"{DENVER} on monday", "what about tuesday", "from dallas instead"], "return to the three that left from boston",
     "flights from Boston to Denver on Tuesday"),
    ([DENVER, "without delta"], "with them again", "flights from Boston to Denver"),
    # the other half says nothing that could stand alone
    ([f"{DENVER} on united"], "dallas again who has the most of everything", ""),
]  # fmt: skip
ASKED = [
    (["flights from boston to denver on may third"], "the eighth i beg your pardon",
     "flights from Boston to Denver on May 8, 1991"),
    ([f"{DENVER} on united"], "the late one which days", "flight days of flights from Boston to Denver on UA leaving late"),
    ([DENVER], "the united ones how much are they", "fares from Boston to Denver on UA"),
    ([f"{DENVER} on united"], "what's the fare one way", "fares from Boston to Denver on UA one way"),
]  # fmt: skip
HOME = [
    ([DENVER], "and then back on saturday", "flights to Boston from Denver on Saturday"),
    ([f"{DENVER} on united", "how much are they"], "and home again on sunday", "flights to Boston from Denver on UA on Sunday"),
    ([f"{DENVER} nonstop", "who runs them"], "return direction", "flights to Boston from Denver nonstop"),
    ([f"{DENVER} nonstop"], "and we've got to be back sunday so same thing the other way round",
     "flights to Boston from Denver on Sunday nonstop"),
    ([DENVER], "and bringing them home the next wednesday what flights would we have",
     "flights to Boston from Denver on Wednesday"),
]  # fmt: skip
STAFF = [
    (["women earning between fifty and fifty four thousand"], "up to fifty six i should say",
     "employees earning between $50000 and $56000 female"),
    (["women earning between fifty and fifty four thousand"], "more than fifty two", "employees earning over 52000 female"),
    (["how many employees are in finance", "how many in purchasing"], "and acoustics",
     "number of employees in department Acoustics"),
    (["managers in finance", "purchasing"], "finance again who is the oldest",
     "employees in department Finance who are managers, only the oldest"),
    (["employees in finance hired after 1980"], "forget finance purchasing",
     "employees in department Purchasing hired after 1980"),
    (["engineers in finance"], "switch to purchasing but keep the rest", "employees in department Purchasing who are engineers"),
    (["total salary of department 10"], "sorry not the total the average", "average salary of employees in department 10"),
    (["employees in finance", "which are managers"], "did i say managers i meant secretaries",
     "employees in department Finance who are Secretary"),
    # what is no correction restricts
    (["employees in finance"], "women not managers", "employees in department Finance female not who are managers"),
    (["employees in finance"], "not the managers", "employees in department Finance not who are managers"),
]  # fmt: skip


def asked(engine: Engine, request: str, context: list[str]) -> str:
    """The likeliest reading said back, without what was taken over."""
    readings = engine.ask(request, [EarlierTurn(text) for text in context]).readings
    return readings[0].paraphrase.rpartition(") ")[2] if readings else ""


@pytest.mark.parametrize(("context", "request_", "meant"), DENIED)
def test_a_word_that_is_denied_gives_way_to_another(air: Engine, context: list[str], request_: str, meant: str) -> None:
    assert asked(air, request_, context) == meant


@pytest.mark.parametrize(("context", "request_", "meant"), SUPPOSED)
def test_what_is_supposed_changes_the_list(air: Engine, context: list[str], request_: str, meant: str) -> None:
    assert asked(air, request_, context) == meant


@pytest.mark.parametrize(("context", "request_", "meant"), AGAIN)
def test_what_was_shown_is_shown_again(air: Engine, context: list[str], request_: str, meant: str) -> None:
    assert asked(air, request_, context) == meant


@pytest.mark.parametrize(("context", "request_", "meant"), ASKED)
def test_of_what_was_shown_something_is_asked(air: Engine, context: list[str], request_: str, meant: str) -> None:
    assert asked(air, request_, context) == meant


@pytest.mark.parametrize("request_", ["which departments have nobody on the night shift", "nobody in finance"])
def test_what_lost_its_negation_is_withheld(personnel: Engine, request_: str) -> None:
    assert not personnel.ask(request_).readings


@pytest.mark.parametrize(("context", "request_", "meant"), HOME)
def test_the_way_home_is_the_other_way(air: Engine, context: list[str], request_: str, meant: str) -> None:
    assert asked(air, request_, context) == meant


@pytest.mark.parametrize(("context", "request_", "meant"), STAFF)
def test_sums_and_sorts_of_people_give_way(personnel: Engine, context: list[str], request_: str, meant: str) -> None:
    assert asked(personnel, request_, context) == meant


def test_what_stays_of_the_turn_put_right_is_said_first(air: Engine) -> None:
    (reading, *_) = air.ask("thursday not friday", [EarlierTurn(f"{DENVER} on friday")]).readings
    assert reading.paraphrase == "(from before: from Boston to Denver) flights from Boston to Denver on Thursday"


def test_what_restricts_a_list_does_not_restrict_the_one_row_asked_about(library: Engine) -> None:
    books = EarlierTurn("books in sutton", ("book_id",), ((2,), (3,)))
    (reading, *_) = library.ask(
        "under 25 dollars", [books, EarlierTurn("who wrote the second one", ("author_id",), ((2,),))]
    ).readings
    assert reading.paraphrase == "(from before: in Sutton) books in Sutton costing under $25"
