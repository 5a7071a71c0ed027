"""What the table paints, what it says about what it does not paint, and what it reports as seen."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from textual.app import App, ComposeResult

from desk.line_view import Viewed, cut
from desk.safe_text import cells
from desk.table import RowLines, TextTable
from tests.desk.regions import painted


class TableApp(App[None]):
    CSS = "TextTable { height: 12; width: 40; border: none; }"

    def __init__(self) -> None:
        super().__init__()
        self.table = TextTable()
        self.seen: list[tuple[int, int, int, int]] = []

    def compose(self) -> ComposeResult:
        yield self.table

    def on_viewed(self, message: Viewed) -> None:
        self.seen.append((message.first, message.last, message.left, message.right))


def screen(table: TextTable) -> list[str]:
    return [table.render_line(y).text for y in range(table.size.height)]


NUMBERED = ["No.  Text", *(f"{n:5d}  row" for n in range(20_000))]


async def test_only_a_screenful_is_asked_for() -> None:
    asked = []

    class Lines(Sequence[str]):
        def __len__(self) -> int:
            return 20_000

        def __getitem__(self, index):  # type: ignore[no-untyped-def]
            asked.append(index)
            return (f"{index}",)

    app = TableApp()
    async with app.run_test() as pilot:
        app.table.show_rows(["n"], Lines())
        await pilot.pause()
        asked.clear()
        app.table.scroll_to(y=10_000, animate=False)
        await pilot.pause()
        rows = [index for index in asked if isinstance(index, int)]
        assert set(rows) <= set(range(10_000, 10_012))
        assert rows


async def test_header_stays_and_the_position_is_said() -> None:
    app = TableApp()
    async with app.run_test() as pilot:
        app.table.show_lines(NUMBERED, header=1)
        await pilot.pause()
        app.table.focus()
        await pilot.press("pagedown", "down")
        lines = screen(app.table)
        assert lines[0].strip() == "No.  Text"
        assert lines[1].strip() == "11  row"
        assert lines[-1].strip() == "12–21 of 20,000 ↑↓"
        await pilot.press("end")
        assert screen(app.table)[-2].strip() == "19999  row"
        assert app.table.position() == "19,991–20,000 of 20,000 ↑"
        app.table.styles.width = 70
        await pilot.pause()
        assert app.table.position() == "lines 19,991–20,000 of 20,000, more above"
        await pilot.press("home")
        assert screen(app.table)[1].strip() == "0  row"


async def test_a_wide_line_has_marks_at_both_edges() -> None:
    app = TableApp()
    async with app.run_test() as pilot:
        app.table.show_lines(["abcdefghij" * 10, "short", ""])
        await pilot.pause()
        app.table.focus()
        first, second, *_ = screen(app.table)
        assert first[0] == " "
        assert first[-1] == "►"
        assert second[-1] == " "
        await pilot.press("right")
        first, _, third, *_ = screen(app.table)
        assert (first[0], first[1], first[-1]) == ("◄", "i", "►")
        assert third[0] == " "
        assert app.table.position() == "1–3 of 3 columns 9–45 of 100"
        for _ in range(12):
            await pilot.press("right")
        assert screen(app.table)[0].endswith("hij ")


async def test_no_scrollbar_covers_what_must_be_read() -> None:
    app = TableApp()
    async with app.run_test() as pilot:
        app.table.show_lines(["abcdefghij" * 10] * 50, notes=["500 of more than 500 rows"])
        await pilot.pause()
        lines = [line[:40] for line in painted(app).splitlines()]
        assert lines[9].rstrip().endswith(("►", "► ▁"))
        assert lines[10].strip() == "500 of more than 500 rows"
        assert lines[11].strip() == "1–10 of 50 ↓ columns 1–37 of 100"


async def test_what_was_seen_is_reported_once_per_painting() -> None:
    app = TableApp()
    async with app.run_test() as pilot:
        app.table.show_lines(NUMBERED, header=1)
        await pilot.pause()
        app.table.focus()
        await pilot.press("pagedown")
        await pilot.pause()
        assert app.seen == [(0, 9, 0, 9), (10, 19, 0, 9)]
        app.table.show_lines(["one"])
        await pilot.pause()
        assert app.seen[-1] == (0, 0, 0, 2)


async def test_a_table_that_is_not_displayed_was_not_seen() -> None:
    app = TableApp()
    async with app.run_test() as pilot:
        app.table.display = False
        await pilot.pause()
        app.seen.clear()
        app.table.show_lines(NUMBERED)
        await pilot.pause()
        assert app.seen == []
        app.table.display = True
        await pilot.pause()
        await pilot.pause()
        assert app.seen == [(0, 10, 0, 9)]


async def test_missing_rows_are_said_in_full_words() -> None:
    app = TableApp()
    async with app.run_test() as pilot:
        app.table.show_rows(["flight"], [(n,) for n in range(500)], more=True, notes=["sorted by nothing"])
        await pilot.pause()
        lines = [line.strip() for line in screen(app.table)]
        assert lines[-3:-1] == ["500 of more than 500 rows", "sorted by nothing"]
        app.table.clear()
        await pilot.pause()
        assert screen(app.table)[-1].strip() == "nothing to show"


async def test_three_hundred_columns_and_foreign_cells() -> None:
    app = TableApp()
    async with app.run_test() as pilot:
        row = [f"\x1b[31m{n}\u202e\n" for n in range(300)]
        app.table.show_rows([f"c{n}" for n in range(300)], [row])
        await pilot.pause()
        app.table.focus()
        await pilot.press(*["right"] * 5)
        text = "".join(screen(app.table))
        assert "\x1b" not in text
        assert "␛[31m" in text
        assert "►" in text


async def test_wide_characters_keep_the_edge_straight() -> None:
    app = TableApp()
    async with app.run_test() as pilot:
        app.table.show_lines(["東京" * 30, "🛫" * 50, "x" * 80])
        await pilot.pause()
        app.table.focus()
        for _ in range(3):
            assert {cells(line) for line in screen(app.table)} == {39}
            await pilot.press("right")
            app.table.scroll_to(x=app.table.scroll_x + 1, animate=False)


CELL = st.one_of(st.none(), st.integers(), st.floats(allow_nan=False), st.text(max_size=60))


@given(st.lists(st.tuples(CELL, CELL, CELL), max_size=8))
def test_every_row_is_as_wide_as_the_header(rows: list[tuple[object, ...]]) -> None:
    lines = RowLines(["a", "long name", "ç"], rows, widest=20)
    assert {cells(line) for line in [lines.header, lines.rule, *lines]} == {lines.width}


def test_numbers_stand_right_and_a_cut_cell_has_a_mark() -> None:
    lines = RowLines(["fare", "remark"], [(5, "x" * 60), (1234, None)])
    assert lines[0] == "   5  " + "x" * 39 + "…"
    assert lines[1].rstrip() == "1234  –"


@given(st.text(), st.integers(0, 30))
def test_a_cut_text_fits_and_says_so(text: str, width: int) -> None:
    shown = cut(text, width)
    assert cells(shown) <= width
    assert shown == text or width == 0 or shown.endswith("…")
