"""The subject's screen says how things stand once, in one place, and offers what does something."""

import pytest

from session import events as e
from session.study.screen_words import ENGLISH
from session.values.clock import Stamp
from session.values.vocabulary import Outcome, RecordingControl
from subject.core.terminal import Phase
from tests.desk.regions import painted
from tests.subject.stage import Stage, settle

AT = Stamp("subject", 0, 0)


@pytest.mark.parametrize(
    ("facts", "once"),
    [
        ((), ("talk.ready",)),
        ((e.SessionPaused(reason="lunch"),), ("headline.paused",)),
        ((e.ScenarioEnded(outcome=Outcome.DECLARED),), ("headline.between",)),
        ((e.UtteranceTyped(at=AT, take="t1", text="show me"),), ("talk.working", "talk.to_be_patient")),
        ((e.WithdrawalRequested(at=AT, erase=False),), ("headline.withdrawn",)),
    ],
)
async def test_how_things_stand_is_said_once_and_in_one_place(facts: tuple[e.Fact, ...], once: tuple[str, ...]) -> None:
    stage = Stage(recording=RecordingControl.PRESS)
    async with stage.app.run_test(size=(80, 24)) as pilot:
        stage.desk.scenario()
        stage.desk.tell(*facts)
        await settle(pilot)
        shown = painted(stage.app)
        for key in once:
            assert shown.count(ENGLISH[key]) == 1
        states = ("ready", "opening", "recording", "working", "blocked")
        others = {f"talk.{state}" for state in states} | {f"headline.{phase}" for phase in Phase}
        assert [key for key in others - set(once) if ENGLISH[key] in shown] == []


async def test_a_task_has_a_key_to_scroll_it_only_where_it_is_longer_than_its_room() -> None:
    stage = Stage(recording=RecordingControl.PRESS)
    async with stage.app.run_test(size=(80, 24)) as pilot:
        stage.desk.scenario()
        await settle(pilot)
        assert " Task F3 " not in painted(stage.app)
        assert "Task: Trip" in painted(stage.app).splitlines()[0]
        stage.desk.tell(e.ScenarioEnded(outcome=Outcome.DECLARED))
        stage.desk.tell(e.ScenarioStarted(number=2, scenario="", title="T" * 70, text="Go on. " * 200, kind=""))
        await settle(pilot)
        assert " Task F3 " in painted(stage.app)
        assert "T" * 70 in painted(stage.app), "a title that the frame would cut stands above the text"


async def test_an_empty_screen_says_what_will_stand_there() -> None:
    stage = Stage(recording=RecordingControl.PRESS)
    async with stage.app.run_test(size=(80, 24)) as pilot:
        stage.desk.scenario()
        await settle(pilot)
        assert ENGLISH["turn.none"] in painted(stage.app)
        stage.desk.utterance("t1")
        await settle(pilot)
        assert ENGLISH["turn.none"] not in painted(stage.app)
