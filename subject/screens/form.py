"""A questionnaire, one item a page, answered by keys alone; and the question whether to stop taking part."""

from typing import ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Label

from desk.footer import KeyFooter
from desk.help import HELP_KEY
from desk.line_view import SCROLL_GROUP
from desk.safe_text import ForeignText, plain
from session.study.settings import Questionnaire
from session.values.vocabulary import ItemKind
from subject.core import texts
from subject.screens.dialogs import ALWAYS, CSS

LONGEST_WORDS = 2000
ANSWERS = Binding.Group("Answer", compact=True)


class FormScreen(ModalScreen[dict[str, str]]):
    """Ends with an answer to every item that was answered, by the item's id."""

    AUTO_FOCUS = ""
    HELP = (
        "A digit answers the question and goes on to the next one. F3 goes back. At the end F10 hands the answers in."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(digit), f"choose({digit})", f"Answer {digit}", group=ANSWERS) for digit in range(1, 10)),
        Binding("up", "scroll(-3)", "Up", group=SCROLL_GROUP, priority=True),
        Binding("down", "scroll(3)", "Down", group=SCROLL_GROUP, priority=True),
        Binding("f3,pageup", "back", "Question before", priority=True),
        Binding("f10,enter", "on", "Go on"),
        *ALWAYS,
    ]
    DEFAULT_CSS = """
    FormScreen { background: $background; }
    FormScreen VerticalScroll { padding: 1 2; height: 1fr; }
    FormScreen ForeignText { margin-bottom: 1; }
    FormScreen #title, FormScreen #question { text-style: bold; }
    FormScreen #said { color: $warning; text-style: bold; }
    """

    def __init__(self, form: Questionnaire) -> None:
        super().__init__()
        self._form = form
        self._place = 0
        self._answers: dict[str, str] = {}

    def compose(self) -> ComposeResult:
        with VerticalScroll(can_focus=False):
            yield ForeignText(self._form.title, newlines="space", id="title")
            yield ForeignText(self._form.introduction, id="introduction")
            yield ForeignText("", id="question")
            yield ForeignText("", id="choices")
            yield Input(max_length=LONGEST_WORDS, id="words")
            yield ForeignText("", newlines="space", id="said")
        yield KeyFooter()

    def on_mount(self) -> None:
        self.query_one("#introduction").display = bool(self._form.introduction)
        self._show()

    @property
    def _over(self) -> bool:
        return self._place >= len(self._form.item)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only the digits that are answers to the present question."""
        if action == "scroll":
            return self.query_one(VerticalScroll).max_scroll_y > 0
        if action != "choose":
            return True
        return not self._over and cast(int, parameters[0]) <= len(self._form.item[self._place].choices)

    def _show(self) -> None:
        words = self.query_one("#words", Input)
        self.refresh_bindings()
        self.query_one("#said", ForeignText).show("")
        if self._over:
            self.query_one("#question", ForeignText).show(texts.FORM_OVER)
            self.query_one("#choices", ForeignText).show("")
            words.display = False
            self.set_focus(None)
            return
        item = self._form.item[self._place]
        given = self._answers.get(item.id, "")
        self.query_one("#question", ForeignText).show(f"{self._place + 1} of {len(self._form.item)}   {item.text}")
        marks = (
            f"{'>' if each == given else ' '} {number}  {each}" for number, each in enumerate(item.choices, start=1)
        )
        self.query_one("#choices", ForeignText).show("\n".join(marks))
        words.display = item.kind is ItemKind.TEXT
        words.value = given if item.kind is ItemKind.TEXT else ""
        self.set_focus(words if item.kind is ItemKind.TEXT else None)
        self.call_after_refresh(self._bring_question)

    def action_choose(self, digit: int) -> None:
        item = self._form.item[self._place]
        self._answers[item.id] = item.choices[digit - 1]
        self._go(1)

    def action_scroll(self, lines: int) -> None:
        """A form that is longer than the screen is read with the arrow keys, whatever has the cursor."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)

    def _bring_question(self) -> None:
        """Of a form that is longer than the screen, have the question in sight with all that answers it."""
        self.query_one("#words" if self.query_one("#words").display else "#choices").scroll_visible(animate=False)
        self.refresh_bindings()

    def on_resize(self) -> None:
        self.call_after_refresh(self._bring_question)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.action_on()

    def action_on(self) -> None:
        """To the next item when this one has its answer, and out of the form after the last."""
        if self._over:
            self.dismiss(self._answers)
            return
        item = self._form.item[self._place]
        if item.kind is ItemKind.TEXT:
            text = self.query_one("#words", Input).value.strip()
            self._answers.pop(item.id, None)
            if text:
                self._answers[item.id] = text
        if item.id in self._answers or item.optional:
            self._go(1)
        else:
            self.query_one("#said", ForeignText).show(texts.FORM_EMPTY)

    def action_back(self) -> None:
        self._go(-1)

    def _go(self, by: int) -> None:
        self._place = max(0, self._place + by)
        self._show()


class WithdrawScreen(ModalScreen[str | None]):
    """Asks once whether to stop, and what becomes of what was said; Esc goes on with the session."""

    HELP = "E or K stops the session for you; Esc goes back to it."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e", "dismiss('erase')", "Stop, erase"),
        Binding("k", "dismiss('keep')", "Stop, keep"),
        Binding("escape", "dismiss", "Go on taking part"),
        HELP_KEY,
    ]
    DEFAULT_CSS = CSS.format(name="WithdrawScreen")

    def compose(self) -> ComposeResult:
        with Vertical():
            for line in texts.WITHDRAW:
                yield Label(plain(line or " "))
        yield KeyFooter()
