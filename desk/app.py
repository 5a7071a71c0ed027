"""The base of every desk's app: the themes, the hold driver, help, the palette, and a message in a terminal that is too
small.

A desk that does not fit is hidden as a whole rather than shown in pieces; nothing in it stops, and it is back as soon as there is
room.
"""

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Generic

from textual import events
from textual.app import App, ReturnType, SystemCommand
from textual.binding import Binding, BindingType
from textual.command import CommandPalette, Provider
from textual.content import Content
from textual.driver import Driver
from textual.geometry import Size
from textual.screen import Screen
from textual.widget import Widget

from desk.keys.help import HELP_KEY, HelpScreen, OffersProvider, help_lines
from desk.talk.key_release import HearsReleases, hold_driver
from desk.theme import THEMES, apply_theme
from desk.worded import words_near
from session.study.screen_words import ENGLISH, Words

SMALLEST = (80, 24)
HIDDEN = "-too-small"


class TooSmall(Widget):
    """The message in a terminal that is too small."""

    DEFAULT_CSS = """
    TooSmall { display: none; width: 100%; height: 100%; content-align: center middle; text-align: center; }
    """

    def __init__(self, needed: tuple[int, int]) -> None:
        super().__init__()
        self._needed = needed

    def render(self) -> Content:
        (width, height), size = self._needed, self.app.size
        said = words_near(self)["program.small"].strip()
        return Content(said.format(needed=f"{width} × {height}", now=f"{size.width} × {size.height}"))


def is_on_screen(screen: Screen[Any]) -> bool:
    """Return whether there is something to paint on: it is mounted, and neither taken away nor part of an app that is being
    left."""
    return screen.is_mounted and screen.is_attached and screen.app.is_running


class DeskApp(HearsReleases, App[ReturnType], Generic[ReturnType]):
    """Base of a desk's app. `smallest` is (columns, rows); `theme` one of `desk.theme.THEMES`.

    `after_paint` is called once, when something stands on the screen: it is the place for all that can wait that long.
    """

    ENABLE_COMMAND_PALETTE = True
    EDITING_HELP: ClassVar[bool] = True
    """Whether the help lists how a line of text is edited."""
    COMMANDS: ClassVar[set[type[Provider]]] = {OffersProvider}  # type: ignore[assignment]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", "Help", tooltip=HELP_KEY.tooltip),
        Binding("f2", "change_theme", "Dark or light", show=False),
        Binding("ctrl+q", "quit", "Leave", priority=True),
        Binding("ctrl+c", "help_quit", show=False, system=True),
    ]
    DEFAULT_CSS = f"""
    Screen.{HIDDEN} > * {{ display: none !important; }}
    Screen.{HIDDEN} > TooSmall {{ display: block !important; }}
    ToastRack {{ margin-bottom: 2; }}  /* above the keys, which a message would cover for as long as it stands */
    OptionList:ansi > .option-list--option-highlighted {{ text-style: bold underline !important; }}  /* lists drop a reversal */
    """

    def __init__(
        self,
        *,
        theme: str = "dark",
        smallest: tuple[int, int] = SMALLEST,
        after_paint: Callable[[], object] = lambda: None,
        driver_class: type[Driver] | None = None,
    ) -> None:
        super().__init__(driver_class=driver_class or hold_driver())
        self._smallest = smallest
        self._after_paint = after_paint
        self._focus_before: dict[Screen[Any], Widget] = {}
        apply_theme(self, theme)

    def on_ready(self) -> None:
        self.call_after_refresh(self._after_paint)

    @property
    def words(self) -> Words:
        """The words of the screens; a desk of participants has those of their session."""
        return ENGLISH

    # Fitting the terminal

    def on_mount(self) -> None:
        self.screen_change_signal.subscribe(self, lambda _: self.fit(), immediate=True)
        self.fit()

    def on_resize(self, event: events.Resize) -> None:
        self.fit(event.size)

    def fit(self, size: Size | None = None) -> None:
        """Hide or show every screen according to the terminal's size, or to one that Textual has yet to hear of."""
        needed, size = self._smallest, size or self.size
        too_small = size.width < needed[0] or size.height < needed[1]
        for screen in self.screen_stack:
            if too_small:
                self._hide(screen)
            elif screen.has_class(HIDDEN):
                self._show_again(screen)

    def _hide(self, screen: Screen[Any]) -> None:
        for message in screen.query(TooSmall):
            message.refresh()
        if not screen.has_class(HIDDEN):
            if screen.focused is not None:
                self._focus_before[screen] = screen.focused
            if not screen.query(TooSmall):
                self.call_later(screen.mount, TooSmall(self._smallest))
            screen.add_class(HIDDEN)

    def _show_again(self, screen: Screen[Any]) -> None:
        screen.remove_class(HIDDEN)
        focused = self._focus_before.pop(screen, None)
        if focused is not None and focused.is_attached:
            self.call_after_refresh(screen.set_focus, focused)

    # What every desk offers

    def action_help(self) -> None:
        """F1: about the widget in focus."""
        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(help_lines(self.screen)))

    def action_command_palette(self) -> None:
        """Ctrl+P: everything by name, asked for in the words of the session."""
        if self.use_command_palette and not CommandPalette.is_open(self):
            self.push_screen(CommandPalette(placeholder=self.words["program.search"], id="--command-palette"))

    def action_help_quit(self) -> None:
        """Ctrl-C is pressed by habit; it says how to leave instead of leaving."""
        self.notify(self.words["program.how_to_leave"], markup=False)

    def action_change_theme(self) -> None:
        names = [known.name for name, known in THEMES.items() if name != "plain"]
        if self.theme in names:
            self.theme = names[(names.index(self.theme) + 1) % len(names)]

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """None of Textual's own entries: all that a desk offers comes from its bindings."""
        return ()
