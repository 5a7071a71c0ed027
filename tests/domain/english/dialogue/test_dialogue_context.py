"""Requests that hang on earlier ones."""

from collections.abc import Callable

import pytest

from domain.english.engine import Engine

Found = Callable[..., set[object] | None]


@pytest.mark.parametrize(
    ("dialogue", "answer"),
    [
        (["loans from norton to sutton on monday", "and back", "on friday", "any day is fine"], {2}),
        (["books in norton no in sutton", "which of those are novels"], {3}),
        (["books in norton i mean sutton", "which of those are novels"], {3}),
        (["books in sutton", "what about norton"], {1}),
        (["books in sutton", "how about by ben oak"], {3}),
        (["novels", "in the west"], {4}),
        (["books in sutton", "the cheapest"], {2}),
        (["books in sutton", "how many are there"], {2}),
        (["loans from norton to sutton on monday", "and back"], {2}),
        (["books in sutton", "which of those are novels", "and in westbury"], {4}),
        (["loans from norton to sutton on monday", "and back", "on friday"], set()),
        (["loans from sutton to norton", "loans from norton to sutton", "back to the ones from sutton"], {2}),
        (["books in sutton", "books by carl poe", "back to the ones in sutton which are novels"], {3}),
        (["novels in sutton", "loans from sutton to norton", "go back to the books in sutton"], {3}),
        (["books in norton", "no i meant in sutton", "which of those are novels"], {3}),
        (["books in norton", "sorry, the novels in sutton"], {3}),
        (["books in sutton", "norton instead of sutton"], {1}),
        (["novels", "in another town"], None),
        (["novels in sutton", "in another town"], {4}),
        (["novels in sutton", "new question books in norton"], {1}),
        (["novels in sutton", "start over", "what about norton"], {1}),
    ],
)
def test_dialogues(found: Found, dialogue: list[str], answer: set[object]) -> None:
    *context, request = dialogue
    assert found(request, *context) == answer


@pytest.mark.parametrize(
    ("correction", "answer"),
    [
        ("no i meant norton", {1}), ("norton i should have said", {1}), ("sorry norton, i mixed it up", {1}),
        ("not sutton norton", {1}), ("norton not sutton", {1}), ("not sutton i mean norton", {1}), ("no norton", {1}),
        ("no hang on in norton", {1}), ("hold on norton", {1}), ("make it norton", {1}), ("not in sutton but in norton", {1}),
    ],
)  # fmt: skip
def test_a_value_that_corrects_another_takes_its_place(found: Found, correction: str, answer: set[object]) -> None:
    assert found(correction, "books in sutton") == answer


def test_a_correction_keeps_role_and_bound_of_what_it_corrects(found: Found) -> None:
    assert found("i meant westbury", "loans from sutton to norton") == {3}
    assert found("sorry from westbury", "loans from norton to sutton") == {4}
    assert found("make it 25", "books costing less than 15 dollars") == {1, 2, 4}
    assert found("no novels", "books in sutton") == {2}
    assert found("no norton", "books in sutton or norton") == {2, 3}


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ("who is the author of the cheapest one", "authors of the books in Sutton, only the cheapest"),
        ("what is the price of the longest of those", "price of books in Sutton, only the longest"),
        ("which authors wrote the longest of them", None),
        ("the cheapest three", "books in Sutton, only the 3 cheapest"),
        ("the two longest", "books in Sutton, only the 2 longest"),
    ],
)
def test_the_most_is_singled_out_of_those_before(library: Engine, request_: str, said: str | None) -> None:
    readings = library.ask(request_, ["books in sutton"]).readings
    assert [said] == [r.paraphrase.partition(") ")[2] for r in readings[:1]] if said else not readings


def test_a_number_for_each_goes_on_as_one(personnel: Engine) -> None:
    each = "how many employees are there in each department"
    assert personnel.ask("only women", [each]).readings[0].meaning.per == "employee"
    assert personnel.ask(each, ["clerks in department 45"]).readings[0].carried == ""
    average = "average salary of clerks by department"
    assert (
        personnel.ask(average)
        .readings[0]
        .paraphrase.startswith("average salary of employees for each of the departments")
    )
    assert personnel.ask("only where it is above 30000", [average]).readings == ()
    assert personnel.ask("for women", ["average salary in department 45"]).readings[0].meaning.aggregate == "avg"


def test_what_somebody_tells_of_herself_is_no_condition(library: Engine, found: Found) -> None:
    assert library.ask("i am in norton", ["novels"]).readings == ()
    assert library.ask("which of those are by ann lee", ["novels", "i have a carl poe"]).readings == ()
    assert found("i have to have a book in norton") == {1}


def test_a_denial_goes_on_to_what_is_joined_to_it(found: Found) -> None:
    assert found("not counting those by ann lee and ben oak", "books") == {4}
    assert found("all books except novels and those in norton") == {2}
    assert found("books not in norton and by ann lee") == {2}


def test_the_whole_takes_the_place_of_its_part(personnel: Engine) -> None:
    reading = personnel.ask("no hang on the whole computer systems division", ["who works in materials"]).readings[0]
    assert reading.paraphrase == "employees in Computer Systems"


def test_what_corrects_a_denial_denies(personnel: Engine) -> None:
    readings = personnel.ask("no i meant ones without any engineers", ["departments that do not have a clerk"]).readings
    assert readings[0].paraphrase.endswith("departments but none who are engineers")


def test_what_has_a_head_of_its_own_keeps_it(library: Engine) -> None:
    reading = library.ask("and the loans to sutton", ["authors with more than one book"]).readings[0]
    assert reading.meaning.entities == ("loan",)


def test_what_is_said_again_of_something_else_is_not_kept(found: Found) -> None:
    assert found("what about from norton", "loans to norton") == {1}


def test_a_word_that_refers_within_the_request_takes_nothing_over(library: Engine) -> None:
    reading = library.ask("books in sutton and what does it cost", ["books by ben oak"]).readings[0]
    assert reading.carried == ""


def test_readings_are_in_order_and_none_comes_twice(library: Engine) -> None:
    for request in ("are there novels in norton", "which of those are novels", "and in westbury"):
        readings = library.ask(request, ["books in sutton"]).readings
        assert [r.confidence for r in readings] == sorted((r.confidence for r in readings), reverse=True)
        assert len({r.sql for r in readings}) == len(readings)


def test_what_is_asked_of_a_superlative_is_asked_inside_it(library: Engine) -> None:
    reading = library.ask("which authors are those by", ["books in sutton", "the cheapest of those"]).readings[0]
    assert reading.meaning.inside is not None
    assert reading.paraphrase.startswith("(from before: of the books in Sutton, only the cheapest)")
    assert "min(" in reading.sql.lower()


def test_what_was_carried_over_is_shown(library: Engine) -> None:
    reading = library.ask("which of those are novels", ["books in sutton"]).readings[0]
    assert reading.carried == "in Sutton"
    assert reading.paraphrase.startswith("(from before: in Sutton)")


def test_a_request_that_stands_alone_takes_nothing_over(library: Engine) -> None:
    alone = library.ask("all books by ann lee")
    assert library.ask("all books by ann lee", ["novels in sutton"]).readings[0].sql == alone.readings[0].sql


def test_a_request_that_refers_back_is_not_offered_by_itself(library: Engine) -> None:
    readings = library.ask("which of those are novels", ["books in sutton"]).readings
    assert [r.carried for r in readings] == ["in Sutton"]


def test_without_context_nothing_is_carried(library: Engine) -> None:
    assert library.ask("which of those are novels").readings[0].carried == ""


@pytest.mark.parametrize(
    "request_",
    [
        "which of those are novels",
        "and in westbury",
        "the cheapest",
        "no in norton",
        "any town is fine",
        "and back",
        "in another town",
        "how many are there",
        "what do they cost",
        "the second one",
    ],
)
def test_what_goes_on_from_something_not_understood_is_not_understood_either(library: Engine, request_: str) -> None:
    for context in (["books in sutton", "qwer asdf zxcv"], ["only mouldy books in sutton", "novels of them"]):
        assert library.ask(request_, context).readings == ()


def test_a_request_that_was_not_understood_harms_none_that_stands_alone(found: Found) -> None:
    lost = ["novels in sutton", "which of those are mouldy"]
    assert found("books in norton", *lost) == {1}
    assert found("what about sutton", *lost, "books in norton") == {2, 3}
    assert found("back to the novels in sutton", *lost) == {3}
    assert found("by carl poe", *lost, "start over") == {4}


@pytest.mark.parametrize(
    "remark",
    ["I live in Norton myself", "thanks, that helps", "great", "Okay, that's fine then. Thank you!", "let me see"],
)
def test_remarks_ask_nothing_and_change_nothing(library: Engine, found: Found, remark: str) -> None:
    assert library.ask(remark, ["books in sutton"]).readings == ()
    assert found("which of those are novels", "books in sutton", remark) == {3}


def test_what_somebody_does_is_asked_of_those_before(found: Found, library: Engine) -> None:
    for request in ("what do they cost", "how much does it cost"):
        assert library.ask(request, ["books in sutton", "novels"]).readings[0].meaning.attributes == ("price",)


@pytest.mark.parametrize(
    "request_",
    ["which of those are mouldy", "list the authors and their birthdays", "what about Paris", "and how heavy are they"],
)
def test_context_does_not_make_up_for_what_was_not_understood(library: Engine, request_: str) -> None:
    assert library.ask(request_, ["books in sutton"]).readings == ()


LET_GO = [
    (["books from norton by ann lee", "never mind the author"], {1}),
    (["books from norton by ann lee", "forget about ann lee"], {1}),
    (["books from norton by ann lee", "ok drop the town thing then"], {1, 2}),
    (["books by ben oak", "carl poe is fine too"], {3, 4}),
    (["books by ben oak", "okay carl poe works as well"], {3, 4}),
    (["books by ben oak", "actually carl poe is fine"], {4}),
]


@pytest.mark.parametrize(("dialogue", "answer"), LET_GO)
def test_what_was_said_is_let_go_or_allowed_besides(found: Found, dialogue: list[str], answer: set[object]) -> None:
    *context, request = dialogue
    assert found(request, *context) == answer


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ("thanks that's it for books tell me which authors are there", "authors"),
        ("ok new thing books by ben oak", "books by Ben Oak"),
        ("let's do something different books by ben oak", "books by Ben Oak"),
        ("alright books by ben oak", "books by Ben Oak"),
    ],
)
def test_words_that_take_the_turn_are_no_part_of_the_request(library: Engine, request_: str, said: str) -> None:
    reading = library.ask(request_, ["books by ann lee from norton"]).readings[0]
    assert (reading.paraphrase, reading.unused) == (said, ())


def test_a_time_that_corrects_another_keeps_its_half_of_the_day(library: Engine) -> None:
    context = ["books that open after six p.m."]
    assert "before 6 p.m." in library.ask("sorry before six", context).readings[0].paraphrase
    assert "before 6 a.m." in library.ask("sorry before six a.m.", context).readings[0].paraphrase


def test_a_bare_number_takes_the_place_of_the_number_before(personnel: Engine) -> None:
    reading = personnel.ask("what about fifty five thousand", ["who earns more than sixty thousand"]).readings[0]
    assert "earning over 55000" in reading.paraphrase


def test_a_request_about_many_is_not_asked_of_the_one_named_before(personnel: Engine) -> None:
    context = ["what is henry kim's job"]
    assert not personnel.ask("how many clerks earn less than the average clerk", context).readings[0].carried


MOST_BEFORE = [
    (["how many departments are there in each division", "which has the most"], "divisions with the most departments"),
    (
        ["which departments have more than twenty people", "which one has the fewest"],
        "(from before: with more than 20 employees) departments with the fewest employees with more than 20 employees",
    ),
    (
        ["what's the highest salary in department 44", "who gets that"],
        "(from before: in department 44) employees in department 44, only the highest salary",
    ),
    (
        ["which department has the highest average salary", "who works there"],
        "(from before: of the departments with the highest average salary of employees)"
        " employees of the departments with the highest average salary of employees",
    ),
    (
        ["which departments have more than twenty people", "who works there"],
        "(from before: of the departments with more than 20 employees) employees of the departments with more than 20 employees",
    ),
]


@pytest.mark.parametrize(("dialogue", "said"), MOST_BEFORE)
def test_the_most_of_what_was_counted_and_those_within(personnel: Engine, dialogue: list[str], said: str) -> None:
    *context, request = dialogue
    assert personnel.ask(request, context).readings[0].paraphrase == said
