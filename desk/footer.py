"""The keys that work now, all of them in sight: the footer takes as many rows as it needs and scrolls nothing away."""

from textual.app import RenderResult
from textual.content import Content
from textual.geometry import Size
from textual.screen import Screen
from textual.widget import Widget

from desk.key_actions import fitted, in_groups

ALL_KEYS = "F1 lists all"


class KeyFooter(Widget):
    """Keys reversed, so that they stand out without colour; up to `rows` rows, then it says where the rest is."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    KeyFooter { dock: bottom; width: 100%; height: auto; background: $panel; color: $foreground; }
    """

    def __init__(self, rows: int = 2, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(id=id)
        self._rows = rows
        self._entries: list[tuple[str, str]] = []

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._bindings_changed)
        self._bindings_changed(self.screen)

    def _bindings_changed(self, screen: Screen[object]) -> None:
        entries = in_groups(self.screen)
        if entries != self._entries and self.app.app_focus:
            self._entries = entries
            self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(fitted(self._entries, width, self._rows, ALL_KEYS))

    def render(self) -> RenderResult:
        lines = []
        for row in fitted(self._entries, self.size.width, self._rows, ALL_KEYS):
            parts = [part for keys, does in row for part in ((f" {keys} ", "bold reverse"), (f"{does} ", ""))]
            lines.append(Content.assemble(*parts))
        return Content("\n").join(lines)
