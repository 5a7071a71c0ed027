"""A text whose gaps are filled where they stand; the widget for the placeholders of a scenario, and its painting for messages."""

from typing import ClassVar

from textual import events
from textual.app import RenderResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from session.values.sanitize import inert
from wizard.core.blanks import Blanks

HOLE = "____"


def painted(gaps: Blanks) -> Content:
    """The text, each gap underlined, the one at hand reversed with a cursor behind it; told apart without colour."""
    parts: list[tuple[str, str]] = []
    for piece in gaps.pieces:
        if isinstance(piece, str):
            parts.append((inert(piece, newlines="keep"), ""))
        elif piece == gaps.at:
            parts.append((f"{inert(gaps.values[piece])}▏", "bold reverse"))
        else:
            parts.append((inert(gaps.values[piece]) or HOLE, "underline"))
    return Content.assemble(*parts)


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


def _place(gaps: Blanks) -> str:
    return f"Now: {gaps.names[gaps.at]}, gap {gaps.at + 1} of {len(gaps.names)}" if gaps.names else ""


class BlanksEditor(Widget, can_focus=True):
    """The text with its gaps: type, Tab goes to the next gap, Enter is done; an empty gap is refused where it is."""

    HELP = "Type into the gap that is reversed. Tab goes to the next one, Enter is done when none is empty."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "done", "Start with this"),
        Binding("tab,down", "move(1)", "Next gap"),
        Binding("shift+tab,up", "move(-1)", "Gap before", show=False),
        Binding("backspace", "erase", "Erase", show=False),
        Binding("ctrl+u", "empty", "Empty the gap", show=False),
    ]
    DEFAULT_CSS = """
    BlanksEditor { height: auto; padding: 1 2; border: round $foreground 40%; &:focus { border: heavy $accent; } }
    """

    def __init__(self, gaps: Blanks, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(id=id)
        self.gaps = gaps
        self.refused = ""

    def render(self) -> RenderResult:
        line = f"!! {self.refused}" if self.refused else _place(self.gaps)
        return Content("\n\n").join([painted(self.gaps), Content.styled(line, "bold")])

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

    def action_move(self, step: int) -> None:
        self._now(self.gaps.moved(step))

    def action_done(self) -> None:
        empty = self.gaps.empty
        if empty is None:
            self.post_message(BlanksFilled(self.gaps))
        else:
            self._now(self.gaps.to(empty), f"Fill in {self.gaps.names[empty]}, then Enter starts.")
