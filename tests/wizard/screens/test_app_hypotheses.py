"""A recogniser's words at the console (BBN, CMU: MADCOW 1992): a draft that Enter takes, errors and all, or that is corrected."""

import pytest

from session import commands as c
from session import events as e
from session.values.clock import Stamp
from session.values.hypotheses import Hypothesis, WordTime
from session.values.vocabulary import Channel, ProposalVerdict, Stage
from tests.desk.regions import painted
from tests.wizard.desk import HandPlayed, focus, write
from wizard.widgets.query import SaidEditor

FIRST = Hypothesis(
    "flights to canada",
    0.7,
    (WordTime("flights", 0.0, 0.4, 0.9), WordTime("to", 0.4, 0.5, 1.0), WordTime("canada", 0.5, 1.0, 0.2)),
)
SECOND = Hypothesis("flights to denver")


def transcribed(desk: HandPlayed) -> list[str]:
    return [command.text for command in desk.up.of(c.Transcribe) if isinstance(command, c.Transcribe)]


async def test_enter_takes_the_recogniser_s_words_as_they_are() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(120, 24)) as pilot:
        desk.begin_turn()
        desk.proposed(FIRST, SECOND)
        await pilot.pause()
        assert focus(desk) == "said"
        assert "flights to canada" in painted(desk.app)
        assert "machine [0.70], unsure: canada, Alt+Z 1 more" in painted(desk.app)
        assert transcribed(desk) == [], "nothing is the transcription before a person has said so"
        await pilot.press("enter")
        assert transcribed(desk) == ["flights to canada"]


async def test_unsure_words_are_underlined_until_somebody_types() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(100, 24)) as pilot:
        desk.begin_turn()
        desk.proposed(FIRST)
        await pilot.pause()
        said = desk.app.screen.query_one(SaidEditor)
        [span] = [span for span in said.get_line(0).spans if getattr(span.style, "underline", False)]
        assert said.get_line(0).plain[span.start : span.end] == "canada"
        await pilot.press("backspace")
        assert not [span for span in said.get_line(0).spans if getattr(span.style, "underline", False)]
        await write(pilot, "s")
        await pilot.press("enter")
        assert transcribed(desk) == ["flights to canads"]


async def test_a_digit_puts_another_hypothesis_in_even_over_what_was_typed() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(100, 24)) as pilot:
        desk.begin_turn()
        desk.proposed(FIRST, SECOND)
        await pilot.pause()
        await write(pilot, "xx")
        await pilot.press("alt+z")
        await pilot.pause()
        assert "1 flights to canada? [0.70]" in " ".join(painted(desk.app).split())
        await pilot.press("2")
        await pilot.pause()
        assert desk.app.screen.query_one(SaidEditor).text == "flights to denver"
        assert transcribed(desk) == []
        await pilot.press("enter")
        assert transcribed(desk) == ["flights to denver"]


async def test_words_that_come_while_the_wizard_types_disturb_nothing() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(100, 24)) as pilot:
        desk.begin_turn()
        await write(pilot, "flight")
        desk.proposed(FIRST)
        await pilot.pause()
        assert desk.app.screen.query_one(SaidEditor).text == "flight"


async def test_while_the_subject_speaks_the_words_so_far_are_beside_the_utterance_and_not_in_the_field() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(100, 24)) as pilot:
        desk.scenario()
        at = Stamp("s", 0, 0)
        desk.tell(
            e.TalkPressed(at=at, take="t1"),
            e.RecordingStarted(at=at, take="t1", channels=(Channel("s", "head", 16_000),), pre_roll=0),
        )
        desk.proposed(Hypothesis("flights to"), final=False)
        await pilot.pause()
        assert "● RECORDING · flights to" in painted(desk.app)
        assert desk.app.screen.query_one(SaidEditor).text == ""


async def test_what_was_taken_as_it_stood_and_what_was_typed_are_told_apart_and_words_of_no_use_rejected() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(100, 24)) as pilot:
        desk.begin_turn()
        desk.proposed(FIRST, SECOND)
        await pilot.pause()
        await pilot.press("alt+z", "2", "enter")
        desk.app.screen.query_one(SaidEditor).focus()
        await pilot.press("ctrl+l", *"flights", "space", *"to", "space", *"denver", "enter")
        taken = [command.hypothesis for command in desk.up.of(c.Transcribe) if isinstance(command, c.Transcribe)]
        assert taken == [1, None], "the same words, typed, are the wizard's own"
        await pilot.press("alt+z")
        await pilot.pause()
        assert "0 none of these" in " ".join(painted(desk.app).split())
        await pilot.press("0")
        [judged] = desk.up.of(c.JudgeOutput)
        assert isinstance(judged, c.JudgeOutput)
        assert (judged.stage, judged.verdict) == (Stage.RECOGNITION, ProposalVerdict.REJECTED)
        desk.tell(e.OutputJudged(stage=Stage.RECOGNITION, take=judged.take, verdict=ProposalVerdict.REJECTED))
        await pilot.pause()
        assert "the machine's words were rejected" in painted(desk.app)
        assert "flights to canada" not in painted(desk.app)


@pytest.mark.parametrize("text", ["[red]x[/red]", "a\x1b[31mb"])
async def test_an_engine_s_words_are_never_markup(text: str) -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(100, 24)) as pilot:
        desk.begin_turn()
        desk.proposed(Hypothesis(text, 0.5, (WordTime(text, 0, 1, 0.1),)), SECOND)
        await pilot.pause()
        assert "\x1b" not in desk.app.screen.query_one(SaidEditor).text
        await pilot.press("alt+z")
        await pilot.pause()
        if "[" in text and "\x1b" not in text:
            assert "[red]x[/red]" in painted(desk.app)
