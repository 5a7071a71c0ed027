"""The small windows over a desk: a line to write, a list to choose from, rows to read, a question to answer once.

Each is one keystroke away and Esc leaves it without consequence; what goes on behind it goes on.
"""

from collections.abc import Sequence
from typing import ClassVar, Generic, NamedTuple, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from desk.cell_wrap import wrapped
from desk.editor import Editor, TextSubmitted
from desk.keys.footer import KeyFooter
from desk.keys.help import HELP_KEY
from desk.line_view import SCROLL_GROUP, cut
from desk.safe_text import ForeignText
from desk.table import TextTable
from desk.worded import words_near
from session.values.sanitize import inert

LABEL = 64
MOST_LINES = 3
Answer = TypeVar("Answer")
CLOSE = Binding("escape,enter", "dismiss(None)", "Close")


class Dialog(ModalScreen[Answer], Generic[Answer]):
    """A framed window with a title; gives None when it is left with Esc."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Cancel"), HELP_KEY]
    DEFAULT_CSS = """
    Dialog { align: center middle; }
    Dialog > Vertical { width: 76; max-width: 100%; height: auto; max-height: 90%; border: heavy $accent;
        background: $surface; padding: 0 1; }
    Dialog KeyFooter { min-height: 2; }  /* over both rows of the desk's own, whose keys do not work now */
    Dialog .title { text-style: bold; margin-bottom: 1; }
    Dialog .refused { display: none; text-style: bold reverse; }
    Dialog .refused.-said { display: block; }
    Dialog OptionList, Dialog OptionList:focus { height: auto; max-height: 16; border: none; padding: 0;
        background: $surface; }
    """

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title

    def compose(self) -> ComposeResult:
        with Vertical():
            yield ForeignText(self._title, classes="title")
            yield from self.content()
        yield KeyFooter(2, reachable=True)

    def content(self) -> ComposeResult:
        """Yield the widgets below the title."""
        return iter(())


class AskText(Dialog[str]):
    """One line of text; an empty one is refused where it stands unless `optional`."""

    def __init__(self, title: str, *, optional: bool = False, text: str = "", limit: int = 2000) -> None:
        super().__init__(title)
        self._optional = optional
        self._text = text
        self._limit = limit

    def content(self) -> ComposeResult:
        yield Editor(limit=self._limit)
        yield ForeignText(words_near(self).of("!! Write something first, or press Esc to cancel."), classes="refused")

    def on_mount(self) -> None:
        editor = self.query_one(Editor)
        editor.load(self._text)
        editor.focus()

    def on_key(self, event: events.Key) -> None:
        """Give the line what is typed in the moment before it has the focus."""
        if self.focused is None and event.is_printable and event.character:
            self._text += event.character
            for editor in self.query(Editor):
                editor.load(self._text)

    def on_text_submitted(self, event: TextSubmitted) -> None:
        event.stop()
        if event.text or self._optional:
            self.dismiss(event.text)
        else:
            self.query_one(".refused").add_class("-said")


class ListEntry(NamedTuple):
    """An entry of a list: the key that takes it at once (may be empty), what it gives, how it reads, and in which style."""

    key: str
    value: str
    label: str
    style: str = ""


class OptionRows(OptionList):
    """A list whose keys are in the footer."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "cursor_up", "Up", group=SCROLL_GROUP),
        Binding("down", "cursor_down", "Down", group=SCROLL_GROUP),
        Binding("enter", "select", "Select"),
    ]
    HELP = "A list. The letter in front of an entry selects it at once; arrow keys and Enter select any."

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self.call_after_refresh(self._show_overflow)

    def on_resize(self) -> None:
        self.call_after_refresh(self._show_overflow)

    def _show_overflow(self) -> None:
        """Say in the frame which way there is more than can be seen."""
        top = self.scroll_offset.y
        below = self.virtual_size.height > top + self.scrollable_content_region.height
        way = "both" if top > 0 and below else "above" if top > 0 else "below" if below else ""
        if isinstance(self.parent, Vertical):
            self.parent.border_subtitle = words_near(self)[f"view.{way}"] if way else ""


class Choose(Dialog[str]):
    """A list; a letter takes its entry at once, arrows and Enter take any: Enter alone the one `at` that place, at -1 none."""

    def __init__(self, title: str, choices: Sequence[ListEntry], at: int = 0) -> None:
        super().__init__(title)
        self._choices = list(choices)
        self._at = at

    def content(self) -> ComposeResult:
        yield OptionRows(*(Option(self._prompt(choice)) for choice in self._choices), markup=False)

    def _prompt(self, choice: ListEntry) -> Content:
        lines = wrapped(inert(choice.label, newlines="space"), LABEL)
        last = MOST_LINES - 1
        shown = lines if len(lines) <= MOST_LINES else [*lines[:last], cut(" ".join(lines[last:]), LABEL)]
        key = Content.styled(f" {choice.key.upper()} ", "bold reverse") if choice.key else Content("   ")
        return Content.assemble(key, "  ", Content.styled("\n     ".join(shown), choice.style))

    def on_mount(self) -> None:
        options = self.query_one(OptionList)
        options.highlighted = self._at if self._choices and self._at >= 0 else None
        options.focus()

    def on_key(self, event: events.Key) -> None:
        taken = [
            choice for choice in self._choices if choice.key and choice.key == event.key.removeprefix("alt+").lower()
        ]
        if taken:
            event.stop()
            event.prevent_default()
            self.dismiss(taken[0].value)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(self._choices[event.option_index].value)


class ReadRows(Dialog[None]):
    """Rows to look at."""

    BINDINGS: ClassVar[list[BindingType]] = [CLOSE]
    DEFAULT_CSS = "ReadRows > Vertical { width: 96; height: 80%; }"

    def __init__(self, title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        super().__init__(title)
        self._columns, self._rows = columns, rows

    def content(self) -> ComposeResult:
        yield TextTable()

    def on_mount(self) -> None:
        table = self.query_one(TextTable)
        table.show_rows(self._columns, self._rows)
        table.focus()


class ReadLines(Dialog[None]):
    """Lines to look at."""

    BINDINGS: ClassVar[list[BindingType]] = [CLOSE]
    DEFAULT_CSS = "ReadLines > Vertical { width: 96; height: 80%; }"

    def __init__(self, title: str, lines: Sequence[str]) -> None:
        super().__init__(title)
        self._lines = lines

    def content(self) -> ComposeResult:
        yield TextTable()

    def on_mount(self) -> None:
        table = self.query_one(TextTable)
        table.show_lines(self._lines)
        table.focus()


def yes_or_no(title: str, yes: str, no: str) -> Choose:
    """A question that is asked once; Enter by habit means no."""
    return Choose(title, [ListEntry("y", "yes", yes), ListEntry("n", "", no)], at=1)
