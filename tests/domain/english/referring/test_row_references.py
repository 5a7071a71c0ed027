"""References to what was shown: the list they count in, a question asked again of another row, one singled out by a trait."""

import pytest

from domain.database.build import BuiltDatabase
from domain.english.engine import Engine
from domain.sandbox.sandbox import Sandbox
from tests.domain.english.shown_turns import turns_of

ORLANDO = "flights from detroit to orlando on saturday nonstop"
FLIGHTS = "flights from Detroit to Orlando on Saturday nonstop"
AIR = [
    ([ORLANDO, "what meals do they serve"], "what does a coach seat on the second one cost", ("flight", 1)),
    ([ORLANDO, "which ones are on delta"], "the fifth one you showed at first what do they serve on that", ("flight", 4)),
    ([ORLANDO, "what does the first one cost"], "and the second", ("flight", 1)),
    ([ORLANDO, "how long is the first one"], "what about the third one", ("flight", 2)),
]  # fmt: skip
SAID = [
    ([ORLANDO, "how long is the first one"], "and the third", "flying time of flights"),
    ([ORLANDO], "how much is the northwest one", "fares from Detroit to Orlando on Saturday on NW nonstop"),
    ([ORLANDO], "how much is the lowest fare on the delta flight",
     "fares from Detroit to Orlando on Saturday on DL nonstop, only the cheapest"),
    ([ORLANDO], "the delta one when does that get in",
     "arrival time of flights from Detroit to Orlando on Saturday on DL nonstop"),
    ([ORLANDO, "what planes do they use"], "how long are they",
     "aircraft length of aircraft from Detroit to Orlando on Saturday nonstop"),
]  # fmt: skip
PEOPLE = [
    (["employees in acoustics", "who is the oldest"], "which of them are women",
     "employees in department Acoustics female"),
    (["employees named quayle"], "the one in publications what does she earn",
     "salary of employees Quayle in department Publications"),
    (["employees named quayle"], "where does the one in publications live",
     "city of employees Quayle in department Publications"),
]  # fmt: skip

OTHERS = [
    (["who is the boss of nancy torres"], "who else reports to him", "employees supervised by Employee 1007 not Nancy Torres"),
    (["which department is harriet vernon in"], "who else works there",
     "employees of the departments Harriet Vernon not Harriet Vernon"),
    (["harriet vernon's address"], "is there another person in finance",
     "employees in department Finance not Harriet Vernon"),
    (["who is the oldest engineer"], "what other engineers were born before 1930",
     "employees born before 1930 who are engineers that are not among the employees who are engineers, only the oldest"),
]  # fmt: skip


@pytest.mark.parametrize(("context", "request_", "meant"), AIR, ids=[said for _, said, _ in AIR])
def test_a_number_counts_in_the_list_that_is_meant(
    air: Engine, air_travel: BuiltDatabase, context: list[str], request_: str, meant: tuple[str, int]
) -> None:
    sandbox = Sandbox(air_travel.url)
    turns = turns_of(air, sandbox, context)
    rows = air.ask(request_, turns).readings[0].meaning.rows
    assert rows is not None
    assert (rows.entity, rows.keys) == (meant[0], ((turns[0].rows[meant[1]][0],),))
    sandbox.close()


@pytest.mark.parametrize(("context", "request_", "understood"), SAID, ids=[said for _, said, _ in SAID])
def test_a_question_is_asked_of_what_a_trait_singles_out(
    air: Engine, air_travel: BuiltDatabase, context: list[str], request_: str, understood: str
) -> None:
    sandbox = Sandbox(air_travel.url)
    reading = air.ask(request_, turns_of(air, sandbox, context)).readings[0]
    assert understood in reading.paraphrase.partition(") ")[2]
    sandbox.close()


@pytest.mark.parametrize(("context", "request_", "understood"), PEOPLE, ids=[said for _, said, _ in PEOPLE])
def test_several_are_those_of_the_list_and_one_is_singled_out(
    personnel: Engine, personnel_database: BuiltDatabase, context: list[str], request_: str, understood: str
) -> None:
    sandbox = Sandbox(personnel_database.url)
    reading = personnel.ask(request_, turns_of(personnel, sandbox, context)).readings[0]
    assert reading.paraphrase.rpartition(") ")[2] == understood
    sandbox.close()


@pytest.mark.parametrize(("context", "request_", "understood"), OTHERS, ids=[said for _, said, _ in OTHERS])
def test_other_things_are_without_what_was_spoken_of(
    personnel: Engine, personnel_database: BuiltDatabase, context: list[str], request_: str, understood: str
) -> None:
    sandbox = Sandbox(personnel_database.url)
    readings = personnel.ask(request_, turns_of(personnel, sandbox, context)).readings
    assert sorted(readings[0].paraphrase.rpartition(") ")[2].removeprefix("whether there are any ").split()) == sorted(
        understood.split()
    )
    sandbox.close()


def test_a_month_is_of_the_year_of_this_month(personnel: Engine) -> None:
    before = "employees hired this month"
    reading = personnel.ask("and in june", [before]).readings[0]
    assert reading.meaning.conditions[-1].values[0].say == "June 1989"


def test_another_value_is_asked_for_within_a_question(air: Engine) -> None:
    before = "flights from san francisco to seattle on alaska on sunday nonstop"
    reading = air.ask("does any other airline go there nonstop that day too", [before]).readings[0]
    assert reading.paraphrase.endswith("flights from San Francisco to Seattle not on AS on Sunday nonstop")
