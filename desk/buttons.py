"""A row or column of buttons that ends a screen, for people who do not use function keys."""

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.widgets import Button

from desk.safe_text import plain
from desk.worded import words_near


class ButtonAction(NamedTuple):
    """A button's words and the action of the screen that it runs."""

    words: str
    action: str


class Buttons(Container):
    """The first button is what most people want; arrow keys go from one to the next and back into the text above."""

    HELP = "Arrow keys go from button to button, Enter presses one."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "app.focus_previous", "Before", show=False),
        Binding("right", "app.focus_next", "Next", show=False),
        Binding("up", "go_up", "Up", show=False),
        Binding("down", "app.focus_next", "Down", show=False),
    ]
    DEFAULT_CSS = """
    Buttons { layout: horizontal; height: auto; width: 100%; padding: 0 1; }
    Buttons.-column { layout: vertical; }
    Buttons Button.-style-default, Buttons Button:ansi.-style-default {
        width: auto; min-width: 12; height: 3; margin: 0 1 0 0; border: round $foreground 60%;
        background: $surface; color: $text;
        &:hover { background: $panel; border: round $foreground; }
        &:focus { border: heavy $accent; text-style: bold reverse; }
        &.-active { border: heavy $foreground !important; }
    }
    Buttons.-column Button.-style-default, Buttons.-column Button:ansi.-style-default { width: 100%; }
    """

    def __init__(self, acts: Sequence[ButtonAction], *, column: bool = False, id: str | None = None) -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(id=id, classes="-column" if column else None)
        self._acts = acts

    def compose(self) -> ComposeResult:
        for act in self._acts:
            yield Button(plain(words_near(self).of(act.words)), action=f"screen.{act.action}")

    def focus_first(self) -> None:
        """Have the first button in focus."""
        self.query(Button).first().focus()

    def action_go_up(self) -> None:
        """From a row to what stands above it, in a column to the button before."""
        if not self.has_class("-column"):
            self.query(Button).first().focus(scroll_visible=False)
        self.screen.focus_previous()
