"""Meanings as SQL, for more than one database."""

from datetime import date
from pathlib import Path

import pytest
import sqlglot
from sqlalchemy import Column, Date, Integer, MetaData, String, Table, Time, select
from sqlalchemy import Engine as Connected
from sqlalchemy.dialects import postgresql, sqlite

from domain.english.engine import Engine
from domain.english.model.domain import Conventions, DomainError, load_domain
from domain.english.model.meaning import Condition, Extreme, Flagged, Meaning, Value
from domain.english.sql.by_dialect import YearsSince
from domain.english.sql.comparisons import compare, day_before
from domain.english.sql.join_planner import JoinPlanner
from domain.english.sql.statement import Renderer

EVENTS = Table(
    "event", MetaData(), Column("at", Integer), Column("day", Date), Column("text_day", String), Column("time", Time)
)
OPEN, CLOSED = Conventions(), Conventions(inclusive=True)


def shown(value: Value, use: Conventions, column: str = "at") -> str:
    test = compare(EVENTS.c[column], value, use)
    return str(test.compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True}))


@pytest.mark.parametrize(
    ("value", "use", "sql"),
    [
        (Value("clock", (1200, 1800), "period"), OPEN, "event.at > 1200 AND event.at < 1800"),
        (Value("clock", (1200, 1800), "period"), CLOSED, "event.at BETWEEN 1200 AND 1800"),
        (Value("clock", (1800, 600), "period"), OPEN, "event.at > 1800 OR event.at < 600"),
        (Value("clock", (800, 0)), OPEN, "event.at IN (800, 2000)"),
        (Value("clock", (1200, 0)), OPEN, "event.at IN (0, 1200)"),
        (Value("clock", (800, 1)), OPEN, "event.at = 800"),
        (Value("clock", (800, 0)), Conventions(open_clock="as said"), "event.at = 800"),
        (Value("clock", (1745, 1), "around"), OPEN, "event.at BETWEEN 1715 AND 1815"),
        (Value("clock", (10, 1), "around"), OPEN, "event.at >= 2340 OR event.at <= 40"),
        (Value("clock", (300, 500, 1), "between"), CLOSED, "event.at BETWEEN 300 AND 500"),
        (Value("clock", (2000, 1), "by"), Conventions(by="before"), "event.at < 2000"),
        (Value("clock", (2000, 1), "by"), OPEN, "event.at <= 2000"),
        (Value("number", (100,), "around"), OPEN, "event.at BETWEEN 90.0 AND 110.0"),
    ],
)
def test_comparisons_obey_the_conventions(value: Value, use: Conventions, sql: str) -> None:
    assert shown(value, use) == sql


def test_dates_are_compared_as_the_column_keeps_them() -> None:
    assert shown(Value("date", (1991, 6, 3), ">"), OPEN, "text_day") == "event.text_day >= '1991-06-04'"
    assert shown(Value("year", (1991,), "<"), OPEN, "day") == "event.day < '1991-01-01'"
    assert shown(Value("year", (1991,)), OPEN, "text_day") == (
        "event.text_day >= '1991-01-01' AND event.text_day < '1992-01-01'"
    )
    assert shown(Value("date", (1991, 6, 3)), OPEN, "day") == "event.day = '1991-06-03'"
    assert shown(Value("date", (1991, 6, 3)), OPEN, "text_day") == (
        "event.text_day >= '1991-06-03' AND event.text_day < '1991-06-04'"
    )


def test_times_are_compared_as_the_column_keeps_them() -> None:
    assert shown(Value("clock", (900, 1), "<"), OPEN, "text_day") == "substr(event.text_day, 1, 5) < '09:00'"
    assert shown(Value("clock", (1200, 1800), "period"), CLOSED, "text_day") == (
        "substr(event.text_day, 1, 5) BETWEEN '12:00' AND '18:00'"
    )
    assert shown(Value("clock", (800, 0)), OPEN, "text_day") == "substr(event.text_day, 1, 5) IN ('08:00', '20:00')"
    assert shown(Value("clock", (900, 1), ">"), OPEN, "time") == "substr(CAST(event.time AS VARCHAR), 1, 5) > '09:00'"


def test_the_day_before() -> None:
    assert day_before(Value("weekday", ("MONDAY",))).data == ("SUNDAY",)
    assert day_before(Value("date", (1991, 3, 1))).data == (1991, 2, 28)


def test_years_since_in_each_dialect() -> None:
    statement = select(YearsSince(EVENTS.c.day, date(1989, 8, 16)))
    lite = str(statement.compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True}))
    post = str(statement.compile(dialect=postgresql.dialect(), compile_kwargs={"literal_binds": True}))
    assert "julianday('1989-08-16') - julianday(event.day)" in lite
    assert "CAST('1989-08-16' AS DATE) - CAST(event.day AS DATE)" in post


@pytest.fixture
def renderer(library_folder: Path, library_database: Connected) -> Renderer:
    schema = MetaData()
    schema.reflect(library_database)
    model = load_domain(library_folder)
    return Renderer(model, schema, JoinPlanner(model, schema), OPEN, date(1991, 6, 3))


def answers(renderer: Renderer, database: Connected, meaning: Meaning) -> set[object]:
    statement, _ = renderer.render(meaning)
    with database.connect() as link:
        return {row[0] for row in link.execute(statement)}


IN_SUTTON = Condition("place", (Value("town", ("SUTTON",)),))
NOVEL = Flagged(("fiction",))


@pytest.mark.parametrize(
    ("meaning", "books"),
    [
        (Meaning(("book",)), {1, 2, 3, 4}),
        (Meaning(("book",), conditions=(IN_SUTTON,)), {2, 3}),
        (Meaning(("book",), conditions=(Condition("place", IN_SUTTON.values, True),)), {1, 4}),
        (Meaning(("book",), flags=(Flagged(("fiction",), True),)), {1, 2}),
        (Meaning(("book",), conditions=(IN_SUTTON,), flags=(NOVEL,)), {3}),
        (Meaning(("book",), extremes=(Extreme("cheapest", "book.price", "min", ""),)), {4}),
        (
            Meaning(("book",), conditions=(IN_SUTTON,), extremes=(Extreme("cheapest", "book.price", "min", ""),)),
            {2},
        ),
        (Meaning(("book",), either=((IN_SUTTON,), (Condition("pages", (Value("number", (100,)),)),))), {1, 2, 3}),
        (Meaning(("book",), count=True, flags=(NOVEL,)), {2}),
        (Meaning(("book",), ("price",), aggregate="max"), {30}),
        (Meaning(("book",), aggregate="share", flags=(NOVEL,)), {0.5}),
        (Meaning(("author",), conditions=(IN_SUTTON,)), {1, 2}),
    ],
)
def test_meanings_and_what_they_answer(
    renderer: Renderer, library_database: Connected, meaning: Meaning, books: set[object]
) -> None:
    assert answers(renderer, library_database, meaning) == books


def test_what_cannot_be_joined_is_refused(library_folder: Path) -> None:
    model = load_domain(library_folder)
    empty = Renderer(model, MetaData(), JoinPlanner(model, MetaData()), OPEN, date(1991, 6, 3))
    with pytest.raises(DomainError, match="no such table"):
        empty.render(Meaning(("book",)))


def test_every_statement_parses_elsewhere(library: Engine) -> None:
    for said in ("cheapest novels in sutton", "how many books does each author have", "loans from norton on monday"):
        assert sqlglot.parse_one(library.ask(said).readings[0].sql, read="sqlite")
