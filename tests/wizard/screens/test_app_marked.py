"""Every letter on a console is the catalogue's or the session's: with both in another alphabet, function keys are left."""

import re
import string
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import msgspec
import pytest
from textual.pilot import Pilot

from desk.keys.help import HelpScreen
from session import events as e
from session.protocol.messages import DeskPresence, DeskTurnedAway
from session.protocol.side_messages import LobbyState, SolutionResponse
from session.study.screen_words import console_strings, shipped
from session.study.settings import CannedMessage, Scenario
from session.transport.websocket import LinkState
from session.values.answers import FailureKind, OtherReading, rows_of
from session.values.clock import Stamp
from session.values.hypotheses import Hypothesis
from session.values.vocabulary import (
    AudioTrouble,
    DeskRefusal,
    Language,
    Operator,
    OperatorTrouble,
    Outcome,
    ResponseClass,
    Role,
    ScenarioKind,
    Scope,
    Stage,
    Step,
)
from tests import SECONDS, THOROUGH
from tests.desk.regions import painted
from tests.wizard.desk import HandPlayed
from wizard.core.console_actions import ACTIONS

AT = Stamp("s", 0, 0)
ALPHABET = str.maketrans(string.ascii_letters, "абвгдежзийклмнопрстуфхцчшыАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЫ")
NAMES = re.compile(r"\b(?:F\d+|[A-Z]|bbn[-\d]*|b01|BBN-89|Curtain|curtain [a-z]+ STUDY)\b")
"""Function keys, a letter that takes an entry, names of sessions and speakers, commands."""
LATIN = re.compile(r"[A-Za-z][A-Za-z]+(?:[ '’-]+[A-Za-z]+)*")
SLOW = pytest.mark.skipif(not THOROUGH, reason=SECONDS)
Play = Callable[["Marked", Pilot[Any]], Awaitable[None]]


def marked(words: str) -> str:
    """The words in the other alphabet, as wide as they were; what stands in curly brackets stays."""
    parts = string.Formatter().parse(words)
    return "".join(text.translate(ALPHABET) + (f"{{{name}}}" if name is not None else "") for text, name, _, _ in parts)


OWN = {key: marked(said) for key, said in {**shipped("en"), **console_strings()}.items()}


def data(text: str) -> str:
    return text.translate(ALPHABET)


def messages() -> tuple[CannedMessage, ...]:
    reasons = ("no_information", "too_large", "underspecified", "tool_failed", "not_understood", "wait")
    kinds = list(ResponseClass)
    return tuple(
        CannedMessage(f"m{at}", data(f"message {at} ___"), reason, kinds[at % len(kinds)], at)
        for at, reason in enumerate(reasons, 1)
    )


class Marked(HandPlayed):
    """A desk of a session that is in the other alphabet from end to end."""

    def __init__(self, role: Role = Role.WIZARD, **profile: Any) -> None:
        super().__init__(role, english=True, **profile)
        self.strays: dict[str, str] = {}
        opened = self.console.state.opened
        assert opened is not None
        scenarios = {
            f"{at}": Scenario(
                f"{at}", data(f"task {at}"), kind, data("find it") + (" {A}" if at else ""), common=bool(at),
                placeholders={"A": ""} if at else {},
            )
            for at, kind in enumerate((ScenarioKind.TRIP, ScenarioKind.PRACTICE, *list(ScenarioKind)[2:]))
        }  # fmt: skip
        protocol = msgspec.structs.replace(
            opened.protocol,
            words=OWN,
            canned_messages={message.id: message for message in messages()},
            scenarios=scenarios,
            ability=data("what it can do"),
        )
        self.tell(msgspec.structs.replace(opened, operator=data("anna"), protocol=protocol))

    async def look(self, pilot: Pilot[Any], where: str) -> None:
        await pilot.pause()
        await pilot.pause()
        below = self.app.screen.lines if isinstance(self.app.screen, HelpScreen) else []
        for found in strays("\n".join([painted(self.app), *below])):
            self.strays.setdefault(found, where)

    def begun(self) -> None:
        self.tell(
            e.ScenarioStarted(number=1, scenario="0", title=data("task 0"), text=data("find it"), kind="trip"),
        )

    def asked(self, text: str = "show me", **more: Any) -> None:
        self.attempted(text=data(text), language=Language.ENGLISH)
        table = rows_of([data("city")], [[data(f"row {at}")] for at in range(60)])
        fact = e.QueryReturned(
            attempt="a1", sql="1", table=table, took=1, database_version="1", paraphrase=data("cities")
        )
        self.tell(msgspec.structs.replace(fact, **more))


def strays(screen: str) -> Iterator[str]:
    for line in screen.splitlines():
        yield from LATIN.findall(NAMES.sub(" ", line))


async def turn(desk: Marked, pilot: Pilot[Any]) -> None:
    """From waiting to a reply, with every view and every way to go wrong."""
    await desk.look(pilot, "no scenario")
    desk.begun()
    await desk.look(pilot, "begun")
    desk.tell(e.TalkPressed(at=AT, take="t1"))
    await desk.look(pilot, "pressed")
    desk.spoken()
    await desk.look(pilot, "spoken")
    for trouble in AudioTrouble:
        desk.tell(e.AudioTroubled(at=AT, take="t1", trouble=trouble, samples=1))
    desk.transcribed(data("show me cities"))
    desk.tell(e.ScopeMarked(take="t1", scope=Scope.OUT))
    await desk.look(pilot, "transcribed")
    desk.asked(
        others=(OtherReading(data("other"), "2", 0.6),), unused=(data("me"),), confidence=0.5, proposer=data("model")
    )
    for view in range(4):
        await desk.look(pilot, f"view {view}")
        await pilot.press("f9")
    await pilot.press("f5", "f5")
    await desk.look(pilot, "partial")
    await pilot.press("escape", "f6")
    await desk.look(pilot, "canned")
    await pilot.press("1")
    await desk.look(pilot, "blank")
    await pilot.press("enter")
    await desk.look(pilot, "empty blank")
    await pilot.press("escape", "escape")
    desk.clock.advance(50)
    await desk.look(pilot, "soon late")
    desk.clock.advance(50)
    await desk.look(pilot, "late")
    await pilot.press("alt+c")
    await desk.look(pilot, "not on offer")


async def every_action(desk: Marked, pilot: Pilot[Any]) -> None:
    """Each action's window, in the states in which it is offered and where it is not."""
    for state in ("before", "scenario", "over", "ended"):
        if state == "scenario":
            desk.begun()
            desk.tell(e.StageAssigned(stage=Stage.RECOGNITION, operator=Operator.CORRECTED, engine=data("engine")))
            desk.proposed(Hypothesis(data("show me"), 0.4), Hypothesis(data("show it"), 0.2))
            desk.spoken()
            desk.transcribed(data("show me"))
            desk.asked(others=(OtherReading(data("other"), "2", 0.6),), question=data("where"))
            desk.answered(text=data("rows\nmore"))
            desk.tell(e.ExperimenterCalled(at=AT))
        elif state == "over":
            desk.tell(e.SolutionDeclared(at=AT, solution=data("row 1")), e.ScenarioEnded(outcome=Outcome.DECLARED))
            desk.console.receive(SolutionResponse(0, rows_of(["x"], [[data("row 1")]])))
        elif state == "ended":
            desk.tell(e.SessionEnded(reason=data("done")))
        offered = [f"alt+{action.letter}" for action in ACTIONS if desk.app.desk.actions.may_run(action.name)]
        for key in (*offered, "f1", "ctrl+o", "ctrl+p", "ctrl+q"):
            await pilot.press(key)
            await desk.look(pilot, f"{state}: {key}")
            for option in ("down", "enter"):
                if desk.app.screen is not desk.app.desk and key not in ("ctrl+q", "alt+x", "ctrl+p"):
                    await pilot.press(option)
                    await desk.look(pilot, f"{state}: {key} {option}")
            while desk.app.screen is not desk.app.desk:
                await pilot.press("escape")
                await pilot.pause()
            for command in desk.up.given:
                desk.console._answered(command.id, None)
            desk.up.given.clear()
            await desk.look(pilot, f"{state}: after {key}")


async def troubles(desk: Marked, pilot: Pilot[Any]) -> None:
    """All that may be wrong, one after another: four banners have room at a time."""
    desk.begun()
    for stage in (Stage.RECOGNITION, Stage.UNDERSTANDING, Stage.RESPONSE):
        desk.tell(e.StageAssigned(stage=stage, operator=Operator.MACHINE, engine=data("engine")))
    await desk.look(pilot, "machines")
    for trouble in OperatorTrouble:
        desk.tell(e.OperatorTroubled(stage=Stage.RECOGNITION, trouble=trouble, engine=data("engine")))
        await desk.look(pilot, f"machine {trouble}")
    desk.spoken()
    for kind in FailureKind:
        desk.attempted(f"a-{kind}", text=data("show"), language=Language.ENGLISH)
        await desk.look(pilot, "asking")
        desk.tell(e.QueryFailed(attempt=f"a-{kind}", kind=kind, message=data("why"), unused=(data("me"),)))
        await desk.look(pilot, f"failed {kind}")
        await pilot.press("f6")
        await desk.look(pilot, f"failed {kind} canned")
        await pilot.press("escape")
    for reason in DeskRefusal:
        desk.console.receive(DeskTurnedAway(Role.SUBJECT, reason))
        await desk.look(pilot, f"away {reason}")
    desk.console.receive(LobbyState(2, 30, True))
    await desk.look(pilot, "lobby")
    desk.console.receive(LobbyState())
    for step in Step:
        desk.tell(e.StepBegun(step=step))
        await desk.look(pilot, f"step {step}")
    desk.tell(e.WithdrawalRequested(at=AT, erase=True))
    await desk.look(pilot, "withdrawn")
    desk.tell(e.SessionPaused(reason=data("lunch")))
    await desk.look(pilot, "paused")
    desk.console.receive(DeskPresence(Role.SUBJECT, False, ""))
    await desk.look(pilot, "lost")
    desk.link = LinkState(False, "the connection broke off")
    desk.console.lost()
    await desk.look(pilot, "no hub")


@pytest.mark.parametrize(
    ("play", "size"),
    [
        (turn, (160, 50)),
        (troubles, (160, 50)),
        pytest.param(turn, (80, 24), marks=SLOW),
        pytest.param(every_action, (120, 40), marks=SLOW),
    ],
)
async def test_no_word_stands_on_a_console_that_a_study_cannot_put_differently(
    play: Play, size: tuple[int, int]
) -> None:
    desk = Marked(reply_limit_s=60.0, session_limit_s=3600.0, scenario_limit_s=600.0)
    async with desk.app.run_test(size=size) as pilot:
        await play(desk, pilot)
    assert desk.strays == {}


@SLOW
@pytest.mark.parametrize("role", [Role.TRANSCRIBER, Role.EXPERIMENTER, Role.OBSERVER])
async def test_nor_on_a_desk_of_another_role(role: Role) -> None:
    desk = Marked(role)
    async with desk.app.run_test(size=(160, 50)) as pilot:
        await every_action(desk, pilot)
    assert desk.strays == {}
