"""The engine over PostgreSQL: for every request the rows that SQLite gives, the statement being the server's own."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from types import ModuleType

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.engine import Engine as Connected
from sqlalchemy.engine import make_url

from domain.database.build import BuiltDatabase
from domain.database.load_rows import load
from domain.english.engine import Engine
from domain.sandbox.postgres_role import make_reader
from domain.sandbox.sandbox import Sandbox
from scenarios.air_travel import generator as flights
from scenarios.personnel import generator as staff
from tests.domain.english.conftest import SCENARIOS
from tests.domain.personnel_requests import REQUESTS

pytestmark = pytest.mark.postgres
AIR = (
    "flights from boston to denver on monday before nine a.m.",
    "cheapest one way fare from boston to denver",
    "which airlines fly from dallas to san francisco in the evening",
    "how many nonstop flights are there from denver to dallas",
    "flights from atlanta to boston serving dinner",
    "latest flight from pittsburgh to philadelphia",
    "ground transportation in oakland",
    "what does fare code y mean",
    "is there a flight from boston to denver around noon",
    "flights from boston to denver via dallas arriving between 4 and 6 pm",
)
GROUPS = (
    "the three oldest employees",
    "the second oldest clerk",
    "two highest salaries",
    "average salary by job title",
    "how many different job titles are there",
    "what is the most common job title",
    "which job title has the most women",
    "departments whose average salary is over 40000",
    "division with the highest average salary",
    "oldest clerk in each department",
    "clerks who make less than the average clerk",
    "employees older than Sharon Dunbar",
    "employees in the same department as Henry Kim",
    "departments with more than three women",
    "departments where everyone is a woman",
    "departments that have both engineers and clerks",
    "departments with more women than men",
    "average age of the clerks",
    "departments with engineers but no programmers",
    "departments and their average salaries",
    "employees hired before Henry Kim",
    "employees who are neither clerks nor secretaries",
    "who works in the department with the most women",
    "salaries of the managers in the division with the highest average salary",
)


@pytest.fixture(scope="module")
def served() -> Iterator[Callable[[ModuleType], Connected]]:
    """Makes a database of our own on the server, filled by a generator; all of them are gone in the end."""
    address = os.environ.get("CURTAIN_POSTGRES_URL")
    if not address:
        pytest.skip("CURTAIN_POSTGRES_URL names no PostgreSQL server")
    administration = create_engine(address, isolation_level="AUTOCOMMIT")
    made: dict[str, Connected] = {}

    def make(generator: ModuleType) -> Connected:
        name = f"english_{os.getpid()}_{len(made)}"
        with administration.connect() as link:
            link.execute(text(f"CREATE DATABASE {name}"))
        made[name] = create_engine(make_url(address).set(database=name))
        load(made[name], generator.SHAPES, generator.generate(generator.SEED))
        with made[name].begin() as link:
            make_reader(link, name, "only to read")
        made[name].dispose()
        made[name] = create_engine(made[name].url.set(username=name, password="only to read"))
        return made[name]

    yield make
    for name, engine in made.items():
        engine.dispose()
        with administration.connect() as link:
            link.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
            link.execute(text(f"DROP ROLE {name}"))
    administration.dispose()


@contextmanager
def asked(database: Connected) -> Iterator[Callable[[str], list[tuple[str, ...]]]]:
    """Gives rows as the wizard's sandbox does, in an order of their own, numbers alike whatever their type."""
    sandbox = Sandbox(database.url.render_as_string(hide_password=False))
    try:
        yield lambda sql: sorted(tuple(_plain(cell) for cell in row) for row in sandbox.run(sql).rows)
    finally:
        sandbox.close()


def _plain(cell: object) -> str:
    return f"{float(cell):.4f}" if isinstance(cell, (int, float, Decimal)) else str(cell)


def compared(domain: str, requests: list[str], here: BuiltDatabase, there: Connected) -> list[str]:
    """The statements for the server, each of which gave what SQLite gives."""
    local = create_engine(here.url)
    ours, theirs = Engine(SCENARIOS / domain, local), Engine(SCENARIOS / domain, there)
    statements, found = [], 0
    with asked(local) as of_file, asked(there) as of_server:
        for request in requests:
            (mine, *_), (other, *_) = ours.ask(request).readings, theirs.ask(request).readings
            assert mine.paraphrase == other.paraphrase
            expected = of_file(mine.sql)
            assert of_server(other.sql) == expected, request
            statements.append(other.sql)
            found += bool(expected)
    local.dispose()
    assert found > len(requests) / 2
    return statements


def test_personnel(personnel_database: BuiltDatabase, served: Callable[[ModuleType], Connected]) -> None:
    server = served(staff)
    assert len(compared("personnel", list(GROUPS), personnel_database, server)) == len(GROUPS)
    statements = compared("personnel", [request for request, _ in REQUESTS], personnel_database, server)
    assert any("POSITION('CLERK' IN" in statement.upper() for statement in statements)
    assert all("%%" not in statement for statement in statements)


def test_air_travel(air_travel: BuiltDatabase, served: Callable[[ModuleType], Connected]) -> None:
    assert len(compared("air_travel", list(AIR), air_travel, served(flights))) == 10
