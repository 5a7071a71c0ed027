"""Completion of tables and columns."""

from domain.sandbox.database_schema import Column, Schema, TableSchema
from session.state.fold import Attempt, SessionState
from session.values.answers import rows_of
from session.values.clock import Stamp
from session.values.vocabulary import Language
from wizard.core.completion.sql_names import of_schema, of_session

SCHEMA = Schema(
    (
        TableSchema("city", (Column("city_code"), Column("city_name"))),
        TableSchema("flight", (Column("flight_id"), Column("from_airport"))),
    )
)


def test_columns_of_the_tables_in_the_statement_come_first() -> None:
    names = of_schema(SCHEMA)
    assert names("fl", "SELECT fl FROM flight") == ("flight_id", "flight")
    assert names("c", "SELECT c FROM city")[0] == "city_code"


def test_an_alias_stands_for_its_table() -> None:
    names = of_schema(SCHEMA)
    assert names("f.fl", "SELECT f.fl FROM city c JOIN flight AS f ON 1") == ["f.flight_id"]
    assert names("c.", "SELECT c. FROM city c, flight f") == ["c.city_code", "c.city_name"]
    assert names("city.city_n", "") == ["city.city_name"]
    assert names("x.", "SELECT 1 FROM flight WHERE x") == []


def test_an_attached_console_offers_what_it_has_seen() -> None:
    attempt = Attempt(
        attempt="a", take="t", language=Language.SQL, text="", submitted=Stamp("", 0, 0),
        sql="SELECT fare_id FROM fare WHERE note = 'flat fee'", table=rows_of(["amount"], [[1]]),
    )  # fmt: skip
    states = [SessionState(), SessionState(attempts={"a": attempt})]  # type: ignore[arg-type]
    names = of_session(lambda: states[-1])
    assert names("fa", "") == ["fare_id", "fare"]
    assert names("f.am", "") == ["f.amount"]
    assert names("fl", "") == []
    assert names("sel", "") == []
    states.pop()
    assert names("fa", "") == ["fare_id", "fare"]
