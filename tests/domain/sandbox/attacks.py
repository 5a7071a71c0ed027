"""Queries that somebody might type to break, change or stall the database, and how each may end."""

from dataclasses import dataclass

from session.values.answers import FailureKind

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


ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 0 FROM c)"


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


def chained(term: str, times: int) -> str:
    """The term put together with itself; a server keeps every text that is made on the way."""
    return "||".join([term] * times)


def products(number: str) -> str:
    """Many squares of a number in one row; the server takes a quarter of a second for each of 65,000 digits."""
    return "SELECT " + " + ".join([f"({number}) * ({number})"] * 100)


LONG_NUMBER = f"({'*'.join(['1e300'] * 430)})::text"

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
    Attack(
        "placeholders",
        "SELECT * FROM thing WHERE code = %s OR code = :name OR code = ?",
        SYNTAX | TOO_LARGE | FORBIDDEN,
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
    Attack("a chain of short texts", f"SELECT {chained('code', 20)} FROM thing", HARMLESS),
    Attack("foreign letters", "SELECT 'Zürich – 東京 – \N{ROCKET}' AS place", HARMLESS),
    Attack("control characters", "SELECT 'a\x1b[31m\x07' AS shown", HARMLESS),
]

SQLITE = [
    *BOTH,
    Attack("endless recursion", f"{ENDLESS} SELECT count(*) FROM c", TIMEOUT),
    Attack("endless rows", f"{ENDLESS} SELECT max(x) FROM c, thing, thing t", STOPPED),
    Attack("copied expressions", laughs(40), TOO_LARGE),
    Attack("attach", "ATTACH DATABASE '/etc/passwd' AS p", FORBIDDEN),
    Attack("attach in memory", "ATTACH ':memory:' AS m", FORBIDDEN),
    Attack("detach", "DETACH main", FORBIDDEN),
    Attack("pragma", "PRAGMA writable_schema = 1", FORBIDDEN),
    Attack("pragma that reads", "PRAGMA table_info(thing)", FORBIDDEN),
    Attack("pragma as a table", "SELECT * FROM pragma_database_list", FORBIDDEN),
    Attack("vacuum into", "VACUUM INTO 'stolen.sqlite'", FORBIDDEN),
    Attack("schema", "SELECT sql FROM sqlite_master", FORBIDDEN),
    Attack("size of the schema", "SELECT count(*) FROM sqlite_master", FORBIDDEN),
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
        "many patterns on a long text",
        doubling(12).replace(
            "SELECT x FROM d12",
            "SELECT count(*) FROM d12, thing, thing t WHERE "
            + " OR ".join(f"x LIKE '%{'_' * (150 + n)}b%'" for n in range(30)),
        ),
        STOPPED,
    ),
    Attack("glob", "SELECT 1 FROM thing WHERE code GLOB 'a*'", FORBIDDEN),
    Attack(
        "search in a long text",
        doubling(12).replace("SELECT x FROM d12", "SELECT sum(instr(x, x || 'b')) FROM d12, thing"),
        STOPPED | HARMLESS,
    ),
    Attack(
        "search for half of a long text",
        "WITH RECURSIVE g(n, t) AS (SELECT 0, 'aaaaaaaaaa' UNION ALL SELECT n + 1, t || t FROM g WHERE n < 12),"
        " l(t) AS MATERIALIZED (SELECT t FROM g WHERE n = 12)"
        " SELECT sum(instr(t, substr(t, 2, 20000) || 'b')) FROM l, thing, thing u, thing v",
        TIMEOUT,
    ),
    Attack("no UTF-8", "SELECT CAST(x'ff80fe41' AS TEXT) AS broken", HARMLESS),
    Attack("infinity", "SELECT 9e999, -9e999", HARMLESS),
    Attack("sum too large", "SELECT sum(9223372036854775807) FROM thing", SYNTAX | TOO_LARGE),
]

POSTGRES = [
    Attack(
        "regular expression after substr", "SELECT substring(code, '((a{1,255}){1,255}){1,255}') FROM thing", FORBIDDEN
    ),
    Attack("regular expression after FROM", "SELECT substring(code FROM '((a{1,255}){1,255})') FROM thing", FORBIDDEN),
    Attack("regular expression of a column", "SELECT substring(code, code) FROM thing", FORBIDDEN),
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

# Each reached a secret, wrote, waited or took gigabytes before names were resolved (audit of 2026-11-22).
RESOLVED = [
    Attack(
        "two names that are one for the server",
        f"SELECT (SELECT {'a' * 63}x.leak FROM thing {'a' * 63}y LIMIT 1) FROM (SELECT 1 AS leak) {'a' * 63}x",
        TOO_LARGE,
    ),
    Attack("a letter that the server does not fold", "SELECT t.leak FROM thing AS t(lea\N{KELVIN SIGN}, b)", SYNTAX),
    Attack("a huge number in a text", products("'1e65000'::numeric - 1"), TOO_LARGE),
    Attack("a huge number in a text beside a number", products("1.0 * '1e65000' - 1"), TOO_LARGE),
    Attack(
        "a huge number out of two texts",
        products("x - 1") + " FROM (SELECT ('1e6' || '5000')::numeric AS x) q",
        TOO_LARGE,
    ),
    Attack(
        "a huge number out of part of a text",
        products("x - 1") + " FROM (SELECT substr('x1e65000', 2)::numeric AS x) q",
        TOO_LARGE,
    ),
    Attack(
        "a huge number by squares",
        "WITH a AS (SELECT 99999999 AS x), b AS (SELECT x * x AS x FROM a), c AS (SELECT x * x * x * x AS x FROM b), d AS"
        " (SELECT x * x * x * x * x * x * x * x AS x FROM c) SELECT " + " + ".join(["x * x"] * 300) + " FROM d",
        TOO_LARGE,
    ),
    Attack("attribute notation sleeps", "SELECT (3::float8).pg_sleep", FORBIDDEN),
    Attack("attribute notation locks", "SELECT (42::bigint).pg_advisory_lock", FORBIDDEN),
    Attack("attribute notation writes", "SELECT (0::int).lo_creat", FORBIDDEN),
    Attack("a function of a row", "SELECT t.leak FROM thing t", SYNTAX),
    Attack("a function of a whole table", "SELECT thing.leak FROM thing", SYNTAX),
    Attack("a function of a value", "SELECT (amount).leak0 FROM thing", FORBIDDEN),
    Attack("a function of a joined row", "SELECT * FROM thing a JOIN thing b ON a.leak = b.leak", SYNTAX),
    Attack(
        "a name that ON sees further out",
        "SELECT 1 FROM thing x WHERE EXISTS (SELECT 1 FROM thing a JOIN thing b ON x.leak = '', (SELECT '' AS leak) x)",
        SYNTAX,
    ),
    Attack("a row as a value", "SELECT t FROM thing t", SYNTAX),
    Attack("a row as an argument", "SELECT count(t.*) FROM thing t", FORBIDDEN),
    Attack("SQL text in ts_stat", "SELECT * FROM ts_stat('SELECT to_tsvector(leak0(1))')", FORBIDDEN),
    Attack("SQL text by attribute notation", "SELECT ('SELECT leak0(1)'::text).ts_stat", FORBIDDEN),
    Attack("SQL text in an XML function", "SELECT query_to_xml('SELECT leak0(1)', true, true, '')", FORBIDDEN),
    Attack(
        "a catalogue under the name of a CTE further in",
        "SELECT s.* FROM (WITH pg_settings AS (SELECT 1 a) SELECT a FROM pg_settings) x, pg_settings s",
        FORBIDDEN,
    ),
    Attack(
        "a table under the name of a CTE further in",
        "SELECT s.* FROM (WITH other AS (SELECT 1 a) SELECT a FROM other) x, other s",
        SYNTAX,
    ),
    Attack("a catalogue", "SELECT rolname FROM pg_roles", FORBIDDEN),
    Attack("a function in FROM", "SELECT * FROM leak0(1)", FORBIDDEN),
    Attack("a function by name", "SELECT leak0(1)", FORBIDDEN),
    Attack(
        "doubling by recursion",
        "WITH RECURSIVE c(x) AS (SELECT 'a'::text UNION ALL SELECT x || x FROM c) SELECT max(x) FROM c",
        FORBIDDEN,
    ),
    Attack("padded texts", "SELECT " + ", ".join(["'a'::char(10485760)"] * 100), TOO_LARGE),
    Attack(
        "a function as the default of a cast",
        "SELECT CAST(code AS int DEFAULT leak0(1) ON CONVERSION ERROR)",
        FORBIDDEN,
    ),
    Attack(
        "a function as the format of a cast", "SELECT CAST(code AS text FORMAT 'a' AT TIME ZONE leak0(1))", FORBIDDEN
    ),
    Attack("the day of today", "SELECT CAST('today' AS date)", FORBIDDEN),
    Attack("the time of now", "SELECT timestamp ' Now '", FORBIDDEN),
    Attack("zeros after the point", "SELECT round(1.0, 16000)", TOO_LARGE),
    Attack("as many zeros as a column says", "SELECT round(1.0, amount * 100) FROM thing", TOO_LARGE),
    Attack(
        "a long chain of long numbers",
        f"SELECT length({chained('p', 100)}) FROM (SELECT {chained(LONG_NUMBER, 3)} AS p) AS a",
        TOO_LARGE,
    ),
    Attack("collected texts", "SELECT string_agg(a.code, b.code) FROM thing a, thing b, thing c", FORBIDDEN),
    Attack("a long literal doubled", doubling(14).replace("aaaaaaaaaa", "a" * 9_000), TOO_LARGE),
    Attack("a huge number", "SELECT 1e100000::numeric * 1e30000", TOO_LARGE),
    Attack(
        "a huge number by multiplying",
        doubling(12).replace("'aaaaaaaaaa'", "1e300::numeric").replace("||", "*"),
        SYNTAX | TOO_LARGE,
    ),
    Attack("an object's name", "SELECT 'pg_class'::regclass", FORBIDDEN),
    Attack("a function's name", "SELECT 'pg_sleep'::regproc", FORBIDDEN),
    Attack("XML", "SELECT '<!DOCTYPE a><a/>'::xml", FORBIDDEN),
    Attack("XML parsed", "SELECT xmlparse(document '<!DOCTYPE a><a/>')", FORBIDDEN | SYNTAX),
    Attack("a system column", "SELECT tableoid FROM thing", SYNTAX),
    Attack("a hidden user", "SELECT user", SYNTAX),
    Attack("the user", "SELECT current_user", FORBIDDEN),
    Attack("an operator by its full name", "SELECT 1 OPERATOR(pg_catalog.+) 1", FORBIDDEN | SYNTAX),
    Attack("an array", "SELECT ARRAY[1, 2]", FORBIDDEN),
    Attack("nested comments", "SELECT 1 /* /* */ , leak0(1) */", HARMLESS),
    Attack("an escaped literal", "SELECT E'\\', leak0(1) --'", FORBIDDEN),
    Attack("a literal between dollars", "SELECT $$a$$", FORBIDDEN),
    Attack("a side table", "SELECT * FROM thing, LATERAL (SELECT thing.leak) x", FORBIDDEN | SYNTAX),
    Attack("a sample", "SELECT code FROM thing TABLESAMPLE SYSTEM (1)", FORBIDDEN),
    Attack("many joins", "SELECT 1 FROM " + " CROSS JOIN ".join(f"thing t{n}" for n in range(80)), TOO_LARGE),
]
POSTGRES += RESOLVED
