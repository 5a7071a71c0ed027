"""Words for codes come from the database's own tables, for the codes that occur, once; without them codes stay codes."""

import re
from pathlib import Path

import msgspec
import pytest

from domain.code_labels import MOST_WORDS, Decoding
from domain.english.model.domain import ColumnDisplay, DomainError, load_domain
from session.values.answers import FailureKind, QueryFailure, Table, compose, rows_of
from session.values.column_display import ColumnReading, Form
from study.rightness import Rightness, judge
from tests import ROOT

SHIPPED = ROOT / "scenarios"
AIRLINE = ColumnDisplay(
    heading="airline", decode="airline.airline_name", by="airline.airline_code", codes={"XX": "charter"}
)
ROWS = rows_of(["AIRLINE_CODE", "n"], [["UA", 1], ["XX", 2], ["??", 3], [None, 4]])


class Tables:
    """A database of one decoding table, that counts how often it is asked."""

    def __init__(self, table: Table | None) -> None:
        self.table = table
        self.asked: list[str] = []

    def run(self, sql: str) -> Table:
        self.asked.append(sql)
        if self.table is None:
            raise QueryFailure(FailureKind.UNAVAILABLE, "away")
        return self.table


def test_only_the_codes_that_occur_are_handed_on_and_the_table_is_read_once() -> None:
    tables = Tables(rows_of(["c", "t"], [["DL", "Delta"], ["UA", "United"]]))
    decoding = Decoding({"airline_code": AIRLINE, "departure_time": ColumnDisplay(form=Form.CLOCK)})
    for _ in range(3):
        reading = decoding.reading(ROWS, tables.run)
    assert reading == (ColumnReading("airline", codes={"UA": "United", "XX": "charter"}), ColumnReading())
    assert tables.asked == ["SELECT DISTINCT airline.airline_code, airline.airline_name FROM airline ORDER BY 1, 2"]


def test_a_table_that_cannot_be_read_is_tried_again_and_hinders_no_answer() -> None:
    tables = Tables(None)
    decoding = Decoding({"airline_code": AIRLINE})
    assert decoding.reading(ROWS, tables.run)[0].codes == {"XX": "charter"}
    tables.table = rows_of(["c", "t"], [["UA", "United"]])
    assert decoding.reading(ROWS, tables.run)[0].codes == {"UA": "United", "XX": "charter"}


@pytest.mark.parametrize(
    ("rows", "more", "words"),
    [
        ([["UA", "one"], ["UA", "two"]], False, {"UA": "one/two"}),
        ([["UA", str(number)] for number in range(MOST_WORDS + 1)], False, {}),
        ([["UA", "one"]], True, {}),
        ([[None, "one"], ["UA", None]], False, {}),
    ],
)
def test_several_meanings_are_all_given_and_what_is_no_decoding_table_gives_none(
    rows: list[list[str | None]], more: bool, words: dict[str, str]
) -> None:
    column = ColumnDisplay(decode="airline.airline_name", by="airline.airline_code")
    tables = Tables(rows_of(["c", "t"], rows, more))
    assert Decoding({"airline_code": column}).reading(ROWS, tables.run)[0].codes == words


def test_a_code_that_stands_beside_its_words_stays_a_code() -> None:
    tables = Tables(rows_of(["c", "t"], [["UA", "United"]]))
    asked = rows_of(["airline_code", "airline_name"], [["UA", "United"]])
    code, _ = Decoding({"airline_code": AIRLINE}).reading(asked, tables.run)
    assert (code.heading, code.codes) == ("airline", {})


def test_an_identifier_is_hidden_everywhere_or_beside_the_column_that_is_named() -> None:
    tables = Tables(rows_of(["c", "t"], [["UA", "United"]]))
    beside = msgspec.structs.replace(AIRLINE, hidden="airline_name")
    decoding = Decoding({"airline_code": beside, "flight_id": ColumnDisplay(hidden=True)})
    identifier, code, _ = decoding.reading(rows_of(["flight_id", "airline_code", "airline_name"], []), tables.run)
    assert (identifier.hidden, code.hidden) == (True, True)
    identifier, code = decoding.reading(rows_of(["flight_id", "airline_code"], [[1, "UA"]]), tables.run)
    assert (identifier.hidden, code.hidden, code.codes) == (True, False, {"UA": "United"})


def test_a_column_like_another_has_its_words_and_a_heading_of_its_own() -> None:
    columns = load_domain(SHIPPED / "air_travel").column
    reading = Decoding(columns).reading(rows_of(["from_airport", "to_airport"], [["BOS", "DFW"]]), Tables(None).run)
    assert [(one.heading, one.codes) for one in reading] == [("from", {"BOS": "Boston"}), ("to", {"DFW": "Dallas DFW"})]


def test_a_solution_in_words_is_as_right_as_one_in_codes() -> None:
    tables = Tables(rows_of(["c", "t"], [["US", "USAIR"]]))
    columns = load_domain(SHIPPED / "air_travel").column
    rows = Decoding(columns).worded(rows_of(["airline_code", "flight_number"], [["US", 201]]), tables.run)
    for declared in ("US 201", "US Air, flight 201", "usair 0201"):
        assert judge(declared, rows) is Rightness.RIGHT, declared
    assert judge("United 201", rows) is Rightness.WRONG_FORM
    assert judge("US Air 202", rows) is Rightness.WRONG


@pytest.mark.parametrize("domain", ["air_travel", "personnel"])
def test_the_shipped_domains_name_columns_that_exist(domain: str, tmp_path: Path) -> None:
    from domain.database.build import open_database
    from domain.sandbox.sandbox import Sandbox

    sandbox = Sandbox(open_database(SHIPPED / domain, tmp_path / "database").url)
    schema = sandbox.schema()
    columns = {f"{table.name}.{column.name}" for table in schema.tables for column in table.columns}
    names = {column.partition(".")[2] for column in columns}
    for name, column in load_domain(SHIPPED / domain).column.items():
        assert name in names or any(name.endswith(f"_{known}") for known in names), name
        assert {path for path in (column.by, column.decode) if path} <= columns
    sandbox.close()


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ('decode = "a.b"', "`decode` and `by` go together"),
        ('decode = "a.b"\nby = "c.d"', "columns of one table"),
        ('decode = "a.b; drop table a"\nby = "a.c"', "no table.column"),
        ('written = "dollars"', "it has no {}"),
        ('like = "y"', "name another [column.…]"),
        ('like = "x"', "name another [column.…]"),
    ],
)
def test_a_column_that_cannot_be_read_is_told_with_its_key(lines: str, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "domain.toml").write_text(
        f'[domain]\nname = "toy"\nentity = "a"\n[entity.a]\ntable = "a"\nkey = ["a.b"]\n[column.x]\n{lines}\n'
    )
    with pytest.raises(DomainError, match=r"\[column.x\]") as refusal:
        load_domain(tmp_path)
    assert complaint in str(refusal.value)


def test_an_answer_about_flights_is_one_table_at_80_columns_without_an_id_a_code_or_a_cut(tmp_path: Path) -> None:
    from domain.database.build import open_database
    from domain.sandbox.sandbox import Sandbox

    sandbox = Sandbox(open_database(SHIPPED / "air_travel", tmp_path / "database").url)
    decoding = Decoding.of(SHIPPED / "air_travel")
    shown = ", ".join(load_domain(SHIPPED / "air_travel").entity["flight"].display)
    for town, other in (("BOS", "DEN"), ("DFW", "DCA"), ("SFO", "ORD"), ("JFK", "LAX"), ("ORD", "BOS")):
        flights = sandbox.run(
            f"SELECT flight_id, {shown} FROM flight WHERE from_airport = '{town}' AND to_airport = '{other}'"
        )
        assert flights.rows
        text = compose(flights, 78, 40, reading=decoding.reading(flights, sandbox.run), expand=True)
        assert not {*re.findall("…|Entry", text)}, text
        assert {*re.findall(r"\b[A-Z][A-Z0-9/]+\b", text)} <= {"US", "TWA", "JFK", "DFW"}, text
        assert str(flights.rows[0][0]) not in text
    sandbox.close()
