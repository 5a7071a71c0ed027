"""A study whose hub starts at once."""

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
