"""The keys that work now, all of them in sight, each also a button: clicked, or chosen with the arrow keys and Enter.

The footer takes as many rows as it needs and scrolls nothing away. A terminal may keep function keys for itself, and a person may
not know what a key is: whatever the footer names can be done without that key.
"""

from dataclasses import replace
from typing import ClassVar

from textual import events, on
from textual.app import RenderResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.screen import Screen
from textual.widget import Widget

from desk.keys.actions import FooterEntry, fitted, in_groups
from desk.worded import words_near

ALL_KEYS = FooterEntry("…", "F1 lists all", "app.help")


class KeyFooter(Widget):
    """Keys in bold, so that they stand out without colour; up to `rows` rows, then it says where the rest is.

    With `reachable` the keyboard gets there too: Tab, or the arrow keys where the screen leads them here. Each entry is a button
    then, its name first: who has never used a terminal reads what is done, and need not know what F6 is.
    """

    ALLOW_SELECT = False
    FOCUS_ON_CLICK = False
    HELP = "All actions. ← → select, Enter runs one; a click runs it at once."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "select(-1)", "Before", show=False),
        Binding("right", "select(1)", "Next", show=False),
        Binding("up", "leave(-1)", "Back", show=False),
        Binding("down", "leave(1)", "On", show=False),
        Binding("enter", "run", "Do it", show=False),
    ]
    DEFAULT_CSS = """
    KeyFooter { dock: bottom; width: 100%; height: auto; background: $panel; color: $foreground; }
    """

    def __init__(self, rows: int = 2, *, reachable: bool = False, id: str | None = None) -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(id=id)
        self.can_focus = reachable
        self._rows = rows
        self._entries: list[FooterEntry] = []
        self._selected = 0
        self._most: dict[int, int] = {}

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._bindings_changed)
        self._bindings_changed(self.screen)

    def _bindings_changed(self, screen: Screen[object]) -> None:
        entries = in_groups(self.screen)
        if self.can_focus:
            entries.sort(key=lambda entry: not entry.action)  # what is no button stands behind those that are
        if entries != self._entries and self.app.app_focus:
            self._entries = entries
            self.refresh(layout=True)

    # What is seen

    def _lines(self, width: int) -> list[list[FooterEntry]]:
        rest = replace(ALL_KEYS, does=words_near(self).of(ALL_KEYS.does))
        return fitted(self._entries, width, self._rows, rest, gap=self._gap)

    @property
    def _gap(self) -> int:
        """Cells between one button and the next; keys need none."""
        return 1 if self.can_focus else 0

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """A footer with buttons above it never shrinks: what the mouse goes down on must not move before it comes up."""
        lines = len(self._lines(width))
        if self.can_focus:
            lines = self._most[width] = max(lines, self._most.get(width, 0))
        return lines

    def render(self) -> RenderResult:
        lines, chosen = [], self._chosen
        for row in self._lines(self.size.width):
            paint = self._button if self.can_focus else self._key
            lines.append(Content.assemble(*(part for entry in row for part in paint(entry, entry == chosen))))
        return Content("\n").join(lines)

    def _key(self, entry: FooterEntry, chosen: bool) -> list[tuple[str, str]]:
        return [(f" {entry.keys} ", "bold $accent"), (f"{entry.does} ", "reverse" if chosen else "")]

    def _button(self, entry: FooterEntry, chosen: bool) -> list[tuple[str, str]]:
        if not entry.action:
            return [(f" {entry.keys} ", "bold"), (f"{entry.does}  ", "")]
        ground = "reverse" if chosen else "on $primary 25%"
        return [(f" {entry.does} ", f"bold {ground}"), (f"{entry.keys} ", ground), (" ", "")]

    @property
    def _chosen(self) -> FooterEntry | None:
        buttons = self._buttons
        return buttons[min(self._selected, len(buttons) - 1)] if self.has_focus and buttons else None

    @property
    def _buttons(self) -> list[FooterEntry]:
        """The entries in sight that one press can do; a group of keys is none."""
        return [entry for row in self._lines(self.size.width) for entry in row if entry.action]

    # What is done

    @on(events.Focus)
    def begin(self) -> None:
        self._selected = 0
        self.refresh()

    @on(events.Blur)
    def end(self) -> None:
        self.refresh()

    def action_select(self, step: int) -> None:
        """The next button, or the one before, in a circle."""
        if buttons := self._buttons:
            self._selected = (min(self._selected, len(buttons) - 1) + step) % len(buttons)
            self.refresh()

    def action_leave(self, step: int) -> None:
        self.screen.focus_next() if step > 0 else self.screen.focus_previous()

    async def action_run(self) -> None:
        if self._chosen is not None:
            await self._do(self._chosen)

    async def on_click(self, event: events.Click) -> None:
        entry = self._at(event.x, event.y)
        if entry is not None and entry.action:
            event.stop()
            await self._do(entry)

    def _at(self, x: int, y: int) -> FooterEntry | None:
        lines = self._lines(self.size.width)
        for entry in lines[y] if 0 <= y < len(lines) else []:
            if 0 <= x < entry.width:
                return entry
            x -= entry.width + self._gap
        return None

    async def _do(self, entry: FooterEntry) -> None:
        await self.app.run_action(entry.action, entry.node or self.screen)
