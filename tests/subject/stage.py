"""The subject's terminal over fakes and a hub that is played by hand, without a screen and with one."""

from collections.abc import Callable
from typing import Any

from textual.pilot import Pilot

from desk.safe_text import ForeignText
from desk.talk.button import TalkButton, TalkState
from session import commands as c
from session import events as e
from session.events import Recorded
from session.protocol.links import FactReceived
from session.protocol.messages import AudioChunk, Welcome
from session.values.clock import ManualClock, Stamp
from session.values.vocabulary import Sealed, Step
from subject.app import SubjectApp
from subject.capture.level import Level
from subject.core.terminal import Terminal
from tests.together.pipe import opened


class FakeUp:
    """The link to the hub: keeps commands and audio."""

    def __init__(self) -> None:
        self.given: list[c.AnyCommand] = []
        self.sounds: list[AudioChunk] = []

    def give(self, command: c.AnyCommand) -> None:
        self.given.append(command)

    def sound(self, sound: AudioChunk) -> None:
        self.sounds.append(sound)

    async def room(self) -> None:
        """Always."""

    def facts(self) -> list[e.Fact]:
        """Return the facts that were reported."""
        return [command.event for command in self.given if isinstance(command, c.Report)]


class FakeKeeping:
    """The spool: holds reports in memory, and audio that is the same for every take."""

    def __init__(self) -> None:
        self.reports: dict[str, c.Report] = {}
        self.confirmed: list[tuple[str, str, int, str]] = []
        self.pcm = bytes(range(250)) * 40
        self.held: set[str] = set()
        self.troubles: list[str] = []

    def read(self, take: str, letter: str, first: int, samples: int) -> bytes:
        return self.pcm[2 * first : 2 * (first + samples)]

    def confirm(self, take: str, letter: str, samples: int, sha256: str) -> bool:
        self.confirmed.append((take, letter, samples, sha256))
        return True

    def holds(self, take: str) -> bool:
        return take in self.held or f"{take}-stopped" in self.reports

    def add(self, *reports: c.Report) -> None:
        self.reports.update((report.id, report) for report in reports)

    def acknowledge(self, report: str) -> None:
        self.reports.pop(report, None)

    def pending(self) -> list[c.Report]:
        return list(self.reports.values())


class FakeRecorder:
    """The recorder: keeps the calls."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str]] = []

    def open(self) -> None:
        self.calls.append(("open", ""))

    def press(self, take: str, at: Stamp) -> str:
        self.calls.append(("press", take))
        return take

    def release(self, take: str, at: Stamp, *, tail: bool = True) -> None:
        self.calls.append(("release", take))

    def discard(self, take: str) -> None:
        self.calls.append(("discard", take))


class Desk:
    """A terminal with fakes around it, and a hub that is played by hand."""

    def __init__(self, clock: ManualClock | None = None, **profile: Any) -> None:
        self.clock = clock or ManualClock("subject")
        self.up, self.keeping, self.recorder = FakeUp(), FakeKeeping(), FakeRecorder()
        self.changes = 0
        numbers = iter(range(1, 1000))
        self.terminal = Terminal(self.clock, self.up, self.keeping, self._changed, lambda: f"id{next(numbers)}")
        self.terminal.use(self.recorder)
        self.terminal.receive(Welcome("bbn-20261121-1", "subject", "hub"))
        self.seq = 0
        self.tell(opened(**profile))

    def _changed(self) -> None:
        self.changes += 1

    def tell(self, *facts: e.Fact) -> None:
        """Receive facts from the hub."""
        for fact in facts:
            self.seq += 1
            self.terminal.receive(
                FactReceived(Recorded("bbn-20261121-1", self.seq, Stamp("hub", 0, 0), "hub", "", fact))
            )

    def scenario(self) -> None:
        """Receive the start of a scenario."""
        self.tell(e.ScenarioStarted(number=1, scenario="", title="Trip", text="Go.", kind=""))

    def utterance(self, take: str) -> None:
        """Receive an utterance from its press to its seal."""
        self.tell(
            e.TalkPressed(at=Stamp("s", 0, 0), take=take),
            e.RecordingStopped(at=Stamp("s", 0, 0), take=take, sealed=(Sealed("s", 5000, "ab"),)),
        )


class Stage:
    """An app over a desk with fakes, told of every change as the real one is."""

    def __init__(self, microphone: Callable[[], None] = lambda: None, **profile: Any) -> None:
        self.desk = Desk(**profile)
        self.levels: dict[str, Level] = {}
        self.app = SubjectApp(
            self.desk.terminal, self.desk.clock, open_microphone=microphone, levels=lambda: self.levels, code="1989"
        )
        self.desk.terminal._changed = self.app.changed

    @property
    def facts(self) -> list[e.Fact]:
        """Return the facts that the subject's desk reported."""
        return self.desk.up.facts()

    def text(self, selector: str) -> str:
        """Return the text of the widget that a selector names."""
        return self.app.screen.query_one(selector, ForeignText).text

    @property
    def button(self) -> TalkState:
        """Return the state of the talk button."""
        return self.app.screen.query_one(TalkButton).state


def said(stage: Stage) -> str:
    """What the talk button says, the one place where the screen tells how things stand."""
    return str(stage.app.screen.query_one(TalkButton).render())


async def settle(pilot: Pilot[None]) -> None:
    """Let the app handle everything that is waiting."""
    for _ in range(4):
        await pilot.pause()


def begun(step: Step, **more: Any) -> e.StepBegun:
    """Return the fact that a step begins."""
    return e.StepBegun(step=step, **more)


def facts_sent(stage: Stage, kind: type[Any]) -> list[Any]:
    """Return the reported facts of one type."""
    return [fact for fact in stage.facts if isinstance(fact, kind)]
