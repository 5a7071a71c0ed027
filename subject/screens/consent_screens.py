"""Screens of consent: the text before anything is recorded, and agreement scope by scope."""

from abc import abstractmethod
from collections.abc import Iterable
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.reactive import reactive
from textual.screen import ModalScreen, ScreenResultType
from textual.widget import Widget
from textual.widgets import Checkbox

from desk.buttons import ButtonAction, Buttons
from desk.keys.footer import KeyFooter
from desk.line_view import SCROLL_GROUP
from desk.safe_text import ForeignText, plain
from desk.wheel import WheelScreen
from desk.worded import words_near
from session.study.screen_words import consent_sentences
from session.values.paragraphs import reflowed
from subject.screens.task_dialogs import ALWAYS
from subject.widgets.reading_text import ReadingText

SCROLL_STEP = 3
"""Lines that an arrow key scrolls."""


class TextToRead(VerticalScroll):
    """A text to read, with what belongs to it; knows how far down it has been on the screen, from the top and without a gap."""

    HELP = "A text to read. The arrow keys scroll it; Enter shows what comes next."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step(-1)", "Up", group=SCROLL_GROUP),
        Binding("down", "step(1)", "Down", group=SCROLL_GROUP),
    ]
    DEFAULT_CSS = "TextToRead { padding: 0 2; height: 1fr; }"
    seen: reactive[int] = reactive(0)
    wholly_seen: reactive[bool] = reactive(False)

    _wrapped_at = 0
    _at_end = False

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._at_end = new_value >= self.max_scroll_y > 0
        self.call_after_refresh(self.look)

    def on_resize(self) -> None:
        if (width := self.scrollable_content_region.width) != self._wrapped_at:
            self.seen, self._wrapped_at = 0, width  # the lines lie elsewhere now
        elif self._at_end:  # a longer list of keys below takes no line away from who reads, or clicks on, the last one
            self.call_after_refresh(self.scroll_end, animate=False)
        self.call_after_refresh(self.look)

    def look(self) -> None:
        """Take note of what stands on the screen now."""
        if self.scroll_offset.y <= self.seen:
            self.seen = max(self.seen, self.scroll_offset.y + self.scrollable_content_region.height)
        self.wholly_seen = self.wholly_seen or self.seen >= self.virtual_size.height > 0

    def read_on(self) -> bool:
        """Show the first line that has not been on the screen yet at the top; False when all of it has been."""
        self.look()
        if not self.wholly_seen:
            self.scroll_to(y=self.seen, animate=False)
        return not self.wholly_seen

    def action_step(self, step: int) -> None:
        """Go to the box before or after when it is in sight, otherwise scroll; from the end of it on to the buttons."""
        boxes = list(self.query(Tick))
        at = next((n for n, box in enumerate(boxes) if box.has_focus), None)
        if at is not None and 0 <= at + step < len(boxes) and self._in_sight(boxes[at + step]):
            boxes[at + step].focus(scroll_visible=False)
        elif step > 0 and self.scroll_offset.y >= self.max_scroll_y:
            self.screen.focus_next()
        else:
            self.scroll_relative(y=SCROLL_STEP * step, animate=False)

    def _in_sight(self, box: Widget) -> bool:
        top, room = self.scroll_offset.y, self.scrollable_content_region.height
        return top <= box.virtual_region.y and box.virtual_region.bottom <= top + room


class Tick(Checkbox, inherit_bindings=False):
    """A box that says by its sign, not by its colour, whether it is ticked."""

    HELP = "Something to agree to, or not. Space ticks it; the arrow keys go to the next."
    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "toggle_button", "Tick or untick")]
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


class ConsentScreen(WheelScreen[dict[str, bool]], ModalScreen[dict[str, bool]]):
    """Ends with the scopes that were agreed to; at first nothing is ticked, `ticked` is what was agreed to before."""

    HELP = "Read the text and tick what you agree to with Space. Enter continues; it first shows what you have not seen yet."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "agree", "Continue"),
        Binding("f10", "agree(True)", "Continue", show=False, priority=True),
        Binding("f9", "tick_all", "Tick everything", show=False, priority=True),
        *ALWAYS,
    ]
    DEFAULT_CSS = """
    ConsentScreen { background: $background; align-horizontal: center; }
    ConsentScreen > * { max-width: 100; }
    ConsentScreen > KeyFooter { max-width: 100%; }
    ConsentScreen #consent { margin-bottom: 1; }
    ConsentScreen #more { height: 1; padding: 0 2; text-style: bold; color: $warning; }
    """

    def __init__(self, text: str, ticked: Iterable[str] = (), *, typed: bool = False) -> None:
        super().__init__()
        self._text, self._typed = text, typed
        self._ticked = frozenset(ticked)
        self._warned = self._clicked = False

    def compose(self) -> ComposeResult:
        with TextToRead():
            yield ReadingText(reflowed(self._text), id="consent")
            for name, sentence in consent_sentences(words_near(self), typed=self._typed).items():
                yield Tick(plain(sentence), name in self._ticked, id=name)
        yield ForeignText("", id="more")
        yield Buttons([ButtonAction("Continue", "agree"), ButtonAction("Tick everything", "tick_all")])
        yield KeyFooter(3, reachable=True)

    def on_mount(self) -> None:
        self.query_one("#record", Tick).focus(scroll_visible=False)
        self.watch(self.query_one(TextToRead), "wholly_seen", self._show_more)

    def _show_more(self, wholly_seen: bool) -> None:
        self.query_one("#more", ForeignText).show("" if wholly_seen else words_near(self)["consent.more"])

    @property
    def wheeled(self) -> Widget:
        return self.query_one(TextToRead)

    def action_tick_all(self) -> None:
        with self.prevent(Checkbox.Changed):  # each would bring its own box into sight, whichever came last
            for box in self.query(Tick):
                box.value = True
        # why: Enter continues from a box; on the button, which a click leaves under the cursor, it would tick again.
        self.query_one("#record", Tick).focus(scroll_visible=False)
        self.query_one(TextToRead).scroll_end(animate=False)
        self._changed()

    @on(Checkbox.Changed)
    def bring_into_sight(self, event: Checkbox.Changed) -> None:
        """Nobody agrees to what is below the edge of a small window."""
        event.checkbox.scroll_visible(animate=False)
        self._changed()

    def _changed(self) -> None:
        self._warned = False
        self._show_more(self.query_one(TextToRead).wholly_seen)

    def action_agree(self, deliberate: bool = False) -> None:
        """Nobody agrees, or refuses, without having had everything on the screen: what was not comes first. Being recorded is
        refused at the button alone, after a warning."""
        deliberate = deliberate or self._clicked or not self.query_one(TextToRead).has_focus_within
        self._clicked = False
        self.call_after_refresh(self._agree, deliberate)  # with everything painted that was shown before this key

    def _agree(self, deliberate: bool) -> None:
        if self.query_one(TextToRead).read_on():
            return
        if not self.query_one("#record", Tick).value and not (self._warned and deliberate):
            self._warned = True  # Enter turns the pages too: nobody refuses by strokes too many, but by the button
            self.query_one("#more", ForeignText).show(words_near(self)["consent.not_recorded"])
        elif self.is_current:
            self.dismiss({str(box.id): box.value for box in self.query(Tick)})

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """A click on a button or on the list of keys, and not on text or boxes, is meant."""
        self._clicked = not self.query_one(TextToRead).region.contains(event.screen_x, event.screen_y)


class TextScreen(WheelScreen[ScreenResultType], ModalScreen[ScreenResultType]):
    """A text to be read, as wide as there is room; it is gone on from only when all of it has been on the screen."""

    DEFAULT_CSS = """
    TextScreen { background: $background; align-horizontal: center; }
    TextScreen > * { max-width: 100; }
    TextScreen > KeyFooter { max-width: 100%; }
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        with TextToRead():
            yield ReadingText(reflowed(self._text))
        yield Buttons([ButtonAction("Continue", "read_on")])
        yield KeyFooter(reachable=True)

    @property
    def wheeled(self) -> Widget:
        return self.query_one(TextToRead)

    def action_read_on(self) -> None:
        self.call_after_refresh(self._read_on)

    def _read_on(self) -> None:
        if not self.query_one(TextToRead).read_on() and self.is_current:
            self.end()

    @abstractmethod
    def end(self) -> None:
        """Return all has been read."""


class InstructionsScreen(TextScreen[None]):
    """The written instructions, once at the beginning and again whenever asked for; Esc closes them where they `may_close`."""

    HELP = "Read the instructions. Enter shows what comes next, and continues at the end."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "read_on", "Continue"),
        Binding("f10", "read_on", "Continue", show=False, priority=True),
        Binding("escape", "close", "Close", priority=True),
        *ALWAYS,
    ]

    def __init__(self, text: str, *, may_close: bool = True) -> None:
        super().__init__(text)
        self._may_close = may_close

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self._may_close or action != "close"

    def action_close(self) -> None:
        self.dismiss(None)

    def end(self) -> None:
        self.dismiss(None)


class DebriefingScreen(TextScreen[bool]):
    """Debriefing: how the study works, when it is over."""

    HELP = "Read the text. Enter shows what comes next, and continues at the end."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "read_on", "Continue"),
        Binding("f10", "read_on", "Continue", show=False, priority=True),
        *ALWAYS,
    ]

    def end(self) -> None:
        self.dismiss(True)
