"""Requests that free what was restricted, in many ways of saying so."""

import pytest

from domain.english.engine import Engine

FRIDAY = "flights from dallas to new york friday after four pm nonstop"
ANY_TIME = "flights from Dallas to New York on Friday nonstop"
WITH_STOPS = "flights from Dallas to New York on Friday leaving after 4 p.m."
AIR = [
    (["flights from denver to pittsburgh on a 757"], "any kind of plane will do", "flights from Denver to Pittsburgh"),
    (["flights from denver to pittsburgh on a 757"], "on any plane then", "flights from Denver to Pittsburgh"),
    (["flights from miami to denver on united wide body"], "plane size not important keep united",
     "flights from Miami to Denver on UA"),
    (["southwest friday houston las vegas", "no i meant saturday"], "either of those two days is good actually",
     "flights on WN on Friday or Saturday from Houston to Las Vegas"),
    (["flights on northwest from kansas city to minneapolis friday"], "whoever flies",
     "flights from Kansas City to Minneapolis on Friday"),
    (["flights on air canada from toronto to chicago"], "any airline then", "flights from Toronto to Chicago"),
    (["flights on delta from salt lake city to san francisco sunday"], "any carrier into oakland",
     "flights from Salt Lake City on Sunday to Oakland"),
    (["flights from toronto to chicago on air canada", "pearson to midway that is"], "any airport any airline then",
     "flights from Toronto to Chicago"),
    (["flights from dallas to new york on december third 1991"], "date is open now", "flights from Dallas to New York"),
    ([FRIDAY], "any time that day", ANY_TIME),
    ([FRIDAY], "alright a stop is tolerable", WITH_STOPS),
    ([FRIDAY], "i don't mind a stop", WITH_STOPS),
    ([FRIDAY], "with or without stops", WITH_STOPS),
]  # fmt: skip
PEOPLE = [
    (["employees in acoustics earning between 40 and 45 thousand"], "go up to fifty thousand",
     "employees in department Acoustics earning between $40000 and $50000"),
    (["employees in acoustics earning between 40 and 45 thousand"], "i could go down to thirty eight thousand",
     "employees in department Acoustics earning between $38000 and $45000"),
    (["women in finance hired before 1970"], "no matter when they were hired", "employees in department Finance female"),
    (["engineers in networks earning over 40000"], "whatever they earn",
     "employees in department Networks who are engineers"),
    (["engineers in networks earning over 40000"], "all job titles", "employees in department Networks earning over 40000"),
    (["women in finance"], "any department then", "employees female"),
    (["women in finance"], "and the men as well", "employees in department Finance female or male"),
]  # fmt: skip
FOLLOWED = [
    (["flights from boston to dallas"], "delta flights", "flights from Boston to Dallas on DL"),
    (["flights from washington to detroit on tuesday"], "dulles departures", "flights to Detroit on Tuesday from IAD"),
    (["airlines from tampa to atlanta direct"], "i've got miles with delta so their flights please",
     "flights from Tampa to Atlanta on DL direct"),
    (["flights from boston to dallas"], "flights from denver to dallas", "flights from Denver to Dallas"),
    (["flights from boston to dallas"], "show me all delta flights", "flights on DL"),
]  # fmt: skip
EACH = [
    (["departments of the computer systems division"], "how many people does each of them have",
     "number of employees for each of the departments of division Computer Systems"),
    (["women in finance"], "people named bingley whatever their job", "employees Bingley"),
    (["women in finance"], "show me those over 40000 whatever their department", "employees earning over 40000 female"),
    (["harriet vernon's address"], "vernon's salary", "salary of employees Harriet Vernon"),
]  # fmt: skip
KEPT = [
    (["women in finance"], "any of the engineers"),
    (["flights from dallas to new york on friday on delta"], "whatever else"),
    (["flights from dallas to new york on friday on delta"], "doesn't matter what it is just list midway la guardia"),
]  # fmt: skip


@pytest.mark.parametrize(("context", "request_", "understood"), AIR, ids=[said for _, said, _ in AIR])
def test_what_is_freed_is_dropped_and_the_rest_kept(
    air: Engine, context: list[str], request_: str, understood: str
) -> None:
    reading = air.ask(request_, context).readings[0]
    assert reading.paraphrase.removeprefix(f"(from before: {reading.carried}) ") == understood


@pytest.mark.parametrize(("context", "request_", "understood"), PEOPLE, ids=[said for _, said, _ in PEOPLE])
def test_a_bound_is_moved_out_or_dropped(personnel: Engine, context: list[str], request_: str, understood: str) -> None:
    reading = personnel.ask(request_, context).readings[0]
    assert reading.paraphrase.removeprefix(f"(from before: {reading.carried}) ") == understood


@pytest.mark.parametrize(("context", "request_"), KEPT, ids=[said for _, said in KEPT])
def test_nothing_is_freed_that_was_not_named(air: Engine, personnel: Engine, context: list[str], request_: str) -> None:
    engine = air if "flights" in context[0] else personnel
    before = engine.ask(context[0]).readings[0].meaning
    for reading in engine.ask(request_, context).readings[:1]:
        assert {c.attribute for c in before.conditions} & {c.attribute for c in reading.meaning.conditions}


@pytest.mark.parametrize(("context", "request_", "understood"), FOLLOWED, ids=[said for _, said, _ in FOLLOWED])
def test_a_noun_with_a_trait_narrows_what_was_said(
    air: Engine, context: list[str], request_: str, understood: str
) -> None:
    reading = air.ask(request_, context).readings[0]
    assert reading.paraphrase.removeprefix(f"(from before: {reading.carried}) ") == understood


@pytest.mark.parametrize(("context", "request_", "understood"), EACH, ids=[said for _, said, _ in EACH])
def test_each_of_them_is_counted_and_a_surname_is_the_person_named(
    personnel: Engine, context: list[str], request_: str, understood: str
) -> None:
    reading = personnel.ask(request_, context).readings[0]
    assert reading.paraphrase.removeprefix(f"(from before: {reading.carried}) ") == understood
