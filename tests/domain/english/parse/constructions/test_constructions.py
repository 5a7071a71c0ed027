"""Constructions that say more than one condition, tried to their end: the rows of the answer and the words of the paraphrase."""

from collections.abc import Callable

import pytest
from sqlalchemy import Engine as Connected
from sqlalchemy import text

from domain.english.engine import Engine

Found = Callable[..., set[object] | None]
Rows = set[tuple[object, ...]]


@pytest.fixture(scope="module")
def minimal(library: Engine, library_database: Connected) -> Callable[[str], Rows | None]:
    """The minimal answer of the likeliest reading."""

    def ask(request: str) -> Rows | None:
        readings = library.ask(request).readings
        if not readings:
            return None
        with library_database.connect() as link:
            rows = link.execute(text(readings[0].sql)).mappings().all()
        return {tuple(row[name] for name in readings[0].minimal_columns) for row in rows}

    return ask


@pytest.mark.parametrize(
    ("request_", "books"),
    [
        ("the two cheapest books", {1, 4}),
        ("the cheapest two books", {1, 4}),
        ("three longest books", {2, 3, 4}),
        ("the two longest books in sutton", {2, 3}),
        ("the second longest book", {3}),
        ("the third cheapest book", {2}),
        ("the fifth cheapest book", set()),
        ("the nine cheapest books in norton", {1}),
    ],
)
def test_so_many_of_the_first_and_the_one_in_a_place(found: Found, request_: str, books: set[object]) -> None:
    assert found(request_) == books


def test_the_first_of_each_group(personnel: Engine, found: Found) -> None:
    reading = personnel.ask("oldest clerk in each department").readings[0]
    assert reading.paraphrase == "employees who are clerks, only the oldest for each department"
    assert found("the cheapest book of each author") == {1, 3, 4}
    assert found("the two cheapest books of each author") is None
    assert found("the cheapest book of each publisher") is None


def test_those_that_are_level_with_the_last_are_among_the_first(library: Engine, library_database: Connected) -> None:
    sql = library.ask("the two cheapest books").readings[0].sql
    with library_database.connect() as link, link.begin() as change:
        link.execute(text("UPDATE book SET price = 10 WHERE book_id = 3"))
        assert {row[0] for row in link.execute(text(sql))} == {1, 3, 4}
        change.rollback()


@pytest.mark.parametrize(
    ("request_", "rows"),
    [
        ("how many books are there by author", {(1, 2), (2, 1), (3, 1)}),
        ("number of novels by author", {(2, 1), (3, 1)}),
        ("how many different prices are there", {(4,)}),
    ],
)
def test_numbers_for_each_value_and_numbers_of_values(
    minimal: Callable[[str], Rows | None], request_: str, rows: Rows
) -> None:
    assert minimal(request_) == rows


@pytest.mark.parametrize(
    ("request_", "books"),
    [
        ("books cheaper than the average", {1, 4}),
        ("books longer than the average book", {3, 4}),
        ("books in sutton cheaper than the average", {2}),
        ("books with a price above the average", {2, 3}),
    ],
)
def test_comparisons_with_an_average_of_what_meets_the_same_conditions(
    found: Found, request_: str, books: set[object]
) -> None:
    assert found(request_) == books


def test_a_comparison_with_the_average_of_a_sort_says_of_which(found: Found, library: Engine) -> None:
    assert found("books cheaper than the average novel") == {1, 4}
    assert library.ask("books cheaper than the average novel").readings[0].paraphrase == (
        "books cheaper than the average of books fiction"
    )


@pytest.mark.parametrize(
    ("request_", "authors"),
    [
        ("authors with more than one book", {1}),
        ("authors with at least one novel", {2, 3}),
        ("authors with more than one novel", set()),
        ("authors with only novels", {2, 3}),
        ("authors where every book is a novel", {2, 3}),
        ("authors whose average price is over 12", {1, 2}),
    ],
)
def test_authors_by_their_books(found: Found, request_: str, authors: set[object]) -> None:
    assert found(request_) == authors


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ("departments with more than ten engineers", "departments with more than 10 employees who are engineers"),
        ("departments where everyone is a woman", "departments with employees, all of them female"),
        (
            "departments that have both engineers and clerks",
            "departments with employees who are engineers with employees who are clerks",
        ),
        (
            "employees with degrees from both stanford and harvard",
            "employees with a degree from Stanford with a degree from Harvard",
        ),
        ("which job title has the most women", "job title with the most employees female"),
        ("what is the most common job title", "job title with the most employees"),
        ("average salary by job title", "average salary of employees for each job title"),
        ("division with the highest average salary", "divisions with the highest average salary of employees"),
        (
            "departments whose average salary is over 40000",
            "departments with average salary of employees more than 40000",
        ),
        (
            "clerks who make less than the average clerk",
            "employees who are clerks make less than the average of employees who are clerks",
        ),
        ("two highest salaries", "salary of employees, only the 2 highest"),
        (
            "who works in the department with the most women",
            "employees of the departments with the most employees female",
        ),
    ],
)
def test_what_a_construction_means_is_said(personnel: Engine, request_: str, said: str) -> None:
    reading = personnel.ask(request_).readings[0]
    assert (reading.paraphrase, reading.unused) == (said, ())


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (
            "departments with engineers but no clerks",
            "departments with employees who are engineers without employees who are clerks",
        ),
        ("employees who have a phd but no masters degree", "employees with a PHD not with a MS"),
        ("departments and their average salaries", "average salary of employees for each of the departments"),
        ("departments and the number of women in each", "number of employees for each of the departments female"),
        ("departments with more women than men", "departments with more employees female than male"),
        (
            "departments with fewer than three women in dallas",
            "departments with fewer than 3 employees living in Dallas female",
        ),
        ("average age of the clerks", "average age of employees who are clerks"),
        ("the top five salaries", "salary of employees, only the 5 highest"),
        ("employees hired before henry kim", "employees hired before Henry Kim"),
    ],
)
def test_what_was_read_as_something_else_in_silence(personnel: Engine, request_: str, said: str) -> None:
    reading = personnel.ask(request_).readings[0]
    assert (reading.paraphrase, reading.unused) == (said, ())


def test_a_contrast_is_of_different_rows(air: Engine, found: Found) -> None:
    said = air.ask("airlines that serve boston but not denver").readings[0].paraphrase
    assert said == "airlines with flights to or from Boston without flights to or from Denver"
    assert found("books in sutton but not in norton") == {2, 3}


def test_neither_denies_both(personnel: Engine) -> None:
    said = personnel.ask("employees who are neither clerks nor secretaries").readings[0].paraphrase
    assert "not who are clerks" in said
    assert "not who are Secretary" in said


@pytest.mark.parametrize(
    "request_",
    [
        "salaries by job title",
        "minimum and maximum salary",
        "how many clerks and how many secretaries are there",
        "employees with at least two degrees from stanford",
        "departments with the most common average salary",
        "employees earning more than the average department",
        "authors with more than ten engineers",
    ],
)
def test_a_construction_that_does_not_fit_is_not_passed_over(personnel: Engine, request_: str) -> None:
    assert not [r for r in personnel.ask(request_).readings if r.confidence > 0.6]


@pytest.mark.parametrize(
    ("dialogue", "said"),
    [
        (["departments with more than three women", "more than ten"], "departments with more than 10 employees female"),
        (["departments with more than three women", "what about men"], "departments with more than 3 employees male"),
        (
            ["departments with more than three women", "with more than five engineers"],
            "departments with more than 5 employees who are engineers",
        ),
        (
            ["departments whose average salary is over 40000", "over 35000"],
            "departments with average salary of employees more than 35000",
        ),
        (
            ["oldest clerk in each department", "and the youngest"],
            "employees who are clerks, only the youngest for each department",
        ),
        (
            ["employees earning more than the average", "only the women"],
            "employees female earning more than the average of employees",
        ),
        (["average salary by job title", "only women"], "average salary of employees for each job title female"),
        (
            ["how many different job titles are there", "in department 45"],
            "number of different job title of employees in department 45",
        ),
    ],
)
def test_what_goes_on_from_a_construction(personnel: Engine, dialogue: list[str], said: str) -> None:
    *before, now = dialogue
    assert personnel.ask(now, before).readings[0].paraphrase.rpartition(") ")[2] == said
