"""A small domain of its own for the engine's tests: a library, in memory, and the shipped domains over theirs."""

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import Engine as Connected
from sqlalchemy import create_engine, text
from sqlalchemy.pool import StaticPool

import scenarios
from domain.database.build import BuiltDatabase, open_database
from domain.english.engine import Engine

SCENARIOS = Path(scenarios.__file__).parent

TABLES = """
CREATE TABLE branch (branch_code TEXT PRIMARY KEY, town TEXT);
CREATE TABLE author (author_id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE book (book_id INTEGER PRIMARY KEY, title TEXT, author_id INTEGER REFERENCES author(author_id),
    branch_code TEXT REFERENCES branch(branch_code), pages INTEGER, price INTEGER, opens INTEGER, fiction TEXT);
CREATE TABLE loan (book_id INTEGER REFERENCES book(book_id), day_name TEXT, from_branch TEXT REFERENCES branch(branch_code),
    to_branch TEXT REFERENCES branch(branch_code));
"""
ROWS = {
    "branch": [("N", "NORTON"), ("S", "SUTTON"), ("W", "WESTBURY")],
    "author": [(1, "ANN LEE"), (2, "BEN OAK"), (3, "CARL POE")],
    "book": [
        (1, "RIVERS", 1, "N", 100, 10, 900, "NO"),
        (2, "STONES", 1, "S", 200, 20, 1200, "NO"),
        (3, "CLOUDS", 2, "S", 300, 30, 1400, "YES"),
        (4, "EMBERS", 3, "W", 400, 5, 2100, "YES"),
    ],
    "loan": [(1, "MONDAY", "N", "S"), (2, "TUESDAY", "S", "N"), (3, "MONDAY", "S", "W"), (4, "FRIDAY", "W", "S")],
}
DOMAIN = """
[domain]
name = "library"
entity = "book"
today = "1991-06-03"
year = 1991

[entity.book]
table = "book"
key = ["book.book_id"]
words = ["book", "books"]
many = "books"
display = ["book.title"]

[entity.author]
table = "author"
key = ["author.author_id"]
words = ["author", "authors", "writer", "writers"]
many = "authors"

[entity.loan]
table = "loan"
key = ["loan.book_id"]
words = ["loan", "loans"]
many = "loans"
clarify = { origin = "From which branch?" }
clarify_unless = ["day"]

[kind.town]
column = "branch.town"
[kind.town.also]
"the west" = "WESTBURY"

[kind.author]
column = "author.name"

[attribute.author]
of = "book"
words = ["author", "writer"]
cues = ["by", "written by"]
default = 1
select = ["book.author_id = author.author_id; author.name"]
say = "by {}"
[attribute.author.accepts]
author = "book.author_id = author.author_id; author.name"

[attribute.place]
of = "book"
cues = ["in", "at"]
default = 1
say = "in {}"
[attribute.place.accepts]
town = "book.branch_code = branch.branch_code; branch.town"

[attribute.pages]
of = "book"
words = ["pages", "length"]
cues = ["pages", "length", "with"]
trailing = ["pages"]
select = ["book.pages"]
minimum = "book.pages"
maximum = "book.pages"
say = "with {} pages"
[attribute.pages.accepts]
number = "book.pages"

[attribute.price]
of = "book"
words = ["price", "prices", "how much"]
cues = ["costing", "cost", "price"]
default = 1
select = ["book.price"]
minimum = "book.price"
maximum = "book.price"
say = "costing {}"
[attribute.price.accepts]
money = "book.price"

[attribute.opening]
of = "book"
cues = ["shown", "at"]
default = 1
say = "shown {}"
[attribute.opening.accepts]
clock = "book.opens"

[attribute.origin]
of = "loan"
cues = ["from"]
default = 1
say = "from {}"
[attribute.origin.accepts]
town = "loan.from_branch = branch.branch_code; branch.town"

[attribute.destination]
of = "loan"
cues = ["to", "into"]
default = 2
say = "to {}"
[attribute.destination.accepts]
town = "loan.to_branch = branch.branch_code; branch.town"

[attribute.day]
of = "loan"
default = 1
say = "on {}"
[attribute.day.accepts]
weekday = "loan.day_name"

[flag.fiction]
words = ["fiction", "novel", "novels"]
of = "book"
where = ["book.fiction = 'YES'"]

[superlative.cheapest]
words = ["cheapest"]
pick = "min"
column = { book = "book.price" }

[superlative.longest]
words = ["longest"]
pick = "max"
column = { book = "book.pages" }

[swap.back]
words = ["and back", "the way back"]
exchange = ["origin", "destination"]
drop = ["day"]

[period.morning]
words = ["morning"]
begin = 0
end = 1200

[period.afternoon]
words = ["afternoon"]
begin = 1200
end = 1800

[period.night]
words = ["night"]
begin = 1800
end = 600

[principles.plain]
title = "open intervals"
cite = { cheapest = "2.3.3" }
"""


@pytest.fixture(scope="session")
def library_database() -> Iterator[Connected]:
    database = create_engine("sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False})
    with database.begin() as link:
        for statement in TABLES.split(";"):
            if statement.strip():
                link.execute(text(statement))
        for table, rows in ROWS.items():
            for row in rows:  # type: ignore[attr-defined]
                marks = ", ".join(f":c{n}" for n in range(len(row)))
                link.execute(text(f"INSERT INTO {table} VALUES ({marks})"), {f"c{n}": v for n, v in enumerate(row)})
    yield database
    database.dispose()


@pytest.fixture(scope="session")
def library_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    (folder / "domain.toml").write_text(DOMAIN)
    return folder


@pytest.fixture(scope="session")
def library(library_folder: Path, library_database: Connected) -> Engine:
    return Engine(library_folder, library_database)


@pytest.fixture(scope="session")
def found(library: Engine, library_database: Connected) -> Callable[..., set[object] | None]:
    """The first column of the likeliest reading's answer; None when nothing was understood."""

    def ask(question: str, *context: str) -> set[object] | None:
        readings = library.ask(question, context).readings
        if not readings:
            return None
        with library_database.connect() as link:
            return {row[0] for row in link.execute(text(readings[0].sql))}

    return ask


@pytest.fixture(scope="session")
def air(air_travel: BuiltDatabase) -> Engine:
    return Engine(SCENARIOS / "air_travel", air_travel.url)


@pytest.fixture(scope="session")
def personnel_database(tmp_path_factory: pytest.TempPathFactory) -> BuiltDatabase:
    return open_database(SCENARIOS / "personnel", tmp_path_factory.mktemp("personnel"))


@pytest.fixture(scope="session")
def personnel(personnel_database: BuiltDatabase) -> Engine:
    return Engine(SCENARIOS / "personnel", personnel_database.url, date(1989, 8, 16))
