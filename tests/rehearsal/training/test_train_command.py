"""The seat of a trainee: the real console, a window after every turn, the sums and the curve at the end."""

import asyncio
import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from textual.pilot import Pilot

import wizard.launch
from desk.dialogs import ReadLines
from desk.table import TextTable
from rehearsal.training import train_command as seat
from rehearsal.training.drill import Drill, DrillAct, DrillLine
from rehearsal.training.drill_run import DrillRun, drill_study
from session.audio.devices import DeviceError
from session.collection.drills import DrillTurnPlayed
from session.study.create import new
from session.transport.websocket import Address
from wizard.app import WizardApp

NOWHERE = Address("127.0.0.1", 9, "lab-20261121-1", "a-token-of-the-wizard", tls=False)
RUN = WizardApp.run_async
LEVELS = """
[design]
scenarios = ["downtown", "weekend"]
[factor.delay]
within = true
changes_at = "scenario"
levels = { slow = { reply_delay_s = 4.0 }, fast = { reply_delay_s = 0.0 } }
"""


def test_the_seat_is_the_real_console(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = new(tmp_path / "study")
    path = study.folder / "study.toml"
    path.write_text(path.read_text().replace("conditions = []\n", "") + LEVELS)
    lines = tuple(DrillLine(speech=str(n)) for n in range(3))
    drill = Drill("play", (DrillAct(study.scenarios["downtown"], lines),), lambda _: np.zeros(9, np.int16))
    windows: list[list[str]] = []
    widest: list[tuple[int, int]] = []
    seen: list[object] = []
    delays: list[tuple[str, float]] = []

    async def pilot(pilot: Pilot[object]) -> None:
        for _ in range(2):
            while not isinstance(screen := pilot.app.screen, ReadLines):
                await pilot.pause(0.01)
            windows.append([screen._title, *screen._lines])
            await pilot.pause()
            table = screen.query_one(TextTable)
            widest.append((max(map(len, screen._lines)), table.scrollable_content_region.width))
            await pilot.press("enter")

    async def run_async(app: WizardApp, **_: Any) -> None:
        seen.append(app.theme)
        await RUN(app, headless=True, size=(160, 45), auto_pilot=pilot)

    def deaf(device: object) -> None:
        seen.append(device)
        raise DeviceError("no loudspeaker in a test")

    @asynccontextmanager
    async def held(run: DrillRun) -> AsyncIterator[tuple[Address, "asyncio.Task[None]"]]:
        async def play() -> None:
            seen.append(run._drill.turns)
            delays.append((run._drill.source, drill_study(run._study, run._drill, tmp_path).profile.reply_delay_s))
            number = run._record.played(DrillTurnPlayed(words=4, errors=1, slips=("speaks as a person: I",)))
            await run._feedback(number, ["× Transcription: 1 of 4 words wrong", f"    said   {'word ' * 30}"])

        yield NOWHERE, asyncio.ensure_future(play())

    monkeypatch.setattr(WizardApp, "run_async", run_async)
    monkeypatch.setattr(wizard.launch, "SoundDeviceLoudspeaker", deaf)
    monkeypatch.setattr(wizard.launch, "settle", lambda: None)
    monkeypatch.setattr(DrillRun, "held", held)
    monkeypatch.setattr(seat, "chosen_drill", lambda study, name: drill)
    out, err = io.StringIO(), io.StringIO()
    options = seat.TrainOptions(wizard="Ada", turns=1, theme="plain", loudspeaker="Sennheiser")
    assert seat.train_command(str(study.folder), options, out, err) == 0, err.getvalue()
    assert windows[0][:2] == ["Turn 1 of 1", "× Transcription: 1 of 4 words wrong"]
    assert " ".join(windows[0][2:]).count("word") == 30
    assert all(needed <= shown for needed, shown in widest), widest
    assert windows[1][:3] == ["The drill is over", "1 turn of play, 1 slip", "  wrong words     25.0 %"]
    assert "1      2" in out.getvalue()
    assert seen[0] != WizardApp.__dict__.get("theme")
    assert {"Sennheiser", 1} <= {*seen[1:]}
    slow = seat.TrainOptions(wizard="Ada", turns=1, condition="delay=slow")
    for options, code in ((slow, 0), (seat.TrainOptions(wizard="Ada"), 1)):
        assert seat.train_command(str(study.folder), options, out, err) == code, err.getvalue()
    assert delays == [("play", 0.0), ("play, delay=slow", 4.0), ("play", 0.0)]
    assert out.getvalue().rstrip().endswith("broken off"), "two of three turns were never played"


def test_nobody_is_trained_under_no_name_or_a_condition_that_is_none(tmp_path: Path) -> None:
    study = new(tmp_path / "study")
    for options, said in (
        (seat.TrainOptions(), "name the wizard: --wizard NAME"),
        (seat.TrainOptions(wizard="Ada", condition="delay=late"), "no condition of the study is called 'delay=late'"),
    ):
        err = io.StringIO()
        assert seat.train_command(str(study.folder), options, io.StringIO(), err) == 2
        assert said in err.getvalue()
