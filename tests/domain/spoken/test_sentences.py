"""Rows as people say them: templates, what is left out, how many there are, and files that are refused."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.spoken.sentences import SpokenForm, SpokenFormError, load_spoken_form
from session.values.answers import Table, rows_of
from session.values.column_display import ColumnReading, Form
from tests import ROOT

FLIGHT = ("airline_code", "flight_number", "from_airport", "to_airport", "departure_time", "arrival_time", "stops")
CLOCK = ColumnReading(form=Form.CLOCK)
READING = (
    ColumnReading(codes={"UA": "UNITED AIRLINES"}),
    ColumnReading(),
    ColumnReading(codes={"BOS": "LOGAN INTERNATIONAL"}),
    ColumnReading(codes={"DEN": "STAPLETON"}),
    CLOCK,
    CLOCK,
    ColumnReading(),
)


@pytest.fixture(scope="module")
def air() -> SpokenForm:
    return load_spoken_form(ROOT / "scenarios" / "air_travel")


def flights(count: int, more: bool = False) -> Table:
    return Table(FLIGHT, tuple(("UA", 100 + number, "BOS", "DEN", 855, 1030, 0) for number in range(count)), more)


def test_a_hidden_column_is_not_said() -> None:
    table = rows_of(["flight_id", "stops", "meal"], [[101107, 1, "snack"]])
    assert SpokenForm().say(table, (ColumnReading(hidden=True),), 3) == "Stops one, meal snack."
    assert (
        SpokenForm().say(rows_of(["flight_id", "meal"], [[101107, "snack"]]), (ColumnReading(hidden=True),), 3)
        == "Snack."
    )


def test_a_flight_is_said_as_people_say_it(air: SpokenForm) -> None:
    assert air.say(flights(1), READING, 3) == (
        "United Airlines flight one hundred leaves Logan International at eight fifty-five a.m. and arrives at Stapleton at "
        "ten thirty a.m., nonstop."
    )


def test_many_are_counted_first_and_the_rest_last(air: SpokenForm) -> None:
    said = air.say(flights(15), READING, 3)
    assert said.startswith("Fifteen flights were found. United Airlines flight one hundred leaves")
    assert said.endswith("nonstop. And twelve more.")
    assert said.count(" leaves ") == 3
    assert air.say(flights(15, more=True), READING, 1).endswith("And many more.")
    assert air.say(flights(15, more=True), READING, 1).startswith("More than fifteen flights were found.")


def test_nothing_and_a_summary(air: SpokenForm) -> None:
    assert air.say(flights(0), READING, 3) == "No matching entries were found."
    assert air.say(flights(1), READING, 0) == "One flight was found."
    assert air.say(flights(2), READING, 0) == "Two flights were found."


def test_a_part_whose_value_is_unknown_is_left_out_and_a_needed_one_is_called_so(air: SpokenForm) -> None:
    row = ("UA", 100, None, "DEN", 855, None, None)
    assert air.say(Table(FLIGHT, (row,)), READING, 1) == (
        "United Airlines flight one hundred leaves unknown at eight fifty-five a.m."
    )


def test_rows_that_sound_alike_are_said_and_counted_once(air: SpokenForm) -> None:
    table = Table(("airline_code", "airline_name", "flight_id"), tuple(("UA", "UNITED", index) for index in range(9)))
    assert air.say(table, (), 3) == "United."


def test_without_a_template_columns_are_said_one_by_one() -> None:
    table = Table(("total_cost", "day"), ((230, "1991-07-04"), (None, None)))
    assert SpokenForm().say(table, (ColumnReading(written="${}"),), 1) == (
        "Two answers were found. Total cost two hundred thirty dollars, day July fourth, nineteen ninety-one. And one more."
    )
    assert (
        SpokenForm().say(Table(("n",), ((1,), (2,), (3,))), (), 2)
        == "Three answers were found. One and two. And one more."
    )


@given(
    rows=st.lists(
        st.tuples(*[st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)] * 2), max_size=5
    ),
    most=st.integers(0, 6),
)
def test_whatever_a_database_gives_can_be_said_in_one_line(rows: list[tuple[object, object]], most: int) -> None:
    table = Table(("flight_number", "departure_time"), tuple(rows))  # type: ignore[arg-type]
    for form in (SpokenForm(), load_spoken_form(ROOT / "scenarios" / "air_travel")):
        said = form.say(table, (ColumnReading(), CLOCK), most)
        assert said.strip()
        assert "\n" not in said


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('[[sentence]]\nsay = "nothing"', "names no column"),
        ('[[sentence]]\nsay = "[{a}]"', "names no column"),
        ('[[sentence]]\nsay = "{a} [b"', "stands alone"),
        ('[[sentence]]\nsay = "{a b}"', "stands alone"),
        ('[[sentence]]\nsay = "{a} [b [c]]"', "stands alone"),
        ('[[sentence]]\nsay = "{Fare}"', "small letters"),
        ('[[sentence]]\nsays = "{a}"', "says"),
        ('[column.a]\nform = "loud"', "loud"),
        ('[column.a]\nwritten = "dollars"', "has no {} for the value"),
        ("sentence", "spoken.toml"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_by_name(tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / "spoken.toml").write_text(text)
    with pytest.raises(SpokenFormError) as raised:
        load_spoken_form(tmp_path)
    assert complaint in str(raised.value)
    assert "spoken.toml" in str(raised.value)


def test_the_shipped_forms_are_in_order_and_name_columns_of_their_domain() -> None:
    for domain in ("air_travel", "personnel"):
        assert load_spoken_form(ROOT / "scenarios" / domain).sentence
