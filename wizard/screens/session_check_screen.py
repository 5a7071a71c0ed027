"""The light at the end of a session: whether it may be called done, check by check, while the subject is still in the house."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from desk.cell_wrap import wrapped
from desk.dialogs import Dialog
from desk.safe_text import ForeignText
from desk.table import TextTable
from session.protocol.side_messages import ClosingResponse
from session.study.screen_words import CONSOLE_ENGLISH, ConsoleWords
from wizard.core.console import Console
from wizard.core.status_text import problems_in_words


def verdict(closing: ClosingResponse | None, words: ConsoleWords = CONSOLE_ENGLISH) -> str:
    """The light in one line.

    >>> verdict(None)
    'Checking recordings, logs, export, verification, copy …'
    """
    if closing is None or not closing.checks:
        return words["console_light.looking"]
    if closing.green:
        return words["console_light.green"]
    return words["console_light.red"].format(problems=problems_in_words(len(closing.problems), words))


def lines(closing: ClosingResponse | None, width: int, words: ConsoleWords = CONSOLE_ENGLISH) -> list[str]:
    """Each check with its sign, and below it what stands against it and how to repair that."""
    found: list[str] = []
    for check in closing.checks if closing else ():
        found.append(f"{'×' if check.problems else '√'} {words.of(check.what)}")
        for problem in check.problems:
            first, *rest = wrapped(words.told(problem), max(20, width - 6))
            found += [f"    - {first}", *(f"      {line}" for line in rest)]
    return found


class ClosingLight(Dialog[None]):
    """Follows the console: `refresh_content` is called whenever something was told."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "dismiss(None)", "Back to the console"),
        Binding("l", "again", "Look again", tooltip="Checks the session again after a repair"),
        Binding("ctrl+q", "app.quit", "Leave the console"),
    ]
    HELP = "The light of the session. Problems are listed with their remedies: fix them, then press L to check again."
    DEFAULT_CSS = "ClosingLight > Vertical { width: 96; height: 80%; }"

    def __init__(self, console: Console) -> None:
        super().__init__(verdict(console.hub_info.closing, console.words))
        self._oz = console

    def content(self) -> ComposeResult:
        yield TextTable()

    def on_mount(self) -> None:
        self.query_one(TextTable).focus()
        self.call_after_refresh(self.refresh_content)

    def refresh_content(self) -> None:
        """Show the light as it is now; nothing before the window is made up."""
        if not self.query(TextTable):
            return
        closing = self._oz.hub_info.closing
        self.query_one(".title", ForeignText).show(verdict(closing, self._oz.words))
        table = self.query_one(TextTable)
        table.show_lines(lines(closing, table.text_width or 70, self._oz.words))

    def action_again(self) -> None:
        self._oz.hub_info.look_again()

    def on_resize(self) -> None:
        self.call_after_refresh(self.refresh_content)
