"""How long a preview of many rows keeps the wizard waiting: ours, and Textual's own DataTable beside it.

Prints milliseconds from the call that shows the rows until the screen has been painted, and the longest single step of a
scroll through them. Run `python -m benchmarks.table`; `--peer` adds DataTable, which freezes for seconds.
"""

import argparse
import asyncio
import time
from collections.abc import Callable

from textual.app import App, ComposeResult
from textual.widget import Widget
from textual.widgets import DataTable

from desk.table import RowLines, TextTable

COLUMNS = [f"column_{n}" for n in range(12)]
Rows = list[tuple[object, ...]]


def made_rows(count: int) -> Rows:
    """Rows of a flight table's shape, an accented name among the values."""
    return [
        (n, f"AA{n}", "Denver", "Zürich", n * 7 % 2400, 0.5 * n, None, "YES", n, n, n, "text " * 3)
        for n in range(count)
    ]


async def painted_ms(widget: Widget, show: Callable[[], None], steps: int = 20) -> tuple[float, float]:
    """Milliseconds until `show` is on the screen, and of the slowest of `steps` page-downs."""

    class Bench(App[None]):
        def compose(self) -> ComposeResult:
            yield widget

    async with Bench().run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        begin = time.perf_counter()
        show()
        await pilot.pause()
        shown = time.perf_counter() - begin
        widget.focus()
        slowest = 0.0
        for _ in range(steps):
            begin = time.perf_counter()
            await pilot.press("pagedown")
            slowest = max(slowest, time.perf_counter() - begin)
        return 1000 * shown, 1000 * slowest


def ours(rows: Rows, laid_out: bool) -> tuple[Widget, Callable[[], None]]:
    table = TextTable()
    if not laid_out:
        return table, lambda: table.show_rows(COLUMNS, rows)
    lay_out = RowLines(COLUMNS, rows)
    lines = [lay_out.header, lay_out.rule, *lay_out]
    return table, lambda: table.show_lines(lines, header=2)


def peer(rows: Rows) -> tuple[Widget, Callable[[], None]]:
    table: DataTable[object] = DataTable()

    def show() -> None:
        table.add_columns(*COLUMNS)
        table.add_rows(rows)

    return table, show


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--peer", action="store_true", help="also measure Textual's DataTable")
    chosen = parser.parse_args()
    rows = made_rows(chosen.rows)
    cases = {"rows": ours(rows, False), "lines": ours(rows, True)}
    if chosen.peer:
        cases["DataTable"] = peer(rows)
    print(f"{chosen.rows:,} rows of {len(COLUMNS)} columns, 120 x 40, milliseconds")
    for name, (widget, show) in cases.items():
        shown, step = asyncio.run(painted_ms(widget, show))
        print(f"{name:>10}  shown {shown:8.1f}   slowest page down {step:6.1f}")


if __name__ == "__main__":
    main()
