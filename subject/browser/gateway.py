"""The hub's end of a page: holds the subject's core, folds the facts, sends the view, and takes in the page's reports.

To the hub this is a subject's desk like any other, over a carrier in memory. What is kept until it is acknowledged is on the
page's own disk, so a gateway lives as long as one connection and is made again with the next.
"""

import asyncio
import contextlib
from collections.abc import Callable
from typing import assert_never

from session import commands as c
from session import events as e
from session.protocol.links import CommandAnswered, DeskLink, FactReceived, LinkEvent
from session.protocol.messages import (
    AudioChunk,
    HubMessage,
    Ping,
    Pong,
    Rejected,
    ResendRequest,
    Sound,
    Unusable,
    Welcome,
    WireError,
    decode_audio,
    encode,
)
from session.study.screen_words import ENGLISH, Words
from session.transport.page import ConnectionFactory
from session.values.clock import Clock, stamp
from session.values.names import ulid
from session.values.vocabulary import AudioTrouble, DeskRefusal, Role, Step
from subject.browser.deeds import Deeds
from subject.browser.heard_levels import HeardLevels
from subject.browser.page_clock import PageClock
from subject.browser.page_devices import PageKeeping, PagePlayer, PageRecorder
from subject.browser.page_messages import (
    CaptureFact,
    CaptureReport,
    DeedReport,
    LevelReport,
    MicrophoneState,
    PageHello,
    Quiet,
    Told,
    decode_page_message,
    encode_order,
)
from subject.browser.page_texts import no_microphone
from subject.browser.speech_end import SpeechEnd
from subject.browser.view import SCREEN, View
from subject.capture.endpointer import SpeechDetector
from subject.capture.level import Level
from subject.capture.speech_detectors import detector as installed_detector
from subject.core.terminal import Terminal
from subject.core.texts import words_for

FORBIDDEN = "not allowed"
"""What a page says of a microphone that its browser was told not to give."""
MOST_WAITING = 10_000
"""Frames that a page may send before it has been told where the session stands, and that may wait for the hub: all that an
interrupted evening leaves."""


NOT_ADMITTED = {DeskRefusal.TAKEN: "page.open_elsewhere", DeskRefusal.OVER: "page.over"}
"""Keys of what a page that is not let in says to its subject; of everything else that its address is not valid."""


class PageConnection:
    """One page for as long as its connection lasts; a `HubConnection` over the hub's own."""

    def __init__(
        self, session: str, outlet: Callable[[HubMessage | Sound | str], None], leave: Callable[[str], None],
        carry: ConnectionFactory, clock: Clock, words: Words = ENGLISH,
        detector: Callable[[int], SpeechDetector] = installed_detector,
    ) -> None:  # fmt: skip
        self._detector = detector
        self._outlet, self._here, self._words = outlet, clock, words
        self._inner = carry(session, self._from_hub, lambda why: leave(words["page.open_elsewhere"]))
        self._frames: asyncio.Queue[str | bytes] = asyncio.Queue()
        self._pump: asyncio.Task[None] | None = None
        self._leave = leave
        self._core: tuple[Terminal, DeskLink, PageClock, Deeds, View] | None = None
        self._keeping: PageKeeping | None = None
        self._waiting: list[Told] | None = []
        self._sent: dict[str, str] = {}
        self._levels = HeardLevels()
        self._known = -1
        self._due = False
        self._making: list[str] = []
        self._numbered = ""
        self._deed_of: dict[str, str] = {}
        self._open: dict[str, int] = {}

    @property
    def place(self) -> str:
        """The session, and that it is its subject's; empty before the page is let in."""
        return self._inner.place

    # --- what the page says -------------------------------------------------------------------------------------------

    async def receive(self, frame: str | bytes) -> None:
        """Act on a page's frame; raises WireError or Rejected, whose words are for the subject."""
        if isinstance(frame, bytes):
            await self._inner.receive(frame)
            self._speech_end.frame(decode_audio(frame))
            return
        message = decode_page_message(frame)
        if isinstance(message, PageHello):
            await self._enter(message)
        elif isinstance(message, Unusable):
            await self._inner.receive(frame)
        elif self._core is None:
            raise WireError("the first frame is not a hello")
        elif isinstance(message, Ping):
            if message.last is not None:
                self._core[2].measured(*message.last[1:])
            await self._inner.receive(frame)
        elif max(len(self._waiting or ()), self._frames.qsize()) >= MOST_WAITING:
            raise WireError("too much at once")
        elif self._waiting is None:
            self._act(message)
        else:
            self._waiting.append(message)

    def pass_sound(self, frame: bytes) -> AudioChunk | None:
        """Take a frame of sound in passing."""
        if (sound := self._inner.pass_sound(frame)) is not None:
            self._speech_end.frame(sound)
        return sound

    async def _enter(self, hello: PageHello) -> None:
        if self._core is not None:
            raise WireError("a second hello")
        clock = PageClock(self._here, hello.at)
        link = DeskLink(hello.desk, clock, hello.version, hello.token)
        self._keeping = PageKeeping(hello.takes, self._outlet, self._answered)
        terminal = Terminal(clock, self, self._keeping, self._changed, self._new_id)
        terminal.held, terminal.lamp = hello.held, hello.lamp
        terminal.speech.use(PagePlayer(self._outlet))
        terminal.speech.go_on(hello.replies, loud=hello.loud)
        self._speech_end = SpeechEnd(terminal, clock, self._detector)
        deeds = Deeds(terminal)
        self._core = terminal, link, clock, deeds, View(terminal, deeds.trial, finger=hello.finger)
        try:
            for frame in link.opening():
                await self._inner.receive(frame)
        except Rejected as rejected:
            key = NOT_ADMITTED.get(rejected.why, "page.not_admitted")
            raise Rejected(self._words[key], rejected.why) from rejected
        except WireError as error:
            raise WireError("not now; try again") from error
        self._pump = asyncio.get_running_loop().create_task(self._send_up())

    def _act(self, message: Told) -> None:
        assert self._core is not None
        terminal, _, clock, deeds, _ = self._core
        match message:
            case CaptureReport(id=name, event=event):
                with clock.at(event.at), self._acknowledging(name):
                    self._captured(terminal, name, event)
            case DeedReport(id=name, at=at):
                with clock.at(at), self._acknowledging(name):
                    deeds.do(message.deed)
            case LevelReport():
                self._heard(terminal, deeds, message)
            case MicrophoneState():
                self._microphone(terminal, message)
            case Quiet():
                terminal.playback_changed(lambda speech: speech.quiet())
            case _:
                assert_never(message)

    def _captured(self, terminal: Terminal, name: str, event: CaptureFact) -> None:
        match event:
            case e.PlaybackStarted(reply=reply, at=at):
                terminal.playback_changed(lambda speech: speech.began(reply, at))
            case e.PlaybackStopped(reply=reply, samples=samples, why=why, detail=detail, at=at):
                terminal.playback_changed(lambda speech: speech.ended(reply, samples, why, detail, at))
            case _:
                assert self._keeping is not None
                if not isinstance(event, e.MicrophoneOpened):
                    self._keeping.takes.add(event.take)
                terminal.recorder_reported(c.Report(id=name, event=event))
                if isinstance(event, e.TalkPressed):
                    self._speech_end.follow(event.take)

    def _heard(self, terminal: Terminal, deeds: Deeds, level: LevelReport) -> None:
        if terminal.visit.step is Step.MICROPHONE_CHECK:
            if deeds.trial.hear(Level("s", level.end, level.peak, level.rms)):
                self._changed()
            return
        if self._levels.hear(terminal, level, words_for(terminal), self._here.monotonic_ns()):
            self._changed()

    def _microphone(self, terminal: Terminal, state: MicrophoneState) -> None:
        """The microphone was opened or lost; a loss is told once, with a call for the experimenter."""
        if state.open:
            terminal.use(self._speech_end.over(PageRecorder(self._outlet), state.rate))
            for letter in terminal.state.lost_microphones:
                self._trouble(terminal, AudioTrouble.DEVICE_CHANGED, letter, "opened again")
            if terminal.message in no_microphone(words_for(terminal)):
                terminal.message = ""
        else:
            terminal.use(None)
            if state.why:
                terminal.message = no_microphone(words_for(terminal))[state.why == FORBIDDEN]
                if "s" not in terminal.state.lost_microphones:
                    self._trouble(terminal, AudioTrouble.DEVICE_LOST, "s", state.why)
                    terminal.call()
        self._changed()

    def _trouble(self, terminal: Terminal, trouble: AudioTrouble, letter: str, detail: str) -> None:
        assert self._core is not None
        fact = e.AudioTroubled(at=stamp(self._core[2]), take="", trouble=trouble, letter=letter, detail=detail)
        terminal.recorder_reported(c.Report(id=self._new_id(), event=fact))

    # --- what goes up: the core's way to the hub ----------------------------------------------------------------------

    def give(self, command: c.AnyCommand) -> None:
        """Send a command to the hub."""
        assert self._core is not None
        if self._numbered:
            self._deed_of[command.id] = self._numbered
            self._open[self._numbered] = self._open.get(self._numbered, 0) + 1
        self._frames.put_nowait(self._core[1].give(command))

    def sound(self, sound: AudioChunk) -> None:
        """Send sound to the hub."""
        self._frames.put_nowait(encode(sound))

    async def room(self) -> None:
        """Return at once: there is no wire between."""

    async def _send_up(self) -> None:
        try:
            while True:
                await self._inner.receive(await self._frames.get())
        except (WireError, Rejected):
            self._leave(self._words["page.not_admitted"])

    def _new_id(self) -> str:
        """Identifiers that follow from that of the deed, so that a deed which is told twice counts once."""
        if not self._numbered:
            return ulid(self._here.wall_ns())
        self._making.append("")
        return self._numbered if len(self._making) == 1 else f"{self._numbered}-{len(self._making)}"

    @contextlib.contextmanager
    def _acknowledging(self, name: str):  # type: ignore[no-untyped-def]
        """Have the page forget `name` when the hub has everything that comes of it."""
        self._numbered, self._making = name, []
        try:
            yield
        finally:
            self._numbered = ""
            if name not in self._open:
                self._outlet(encode_order("ack", id=name))

    def _answered(self, command: str) -> None:
        deed = self._deed_of.pop(command, "")
        if deed:
            self._open[deed] -= 1
            if not self._open[deed]:
                del self._open[deed]
                self._outlet(encode_order("ack", id=deed))

    # --- what comes down ----------------------------------------------------------------------------------------------

    def _from_hub(self, message: HubMessage | Sound) -> None:
        if isinstance(message, Pong):
            self._outlet(message)
            return
        assert self._core is not None
        for happening in self._core[1].receive(encode(message)):
            self._happened(happening)

    def _happened(self, happening: LinkEvent) -> None:
        assert self._core is not None
        match happening:
            case ResendRequest():
                self._outlet(encode_order("resend", take=happening.take, ranges=happening.ranges))
                return
            case Welcome():
                if happening.role != Role.SUBJECT:
                    raise Rejected(self._words["page.not_admitted"])
                self._known = happening.facts
            case _:
                pass
        self._core[0].receive(happening)
        if self._waiting is not None and isinstance(happening, Welcome | FactReceived | CommandAnswered):
            self._begin_acting(self._core[1].have)

    def _begin_acting(self, have: int) -> None:
        """Once the whole story is known, what the page has said meanwhile is acted on in order."""
        if self._waiting is not None and 0 <= self._known <= have:
            waiting, self._waiting = self._waiting, None
            self._outlet(encode_order("welcome"))
            for message in waiting:
                self._act(message)
            self._changed()

    def _changed(self) -> None:
        """Send what is another one, once for many changes at a time."""
        if not self._due:
            self._due = True
            asyncio.get_running_loop().call_soon(self._show)

    def _show(self) -> None:
        self._due = False
        if self._core is None or self._waiting is not None:
            return
        terminal, view = self._core[0], self._core[4]
        frames = view.frames(unheard=self._levels.unheard(terminal), warning=self._levels.warning(terminal))
        changed = [name for name, frame in frames.items() if self._sent.get(name) != frame]
        if changed and changed[-1] != SCREEN:
            changed.append(SCREEN)  # it has the page show all of them at once
        for name in changed:
            self._outlet(frames[name])
        self._sent = frames

    async def closed(self, why: str) -> None:
        """The page's socket is gone."""
        if self._pump is not None:
            self._pump.cancel()
            await asyncio.gather(self._pump, return_exceptions=True)
            await self._speech_end.close()
        await self._inner.closed(why)
