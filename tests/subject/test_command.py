"""Starting a subject's terminal: it paints before it loads what only recording needs."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from curtain import main
from subject import command, desk

PAINTING = """
import asyncio, sys
from pathlib import Path
from session.values.clock import SystemClock
from session.transport.websocket import Address
from subject.command import SubjectApp, SubjectDesk

desk = SubjectDesk(Address("h", 9, "s", "t", tls=False), SystemClock("s"), Path(sys.argv[1]), [], lambda: None)
loaded = []
app = SubjectApp(
    desk.terminal, SystemClock("s"), open_microphone=lambda: None, after_paint=lambda: loaded.append(set(sys.modules))
)

async def first():
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()

asyncio.run(first())
desk.prepare()
heavy = {"numpy", "sqlalchemy", "sqlglot", "sounddevice", "soundfile"}
print("painted", *sorted(heavy & loaded[0]), "prepared", *sorted(heavy & set(sys.modules)))
"""


def test_the_first_painting_waits_for_no_library_of_numbers_and_recording_finds_it_loaded(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PAINTING, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert done.stdout == "painted prepared numpy\n"


def test_replies_are_heard_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    opened: list[str | int | None] = []
    monkeypatch.setattr(desk, "SoundDeviceLoudspeaker", lambda device, rate: opened.append(device))

    class Told(Exception):
        pass

    class Desk:
        def __init__(self, *_: object, loudspeaker: object) -> None:
            loudspeaker()  # type: ignore[operator]
            raise Told

    monkeypatch.setattr(command, "SubjectDesk", Desk)
    url = f"ws://{'0' * 64}@127.0.0.1:1/lab-20261122-1"
    for words in ((), ("--loudspeaker", "Genelec"), ("--loudspeaker", "3")):
        done = CliRunner().invoke(main, ["subject", url, "--spool", str(tmp_path), *words])
        assert isinstance(done.exception, Told), done.output
    assert opened == [None, "Genelec", 3]
