"""SQL of an outside engine is said in English, held against the request, and against our own reading of it."""

from collections.abc import Sequence

import pytest
from sqlalchemy import Engine as Connected
from sqlalchemy import text

from domain.english.dialogue.references import EarlierTurn
from domain.english.engine import Engine
from domain.proposal.agreement import agree
from domain.proposal.check import AGAINST, ALONE, EACH_MARK, LEAST, ProposalCheck
from domain.sandbox.database_schema import reflect
from session.hub.query_runner import UnderstoodRequest
from session.values.answers import FailureKind, QueryFailure, Table, rows_of
from tests.domain.english.conftest import library, library_database, library_folder  # noqa: F401

IN_SUTTON = "b.branch_code = br.branch_code AND br.town = 'SUTTON'"
LOANS = (
    "SELECT l.book_id FROM loan l JOIN branch a ON l.from_branch = a.branch_code JOIN branch z ON z.branch_code = l.to_branch"
    " WHERE a.town = '{}' AND z.town = '{}'"
)
Asked = tuple[str, str, str, Sequence[str], Sequence[str]]
CASES: list[Asked] = [
    ("books in sutton", f"SELECT b.title FROM book b, branch br WHERE {IN_SUTTON}", "title of books in Sutton", (), ()),
    (
        "books by ann lee", "SELECT * FROM book WHERE author_id IN (SELECT author_id FROM author WHERE name = 'ANN LEE')",
        "books by Ann Lee", (), (),
    ),
    (
        "cheap books in sutton", f"SELECT title FROM book b JOIN branch br ON {IN_SUTTON} WHERE b.fiction = 'YES' AND pages < 9",
        "title of books in Sutton fiction with under 9 pages", ("fiction", "with under 9 pages"), ("cheap",),
    ),
    ("loans from norton to sutton", LOANS.format("NORTON", "SUTTON"), "book id of loans from Norton to Sutton", (), ()),
    (
        "loans from norton to sutton", LOANS.format("SUTTON", "NORTON"), "book id of loans from Sutton to Norton",
        ("from Sutton", "to Norton"), (),
    ),
    (
        "books with more than 200 pages", "SELECT title FROM book WHERE pages < 200", "title of books with under 200 pages",
        ("with under 200 pages",), (),
    ),
    (
        "the cheapest novel", "SELECT title FROM book WHERE fiction = 'YES' ORDER BY price LIMIT 1",
        "title of books fiction, only the first 1 by lowest price", (), (),
    ),
    (
        "how many books are not in norton",
        "SELECT count(*) FROM book WHERE NOT branch_code IN (SELECT branch_code FROM branch WHERE town = 'NORTON')",
        "number of books not (in Norton)", (), (),
    ),
    ("books", "SELECT title FROM book LIMIT 3", "title of books, only the first 3 of any order",
     ("only the first 3 of any order",), ()),
    ("books", "SELECT DISTINCT title FROM book JOIN loan ON book.book_id = loan.book_id", "title of books that have loans",
     ("that have loans",), ()),
    ("how many books per author", "SELECT author_id, count(*) FROM book GROUP BY author_id",
     "author id, number of books for each author id",
     (), ()),
    (
        "longer than the average book", "SELECT title FROM book WHERE pages > (SELECT avg(pages) FROM book)",
        "title of books where pages > (average pages of books)", (), (),
    ),
    ("books", "SELECT upper(title) FROM book WHERE length(title) % 7 = 3", "UPPER(title) of books where LENGTH(title) % 7 = 3",
     ("where LENGTH(title) % 7 = 3",), ()),
]  # fmt: skip


class Desk:
    """A check over the library, `ran` being what its database was asked."""

    def __init__(self, engine: Engine | None, database: Connected) -> None:
        self.ran: list[str] = []
        self._database = database
        schema = reflect(database)
        self._check = ProposalCheck((lambda: engine) if engine else None, lambda: schema, "sqlite", self._run)

    def _run(self, sql: str) -> Table:
        self.ran.append(sql)
        if "stopped" in sql:
            raise QueryFailure(FailureKind.CANCELLED, "Stopped.")
        with self._database.connect() as link:
            found = link.execute(text(sql))
            return rows_of(list(found.keys()), [tuple(row) for row in found])

    def understood(self, request: str, sql: str, *context: str) -> UnderstoodRequest:
        return self._check.understood(sql, "m-1", request, [EarlierTurn(turn) for turn in context])


@pytest.fixture(scope="module")
def desk(library: Engine, library_database: Connected) -> Desk:  # noqa: F811
    return Desk(library, library_database)


def test_each_condition_is_said_and_what_nobody_asked_for_or_what_was_passed_over_is_marked(desk: Desk) -> None:
    wrong = []
    for request, sql, paraphrase, unasked, unused in CASES:
        found = desk.understood(request, sql)
        if (found.paraphrase, found.unasked, found.unused) != (paraphrase, unasked, unused):
            wrong.append((request, found.paraphrase, found.unasked, found.unused))
        assert (found.sql, found.proposer) == (sql, "m-1")
    assert wrong == []


def test_the_same_rows_as_ours_make_it_surer_and_others_offer_ours_beside_it(desk: Desk) -> None:
    agreed = desk.understood("books in sutton", CASES[0][1])
    own = desk.understood("books in sutton", "SELECT title FROM book")
    assert agreed.confidence > 0.9
    assert agreed.others == ()
    assert own.confidence == round(AGAINST - EACH_MARK, 2)
    assert own.unused == ("sutton",)
    assert [other.paraphrase for other in own.others] == ["books in Sutton"]
    assert desk.understood("whatever is frobnicated", "SELECT title FROM book").confidence == ALONE - EACH_MARK
    marked = "SELECT title FROM book WHERE pages < 1 AND price < 2 AND opens < 3 AND book_id < 4 AND fiction = 'YES'"
    assert desk.understood("books in sutton", marked).confidence == LEAST
    with pytest.raises(QueryFailure):
        desk.understood("books in sutton", "SELECT 'stopped' FROM book")


def test_what_an_earlier_request_asked_for_is_said_first_and_not_marked(desk: Desk) -> None:
    sql = f"SELECT b.title FROM book b, branch br WHERE {IN_SUTTON} AND b.fiction = 'YES'"
    found = desk.understood("which of them are novels", sql, "books in sutton")
    assert found.paraphrase == "(from before: in Sutton) title of books fiction"
    assert (found.unasked, found.unused) == ((), ())
    assert "in Sutton" in desk.understood("which of them are novels", sql).unasked


def test_without_a_domain_the_names_of_tables_and_columns_serve(library_database: Connected) -> None:  # noqa: F811
    bare = Desk(None, library_database)
    found = bare.understood("loans from norton to sutton", LOANS.format("NORTON", "SUTTON"))
    assert found.paraphrase == "book id of loan with town Norton by from branch with town Sutton by to branch"
    assert (found.unasked, found.unused, found.confidence) == ((), (), ALONE)
    found = bare.understood("loans on friday", "SELECT * FROM loan WHERE day_name = 'MONDAY'")
    assert (found.unasked, found.unused) == (("with day name Monday",), ("friday",))
    assert bare.ran == []


@pytest.mark.parametrize(
    "sql",
    [
        "", "I am sorry.", "DELETE FROM book", "SELECT 1; SELECT 2", "SELECT", "SELECT 1", "SELECT * FROM nowhere WHERE x = 1",
        "VALUES (1)", "WITH a AS (SELECT * FROM book) SELECT * FROM a WHERE pages > 1", "SELECT " + "(" * 2000 + "1" + ")" * 2000,
        "SELECT a.* FROM (SELECT * FROM book) a WHERE EXISTS (SELECT 1 FROM loan l WHERE l.book_id = a.book_id)",
        "SELECT * FROM book b LEFT JOIN loan USING (book_id) WHERE day_name IS NULL OR NOT (pages BETWEEN 1 AND 2)",
        "SELECT EXISTS (SELECT * FROM book WHERE price = -1e999)", "SELECT * FROM book WHERE (pages, price) IN ((1, 2))",
        "SELECT title FROM book EXCEPT SELECT title FROM book WHERE pages IN (1, 2) ORDER BY 1 LIMIT 2 + 1",
        "SELECT author_id FROM book GROUP BY 1 HAVING count(*) > (SELECT count(*) FROM author) ORDER BY sum(price) LIMIT ALL",
    ],
)  # fmt: skip
def test_no_statement_however_odd_ends_in_an_error(library_database: Connected, sql: str) -> None:  # noqa: F811
    assert Desk(None, library_database).understood("books", sql).sql == sql


def test_rows_agree_in_what_answers_the_request() -> None:
    ours = rows_of(["id", "title"], [[1, "A"], [2, "B"]])
    assert agree(ours, ["id"], rows_of(["x"], [[2], [1], [1]]))
    assert agree(ours, ["id"], rows_of(["title"], [["B"], ["A"]]))
    assert agree(ours, ["id"], rows_of(["id", "more"], [[1, 9], [3, 9]])) is False
    assert agree(ours, ["id"], rows_of(["id"], [])) is False
    assert agree(rows_of(["id"], []), ["id"], rows_of(["id"], [])) is None
    assert agree(Table(("id",), ((1,),), more=True), ["id"], rows_of(["id"], [[1]])) is None
    assert agree(ours, ["id"], rows_of(["x", "y"], [["p", "q"]])) is None
