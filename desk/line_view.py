"""A view on any number of lines that are laid out already; the table and the stack of turns are both such a view.

It asks for a line only when that line is to be painted, so that 20,000 lines cost what a screenful costs. A line that goes on
beyond an edge has a mark there, what lies above, below and aside is said in words on the last line, and which lines
could be seen is reported: the log of a session tells what was on the subject's screen, scrolling included.
"""

import re
from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from desk.safe_text import cells
from desk.worded import words_near
from session.values.sanitize import inert

_RULE = re.compile(r"\s*-{2,}(?: +-+)*\s*$|\s*-(?: +-+)+\s*$")
HEADS, RULE = "heads", "rule"
TALLEST_HEAD = 6
"""Lines that a heading may have: the words of a column's name below each other."""
LEFT_MARK, RIGHT_MARK = "◄", "►"
SCROLL_GROUP = Binding.Group("Scroll", compact=True)


def heads_of(lines: Sequence[str]) -> dict[int, str]:
    """Return the style of each line that belongs to the head of a table laid out as text: what stands above a rule of dashes, and
    the rule; all others are its body."""
    found: dict[int, str] = {}
    for at, line in enumerate(lines):
        if not _RULE.match(line):
            continue
        above = at - 1
        while above >= max(0, at - TALLEST_HEAD) and lines[above].strip() and above not in found:
            found[above] = HEADS
            above -= 1
        if above < at - 1:
            found[at] = RULE
    return found


class Viewed(Message):
    """Lines `first` to `last` (from 0, both included), cells `left` to `right` of them, can now be seen.

    Posted after the screen has been painted, once for any number of steps in between. `view` is the widget.
    """

    def __init__(self, view: "LineView", first: int, last: int, left: int, right: int) -> None:
        super().__init__()
        self.view = view
        self.first = first
        self.last = last
        self.left = left
        self.right = right

    @property
    def control(self) -> "LineView":
        return self.view


class LineView(ScrollView, can_focus=True):
    """Lines to read, no line to edit. Subclasses say how many there are and what each one is."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "lines--header",
        "lines--heads",
        "lines--rule",
        "lines--body",
        "lines--mark",
        "lines--status",
        "lines--title",
        "lines--selected",
    }
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step(0, -1)", "Up", group=SCROLL_GROUP),
        Binding("down", "step(0, 1)", "Down", group=SCROLL_GROUP),
        Binding("left", "step(-8, 0)", "Left", group=SCROLL_GROUP),
        Binding("right", "step(8, 0)", "Right", group=SCROLL_GROUP),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("home", "edge(0)", "To the beginning", show=False),
        Binding("end", "edge(1)", "To the end", show=False),
    ]
    DEFAULT_CSS = """
    LineView {
        height: 1fr; background: $surface; color: $foreground; overflow-y: scroll;
        scrollbar-size-vertical: 1; scrollbar-size-horizontal: 0;
        border: round $foreground 40%;
        &:focus { border: heavy $accent; }
        & > .lines--header { text-style: bold underline; color: $foreground; background: $surface; }
        & > .lines--heads { text-style: bold; color: $secondary; background: $surface; }
        & > .lines--rule { color: $foreground 40%; background: $surface; }
        & > .lines--title { text-style: bold; color: $foreground; background: $surface; }
        & > .lines--selected { text-style: bold reverse; color: $foreground; background: $surface; }
        & > .lines--body { color: $foreground; background: $surface; }
        & > .lines--mark { text-style: bold; color: $accent; background: $surface; }
        & > .lines--status { text-style: italic; color: $foreground 80%; background: $surface; }
    }
    """

    how_to_scroll = ""
    """Keys that scroll, said where there is more; empty where the footer names them."""

    def __init__(
        self,
        *,
        id: str | None = None,  # noqa: A002 - Textual's own name for it
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._reported: tuple[int, int, int, int] | None = None
        self._report_due = False
        self._widest = 0

    # What a subclass says

    @abstractmethod
    def total(self) -> int:
        """Return how many lines there are below the header."""

    @abstractmethod
    def line(self, index: int) -> tuple[str, str]:
        """The text of a line, foreign or not, and the name of its style (`body`, `title`, `selected`, `heads`, `rule`)."""

    def header(self) -> Sequence[str]:
        """Lines that stay at the top."""
        return ()

    def notes(self) -> Sequence[str]:
        """Return the notes that belong below the lines, before the position: that rows are missing, for example."""
        return ()

    def lines_changed(self, widest: int) -> None:
        """To be called when the lines are others than before; `widest` in cells."""
        self._widest = widest
        size = Size(widest + 2, len(self.header()) + self.total() + self._foot())
        if self.styles.auto_dimensions or not self.size:
            self.virtual_size = size
        elif size != self.virtual_size:
            # Textual would lay out the whole screen; the place of a view of fixed size does not depend on what is in it.
            self.set_reactive(ScrollView.virtual_size, size)
            self._scroll_update(size)
        self._reported = None
        self.refresh()
        self._report_soon()

    # Where we are

    def _foot(self) -> int:
        return len(self.notes()) + 1

    @property
    def room(self) -> Size:
        """Return the size that the scrollbar leaves."""
        return self.scrollable_content_region.size

    @property
    def text_width(self) -> int:
        """Return how many cells of a line can be seen at once, the width for which an answer is laid out."""
        return max(0, self.room.width - 2)

    @property
    def screenful(self) -> int:
        """Return how many lines can be seen at once."""
        return max(0, self.room.height - len(self.header()) - self._foot())

    @property
    def in_sight(self) -> tuple[int, int, int, int]:
        """First and last line, leftmost and rightmost cell that can be seen; last is before first when none is."""
        first, left = round(self.scroll_y), round(self.scroll_x)
        last = min(first + self.screenful, self.total()) - 1
        return first, last, left, min(left + self.text_width, self._widest) - 1

    @property
    def scrolls_aside(self) -> bool:
        """Return whether lines go on beyond the left edge or the right one."""
        _, _, left, right = self.in_sight
        return left > 0 or right + 1 < self._widest

    def position(self) -> str:
        """The last line of the view: where there is more, in words, or in signs where words do not fit; otherwise empty."""
        total, (first, last, left, right) = self.total(), self.in_sight
        if not total:
            return words_near(self)["view.none"]
        above, below, aside, words = first > 0, last + 1 < total, self.scrolls_aside, words_near(self)
        if not (above or below or aside):
            return ""  # nothing to do, nothing to say
        lines = words["form.place"].format(at=f"{first + 1:,}–{last + 1:,}", count=f"{total:,}")
        columns = {"first": left + 1, "last": right + 1, "count": self._widest}
        sideways = words["view.aside"].format(**columns) if aside else ""
        full = words["view.some"].format(first=f"{first + 1:,}", last=f"{last + 1:,}", count=f"{total:,}")
        if above or below:
            full += f", {words['view.both' if above and below else 'view.above' if above else 'view.below']}"
            full += self.how_to_scroll
        if aside:
            full += f"; {words['view.sideways'].format(**columns)}"
        if cells(full) < self.room.width:
            return full
        return " ".join(part for part in (lines, "↑" * above + "↓" * below, sideways) if part)

    # Painting

    def render_line(self, y: int) -> Strip:
        header, notes, room = self.header(), self.notes(), self.room
        if y < len(header):
            return self._strip(header[y], "header", room.width)
        from_below = room.height - 1 - y
        if 0 <= from_below <= len(notes):
            return self._foot_strip([*notes, self.position()][len(notes) - from_below], room.width)
        index = round(self.scroll_y) + y - len(header)
        if index >= self.total():
            return Strip.blank(room.width, self._style("body"))
        return self._strip(*self.line(index), room.width)

    def _style(self, name: str):  # type: ignore[no-untyped-def]
        return self.get_component_rich_style(f"lines--{name}")

    def _strip(self, text: str, style_name: str, room: int) -> Strip:
        text, style, mark = inert(text, newlines="show"), self._style(style_name), self._style("mark")
        left, width = round(self.scroll_x), max(0, room - 2)
        if text.isascii():
            body, more = [Segment(text[left : left + width].ljust(width), style)], len(text) > left + width
        else:  # a strip is dear to make, and most lines need one only
            body = [*Strip([Segment(text, style)]).crop_extend(left, left + width, style)]
            more = cells(text) > left + width
        before, after = LEFT_MARK if left and text else " ", RIGHT_MARK if more else " "
        return Strip([Segment(before, mark), *body, Segment(after, mark)], width + 2)

    def _foot_strip(self, text: str, width: int) -> Strip:
        style = self._style("status")
        return Strip([Segment(cut(f" {inert(text, newlines='space')}", width), style)]).extend_cell_length(width, style)

    # Moving

    def action_step(self, across: int, down: int) -> None:
        self.scroll_to(self.scroll_x + across, self.scroll_y + down, animate=False)

    def action_page(self, pages: int) -> None:
        self.scroll_to(y=self.scroll_y + pages * max(1, self.screenful), animate=False)

    def action_edge(self, which: int) -> None:
        self.scroll_to(0, self.max_scroll_y if which else 0, animate=False)

    # Reporting

    def watch_scroll_x(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_x(old_value, new_value)
        self._report_soon()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._report_soon()

    def on_resize(self, event: events.Resize) -> None:
        self._report_soon()

    def on_show(self) -> None:
        self._reported = None
        self._report_soon()

    def _report_soon(self) -> None:
        if self.is_running and not self._report_due:
            self._report_due = True
            self.call_after_refresh(self._report)

    def _report(self) -> None:
        self._report_due = False
        seen = self.in_sight
        if self.is_on_screen and seen[1] >= seen[0] and seen != self._reported:
            self._reported = seen
            self.report(Viewed(self, *seen))

    def report(self, viewed: Viewed) -> None:
        """Post what is seen; a subclass may say it in terms of its own."""
        self.post_message(viewed)


def cut(text: str, width: int) -> str:
    """`text` within `width` cells, ending in "…" when something is left out.

    >>> cut("abcdef", 4), cut("abcd", 4), cut("日本語", 4)
    ('abc…', 'abcd', '日…')
    """
    if cells(text) <= width:
        return text
    kept = Strip([Segment(text)]).crop(0, max(0, width - 1)).text
    return f"{kept.rstrip() if kept.endswith(' ') else kept}…" if width > 0 else ""
