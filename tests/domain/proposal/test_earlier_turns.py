"""A request goes on from what a wizard put into SQL: from its meaning where all of it can be read, else from its rows alone."""

from collections.abc import Callable

import pytest
from sqlalchemy import Engine as Connected
from sqlalchemy import text

from domain.english.engine import Engine
from domain.proposal.earlier_turns import EarlierTurns
from domain.sandbox.database_schema import reflect
from session.values.answers import EarlierRequest, Table
from tests.domain.english.conftest import library, library_database, library_folder  # noqa: F401

Ask = Callable[[str, str], tuple[str, set[object]] | str]
SUTTON = "b.branch_code = br.branch_code AND br.town = 'SUTTON'"
LEE = "author_id IN (SELECT author_id FROM author WHERE name = 'ANN LEE')"


@pytest.fixture
def ask(library: Engine, library_database: Connected) -> Ask:  # noqa: F811
    def run(sql: str) -> Table:
        with library_database.connect() as link:
            found = link.execute(text(sql))
            columns, rows = tuple(found.keys()), [tuple(row) for row in found]
        return Table(columns, tuple(rows))

    turns = EarlierTurns(lambda: reflect(library_database), "sqlite", run)

    def asked(sql: str, request: str) -> tuple[str, set[object]] | str:
        earlier = EarlierRequest("what the wizard put right", run(sql), by_hand=True, sql=sql)
        answered = library.ask(request, turns.of(library, [earlier]))
        if not answered.readings:
            return answered.reason
        rows = run(answered.readings[0].sql).rows
        return answered.readings[0].paraphrase, {row[0] for row in rows}

    return asked


GOING_ON = [
    (f"SELECT b.book_id FROM book b, branch br WHERE {SUTTON}", "what about norton", "SELECT book_id FROM book b JOIN branch"
     " br ON b.branch_code = br.branch_code WHERE br.town = 'NORTON'"),
    ("SELECT book_id FROM book NATURAL JOIN branch WHERE town = 'SUTTON'", "what about norton", "SELECT book_id FROM book"
     " NATURAL JOIN branch WHERE town = 'NORTON'"),
    (f"SELECT DISTINCT b.book_id, b.title FROM book AS b WHERE {LEE}", "in sutton", "SELECT book_id FROM book b, branch br"
     f" WHERE {LEE} AND {SUTTON}"),
    (f"SELECT count(*) FROM book WHERE {LEE}", "and by ben oak", "SELECT count(*) FROM book WHERE author_id IN"
     " (SELECT author_id FROM author WHERE name = 'BEN OAK')"),
    ("SELECT book_id FROM book WHERE pages >= 200", "only the novels", "SELECT book_id FROM book WHERE pages >= 200"
     " AND fiction = 'YES'"),
    ("SELECT book_id FROM book WHERE fiction = 'YES'", "in sutton", f"SELECT book_id FROM book b, branch br WHERE fiction = 'YES'"
     f" AND {SUTTON}"),
    ("SELECT book_id FROM book WHERE price = (SELECT min(price) FROM book)", "in sutton", "SELECT book_id FROM book WHERE"
     " price = 20"),
    ("SELECT book_id FROM book WHERE pages > 200", "in sutton", f"SELECT book_id FROM book b, branch br WHERE pages > 200 AND"
     f" {SUTTON}"),
    # by the code of what a name stands for
    ("SELECT book_id FROM book WHERE author_id = 1", "in sutton", f"SELECT book_id FROM book b, branch br WHERE author_id = 1 AND"
     f" {SUTTON}"),
    ("SELECT EXISTS (SELECT 1 FROM book WHERE fiction = 'YES')", "in sutton", "SELECT book_id FROM book b, branch br WHERE"
     f" fiction = 'YES' AND {SUTTON}"),
    ("SELECT book_id FROM book WHERE pages > (SELECT avg(pages) FROM book)", "in sutton", "SELECT book_id FROM book b, branch br"
     f" WHERE pages > (SELECT avg(pages) FROM book) AND {SUTTON}"),
    ("SELECT book_id FROM book ORDER BY price LIMIT 1", "in sutton", "SELECT book_id FROM book WHERE price = 20"),
    ("SELECT author_id, count(*) FROM book GROUP BY author_id", "what about norton", "SELECT author_id FROM book b, branch br"
     " WHERE b.branch_code = br.branch_code AND br.town = 'NORTON'"),
    ("SELECT author_id FROM book GROUP BY author_id ORDER BY count(*) DESC LIMIT 1", "in norton", "SELECT author_id FROM book b,"
     " branch br WHERE b.branch_code = br.branch_code AND br.town = 'NORTON'"),
    ("SELECT book_id FROM book WHERE branch_code NOT IN (SELECT branch_code FROM branch WHERE town = 'NORTON')",
     "only the novels", "SELECT book_id FROM book WHERE fiction = 'YES' AND branch_code NOT IN (SELECT branch_code FROM branch"
     " WHERE town = 'NORTON')"),
    # by keys, where nothing more can be read:
    # the number of those of whom nothing can be read is still theirs
    ("SELECT count(*) FROM book WHERE pages * 2 > 600", "which ones are they", "SELECT book_id FROM book WHERE pages > 300"),
    ("SELECT title FROM book WHERE pages * 2 > 300 ORDER BY pages DESC", "how much is the first one",
     "SELECT price FROM book ORDER BY pages DESC LIMIT 1"),
]  # fmt: skip


@pytest.mark.parametrize(("sql", "request_", "right"), GOING_ON)
def test_a_request_goes_on_from_what_the_statement_means(
    ask: Ask,
    library_database: Connected,  # noqa: F811
    sql: str,
    request_: str,
    right: str,
) -> None:
    with library_database.connect() as link:
        rows = {row[0] for row in link.execute(text(right))}
    found = ask(sql, request_)
    assert not isinstance(found, str), found
    assert found[1] == rows
    assert rows


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT book_id FROM book WHERE pages * 2 > 600",
        "SELECT book_id FROM book LIMIT 2",
        "SELECT title FROM book UNION SELECT name FROM author",
    ],
)
def test_of_another_statement_only_the_rows_are_known(ask: Ask, sql: str) -> None:
    assert "an answer to SQL" in str(ask(sql, "what about norton"))


def test_a_meaning_that_brings_other_rows_than_were_shown_is_none(library: Engine, library_database: Connected) -> None:  # noqa: F811
    turns = EarlierTurns(lambda: reflect(library_database), "sqlite", lambda sql: Table(("book_id",), (("1",),)))
    shown = Table(("book_id",), (("4",),))
    (turn,) = turns.of(library, [EarlierRequest("x", shown, True, f"SELECT book_id FROM book WHERE {LEE}")])
    assert turn.meaning is None
