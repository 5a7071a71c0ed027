"""Bringing a widget into view once its screen is laid out anew: behind a dialog that may be some time later."""

from typing import TYPE_CHECKING

from textual.widget import Widget

if TYPE_CHECKING:
    from textual.screen import Screen

    _Base = Screen[None]
else:
    _Base = object


class Reveals(_Base):
    """Part of a screen that brings a widget to the top of what it is scrolled in."""

    _revealed: Widget | None = None

    def begin_revealing(self) -> None:
        """Follow the screen's layouts; for when it is mounted."""
        self.screen_layout_refresh_signal.subscribe(self, self._laid_out)

    def reveal(self, widget: Widget) -> None:
        """Bring a widget into view as soon as its place is known."""
        self._revealed = widget
        self.refresh(layout=True)

    def _laid_out(self, _: object) -> None:
        widget, self._revealed = self._revealed, None
        if widget is not None:
            widget.scroll_visible(top=True, animate=False, immediate=True)
