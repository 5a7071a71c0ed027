"""A text whose gaps are filled where they stand; the widget for the placeholders of a scenario, and its painting for messages."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events
from textual.app import RenderResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from desk.line_view import cut
from desk.worded import words_near
from session.protocol.side_messages import DomainValue
from session.study.screen_words import ENGLISH, Words
from session.values.sanitize import inert
from wizard.core.fillable_text import Blanks

HOLE = "____"
ROWS = 6
Values = Callable[[str], Sequence[DomainValue]]
"""From the beginning of a value to the values that it may become."""


def painted(gaps: Blanks) -> Content:
    """The text, each gap underlined, the one at hand reversed with a cursor behind it; distinguished without colour."""
    parts: list[tuple[str, str]] = []
    for piece in gaps.pieces:
        if isinstance(piece, str):
            parts.append((inert(piece, newlines="keep"), ""))
        elif piece == gaps.at:
            parts.append((f"{inert(gaps.values[piece])}▏", "bold reverse italic" if gaps.fresh else "bold reverse"))
        else:
            parts.append((inert(gaps.values[piece]) or HOLE, "underline"))
    return Content.assemble(*parts)


def names_for(gaps: Blanks, values: Values) -> list[str]:
    """Return the names that may be picked in the gap at hand."""
    return [value.text for value in values(gaps.beginning)]


def value_rows(gaps: Blanks, values: Values, width: int, words: Words = ENGLISH) -> list[Content]:
    """The values that may be picked, the one that was marked, each with its kind; a few around it where there are many."""
    found = list(values(gaps.beginning))
    first = max(0, min(gaps.pick - ROWS // 2, len(found) - ROWS))
    rows, named = [], words.of
    for place, value in enumerate(found[first : first + ROWS], first):
        beside = value.name or ("" if value.text.casefold() == value.value.casefold() else value.value)
        about = f"{beside}, {named(value.kind)}" if beside else named(value.kind)
        line = f"  {'►' if place == gaps.pick else ' '} {inert(value.text)}  ({inert(about)})"
        rows.append(Content.styled(cut(line, width), "bold" if place == gaps.pick else ""))
    return rows


async def handled(widget: Widget, event: events.Key) -> bool:
    """Runs the action that `widget` itself binds to a key, here and now; False when it binds none."""
    for binding in widget._bindings.key_to_bindings.get(event.key, ()):
        event.stop()
        event.prevent_default()
        await widget.run_action(binding.action)
        return True
    return False


class BlanksFilled(Message):
    """Enter was pressed and no gap is empty."""

    def __init__(self, gaps: Blanks) -> None:
        super().__init__()
        self.gaps = gaps


def _place(gaps: Blanks, words: Words) -> str:
    if not gaps.names:
        return ""
    return words["console_text.gap_place"].format(name=gaps.names[gaps.at], at=gaps.at + 1, count=len(gaps.names))


class BlanksEditor(Widget, can_focus=True):
    """The text with its gaps: type, Tab goes to the next gap, Enter is done; an empty gap is refused where it is."""

    HELP = (
        "Type into the highlighted gap. ↑ ↓ pick a value, Tab completes one and then goes to the next gap, "
        "Enter finishes when none is empty."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "done", "Start with this"),
        Binding("tab", "on", "Complete, next gap"),
        Binding("shift+tab", "move(-1)", "Gap before", show=False),
        Binding("down", "pick(1)", "Pick a value"),
        Binding("up", "pick(-1)", "Value before", show=False),
        Binding("backspace", "erase", "Erase", show=False),
        Binding("ctrl+u", "empty", "Empty the gap", show=False),
    ]
    DEFAULT_CSS = """
    BlanksEditor { height: auto; padding: 1 2; border: round $foreground 40%; &:focus { border: heavy $accent; } }
    """

    def __init__(self, gaps: Blanks, values: Values = lambda beginning: (), *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.gaps, self.values = gaps, values
        self.refused = ""

    def render(self) -> RenderResult:
        words = words_near(self)
        rows = value_rows(self.gaps, self.values, max(20, self.size.width), words)
        line = f"!! {self.refused}" if self.refused else _place(self.gaps, words)
        if not (rows or self.refused or not self.gaps.names):
            line = f"{line}: {words['console_text.type_value']}"
        return Content("\n\n").join([painted(self.gaps), Content("\n").join([Content.styled(line, "bold"), *rows])])

    def _now(self, gaps: Blanks, refused: str = "") -> None:
        self.gaps, self.refused = gaps, refused
        self.refresh(layout=True)

    async def on_key(self, event: events.Key) -> None:
        """Every key in the order in which it was pressed; left to the bindings, Tab could overtake the letters before it."""
        if await handled(self, event):
            return
        if event.is_printable and event.character:
            event.stop()
            self._now(self.gaps.typed(event.character))

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self._now(self.gaps.typed(event.text))

    def action_erase(self) -> None:
        self._now(self.gaps.erased())

    def action_empty(self) -> None:
        self._now(self.gaps.cleared())

    def action_pick(self, step: int) -> None:
        """The next value in the gap; without any, the next gap."""
        found = names_for(self.gaps, self.values)
        self._now(self.gaps.picked(step, found) if found else self.gaps.moved(step))

    def action_on(self) -> None:
        """Complete what is typed; what is whole, or cannot be completed, is left for the next gap."""
        found = names_for(self.gaps, self.values) if self.gaps.beginning and self.gaps.stem is None else []
        whole = any(name.casefold() == self.gaps.beginning.casefold() for name in found)
        self._now(self.gaps.picked(1, found) if found and not whole else self.gaps.moved(1))

    def action_move(self, step: int) -> None:
        self._now(self.gaps.moved(step))

    def action_done(self) -> None:
        empty = self.gaps.empty
        if empty is None:
            self.post_message(BlanksFilled(self.gaps))
        else:
            self._now(
                self.gaps.to(empty),
                words_near(self).of("Fill in {blank}, then Enter starts.").format(blank=self.gaps.names[empty]),
            )
