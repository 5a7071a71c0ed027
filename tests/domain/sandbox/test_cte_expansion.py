"""How large a statement may become while it is compiled: bounds that attacks exceed and plain queries do not."""

import pytest

from domain.sandbox.cte_expansion import check_expansion, copies, growth
from domain.sandbox.statement_guard import Limits, tokens
from session.values.answers import FailureKind, QueryFailure


def words(sql: str) -> list[str]:
    return list(tokens(sql))


def test_an_expression_mentioned_twice_is_copied_twice() -> None:
    assert copies(words("WITH a AS (SELECT 1 AS x) SELECT l.x FROM a l, a r")) == 2


def test_copies_of_copies_multiply() -> None:
    sql = (
        "WITH a AS (SELECT 1 AS x), b AS (SELECT 1 FROM a l, a r), c (y) AS (SELECT 1 FROM b, b r) SELECT * FROM c, c d"
    )
    assert copies(words(sql)) == 8


def test_a_quoted_name_is_the_name() -> None:
    assert copies(words("WITH \"a\" AS (SELECT 1) SELECT * FROM [a], `a`, 'a', A")) == 4


def test_a_qualifier_is_no_mention() -> None:
    assert copies(words("WITH a AS (SELECT 1 AS x) SELECT a.x, a.x, a.x FROM a")) == 1


def test_columns_of_inner_selections_multiply() -> None:
    assert growth(words("SELECT x || x FROM (SELECT y || y AS x FROM (SELECT z AS y FROM t))")) == 4


def test_a_selection_within_an_expression_counts_with_its_own() -> None:
    assert growth(words("SELECT x, (SELECT x || x) FROM (SELECT y AS x FROM t)")) == 3


def test_stars_and_numbers_of_columns_mention_every_column() -> None:
    assert growth(words("SELECT *, t.*, count(*), 2 * 3 FROM (SELECT y AS x FROM t ORDER BY 1, 1, f(1, 1), 1)")) == 12


def test_nested_conditions_do_not_multiply() -> None:
    inner = "SELECT a.k FROM a, b WHERE a.k = b.k AND a.k > 1"
    sql = f"SELECT a.k FROM a WHERE a.k IN ({inner} AND a.k IN ({inner} AND a.k IN ({inner})))"
    assert growth(words(sql)) < 20


def test_names_quoted_like_keywords_are_counted() -> None:
    level = "SELECT 'a' AS \"and\""
    for _ in range(20):
        level = f'SELECT "and" || "and" AS "and" FROM ({level})'
    with pytest.raises(QueryFailure) as caught:
        check_expansion(level, Limits())
    assert caught.value.kind is FailureKind.TOO_LARGE


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1",
        "",
        "(((",
        ")))",
        "with as ( from",
        "WITH",
        "SELECT * FROM (SELECT a, count(*) AS n FROM t GROUP BY a) q WHERE q.n > 1",
        "WITH a AS (SELECT k FROM t), b AS (SELECT k FROM a UNION SELECT k FROM u) SELECT * FROM a JOIN b ON a.k = b.k",
    ],
)
def test_plain_and_broken_text_passes(sql: str) -> None:
    check_expansion(sql, Limits())
