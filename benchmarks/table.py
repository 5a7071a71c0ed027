"""Benchmark of the preview of many rows, beside Textual's own DataTable.

Prints milliseconds from the call that shows the rows until the screen has been painted, and from a key that pages down until the
next page has been: the median, the slowest, and what a page takes of a processor. Textual's own way of pressing a key in a test
waits 40 ms of its own, which are in none of them; what exists is settled beforehand, as at a desk. Run
`python -m benchmarks.table`; `--peer` adds DataTable, which freezes for seconds.
"""

import argparse
import asyncio
import time
from collections.abc import Callable

from textual import events
from textual.app import App, ComposeResult
from textual.widget import Widget
from textual.widgets import DataTable

from benchmarks.figures import figure, percentile
from desk.table import RowLines, TextTable
from session.gc_pauses import settle

COLUMNS = [f"column_{n}" for n in range(12)]
Rows = list[tuple[object, ...]]


def made_rows(count: int) -> Rows:
    """Rows of a flight table's shape, an accented name among the values."""
    return [
        (n, f"AA{n}", "Denver", "Zürich", n * 7 % 2400, 0.5 * n, None, "YES", n, n, n, "text " * 3)
        for n in range(count)
    ]


async def painted_ms(
    widget: Widget, show: Callable[[], None], steps: int = 40
) -> tuple[float, list[float], list[float]]:
    """Milliseconds until `show` is on the screen, of each of `steps` page-downs, and of processor time of each of these."""

    class Bench(App[None]):
        def compose(self) -> ComposeResult:
            yield widget

    async with Bench().run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        settle()
        shown, took = asyncio.Event(), list[float]()
        begin = time.perf_counter()
        show()
        widget.call_after_refresh(shown.set)
        await shown.wait()
        until_shown = time.perf_counter() - begin
        widget.focus()
        await pilot.pause()
        painted = asyncio.Event()
        pilot.app.watch(widget, "scroll_y", lambda: widget.call_after_refresh(painted.set), init=False)  # type: ignore[arg-type]
        processor = list[float]()
        for _ in range(steps):
            painted.clear()
            begin, worked = time.perf_counter(), time.process_time()
            pilot.app.post_message(events.Key("pagedown", None))
            await painted.wait()
            took.append(1000 * (time.perf_counter() - begin))
            processor.append(1000 * (time.process_time() - worked))
        return 1000 * until_shown, took, processor


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
    print(f"{chosen.rows:,} rows of {len(COLUMNS)} columns, 120 x 40")
    for name, (widget, show) in cases.items():
        shown, took, processor = asyncio.run(painted_ms(widget, show))
        print(figure(f"{name}_shown", shown, "ms"))
        print(figure(f"{name}_page_p50", percentile(took, 0.5), "ms"))
        print(figure(f"{name}_page_processor", percentile(processor, 0.5), "ms"))
        print(figure(f"{name}_page_processor_slowest", max(processor), "ms"))
        print(figure(f"{name}_page_slowest", max(took), "ms", "" if name == "DataTable" else "under 50"))


if __name__ == "__main__":
    main()
