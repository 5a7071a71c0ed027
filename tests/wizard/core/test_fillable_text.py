"""Texts whose gaps are filled in place."""

from hypothesis import given
from hypothesis import strategies as st

from session.study.settings import CannedMessage, Scenario
from session.values.vocabulary import ResponseClass, ScenarioKind
from wizard.core.fillable_text import LONGEST, Blanks, flowing

MESSAGE = CannedMessage(id="m", text="Nothing on ___ in ___.", reason="r", response=ResponseClass.DIAGNOSTIC)
SCENARIO = Scenario(
    id="s",
    title="Two cities",
    kind=ScenarioKind.TRIP,
    text="From {A} to\n{B} and back\nto {A}.\n\nNote the fare.",
    placeholders={"A": "Boston", "B": ""},
)


def test_a_gap_is_filled_where_it_stands() -> None:
    gaps = Blanks.of_message(MESSAGE).typed("fares").moved(1).typed("Spain")
    assert gaps.text == "Nothing on fares in Spain."
    assert gaps.empty is None
    assert gaps.values == ("fares", "Spain")


def test_the_text_that_is_read_is_the_text_that_is_sent() -> None:
    gaps = Blanks.of_message(MESSAGE).typed("meals").moved(1).typed("Ohio")
    assert MESSAGE.filled(gaps.values) == gaps.text


def test_a_placeholder_is_filled_everywhere_at_once_and_begins_with_its_default() -> None:
    gaps = Blanks.of_scenario(SCENARIO)
    assert gaps.names == ("A", "B")
    assert gaps.empty == 1
    filled = gaps.to(1).typed("Denver")
    assert filled.text == "From Boston to Denver and back to Boston.\n\nNote the fare."
    assert filled.bindings == {"A": "Boston", "B": "Denver"}


def test_erasing_emptying_and_going_round() -> None:
    gaps = Blanks.of_message(MESSAGE).typed("ab").erased()
    assert gaps.values == ("a", "")
    assert gaps.cleared().empty == 0
    assert gaps.moved(1).moved(1).at == 0
    assert gaps.moved(-1).at == 1


def test_what_has_no_gaps_is_not_disturbed_by_keys() -> None:
    plain = Blanks.of_message(CannedMessage(id="p", text="No.", reason="r", response=ResponseClass.FAILURE))
    assert plain.typed("x").erased().cleared().moved(1) == plain
    assert plain.empty is None


@given(st.lists(st.text(max_size=80), max_size=6))
def test_a_gap_never_holds_a_line_break_or_more_than_it_may(texts: list[str]) -> None:
    gaps = Blanks.of_message(MESSAGE)
    for text in texts:
        gaps = gaps.typed(text)
    assert "\n" not in gaps.text
    assert gaps.values[0].isprintable()
    assert len(gaps.values[0]) <= LONGEST


def test_paragraphs_flow() -> None:
    assert flowing("one\ntwo\n\n  three  four\n") == "one two\n\nthree four"
