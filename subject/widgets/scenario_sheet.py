"""The scenario sheet: title and text of the task, always in reach."""

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.geometry import Size
from textual.message import Message

from desk.safe_text import ForeignText, cells, plain
from desk.worded import words_near
from session.state.fold import ScenarioRun
from session.values.paragraphs import reflowed

LONGEST_IN_FRAME = 60
"""Cells of a title beside the word "Task" in a frame of the smallest terminal."""


class ScenarioSheet(VerticalScroll):
    """Shows the present task; scrolls when it is longer than its room."""

    HELP = "Your task. Scroll with the arrow keys."
    can_focus = True

    class Resized(Message):
        """The task or its room has another size than before."""

    # The scrollbar has the place of the padding, which is kept free for it: were the text narrower beside it, a text might
    # fit without the scrollbar and not with it, and whether it stood there would hang on what the room was before.
    DEFAULT_CSS = """
    ScenarioSheet {
        height: auto; max-height: 38%; border: round $primary; border-title-style: bold; padding: 0 0 0 1;
        scrollbar-gutter: stable; scrollbar-size: 0 1;
    }
    ScenarioSheet:focus { border: heavy $accent; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._title = ""
        self._text = ForeignText("")

    def compose(self) -> ComposeResult:
        yield self._text

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the lines of the text beside the place of the scrollbar."""
        return super().get_content_height(container, viewport, width - self.scrollbar_size_vertical)

    def on_mount(self) -> None:
        self.watch(self, "virtual_size", self.on_resize, init=False)

    def on_resize(self) -> None:
        self.post_message(self.Resized())

    def show(self, run: ScenarioRun | None) -> None:
        """The task that is going on, or a word that there is none."""
        words = words_near(self)
        title, text = ("", words["task.none"])
        if run is not None:
            # The frame has room for a short title; a long one stands whole above the text.
            short = cells(run.title) <= LONGEST_IN_FRAME
            title = f"{words['task.title']}: {run.title}" if short else words["task.title"]
            text = reflowed(run.text if short else f"{run.title}\n\n{run.text}")
        if title != self._title:
            self._title = title
            self.border_title = plain(title, newlines="space")
        self._text.show(text)

    @property
    def is_cut(self) -> bool:
        """Return whether there is more of the task than its room shows."""
        return self.max_scroll_y > 0
