"""A questionnaire, one item a page: a digit, a click, or arrow keys and Enter answer it."""

from typing import ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Input, OptionList

from desk.buttons import ButtonAction, Buttons
from desk.keys.footer import KeyFooter
from desk.line_view import SCROLL_GROUP
from desk.safe_text import ForeignText, plain
from desk.wheel import WheelScreen
from desk.worded import words_near
from session.study.settings import Questionnaire
from session.values.vocabulary import ItemKind
from subject.screens.consent_screens import SCROLL_STEP
from subject.screens.task_dialogs import ALWAYS

LONGEST_WORDS = 2000
DIGITS = 9
ANSWERS = Binding.Group("Answer", compact=True)


class Choices(OptionList):
    """The answers to choose from; nothing is marked before the subject marks it."""

    HELP = "The answers. A digit or a click takes one; arrow keys and Enter do too."
    DEFAULT_CSS = """
    Choices, Choices:focus { height: auto; max-height: 100%; border: none; padding: 0; background: $background; }
    """

    @property
    def at_edge(self) -> tuple[bool, bool]:
        """Return whether nothing is before, and nothing behind, the marked answer."""
        return self.highlighted in (None, 0), self.highlighted == self.option_count - 1


class FormScreen(WheelScreen[dict[str, str]], ModalScreen[dict[str, str]]):
    """Ends with an answer to every item that was answered, by the item's id."""

    AUTO_FOCUS = ""
    HELP = "A digit answers the question; so do the arrow keys with Enter, or a click. At the end Enter submits."
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(digit), f"choose({digit})", "Answer", group=ANSWERS) for digit in range(1, 10)),
        Binding("up", "step(-1)", "Up", group=SCROLL_GROUP, priority=True),
        Binding("down", "step(1)", "Down", group=SCROLL_GROUP, priority=True),
        Binding("enter", "next", "Continue"),
        Binding("f10", "next", "Continue", show=False, priority=True),
        Binding("f3,pageup", "back", "Previous question", show=False, priority=True),
        *ALWAYS,
    ]
    DEFAULT_CSS = """
    FormScreen { background: $background; align-horizontal: center; }
    FormScreen > * { max-width: 100; }
    FormScreen > KeyFooter { max-width: 100%; }
    FormScreen VerticalScroll { padding: 1 2; height: 1fr; }
    FormScreen ForeignText { margin-bottom: 1; }
    FormScreen #title, FormScreen #question { text-style: bold; }
    FormScreen #refusal { color: $warning; text-style: bold; }
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
            yield Choices(markup=False, id="choices")
            yield Input(max_length=LONGEST_WORDS, id="words")
            yield ForeignText("", newlines="space", id="refusal")
        yield Buttons([ButtonAction("Continue", "next"), ButtonAction("Previous question", "back")])
        yield KeyFooter(reachable=True)

    @property
    def wheeled(self) -> Widget:
        return self.query_one(VerticalScroll)

    def on_mount(self) -> None:
        self.query_one("#introduction").display = bool(self._form.introduction)
        self._show()

    @property
    def _over(self) -> bool:
        return self._place >= len(self._form.item)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only the digits that are answers to the present question; arrows where there is something for them to do."""
        if action == "choose":
            choices = self._form.item[self._place].choices if not self._over else ()
            return cast(int, parameters[0]) <= len(choices) <= DIGITS
        if action == "step":
            return self.focused is None or not isinstance(self.focused.parent, Buttons | ModalScreen)
        return True

    # --- showing an item ----------------------------------------------------------------------------------------------

    def _show(self) -> None:
        words, choices = self.query_one("#words", Input), self.query_one(Choices)
        self.query_one("#refusal", ForeignText).show("")
        choices.clear_options()
        words.display = choices.display = False
        if self._over:
            self.query_one("#question", ForeignText).show(words_near(self)["form.over"])
            self.query_one(Buttons).focus_first()
        else:
            self._show_item(words, choices)
        self.refresh_bindings()

    def _show_item(self, words: Input, choices: Choices) -> None:
        item = self._form.item[self._place]
        given = self._answers.get(item.id, "")
        place = words_near(self)["form.place"].format(at=self._place + 1, count=len(self._form.item))
        self.query_one("#question", ForeignText).show(f"{place}   {item.text}")
        if item.kind is ItemKind.TEXT:
            words.display, words.value = True, given
            self.set_focus(words)
        else:
            choices.display = True
            choices.add_options(
                _line(number, choice, given, len(item.choices)) for number, choice in enumerate(item.choices, start=1)
            )
            choices.highlighted = item.choices.index(given) if given in item.choices else None
            self.set_focus(choices)
        self.call_after_refresh(self._bring_question)

    def _bring_question(self) -> None:
        """Of a form that is longer than the screen, have the question in sight with all that answers it."""
        self.query_one("#words" if self.query_one("#words").display else "#choices").scroll_visible(animate=False)
        self.refresh_bindings()

    def on_resize(self) -> None:
        self.call_after_refresh(self._bring_question)

    # --- keys ---------------------------------------------------------------------------------------------------------

    def action_step(self, step: int) -> None:
        """Through the answers, and from their edge through a form that is longer than the screen and on to the buttons."""
        scroll, choices = self.query_one(VerticalScroll), self.query_one(Choices)
        before, behind = choices.at_edge
        below = scroll.scroll_offset.y < scroll.max_scroll_y
        if choices.has_focus and (not below if step > 0 else True) and not (behind if step > 0 else before):
            choices.action_cursor_down() if step > 0 else choices.action_cursor_up()
        elif step > 0 and not below:
            self.focus_next()
        else:
            scroll.scroll_relative(y=SCROLL_STEP * step, animate=False)

    @on(OptionList.OptionSelected)
    def choose_marked(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_choose(event.option_index + 1)

    def action_choose(self, digit: int) -> None:
        item = self._form.item[self._place]
        self._answers[item.id] = item.choices[digit - 1]
        self._go(1)

    @on(Input.Submitted)
    def action_next(self) -> None:
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
            self.query_one("#refusal", ForeignText).show(words_near(self)["form.empty"])

    def action_back(self) -> None:
        self._go(-1)

    def _go(self, by: int) -> None:
        self._place = max(0, self._place + by)
        self._show()


def _line(number: int, choice: str, given: str, choices: int) -> Content:
    """An answer with the digit that takes it; a point of a scale has its number already."""
    words = choice.removeprefix(f"{number} ") if choice != str(number) else ""
    digit = f" {number} " if choices <= DIGITS else ""
    return Content(f"{'●' if choice == given else ' '}{digit} {plain(words)}".rstrip())
