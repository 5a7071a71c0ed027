"""Meanings as a whole, and how sure they are."""

import pytest

from domain.english.engine import Engine


def test_flags_superlatives_and_conditions_come_together(library: Engine) -> None:
    meaning = library.ask("the cheapest novels in sutton").readings[0].meaning
    assert [f.flags for f in meaning.flags] == [("fiction",)]
    assert [(e.column, e.pick) for e in meaning.extremes] == [("book.price", "min")]
    assert [c.attribute for c in meaning.conditions] == ["place"]


def test_flags_are_negated(library: Engine) -> None:
    assert library.ask("books that are not novels").readings[0].meaning.flags[0].negated


def test_most_and_least_of_an_attribute_named(library: Engine) -> None:
    meaning = library.ask("the book with the highest price").readings[0].meaning
    assert [(e.column, e.pick) for e in meaning.extremes] == [("book.price", "max")]


@pytest.mark.parametrize(
    ("said", "least", "most"),
    [
        ("books in norton", 0.9, 1),
        ("books kept in norton", 0.3, 0.7),
        ("books kept locked in norton", 0, 0),
        ("books 77", 0, 0),
    ],
)
def test_what_is_left_over_lowers_the_confidence(library: Engine, said: str, least: float, most: float) -> None:
    readings = library.ask(said).readings
    assert least <= (readings[0].confidence if readings else 0) <= most


@pytest.mark.parametrize(
    "said",
    [
        "mouldy books in norton",  # a quality of what is asked for
        "books in norton by a gardener",  # a name that nobody has
        "books from Paris",
        "how heavy is Rivers",  # a quantity
        "how much does Rivers weigh",
        "books that mention dogs",  # nothing else restricts it: the answer would be the whole table
        "can I take my dog to Norton",  # nothing known is asked for
        "books in norton longer than an evening",
        "books for less than 20 guilders",
    ],
)
def test_a_single_unknown_word_that_must_have_changed_the_answer_leaves_none(library: Engine, said: str) -> None:
    assert library.ask(said).readings == ()


def test_an_unknown_word_is_no_misspelt_filler(library: Engine) -> None:
    assert library.ask("books in norton and their coding").unused == ("coding",)


def test_least_and_greatest_at_once_are_two_requests(air: Engine) -> None:
    assert (
        air.ask("the earliest flight from boston to denver and the latest flight from boston to denver").readings == ()
    )


def test_what_the_domain_refuses_has_no_reading(air: Engine) -> None:
    assert air.ask("flights from boston to denver returning the next day").readings == ()


def test_a_day_of_the_way_back_is_none_of_the_way_there(air: Engine) -> None:
    reading = air.ask("flights from boston to denver returning on tuesday").readings[0]
    assert reading.paraphrase.endswith("(returning Tuesday: another flight, not looked up)")
    assert "TUESDAY" not in reading.sql


def test_an_attribute_that_stands_for_another_when_alone(air: Engine) -> None:
    alone = air.ask("flights to denver returning on tuesday").readings[0].meaning
    assert "day" in {c.attribute for c in alone.conditions}
    both = air.ask("flights from boston to denver leaving monday returning on tuesday").readings[0].meaning
    assert {"day", "return_day"} <= {c.attribute for c in both.conditions}
