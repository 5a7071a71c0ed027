"""The canned messages: a list that a digit or a word finds, with the blanks of the chosen one filled where they stand."""

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import RenderResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from desk.line_view import cut
from desk.worded import words_near
from session.study.screen_words import Words
from session.study.settings import CannedMessage
from session.values.sanitize import inert
from wizard.core.canned_choice import CannedChoice
from wizard.core.fillable_text import Blanks
from wizard.core.fitting import Fit
from wizard.widgets.fillable_field import Values, handled, names_for, painted, value_rows


class CannedChosen(Message):
    """This message is to go out, its blanks filled."""

    def __init__(self, message: str, blanks: tuple[str, ...]) -> None:
        super().__init__()
        self.message = message
        self.blanks = blanks


class CannedLeft(Message):
    """Esc: the wizard wants to be where she was before."""


class CannedMessages(Widget, can_focus=True):
    """Give it the messages with `offer`; it posts `CannedChosen` or `CannedLeft`."""

    HELP = (
        "The fixed replies. A digit chooses one, letters search, ↑ ↓ select, Tab goes to the next that fits, Enter sends. "
        "In a blank ↑ ↓ pick a value and Tab completes one; an empty blank is not sent."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "enter", "Send this message"),
        Binding("down", "move(1)", "Next"),
        Binding("up", "move(-1)", "Before", show=False),
        Binding("tab", "on(1)", "Next that fits"),
        Binding("shift+tab", "on(-1)", "Before that fits", show=False),
        Binding("escape", "back", "Back"),
        Binding("backspace", "erase", "Erase", show=False),
        Binding("ctrl+u", "empty", "Empty the line", show=False),
    ]
    DEFAULT_CSS = """
    CannedMessages { height: 1fr; border: round $foreground 40%; background: $surface;
        &:focus { border: heavy $accent; } }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(id=id)
        self.choosing = CannedChoice(())
        self.values: Values = lambda beginning: []
        self.border_title = "Canned messages"

    def offer(self, messages: Sequence[CannedMessage], fits: Sequence[Fit] = ()) -> None:
        """Start again with these messages, at the one that fits best."""
        self._now(CannedChoice(tuple(messages), fits=tuple(fits), named=words_near(self).name).at_best())

    def offer_filled(self, messages: Sequence[CannedMessage], message: str, blanks: tuple[str, ...]) -> None:
        """Begin at one message, its blanks filled as proposed."""
        self._now(CannedChoice(tuple(messages), named=words_near(self).name).with_blanks(message, blanks))

    def _now(self, choosing: CannedChoice) -> None:
        self.choosing = choosing
        self.refresh()

    # Painting: what will be sent stands in full above the list

    def render(self) -> RenderResult:
        width, height = self.size.width, self.size.height
        top = self._top(width)
        rows = self._rows(width, max(1, height - len(top.wrap(max(1, width)))))
        return Content("\n").join([top, *rows])

    def _top(self, width: int) -> Content:
        choosing, chosen, words = self.choosing, self.choosing.chosen, words_near(self)
        if choosing.refused:
            line = f"!! {words.of(choosing.refused).format(digit=choosing.digit)}"
        elif choosing.gaps is not None:
            line = self._how_to_fill(choosing.gaps, words)
        else:
            line = f"{words.of('Digit or word:')} {inert(choosing.search, newlines='space')}▏"
        head = Content.styled(line, "bold")
        if choosing.gaps is not None:
            return Content("\n").join(
                [head, painted(choosing.gaps), *value_rows(choosing.gaps, self.values, width, words)]
            )
        if chosen is not None and cut(_line(chosen, words), width) != _line(chosen, words):
            return Content("\n").join([head, Content(inert(chosen.text, newlines="space"))])
        return head

    def _how_to_fill(self, gaps: Blanks, words: Words) -> str:
        """Say to pick where there is something to pick, otherwise to type."""
        if names_for(gaps, self.values):
            return words["console_text.fill_blank_with_values"]
        others = any(not value.strip() for gap, value in enumerate(gaps.values) if gap != gaps.at)
        return words["console_text.fill_next_blank" if others else "console_text.fill_blank_by_typing"]

    def _rows(self, width: int, room: int) -> list[Content]:
        """The messages around the selected one; what does not fit is counted on the last line."""
        found, chosen = self.choosing.found, self.choosing.chosen
        shown = room if len(found) <= room else max(1, room - 1)
        at = next((n for n, message in enumerate(found) if message is chosen), 0)
        first = max(0, min(at - shown // 2, len(found) - shown))
        rows = [self._row(message, width, message is chosen) for message in found[first : first + shown]]
        left_out = len(found) - len(rows)
        more = words_near(self)["console_text.more_messages"].format(count=left_out)
        return [*rows, Content.styled(f"  {more}", "italic")] if left_out else rows

    def _row(self, message: CannedMessage, width: int, chosen: bool) -> Content:
        words = words_near(self)
        line = f"►{_line(message, words)[1:]}" if chosen else _line(message, words)
        if why := words.of(self.choosing.why(message)):
            line = f"{cut(line, max(1, width - len(why) - 4)):<{max(1, width - len(why) - 4)}}  ◄ {why}"
        return Content.styled(cut(line, width), "bold reverse" if chosen else "")

    # Keys

    async def on_key(self, event: events.Key) -> None:
        """Every key in the order in which it was pressed, as in `BlanksEditor`."""
        if await handled(self, event):
            return
        if event.is_printable and event.character:
            event.stop()
            self._now(self.choosing.typed(event.character))

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self._now(self.choosing.typed(event.text))

    def action_enter(self) -> None:
        was_filling = self.choosing.gaps is not None
        self._now(self.choosing.entered())
        ready = self.choosing.ready
        if ready is not None and (was_filling or self.choosing.gaps is None):
            self.post_message(CannedChosen(*ready))

    def action_move(self, step: int) -> None:
        self._now(self._picked(step) or self.choosing.moved(step))

    def action_on(self, step: int) -> None:
        """Tab: completes what is typed in a blank, otherwise goes to the next blank, or to the next message that fits."""
        gaps = self.choosing.gaps
        completes = gaps is not None and gaps.beginning and gaps.stem is None and step > 0
        self._now((self._picked(1) if completes else None) or self.choosing.next_fit(step))

    def _picked(self, step: int) -> CannedChoice | None:
        gaps = self.choosing.gaps
        found = names_for(gaps, self.values) if gaps is not None else []
        return self.choosing.picked(step, found) if found else None

    def action_erase(self) -> None:
        self._now(self.choosing.erased())

    def action_empty(self) -> None:
        self._now(self.choosing.cleared())

    def action_back(self) -> None:
        back = self.choosing.back()
        if back is None:
            self.post_message(CannedLeft())
        else:
            self._now(back)


def _line(message: CannedMessage, words: Words) -> str:
    digit = str(message.digit) if message.digit is not None else " "
    return f"  {digit}  {inert(message.text, newlines='space')}  ({words.name(message.response)})"
