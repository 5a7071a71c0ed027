"""Heads of tables laid out as text: found where they are, and set off on both desks' screens."""

from textual.app import App, ComposeResult

from desk.line_view import heads_of
from desk.table import TextTable
from desk.theme import apply_theme
from desk.turn_stack import ShownTurn, TurnStack
from session.values.answers import compose, rows_of

ROWS = rows_of(["airline", "number_of_the_flight"], [["United Airlines", 343], ["Delta Air Lines", 217]])


def test_a_head_is_what_stands_above_the_dashes_up_to_an_empty_line() -> None:
    assert heads_of(compose(ROWS, 60, 20, summary="the flights").split("\n")) == {2: "heads", 3: "rule"}
    lines = compose(ROWS, 22, 20).split("\n")
    rule = next(at for at, line in enumerate(lines) if set(line) <= {"-", " "})
    assert heads_of(lines) == {**dict.fromkeys(range(rule), "heads"), rule: "rule"}
    assert rule > 1, "a heading over several lines"


def test_what_only_looks_like_a_rule_makes_no_head() -> None:
    assert heads_of(["cheapest fare: -", "", "-----", "text", "a - b", "  -", "Entry 1"]) == {}
    assert heads_of([]) == {}


class Both(App[None]):
    def __init__(self) -> None:
        super().__init__()
        apply_theme(self)

    def compose(self) -> ComposeResult:
        yield TextTable()
        yield TurnStack()


async def test_it_is_bold_on_both_desks_and_the_rows_are_not() -> None:
    app = Both()
    async with app.run_test(size=(80, 24)) as pilot:
        text = compose(ROWS, 60, 20).split("\n")
        app.query_one(TextTable).show_lines(text)
        app.query_one(TurnStack).append(ShownTurn("t1", "1", "which flights", tuple(text)))
        await pilot.pause()
        painted = [segment for strip in app.screen._compositor.render_strips() for segment in strip]
        heads = [segment for segment in painted if segment.text.strip().startswith("airline")]
        rows = [segment for segment in painted if segment.text.strip().startswith("United Airlines")]
        assert [bool(one.style and one.style.bold) for one in heads] == [True, True]
        assert [bool(one.style and one.style.bold) for one in rows] == [False, False]
