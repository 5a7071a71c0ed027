"""A study of a library whose log is made of requests, what the wizard asked for each, and the rows that she sent."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from domain.english.engine import Engine
from session import events as e
from session.values.answers import Table
from session.values.clock import Stamp
from session.values.vocabulary import Language
from tests.domain.english.conftest import DOMAIN, ROWS, TABLES
from tests.study.worlds import World

KEPT = "# the library's own words\n" + DOMAIN.replace(
    'words = ["book", "books"]', 'words = [  # as it stands on the shelf\n  "book",\n  "books",  # many\n]'
)


class Said(NamedTuple):
    """A request and what the wizard asked, as it was said where that is empty; a statement where it is in SQL."""

    text: str
    asked: str = ""
    language: Language = Language.ENGLISH


class LibraryStudy:
    """A study of the library with an empty log."""

    def __init__(self, folder: Path, domain: str = KEPT) -> None:
        self.world = World(folder)
        self.folder, self.file = folder, folder / "domain" / "domain.toml"
        self.file.write_text(domain)
        for path in (folder / "domain").glob("principles*.toml"):
            path.unlink()
        with closing(sqlite3.connect(folder / "library.sqlite")) as link, link:
            link.executescript(TABLES)
            for table, rows in ROWS.items():
                link.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)  # type: ignore[arg-type, index]
        settings = folder / "study.toml"
        text = settings.read_text().replace('database = ""', 'database = "sqlite:///library.sqlite"')
        settings.write_text(text)

    def engine(self) -> Engine:
        return Engine(self.file.parent, f"sqlite:///{self.folder / 'library.sqlite'}")

    def hold(self, *requests: Said, rehearsal: bool = False, then: e.Fact | None = None) -> str:
        """Hold a session of these requests, each answered; its name."""
        engine = self.engine()
        plan = self.world.plan(rehearsal=rehearsal)
        facts: list[e.Fact] = [plan.opened]
        facts.append(e.ScenarioStarted(number=1, scenario="x", title="x", text="x", kind="trip"))
        for place, (text, asked, language) in enumerate(requests):
            stamp = Stamp("hub", place, place)
            sql = asked if language is Language.SQL else engine.ask(asked or text).readings[0].sql
            take, attempt = f"T{place}", f"A{place}"
            facts += [
                e.UtteranceTyped(at=stamp, take=take, text=text),
                e.UtteranceAccepted(take=take, number=place + 1),
                e.QuerySubmitted(at=stamp, attempt=attempt, take=take, language=language, text=asked or text),
                e.QueryReturned(attempt=attempt, sql=sql, table=Table(("x",), ((1,),)), took=1, database_version="1"),
                e.AnswerSent(reply=f"R{place}", take=take, text="x", attempt=attempt),
            ]
        facts += [then] if then is not None else []
        self.world.put(plan.name, *facts)
        return plan.name
