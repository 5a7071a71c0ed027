"""Databases of which `curtain learn` has made a domain."""

import io
import sqlite3
from contextlib import closing
from pathlib import Path

from domain.english.engine import Engine
from domain.learn.learn import learn_command


def learnt(folder: Path, script: str) -> tuple[Path, Engine]:
    """The file of a database made by this SQL, and the engine of the domain that is learnt of it."""
    file = folder / "learnt.sqlite"
    with closing(sqlite3.connect(file)) as link:
        link.executescript(script)
    output = io.StringIO()
    assert learn_command(f"sqlite:///{file}", str(folder / "domain"), output, output) == 0, output.getvalue()
    return file, Engine(folder / "domain", f"sqlite:///{file}")


def answer(made: tuple[Path, Engine], request: str, width: int | None = None) -> set[tuple[object, ...]]:
    """The minimal columns, or the first `width` of them, of the rows that the first reading of a request gives."""
    file, engine = made
    reading = engine.ask(request).readings[0]
    with closing(sqlite3.connect(file)) as link:
        found = link.execute(reading.sql)
        names = [column[0] for column in found.description]
        at = [names.index(name) for name in reading.minimal_columns[:width]]
        return {tuple(row[n] for n in at) for row in found}
