"""The small windows over the transcription desk: a list to choose from, a line to write. Esc leaves them without consequence."""

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from desk.editor import Editor, TextSubmitted
from desk.footer import KeyFooter
from desk.inert import ForeignText
from desk.lines import cut
from session.inert import inert


class Choice(NamedTuple):
    """An entry of a list: the key that takes it at once (may be empty), what it gives, how it reads."""

    key: str
    value: str
    label: str


class Window(ModalScreen[str]):
    """A framed window with a title; gives an empty text when it is left with Esc."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss('')", "Leave it")]
    DEFAULT_CSS = """
    Window { align: center middle; }
    Window > Vertical { width: 76; max-width: 100%; height: auto; max-height: 90%; border: heavy $accent;
        background: $surface; padding: 0 1; }
    Window .title { text-style: bold; margin-bottom: 1; }
    Window OptionList, Window OptionList:focus { height: auto; max-height: 18; border: none; padding: 0;
        background: $surface; }
    """

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title

    def compose(self) -> ComposeResult:
        with Vertical():
            yield ForeignText(self._title, classes="title")
            yield from self.content()
        yield KeyFooter(1)

    def content(self) -> ComposeResult:
        """What stands below the title."""
        return iter(())


class Ask(Window):
    """One line of text."""

    def content(self) -> ComposeResult:
        yield Editor(limit=500)

    def on_mount(self) -> None:
        self.query_one(Editor).focus()

    def on_text_submitted(self, event: TextSubmitted) -> None:
        event.stop()
        self.dismiss(event.text)


class Choose(Window):
    """A list; a letter takes its entry at once, arrows and Enter take any."""

    def __init__(self, title: str, choices: Sequence[Choice], at: int = 0) -> None:
        super().__init__(title)
        self._choices = list(choices)
        self._at = at

    def content(self) -> ComposeResult:
        yield OptionList(*(Option(self._prompt(each)) for each in self._choices), markup=False)

    def _prompt(self, choice: Choice) -> Content:
        key = Content.styled(f" {choice.key.upper()} ", "bold reverse") if choice.key else Content("   ")
        return Content.assemble(key, f"  {cut(inert(choice.label, newlines='space'), 64)}")

    def on_mount(self) -> None:
        options = self.query_one(OptionList)
        options.highlighted = self._at if self._choices else None
        options.focus()

    def on_key(self, event: events.Key) -> None:
        taken = [each for each in self._choices if each.key and each.key == event.key.removeprefix("alt+").lower()]
        if taken:
            event.stop()
            event.prevent_default()
            self.dismiss(taken[0].value)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(self._choices[event.option_index].value)
