"""What goes on after a request that was not understood, and further ways in which people go on."""

from collections.abc import Callable

import pytest

from domain.english.engine import Engine

Found = Callable[..., set[object] | None]


def test_a_question_beside_leaves_what_was_spoken_of(library: Engine, found: Found) -> None:
    aside = "does it smell of glue"
    assert library.ask(aside, ["books in sutton"]).readings == ()
    assert found("which of those are novels", "books in sutton", aside) == {3}
    reading = library.ask("which of those are novels", ["books in sutton", aside]).readings[0]
    assert reading.paraphrase.startswith("(from before: in Sutton; “does it smell of glue” was not understood) ")
    assert found("which of those are novels", "books in sutton", aside, "do they fade", "and by ben oak") is None


@pytest.mark.parametrize("beside", ["which of those smell of glue", "only the glued ones", "and are any of them glued"])
def test_what_may_have_chosen_some_leaves_nothing(library: Engine, beside: str) -> None:
    answered = library.ask("which of those are novels", ["books in sutton", beside])
    assert (answered.readings, answered.reason) == ((), "it refers to a request that was not understood")


def test_the_same_question_again_of_others_is_not_taken_for_a_list(found: Found) -> None:
    assert found("and in norton", "books in sutton", "does it smell of glue") is None
    assert found("what about those in norton", "books in sutton", "does it smell of glue") is None


def test_two_requests_in_one_breath(library: Engine) -> None:
    many = library.ask("that's too many just show me the novels", ["books in sutton"]).readings[0]
    assert many.paraphrase == "(from before: in Sutton) books in Sutton fiction"


def test_that_is_the_amount_said_before(personnel: Engine) -> None:
    hired = personnel.ask("and before that", ["people hired in nineteen eighty"]).readings[0]
    assert hired.paraphrase.endswith("employees hired before 1980")
    assert personnel.ask("and before that", ["clerks"]).readings == ()


def test_a_bound_that_corrects_another_denies_nothing(personnel: Engine) -> None:
    earning = "who earns between thirty and forty thousand"
    assert personnel.ask(earning).readings[0].paraphrase == "employees earning between 30000 and 40000"
    said = personnel.ask("no between forty and fifty", [earning]).readings[0].paraphrase
    assert said == "employees earning between 40000 and 50000"


def test_a_number_of_some_is_asked_for_of_all(personnel: Engine) -> None:
    assert (
        personnel.ask("and of everyone", ["average age of the managers"]).readings[0].paraphrase
        == "average age of employees"
    )


def test_the_one_is_known_from_those_before(air: Engine) -> None:
    reading = air.ask("how much is the limo", ["ground transportation in philadelphia"]).readings[0]
    assert reading.paraphrase == "(from before: in Philadelphia) ground transport in Philadelphia by Limousine"


def test_back_to_what_was_said_in_its_role(air: Engine) -> None:
    context = ["flights from miami to boston", "from tampa instead"]
    reading = air.ask("back to the miami ones which airlines were those", context).readings[0]
    assert reading.paraphrase == "(from before: from Miami to Boston) airlines from Miami to Boston"


def test_a_word_is_no_plural_of_a_code(air: Engine) -> None:
    assert (
        air.ask("my boss is going from oakland to philadelphia").readings[0].paraphrase
        == "flights from Oakland to Philadelphia"
    )


def test_a_change_of_the_whole_is_as_sure_as_what_it_changes(air: Engine) -> None:
    context = ["afternoon flights from boston to denver on delta"]
    assert air.ask("any airline is fine", context).readings[0].confidence > 0.5


def test_the_most_of_those_that_were_spoken_of(library: Engine, found: Found) -> None:
    reading = library.ask("which author has the most of them", ["books in sutton or norton"]).readings[0]
    assert reading.paraphrase.endswith("authors with the most books in Sutton or Norton")
    assert found("which author has the most of them", "books in sutton or norton") == {1}
    assert found("and the fewest", "books in sutton or norton", "which author has the most of them") == {2}
    assert library.ask("which author has the most of them", ["the cheapest book in sutton"]).readings == ()


def test_one_more_beside_those_before(found: Found) -> None:
    assert found("and in norton too", "books in sutton") == {1, 2, 3}
    assert found("and in norton", "books in sutton") == {1}
    assert found("in sutton as well", "books by ann lee") == {2}, "where nothing of the kind was said, it narrows"
