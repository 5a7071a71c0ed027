"""Somebody talks without pressing: it is said after a second of speech, and not for a cough."""

from session import events as e
from session.values.clock import MILLISECOND, SECOND
from session.values.vocabulary import Outcome
from subject.capture.level import Level
from subject.core.unheard_speech import UnheardSpeech
from tests.desk.regions import painted
from tests.subject.stage import Stage, settle


def spoken(unheard: UnheardSpeech, begin: int, seconds: float, peak: float = 0.2) -> int:
    """Have levels of that loudness taken in every 20 ms; return the moment after the last."""
    end = begin + round(seconds * SECOND)
    for now in range(begin, end, 20 * MILLISECOND):
        unheard.hear(peak, now)
    return end


def test_speech_of_a_second_is_told_and_a_cough_or_a_quiet_room_is_not() -> None:
    unheard = UnheardSpeech()
    end = spoken(unheard, SECOND, 0.5)
    assert not unheard.told(end), "a cough"
    end = spoken(unheard, end + SECOND, 3.0, peak=0.01)
    assert not unheard.told(end), "a quiet room"
    end = spoken(unheard, end, 1.2)
    assert unheard.told(end)
    assert unheard.told(end + 2 * SECOND), "long enough to be read"
    assert not unheard.told(end + 4 * SECOND)
    spoken(unheard, end, 1.2)
    unheard.forget()
    assert not unheard.told(end + SECOND), "what is recorded is not missed"


async def test_who_talks_without_pressing_reads_it_on_the_button_until_the_press() -> None:
    stage = Stage()
    stage.desk.scenario()
    async with stage.app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        screen = stage.app.screen
        for number in range(70):
            stage.desk.clock.advance(0.02)
            stage.levels["s"] = Level("s", number, 0.2, 0.1)
            screen._look_at_levels()  # type: ignore[attr-defined]
        await settle(pilot)
        assert "You are not being recorded. Press SPACE" in painted(stage.app)
        await pilot.press("space")
        await settle(pilot)
        screen._look_at_levels()  # type: ignore[attr-defined]
        await settle(pilot)
        assert "not being recorded" not in painted(stage.app)


async def test_a_refusal_goes_when_it_no_longer_holds_and_earlier_tasks_stand_apart() -> None:
    stage = Stage()
    stage.desk.scenario()
    async with stage.app.run_test(size=(80, 24)) as pilot:
        stage.desk.utterance("T1")
        stage.desk.terminal.show_message("There is nothing to undo.")
        await settle(pilot)
        assert stage.text("#message") == "There is nothing to undo."
        stage.desk.tell(e.ScenarioEnded(outcome=Outcome.ENDED))
        stage.desk.tell(e.ScenarioStarted(number=2, scenario="", title="Into town", text="Go there.", kind=""))
        await settle(pilot)
        assert stage.text("#message") == ""
        assert "─── Task: Into town ───" in painted(stage.app), "nothing was asked in it yet"
        stage.desk.utterance("T2")
        await settle(pilot)
        assert painted(stage.app).count("─── Task: Into town ───") == 1
