"""What the engine makes of requests, over a small library."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine as Connected

from domain.english.engine import Engine
from domain.english.model.domain import DomainError
from tests.domain.english.conftest import DOMAIN

Found = Callable[..., set[object] | None]


@pytest.mark.parametrize(
    ("request_", "books"),
    [
        ("show me all the books", {1, 2, 3, 4}),
        ("books by Ann Lee", {1, 2}),
        ("what books by ann lee are in sutton", {2}),
        ("books in norton or westbury", {1, 4}),
        ("books not in sutton", {1, 4}),
        ("books in sutton except by ann lee", {3}),
        ("the cheapest book in sutton", {2}),
        ("the longest book by ann lee", {2}),
        ("novels", {3, 4}),
        ("which books are novels in the west", {4}),
        ("books costing more than twenty dollars", {3}),
        ("books under $15", {1, 4}),
        ("books between 10 and 20 dollars", {1, 2}),
        ("books costing 5 dollars or 30 dollars", {3, 4}),
        ("books with more than 250 pages", {3, 4}),
        ("books with at least 300 pages", {3, 4}),
        ("books of 100 pages", {1}),
        ("books shown before noon", {1}),
        ("books shown around 2 pm", {3}),
        ("books shown in the afternoon", {3}),
        ("books shown at night", {4}),
        ("books shown between 8 am and 1 pm", {1, 2}),
        ("books in westburry", {4}),
        ("uh please could you show me um the books in in Norton", {1}),
        ("books in norton no in westbury", {4}),
        ("loans on monday", {1, 3}),
        ("authors with more than one book", {1}),
        ("which authors do not have books in sutton", {3}),
        ("authors who did not write books costing more than 25 dollars", {1, 3}),
        ("authors with books not in sutton", {1, 3}),
        ("authors who have at least 2 books", {1}),
        ("authors with fewer than 2 books", {2, 3}),
        ("authors with exactly 1 book", {2, 3}),
        ("authors without books", set()),
        ("books without loans", set()),
        ("loans from sutton to norton", {2}),
        ("sutton to norton loans", {2}),
        ("loans between norton and sutton", {1}),
        ("books in norton or by carl poe", {1, 4}),
        ("loans to or from norton", {1, 2}),
        ("loans from or to westbury on monday", {3}),
        ("loans between sutton and either norton or westbury", {2, 3}),
        ("loans from norton to sutton on monday or sutton to norton on tuesday", {1, 2}),
    ],
)
def test_requests_and_their_answers(found: Found, request_: str, books: set[object]) -> None:
    assert found(request_) == books


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        ("how many books are there", {4}),
        ("how many novels are in sutton", {1}),
        ("how much is the longest book", {5}),
        ("average price of books in sutton", {25.0}),
        ("sum of the prices of the books by ann lee", {30}),
        ("who is the writer of the cheapest book", {3}),
        ("what percentage of books are novels", {0.5}),
        ("is there a novel in norton", set()),
    ],
)
def test_requests_for_one_thing(found: Found, request_: str, answer: set[object]) -> None:
    assert found(request_) == answer


@pytest.mark.parametrize(
    "request_",
    [
        "how many books does each author have",
        "for each author how many books are there",
        "number of books per author",
        "count the books by author",
    ],
)
def test_counting_one_thing_for_each_of_another(library: Engine, library_database: Connected, request_: str) -> None:
    reading = library.ask(request_).readings[0]
    with library_database.connect() as link:
        assert {tuple(row) for row in link.exec_driver_sql(reading.sql)} == {(1, 2), (2, 1), (3, 1)}


@pytest.mark.parametrize(
    ("request_", "rows"),
    [
        ("which author has the most books", {(1, 2)}),
        ("which author has more books than any other author", {(1, 2)}),
        ("which author has the fewest books", {(2, 1), (3, 1)}),
        ("which author has the most novels", {(2, 1), (3, 1)}),
    ],
)
def test_those_with_the_most_of_another_thing(
    library: Engine, library_database: Connected, request_: str, rows: set[tuple[int, int]]
) -> None:
    most, table = library.ask(request_).readings
    with library_database.connect() as link:
        assert {tuple(row) for row in link.exec_driver_sql(most.sql)} == rows
        assert {tuple(row) for row in link.exec_driver_sql(table.sql)} > rows or request_.endswith("novels")


@pytest.mark.parametrize(
    "request_",
    [
        "books in the sixth",
        "at least books in norton",
        "books in norton but not",
        "authors with books in both norton and sutton",
    ],
)
def test_a_day_or_a_comparison_left_unused_is_no_answer(library: Engine, request_: str) -> None:
    assert library.ask(request_).readings == ()


@pytest.mark.parametrize(
    "request_",
    [
        "",
        "hello",
        "is the weather fine in paris today or does it rain",
        "asdf qwer",
        "books about gardening for beginners",
        "are there footstools in norton",
        "which books by my mother are in norton or in a museum",
        "rivers where does that lead",
    ],
)
def test_what_is_not_understood_has_no_reading(library: Engine, request_: str) -> None:
    assert library.ask(request_).readings == ()


def test_words_without_a_part_in_it_are_told(library: Engine) -> None:
    answered = library.ask("books about gardening for beginners")
    assert set(answered.unused) >= {"gardening", "beginners"}
    assert library.ask("books kept in norton").readings[0].unused == ("kept",)
    assert (
        library.ask("books kept in norton").readings[0].confidence
        < library.ask("books in norton").readings[0].confidence
    )


def test_yes_no_questions_have_a_second_reading(library: Engine, library_database: Connected) -> None:
    table, boolean = library.ask("are there novels in norton").readings
    assert table.minimal_columns == ("book_id",)
    assert boolean.minimal_columns == ("answer",)
    with library_database.connect() as link:
        assert link.exec_driver_sql(boolean.sql).scalar() == 0


def test_minimal_columns_are_told_from_those_for_the_screen(library: Engine) -> None:
    reading = library.ask("books in norton").readings[0]
    assert reading.minimal_columns == ("book_id",)
    assert "title" in reading.sql
    asked = library.ask("price of the books in norton").readings[0]
    assert asked.minimal_columns == ("price",)


def test_an_underspecified_request_is_asked_back(library: Engine) -> None:
    assert library.ask("loans to sutton").clarification == "From which branch?"
    assert library.ask("loans from norton to sutton").clarification is None
    assert library.ask("loans to sutton on monday").clarification is None


def test_the_paraphrase_says_what_was_understood(library: Engine) -> None:
    said = library.ask("the cheapest novels by ben oak in sutton for less than 40 dollars").readings[0].paraphrase
    assert said == "books by Ben Oak in Sutton costing under $40 fiction, only the cheapest"


def test_principles_are_cited_and_obeyed_by_set(tmp_path: Path, library_database: Connected) -> None:
    (tmp_path / "domain.toml").write_text(
        DOMAIN.replace("year = 1991", 'year = 1991\nprinciples = "plain"', 1)
        + "\n[principles.closed]\ninclusive = true\n"
    )
    plain = Engine(tmp_path, library_database)
    assert plain.ask("cheapest book").readings[0].principles == ("2.3.3",)
    noon = "books shown in the afternoon"
    assert "opens >" in plain.ask(noon).readings[0].sql
    (tmp_path / "domain.toml").write_text((tmp_path / "domain.toml").read_text().replace('"plain"', '"closed"', 1))
    assert "BETWEEN" in Engine(tmp_path, library_database).ask(noon).readings[0].sql


def test_a_domain_that_does_not_fit_the_database_is_told(tmp_path: Path, library_database: Connected) -> None:
    (tmp_path / "domain.toml").write_text(DOMAIN.replace('column = "author.name"', 'column = "author.nom"'))
    with pytest.raises(DomainError, match=r"kind.author.*author.nom"):
        Engine(tmp_path, library_database)


def test_it_is_pure_and_may_be_asked_from_threads(library: Engine) -> None:
    requests = ["books by ann lee", "the cheapest novel", "loans from norton", "how many books"] * 5
    alone = [library.ask(r) for r in requests]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(library.ask, requests)) == alone


def test_a_statement_in_the_dialect_of_the_database(library: Engine) -> None:
    sql = library.ask("books in norton").readings[0].sql
    assert "'NORTON'" in sql
    assert ":" not in sql


def test_it_does_not_dawdle_over_long_or_odd_requests(library: Engine) -> None:
    began = time.process_time()
    library.ask("books " * 200 + "in norton and " * 100)
    library.ask("x" * 2000)
    assert time.process_time() - began < 10  # a guard against explosion, not a measurement


@given(st.data())
def test_whatever_is_said_there_is_no_crash_and_every_statement_runs(
    library: Engine, library_database: Connected, data: st.DataObject
) -> None:
    vocabulary = sorted(library.lexicon.vocabulary)
    spoken = st.sampled_from([*vocabulary, "17", "1700", "9:30", "$", "qwer", "from", "to", "or", "and", "not"])
    words = data.draw(st.lists(spoken, max_size=9))
    context = data.draw(st.lists(st.lists(spoken, max_size=4).map(" ".join), max_size=2))
    for reading in library.ask(" ".join(words), context).readings:
        with library_database.connect() as link:
            link.exec_driver_sql(reading.sql.replace("%", "%%")).fetchall()
        assert 0 <= reading.confidence <= 1
