"""The same condition is the same in normal form, however it was written."""

import pytest
import sqlglot

from domain.proposal.normal_statement import normal_form

SAME = [
    ("x > 5", "5 < x"),
    ("x IN (1, 2)", "x = 1 OR x = 2"),
    ("x <> 1", "NOT x = 1"),
    ("x LIKE '%a%'", "instr(x, 'a') > 0"),
    ("NOT x LIKE '%a%'", "instr(x, 'a') = 0"),
    ("x IN (SELECT y FROM b WHERE z = 1)", "x = (SELECT y FROM b WHERE z = 1)"),
    ("NOT x IN (SELECT y FROM b)", "x <> (SELECT y FROM b)"),
]


def _form(sql: str) -> str:
    return normal_form(sqlglot.parse_one(sql, read="sqlite")).sql(dialect="sqlite")


@pytest.mark.parametrize(("one", "other"), SAME)
def test_conditions_of_one_sense_have_one_form(one: str, other: str) -> None:
    assert _form(f"SELECT k FROM a WHERE {one}") == _form(f"SELECT k FROM a WHERE {other}")


def test_what_an_outer_join_does_not_find_is_absent() -> None:
    sql = "SELECT a.k FROM a LEFT JOIN b ON b.k = a.k WHERE b.k IS NULL"
    assert _form(sql) == "SELECT a.k FROM a WHERE NOT EXISTS(SELECT 1 FROM b WHERE b.k = a.k)"


def test_an_outer_join_of_which_nothing_is_said_is_left_out() -> None:
    assert _form("SELECT a.k FROM a LEFT JOIN b ON b.k = a.k") == "SELECT a.k FROM a"


def test_a_selection_named_by_with_stands_where_it_is_named() -> None:
    assert _form("WITH c AS (SELECT k FROM a) SELECT k FROM c") == "SELECT k FROM (SELECT k FROM a) AS c"
