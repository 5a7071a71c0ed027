"""The table that the wizard previews and the subject reads: 20,000 rows in the time of one.

It shows either lines that were laid out elsewhere, byte for byte as they will be seen, or rows as a database gave them, which it
lays out one by one as they come into view. Nothing is cut silently: not rows, not columns, not cells.
"""

from collections.abc import Sequence
from itertools import islice
from typing import overload

from desk.line_view import LineView, cut, heads_of
from desk.safe_text import cells
from desk.worded import words_near
from session.values.sanitize import inert

SAMPLE = 200
GAP = "  "


class RowLines(Sequence[str]):
    """Rows as lines, each made when it is asked for.

    Columns are as wide as their names and the first 200 rows need, up to `widest` cells; numbers stand to the right.
    """

    def __init__(self, columns: Sequence[str], rows: Sequence[Sequence[object]], widest: int = 40) -> None:
        self._rows = rows
        sample = [[_text(value) for value in row] for row in islice(rows, SAMPLE)]
        self._right = [_all_numbers(row[at] for row in islice(rows, SAMPLE)) for at in range(len(columns))]
        names = [inert(name, newlines="show") for name in columns]
        self._widths = [
            min(widest, max([cells(name), *(cells(row[at]) for row in sample)])) for at, name in enumerate(names)
        ]
        self.header = self._line(names)
        self.rule = GAP.join("─" * width for width in self._widths)

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        if isinstance(index, slice):
            return [self._line([_text(value) for value in row]) for row in self._rows[index]]
        return self._line([_text(value) for value in self._rows[index]])

    @property
    def width(self) -> int:
        """Cells of every line."""
        return sum(self._widths) + len(GAP) * max(0, len(self._widths) - 1)

    def _line(self, texts: Sequence[str]) -> str:
        return GAP.join(
            _fitted(text, width, right) for text, width, right in zip(texts, self._widths, self._right, strict=True)
        )


def _text(value: object) -> str:
    return "–" if value is None else inert(str(value), newlines="show")


def _all_numbers(values: object) -> bool:
    found = [value for value in values if value is not None]  # type: ignore[attr-defined]
    return bool(found) and all(isinstance(value, int | float) for value in found)


def _fitted(text: str, width: int, right: bool) -> str:
    text = cut(text, width)
    padding = " " * (width - cells(text))
    return padding + text if right else text + padding


class TextTable(LineView):
    """A table to read. `show_lines` for text laid out already, `show_rows` for what a database gave."""

    HELP = "A table. Scroll with the arrow keys and by page; marks at the edges and the last line show where there is more."

    def __init__(
        self,
        *,
        id: str | None = None,  # noqa: A002 - Textual's own name for it
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._header: Sequence[str] = ()
        self._lines: Sequence[str] = ()
        self._notes: tuple[str, ...] = ()
        self._heads: dict[int, str] = {}

    def show_lines(self, lines: Sequence[str], *, header: int = 0, notes: Sequence[str] = ()) -> None:
        """Show lines as they are; the first `header` of them stay. `notes` stand below in full, such as what is missing.

        A line may be any text; whatever could steer a terminal is shown as symbols.
        """
        self._header, self._lines = tuple(lines[:header]), lines[header:] if header else lines
        self._heads = heads_of(self._lines)
        self._show(max(map(_cells_of, lines), default=0), notes)

    def show_rows(
        self, columns: Sequence[str], rows: Sequence[Sequence[object]], *, more: bool = False, notes: Sequence[str] = ()
    ) -> None:
        """Show rows, each as long as `columns`; `more` says that the database had further ones."""
        laid_out = RowLines(columns, rows)
        self._header, self._lines, self._heads = (laid_out.header, laid_out.rule), laid_out, {}
        missing = (
            [words_near(self).of("{count} of more than {count} rows").format(count=f"{len(rows):,}")] if more else []
        )
        self._show(laid_out.width, [*missing, *notes])

    def clear(self) -> None:
        """Show nothing."""
        self.show_lines(())

    def _show(self, widest: int, notes: Sequence[str]) -> None:
        self._notes = tuple(notes)
        self.scroll_to(0, 0, animate=False)
        self.lines_changed(widest)

    def total(self) -> int:
        return len(self._lines)

    def line(self, index: int) -> tuple[str, str]:
        return self._lines[index], self._heads.get(index, "body")

    def header(self) -> Sequence[str]:
        return self._header

    def notes(self) -> Sequence[str]:
        return self._notes


def _cells_of(line: str) -> int:
    return cells(inert(line, newlines="show"))
