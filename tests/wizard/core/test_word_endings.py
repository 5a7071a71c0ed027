"""Ends of words: from what was said in the session, and from the task."""

import pytest

from session import commands as c
from session.study.settings import Scenario
from session.values.vocabulary import Language, ScenarioKind
from tests.desk.regions import painted
from tests.wizard.desk import HandPlayed
from wizard.core.word_endings import ending
from wizard.widgets.query import EnglishEditor, SaidEditor


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


def test_the_other_tasks_of_the_study_know_words_too_but_their_placeholders_do_not() -> None:
    other = Scenario(
        id="other",
        kind=ScenarioKind.TRIP,
        title="Other",
        text="Compare the limousine fares in {metropolis}.",
        placeholders={"metropolis": "Boston"},
    )
    desk = HandPlayed(scenarios={"other": other})
    assert ending(desk.console.state, "limou") == "sine"
    assert ending(desk.console.state, "metro") == ""


async def test_a_request_that_is_reworded_takes_the_ends_of_words_in_its_middle_from_how_it_was_read() -> None:
    desk = HandPlayed(english=True)
    async with desk.app.run_test(size=(120, 40)) as pilot:
        desk.scenario(text="Ask for the way.")
        desk.spoken()
        desk.transcribed("how do i get from boston into town")
        desk.attempted(text="how do i get from boston into town", language=Language.ENGLISH)
        desk.returned(paraphrase="(from before: in Denver) ground transportation in Denver")
        await pilot.pause()
        desk.app.desk.action_to("query")
        query = desk.app.desk.query_one(EnglishEditor)
        await pilot.press(*["ctrl+left"] * 2, *"tra")
        assert query.suggestion == "nsportation"
        await pilot.pause()
        await pilot.press("right")
        assert query.text == "how do i get from boston transportation into town"
        assert query.suggestion == ""
        await pilot.press("ctrl+w", *"trans", "left")
        assert query.suggestion == "", "in the middle of a word nothing is offered"


async def test_what_was_carried_over_stands_once_and_marked() -> None:
    desk = HandPlayed(english=True)
    async with desk.app.run_test(size=(120, 40)) as pilot:
        desk.spoken()
        desk.transcribed("what is the fare")
        desk.attempted(text="what is the fare", language=Language.ENGLISH)
        desk.returned(paraphrase="(from before: from Boston to Denver) fares from Boston to Denver")
        await pilot.pause()
        assert "fares ‹before: from Boston to Denver›" in painted(desk.app)
        assert "(from before" not in painted(desk.app)
