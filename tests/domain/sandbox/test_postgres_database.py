"""The sandbox over PostgreSQL: same rows as SQLite, a role that is looked at, stopping, and a server that goes away."""

import os
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.engine import URL, Engine, make_url
from sqlalchemy.exc import DBAPIError

from domain.database.load_rows import load, sha256_of
from domain.database.solution_set import solution_query
from domain.sandbox.postgres_database import _cursor
from domain.sandbox.postgres_role import make_reader, writing_rights
from domain.sandbox.sandbox import Limits, Sandbox
from scenarios.air_travel import generator
from session.values.answers import FailureKind, QueryFailure
from tests.domain.sandbox.silence import relay_to
from tests.domain.scenario_bank import bank, bindings

pytestmark = pytest.mark.postgres
SLACK = 1.0  # of a busy machine
ENDLESS = "SELECT count(*) FROM flight a, flight b, flight c, flight d"


@dataclass(frozen=True)
class Server:
    """A database of our own on the server, its owner's engine, and the role that reads it."""

    owner: Engine
    administration: Engine
    reader: URL

    def sandbox(self, limits: Limits | None = None) -> Sandbox:
        return Sandbox(self.reader.render_as_string(hide_password=False), limits)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    address = os.environ.get("CURTAIN_POSTGRES_URL")
    if not address:
        pytest.skip("CURTAIN_POSTGRES_URL names no PostgreSQL server")
    name = f"domain_{os.getpid()}"
    administration = create_engine(address, isolation_level="AUTOCOMMIT")
    with administration.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    url = make_url(address).set(database=name)
    owner = create_engine(url)
    assert load(owner, generator.SHAPES, generator.generate()) == generator.ROWS_SHA256
    with owner.begin() as connection:
        make_reader(connection, name, "only to read")
    yield Server(owner, administration, url.set(username=name, password="only to read"))
    owner.dispose()
    with administration.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        connection.execute(text(f"DROP ROLE {name}"))
    administration.dispose()


@pytest.fixture
def reading(server: Server) -> Iterator[Sandbox]:
    opened = server.sandbox(Limits(rows=5_000))
    yield opened
    opened.close()


def failure_of(sandbox: Sandbox, sql: str) -> QueryFailure:
    with pytest.raises(QueryFailure) as caught:
        sandbox.run(sql)
    return caught.value


def test_solution_sets_are_those_of_sqlite(reading: Sandbox, sandbox: Sandbox) -> None:
    for scenario in bank():
        sql = solution_query(scenario, bindings(scenario))
        assert set(reading.run(sql).rows) == set(sandbox.run(sql).rows), scenario.id


def test_the_server_has_the_rows_of_the_generator(server: Server) -> None:
    reader = create_engine(server.reader)
    assert sha256_of(reader) == generator.ROWS_SHA256
    reader.dispose()


def test_order_is_kept_and_columns_may_share_a_name(reading: Sandbox) -> None:
    table = reading.run("SELECT flight_id AS x, to_airport AS x FROM flight ORDER BY flight_id DESC -- last first")
    assert table.columns == ("x", "x")
    assert [row[0] for row in table.rows] == sorted((row[0] for row in table.rows), reverse=True)  # type: ignore[type-var]
    assert (len(table.rows), table.more) == (5_000, True)


def test_percent_signs_and_colons_are_text(reading: Sandbox) -> None:
    assert reading.run("SELECT 'a%b', ':x' FROM month WHERE month_name LIKE 'JA%Y'").rows == (("a%b", ":x"),)


def test_values_are_those_that_an_answer_may_hold(reading: Sandbox) -> None:
    row = reading.run(
        "SELECT 1.50, 12::numeric, date '1992-02-29', time '08:05', '\\x00ff'::bytea, true, NULL, 1::bigint,"
        " '007'::varchar, 'NaN'::float8"
    ).rows[0]
    assert row == (1.5, 12, "1992-02-29", "08:05:00", "00ff", True, None, 1, "007", "nan")


@pytest.mark.parametrize(
    ("sql", "kind", "said"),
    [
        ("SELECT * FROM flght", FailureKind.SYNTAX, "There is no table flght. Did you mean flight?"),
        ("SELECT f.stop FROM flight f", FailureKind.SYNTAX, "The table flight has no column stop. Did you mean stops?"),
        ("SELECT 1 / 0", FailureKind.SYNTAX, "The query cannot be carried out: division by zero."),
        ("SELECT now()", FailureKind.FORBIDDEN, "The function current_timestamp is not allowed in a query."),
    ],
)
def test_a_failure_names_what_is_wrong(reading: Sandbox, sql: str, kind: FailureKind, said: str) -> None:
    failure = failure_of(reading, sql)
    assert (failure.kind, failure.message) == (kind, said)


def test_a_value_that_is_too_long_is_refused(server: Server) -> None:
    sandbox = server.sandbox(Limits(value_bytes=20))
    failure = failure_of(sandbox, "SELECT airport_name || airport_name FROM airport")
    assert failure.kind is FailureKind.TOO_LARGE
    sandbox.close()


def test_a_query_that_runs_too_long_is_stopped_and_the_next_one_works(server: Server) -> None:
    sandbox = server.sandbox(Limits(seconds=1))
    assert failure_of(sandbox, ENDLESS).kind is FailureKind.TIMEOUT
    assert sandbox.run("SELECT 1 AS one").rows == ((1,),)
    sandbox.close()


def test_cancel_stops_the_query_on_the_server(server: Server) -> None:
    sandbox = server.sandbox(Limits(seconds=600))
    sandbox.run("SELECT 1")
    failures: list[QueryFailure] = []
    thread = threading.Thread(target=lambda: failures.append(failure_of(sandbox, ENDLESS)))
    thread.start()
    wait_until(lambda: running(server) == 1)
    sandbox.cancel()
    thread.join(60)
    assert [failure.kind for failure in failures] == [FailureKind.CANCELLED]
    wait_until(lambda: running(server) == 0)
    sandbox.close()


def test_a_server_that_falls_silent_keeps_nobody_longer_than_a_second(server: Server) -> None:
    with relay_to(server.reader.host or "", server.reader.port or 0) as relay:
        address = server.reader.set(port=relay.port).render_as_string(hide_password=False)
        sandbox = Sandbox(address, Limits(seconds=2))
        sandbox.run("SELECT 1")
        failures: list[QueryFailure] = []
        began = time.monotonic()
        thread = threading.Thread(target=lambda: failures.append(failure_of(sandbox, ENDLESS)))
        thread.start()
        wait_until(lambda: running(server) == 1)
        relay.silent.set()
        thread.join(10)
        assert [failure.kind for failure in failures] == [FailureKind.TIMEOUT]
        assert time.monotonic() - began < 2 + 1 + SLACK
        sandbox.close()


def running(server: Server) -> int:
    """How many endless queries the server works on."""
    with server.administration.connect() as connection:
        return int(
            connection.execute(
                text(
                    "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND usename = :name AND query LIKE 'FETCH%'"
                ),
                {"name": server.reader.username},
            ).scalar_one()
        )


def wait_until(true: object) -> None:
    """Asks the server again and again; each question takes as long as an answer does, and there is an end."""
    end = time.monotonic() + 60
    while not true():  # type: ignore[operator]
        assert time.monotonic() < end


def test_a_server_that_drops_the_connection_is_used_again(server: Server) -> None:
    sandbox = server.sandbox()
    sandbox.run("SELECT 1")
    with server.administration.connect() as connection:
        connection.execute(
            text("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE usename = :name"),
            {"name": server.reader.username},
        )
    assert sandbox.run("SELECT 1 AS one").rows == ((1,),)
    sandbox.close()


def test_a_server_that_goes_away_in_the_middle_is_unavailable(server: Server) -> None:
    sandbox = server.sandbox(Limits(seconds=600))
    sandbox.run("SELECT 1")
    failures: list[QueryFailure] = []
    thread = threading.Thread(target=lambda: failures.append(failure_of(sandbox, ENDLESS)))
    thread.start()
    wait_until(lambda: running(server) == 1)
    with server.administration.connect() as connection:
        connection.execute(
            text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = :name"),
            {"name": server.reader.username},
        )
    thread.join(60)
    assert [failure.kind for failure in failures] == [FailureKind.UNAVAILABLE]
    assert sandbox.run("SELECT 1 AS one").rows == ((1,),)
    sandbox.close()


def test_a_server_that_goes_away_before_the_last_word_leaves_nothing_open(server: Server) -> None:
    engine = create_engine(server.reader)
    opened = []

    def ask() -> None:
        with engine.connect() as connection, server.administration.connect() as other:
            backend = connection.execute(text("SELECT pg_backend_pid()")).scalar_one()
            with _cursor(connection, "answer") as cursor:
                opened.append(cursor)
                cursor.execute(b"SELECT generate_series(1, 9)")
                other.execute(text("SELECT pg_terminate_backend(:backend)"), {"backend": backend})

    with pytest.raises(DBAPIError) as failure:
        ask()
    assert failure.value.connection_invalidated
    assert [cursor.closed for cursor in opened] == [True]
    engine.dispose()


def test_nobody_there_is_unavailable_in_one_sentence(server: Server) -> None:
    away = Sandbox(server.reader.set(port=1).render_as_string(hide_password=False))
    failure = failure_of(away, "SELECT 1")
    assert failure.kind is FailureKind.UNAVAILABLE
    assert failure.message == f"The domain database {server.reader.database} on 127.0.0.1 cannot be reached; try again."
    assert "only to read" not in failure.message
    away.close()


def test_a_role_that_may_write_is_refused(server: Server) -> None:
    owner = Sandbox(server.owner.url.render_as_string(hide_password=False))
    failure = failure_of(owner, "SELECT 1")
    assert failure.kind is FailureKind.FORBIDDEN
    assert "use one that may only SELECT" in failure.message
    assert owner.findings()
    owner.close()


@pytest.mark.parametrize(
    ("grant", "revoke", "right"),
    [
        ("GRANT INSERT ON city TO {0}", "REVOKE INSERT ON city FROM {0}", "may change the table public.city"),
        ("GRANT UPDATE (city_name) ON city TO {0}", "REVOKE UPDATE (city_name) ON city FROM {0}", "may change"),
        (
            "GRANT CREATE ON SCHEMA public TO {0}",
            "REVOKE CREATE ON SCHEMA public FROM {0}",
            "may create tables in the schema public",
        ),
        ("ALTER ROLE {0} CREATEDB", "ALTER ROLE {0} NOCREATEDB", "may create databases"),
        (
            "CREATE FUNCTION leak() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1';"
            " GRANT EXECUTE ON FUNCTION leak() TO {0}",
            "DROP FUNCTION leak()",
            "may call leak() with the rights of its owner",
        ),
        ("GRANT pg_read_server_files TO {0}", "REVOKE pg_read_server_files FROM {0}", "pg_read_server_files"),
    ],
)
def test_each_right_beyond_reading_is_found(server: Server, grant: str, revoke: str, right: str) -> None:
    name = server.reader.username
    reader = create_engine(server.reader)
    with server.owner.begin() as owner:
        owner.execute(text(grant.format(name)))
    with reader.connect() as connection:
        found = writing_rights(connection)
    with server.owner.begin() as owner:
        owner.execute(text(revoke.format(name)))
    with reader.connect() as connection:
        assert writing_rights(connection) == []
    reader.dispose()
    assert any(right in line for line in found)


def test_what_the_server_does_not_bound_is_named(server: Server) -> None:
    name = server.reader.username
    with server.owner.begin() as owner:
        bounded, unbounded = server.sandbox(), server.sandbox()
        assert bounded.findings() == ()
        bounded.close()
        owner.execute(text(f"ALTER ROLE {name} RESET temp_file_limit"))
        owner.execute(text(f"GRANT EXECUTE ON FUNCTION lo_creat(int), pg_sleep(float8) TO {name}"))
    temporary, functions = unbounded.findings()
    assert "temp_file_limit" in temporary
    assert "lo_creat(integer) and 1 others" in functions
    assert unbounded.run("SELECT 1").rows == ((1,),)
    unbounded.close()
