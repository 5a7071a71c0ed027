"""The wizard's page and the console's keys say the same."""

import re

import pytest
from textual.binding import Binding
from textual.events import Key

from desk.keys.key_labels import key_name
from desk.talk.key_release import HoldParser
from tests import ROOT
from wizard.core.console_actions import ACTIONS, Action
from wizard.core.permissions import SAMPLES
from wizard.screens.console_screen import ConsoleScreen

PAGE = ROOT / "docs" / "reference" / "console-keys.md"


def rows() -> list[tuple[str, str]]:
    """The rows of the two tables of keys."""
    text = PAGE.read_text(encoding="utf-8")
    found = re.findall(r"^\| (.+?) \| (.+?) \|$", text, re.MULTILINE)
    return [row for row in found if row[0] not in ("key", "---")]


def sentence(binding: Binding) -> str:
    more = binding.tooltip
    return f"{binding.description}: {more[0].lower()}{more[1:]}" if more else binding.description


def test_every_key_of_the_console_is_on_the_page_in_the_program_s_own_words() -> None:
    bindings = [binding for binding in ConsoleScreen.BINDINGS if isinstance(binding, Binding)]
    said = [(", ".join(map(key_name, binding.key.split(","))), sentence(binding)) for binding in bindings]
    assert rows() == said


def test_every_action_has_a_letter_of_its_own_and_a_permit() -> None:
    letters = [action.letter for action in ACTIONS]
    assert len(set(letters)) == len(letters)
    assert len({action.name for action in ACTIONS}) == len(ACTIONS)
    assert {action.permit for action in ACTIONS} <= {*SAMPLES, "look"}


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: str(action.name))
def test_a_terminal_without_a_protocol_of_its_own_sends_every_actions_key(action: Action) -> None:
    parser = HoldParser()
    keys = [key.key for key in (*parser.feed(f"\x1b{action.letter}"), *parser.feed("")) if isinstance(key, Key)]
    assert keys == [f"alt+{action.letter}"]
