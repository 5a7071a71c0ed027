"""Readings that are withheld because something speaks against them."""

import pytest

from domain.english.engine import Engine

WITHHELD = "what was understood does not answer it"


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("average salary of the clerks in department 44", "is there anyone with a phd"),
    ],
)
def test_what_does_not_answer_a_request_is_withheld(personnel: Engine, before: str, said: str) -> None:
    answered = personnel.ask(said, [before])
    assert (answered.readings, answered.reason) == ((), WITHHELD)


def test_a_question_whether_some_are_so_is_answered(personnel: Engine) -> None:
    reading = personnel.ask("do any of them have a phd", ["average salary of clerks"]).readings[0]
    assert reading.paraphrase.startswith("whether there are any ")


PEOPLE = [
    # conditions that exclude each other
    ([], "show me everybody in purchasing uh no sorry i meant publications",
     "employees in department Purchasing in Publications"),
    ([], "average pay senior programmers men versus women",
     "average salary of employees senior who are programmers male female"),
    # another sort of answer than was asked for
    (["number of clerks", "senior ones"], "those per department", "departments who are clerks senior"),
    ([], "let me know which level has the greatest number of employees", "level of employees"),
    (["average salary of employees at level 27"], "any of them born after 1950",
     "salary of employees at level 27 born after 1950"),
    # what only makes sense after others, read by itself
    (["secretaries in finance"], "count its employees in plano for me", "number of employees living in Plano"),
    (["employees with a degree in physics"], "garland not plano any department",
     "departments with employees living in Garland without employees living in Plano"),
]  # fmt: skip
TRAVEL = [
    ([], "united seattle dallas no seattle denver wed", "flights on UA from Seattle or Denver to Seattle on Wednesday"),
    (["us air flights from pittsburgh to boston", "weekend saturday"], "no make it friday",
     "flights on US from Pittsburgh to Boston on Friday on Saturday or Sunday"),
    (["flights from boston to denver on friday"], "of these which one's the cheapest for us",
     "flights from Boston to Denver on Friday on US, only the cheapest"),
    (["flights from boston to denver on monday"], "baltimore departures then", "flights from Baltimore"),
    (["flights from boston to denver on monday"], "any carrier into oakland", "airlines to Oakland"),
    (["flights from boston to denver on monday"], "any airport around los angeles really", "airports in Los Angeles"),
]  # fmt: skip


def _not_first(engine: Engine, before: list[str], said: str, wrong: str) -> None:
    readings = engine.ask(said, before).readings
    assert not readings or readings[0].paraphrase.rpartition(") ")[2] != wrong


@pytest.mark.parametrize(("before", "said", "wrong"), PEOPLE)
def test_a_doubtful_reading_about_people_does_not_stand_first(
    personnel: Engine, before: list[str], said: str, wrong: str
) -> None:
    _not_first(personnel, before, said, wrong)


@pytest.mark.parametrize(("before", "said", "wrong"), TRAVEL)
def test_a_doubtful_reading_about_travel_does_not_stand_first(
    air: Engine, before: list[str], said: str, wrong: str
) -> None:
    _not_first(air, before, said, wrong)


def test_a_request_that_says_everything_anew_takes_nothing_over(air: Engine) -> None:
    before = ["flights from toronto to chicago on wednesday", "under two hours"]
    assert air.ask("sunday phoenix from toronto no stops", before).readings[0].paraphrase == (
        "flights on Sunday to Phoenix from Toronto nonstop"
    )


def test_what_cannot_stand_alone_does_not_when_its_context_is_withheld(air: Engine) -> None:
    answered = air.ask(
        "show me all the pan am ones", ["flights from montreal to jfk on monday", "leaving in the evening"]
    )
    assert "flights on PA" not in [reading.paraphrase for reading in answered.readings]


def test_the_pronoun_one_is_no_number(personnel: Engine) -> None:
    assert personnel.ask("is there one around ten").readings[-1].paraphrase == "employees earning about 10"
