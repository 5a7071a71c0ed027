"""Exports that stop half-way, and the bytes of what they leave."""

import hashlib
import os
import signal
from pathlib import Path

import pytest

from corpus.export.madcow import export
from tests.corpus.sessions import MemorySource, Script, whole_session

SPEAKERS = ("8k1", "8k2", "8k3")


def scripts() -> list[Script]:
    return [whole_session(f"bbn-2026112{day}-1", speaker, 0.2) for day, speaker in enumerate(SPEAKERS)]


class Counting(MemorySource):
    """Knows whose samples it was asked for, and does `then` when it is asked for the samples number `at`."""

    def __init__(self, *given: Script, at: int = 0) -> None:
        super().__init__(*given)
        self.asked: list[str] = []
        self.at = at

    def pcm(self, session: str, take: str, letter: str) -> bytes | None:
        self.asked.append(session)
        if len(self.asked) == self.at:
            self.stop()
        return super().pcm(session, take, letter)

    def stop(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class Interrupted(Counting):
    def stop(self) -> None:
        raise KeyboardInterrupt


def bytes_of(root: Path) -> dict[str, str]:
    """The hashes of all files but records of exports, which say when and where."""
    found = sorted(path for path in root.rglob("*") if path.is_file() and not path.name.endswith("exports.log"))
    return {str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


TAKES = 8  # recordings of a session that are asked for, one after the other


def interrupted(target: Path, at: int = TAKES + 3) -> None:
    with pytest.raises(KeyboardInterrupt):
        export(Interrupted(*scripts(), at=at), target)
