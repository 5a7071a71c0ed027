"""What a C library prints goes to the log, what the app draws goes to the screen, and all is as before afterwards."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests import ROOT

SCRIPT = """
import os, sys
from pathlib import Path
from desk.quiet_stderr import c_stderr_to
before = sys.__stderr__
with c_stderr_to(Path(sys.argv[1])):
    os.write(2, b"ALSA lib pcm.c: noise\\n")
    print("a stray print", file=sys.stderr)
    print("the screen", file=sys.__stderr__)
    if len(sys.argv) > 2:
        raise SystemExit("failed")
assert sys.__stderr__ is before
os.write(2, b"after\\n")
"""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    root = ROOT
    return subprocess.run(
        [sys.executable, "-c", SCRIPT, *arguments], cwd=root, capture_output=True, text=True, check=False
    )


def test_noise_goes_to_the_log_and_drawing_to_the_screen(tmp_path: Path) -> None:
    log = tmp_path / "desk.log"
    log.write_text("from an earlier run\n")
    done = run(str(log))
    assert (done.returncode, done.stderr) == (0, "the screen\nafter\n")
    assert log.read_text() == "from an earlier run\nALSA lib pcm.c: noise\na stray print\n"


def test_an_error_inside_is_seen_outside(tmp_path: Path) -> None:
    done = run(str(tmp_path / "desk.log"), "fail")
    assert (done.returncode, done.stderr) == (1, "the screen\nfailed\n")


def test_a_log_that_cannot_be_written_is_an_error_before_anything_changes(tmp_path: Path) -> None:
    done = run(str(tmp_path / "missing" / "desk.log"))
    assert done.returncode == 1
    assert "missing/desk.log" in done.stderr


@pytest.mark.parametrize("noise", ["jack server is not running\n"])
def test_a_child_process_writes_to_the_log_too(tmp_path: Path, noise: str) -> None:
    from desk.quiet_stderr import c_stderr_to

    log = tmp_path / "desk.log"
    with c_stderr_to(log):
        subprocess.run([sys.executable, "-c", f"import sys; sys.stderr.write({noise!r})"], check=True)
    assert log.read_text() == noise
