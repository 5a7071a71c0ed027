"""Databases of which `curtain learn` has made a domain."""

import io
import sqlite3
from contextlib import closing
from pathlib import Path

from domain.english.engine import Engine
from domain.learn import learn_command


def learnt(folder: Path, script: str) -> tuple[Path, Engine]:
    """The file of a database made by this SQL, and the engine of the domain that is learnt of it."""
    file = folder / "learnt.sqlite"
    with closing(sqlite3.connect(file)) as link:
        link.executescript(script)
    told = io.StringIO()
    assert learn_command(f"sqlite:///{file}", str(folder / "domain"), told, told) == 0, told.getvalue()
    return file, Engine(folder / "domain", f"sqlite:///{file}")
