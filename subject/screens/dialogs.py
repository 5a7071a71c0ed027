"""The two questions that the terminal asks: what the solution is, and whether the task is really given up."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label

from desk.footer import KeyFooter
from desk.help import HELP_KEY
from desk.safe_text import plain

CSS = """
{name} {{ align: center middle; }}
{name} > Vertical {{ width: 72; max-width: 95%; height: auto; border: heavy $accent; background: $surface; padding: 1 2; }}
{name} KeyFooter {{ min-height: 2; }}  /* over both rows of the desk's own, whose keys do not work now */
"""


ALWAYS = (
    Binding("f8", "app.call", "Call experimenter", priority=True),
    Binding("f4", "app.withdraw", "Stop taking part", priority=True),
    HELP_KEY,
)
"""What is within reach on every screen of a station."""


class SolutionScreen(ModalScreen[str | None]):
    """Asks for the solution in the subject's own words; Esc goes back to the task."""

    HELP = "Write your solution and press Enter, or Esc to go back to the task."
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "Back to the task"), HELP_KEY]
    DEFAULT_CSS = CSS.format(name="SolutionScreen")

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Label(plain("What is your solution? Write it down in a few words."))
            yield Input(max_length=2000, id="solution")
            yield Label(plain("Enter: this is my solution    Esc: back to the task"))
        yield KeyFooter()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.value.strip():
            self.dismiss(event.value)


class GiveUpScreen(ModalScreen[bool]):
    """Asks once more before a task is given up."""

    HELP = "Y gives the task up, Esc goes back to it."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "dismiss(True)", "Give the task up"),
        Binding("escape,n", "dismiss(False)", "Back to the task"),
        HELP_KEY,
    ]
    DEFAULT_CSS = CSS.format(name="GiveUpScreen")

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Label(plain("Do you want to give this task up?"))
            yield Label(plain("Y: yes, give it up    Esc: no, back to the task"))
        yield KeyFooter()
