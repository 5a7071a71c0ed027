"""The editor for transcriptions, notes and SQL, with earlier entries and completion.

Enter always submits; a new line, where lines are allowed, has a key of its own. Whatever is pasted stays visible and is never
obeyed: control characters become symbols, and a paste too long is cut with a word about it.
"""

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import RenderResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import TextArea
from textual.widgets.text_area import EditResult, Location

from desk.history_completion import Completion, InputHistory, Words
from desk.safe_text import cells
from session.values.sanitize import inert

LIMIT = 20_000
NEW_LINE_KEYS = ("ctrl+j", "alt+enter", "shift+enter")


class TextSubmitted(Message):
    """Enter was pressed; `text` is without blanks at its ends."""

    def __init__(self, editor: "Editor", text: str) -> None:
        super().__init__()
        self.editor = editor
        self.text = text

    @property
    def control(self) -> "Editor":
        return self.editor


class TextTooLong(Message):
    """`left_out` characters of what was put in did not fit the limit."""

    def __init__(self, editor: "Editor", left_out: int) -> None:
        super().__init__()
        self.editor = editor
        self.left_out = left_out

    @property
    def control(self) -> "Editor":
        return self.editor


class CompletionChanged(Message):
    """Other words may follow now, or another of them was put in (`at`, from 0; −1 before any was)."""

    def __init__(self, editor: "Editor", words: Sequence[str], at: int) -> None:
        super().__init__()
        self.editor = editor
        self.words = words
        self.at = at


class Editor(TextArea):
    """One line, or several with `lines=True`. `words` offers completions; `sql` colours where tree-sitter is installed.

    Submitting adds to `entered` and leaves the text where it is: clearing is for the owner, who knows whether it was taken.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Submit"),
        Binding("ctrl+up", "older", "Entered before"),
        Binding("ctrl+down", "newer", "Entered after", show=False),
        Binding("tab", "complete(1)", "Complete"),
        Binding("shift+tab", "complete(-1)", "Complete backwards", show=False),
        Binding(",".join(NEW_LINE_KEYS), "new_line", "New line", key_display="Ctrl+J"),
    ]
    HELP = "Type here, Enter submits. Up and down on the first and last line bring back earlier entries."
    DEFAULT_CSS = """
    Editor { height: 3; border: round $foreground 40%; &:focus { border: heavy $accent; } }
    """

    def __init__(
        self,
        *,
        lines: bool = False,
        words: Words | None = None,
        history: Sequence[str] = (),
        sql: bool = False,
        limit: int = LIMIT,
        placeholder: str = "",
        id: str | None = None,  # noqa: A002 - Textual's own name for it
        classes: str | None = None,
    ) -> None:
        super().__init__(
            id=id,
            classes=classes,
            language="sql" if sql else None,
            placeholder=Content(placeholder),
            highlight_cursor_line=False,
        )
        self.entered = InputHistory(history)
        self._lines = lines
        self._limit = limit
        self._completion = Completion(words) if words else None
        self._completing = False

    # Text in

    def load(self, text: str) -> None:
        """Put another text in; it is made inert as if pasted."""
        self.load_text(self._harmless(text)[: self._limit])
        self.move_cursor(self.document.end)

    def clear(self) -> EditResult:
        """Empty the editor for the next text."""
        self.load_text("")
        return EditResult((0, 0), "")

    def _replace_via_keyboard(self, insert: str, start: Location, end: Location) -> EditResult | None:
        """Everything typed or pasted comes through here."""
        harmless = self._harmless(insert)
        room = max(0, self._limit - len(self.text) + len(self.selected_text))
        if len(harmless) > room:
            self.post_message(TextTooLong(self, len(harmless) - room))
        return super()._replace_via_keyboard(harmless[:room], start, end)

    def _harmless(self, text: str) -> str:
        text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
        return inert(text, newlines="keep" if self._lines else "space")

    # Keys

    async def on_key(self, event: events.Key) -> None:
        """Keys that mean something else where nothing is to complete, or in the middle of a text, stay what they are."""
        row = self.wrapped_document.location_to_offset(self.cursor_location).y
        last_row = self.wrapped_document.height - 1
        action = {"enter": "submit", "up": "older" if row == 0 else "", "down": "newer" if row == last_row else ""}
        action |= dict.fromkeys(NEW_LINE_KEYS, "new_line")
        if wanted := action.get(event.key):
            event.stop()
            event.prevent_default()
            await self.run_action(wanted)
        elif event.key.startswith("alt+"):
            event.prevent_default()  # a letter held with Alt is a command, on offer now or not, and never text

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "complete":
            return self._completion is not None and bool(self._completion.found)
        if action == "new_line":
            return self._lines
        return True

    def action_submit(self) -> None:
        text = self.text.strip()
        self.entered.add(text)
        self.post_message(TextSubmitted(self, text))

    def action_new_line(self) -> None:
        if self._lines:
            self._replace_via_keyboard("\n", *self.selection)

    def action_older(self) -> None:
        self._recall(self.entered.older(self.text))

    def action_newer(self) -> None:
        self._recall(self.entered.newer())

    def _recall(self, text: str | None) -> None:
        if text is not None:
            self.load(text)

    # Completion

    def action_complete(self, step: int) -> None:
        """Put the next word in place of the one at the cursor."""
        change = self._completion.step(step) if self._completion else None
        if change is None or self._completion is None:
            return
        replaced, word = change
        row, column = self.cursor_location
        self._completing = True
        self.replace(word, (row, column - replaced), (row, column), maintain_selection_offset=False)
        self.move_cursor((row, column - replaced + len(word)))
        self.post_message(CompletionChanged(self, self._completion.found, self._completion.at))

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        if self._completion is None:
            return
        if self._completing:
            self._completing = False
            return
        row, column = self.cursor_location
        before = self._completion.found
        self._completion.look(self.document.get_line(row)[:column])
        if before or self._completion.found:
            self.post_message(CompletionChanged(self, self._completion.found, -1))
            self.refresh_bindings()


class CompletionList(Widget):
    """One line with the words that may follow, the one put in between brackets; give it what `CompletionChanged` said."""

    DEFAULT_CSS = "CompletionList { height: 1; color: $foreground 80%; }"

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(id=id)
        self._words: Sequence[str] = ()
        self._at = -1

    def show(self, words: Sequence[str], at: int) -> None:
        """Show other words, or another place among them."""
        self._words, self._at = words, at
        self.refresh()

    def render(self) -> RenderResult:
        return Content(offered(self._words, self._at, self.size.width))


def offered(words: Sequence[str], at: int, width: int) -> str:
    """The words in a line of at most `width` cells, beginning so that number `at` is among them, and how many there are.

    >>> offered(["fare", "flight", "food_service"], 1, 40)
    'Tab: fare [flight] food_service'
    >>> offered(["fare", "flight", "food_service"], 1, 24)
    'Tab: [flight] (2 of 3)'
    """
    if not words:
        return ""
    shown = [f"[{inert(word)}]" if n == at else inert(word) for n, word in enumerate(words)]
    everything = f"Tab: {' '.join(shown)}"
    if cells(everything) <= width:
        return everything
    first = max(at, 0)
    count = f"({first + 1} of {len(words)})"
    line = f"Tab: {shown[first]}"
    for word in shown[first + 1 :]:
        if cells(f"{line} {word} {count}") > width:
            break
        line = f"{line} {word}"
    return f"{line} {count}" if cells(f"{line} {count}") <= width else count[:width]
