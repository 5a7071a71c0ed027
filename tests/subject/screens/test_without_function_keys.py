"""Every screen of the subject is worked with Enter, Space and arrow keys alone, and with the mouse alone."""

import msgspec
import pytest

from desk.keys.footer import KeyFooter
from session import commands as c
from session import events as e
from session.study.screen_words import ENGLISH
from session.values.clock import Stamp
from session.values.vocabulary import RecordingControl, Step
from subject.capture.level import Level
from tests.desk.regions import painted
from tests.session.examples import FORM
from tests.subject.stage import Stage, begun, facts_sent, settle

AT = Stamp("s", 0, 0)
KEYS_FOR_EVERYBODY = {
    Step.CONSENT: ["space", "down", "space", "enter"],
    Step.INSTRUCTIONS: ["enter"],
    Step.MICROPHONE_CHECK: ["enter"],
    Step.SATISFACTION: ["down", "enter", "enter", "enter"],
    Step.DEBRIEFING: ["enter"],
    Step.CONFIRM_CONSENT: ["down", "down", "down", "down", "down", "enter"],
}
COMPLETED_BY = {
    Step.CONSENT: e.ConsentGiven,
    Step.INSTRUCTIONS: e.InstructionsRead,
    Step.MICROPHONE_CHECK: e.MicrophoneChecked,
    Step.SATISFACTION: e.QuestionnaireAnswered,
    Step.DEBRIEFING: e.DebriefingRead,
    Step.CONFIRM_CONSENT: e.ConsentConfirmed,
}


def at_station(step: Step, text: str) -> Stage:
    """A subject's screen at one station of a visit."""
    before = step in (Step.CONSENT, Step.INSTRUCTIONS, Step.MICROPHONE_CHECK)
    steps = (step, Step.SCENARIOS) if before else (Step.SCENARIOS,)
    stage = Stage(recording=RecordingControl.PRESS, steps=steps)
    first = stage.desk.terminal.state.opened
    assert first is not None
    profile = msgspec.structs.replace(first.protocol.profile, consent=step is Step.CONSENT)
    changed = msgspec.structs.replace(first.protocol, instructions=text, consent_text=text, profile=profile)
    stage.desk.tell(msgspec.structs.replace(first, protocol=changed))
    stage.levels["s"] = Level("s", 1600, 0.3, 0.1)
    if step is Step.CONFIRM_CONSENT:
        stage.desk.tell(e.ConsentGiven(at=AT, version="1", sha256="", scopes={"record": True}))
    if not before:
        stage.desk.tell(begun(step, form=FORM if step is Step.SATISFACTION else None, text=text))
    return stage


@pytest.mark.parametrize("step", list(KEYS_FOR_EVERYBODY))
async def test_every_station_is_left_by_enter_space_and_arrows_alone(step: Step) -> None:
    stage = at_station(step, "Some words.")
    async with stage.app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for key in KEYS_FOR_EVERYBODY[step]:
            assert key in ("enter", "space", "up", "down", "left", "right")
            await pilot.press(key)
            await settle(pilot)
    assert len(facts_sent(stage, COMPLETED_BY[step])) == 1


@pytest.mark.parametrize("step", [step for step in KEYS_FOR_EVERYBODY if step is not Step.SATISFACTION])
async def test_every_station_is_left_by_the_mouse_alone(step: Step) -> None:
    stage = at_station(step, "Some words.")
    async with stage.app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for box in ("#record",) if step is Step.CONSENT else ():
            await pilot.click(box)
        await pilot.click("Buttons Button")
        await settle(pilot)
    assert len(facts_sent(stage, COMPLETED_BY[step])) == 1


async def test_after_everything_was_ticked_by_the_mouse_enter_goes_on() -> None:
    stage = at_station(Step.CONSENT, "Some words.")
    async with stage.app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.click(stage.app.screen.query("Buttons Button").last())
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
    (given,) = facts_sent(stage, e.ConsentGiven)
    assert all(given.scopes.values())


@pytest.mark.parametrize("step", [Step.CONSENT, Step.INSTRUCTIONS, Step.DEBRIEFING])
async def test_enter_goes_on_from_a_text_only_when_all_of_it_has_been_on_the_screen(step: Step) -> None:
    stage = at_station(step, "\n\n".join(f"Paragraph {number}." for number in range(30)))
    shown, presses = "", 0
    async with stage.app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        while not facts_sent(stage, COMPLETED_BY[step]):
            shown += painted(stage.app)
            presses += 1
            await pilot.press("space" if ENGLISH["consent.not_recorded"] in painted(stage.app) else "enter")
            await settle(pilot)
    assert all(f"Paragraph {number}." in shown for number in range(30))
    assert presses >= 3


@pytest.mark.parametrize("by", ["the keys below", "a button", "the keyboard"])
async def test_nobody_refuses_to_be_recorded_but_at_the_button_after_a_warning(by: str) -> None:
    stage = at_station(Step.CONSENT, "Some words.")
    async with stage.app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for _ in range(4):
            await pilot.press("enter")
            await settle(pilot)
        assert ENGLISH["consent.not_recorded"] in painted(stage.app)
        assert facts_sent(stage, e.ConsentGiven) == []
        if by == "a button":
            await pilot.click("Button")
        elif by == "the keys below":
            await pilot.click(KeyFooter, offset=(painted(stage.app).splitlines()[-2].index("Continue"), 0))
        else:
            await pilot.press(*["tab"] * 5, "enter")
        await settle(pilot)
    (given,) = facts_sent(stage, e.ConsentGiven)
    assert not any(given.scopes.values())


@pytest.mark.parametrize(
    ("words", "keys", "asked"),
    [
        ("Solved", ["a", "enter"], c.DeclareSolution),
        ("Give up", ["right", "enter"], c.GiveUp),
        ("Stop taking part", ["down", "enter"], c.Report),
        ("Call experimenter", [], c.Report),
    ],
)
@pytest.mark.parametrize("by_mouse", [True, False])
async def test_every_action_of_the_task_is_a_button(
    words: str, keys: list[str], asked: type[c.AnyCommand], by_mouse: bool
) -> None:
    stage = Stage(recording=RecordingControl.PRESS)
    stage.desk.scenario()
    async with stage.app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        stage.desk.up.given.clear()
        footer = stage.app.screen.query_one(KeyFooter)
        if by_mouse:
            row = next(n for n, line in enumerate(painted(stage.app).splitlines()) if words in line)
            await pilot.click(footer, offset=(painted(stage.app).splitlines()[row].index(words), row - footer.region.y))
        else:
            await pilot.press("right")
            while words not in chosen(footer):
                await pilot.press("right")
            await pilot.press("enter")
        await settle(pilot)
        await pilot.press(*keys)
        await settle(pilot)
    assert [command for command in stage.desk.up.given if isinstance(command, asked)]


def chosen(footer: KeyFooter) -> str:
    return footer._chosen.does if footer._chosen else ""
