"""A screen that a subject cannot leave by accident or curiosity: only the experimenter's code opens the way out.

While locked, the keys that quit, open the palette or copy do nothing at all and are offered nowhere; and when the program
itself fails, what it prints is a sentence for the subject, not a traceback that tells how the session works.
"""

import hmac
from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult, ReturnType
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.driver import Driver
from textual.message import Message
from textual.reactive import reactive
from textual.screen import ModalScreen
from textual.widgets import Input, Label

from desk.app import SMALLEST, DeskApp
from desk.buttons import ButtonAction, Buttons
from desk.keys.footer import KeyFooter
from desk.keys.help import HELP_KEY

LOCKED_ACTIONS = frozenset({"quit", "command_palette", "help_quit", "suspend_process", "change_theme", "screenshot"})


class CodeGiven(Message):
    """Message: a code was typed, right or wrong."""

    def __init__(self, right: bool) -> None:
        super().__init__()
        self.right = right


class CodePrompt(ModalScreen[str | None]):
    """Asks for the code; Esc goes back."""

    HELP = "For the experimenter: the code unlocks the keys that leave this program."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "Back"),
        Binding("down", "app.focus_next", "To the buttons", show=False),
        HELP_KEY,
    ]
    DEFAULT_CSS = """
    CodePrompt { align: center middle; }
    CodePrompt KeyFooter { min-height: 3; }  /* over all rows of the desk's own, whose keys do not work now */
    CodePrompt Input { border: heavy $accent; background: $background; margin: 1 0; }
    CodePrompt > Vertical { width: 50; height: auto; border: heavy $accent; background: $surface; padding: 1 2; }
    """

    def __init__(self, prompt: str) -> None:
        super().__init__()
        self._prompt = prompt

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Label(Content(self._prompt))
            yield Input(password=True, max_length=100, id="code")
            yield Buttons([ButtonAction("Unlock", "submit"), ButtonAction("Back", "dismiss")])
        yield KeyFooter(reachable=True)

    @on(Input.Submitted)
    def action_submit(self) -> None:
        self.dismiss(self.query_one(Input).value)


class KioskApp(DeskApp[ReturnType]):
    """A desk locked with `code`; without one (None) it is an ordinary desk. `on_crash` is told of an error for the log."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("f12", "unlock", "Unlock", priority=True)]

    locked: reactive[bool] = reactive(False, bindings=True)

    def __init__(
        self,
        *,
        code: str | None,
        on_crash: Callable[[BaseException], None] | None = None,
        theme: str = "dark",
        smallest: tuple[int, int] = SMALLEST,
        after_paint: Callable[[], object] = lambda: None,
        driver_class: type[Driver] | None = None,
    ) -> None:
        super().__init__(theme=theme, smallest=smallest, after_paint=after_paint, driver_class=driver_class)
        if code is not None and not code:
            raise ValueError("the experimenter's code is empty: give one, or none at all")
        self._code = code
        self._on_crash = on_crash
        self.set_reactive(KioskApp.locked, code is not None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "unlock":
            return self._code is not None
        return not (self.locked and action in LOCKED_ACTIONS)

    def action_unlock(self) -> None:
        """Ask for the code, or lock again."""
        if not self.locked:
            self.locked = True
            self.notify(self.words["program.locked"], markup=False)
        elif not isinstance(self.screen, CodePrompt):
            self.push_screen(CodePrompt(self.words["question.code"]), self._code_typed)

    def _code_typed(self, typed: str | None) -> None:
        if typed is None or self._code is None:
            return
        right = hmac.compare_digest(typed.encode(), self._code.encode())
        self.locked = not right
        self.post_message(CodeGiven(right))
        self.notify(self.words["program.unlocked" if right else "program.wrong_code"], markup=False)

    def _fatal_error(self) -> None:
        """Textual would print a traceback with the values of variables in it."""
        if self._code is None or self._exception is None:
            super()._fatal_error()
            return
        if self._on_crash is not None:
            self._on_crash(self._exception)
        self._exit_renderables.append(self.words["message.failed"])
        self._close_messages_no_wait()
