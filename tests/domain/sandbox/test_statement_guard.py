"""What is refused by its looks, before a database is asked."""

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.sandbox.statement_guard import Limits, check_text, tokens
from session.values.answers import FailureKind, QueryFailure


@pytest.mark.parametrize(
    ("sql", "seen"),
    [
        ("SELECT a.B, 'It''s' FROM t -- x", ["select", "a", ".", "b", ",", "'It''s'", "from", "t"]),
        ('SELECT "From" /* ; */ , [x y], `z`', ["select", "_from", ",", "_x y", ",", "z"]),
        ("1e9;--", ["1e9", ";"]),
        ("/* open", []),
        ("'open", ["'", "open"]),
        ('""', ["_"]),
    ],
)
def test_words_without_blanks_and_comments(sql: str, seen: list[str]) -> None:
    assert list(tokens(sql)) == seen


@pytest.mark.parametrize(
    "sql", ["SELECT 1", "select 1;", "  WITH a AS (SELECT 1) SELECT 1", "VALUES (1)", "(SELECT 1)"]
)
def test_reading_statements_pass(sql: str) -> None:
    check_text(sql, Limits())


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("update t set x = 1", "UPDATE is not allowed: the database is read-only here; use SELECT."),
        ("selct 1", "A query begins with SELECT, WITH or VALUES, not with 'selct'."),
        ("x" * 100, f"A query begins with SELECT, WITH or VALUES, not with '{'x' * 40}…'."),
        ("SELECT 1; SELECT 2", "Only one statement at a time: remove what follows the semicolon."),
        ("", "There is no query here: type a SELECT statement."),
    ],
)
def test_a_refusal_says_what_it_found(sql: str, said: str) -> None:
    with pytest.raises(QueryFailure) as caught:
        check_text(sql, Limits())
    assert caught.value.message == said


def test_a_semicolon_in_a_literal_or_a_comment_is_none() -> None:
    check_text("SELECT ';', \";\" /* ; */ -- ;\n FROM t", Limits())


def test_length_and_depth_are_limited() -> None:
    limits = Limits(statement_characters=40, expression_depth=3)
    check_text("SELECT (((1)))", limits)
    for sql in ("SELECT ((((1))))", "SELECT " + "1" * 40):
        with pytest.raises(QueryFailure) as caught:
            check_text(sql, limits)
        assert caught.value.kind is FailureKind.TOO_LARGE


def refusal(sql: str) -> str:
    """What is said against a statement; nothing when it passes."""
    try:
        check_text(sql, Limits())
    except QueryFailure as failure:
        return failure.message
    return ""


@given(st.text(max_size=200))
def test_any_text_is_passed_or_refused_and_never_breaks(text: str) -> None:
    for sql in (text, f"SELECT {text}"):
        assert "\n" not in refusal(sql)


@given(st.lists(st.sampled_from(["select", "'", '"', "--", "\n", "/*", "*/", ";", "drop", "(", ")", "$$", " "])))
def test_a_second_statement_is_never_hidden_by_quotes_and_comments(parts: list[str]) -> None:
    """What SQLite itself takes as several statements, the guard refuses too (or something before)."""
    sql = "".join(parts)
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute(sql)
        several = False
    except sqlite3.ProgrammingError as error:
        several = "one statement" in str(error)
    except sqlite3.Error:
        several = False
    finally:
        connection.close()
    if several:
        with pytest.raises(QueryFailure):
            check_text(sql, Limits())
