"""A program that stands in for espeak-ng, to see what is made of its faults."""

import stat
from pathlib import Path

VERSION = (
    'case "$1" in --version) echo "eSpeak NG text-to-speech: 1.51"; exit 0;; --voices) echo "5 en-us"; exit 0;; esac\n'
)
WAVE = 'while [ "$1" != -w ]; do shift; done; wave=$2\n'


def program(folder: Path, script: str, version: str = VERSION) -> str:
    """A program in the place of espeak-ng, which answers to --version."""
    path = folder / "espeak-ng"
    path.write_text(f"#!/bin/sh\n{version}{WAVE}{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)
