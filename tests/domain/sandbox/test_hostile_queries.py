"""Queries that somebody might type to break, change or stall the database, and what each of them gets instead.

Every one ends within its time limit and in little memory, on SQLite and on PostgreSQL, and leaves the data as they
were. Sizes and limits are small, so that the suite is quick; a bomb that went off would take gigabytes or minutes. On
SQLite, which works in this process, all time is the processor's: what else a machine does takes none of it.
"""

import hashlib
import os
import resource
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url

from domain.database.load_rows import load
from domain.database.table_shape import shape
from domain.sandbox.postgres_role import make_reader
from domain.sandbox.sandbox import Limits, Sandbox
from session.values.answers import QueryFailure, Table
from tests.domain.sandbox.attacks import POSTGRES, SQLITE, Attack

SECONDS = 0.5
SERVER_SECONDS = 2.0
MARGIN_SECONDS = 1.0
SERVER_MARGIN_SECONDS = 1.0
MARGIN_BYTES = 120_000_000
LIMITS = Limits(rows=100, seconds=SECONDS, bytes=1_000_000, scratch_bytes=100_000_000)

SECRET = "the keys are under the mat"
SHAPES = [shape("thing", "code amount:i", "code")]
ROWS = {"thing": [(f"a{number}", number) for number in range(500)]}


def run(sandbox: Sandbox, attack: Attack, clock: Callable[[], float], seconds: float) -> None:
    """Runs one attack; fails the test when its end, its time or its memory is not as it must be."""
    memory = peak_bytes()
    start = clock()
    answer, failure = outcome(sandbox, attack.sql)
    assert clock() - start < seconds
    assert peak_bytes() - memory < MARGIN_BYTES
    assert (failure.kind if failure else None) in attack.ends, failure or answer
    if failure is not None:
        assert failure.message.endswith((".", "?"))
        assert "\n" not in failure.message
        assert len(failure.message) < 400
    if answer is not None:
        assert len(answer.rows) <= LIMITS.rows
        assert SECRET not in str(answer.rows)


def outcome(sandbox: Sandbox, sql: str) -> tuple[Table | None, QueryFailure | None]:
    try:
        return sandbox.run(sql), None
    except QueryFailure as failure:
        return None, failure


def peak_bytes() -> int:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hostile") / "things.sqlite"
    engine = create_engine(f"sqlite:///{path}")
    load(engine, SHAPES, ROWS)
    engine.dispose()
    return path


@pytest.fixture(scope="module")
def embedded(file: Path) -> Iterator[Sandbox]:
    before = hashlib.sha256(file.read_bytes()).hexdigest()
    sandbox = Sandbox(f"sqlite:///{file}", LIMITS, monotonic=time.process_time)
    yield sandbox
    sandbox.close()
    assert hashlib.sha256(file.read_bytes()).hexdigest() == before
    assert sorted(path.name for path in file.parent.iterdir()) == [file.name]


@pytest.fixture(scope="module")
def server() -> Iterator[Sandbox]:
    """A schema of our own in the database that CURTAIN_POSTGRES_URL names, and a role that may only read it."""
    owner = os.environ.get("CURTAIN_POSTGRES_URL")
    if not owner:
        pytest.skip("CURTAIN_POSTGRES_URL names no PostgreSQL server")
    name = f"hostile_{os.getpid()}"
    administration = create_engine(owner, isolation_level="AUTOCOMMIT")
    with administration.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    url = make_url(owner).set(database=name)
    engine = create_engine(url)
    load(engine, SHAPES, ROWS)
    with engine.begin() as connection:
        connection.execute(text("CREATE SCHEMA hidden CREATE TABLE other (secret text)"))
        connection.execute(text("INSERT INTO hidden.other VALUES (:secret)"), {"secret": SECRET})
        for header in ("leak(thing)", "leak0(int)"):
            connection.execute(
                text(
                    f"CREATE FUNCTION {header} RETURNS text LANGUAGE sql SECURITY DEFINER AS 'SELECT secret FROM hidden.other'"
                )
            )
        make_reader(connection, name, "it's \\ %secret%")
    reader = url.set(username=name, password="it's \\ %secret%").render_as_string(hide_password=False)
    sandbox = Sandbox(reader, msgspec.structs.replace(LIMITS, seconds=SERVER_SECONDS))
    yield sandbox
    sandbox.close()
    with engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM thing")).scalar_one() == len(ROWS["thing"])
        assert connection.execute(text("SELECT count(*) FROM pg_largeobject_metadata")).scalar_one() == 0
    engine.dispose()
    with administration.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        connection.execute(text(f"DROP ROLE {name}"))
    administration.dispose()


@pytest.mark.parametrize("attack", SQLITE, ids=lambda attack: attack.name)
def test_sqlite_is_neither_changed_nor_stalled(embedded: Sandbox, attack: Attack) -> None:
    run(embedded, attack, time.process_time, SECONDS + MARGIN_SECONDS)


@pytest.mark.postgres
@pytest.mark.parametrize("attack", POSTGRES, ids=lambda attack: attack.name)
def test_postgresql_is_neither_changed_nor_stalled(server: Sandbox, attack: Attack) -> None:
    run(server, attack, time.monotonic, SERVER_SECONDS + SERVER_MARGIN_SECONDS)


def test_the_suite_is_as_large_as_promised() -> None:
    assert len({attack.sql for attack in SQLITE}) >= 40
    assert len({attack.sql for attack in POSTGRES}) >= 40


def test_text_that_is_no_utf_8_is_shown_with_replacement_signs(embedded: Sandbox) -> None:
    assert embedded.run("SELECT CAST(x'ff41' AS TEXT)").rows == (("\ufffdA",),)


def test_a_good_query_still_works_after_all_that(embedded: Sandbox) -> None:
    assert embedded.run("SELECT count(*) AS things FROM thing").rows == ((500,),)
