"""The menu offers only what leads to a request that can be executed."""

import random

import pytest

from domain.english.engine import Engine
from domain.english.menu import Menu


@pytest.fixture(scope="module")
def menu(library: Engine) -> Menu:
    return Menu(library)


def texts(menu: Menu, typed: str) -> set[str]:
    return {c.text for c in menu.after(typed).choices}


def test_it_begins_with_what_can_be_asked_for(menu: Menu) -> None:
    assert texts(menu, "") >= {"books", "loans", "authors", "how many books"}
    assert texts(menu, "lo") == {"loans"}
    assert not menu.after("").complete


def test_after_an_entity_come_its_conditions(menu: Menu) -> None:
    offer = menu.after("loans ")
    assert offer.complete
    assert {"from", "to"} <= {c.text for c in offer.choices}
    assert "by" not in {c.text for c in offer.choices}


def test_after_a_cue_come_the_names_in_the_database(menu: Menu) -> None:
    assert texts(menu, "loans from ") == {"norton", "sutton", "westbury", "the west"}
    assert texts(menu, "loans from s") == {"sutton"}
    assert not menu.after("loans from ").complete
    assert menu.after("loans from sutton").complete


def test_what_was_said_is_not_offered_again(menu: Menu) -> None:
    assert "from" not in texts(menu, "loans from sutton ")
    assert "to" in texts(menu, "loans from sutton ")


def test_numbers_and_times_come_as_examples_and_any_is_taken(menu: Menu) -> None:
    assert "$100" in texts(menu, "books under ")
    assert menu.after("books under $25").complete
    assert menu.after("books under $25 by ann lee").complete


def test_what_leads_nowhere_has_no_continuation(menu: Menu) -> None:
    assert menu.after("books from mars ").choices == ()
    assert not menu.after("books from mars").complete


@pytest.mark.parametrize("seed", range(12))
def test_every_walk_through_the_menu_is_understood(library: Engine, menu: Menu, seed: int) -> None:
    walk(library, menu, random.Random(seed))


@pytest.mark.parametrize("seed", range(8))
def test_every_walk_through_the_personnel_menu_is_understood(personnel: Engine, seed: int) -> None:
    walk(personnel, Menu(personnel), random.Random(seed))


def walk(engine: Engine, menu: Menu, chance: random.Random) -> None:
    text, complete = "", False
    for _ in range(7):
        offer = menu.after(text)
        complete = offer.complete
        if not offer.choices or (complete and chance.random() < 0.2):
            break
        text = f"{text}{chance.choice(offer.choices).text} "
    while not menu.after(text.strip()).complete:
        text = text.strip().rpartition(" ")[0]
    readings = engine.ask(text).readings
    assert readings, text
    assert readings[0].unused == (), text


def test_a_long_list_of_names_is_cut(library: Engine) -> None:
    assert len(Menu(library, values_shown=1).after("loans from ").choices) == 1
