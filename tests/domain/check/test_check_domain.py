"""`curtain domain check`: each sort of fault at its line, and what would change a reading."""

import io
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from domain.commands.check_domain import check_command
from tests.domain.english.conftest import DOMAIN, ROWS, TABLES

TWICE = '"author", "book"'
FAULTY = (
    DOMAIN.replace('words = ["author", "authors", ', 'words = ["author", "book", ')
    .replace('"the west" = "WESTBURY"', '"the west" = "WESTERY"')
    .replace("book.fiction = 'YES'", "book.fiction = 'YESS'")
    + '[entity.shelf]\ntable = "shelf"\nkey = ["shelf.shelf_id"]\nwords = ["shelf"]\n[unit.weight]\nwords = { kilo = 1 }\n'
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with its database, and requests that somebody checked."""
    folder = tmp_path_factory.mktemp("checked")
    with closing(sqlite3.connect(folder / "library.sqlite")) as link, link:
        link.executescript(f"{TABLES} CREATE TABLE shelf (shelf_id INTEGER PRIMARY KEY)")
        for table, rows in ROWS.items():
            link.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)  # type: ignore[arg-type, index]
    return folder


def check(folder: Path, domain: str, *requests: str, database: str = "", today: str = "") -> tuple[int, list[str]]:
    (folder / "domain.toml").write_text(domain)
    out, err = io.StringIO(), io.StringIO()
    status = check_command(str(folder), requests, database, today, out, err)
    return status, (out.getvalue() + err.getvalue()).replace(f"{folder}/", "").splitlines()


def line_of(text: str, domain: str = FAULTY) -> int:
    return next(number for number, line in enumerate(domain.splitlines(), start=1) if text in line)


def test_each_fault_is_named_with_its_line_and_remedy(folder: Path) -> None:
    status, lines = check(folder, FAULTY)
    told = {line.split(": ")[0]: line for line in lines}
    assert status == 0
    assert "“book” is a word of two entities: [entity.book] comes first" in told[f"domain.toml:{line_of(TWICE)}"]
    assert "“the west” stands for 'WESTERY'" in told[f"domain.toml:{line_of('WESTERY')}"]
    assert "no row of book.fiction has 'YESS'" in told[f"domain.toml:{line_of('YESS')}"]
    assert '[[join]] tables = ["book", "shelf"]' in told[f"domain.toml:{line_of('[entity.shelf]')}"]
    assert "no attribute accepts its amounts" in told[f"domain.toml:{line_of('[unit.weight]')}"]
    misspelt = FAULTY.replace('after = ["day"]', "").replace('exchange = ["origin"', 'exchange = ["orgin"')
    status, lines = check(folder, misspelt.replace('select = ["book.pages"]', 'select = ["book.pagges"]'))
    assert status == 1
    assert [line.split(": ", 2)[2] for line in lines if ": error: " in line] == [
        "[attribute.pages] select: the database has no column book.pagges; write a column of book",
        "[swap.back] exchange: no attribute or flag is called orgin; did you mean `origin`?",
    ]


def test_kept_requests_are_asked_again(folder: Path) -> None:
    kept = folder / "requests.jsonl"
    kept.write_text(
        '{"question": "books by ann lee", "sql": ["SELECT 1", "SELECT book_id FROM book WHERE author_id = 1"]}\n\n'
        '{"question": "books in norton", "sql": "SELECT book_id FROM book"}\n{"question": "qwer", "sql": "SELECT 1"}\n'
        '{"question": "books by ann lee", "sql": "DROP TABLE shelf"}\n'
    )
    status, lines = check(folder, DOMAIN)
    kept.unlink()
    assert (status, [line.split(";")[0] for line in lines if "requests.jsonl" in line]) == (
        1,
        [
            "requests.jsonl:3: error: “books in norton” is read as “books in Norton”, which has other rows than the SQL kept",
            "requests.jsonl:4: error: “qwer” is not understood any more",
            "requests.jsonl:5: error: the SQL kept for “books by ann lee” fails: "
            "DROP is not allowed: the database is read-only here",
            "requests.jsonl: 1 of 4 kept requests hold",
        ],
    )


def test_a_request_is_explained_and_what_would_change_it_was_tried(folder: Path) -> None:
    status, lines = check(folder, DOMAIN, "show me tomes in norton")
    told = "\n".join(lines)
    assert status == 1
    assert " ! tomes    unknown" in told
    assert f"norton   [kind.town] (line {line_of('[kind.town]', DOMAIN)}) = 'NORTON', said of [attribute.place]" in told
    words = line_of('words = ["book"', DOMAIN)
    assert f"“tomes” in [entity.book] words (line {words}): books in Norton  [0.9" in told
    assert "   withheld: books in Norton" in told
    assert "      doubted: words that may change the answer were not used (not used: tomes)" in told
    status, lines = check(folder, DOMAIN, "books by ann lee", "and in sutton")
    told = "\n".join(lines)
    assert status == 0
    assert "1. (from before: by Ann Lee) " in told
    assert "book.branch_code = branch.branch_code: [attribute.place] accepts" in told


def test_why_another_scope_is_the_second_reading_is_told(folder: Path) -> None:
    _, lines = check(folder, DOMAIN, "books in norton", "by ann lee", "and the cheapest")
    at = next(n for n, line in enumerate(lines) if line.startswith("   2. "))
    assert lines[at].startswith("   2. (from before: in Norton) books in Norton")
    assert lines[at + 1].startswith("      it is about the list that the last one was narrowed from")


def test_what_cannot_be_checked_is_one_sentence(folder: Path, tmp_path: Path) -> None:
    assert check(tmp_path, DOMAIN)[0] == 2
    assert check(folder, "[domain")[0] == 2
    assert check(folder, DOMAIN, "   ") == (1, ["There is no word in it."])


def test_another_database_and_another_day_decide_the_reading(folder: Path, tmp_path: Path) -> None:
    database = f"sqlite:///{folder}/library.sqlite"
    assert check(tmp_path, DOMAIN)[0] == 2
    assert check(tmp_path, DOMAIN, database=database)[0] == 0
    dated = DOMAIN.replace('weekday = "loan.day_name"', 'date = "loan.day_name"')
    for today, day in (("", "June 3, 1991"), ("1991-06-05", "June 5, 1991")):
        status, lines = check(tmp_path, dated, "books today", database=database, today=today)
        assert status == 0
        assert f"   1. books on {day}  [0." in "\n".join(lines)
        assert any(line.startswith("      less sure by: relative day") for line in lines)
    assert check(tmp_path, DOMAIN, "books", database=database, today="soon")[0] == 2


def test_a_number_left_over_is_told_by_the_word_beside_it(folder: Path) -> None:
    undecided = DOMAIN.replace('default = 1\nselect = ["book.price"]', 'select = ["book.price"]')
    _, lines = check(folder, undecided, "books that took more than 300 people")
    line = line_of("[attribute.pages]", undecided)
    told = f"   “people” in [attribute.pages] trailing (line {line + 4}): books with over 300 pages"
    assert any(line.startswith(told) for line in lines[lines.index("What would change it") :]), lines


def test_a_request_that_no_line_helps_is_told_where_to_go(folder: Path) -> None:
    _, lines = check(folder, DOMAIN, "books unless they are novels")
    assert lines[-1].strip().startswith("no word of it: say it in other words, or keep its SQL in requests.jsonl")


def test_a_request_that_goes_on_from_a_lost_one_names_that(folder: Path) -> None:
    _, lines = check(folder, DOMAIN, "books by ann lee", "flibbers of the wonk", "which of those are in sutton")
    told = lines[lines.index("What would change it") + 1]
    assert told == "   what is missing for “flibbers of the wonk”, which was not understood: explain that one first"


def test_words_that_two_entries_share_are_one_finding(folder: Path) -> None:
    both = DOMAIN.replace('words = ["author"', 'words = ["book", "books", "author"')
    _, lines = check(folder, both)
    found = [line for line in lines if "of two entities" in line]
    assert len(found) == 1
    assert "“book”, “books” are words of two entities: [entity.book] comes first and is always meant" in found[0]
    assert "leave each to the one that is usually meant" in found[0]


def test_what_a_log_taught_the_memory_is_no_fault_of_the_grammar(folder: Path) -> None:
    kept = folder / "requests.jsonl"
    kept.write_text(
        '{"question": "qwer", "sql": "SELECT 1", "id": "lab-1:2", "note": "sent in SQL"}\n'
        '{"question": "books by ann lee", "sql": "SELECT title, book_id FROM book WHERE author_id = 1", "note": "sent in SQL"}\n'
    )
    status, lines = check(folder, DOMAIN)
    kept.unlink()
    assert status == 0
    assert (
        "requests.jsonl: 1 of 2 kept requests hold; the memory alone answers 1, as `domain grow --remember` meant"
        in lines
    )
