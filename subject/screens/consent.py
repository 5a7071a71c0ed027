"""What the subject is told before anything is recorded, and what she agrees to, scope by scope."""

from collections.abc import Iterable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.reactive import reactive
from textual.screen import ModalScreen, ScreenResultType
from textual.widgets import Checkbox

from desk.footer import KeyFooter
from desk.line_view import SCROLL_GROUP
from desk.safe_text import ForeignText, plain
from subject.core.texts import MORE, SCOPES, reflowed
from subject.screens.dialogs import ALWAYS


class Reading(VerticalScroll):
    """A text to read, with what belongs to it; knows how far down it has been on the screen, from the top and without a gap."""

    HELP = "A text to read. Scroll with the arrow keys and by page."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "scroll_up", "Up", group=SCROLL_GROUP),
        Binding("down", "scroll_down", "Down", group=SCROLL_GROUP),
    ]
    DEFAULT_CSS = "Reading { padding: 0 2; height: 1fr; }"
    seen: reactive[int] = reactive(0)
    wholly_seen: reactive[bool] = reactive(False)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self.call_after_refresh(self.look)

    def on_resize(self) -> None:
        self.seen = 0  # the lines lie elsewhere now
        self.call_after_refresh(self.look)

    def look(self) -> None:
        """Take note of what stands on the screen now."""
        if self.scroll_offset.y <= self.seen:
            self.seen = max(self.seen, self.scroll_offset.y + self.scrollable_content_region.height)
        self.wholly_seen = self.wholly_seen or self.seen >= self.virtual_size.height > 0

    def show_unseen(self) -> None:
        """Have the first line that was not on the screen yet at its top, if there is so much below it."""
        self.scroll_to(y=self.seen, animate=False)


class Tick(Checkbox):
    """A box that says by its sign, not by its colour, whether it is ticked."""

    HELP = "Something to agree to, or not. Space ticks it; Tab goes to the next."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "toggle_button", "Tick or untick"),
        Binding("tab", "app.focus_next", "Next"),
    ]
    DEFAULT_CSS = """
    Tick, Tick:focus { width: 100%; height: auto; border: none; background: transparent; padding: 0; }
    Tick:focus { text-style: bold reverse; }
    Tick > .toggle--button, Tick.-on > .toggle--button, Tick:focus > .toggle--button {
        color: $foreground; background: $background;
    }
    """

    @property
    def BUTTON_INNER(self) -> str:  # type: ignore[override]  # noqa: N802 - Textual's name, there a constant
        return "[x]" if self.value else "[ ]"

    BUTTON_LEFT = ""
    BUTTON_RIGHT = ""


class ConsentScreen(ModalScreen[dict[str, bool]]):
    """Ends with the scopes that were agreed to; at first nothing is ticked, `ticked` is what was agreed to before."""

    HELP = (
        "Read the text, tick what you agree to, then continue with F10, which shows first what you have not seen yet."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f10", "agree", "Continue with what is ticked", priority=True),
        Binding("f9", "tick_all", "Tick everything", priority=True),
        *ALWAYS,
    ]
    DEFAULT_CSS = """
    ConsentScreen { background: $background; }
    ConsentScreen #consent { margin-bottom: 1; }
    ConsentScreen #more { height: 1; padding: 0 2; text-style: bold; color: $warning; }
    """

    def __init__(self, text: str, ticked: Iterable[str] = ()) -> None:
        super().__init__()
        self._text = text
        self._ticked = frozenset(ticked)

    def compose(self) -> ComposeResult:
        with Reading():
            yield ForeignText(reflowed(self._text), id="consent")
            for name, sentence in SCOPES.items():
                yield Tick(plain(sentence), name in self._ticked, id=name)
        yield ForeignText("", id="more")
        yield KeyFooter(3)

    def on_mount(self) -> None:
        self.query_one("#record", Tick).focus(scroll_visible=False)
        self.watch(self.query_one(Reading), "wholly_seen", self._tell)

    def _tell(self, wholly_seen: bool) -> None:
        self.query_one("#more", ForeignText).show("" if wholly_seen else MORE)

    def action_tick_all(self) -> None:
        for box in self.query(Tick):
            box.value = True
        self.query_one(Reading).scroll_end(animate=False)

    def on_checkbox_changed(self, event: Checkbox.Changed) -> None:
        """Nobody agrees to what is below the edge of a small window: what is ticked is brought into sight."""
        event.checkbox.scroll_visible(animate=False)

    def action_agree(self) -> None:
        """Nobody agrees, or refuses, without having had everything on the screen: what was not comes first."""
        self.call_after_refresh(self._agree)  # with everything painted that was shown before this key

    def _agree(self) -> None:
        reading = self.query_one(Reading)
        reading.look()
        if not reading.wholly_seen:
            reading.show_unseen()
        elif self.is_current:
            self.dismiss({str(box.id): box.value for box in self.query(Tick)})


class TextScreen(ModalScreen[ScreenResultType]):
    """A text to be read, as wide as there is room."""

    DEFAULT_CSS = """
    TextScreen { background: $background; }
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        with Reading():
            yield ForeignText(reflowed(self._text))
        yield KeyFooter()


class InstructionsScreen(TextScreen[None]):
    """The written instructions, once at the beginning and again whenever asked for."""

    HELP = "Read the instructions; F10 or Esc goes on."
    BINDINGS: ClassVar[list[BindingType]] = [Binding("f10,escape", "dismiss", "Go on", priority=True), *ALWAYS]


class DebriefingScreen(TextScreen[bool]):
    """How the study works, when it is over."""

    HELP = "Read the text; F10 goes on."
    BINDINGS: ClassVar[list[BindingType]] = [Binding("f10", "dismiss(True)", "Go on", priority=True), *ALWAYS]
