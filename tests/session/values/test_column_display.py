"""What people read in place of raw values, and that the answer's one layout keeps its promises with it."""

import doctest
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import session.values.column_display
from session.values.answers import Table, compose, rows_in_sight, rows_of
from session.values.column_display import ColumnReading, Form, clock
from session.values.sanitize import cells

FLIGHTS = rows_of(
    ["airline_code", "departure_time", "one_way_cost", "meal_code"],
    [["UA", 1740, 85, "D"], ["DL", 605, None, "?"], ["ZZ", 2575, 120, None]],
)
READING = (
    ColumnReading("airline", codes={"UA": "United", "DL": "Delta"}),
    ColumnReading("departs", Form.CLOCK),
    ColumnReading("one way", written="${}"),
    ColumnReading("meal", codes={"D": "dinner"}),
)


def test_the_examples_of_the_module_hold() -> None:
    assert doctest.testmod(session.values.column_display).failed == 0


def test_codes_times_amounts_and_headings_are_in_plain_words() -> None:
    assert compose(FLIGHTS, 80, 10, reading=READING, expand=True).split("\n") == [
        "airline  departs  one way  meal",
        "-------  -------  -------  ------",
        "United   5:40 pm      $85  dinner",
        "Delta    6:05 am        -  ?",
        "ZZ          2575     $120  -",
    ]


def test_without_expansion_codes_stay_and_times_are_times_all_the_same() -> None:
    lines = compose(FLIGHTS, 80, 10, reading=READING).split("\n")
    assert lines[2].split() == ["UA", "5:40", "pm", "$85", "D"]


def test_a_table_without_a_reading_is_written_as_it_is() -> None:
    assert compose(FLIGHTS, 80, 10) == compose(FLIGHTS, 80, 10, reading=(), expand=True)
    assert "1740" in compose(FLIGHTS, 80, 10)


def test_hidden_columns_are_left_out_in_words_and_rows_that_look_alike_stand_once() -> None:
    table = rows_of(["flight_id", "airline_code"], [[1, "UA"], [2, "DL"], [3, "UA"], [4, "ZZ"]])
    reading = (ColumnReading(hidden=True), READING[0])
    assert compose(table, 80, 2, reading=reading, expand=True) == "airline\n-------\nUnited\nDelta\n\n(2 of 3 rows)"
    assert compose(table, 80, 2, reading=reading).split("\n")[0] == "flight id  airline"
    seen = rows_in_sight(table, 2, reading, expand=True)
    assert seen == Table(table.columns, ((1, "UA"), (2, "DL"), (3, "UA")), True)
    assert rows_in_sight(table, 2, reading) == Table(table.columns, ((1, "UA"), (2, "DL")), True)
    alone = rows_of(["flight_id"], [[1], [2]])
    assert compose(alone, 80, 2, reading=reading[:1], expand=True) == "flight id\n---------\n        1\n        2"


def test_in_words_a_long_value_goes_over_lines_and_nothing_is_cut() -> None:
    table = rows_of(["to_airport", "departure_time", "meal"], [["DCA", 1225, "breakfast, snack"], ["BOS", 810, None]])
    reading = (ColumnReading("to", codes={"DCA": "Washington National", "BOS": "Boston"}), READING[1])
    assert compose(table, 30, 9, reading=reading, expand=True).split("\n") == [
        "to          departs meal",
        "---------- -------- ----------",
        "Washington 12:25 pm breakfast,",
        "National            snack",
        "Boston      8:10 am -",
    ]


@given(
    st.lists(st.lists(st.text("ab ", max_size=30), min_size=3, max_size=3), min_size=1, max_size=5), st.integers(20, 60)
)
def test_a_table_in_words_is_never_too_wide_and_holds_every_letter(rows: list[list[str]], width: int) -> None:
    text = compose(rows_of(["x", "y", "z"], rows), width, 9, expand=True)
    assert max(map(cells, text.split("\n"))) <= width
    letters = sum(len(value.replace(" ", "")) for row in rows for value in row)
    assert sum(map(text.count, "ab")) == letters


def test_the_question_stands_above_its_answer_even_when_nothing_was_found() -> None:
    text = compose(rows_of(["n"], []), 20, 10, summary="flights that leave boston before noon")
    assert text == "Flights that leave\nboston before noon\n\nNo matching entries…"
    assert compose(rows_of(["n"], [[3]]), 40, 10, summary="how many") == "How many\n\nn: 3"


@given(st.text(max_size=200), st.text(max_size=40), st.text(max_size=40), st.integers(20, 100))
def test_foreign_words_of_a_decoding_table_or_a_summary_are_inert_and_never_too_wide(
    summary: str, word: str, heading: str, width: int
) -> None:
    reading = (ColumnReading(heading, written="{} \x1b[2J", codes={"UA": word}),)
    table = rows_of(["code", "n"], [["UA", 1], ["DL", 2]])
    lines = compose(table, width, 10, reading=reading, expand=True, summary=summary).split("\n")
    assert max(map(cells, lines)) <= width
    assert not any("\x1b" in line or "\r" in line for line in lines)


@given(st.integers(-50, 3000))
def test_a_number_is_a_time_only_if_it_is_one(number: int) -> None:
    is_time = 0 <= number <= 2400 and number % 100 < 60
    assert bool(clock(number)) == is_time


def test_numbers_that_are_no_times_stay_numbers() -> None:
    read: Any = ColumnReading(form=Form.CLOCK).read
    assert [read(value, False) for value in (1275, True, None, 7.5, "x")] == ["1275", "yes", "-", "7.5", "x"]
