"""The microphone check on the subject's screen: what is said of a microphone, and how the station is left."""

import pytest

from session import events as e
from session.audio.devices import DeviceError
from session.study.screen_words import ENGLISH
from session.values.vocabulary import Step
from subject.capture.level import Level
from tests.desk.regions import painted
from tests.subject.stage import Stage, facts_sent, settle


@pytest.mark.parametrize("peak", [0.0, 0.001, 1.0])
async def test_a_microphone_that_will_not_do_is_gone_on_from_only_on_purpose_and_the_experimenter_is_called(
    peak: float,
) -> None:
    stage = Stage(steps=(Step.MICROPHONE_CHECK, Step.SCENARIOS))
    stage.levels["s"] = Level("s", 1600, peak, peak)
    async with stage.app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("f10")
        await settle(pilot)
        assert ENGLISH["check.failed"] in " ".join(painted(stage.app).split())
        assert facts_sent(stage, e.MicrophoneChecked) == []
        await pilot.press("f10")
        await settle(pilot)
    (checked,) = facts_sent(stage, e.MicrophoneChecked)
    assert not checked.passed
    assert len(facts_sent(stage, e.ExperimenterCalled)) == 1


async def test_a_microphone_that_is_heard_well_after_all_is_not_called_a_failure() -> None:
    stage = Stage(steps=(Step.MICROPHONE_CHECK, Step.SCENARIOS))
    stage.levels["s"] = Level("s", 1600, 0.0, 0.0)
    async with stage.app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("f10")
        stage.levels["s"] = Level("s", 3200, 0.2, 0.1)
        stage.app.screen.look()  # type: ignore[attr-defined]
        await settle(pilot)
        assert ENGLISH["check.good"] in painted(stage.app)
        await pilot.press("f10")
        await settle(pilot)
    (checked,) = facts_sent(stage, e.MicrophoneChecked)
    assert checked.passed
    assert facts_sent(stage, e.ExperimenterCalled) == []


async def test_a_trial_without_a_microphone_says_so_and_can_be_repeated_after_a_loud_one() -> None:
    def broken() -> None:
        raise DeviceError("gone")

    stage = Stage(broken, steps=(Step.MICROPHONE_CHECK, Step.SCENARIOS))
    stage.desk.terminal.use(None)
    async with stage.app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert ENGLISH["message.no_microphone"] in painted(stage.app)
        stage.desk.terminal.use(stage.desk.recorder)
        stage.levels["s"] = Level("s", 1600, 1.0, 0.5)
        stage.app.screen.look()  # type: ignore[attr-defined]
        await settle(pilot)
        assert ENGLISH["check.loud"] in " ".join(painted(stage.app).split())
        await pilot.press("f3")
        await settle(pilot)
        stage.levels["s"] = Level("s", 3200, 0.2, 0.1)
        stage.app.screen.look()  # type: ignore[attr-defined]
        await settle(pilot)
        assert ENGLISH["check.good"] in painted(stage.app)
