"""The sandbox as its callers see it: rows within limits, one clear failure, stopping, and a database that comes and goes."""

import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from domain.sandbox.sandbox import Limits, Sandbox
from session.values.answers import FailureKind, QueryFailure

ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a file #1.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE person (person_id INTEGER PRIMARY KEY, name TEXT, photo BLOB)")
        connection.execute("CREATE TABLE office (office_id INTEGER PRIMARY KEY, town TEXT, rent NUMERIC)")
        connection.executemany(
            "INSERT INTO person VALUES (?, ?, ?)", [(number, f"name {number}", b"\x01") for number in range(50)]
        )
        connection.execute("INSERT INTO office VALUES (1, '0815', 12.5)")
    return path


@pytest.fixture
def sandbox(file: Path) -> Iterator[Sandbox]:
    opened = Sandbox(f"sqlite:///{file}", Limits(rows=10))
    yield opened
    opened.close()


def failure_of(sandbox: Sandbox, sql: str) -> QueryFailure:
    with pytest.raises(QueryFailure) as caught:
        sandbox.run(sql)
    return caught.value


def test_rows_come_with_their_columns(sandbox: Sandbox) -> None:
    table = sandbox.run("SELECT person_id, name FROM person WHERE person_id < 2 ORDER BY 1;")
    assert table.columns == ("person_id", "name")
    assert table.rows == ((0, "name 0"), (1, "name 1"))
    assert not table.more


@pytest.mark.parametrize(("wanted", "more"), [(9, False), (10, False), (11, True)])
def test_more_is_said_when_one_row_beyond_the_limit_exists(sandbox: Sandbox, wanted: int, more: bool) -> None:
    table = sandbox.run(f"SELECT * FROM person LIMIT {wanted}")
    assert (len(table.rows), table.more) == (min(wanted, 10), more)


def test_nothing_found_is_an_empty_table_and_no_failure(sandbox: Sandbox) -> None:
    table = sandbox.run("SELECT name FROM person WHERE person_id = -1")
    assert (table.columns, table.rows) == (("name",), ())


def test_a_string_of_digits_stays_a_string(sandbox: Sandbox) -> None:
    assert sandbox.run("SELECT town, rent FROM office").rows == (("0815", 12.5),)


def test_bytes_are_shown_in_hexadecimal(sandbox: Sandbox) -> None:
    assert sandbox.run("SELECT photo FROM person LIMIT 1").rows == (("01",),)


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT * FROM persn", "There is no table persn. Did you mean person?"),
        ("SELECT nme FROM person", "There is no column nme. Did you mean name?"),
        ("SELECT p.nme FROM person p", "The table person has no column nme. Did you mean name?"),
        ("SELECT p.nme FROM person AS p JOIN office o", "The table person has no column nme. Did you mean name?"),
        ("SELECT tow FROM office", "There is no column tow. Did you mean town?"),
        ("SELECT person.zzz FROM person", "The table person has no column zzz. There are: person_id, name, photo."),
        ("SELECT * FROM zzz", "There is no table zzz."),
        ("SELECT name FROM person WHERE", "The query is not well formed: incomplete input."),
    ],
)
def test_a_syntax_failure_names_what_is_wrong_and_what_is_near(sandbox: Sandbox, sql: str, said: str) -> None:
    failure = failure_of(sandbox, sql)
    assert (failure.kind, failure.message) == (FailureKind.SYNTAX, said)


def test_an_answer_of_too_many_bytes_is_refused(file: Path) -> None:
    sandbox = Sandbox(f"sqlite:///{file}", Limits(bytes=200))
    assert failure_of(sandbox, "SELECT * FROM person").kind is FailureKind.TOO_LARGE
    assert sandbox.run("SELECT name FROM person LIMIT 3").rows[2] == ("name 2",)


def test_a_value_that_is_too_long_is_refused(file: Path) -> None:
    sandbox = Sandbox(f"sqlite:///{file}", Limits(value_bytes=20))
    failure = failure_of(sandbox, "SELECT name || name || name || name FROM person")
    assert (failure.kind, failure.message) == (
        FailureKind.TOO_LARGE,
        "A value of the answer is longer than 20 bytes.",
    )


def test_a_query_that_runs_too_long_is_stopped(file: Path) -> None:
    sandbox = Sandbox(f"sqlite:///{file}", Limits(seconds=0.05), monotonic=time.process_time)
    assert failure_of(sandbox, ENDLESS).kind is FailureKind.TIMEOUT
    assert sandbox.run("SELECT 1 AS one").rows == ((1,),)


def test_the_clock_is_the_one_that_was_given(file: Path) -> None:
    times = iter(range(0, 1_000_000, 10))
    sandbox = Sandbox(f"sqlite:///{file}", Limits(seconds=35), monotonic=lambda: float(next(times)))
    failure = failure_of(sandbox, ENDLESS)
    assert failure.message == "The query was stopped after 35 s; ask for less or add a condition."


def test_ctrl_c_during_a_query_is_not_taken_for_a_timeout(file: Path) -> None:
    def pressed_while_it_runs() -> float:
        looks.append(0.0)
        if len(looks) == 3:
            raise KeyboardInterrupt
        return 0.0

    looks: list[float] = []
    sandbox = Sandbox(f"sqlite:///{file}", Limits(seconds=35), monotonic=pressed_while_it_runs)
    with pytest.raises(KeyboardInterrupt):
        sandbox.run(ENDLESS)
    assert sandbox.run("SELECT 1 AS one").rows == ((1,),)


class Clock:
    """The real clock, which also tells when a query is being worked on: once its deadline has been looked at."""

    def __init__(self) -> None:
        self.working = threading.Semaphore(0)
        self._looks: Counter[int] = Counter()

    def __call__(self) -> float:
        thread = threading.get_ident()
        self._looks[thread] += 1
        if self._looks[thread] == 3:  # the first two prepare the query, the third is taken while it runs
            self.working.release()
        return time.monotonic()


def started(sandbox: Sandbox, clock: Clock) -> tuple[threading.Thread, list[QueryFailure]]:
    """An endless query on its way in a thread of its own, and where its failure will be."""
    failures: list[QueryFailure] = []
    thread = threading.Thread(target=lambda: failures.append(failure_of(sandbox, ENDLESS)))
    thread.start()
    assert clock.working.acquire(timeout=60)
    return thread, failures


def test_cancel_stops_every_query_that_runs_and_only_those(file: Path) -> None:
    clock = Clock()
    sandbox = Sandbox(f"sqlite:///{file}", Limits(seconds=600), monotonic=clock)
    running = [started(sandbox, clock) for _ in range(2)]
    sandbox.cancel()
    for thread, failures in running:
        thread.join(60)
        assert [failure.kind for failure in failures] == [FailureKind.CANCELLED]
    assert sandbox.run("SELECT 1 AS one").rows == ((1,),)


def test_cancel_without_a_query_does_nothing(sandbox: Sandbox) -> None:
    sandbox.cancel()
    assert sandbox.run("SELECT 1 AS one").rows == ((1,),)


def test_a_closed_sandbox_stops_its_query_and_takes_no_other(file: Path) -> None:
    clock = Clock()
    sandbox = Sandbox(f"sqlite:///{file}", Limits(seconds=600), monotonic=clock)
    thread, failures = started(sandbox, clock)
    sandbox.close()
    thread.join(60)
    assert failures[0].kind is FailureKind.CANCELLED
    assert failure_of(sandbox, "SELECT 1").kind is FailureKind.UNAVAILABLE


def test_a_database_that_vanishes_is_unavailable_until_it_is_back(sandbox: Sandbox, file: Path) -> None:
    sandbox.run("SELECT * FROM person")
    away = file.rename(file.with_suffix(".away"))
    failure = failure_of(sandbox, "SELECT * FROM person")
    assert failure.kind is FailureKind.UNAVAILABLE
    assert failure.message == "The domain database a file #1.sqlite is not there; try again."
    away.rename(file)
    assert len(sandbox.run("SELECT * FROM office").rows) == 1


def test_a_database_that_was_never_there_is_not_created(tmp_path: Path) -> None:
    sandbox = Sandbox(f"sqlite:///{tmp_path / 'none.sqlite'}")
    assert failure_of(sandbox, "SELECT 1").kind is FailureKind.UNAVAILABLE
    assert sandbox.findings() == ("The domain database none.sqlite is not there; try again.",)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_database_is_unavailable(tmp_path: Path) -> None:
    path = tmp_path / "letter.sqlite"
    path.write_text("Dear Sir or Madam, " * 100)
    failure = failure_of(Sandbox(f"sqlite:///{path}"), "SELECT * FROM person")
    assert failure.kind is FailureKind.UNAVAILABLE
    assert failure.message == "The domain database letter.sqlite is not an SQLite database; try again."


def test_a_database_that_somebody_writes_is_unavailable_or_readable_but_never_stuck(
    sandbox: Sandbox, file: Path
) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as writer:
        writer.execute("BEGIN EXCLUSIVE")
        failure = failure_of(sandbox, "SELECT * FROM person")
        writer.execute("ROLLBACK")
    assert failure.kind is FailureKind.UNAVAILABLE
    assert "written by another program" in failure.message
    assert len(sandbox.run("SELECT * FROM office").rows) == 1


def test_several_threads_may_ask_at_once(sandbox: Sandbox) -> None:
    counts: list[int] = []
    threads = [
        threading.Thread(target=lambda: counts.append(len(sandbox.run("SELECT * FROM person LIMIT 7").rows)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert counts == [7] * 4


def test_the_schema_lists_tables_and_columns(sandbox: Sandbox) -> None:
    assert sandbox.schema().table_names == ("office", "person")
    assert sandbox.schema().columns_of("PERSON") == ("person_id", "name", "photo")
    assert sandbox.dialect == "sqlite"
    assert sandbox.findings() == ()


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("flights", "is not a database URL"),
        ("sqlite://", "needs a file"),
        ("mysql+pymysql://host/name", "cannot be read safely"),
    ],
)
def test_a_url_that_cannot_serve_is_refused_at_once(url: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Sandbox(url)
