"""A set of principles decides a domain, and what cannot be followed is told."""

from pathlib import Path

import pytest
from sqlalchemy import Engine as Connected

from domain.english.engine import Engine
from domain.english.model.domain import DomainError
from tests.domain.english.conftest import DOMAIN

SET = """
name = "ours"
title = "ours"
version = "1"
dated = 1991-01-01
[[principle]]
id = "1"
title = "a"
text = "b"
source = "c"
dated = 1991-01-01
"""


def engine(folder: Path, database: Connected, principle: str, domain: str = DOMAIN, before: str = "") -> Engine:
    (folder / "domain.toml").write_text(domain)
    (folder / "principles.toml").write_text(before + SET + principle)
    return Engine(folder, database, principles="ours")


@pytest.mark.parametrize(
    ("rule", "request_", "sql"),
    [
        ('"period morning" = "({time_column} >= 700 AND {time_column} < 1100)"', "books shown in the morning",
         "book.opens >= 700 AND book.opens < 1100"),
        ('"clock =" = ["{time_column} = {time}", "{time_column} = ({time} + 1200) % 2400"]', "books shown at 12:30",
         "book.opens = 1230 OR book.opens = 30"),
        ('"clock between" = "{time_column} BETWEEN {first} AND {second}"', "books shown between 11 pm and 1 am",
         "book.opens BETWEEN 2300 AND 2401 OR book.opens BETWEEN -1 AND 100"),
        ('fiction = "book.pages > 1 AND book.author_id IN (SELECT author.author_id FROM author WHERE author.name IS NULL)"',
         "novels", "book.pages > 1 AND book.author_id IN (SELECT author_1.author_id"),
        ('''fiction = "instr(book.title, 'RIVER') > 0"''', "novels", "(instr(book.title, 'RIVER') > 0)"),
        ('longest = "book.price = (SELECT MAX(book.price) FROM book)"', "longest book", "book.price = (SELECT max("),
        ('"longest fiction" = "book.opens = (SELECT MAX(book.opens) FROM book)"', "longest novel", "book.opens = (SELECT max("),
        ('"asked price" = "SELECT book.pages FROM book"', "prices of books", "SELECT DISTINCT book.pages"),
        ('"asked author" = "SELECT author.name FROM book JOIN author ON book.author_id = author.author_id"',
         "books by ann lee and their authors", "JOIN author ON book.author_id = author.author_id"),
        ('"asked book" = "SELECT book.title, book.pages FROM book"', "books", "SELECT DISTINCT book.title AS title, book.pages"),
    ],
)  # fmt: skip
def test_a_rule_decides(tmp_path: Path, library_database: Connected, rule: str, request_: str, sql: str) -> None:
    reading = engine(tmp_path, library_database, f"[principle.rules]\n{rule}\n").ask(request_).readings[0]
    assert sql in reading.sql.replace("\n", "").replace("  ", " ")
    assert "1" in reading.principles or rule.startswith('"clock =')


@pytest.mark.parametrize(
    ("principle", "told"),
    [
        ('rules = { novel = "book.pages > 1" }', "decides 'novel', of which domain.toml has nothing"),
        ('rules = { fiction = "SELECT (" }', "the rule for 'fiction' cannot be followed"),
        ('rules = { "period morning" = "{time_column} > 5" }', "the rule for 'period morning' cannot be followed"),
        ("sets = { arround = 30 }", "no setting is called 'arround'"),
        ('sets = { around = "half an hour" }', "a setting does not fit"),
    ],
)
def test_what_cannot_be_followed_is_told(
    tmp_path: Path, library_database: Connected, principle: str, told: str
) -> None:
    with pytest.raises(DomainError, match=told):
        engine(tmp_path, library_database, principle)


@pytest.mark.parametrize(
    ("principle", "domain", "before", "told"),
    [
        ("sets = { around = 30 }", DOMAIN + "[principles.ours]\n", "", "ours stands in domain.toml and among the principles"),
        ("sets = { around = 30 }", DOMAIN, 'identifiers = { book = ["title"] }\n', "identifies book, and .* has a `key` too"),
        ("sets = { around = 30 }", DOMAIN.replace('key = ["book.book_id"]\n', ""), "", "book. has no key, and the set 'ours'"),
        ("sets = { around = 30 }", DOMAIN.replace("begin = 1200\n", ""), "", "period.afternoon. has no begin and end"),
        ("sets = { around = 30 }", DOMAIN.replace("""where = ["book.fiction = 'YES'"]""", ""), "", "flag.fiction. has no where"),
    ],
)  # fmt: skip
def test_a_thing_is_decided_once(
    tmp_path: Path, library_database: Connected, principle: str, domain: str, before: str, told: str
) -> None:
    with pytest.raises(DomainError, match=told):
        engine(tmp_path, library_database, principle, domain, before)


def test_a_set_of_before_that_executes_nothing_leaves_the_domain_its_conventions(
    tmp_path: Path, library_database: Connected
) -> None:
    old = engine(tmp_path, library_database, 'sql = "x > 1"\n', DOMAIN + "[principles.ours]\ninclusive = true\n")
    assert "BETWEEN" in old.ask("books shown in the morning").readings[0].sql
