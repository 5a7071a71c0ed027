"""The fence before a server, without a server: what it refuses in words, and what it lets through."""

import pytest

from domain.database.solution_set import solution_query
from domain.sandbox.cte_expansion import check_expansion
from domain.sandbox.statement_guard import Limits, check_text
from domain.sandbox.syntax_tree_guard import check_parsed
from session.values.answers import FailureKind, QueryFailure
from tests.domain.sandbox.test_hostile_queries import FORBIDDEN, POSTGRES, Attack
from tests.domain.test_air_travel_scenarios import bank, bindings

TABLES = ("flight", "city", "thing", "fare")


def check(sql: str) -> None:
    check_text(sql, Limits())
    check_expansion(sql, Limits())
    check_parsed(sql, "postgres", TABLES, Limits())


@pytest.mark.parametrize("attack", [each for each in POSTGRES if each.ends == FORBIDDEN], ids=lambda each: each.name)
def test_what_is_forbidden_does_not_reach_the_server(attack: Attack) -> None:
    with pytest.raises(QueryFailure) as caught:
        check(attack.sql)
    assert caught.value.kind is FailureKind.FORBIDDEN


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1",
        "SELECT * FROM flight;",
        "SELECT * FROM public.flight",
        "SELECT f.flight_id AS a FROM flight AS f JOIN city c ON f.x = c.y LEFT JOIN fare USING (z)",
        "WITH a AS (SELECT 1 AS x) SELECT * FROM a UNION ALL SELECT 2 EXCEPT (SELECT 3)",
        "WITH RECURSIVE pg_own(x) AS (SELECT 1 UNION SELECT x + 1 FROM pg_own WHERE x < 9) SELECT x FROM pg_own",
        "VALUES (1, 'a'), (2, 'b')",
        "(SELECT 1)",
        "SELECT count(DISTINCT x), min(y), max(y), sum(y), avg(y), lower(z), upper(z), round(y) FROM flight GROUP BY z",
        "SELECT CASE WHEN x > 1 THEN coalesce(y, 0) ELSE nullif(y, 1) END, substr(z, 1, 2), length(z) FROM flight",
        "SELECT row_number() OVER (PARTITION BY x ORDER BY y), rank() OVER (ORDER BY y) FROM flight",
        "SELECT * FROM flight WHERE x LIKE 'A%' AND y IN (SELECT z FROM city) AND EXISTS (SELECT 1 FROM fare)",
        "SELECT CAST(x AS integer), y::text, x BETWEEN 1 AND 2, NOT x IS NULL FROM flight",
        "SELECT string_agg(x, ', ') FROM flight",
        "SELECT x FROM flight ORDER BY x DESC NULLS LAST LIMIT 3 OFFSET 2",
    ],
)
def test_what_a_wizard_needs_passes(sql: str) -> None:
    check(sql)


def test_every_solution_query_passes() -> None:
    for scenario in bank():
        sql = solution_query(scenario, bindings(scenario))
        check_text(sql, Limits())
        check_expansion(sql, Limits())
        check_parsed(sql, "postgres", (), Limits())


@pytest.mark.parametrize(
    ("sql", "kind", "said"),
    [
        ("SELECT pg_sleep(1)", FailureKind.FORBIDDEN, "The function pg_sleep is not allowed in a query."),
        ("SELECT * FROM other.flight", FailureKind.FORBIDDEN, "other.flight is not part of the domain."),
        ("SELECT * FROM pg_authid", FailureKind.FORBIDDEN, "pg_authid is not part of the domain."),
        ("SELECT 1 FROM flight FOR SHARE", FailureKind.FORBIDDEN, "The database is only read here, by SELECT."),
        ("SELECT * FROM flight WHERE x ~ 'a'", FailureKind.TOO_LARGE, "A pattern must be a short text after LIKE."),
    ],
)
def test_a_refusal_says_what_it_found(sql: str, kind: FailureKind, said: str) -> None:
    with pytest.raises(QueryFailure) as caught:
        check(sql)
    assert (caught.value.kind, caught.value.message) == (kind, said)
