"""The fence before a server, without a server: what it refuses in words, and what it lets through."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.database.solution_set import solution_query
from domain.sandbox.cte_expansion import check_expansion
from domain.sandbox.database_schema import Column, Schema, TableSchema
from domain.sandbox.sandbox import Sandbox
from domain.sandbox.statement_guard import Limits, check_text
from domain.sandbox.syntax_tree_guard import approved
from session.values.answers import FailureKind, QueryFailure
from tests.domain.sandbox.attacks import FORBIDDEN, POSTGRES, RESOLVED, Attack
from tests.domain.scenario_bank import bank, bindings

SCHEMA = Schema(
    tuple(
        TableSchema(name, tuple(Column(column) for column in columns.split()))
        for name, columns in {
            "flight": "flight_id x y z stops",
            "city": "city_code y z",
            "thing": "code amount",
            "fare": "fare_id z",
        }.items()
    )
)


def check(sql: str, schema: Schema = SCHEMA) -> str:
    check_text(sql, Limits())
    check_expansion(sql, Limits())
    return approved(sql, schema, "public", Limits())


SERVERS_WORK = {"a huge number by multiplying", "nested comments"}
REFUSED = [
    attack
    for attack in POSTGRES
    if attack.ends == FORBIDDEN or (attack in RESOLVED and attack.name not in SERVERS_WORK)
]


@pytest.mark.parametrize("attack", REFUSED, ids=lambda attack: attack.name)
def test_what_is_refused_does_not_reach_the_server(attack: Attack) -> None:
    with pytest.raises(QueryFailure) as caught:
        check(attack.sql)
    assert caught.value.kind in attack.ends


@pytest.mark.parametrize("call", ["lpad('x', 9, 'y')", "string_agg(x, ',')", "generate_series(1, 9)", "pg_sleep(9)"])
def test_a_refused_function_is_named_as_it_was_written(call: str) -> None:
    with pytest.raises(QueryFailure, match=f"The function {call.partition('(')[0]} is not allowed"):
        check(f"SELECT {call} FROM flight")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1",
        "SELECT * FROM flight;",
        "SELECT * FROM public.flight",
        "SELECT f.flight_id AS a FROM flight AS f JOIN city c ON f.x = c.y LEFT JOIN fare USING (z)",
        "SELECT f.* FROM (flight f NATURAL JOIN city) WHERE f.x = ANY (SELECT z FROM fare)",
        "SELECT a.b, a.count FROM (SELECT f.x AS b, count(*) FROM flight f GROUP BY 1) AS a ORDER BY count",
        "SELECT v.d FROM (VALUES (1, 2)) AS v(c, d) UNION SELECT x FROM flight ORDER BY d",
        "SELECT x FROM flight WHERE x IN (SELECT flight.x FROM flight WHERE EXISTS (SELECT 1 FROM fare WHERE z = flight.z))",
        "WITH a AS (SELECT x FROM flight), b(w) AS (SELECT x FROM a) SELECT b.w, sum(b.w) OVER (ORDER BY w) FROM b",
        "WITH a AS (SELECT 1 AS x) SELECT * FROM a UNION ALL SELECT 2 EXCEPT (SELECT 3)",
        "VALUES (1, 'a'), (2, 'b')",
        "(SELECT 1)",
        "SELECT count(DISTINCT x), min(y), max(y), sum(y), avg(y), lower(z), upper(z), round(y) FROM flight GROUP BY z",
        "SELECT CASE WHEN x > 1 THEN coalesce(y, 0) ELSE nullif(y, 1) END, substr(z, 1, 2), length(z) FROM flight",
        "SELECT row_number() OVER (PARTITION BY x ORDER BY y), rank() OVER (ORDER BY y) FROM flight",
        "SELECT * FROM flight WHERE x LIKE 'A%' AND y IN (SELECT z FROM city) AND EXISTS (SELECT 1 FROM fare)",
        "SELECT CAST(x AS integer), y::text, x BETWEEN 1 AND 2, NOT x IS NULL FROM flight",
        "SELECT date '1991-11-21', CAST('today' AS text), timestamp '1991-11-21 10:00', round(y, 2), round(y, -3) FROM flight",
        "SELECT x FROM flight ORDER BY x DESC NULLS LAST LIMIT 3 OFFSET 2",
        "SELECT x * 1.07 * y * 12 / 7 FROM (SELECT x * x AS x, y * 2 AS y FROM flight WHERE z = '9E3456') AS q",
        "SELECT CAST(x || '.' || y AS decimal) + 1 FROM flight",
        "SELECT CAST(x || '.' || y AS double precision) * 2 FROM flight",
        "SELECT CAST(substr(z, 1, 2) AS decimal) * 60 FROM flight",
        "SELECT sum(x) OVER (ORDER BY y ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE TIES) FROM flight",
        "SELECT sum(x) OVER w FROM flight WINDOW w AS (ORDER BY y), v AS (w ROWS 1 PRECEDING)",
        "SELECT timestamp '1991-11-21 10:00' + interval '1' day",
    ],
)
def test_what_a_wizard_needs_passes(sql: str) -> None:
    check(sql)


def test_every_solution_query_passes(sandbox: Sandbox) -> None:
    for scenario in bank():
        check(solution_query(scenario, bindings(scenario)), sandbox.schema())


def test_the_server_is_given_what_was_read() -> None:
    assert check("select F.X, /* leak( */ 'it''s \\' from flight f -- leak()") == (
        """SELECT "f"."x", 'it''s \\' FROM "public"."flight" AS "f\""""
    )
    assert check("SELECT 1 /* /* */ , pg_sleep(9) */") == "SELECT 1"


def test_a_word_in_the_place_of_a_name_is_a_name() -> None:
    """`current_role` in quotes is a column; without quotes the server would give its own."""
    assert check('SELECT current_role FROM (SELECT 1 AS "current_role") AS q').startswith('SELECT "current_role" FROM')


def test_a_column_may_be_written_in_any_letters_that_the_server_folds() -> None:
    assert check("SELECT FLIGHT.Stops FROM Flight") == 'SELECT "flight"."stops" FROM "public"."flight"'


@given(st.integers(1, 6).flatmap(lambda depth: st.lists(st.sampled_from("xyz"), min_size=depth, max_size=depth)))
def test_a_name_means_the_innermost_table_that_has_it(chosen: list[str]) -> None:
    """Whatever alias is used again at whatever depth: a column that its table lacks is never taken for a function."""
    sql = "SELECT 1"
    for name in chosen:
        sql = f"SELECT 1 FROM thing AS {name} WHERE EXISTS ({sql}) AND {name}.code = ''"
    check(sql)
    for name in set(chosen):
        with pytest.raises(QueryFailure, match="no column leak"):
            check(sql.replace(f"{name}.code", f"{name}.leak", 1))


@pytest.mark.parametrize(
    ("sql", "kind", "said"),
    [
        ("SELECT pg_sleep(1)", FailureKind.FORBIDDEN, "The function pg_sleep is not allowed in a query."),
        ("SELECT * FROM other.flight", FailureKind.FORBIDDEN, "other.flight is not part of the domain."),
        ("SELECT * FROM pg_authid", FailureKind.FORBIDDEN, "pg_authid is not part of the domain."),
        ("SELECT 1 FROM flight FOR SHARE", FailureKind.FORBIDDEN, "The database is read-only here; use SELECT."),
        ("SELECT * FROM flight WHERE x ~ 'a'", FailureKind.TOO_LARGE, "A pattern must be a short text after LIKE."),
        ("SELECT f.stop FROM flight f", FailureKind.SYNTAX, "The table flight has no column stop. Did you mean stops?"),
        ("SELECT * FROM flght", FailureKind.SYNTAX, "There is no table flght. Did you mean flight?"),
        ("SELECT (x).y FROM flight", FailureKind.FORBIDDEN, "(x).y is not allowed in a query."),
        ("SELECT 1 FROM thing t, city t", FailureKind.SYNTAX, "t names two different tables; rename one of them."),
        ("SELECT 1 FROM thing, thing", FailureKind.SYNTAX, "The table name thing occurs twice; rename one of them."),
        (
            f"SELECT 1 AS {'a' * 64}",
            FailureKind.TOO_LARGE,
            f"The name {'a' * 40}… is too long; use a shorter one.",
        ),
        ("SELECT ('now')::date", FailureKind.FORBIDDEN, "now changes from day to day; write the date or the time."),
        (
            "SELECT 1 FROM (VALUES (1)) AS v(a, b)",
            FailureKind.SYNTAX,
            "2 column names are given for 1 columns.",
        ),
    ],
)
def test_a_refusal_says_what_it_found(sql: str, kind: FailureKind, said: str) -> None:
    with pytest.raises(QueryFailure) as caught:
        check(sql)
    assert (caught.value.kind, caught.value.message) == (kind, said)
