import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.formats.errors import FormatFault
from corpus.formats.sql import Statements, canonical, parse, parse_blocks, render, render_blocks

SOURCES = st.text("sel *=1'\";-/\n\t\\é", max_size=30)


def legal(source: str) -> str | None:
    try:
        return canonical(source)
    except ValueError:
        return None


@given(SOURCES)
def test_a_canonical_statement_is_its_own_canonical_form(source: str) -> None:
    if statement := legal(source):
        assert canonical(statement) == statement
        assert canonical(statement + " ;\n") == statement


@given(st.lists(SOURCES.map(legal).filter(bool), min_size=1, max_size=4))
def test_what_is_rendered_is_parsed_back(found: list[str]) -> None:
    statements = Statements(tuple(found))
    assert parse(render(statements), "x.sql") == statements
    assert parse_blocks(render_blocks(statements), "x.sq2") == statements


def test_blanks_and_comments_go_and_quotes_stay() -> None:
    source = "SELECT  a -- why\n FROM t /* all\nof it */ WHERE n = 'two  ;blanks -- here' AND \"odd  name\" = 'it''s';"
    assert canonical(source) == "SELECT a FROM t WHERE n = 'two  ;blanks -- here' AND \"odd  name\" = 'it''s'"


def test_blank_lines_separate_statements_that_run_over_lines() -> None:
    text = "SELECT a\nFROM t;\n\n\nSELECT b\n  FROM t\n"
    assert parse_blocks(text, "x.sq2").statements == ("SELECT a FROM t", "SELECT b FROM t")
    assert render_blocks(parse_blocks(text, "x.sq2")) == b"SELECT a FROM t;\n\nSELECT b FROM t;\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n\n", "x.sql: no statement"),
        ("SELECT 1;\n;", "x.sql:2: no statement"),
        ("SELECT 1; SELECT 2", "x.sql:1: more than one"),
        ("SELECT 'a", "x.sql:1: a quote"),
        ("SELECT 'a\nb'", "x.sql:1: a quote"),
        ("SELECT 1 " + "/* " * 400_000, "x.sql:1: a comment that is never closed"),
    ],
)
def test_a_line_that_is_no_statement_is_refused(text: str, message: str) -> None:
    with pytest.raises(FormatFault, match=message):
        parse(text, "x.sql")


def test_a_block_names_its_first_line() -> None:
    with pytest.raises(FormatFault, match=r"x\.sq2:3: a line end within quotes"):
        parse_blocks("SELECT 1\n\nSELECT 'a\nb'\n", "x.sq2")
