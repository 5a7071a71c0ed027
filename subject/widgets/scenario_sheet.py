"""The scenario sheet: title and text of the task, always in reach."""

from textual.app import ComposeResult
from textual.containers import VerticalScroll

from desk.safe_text import ForeignText
from desk.worded import words_near
from session.state.fold import ScenarioRun
from subject.core.texts import reflowed


class Sheet(VerticalScroll):
    """Shows the present task; scrolls when it is longer than its room."""

    HELP = "Your task. Scroll with the arrow keys."
    can_focus = True
    DEFAULT_CSS = """
    Sheet { height: auto; max-height: 38%; border: round $primary; padding: 0 1; }
    Sheet:focus { border: heavy $accent; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._title = ForeignText("", newlines="space")
        self._text = ForeignText("")

    def compose(self) -> ComposeResult:
        yield self._title
        yield self._text

    def show(self, run: ScenarioRun | None) -> None:
        """The task that is going on, or a word that there is none."""
        words = words_near(self)
        title, text = (run.title, reflowed(run.text)) if run is not None else (words["task.none"], "")
        if (title, text) != (self._title.text, self._text.text):
            self._title.show(title)
            self._text.show(text)
            self.border_title = words["task.title"] if run is not None else ""
