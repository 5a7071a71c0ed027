"""The questions that the terminal asks: what the solution is, whether to give up on the task, whether to stop taking part."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label

from desk.buttons import ButtonAction, Buttons
from desk.keys.footer import KeyFooter
from desk.keys.help import HELP_KEY
from desk.safe_text import plain
from desk.worded import words_near

CSS = """
{name} {{ align: center middle; }}
{name} > Vertical {{ width: 72; max-width: 95%; height: auto; border: heavy $accent; background: $surface; padding: 1 2; }}
{name} Input {{ border: round $foreground 60%; background: $background; margin: 1 0; }}
{name} Input:focus {{ border: heavy $accent; }}
{name} KeyFooter {{ min-height: 3; }}  /* over all rows of the desk's own, whose keys do not work now */
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
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back to the task"),
        Binding("down", "app.focus_next", "To the buttons", show=False),
        HELP_KEY,
    ]
    DEFAULT_CSS = CSS.format(name="SolutionScreen") + "SolutionScreen #refused { display: none; text-style: bold; }"

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Label(plain(words_near(self)["question.solution"]))
            yield Input(max_length=2000, id="solution")
            yield Label(plain(words_near(self)["question.no_solution"]), id="refused")
            yield Buttons([ButtonAction("Submit", "submit"), ButtonAction("Back to the task", "back")])
        yield KeyFooter(reachable=True)

    @on(Input.Submitted)
    def action_submit(self) -> None:
        """Enter in the line, or the button; an empty solution is none."""
        solution = self.query_one(Input).value
        if solution.strip():
            self.dismiss(solution)
        else:
            self.query_one("#refused").display = True
            self.query_one(Input).focus()

    def action_back(self) -> None:
        self.dismiss(None)


class GiveUpScreen(ModalScreen[bool]):
    """Asks again before a task is given up; Enter by habit goes back to it."""

    AUTO_FOCUS = "Button"
    HELP = "Arrow keys choose, Enter does it. Y gives up on the task, Esc goes back to it."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "give_up", "Give up"),
        Binding("escape,n", "back", "Back to the task"),
        HELP_KEY,
    ]
    DEFAULT_CSS = CSS.format(name="GiveUpScreen")

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Label(plain(words_near(self)["question.give_up"]))
            yield Buttons([ButtonAction("No, back to the task", "back"), ButtonAction("Yes, give up", "give_up")])
        yield KeyFooter(reachable=True)

    def action_give_up(self) -> None:
        self.dismiss(True)

    def action_back(self) -> None:
        self.dismiss(False)


class WithdrawScreen(ModalScreen[str | None]):
    """Asks once whether to stop, and what becomes of what was said; Enter by habit continues with the session."""

    AUTO_FOCUS = "Button"
    HELP = "Arrow keys choose, Enter does it. E or K stops the session for you; Esc goes back to it."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e", "stop('erase')", "Stop, erase"),
        Binding("k", "stop('keep')", "Stop, keep"),
        Binding("escape", "back", "Go on taking part"),
        HELP_KEY,
    ]
    DEFAULT_CSS = CSS.format(name="WithdrawScreen")

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Label(plain(words_near(self)["question.withdraw"]))
            yield Buttons(
                [
                    ButtonAction("Go on taking part", "back"),
                    ButtonAction("Stop. What I said so far may be kept.", "stop('keep')"),
                    ButtonAction("Stop, and erase what I said.", "stop('erase')"),
                ],
                column=True,
            )
        yield KeyFooter(reachable=True)

    def action_stop(self, how: str) -> None:
        self.dismiss(how)

    def action_back(self) -> None:
        self.dismiss(None)
