"""Ends of words: from what was said in the session, and from the task."""

import pytest

from session import commands as c
from tests.wizard.desk import HandPlayed
from wizard.core.word_endings import ending
from wizard.widgets.query import SaidEditor


@pytest.mark.parametrize(
    ("typed", "rest"),
    [
        ("tran", "sportation"),
        ("and the Tran", "sportation"),
        ("de", "nver"),
        ("bos", "ton"),
        ("bost", ""),
        ("t", ""),
        ("transportation", ""),
        ("transportation ", ""),
        ("xy", ""),
        ("", ""),
    ],
)
def test_a_word_goes_on_as_it_was_said_or_as_the_task_has_it(typed: str, rest: str) -> None:
    desk = HandPlayed()
    desk.scenario(text="Go from Boston to Dallas.")
    desk.spoken()
    desk.transcribed("ground transportation in denver")
    assert ending(desk.console.state, typed) == rest


async def test_the_arrow_takes_the_end_of_a_word_and_the_blank_behind_it_and_enter_does_not() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(120, 40)) as pilot:
        desk.scenario(text="Ask for ground transportation in Denver.")
        desk.spoken()
        await pilot.pause()
        said = desk.app.desk.query_one(SaidEditor)
        await pilot.press(*"tra")
        assert said.suggestion == "nsportation"
        await pilot.press("right", *"in", "space", *"den")
        assert said.text == "transportation in den"
        await pilot.press("home", "right", "x")
        assert said.text == "txransportation in den", "elsewhere the arrow goes right"
        await pilot.press("end", "e", "enter")
        await pilot.pause()
        assert [getattr(command, "text", "") for command in desk.up.of(c.Transcribe)] == ["txransportation in dene"]
