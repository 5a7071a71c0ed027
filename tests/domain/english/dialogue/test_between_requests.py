"""Sets made of earlier requests, and what a request in its context is not taken for."""

from collections.abc import Callable

import pytest

from domain.english.engine import Engine

Found = Callable[..., set[object] | None]


@pytest.mark.parametrize(
    ("dialogue", "answer"),
    [
        (["books in sutton", "which of those are novels", "the others"], {2}),
        (["books in sutton", "which of those are novels", "and which are not"], {2}),
        (["books in sutton", "which of those are novels", "the others", "the rest"], {3}),
        (["books", "which of those are novels", "and how many are not"], {2}),
        (["books in sutton", "the cheapest", "what about the rest"], {3}),
        (["books in sutton", "the second one", "the others please"], None),  # nobody knows what was shown
        (["books in sutton", "the others"], None),
        (["books in sutton", "what about norton", "the others"], None),  # of what?
        (["books in sutton", "books in norton", "both lists together"], {1, 2, 3}),
        (["books in sutton", "books in norton", "how many is that altogether"], {3}),
        (["books in sutton", "books in norton", "both lists", "which of those are novels"], {3}),
        (["books in sutton", "which of those are novels", "both lists"], None),  # the one holds the other
        (["books in sutton", "books by ann lee", "which are in both lists"], {2}),
        (["books in sutton", "books by ann lee", "those in the first but not in the second"], {3}),
        (["books in sutton", "books by ann lee", "those of the second list but not of the first"], {1}),
        (["books in sutton", "authors", "both lists"], None),
    ],
)
def test_sets_between_requests(found: Found, dialogue: list[str], answer: set[object] | None) -> None:
    *context, request = dialogue
    assert found(request, *context) == answer


def test_a_set_is_told_by_the_requests_of_which_it_is_made(library: Engine) -> None:
    others = library.ask("the others", ["books in sutton", "which of those are novels"]).readings[0]
    assert (
        others.paraphrase == "(from before: in Sutton) books in Sutton that are not among the books in Sutton fiction"
    )
    both = library.ask("both lists", ["books in sutton", "books in norton"]).readings[0]
    assert both.paraphrase.endswith("books of these: books in Sutton; or books in Norton")


def test_what_is_asked_of_the_one_singled_out_does_not_choose_again(found: Found, library: Engine) -> None:
    assert found("is it a novel", "the cheapest book in sutton") == set()  # the cheapest novel there is another book
    readings = library.ask("is it by ann lee", ["the longest book in sutton"]).readings
    assert "of the books in Sutton, only the longest" in readings[0].paraphrase


def test_how_many_there_are_does_not_count_the_one_singled_out(found: Found) -> None:
    assert found("how many books are there", "the cheapest book in sutton") == {2}
    assert found("how many books are there", "the cheapest book") == {4}


@pytest.mark.parametrize("request_", ["in what", "who had it", "how do i get there"])
def test_a_question_that_would_be_answered_as_before_is_not_understood(library: Engine, request_: str) -> None:
    assert library.ask(request_, ["books in sutton"]).readings == ()


@pytest.mark.parametrize("request_", ["show me those again", "which ones are they", "what are they"])
def test_what_is_asked_for_again_is_shown_again(found: Found, request_: str) -> None:
    assert found(request_, "how many books are in sutton") == {2, 3}


def test_whoever_earns_more_than_her_is_not_she(personnel: Engine) -> None:
    reading = personnel.ask("who makes more than her", ["what is sharon dunbar's salary"]).readings[0]
    assert [c.attribute for c in reading.meaning.conditions] == []
    assert len(reading.meaning.compared) == 1


def test_some_of_those_by_rows_of_their_own(air: Engine) -> None:
    tampa = air.ask("do any of them serve tampa", ["list airlines that fly to milwaukee"]).readings[0]
    assert (
        tampa.paraphrase
        == "(from before: of the airlines to Milwaukee) airlines to or from Tampa of the airlines to Milwaukee"
    )
    nonstop = air.ask("which of those are nonstop", ["flights from boston to denver"]).readings[0]
    assert nonstop.paraphrase == "(from before: from Boston to Denver) flights from Boston to Denver nonstop"


def test_how_much_of_what_has_no_price_is_not_a_price_of_everything(air: Engine) -> None:
    assert air.ask("how much", ["can i get a limo in denver"]).readings == ()
    assert (
        "fares from Boston to Denver" in air.ask("how much", ["flights from boston to denver"]).readings[0].paraphrase
    )


def test_a_question_whether_asks_nothing_else_of_them(personnel: Engine) -> None:
    reading = personnel.ask("are they women", ["clerks", "how old are they"]).readings[0]
    assert reading.meaning.attributes == ()
