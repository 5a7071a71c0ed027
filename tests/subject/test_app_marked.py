"""Every letter on a participant's terminal is the catalogue's or the study's: with both in another alphabet, keys are left."""

import re
import string
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from textual.pilot import Pilot

from desk.keys.help import HelpScreen
from session import events as e
from session.audio.devices import DeviceError
from session.protocol.links import CommandAnswered
from session.study.screen_words import shipped
from session.study.settings import Questionnaire, QuestionnaireItem
from session.values.clock import SECOND, Stamp
from session.values.vocabulary import AudioTrouble, Channel, ItemKind, Outcome, RecordingControl, ResponseClass, Step
from subject.capture.level import Level
from subject.core.texts import not_by_itself
from tests import SECONDS, THOROUGH
from tests.desk.regions import painted
from tests.subject.stage import Stage, settle

AT = Stamp("s", 0, 0)
AGREED = e.ConsentGiven(at=AT, version="1", sha256="", scopes={"record": True})
ALPHABET = str.maketrans(string.ascii_letters, "абвгдежзийклмнопрстуфхцчшыАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЫ")
NAMES = re.compile(r"\b(?:F\d+|[A-Z]|Esc|Tab)\b")
"""Function keys and others that are printed so on every keyboard, and a letter that takes an entry."""
LATIN = re.compile(r"[A-Za-z][A-Za-z]+(?:[ '’-]+[A-Za-z]+)*")
SLOW = pytest.mark.skipif(not THOROUGH, reason=SECONDS)


def data(text: str) -> str:
    return text.translate(ALPHABET)


def marked(words: str) -> str:
    """The words in the other alphabet, as wide as they were; what stands in curly brackets stays."""
    parts = string.Formatter().parse(words)
    return "".join(data(text) + (f"{{{name}}}" if name is not None else "") for text, name, _, _ in parts)


OWN = {key: marked(said) for key, said in shipped("en").items()}
FORM = Questionnaire(
    id="form",
    title=data("about the system"),
    introduction=data("please answer"),
    item=(
        QuestionnaireItem("q1", data("how was it"), choices=(data("1 bad"), data("2 good"))),
        QuestionnaireItem("q2", data("which of many"), choices=tuple(data(f"choice {at}") for at in range(20))),
        QuestionnaireItem("q3", data("what else"), ItemKind.TEXT, optional=True),
    ),
)


class Marked(Stage):
    """A terminal of a session that is in the other alphabet from end to end; `broken` says that it has no microphone."""

    def __init__(self, *, broken: bool = False, **profile: Any) -> None:
        self.broken, self.strays = broken, dict[str, str]()
        super().__init__(self._open, **profile)
        opened = self.desk.terminal.state.opened
        assert opened is not None
        asked = msgspec.structs.replace(opened.protocol.profile, consent=Step.CONSENT in opened.protocol.profile.steps)
        protocol = msgspec.structs.replace(
            opened.protocol,
            profile=asked,
            words=OWN,
            consent_text=data("a study\n\nof speech"),
            instructions=data("how to\n\nspeak"),
        )
        self.desk.tell(msgspec.structs.replace(opened, protocol=protocol))

    def _open(self) -> None:
        if self.broken:
            raise DeviceError("no input device: head was not found")

    async def look(self, pilot: Pilot[Any], where: str) -> None:
        await settle(pilot)
        below = self.app.screen.lines if isinstance(self.app.screen, HelpScreen) else []
        for found in strays("\n".join([painted(self.app), *below])):
            self.strays.setdefault(found, where)

    async def around(self, pilot: Pilot[Any], where: str) -> None:
        """The screen, its help, and the ways out of it."""
        await self.look(pilot, where)
        for keys in (("f1",), ("f4",), ("f4", "f1"), ("f12",), ("f12", "x", "enter")):
            await pilot.press(*keys)
            await self.look(pilot, f"{where}: {keys}")
            for _ in keys:
                await pilot.press("escape")
        await pilot.press("f8")
        await self.look(pilot, f"{where}: called")

    def refused(self, key: str, **parts: str) -> None:
        self.desk.terminal.receive(CommandAnswered("x", OWN[key].format(**parts)))


def strays(screen: str) -> Iterator[str]:
    for line in screen.splitlines():
        yield from LATIN.findall(NAMES.sub(" ", line))


STEPS = [*Step]


async def visit(stage: Marked, pilot: Pilot[Any]) -> None:
    """Consent and the first half of the stations: microphone, instructions, tasks."""
    await stage.around(pilot, "consent")
    await pilot.press("f10", "f10")
    await stage.look(pilot, "consent not ticked")
    stage.desk.tell(AGREED)
    await stations(stage, pilot, STEPS[: len(STEPS) // 2])


async def later(stage: Marked, pilot: Pilot[Any]) -> None:
    """The second half of the stations: questionnaires, debriefing and consent again."""
    stage.desk.tell(AGREED)
    await stations(stage, pilot, STEPS[len(STEPS) // 2 :])


async def stations(stage: Marked, pilot: Pilot[Any], steps: list[Step]) -> None:
    """Each of the steps, with answers to what it may ask."""
    for step in steps:
        form = FORM if step in (Step.SATISFACTION, Step.BELIEF, Step.COMMENTS) else None
        stage.desk.tell(e.StepBegun(step=step, form=form, text=data("what it was about") if form is None else ""))
        await stage.around(pilot, f"{step}")
        for answer in ("f10", "1", "enter", "1", "enter", "enter", "f10"):
            await pilot.press(answer)
            await stage.look(pilot, f"{step}: {answer}")


async def microphone(stage: Marked, pilot: Pilot[Any]) -> None:
    """Each thing that the check and the meter say of a level."""
    stage.desk.tell(AGREED, e.StepBegun(step=Step.MICROPHONE_CHECK))
    await stage.look(pilot, "check")
    for at, peak in enumerate((0.0, 0.001, 0.2, 1.0), 1):
        stage.levels["s"] = Level("s", 1600 * at, peak, peak / 2)
        stage.desk.clock.advance(2 * SECOND)
        stage.app.screen.look()  # type: ignore[attr-defined]
        await stage.look(pilot, f"peak {peak}")
    stage.desk.terminal.use(None)
    await pilot.press("f3", "f10")
    await stage.around(pilot, "check failed")


async def task(stage: Marked, pilot: Pilot[Any]) -> None:
    """A task from waiting for it to its end, with every refusal and every trouble on the way."""
    desk, terminal = stage.desk, stage.desk.terminal
    desk.tell(AGREED)
    await stage.around(pilot, "no task")
    desk.tell(e.ScenarioStarted(number=1, scenario="1", title=data("a trip"), text=data("go on ") * 200, kind="trip"))
    await stage.around(pilot, "task")
    await pilot.press("space")
    await stage.look(pilot, "pressed")
    if terminal.held:
        terminal.fact(e.RecordingStarted(at=AT, take=terminal.held, channels=(Channel("s", "m", 16_000),), pre_roll=0))
        await stage.look(pilot, "recording")
        await pilot.press("space")
    await pilot.press(*"abc", "enter")
    desk.utterance("t1")
    await stage.look(pilot, "working")
    await pilot.press("space")
    await stage.look(pilot, "not now")
    desk.tell(e.Transcribed(at=AT, take="t1", text=data("show me")))
    table = "\n".join(data(f"row {at} " + "x " * 90) for at in range(80))
    desk.tell(e.AnswerSent(reply="r1", take="t1", text=table, response=ResponseClass.ANSWER))
    for key in (
        "pageup",
        "down",
        "left",
        "tab",
        "f3",
        "f9",
        "escape",
        "f6",
        "enter",
        "f1",
        "escape",
        "escape",
        "f7",
        "f1",
    ):
        await pilot.press(key)
        await stage.look(pilot, f"answered: {key}")
    await pilot.press("escape", "escape", "f5")
    await stage.look(pilot, "undone")
    await refusals(stage, pilot)
    await endings(stage, pilot)


async def refusals(stage: Marked, pilot: Pilot[Any]) -> None:
    """All that is said when something cannot be done."""
    terminal = stage.desk.terminal
    stage.desk.terminal.show_message(not_by_itself(terminal))
    await stage.look(pilot, "not by itself")
    for trouble in AudioTrouble:
        terminal.fact(e.AudioTroubled(at=AT, take="", trouble=trouble, letter="s", detail="the device is gone"))
        await stage.look(pilot, f"trouble {trouble}")
    for key, said in shipped("en").items():
        if key.startswith("message."):
            parts = {name: data("why") for _, name, _, _ in string.Formatter().parse(said) if name}
            stage.refused(key, **parts)
            await stage.look(pilot, key)


async def endings(stage: Marked, pilot: Pilot[Any]) -> None:
    """A break, a message, a lost link, the next task, stopping."""
    desk, terminal = stage.desk, stage.desk.terminal
    desk.tell(e.SessionPaused(reason=data("lunch")))
    await stage.look(pilot, "paused")
    desk.tell(e.SessionResumed(), e.TakeDiscarded(at=AT, take="t1"))
    desk.tell(e.CannedSent(reply="r2", message="m", text=data("one moment"), response=ResponseClass.DIRECTIVE))
    await stage.look(pilot, "message")
    terminal.lost()
    terminal.message = ""
    stage.app.changed()
    await stage.look(pilot, "link lost")
    desk.tell(e.ScenarioEnded(outcome=Outcome.DECLARED))
    desk.tell(e.ScenarioStarted(number=2, scenario="2", title=data("two"), text=data("go"), kind="trip"))
    await stage.look(pilot, "second task")
    desk.tell(e.WithdrawalRequested(at=AT, erase=True))
    await stage.look(pilot, "stopped")
    desk.tell(e.SessionEnded(reason=data("done")))
    await stage.around(pilot, "over")


@pytest.mark.parametrize(
    ("play", "size"),
    [
        (visit, (80, 24)),
        (later, (80, 24)),
        (microphone, (80, 24)),
        (task, (120, 40)),
        pytest.param(visit, (120, 40), marks=SLOW),
        pytest.param(later, (120, 40), marks=SLOW),
        pytest.param(task, (80, 24), marks=SLOW),
    ],
)
async def test_no_word_stands_on_a_terminal_that_a_study_cannot_put_differently(
    play: Any, size: tuple[int, int]
) -> None:
    stage = Marked(recording=RecordingControl.PRESS, steps=tuple(Step))
    async with stage.app.run_test(size=size) as pilot:
        await play(stage, pilot)
    assert stage.strays == {}


@SLOW
@pytest.mark.parametrize("control", [way for way in RecordingControl if way is not RecordingControl.PRESS])
async def test_nor_where_utterances_are_recorded_otherwise_or_typed(control: RecordingControl) -> None:
    stage = Marked(recording=control)
    async with stage.app.run_test(size=(80, 24)) as pilot:
        await task(stage, pilot)
    assert stage.strays == {}


async def test_nor_where_there_is_no_microphone_and_those_who_can_mend_it_are_told_why() -> None:
    stage = Marked(broken=True, recording=RecordingControl.PRESS)
    async with stage.app.run_test(size=(80, 24)) as pilot:
        stage.desk.terminal.use(None)
        stage.desk.scenario()
        await stage.look(pilot, "instructions")
        await pilot.press("escape")
        await stage.look(pilot, "no microphone")
        assert OWN["message.no_microphone"] in " ".join(painted(stage.app).split())
    assert {found for found in stage.strays if found not in ("Go", "Trip", "Task Trip")} == set()
