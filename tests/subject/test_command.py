"""Starting a subject's terminal: it paints before it loads what only recording needs."""

import subprocess
import sys
from pathlib import Path

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
