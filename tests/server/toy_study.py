"""A study whose hub starts at once, and who ends it."""

import io
import os
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

from session.study.create import new


def toy_study(folder: Path) -> Path:
    """A new study in `folder` over a database of one table, which needs no building."""
    new(folder)
    with closing(sqlite3.connect(folder / "toy.sqlite")) as connection:
        connection.execute("CREATE TABLE city (name TEXT)")
    settings = folder / "study.toml"
    text = settings.read_text(encoding="utf-8").replace('database = ""', 'database = "sqlite:///toy.sqlite"')
    settings.write_text(text, encoding="utf-8")
    return folder


class EndsAfter(io.StringIO):
    """Presses Ctrl-C once `sessions` of them have been printed, or as many texts with another `sign`."""

    def __init__(self, sessions: int, sign: str = "observer") -> None:
        super().__init__()
        self._left = sessions
        self._sign = sign

    def write(self, text: str) -> int:
        self._left -= self._sign in text
        written = super().write(text)
        if self._left == 0:
            self._left = -1
            os.kill(os.getpid(), signal.SIGINT)
        return written
