"""Texts that a statement puts on the screen by itself: wherever they are hidden, they are found, and conditions are none."""

import pytest

from domain.sandbox.output_texts import output_texts


@pytest.mark.parametrize(
    ("sql", "texts"),
    [
        ("SELECT 'any text'", ("any text",)),
        ("SELECT fare_id FROM fare WHERE fare_basis = 'Q' AND note LIKE 'a%' ORDER BY 'x'", ()),
        ('SELECT city_name AS "ask for fares" FROM city', ("ask for fares",)),
        ("WITH t(please) AS (SELECT 'hello you') SELECT please FROM t", ("please", "hello you")),
        ("SELECT x.q FROM (SELECT 'call back' AS q) x JOIN city c ON c.state = 'CO'", ("q", "call back")),
        ("SELECT CASE WHEN stops = 'none' THEN 'say that again' END AS n FROM flight", ("n", "say that again")),
        ("SELECT group_concat(city_name, ' please ') AS n FROM city", ("n", " please ")),
        ('SELECT "hello there" FROM city', ("hello there",)),
        ("SELECT 'call me' = 'x'", ("call me", "x")),
        ("SELECT 1 + /* call me */ 2", (" call me ",)),
        ("SELECT x'63616c6c' AS n", ("n", "call")),
        ("VALUES ('one line'), ('another')", ("one line", "another")),
        ("SELECT (SELECT 'inner') AS n UNION SELECT 'outer'", ("n", "outer", "inner")),
        ("SELECT 'odd' FROM ((", ("odd",)),
    ],
)
def test_every_text_of_the_statement_s_own_is_found(sql: str, texts: tuple[str, ...]) -> None:
    assert sorted(output_texts(sql, "sqlite")) == sorted(texts)
