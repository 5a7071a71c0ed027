"""A wizard's app over a hub that is played by hand: facts go in, commands come out, the clock stands until it is moved."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from textual.pilot import Pilot

from session import commands as c
from session import events as e
from session.events import Recorded
from session.protocol.links import CommandAnswered, FactReceived
from session.protocol.messages import DeskPresence, HubTrouble, Welcome
from session.protocol.side_messages import (
    ClosingCheck,
    ClosingResponse,
    MenuRequest,
    MenuResponse,
    SchemaRequest,
    SchemaResponse,
    SideMessage,
)
from session.study.settings import CannedMessage, Scenario
from session.transport.websocket import LinkState
from session.values.answers import FailureKind, Table, rows_of
from session.values.clock import SECOND, ManualClock, Stamp
from session.values.hypotheses import Hypothesis
from session.values.vocabulary import Channel, Language, Operator, ResponseClass, Role, Sealed, Stage
from tests.together.pipe import opened
from wizard.app import WizardApp
from wizard.audio.playback_state import PlaybackState
from wizard.core.console import Console

SESSION = "bbn-20261121-1"
Kind = TypeVar("Kind", bound=c.Command)


class GivenUp:
    """Takes the commands and questions; nobody answers them but the test."""

    def __init__(self) -> None:
        self.given: list[c.AnyCommand] = []
        self.asked: list[SideMessage] = []
        self.on_question: Callable[[SideMessage], None] = lambda question: None

    def ask(self, question: SideMessage) -> None:
        self.asked.append(question)
        self.on_question(question)

    def give(self, command: c.AnyCommand) -> None:
        self.given.append(command)

    def of(self, kind: type[Kind]) -> list[Kind]:
        """Return the commands of one type."""
        return [command for command in self.given if isinstance(command, kind)]


class HandPlayed:
    """The desk: `tell` is the hub's voice, `up.given` what the desk asked of it."""

    def __init__(
        self,
        role: Role = Role.WIZARD,
        *,
        listening: Callable[["HandPlayed"], PlaybackState] | None = None,
        schema: dict[str, tuple[str, ...]] | None = None,
        menu: Callable[[str], MenuResponse] | None = None,
        invitation: str = "",
        theme: str = "dark",
        english: bool = False,
        messages: tuple[CannedMessage, ...] = (),
        scenarios: Mapping[str, Scenario] | None = None,
        welcome: bool = True,
        **profile: Any,
    ) -> None:
        self.clock = ManualClock("wizard")
        self.up = GivenUp()
        self.link = LinkState(True)
        self.rings = 0
        self.silent = False
        numbers = iter(range(1, 10_000))
        self.console = Console(self.clock, self.up, self._changed, lambda: f"id{next(numbers)}", english=english)
        ear = listening(self) if listening else PlaybackState(None, lambda: self.link)
        self.app = WizardApp(
            self.console,
            self.clock,
            ear,
            invitation=invitation,
            theme=theme,
            english=schema is None,
        )
        self._menu, self._schema = menu, schema
        self.up.on_question = self._answer
        self.seq = 0
        self.role = role
        if welcome:
            self.welcome(messages, scenarios, **profile)

    def _changed(self) -> None:
        self.rings += 1
        if hasattr(self, "app"):
            self.app.changed()

    def _answer(self, question: SideMessage) -> None:
        """The hub answers at once, unless it is `silent`."""
        if self.silent:
            return
        if isinstance(question, MenuRequest):
            self.console.receive(
                self._menu(question.typed) if self._menu else MenuResponse(question.typed, there=False)
            )
        if isinstance(question, SchemaRequest):
            self.console.receive(SchemaResponse(self._schema or {}))

    def light(self, *checks: ClosingCheck) -> None:
        """The hub has looked into the session."""
        self.console.receive(ClosingResponse(checks))

    def welcome(
        self,
        messages: tuple[CannedMessage, ...] = (),
        scenarios: Mapping[str, Scenario] | None = None,
        **profile: Any,
    ) -> None:
        """The desk is attached, the subject is there, the session is open."""
        self.console.receive(Welcome(SESSION, self.role, "hub"))
        self.console.receive(DeskPresence(Role.SUBJECT, True))
        fact = opened(**profile)
        for message in messages:
            fact.protocol.canned_messages[message.id] = message
        fact.protocol.scenarios.update(scenarios or {})
        self.tell(fact)

    def tell(self, *facts: e.Fact, after: float = 0.0) -> None:
        """Receive facts from the hub, `after` so many seconds of its clock."""
        for fact in facts:
            self.seq += 1
            at = Stamp("hub", round(after * SECOND), round(after * SECOND))
            self.console.receive(FactReceived(Recorded(SESSION, self.seq, at, "hub", "", fact)))

    def refuse(self, reason: str) -> None:
        """Refuse the last command."""
        self.console.receive(CommandAnswered(self.up.given[-1].id, reason))

    def trouble(self, text: str) -> None:
        """The hub cannot do its work."""
        self.console.receive(HubTrouble(text))

    def scenario(self, title: str = "Trip", text: str = "Go to Boston.") -> None:
        """Receive the start of a scenario."""
        self.tell(e.ScenarioStarted(number=1, scenario="trip", title=title, text=text, kind="trip"))

    def spoken(self, take: str = "t1", after: float = 0.0) -> None:
        """The subject said something."""
        at = Stamp("s", 0, 0)
        self.tell(
            e.TalkPressed(at=at, take=take),
            e.RecordingStarted(at=at, take=take, channels=(Channel("s", "head", 16_000),), pre_roll=0),
            e.RecordingStopped(at=at, take=take, sealed=(Sealed("s", 1, ""),)),
            after=after,
        )

    def begin_turn(self, text: str = "") -> None:
        """A scenario in which something was said, and transcribed when there is a `text`."""
        self.scenario()
        self.spoken()
        if text:
            self.transcribed(text)

    def proposed(self, *hypotheses: Hypothesis, take: str = "t1", final: bool = True) -> None:
        """A recogniser's words, which a person is to correct."""
        if Stage.RECOGNITION not in self.console.state.stages:
            self.tell(e.StageAssigned(stage=Stage.RECOGNITION, operator=Operator.CORRECTED, engine="sphinx"))
        at = Stamp("r", 0, 0)
        self.tell(e.HypothesisReceived(at=at, take=take, final=final, hypotheses=hypotheses, engine="sphinx"))

    def confirmed(self, take: str = "t1") -> None:
        """Receive the confirmation that the take's audio is complete."""
        self.tell(e.TakeConfirmed(take=take, sealed=(Sealed("s", 1, ""),)))

    def transcribed(self, text: str, take: str = "t1") -> None:
        """Receive a transcription and that it was shown."""
        at = Stamp("w", 0, 0)
        self.tell(e.Transcribed(at=at, take=take, text=text), e.TranscriptionShown(at=at, take=take))

    def attempted(
        self,
        attempt: str = "a1",
        take: str = "t1",
        text: str = "rows 2",
        language: Language = Language.SQL,
        origin: str = "wizard",
        choice: int = 0,
    ) -> None:
        """Receive a query that was submitted."""
        at = Stamp("w", 0, 0)
        self.tell(
            e.QuerySubmitted(
                at=at, attempt=attempt, take=take, language=language, text=text, origin=origin, choice=choice
            )
        )

    def returned(
        self,
        table: Table | int = 2,
        attempt: str = "a1",
        paraphrase: str = "",
        question: str = "",
        proposer: str = "",
    ) -> None:
        """Receive the rows of an attempt; a number stands for so many made-up rows."""
        if isinstance(table, int):
            table = rows_of(["number", "city"], [[number, f"city {number}"] for number in range(table)])
        self.tell(
            e.QueryReturned(
                attempt=attempt, sql="SELECT number, city FROM toy", table=table, took=1, database_version="1",
                paraphrase=paraphrase, question=question, proposer=proposer,
            )
        )  # fmt: skip

    def failed(self, message: str = "no such column", attempt: str = "a1", question: str = "") -> None:
        """Receive the failure of an attempt."""
        self.tell(e.QueryFailed(attempt=attempt, kind=FailureKind.SYNTAX, message=message, question=question))

    def answered(self, take: str = "t1", text: str = "Boston", reply: str = "r1") -> None:
        """Receive an answer that was sent."""
        self.tell(e.AnswerSent(reply=reply, take=take, text=text, response=ResponseClass.ANSWER))


async def write(pilot: Pilot[None], text: str) -> None:
    """Type a text."""
    await pilot.press(*("space" if character == " " else character for character in text))
    await pilot.pause()


def focus(desk: HandPlayed) -> str:
    """The name of what has the cursor."""
    focused = desk.app.focused
    return str(focused.id) if focused is not None else ""
