"""Both desks of a recorded session again, fed with its facts as the hub fed them, with nobody at their keys.

The subject's desk gets what the curtain lets through and nothing else. What a desk would report or ask goes nowhere.
"""

import asyncio
from collections.abc import Callable

from desk.app import DeskApp
from rehearsal.screens.session_timeline import SessionTimeline
from rehearsal.screens.two_desks import SUBJECT, WIZARD, SeenSubjectApp
from session import commands as c
from session import events as e
from session.protocol.links import FactReceived
from session.protocol.messages import AudioChunk, DeskPresence, Welcome
from session.protocol.side_messages import SideMessage
from session.state.scenario_runs import ProfileInForce
from session.transport.websocket import LinkState
from session.values.clock import Stamp
from session.values.vocabulary import Role
from session.visibility import project
from subject.capture.level import Level
from subject.core.terminal import Terminal
from wizard.app import WizardApp
from wizard.audio.playback_state import PlaybackState
from wizard.core.console import Console


class ReplayClock:
    """Shows the moment of the session that is being shown."""

    name = "replay"

    def __init__(self, now: Stamp) -> None:
        self.now = now

    def monotonic_ns(self) -> int:
        return self.now.mono

    def wall_ns(self) -> int:
        return self.now.wall

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class _Nowhere:
    """Uplink, spool and recorder of a desk that does nothing by itself."""

    troubles: list[str] = []  # noqa: RUF012 - nothing is ever put in

    def give(self, command: c.AnyCommand) -> None: ...

    def ask(self, question: SideMessage) -> None: ...

    def sound(self, sound: AudioChunk) -> None: ...

    async def room(self) -> None: ...

    def read(self, take: str, letter: str, first: int, samples: int) -> bytes:
        return b""

    def confirm(self, take: str, letter: str, samples: int, sha256: str) -> bool:
        return True

    def holds(self, take: str) -> bool:
        return True

    def add(self, *reports: c.Report) -> None: ...

    def acknowledge(self, report: str) -> None: ...

    def pending(self) -> list[c.Report]:
        return []

    def open(self) -> None: ...

    def press(self, take: str, at: Stamp) -> str:
        return take

    def release(self, take: str, at: Stamp, *, tail: bool = True) -> None: ...

    def discard(self, take: str) -> None: ...


class _SeenTerminal(Terminal):
    """A terminal that begins and ends nothing by itself: all that it did is among the facts."""

    def _switch_recording(self) -> None: ...

    def _end_interrupted(self) -> None: ...


class DeskReplicas:
    """Both desks of one session, at first as before its first fact; `show` moves them on, never back."""

    def __init__(self, timeline: SessionTimeline, theme: str, level: Callable[[], Level | None]) -> None:
        self._timeline = timeline
        self._fed = self._known = self._present = 0
        self._in_force = ProfileInForce()
        self.clock = ReplayClock(timeline.stamp(0))
        nowhere = _Nowhere()
        # The cores tell the apps of changes and the apps show the cores; the lambdas tie the knots.
        self.terminal = _SeenTerminal(self.clock, nowhere, nowhere, lambda: subject.changed())
        self.console = Console(self.clock, nowhere, lambda: wizard.changed())
        subject = SeenSubjectApp(
            self.terminal, self.clock, open_microphone=lambda: None, levels=lambda: _levels(level()), theme=theme
        )
        wizard = WizardApp(self.console, self.clock, _RehearsedVoice(level), theme=theme)
        self.apps: dict[str, DeskApp[None]] = {SUBJECT: subject, WIZARD: wizard}
        self.terminal.use(nowhere)

    def show(self, moment: int) -> None:
        """Give both desks the facts up to a moment that is not an earlier than the one before."""
        until = self._timeline.until(moment)
        if until > self._fed:
            coming = self._timeline.recorded[self._fed : until]
            times = self._timeline.times[self._fed : until]
            session = coming[0].session
            self.console.receive(Welcome(session, Role.WIZARD, "", coming[-1].seq))
            for record, time in zip(coming, times, strict=True):
                self._tell_presences(time)
                self.clock.now = self._timeline.stamp(time)
                self._feed(record)
            self._fed = until
            self.terminal.receive(Welcome(session, Role.SUBJECT, "", self._known))
        self._tell_presences(moment)
        self.clock.now = self._timeline.stamp(moment)

    def _tell_presences(self, moment: int) -> None:
        """Tell the console which desks came and went by then."""
        for one in self._timeline.presences[self._present :]:
            if one.time > moment:
                return
            self._present += 1
            self.clock.now = self._timeline.stamp(one.time)
            self.console.receive(DeskPresence(one.role, one.up, one.why))

    def _feed(self, record: e.Recorded) -> None:
        event = record.event
        profile = self._in_force.after(event)
        self.console.receive(FactReceived(record))
        if profile is None:
            return
        shown = project(record, Role.SUBJECT, profile, self._known + 1)
        if shown is None:
            return
        self._known += 1
        self.terminal.receive(FactReceived(shown))
        if isinstance(shown.event, e.TalkPressed | e.RecordingStarted | e.TalkReleased | e.RecordingStopped):
            self.terminal.recorder_reported(c.Report(id="replay", event=shown.event))


def _levels(level: Level | None) -> dict[str, Level]:
    return {} if level is None else {level.letter: level}


class _RehearsedVoice(PlaybackState):
    """The subject's voice at the console, as loud as it is at the moment that is shown."""

    def __init__(self, level: Callable[[], Level | None]) -> None:
        super().__init__(None, lambda: LinkState(True))
        self._level = level

    @property
    def peak(self) -> float | None:
        level = self._level()
        return level.peak if level is not None else None

    @property
    def status(self) -> str:
        return "replay"
