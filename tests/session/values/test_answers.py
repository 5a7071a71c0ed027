"""One layout for preview, screen and log: nothing wider than the screen, nothing left out without a word."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from session.values.answers import LONGEST_VALUE, RECORD_LINES, Table, compose, digest, rows_of
from session.values.column_display import plainly as written
from session.values.sanitize import cells
from tests.session.strategies import tables

HARMFUL = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
WIDE = st.integers(20, 120)


@given(table=tables(), width=WIDE, rows_shown=st.integers(1, 5))
def test_no_line_is_wider_than_the_screen_and_none_comes_from_a_value(
    table: Table, width: int, rows_shown: int
) -> None:
    text = compose(table, width, rows_shown)
    lines = text.split("\n")
    assert max(map(cells, lines)) <= width
    assert [character for character in text if unicodedata.category(character) in HARMFUL and character != "\n"] == []
    if table.rows and (len(table.columns), len(table.rows)) != (1, 1):
        shown = min(rows_shown, len(table.rows))
        assert len(lines) >= 2 + shown
        assert "Entry 1" in lines or [line for line in lines if line.strip(" -") == ""]
    assert compose(table, width, rows_shown) == text


@given(count=st.integers(2, 60), shown=st.integers(1, 60), more=st.booleans())
def test_rows_that_are_left_out_are_counted(count: int, shown: int, more: bool) -> None:
    text = compose(rows_of(["n"], [[number] for number in range(count)], more), 80, shown)
    kept = min(count, shown)
    if more:
        assert text.endswith(f"({kept} rows of more than {count})")
    elif kept < count:
        assert text.endswith(f"({kept} of {count} rows)")
    else:
        assert "rows" not in text
    assert [line.strip() for line in text.split("\n")[2 : 2 + kept]] == [str(number) for number in range(kept)]


@given(columns=st.integers(2, 300), width=WIDE, rows=st.integers(1, 60))
def test_no_column_is_left_out_whatever_the_width(columns: int, width: int, rows: int) -> None:
    table = rows_of([f"c{number}" for number in range(columns)], [list(range(1000, 1000 + columns))] * rows)
    text = compose(table, width, 40)
    entries = text.count("Entry ")
    shown = entries or min(rows, 40)
    assert [text.count(f"{value}") for value in range(1000, 1000 + columns)] == [shown] * columns
    assert (f"({shown} of {rows} rows)" in text) == (shown < rows)
    assert entries * columns <= RECORD_LINES or entries == 1


def test_where_columns_would_be_unreadable_each_row_is_a_record() -> None:
    table = rows_of(["flight_code", "a_description", "when"], [[1, "dinner on board " * 3, "9:15 am"], [2, None, "-"]])
    assert compose(table, 24, 10) == "\n".join(
        [
            "Entry 1",
            "flight…  1",
            "a desc…  dinner on board",
            "         dinner on board",
            "         dinner on board",
            "when     9:15 am",
            "",
            "Entry 2",
            "flight…  2",
            "a desc…  -",
            "when     -",
        ]
    )


def test_a_heading_is_broken_over_lines_before_a_column_gives_way() -> None:
    table = rows_of(["flight_number", "round_trip_cost"], [[1, 10], [2, 20]])
    assert compose(table, 20, 10) == "\n".join(
        [
            "        round",
            "flight   trip",
            "number   cost",
            "------  -----",
            "     1     10",
            "     2     20",
        ]
    )


def test_columns_stand_closer_before_anything_is_cut() -> None:
    table = rows_of(["from", "to", "departs"], [["BOS", "DEN", "12:25 pm"]] * 2)
    assert compose(table, 17, 10).split("\n")[2] == "BOS  DEN 12:25 pm"
    assert compose(table, 18, 10).split("\n")[2] == "BOS  DEN 12:25 pm"
    assert compose(table, 19, 10).split("\n")[2] == "BOS   DEN  12:25 pm"


def test_a_value_longer_than_anybody_reads_ends_in_an_ellipsis() -> None:
    text = compose(rows_of(["a", "b", "c"], [["x" * 5000, "y", "z" * 40]] * 2), 20, 10)
    assert text.count("…") == 2
    assert text.count("x") == 2 * (LONGEST_VALUE - 1)


@given(table=tables(), width=WIDE)
def test_a_cell_that_was_cut_says_so(table: Table, width: int) -> None:
    """Every value of a shown column stands there whole, over however many lines, or something with an ellipsis does."""
    text = compose(table, width, 5)
    run_together = "".join(text.split())
    for row in table.rows:
        first = "".join(written(row[0]).split())
        assert first in run_together or "…" in text


def test_an_empty_result_is_an_answer_in_words() -> None:
    assert compose(rows_of(["a"], []), 80, 10) == "No matching entries were found."


def test_a_single_value_stands_by_its_name() -> None:
    assert compose(rows_of(["round_trip_cost"], [[1234.5]]), 80, 10) == "round trip cost: 1234.5"


def test_a_single_value_that_is_not_all_is_a_table() -> None:
    assert compose(rows_of(["n"], [[1]], more=True), 80, 10) == "n\n-\n1\n\n(1 rows of more than 1)"


def test_numbers_stand_right_and_texts_left() -> None:
    table = rows_of(["airline_code", "fare"], [["AA", 99.5], ["UA", None], ["DELTA", 1200]])
    assert compose(table, 80, 10) == "\n".join(
        [
            "airline code  fare",
            "------------  ----",
            "AA            99.5",
            "UA               -",
            "DELTA         1200",
        ]
    )


def test_wide_tables_give_way_where_they_are_widest() -> None:
    table = rows_of(["id", "description"], [[1, "a very long description indeed " * 3], [2, "short"]])
    lines = compose(table, 30, 10).split("\n")
    assert lines[2].startswith(" 1 a very long")
    assert lines[2].endswith("…")
    assert max(map(cells, lines)) == 30


def test_control_sequences_of_a_database_are_visible_signs() -> None:
    text = compose(rows_of(["a\x1b[1m", "b"], [["x\ny", "\x07"], ["\u202e", 1]]), 80, 10)
    assert "a␛[1m" in text
    assert "x␊y" in text
    assert "␇" in text
    assert "\u202e" not in text


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "-"), (True, "yes"), (False, "no"), (0.1 + 0.2, "0.3"), (1e20, "1e+20"), (-7, "-7"), ("x", "x")],
)  # fmt: skip
def test_values_are_written_for_people(value: str | float | None, text: str) -> None:
    assert written(value) == text


def test_rows_are_as_long_as_there_are_columns() -> None:
    with pytest.raises(ValueError, match="row 2 has 1 values for 2 columns"):
        rows_of(["a", "b"], [[1, 2], [3]])


def test_a_digest_is_over_the_text_in_utf_8() -> None:
    assert digest("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert digest("é") != digest("e\u0301")
