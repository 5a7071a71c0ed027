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
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url

from domain.database.load_rows import load
from domain.database.table_shape import shape
from domain.sandbox.postgres_role import make_reader
from domain.sandbox.sandbox import Limits, Sandbox
from session.values.answers import FailureKind, QueryFailure, Table

SECONDS = 0.5
SERVER_SECONDS = 2.0
MARGIN_SECONDS = 4.0
SERVER_MARGIN_SECONDS = 60.0
MARGIN_BYTES = 120_000_000
LIMITS = Limits(rows=100, seconds=SECONDS, bytes=1_000_000, scratch_bytes=100_000_000)

Ends = set[FailureKind | None]
FORBIDDEN: Ends = {FailureKind.FORBIDDEN}
SYNTAX: Ends = {FailureKind.SYNTAX}
TOO_LARGE: Ends = {FailureKind.TOO_LARGE}
TIMEOUT: Ends = {FailureKind.TIMEOUT}
STOPPED: Ends = {FailureKind.TIMEOUT, FailureKind.TOO_LARGE}
HARMLESS: Ends = {None}
"""An answer, that is to say: nothing to refuse."""


@dataclass(frozen=True)
class Attack:
    """A query, and the ways in which it may end."""

    name: str
    sql: str
    ends: Ends


def laughs(depth: int) -> str:
    """Common table expressions that each mention the last twice: 2**depth copies."""
    parts = ["t0 AS (SELECT code FROM thing)"]
    parts += [f"t{n} AS (SELECT a.code FROM t{n - 1} a, t{n - 1} b)" for n in range(1, depth)]
    return f"WITH {', '.join(parts)} SELECT count(*) FROM t{depth - 1}"


def doubling(times: int) -> str:
    """A text of 10 * 2**times characters, made without any function."""
    parts = ["d0(x) AS (SELECT 'aaaaaaaaaa')"]
    parts += [f"d{n}(x) AS (SELECT x || x FROM d{n - 1})" for n in range(1, times + 1)]
    return f"WITH {', '.join(parts)} SELECT x FROM d{times}"


BOTH = [
    Attack("insert", "INSERT INTO thing VALUES ('z', 1)", FORBIDDEN),
    Attack("update", "UPDATE thing SET amount = 0", FORBIDDEN),
    Attack("delete", "DELETE FROM thing", FORBIDDEN),
    Attack("drop", "DROP TABLE thing", FORBIDDEN),
    Attack("create", "CREATE TABLE loot (x integer)", FORBIDDEN),
    Attack("create as", "CREATE TABLE loot AS SELECT * FROM thing", FORBIDDEN),
    Attack("alter", "ALTER TABLE thing ADD COLUMN y integer", FORBIDDEN),
    Attack("index", "CREATE INDEX i ON thing (code)", FORBIDDEN),
    Attack("view", "CREATE VIEW v AS SELECT 1", FORBIDDEN),
    Attack("trigger", "CREATE TRIGGER g AFTER INSERT ON thing BEGIN DELETE FROM thing; END", FORBIDDEN),
    Attack("reindex", "REINDEX thing", FORBIDDEN),
    Attack("vacuum", "VACUUM", FORBIDDEN),
    Attack("analyze", "ANALYZE", FORBIDDEN),
    Attack("begin", "BEGIN", FORBIDDEN),
    Attack("commit", "COMMIT", FORBIDDEN),
    Attack("savepoint", "SAVEPOINT s", FORBIDDEN),
    Attack("explain", "EXPLAIN SELECT * FROM thing", FORBIDDEN),
    Attack("stacked", "SELECT 1; DELETE FROM thing", FORBIDDEN),
    Attack("stacked behind a comment", "SELECT 1; -- harmless\nDELETE FROM thing", FORBIDDEN),
    Attack("stacked behind a string", "SELECT ';' AS a; DROP TABLE thing", FORBIDDEN),
    Attack("verb behind a comment", "/* SELECT */ DELETE FROM thing", FORBIDDEN),
    Attack("delete in WITH", "WITH gone AS (DELETE FROM thing RETURNING *) SELECT * FROM gone", FORBIDDEN | SYNTAX),
    Attack("insert after WITH", "WITH a AS (SELECT 1) INSERT INTO thing SELECT 'z', 1 FROM a", FORBIDDEN),
    Attack("bracket out of the wrapper", "SELECT 1) AS q; DROP TABLE thing; --", FORBIDDEN),
    Attack("empty", "", SYNTAX),
    Attack("blanks", " \n\t ", SYNTAX),
    Attack("only comments", "-- one\n/* two */", SYNTAX),
    Attack("only semicolons", ";;;", SYNTAX),
    Attack("unfinished", "SELECT * FROM", SYNTAX),
    Attack("unfinished string", "SELECT 'abc", SYNTAX),
    Attack("unfinished comment", "SELECT 1 /* never ends", SYNTAX | HARMLESS),
    Attack("null character", "SELECT 'a\0b'", SYNTAX),
    Attack("half a surrogate", "SELECT '\ud800'", SYNTAX),
    Attack("no SQL at all", "show me the flights", SYNTAX | FORBIDDEN),
    Attack("placeholders", "SELECT * FROM thing WHERE code = %s OR code = :name OR code = ?", SYNTAX | TOO_LARGE),
    Attack(
        "endless recursion",
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 0 FROM c) SELECT count(*) FROM c",
        TIMEOUT,
    ),
    Attack(
        "endless rows",
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x FROM c) SELECT max(x) FROM c, thing, thing t",
        STOPPED,
    ),
    Attack("cross join", "SELECT count(*) FROM thing a, thing b, thing c, thing d", TIMEOUT),
    Attack(
        "sorted cross join",
        "SELECT a.code, b.code, c.code FROM thing a, thing b, thing c ORDER BY a.amount * b.amount - c.amount",
        STOPPED,
    ),
    Attack(
        "grouped cross join",
        "SELECT count(*) FROM thing a, thing b, thing c GROUP BY a.amount * b.amount + c.amount, c.code",
        STOPPED,
    ),
    Attack("doubled text", doubling(24), TOO_LARGE | TIMEOUT),
    Attack("repeat", "SELECT repeat('x', 1000000000)", FORBIDDEN),
    Attack("replace", "SELECT replace(replace('aaaaaaaaaa', 'a', 'aaaaaaaaaa'), 'a', 'aaaaaaaaaa')", FORBIDDEN),
    Attack("printf", "SELECT printf('%.*c', 1000000000, 'x')", FORBIDDEN),
    Attack("format", "SELECT format('%1000000000s', 'x')", FORBIDDEN),
    Attack("unknown function", "SELECT no_such_function(1)", FORBIDDEN | SYNTAX),
    Attack("a million characters", "SELECT " + "1 + " * 250_000 + "1", TOO_LARGE),
    Attack("deep brackets", "SELECT " + "(" * 2_000 + "1" + ")" * 2_000, TOO_LARGE),
    Attack("deep expression", "SELECT " + "NOT " * 3_000 + "1 = 1", TOO_LARGE | SYNTAX),
    Attack(
        "deep selections", "SELECT * FROM " + "(SELECT * FROM " * 90 + "thing" + ") AS t" * 90, HARMLESS | TOO_LARGE
    ),
    Attack("many unions", " UNION ALL ".join(["SELECT 1"] * 400), TOO_LARGE),
    Attack("many columns", "SELECT " + ", ".join(["code"] * 1_000) + " FROM thing", TOO_LARGE),
    Attack("many tables", "SELECT count(*) FROM " + ", ".join(f"thing t{n}" for n in range(200)), TOO_LARGE | TIMEOUT),
    Attack("long pattern", "SELECT 1 FROM thing WHERE code LIKE '" + "%a" * 3_000 + "'", TOO_LARGE),
    Attack("greedy pattern", "SELECT count(*) FROM thing WHERE code LIKE '%a%a%a%a%a%a%a%a%a%a%z'", HARMLESS),
    Attack("foreign letters", "SELECT 'Zürich – 東京 – \N{ROCKET}' AS place", HARMLESS),
    Attack("control characters", "SELECT 'a\x1b[31m\x07' AS shown", HARMLESS),
]

SQLITE = [
    *BOTH,
    Attack("copied expressions", laughs(40), TOO_LARGE),
    Attack("attach", "ATTACH DATABASE '/etc/passwd' AS p", FORBIDDEN),
    Attack("attach in memory", "ATTACH ':memory:' AS m", FORBIDDEN),
    Attack("detach", "DETACH main", FORBIDDEN),
    Attack("pragma", "PRAGMA writable_schema = 1", FORBIDDEN),
    Attack("pragma that reads", "PRAGMA table_info(thing)", FORBIDDEN),
    Attack("pragma as a table", "SELECT * FROM pragma_database_list", FORBIDDEN),
    Attack("vacuum into", "VACUUM INTO 'stolen.sqlite'", FORBIDDEN),
    Attack("schema", "SELECT sql FROM sqlite_master", FORBIDDEN),
    Attack("schema by its new name", "SELECT sql FROM sqlite_schema", FORBIDDEN | SYNTAX),
    Attack("statistics", "SELECT * FROM sqlite_stat1", FORBIDDEN | SYNTAX),
    Attack("load extension", "SELECT load_extension('/tmp/x.so')", FORBIDDEN),
    Attack("read file", "SELECT readfile('/etc/passwd')", FORBIDDEN | SYNTAX),
    Attack("write file", "SELECT writefile('x', 'y')", FORBIDDEN | SYNTAX),
    Attack("full text", "SELECT fts3_tokenizer('simple')", FORBIDDEN | SYNTAX),
    Attack("zeroblob", "SELECT zeroblob(1000000000)", FORBIDDEN),
    Attack("randomblob", "SELECT length(randomblob(1000000000))", FORBIDDEN),
    Attack("hex of a blob", "SELECT hex(zeroblob(500000000))", FORBIDDEN),
    Attack("quoted function", 'SELECT "zeroblob"(1000000000)', FORBIDDEN | SYNTAX),
    Attack("json", "SELECT * FROM json_each('[1, 2]')", FORBIDDEN),
    Attack("char", "SELECT char(1, 2, 3)", FORBIDDEN),
    Attack("random", "SELECT random()", FORBIDDEN),
    Attack("clock", "SELECT datetime('now')", FORBIDDEN),
    Attack(
        "group_concat",
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 1000000)"
        " SELECT group_concat('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa') FROM c",
        STOPPED,
    ),
    Attack(
        "pattern on a long text",
        doubling(12).replace("SELECT x FROM d12", "SELECT count(*) FROM d12, thing WHERE x LIKE '%aaaaaaaaaaaaaab%'"),
        STOPPED | HARMLESS,
    ),
    Attack(
        "glob on a long text",
        doubling(12).replace("SELECT x FROM d12", "SELECT count(*) FROM d12 WHERE x GLOB '*a*a*a*a*a*a*a*a*b'"),
        STOPPED | HARMLESS,
    ),
    Attack(
        "search in a long text",
        doubling(12).replace("SELECT x FROM d12", "SELECT sum(instr(x, x || 'b')) FROM d12, thing"),
        STOPPED | HARMLESS,
    ),
    Attack("no UTF-8", "SELECT CAST(x'ff80fe41' AS TEXT) AS broken", HARMLESS),
    Attack("infinity", "SELECT 9e999, -9e999", HARMLESS),
    Attack("sum too large", "SELECT sum(9223372036854775807) FROM thing", SYNTAX | TOO_LARGE),
]

POSTGRES = [
    *BOTH,
    Attack("copied expressions", laughs(40), TOO_LARGE),
    Attack("set", "SET statement_timeout = 0", FORBIDDEN),
    Attack("set by a function", "SELECT set_config('statement_timeout', '0', false)", FORBIDDEN),
    Attack("reset", "RESET ALL", FORBIDDEN),
    Attack("read write", "SET TRANSACTION READ WRITE", FORBIDDEN),
    Attack("copy out", "COPY thing TO PROGRAM 'cat'", FORBIDDEN),
    Attack("copy in", "COPY thing FROM '/etc/passwd'", FORBIDDEN),
    Attack("do", "DO $$ BEGIN PERFORM pg_sleep(60); END $$", FORBIDDEN),
    Attack("into", "SELECT * INTO loot FROM thing", FORBIDDEN),
    Attack("lock rows", "SELECT * FROM thing FOR UPDATE", FORBIDDEN),
    Attack("lock table", "LOCK TABLE thing", FORBIDDEN),
    Attack("sleep", "SELECT pg_sleep(60)", FORBIDDEN),
    Attack("sleep by its full name", "SELECT pg_catalog.pg_sleep(60)", FORBIDDEN),
    Attack("sleep in a condition", "SELECT 1 FROM thing WHERE pg_sleep(60) IS NULL", FORBIDDEN),
    Attack("sleep as a table", "SELECT * FROM pg_sleep(60)", FORBIDDEN),
    Attack("read file", "SELECT pg_read_file('/etc/passwd')", FORBIDDEN),
    Attack("large object", "SELECT lo_import('/etc/passwd')", FORBIDDEN),
    Attack("other database", "SELECT * FROM dblink('host=evil', 'SELECT 1') AS t(x integer)", FORBIDDEN),
    Attack("query in a function", "SELECT query_to_xml('SELECT pg_sleep(60)', true, true, '')", FORBIDDEN),
    Attack("stop others", "SELECT pg_terminate_backend(1)", FORBIDDEN),
    Attack("notify", "SELECT pg_notify('a', 'b')", FORBIDDEN),
    Attack("advisory lock", "SELECT pg_advisory_lock(1)", FORBIDDEN),
    Attack("passwords", "SELECT * FROM pg_shadow", FORBIDDEN),
    Attack("catalogue", "SELECT * FROM pg_catalog.pg_class", FORBIDDEN),
    Attack("information schema", "SELECT * FROM information_schema.tables", FORBIDDEN),
    Attack("endless series", "SELECT count(*) FROM generate_series(1, 1000000000000)", FORBIDDEN),
    Attack("call", "CALL something()", FORBIDDEN),
    Attack("prepare", "PREPARE p AS SELECT 1", FORBIDDEN),
    Attack("declare", "DECLARE c CURSOR FOR SELECT 1", FORBIDDEN),
    Attack("show", "SHOW ALL", FORBIDDEN),
    Attack("regular expression", "SELECT count(*) FROM thing WHERE code ~ '(a*)*b'", TOO_LARGE),
    Attack("escaped identifier", 'SELECT U&"\\0070g_sleep"(60)', FORBIDDEN | SYNTAX),
    Attack("division", "SELECT 1 / 0", SYNTAX),
]

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
        make_reader(connection, name, "it's \\ %secret%")
    reader = url.set(username=name, password="it's \\ %secret%").render_as_string(hide_password=False)
    sandbox = Sandbox(reader, msgspec.structs.replace(LIMITS, seconds=SERVER_SECONDS))
    yield sandbox
    sandbox.close()
    with engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM thing")).scalar_one() == len(ROWS["thing"])
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
