"""The front door: whoever changes their mind gets one line and the status of an interrupt, wherever the command was."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import annotator.command
from curtain import INTERRUPTED, main

ROOT = Path(__file__).parents[1]
LONG = "x" * 300


def test_a_command_that_is_interrupted_before_it_has_an_answer_of_its_own_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(annotator.command, "transcribe_command", interrupted)
    done = CliRunner().invoke(main, ["transcribe", "corpus", "--person", "anna"])
    assert (done.exit_code, done.output.split()) == (INTERRUPTED, ["interrupted"])


def test_so_does_one_that_is_still_being_loaded(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt\n")
    found = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
    done = subprocess.run(
        [sys.executable, "-c", "import curtain"], env=found, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr.split()) == (INTERRUPTED, ["interrupted"])


def test_a_study_s_own_folders_do_not_stand_in_for_the_program_s(tmp_path: Path) -> None:
    (tmp_path / "domain").mkdir()
    (tmp_path / "domain" / "__init__.py").write_text("raise SystemExit('the wrong domain')\n")
    found = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "curtain", "ask", "--database", "sqlite://", "--domain", "nowhere"],
        env=found, cwd=tmp_path, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == 2
    assert "nowhere" in done.stderr


@pytest.mark.parametrize(
    "call",
    [["verify", LONG], ["sessions", LONG], ["new", LONG], ["export", LONG, "out", "--as", "study"]],
    ids=" ".join,
)
def test_a_name_too_long_for_the_disk_is_the_calls_fault(call: list[str]) -> None:
    done = CliRunner().invoke(main, call)
    assert (done.exit_code, done.output.splitlines()[-1]) == (
        2,
        f"Error: the name {'x' * 40!r}... is too long for this disk; give a shorter one",
    )


@pytest.mark.parametrize(("set_before", "right"), [("", "1"), ("4", "4")])
def test_no_threads_are_made_for_matrices_unless_somebody_asks_for_them(
    set_before: str, right: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", set_before)
    if not set_before:
        monkeypatch.delenv("OPENBLAS_NUM_THREADS")
    CliRunner().invoke(main, ["verify", str(tmp_path / "nowhere")])
    assert os.environ["OPENBLAS_NUM_THREADS"] == right


@pytest.mark.parametrize(
    "call",
    [
        ["receive", "centre", "PIPE"],
        ["show", "PIPE"],
        ["score", "refs.cas", "sri=PIPE"],
        ["recognise", "corpus", "--engine", "replay:PIPE"],
        ["deliver", "corpus", "a.tar", "--key", "PIPE"],
        ["rename", "corpus", "new", "--by=PIPE"],
        ["testset", "centre", "nov26", "--adjudicate", "PIPE"],
    ],
    ids=" ".join,
)
def test_a_pipe_into_which_nobody_writes_is_refused_at_once(call: list[str], tmp_path: Path) -> None:
    pipe = str(tmp_path / "pipe.trn")
    os.mkfifo(pipe)
    done = CliRunner().invoke(main, [word.replace("PIPE", pipe) for word in call])
    assert (done.exit_code, done.output.splitlines()[-1]) == (
        2,
        f"Error: {pipe} is no file but a named pipe; name a file that holds it",
    )
    done = CliRunner().invoke(main, [word.replace("PIPE", "/dev/zero") for word in call])
    assert (done.exit_code, done.output.splitlines()[-1]) == (
        2,
        "Error: /dev/zero is no file but a device; name a file that holds it",
    )


def test_what_a_shell_hands_over_in_place_of_a_file_is_read() -> None:
    log = ROOT / "tests/golden/corpus/8k8001sx.log"
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as file:
        file.write(log.read_bytes())
    done = CliRunner().invoke(main, ["show", f"/dev/fd/{reading}"])
    os.close(reading)
    assert (done.exit_code, done.output) == (0, CliRunner().invoke(main, ["show", str(log)]).output)
