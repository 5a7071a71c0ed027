"""A hub that serves the page, a wizard who works by program behind it, and Debian's browser before it with a waveform for its
microphone.

Everything but the people is real: HTTP, socket, gateway, database, the browser's own capture and disk.
"""

import asyncio
import contextlib
import dataclasses
import importlib.util
import os
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import soundfile

from server.study_hub import MachinesFactory, StudyHub, running_study_hub
from session.audio.fake import FileLoudspeaker
from session.hub.reply_voice import SpokenSound
from session.hub.session_actor import SessionActor
from session.protocol.messages import SPEECH_RATE
from session.state.fold import SessionState, Take
from session.study.create import new
from session.study.folder import Study
from session.study.settings import Profile
from session.transport.listen_address import ListenAddress
from session.values.clock import SystemClock
from session.values.vocabulary import Language, Role
from tests.subject.browser.traffic import TappedPages
from wizard.core.console import Console
from wizard.desk import WizardDesk

BROWSER = shutil.which("chromium") or ""
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-fake-ui-for-media-stream",
    "--use-fake-device-for-media-stream",
)
WAIT_S = 40.0


def why_not() -> str:
    """Why no browser can be driven here; empty where one can."""
    if not BROWSER:
        return "no chromium is installed"
    needed = {"playwright": "playwright", "axe_playwright_python": "axe-playwright-python"}
    lacking = [name for module, name in needed.items() if importlib.util.find_spec(module) is None]
    return f"{' and '.join(lacking)} not installed" if lacking else ""


def axe() -> str:
    """The source of axe-core, which looks for what shuts somebody out of a page."""
    found = importlib.util.find_spec("axe_playwright_python")
    assert found is not None
    assert found.submodule_search_locations
    return (Path(found.submodule_search_locations[0]) / "axe.min.js").read_text(encoding="utf-8")


def waveform(path: Path, seconds: float = 20.0, rate: int = 48_000) -> np.ndarray:
    """A file for the browser to hear: a rising tone under noise, every moment of it different. Returns its samples."""
    time = np.arange(round(seconds * rate)) / rate
    sound = 0.25 * np.sin(2 * np.pi * (200 + 60 * time) * time) + 0.15 * np.random.default_rng(3).standard_normal(
        len(time)
    )
    smooth = np.convolve(sound, np.ones(12) / 12, mode="same").astype(np.float32)
    soundfile.write(path, smooth, rate, subtype="PCM_16")
    return smooth


def study(folder: Path, language: str = "en", **profile: Any) -> Study:
    """A new study in `folder`; `profile` changes its profile."""
    made = new(folder, language=language)
    return dataclasses.replace(made, profile=msgspec.structs.replace(made.profile, **profile))


class Served:
    """A study's hub with a page, one session of it, and the wizard's console of that session."""

    def __init__(self, hub: StudyHub, session: str, desk: WizardDesk, moved: asyncio.Event, pages: TappedPages) -> None:
        self.hub, self.session, self.desk, self.pages = hub, session, desk, pages
        self.port = hub.hosted.port
        self._moved = moved

    @property
    def console(self) -> Console:
        return self.desk.console

    @property
    def state(self) -> SessionState:
        return self.hub.hosted.hub.sessions[self.session].state

    @property
    def page(self) -> str:
        return self.hub.address(self.session, Role.SUBJECT).page

    @property
    def origin(self) -> str:
        """What a browser calls this server."""
        return self.page.partition("/visit/")[0]

    @property
    def takes(self) -> list[Take]:
        return list(self.state.takes.values())

    async def until(self, what: str, true: Callable[[], bool]) -> None:
        """Wait for the session to come so far."""
        try:
            async with asyncio.timeout(WAIT_S):
                while not true():
                    self._moved.clear()
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(0.25):
                            await self._moved.wait()
        except TimeoutError:
            raise AssertionError(f"waited in vain for {what}; {self.console.message} {self.state.step}") from None

    async def scenario(self, place: int = 0) -> None:
        """Put one of the bank's scenarios before the subject, practice first."""
        opened = self.console.state.opened
        assert opened is not None
        bank = sorted(
            opened.protocol.scenarios.values(),
            key=lambda scenario: (scenario.kind != "practice", scenario.difficulty, scenario.id),
        )
        runs = len(self.state.runs)
        chosen = bank[place]
        self.console.start_scenario(chosen.id, dict.fromkeys(chosen.unbound({}), "BOSTON"))
        await self.until(f"the scenario {chosen.id} ({self.console.message})", lambda: len(self.state.runs) > runs)

    async def answer(
        self, take: str, said: str, sql: str = "SELECT city_name, state_code FROM city ORDER BY city_name"
    ) -> None:
        """Transcribe a take and answer it with rows."""
        console = self.console
        await self.until(
            "the take at the console", lambda: take in console.state.takes and console.state.takes[take].complete
        )
        console.pick(take)
        if console.state.takes[take].typed is None:
            console.transcribe(said)
            await self.until("the transcription to be shown", lambda: self.state.takes[take].transcription_shown)
        console.ask(sql, Language.SQL)

        def rows() -> bool:
            tried = console.state.takes[take].attempts
            return bool(tried) and not console.state.attempts[tried[-1]].running

        await self.until("the rows", rows)
        console.previewed()
        console.send()
        await self.until("the answer on the page", lambda: self.shown(take))

    def shown(self, take: str) -> bool:
        """Whether a reply to a take was painted."""
        return any(reply.shown is not None for reply in self.state.replies.values() if reply.take == take)


class Tone:
    """A voice that says everything by one tone of so many seconds (`session.hub.reply_voice.VoicePort`)."""

    name, missing = "tone", ()

    def __init__(self, seconds: float) -> None:
        time = np.arange(round(seconds * SPEECH_RATE)) / SPEECH_RATE
        self.pcm = (8_000 * np.sin(2 * np.pi * 440 * time)).astype("<i2").tobytes()

    def sound(self, text: str, message: str = "") -> SpokenSound:
        """The tone, whatever the text."""
        return SpokenSound(self.pcm, "tone", "1")


class Tones:
    """A tone for a voice, and no machine (`server.study_hub.SessionMachines`)."""

    def __init__(self, seconds: float) -> None:
        self._tone = Tone(seconds)

    def voice(self, profile: Profile) -> Tone:
        return self._tone

    async def attend(self, hub: StudyHub, session: SessionActor) -> None:
        """Operate nothing."""


@asynccontextmanager
async def served(made: Study, voice_s: float = 0.0, machines: MachinesFactory | None = None) -> AsyncIterator[Served]:
    """The study's hub with its page and a session, until the block ends; its voice is a tone of `voice_s` seconds, and
    `machines` operate its stages."""
    clock, moved = SystemClock("hub"), asyncio.Event()
    pages = TappedPages(made.profile, ("127.0.0.1", "localhost"), made.words)
    if voice_s:
        tones = Tones(voice_s)
        machines = lambda *_: tones  # noqa: E731
    async with running_study_hub(made, clock, ListenAddress(), pages=pages, machines=machines) as hub:
        session = await hub.open_session(operator="somebody")
        desk = WizardDesk(
            hub.address(session.name, Role.WIZARD), SystemClock("console"), moved.set, loudspeaker=FileLoudspeaker
        )
        running = asyncio.create_task(desk.run())
        try:
            there = Served(hub, session.name, desk, moved, pages)
            await there.until("the console", lambda: desk.console.state.opened is not None)
            yield there
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            desk.close()


@asynccontextmanager
async def browser(profile: Path, sound: Path | None = None, **options: Any) -> AsyncIterator[Any]:
    """Debian's browser with a profile of its own in `profile`; `sound` plays once for its microphone."""
    from playwright.async_api import async_playwright

    flags = [*FLAGS, *([f"--use-file-for-fake-audio-capture={sound}%noloop"] if sound else [])]
    async with async_playwright() as play:
        context = await play.chromium.launch_persistent_context(
            str(profile), executable_path=BROWSER, headless=True, args=flags, env={**os.environ, "HOME": str(profile)},
            **{"viewport": {"width": 1100, "height": 800}, **options},
        )  # fmt: skip
        context.set_default_timeout(WAIT_S * 1000)
        try:
            yield context
        finally:
            await context.close()
