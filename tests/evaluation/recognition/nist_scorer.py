"""NIST's own scorer, Debian's package `sctk`: the edits of each utterance by sclite."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

_THERE = pytest.mark.skipif(
    shutil.which("sctk") is None, reason="sctk (Debian's package of that name) is not installed"
)


def beside_sctk(test: Callable[..., None]) -> Callable[..., None]:
    """Mark a test that needs it: skipped where it is missing, an error there in `.ci/run`."""
    return pytest.mark.sctk(_THERE(test))


def sctk(program: str, *arguments: str | Path, stdin: str = "", folder: Path | None = None) -> str:
    """What `sclite` or `sc_stats` prints."""
    done = subprocess.run(
        ["sctk", program, *map(str, arguments)], input=stdin, capture_output=True, text=True, cwd=folder
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def edits(*arguments: str | Path) -> dict[str, str]:
    """The letters of each utterance by sclite."""
    shown = sctk("sclite", *arguments, "-o", "sgml", "stdout", "-f", "0")
    found = re.findall(r'<PATH id="\(([^"]*)\)".*>\n(.*?)\n?</PATH>', shown)
    return {key.lower(): "".join(re.findall(r"(?:^|:)([CSDI])(?=,|$)", line)) for key, line in found}


def write_trn(path: Path, texts: dict[str, str]) -> Path:
    path.write_text("".join(f"{text} ({key})\n" for key, text in texts.items()))
    return path
