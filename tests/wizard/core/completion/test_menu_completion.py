"""Tab and the space bar lead through the menu to requests that the engine understands."""

from random import Random

from domain.english.engine import Engine
from domain.english.menu import Menu
from session.protocol import side_messages
from tests.domain.english.conftest import personnel, personnel_database  # noqa: F401
from wizard.core.completion.menu_completion import MenuCompletion


def after(menu: Menu, typed: str) -> side_messages.MenuResponse:
    """What the hub says of what was typed."""
    offer = menu.after(typed)
    return side_messages.MenuResponse(typed, tuple(choice.text for choice in offer.choices), offer.complete)


def walked(menu: Menu, random: Random, steps: int) -> str:
    """A text put together by Tab and the space bar alone, until it is whole after at least `steps`."""
    completion, text = MenuCompletion(lambda typed: after(menu, typed)), ""
    for step in range(20):
        completion.look(text)
        if completion.whole and step >= steps:
            return text.strip()
        for _ in range(random.randint(1, 7)):
            change = completion.step(1)
        assert change is not None, f"stuck after {text!r}"
        replaced, word = change
        assert replaced == len(word) or text.endswith(completion.prefix)
        text = text[: len(text) - len(completion.prefix)] + word + " "
    raise AssertionError(f"never whole: {text!r}")


def test_whoever_follows_the_menu_is_understood(personnel: Engine) -> None:  # noqa: F811
    menu, random = Menu(personnel), Random(7)
    requests = {walked(menu, random, 2) for _ in range(25)}
    assert len(requests) > 10
    for request in requests:
        answered = personnel.ask(request)
        assert answered.readings, request
        assert answered.readings[0].unused == ()


def test_a_word_begun_is_completed_in_place(personnel: Engine) -> None:  # noqa: F811
    menu = Menu(personnel)
    completion = MenuCompletion(lambda typed: after(menu, typed))
    completion.look("emplo")
    assert "employees" in completion.found
    assert completion.prefix == "emplo"
    completion.look("employees")
    assert completion.whole
    assert all(word.startswith("employees ") for word in completion.found)
    completion.look("nonsense")
    assert (completion.found, completion.whole) == ([], False)
