"""`curtain train`: a drill at the real console, with feedback after every turn and a certificate at the end."""

import asyncio
import dataclasses
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from datetime import date
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.formats.errors import FormatFault
from desk.cell_wrap import wrapped
from desk.dialogs import ReadLines
from domain.database.build import DatabaseError
from domain.english.engine import Engine
from domain.sandbox.sandbox import Sandbox
from rehearsal.script import play_of
from rehearsal.session_run import speech
from rehearsal.training.drill import PLAY, Drill, drill_of_play
from rehearsal.training.drill_run import DrillRecord, DrillRun
from rehearsal.training.feedback import compared_wizards, curve, drill_lines
from rehearsal.training.recorded_drills import drill_of_corpus, drill_of_session
from server.study_hub import study_database
from session.audio.devices import DeviceError
from session.collection.drills import VERSIONS, PlayedDrill, drills_of
from session.rules.stage_holding import leads
from session.store.event_store import UNREADABLE, SecondWriter, Store
from session.study.folder import Study, load
from session.study.rehearsed_condition import profile_under
from session.study.toml_reader import StudyError, nearest
from session.values.clock import SystemClock
from session.values.sanitize import inert, one_line
from wizard.desk import WizardDesk
from wizard.launch import LOG, CannotStart, ConnectionTarget, ConsoleRun

NOTICE = "A drill: Alt+S starts a scenario, and the participant speaks. After every turn you read how it went."
WIDE, FRAME = 116, 9
"""Cells of the window after a turn, where the terminal has so many, and how many of them are its frame."""
FAULTS = (StudyError, DatabaseError, FormatFault, SecondWriter, DeviceError, ValueError, OSError, *UNREADABLE)


class DrillWindow(ReadLines):
    """Window on a turn that is over, or on the whole drill: the curve over all drills takes a hundred cells."""

    DEFAULT_CSS = f"DrillWindow > Vertical {{ width: {WIDE}; }}"


class TrainOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of `curtain train`: `drill` is the play (and `:DOMAIN`), a session of the study, or a corpus (and `:SESSION` of
    it), held under the `condition` of that name; at most `turns` of its turns are played (0: all); with `curve` nothing is played
    at all."""

    wizard: str = ""
    drill: str = PLAY
    condition: str = ""
    turns: int = 0
    curve: bool = False
    loudspeaker: str | None = None
    theme: str = "dark"


def train_command(folder: str, options: TrainOptions, out: TextIO, err: TextIO) -> int:
    """Hold a drill, or with `curve` print those that were held: 0 after one that passed or has no mark to pass, 1 after one
    that did not pass or was broken off, 2 for a fault."""
    wizard = one_line(options.wizard)
    try:
        study = load(Path(folder))
        earlier = _earlier(study)
        if options.curve:
            return _tell_curves(earlier, wizard, out, err)
        if not wizard:
            raise ValueError("name the wizard: --wizard NAME, as at the console")
        condition, profile = profile_under(study, options.condition)
        if leads(profile):
            raise ValueError(f"profile {profile.name}: machines operate this study, so no wizard can be trained")
        drill = chosen_drill(study, options.drill).first(options.turns)
        study, drill = dataclasses.replace(study, profile=profile), drill.under(condition)
        ended = asyncio.run(_Seat(study.in_domain(drill.domain), drill, earlier, options, err).hold())
    except (CannotStart, *FAULTS) as error:
        err.write(f"{error}\n")
        return 2
    lines = drill_lines(ended, study.settings.training, [one for one in earlier if one.wizard == wizard])
    out.write("".join(f"{line}\n" for line in lines))
    return 0 if ended.whole and ended.passed is not False else 1


def _earlier(study: Study) -> list[PlayedDrill]:
    with closing(Store(study.store_url, VERSIONS)) as store:
        return drills_of(store)


def _tell_curves(earlier: list[PlayedDrill], wizard: str, out: TextIO, err: TextIO) -> int:
    wanted = [one for one in earlier if one.wizard == wizard or not wizard]
    if not wanted:
        err.write("no drill was held yet\n")
    for name in sorted({one.wizard for one in wanted}):
        out.write(f"{inert(name)}\n{curve(one for one in wanted if one.wizard == name)}\n")
    out.write(compared_wizards(wanted))
    return 0


def chosen_drill(study: Study, name: str) -> Drill:
    """Return the drill of that name; raises StudyError and what reading a corpus or the database raises."""
    first, _, second = name.partition(":")
    if first == PLAY:
        if second not in {"", *study.domains}:
            raise StudyError(f"{study.folder} has no domain {second!r}; {nearest(second, study.domains)}")
        there = study.in_domain(second)
        domain, play = there.domain_folder, play_of(there.domain_folder)
        url = study_database(there).url
        with closing(Sandbox(url)) as sandbox:
            statement = _statements(there, url)
            drill = drill_of_play(there, play, sandbox, lambda line: speech(line, domain, play.said(line)), statement)
        return msgspec.structs.replace(drill, source=name, domain=there.settings.domain)
    if Path(first).is_dir():
        return drill_of_corpus(study, Path(first), second)
    return drill_of_session(study, name)


def _statements(study: Study, url: str) -> Callable[[str], str]:
    """Return what gives the SQL of a request in English, as the domain reads it first; empty if it does not, or cannot."""
    if not study.english:
        return lambda request: ""
    engine = Engine(study.domain_folder, url, date.fromisoformat(study.settings.today))

    def statement(request: str) -> str:
        readings = engine.ask(request).readings
        return readings[0].sql if readings else ""

    return statement


class _Seat:
    """A trainee at the console, for one drill."""

    def __init__(
        self, study: Study, drill: Drill, earlier: list[PlayedDrill], options: TrainOptions, err: TextIO
    ) -> None:
        self._study, self._drill = study, drill
        wizard = one_line(options.wizard)
        self._earlier = [one for one in earlier if one.wizard == wizard]
        self._console = ConsoleRun(wizard, options.loudspeaker, options.theme, err)
        self._record = DrillRecord(study, drill, wizard, self._console.clock)
        self._ended: PlayedDrill | None = None
        self._failure: BaseException | None = None

    async def hold(self) -> PlayedDrill:
        """Hold the drill until it is over or the console was left; raises CannotStart, and what ended the play."""
        await self._console.console(self._opening, self._study.folder / LOG, english=self._study.english)
        ended = self._ended or self._record.end(whole=False)
        if self._failure is not None:
            raise CannotStart(f"the drill ended before its time: {self._failure}") from self._failure
        return ended

    @asynccontextmanager
    async def _opening(self, desk: WizardDesk) -> AsyncIterator[ConnectionTarget]:
        clocks = self._console.clock, SystemClock("subject")
        try:
            run = DrillRun(self._study, self._drill, self._record, clocks, self._feedback)
            async with run.held() as (address, play):
                watch = asyncio.create_task(self._to_the_end(play))
                try:
                    yield ConnectionTarget(address, notice=NOTICE)
                finally:
                    watch.cancel()
                    await asyncio.gather(watch, return_exceptions=True)
        except FAULTS as error:
            raise CannotStart(str(error)) from error

    async def _to_the_end(self, play: "asyncio.Task[None]") -> None:
        await asyncio.wait([play])
        if play.cancelled():
            self._failure = StudyError("the participant's desk has lost its hub")
        elif (failure := play.exception()) is not None:
            self._failure = failure
        else:
            # Whoever ends a scenario before its time would choose which turns she is judged by.
            self._ended = self._record.end(whole=len(self._record.turns) >= self._drill.turns)
            await self._read(
                "The drill is over", drill_lines(self._ended, self._study.settings.training, self._earlier)
            )
        if self._console.app is not None:
            self._console.app.exit()

    async def _feedback(self, number: int, lines: list[str]) -> None:
        room = (min(WIDE, self._console.app.size.width) if self._console.app is not None else WIDE) - FRAME
        shown = [row for line in lines for row in wrapped(line, room)]
        await self._read(f"Turn {number} of {self._drill.turns}", shown)

    async def _read(self, title: str, lines: list[str]) -> None:
        """Show the lines until they are closed."""
        closed, app = asyncio.Event(), self._console.app
        if app is not None:
            # By the app's own task: a window needs to know which app it is of.
            app.call_later(lambda: app.push_screen(DrillWindow(title, lines), lambda _: closed.set()))
            await closed.wait()
