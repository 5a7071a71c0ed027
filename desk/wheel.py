"""Screens on which the mouse wheel scrolls the main text, wherever the pointer is.

Textual scrolls only what is under the pointer. Somebody who has never used a terminal turns the wheel over the task, over the
talk button or beside a narrow column of text, and nothing would happen.
"""

from abc import abstractmethod

from textual import events
from textual.screen import Screen, ScreenResultType
from textual.widget import Widget

WHEEL_LINES = 2


class WheelScreen(Screen[ScreenResultType]):
    """Base of a screen with such a text; a widget that scrolls by itself keeps the wheel."""

    @property
    @abstractmethod
    def wheeled(self) -> Widget:
        """Return the text that the wheel scrolls."""

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._turn(event, WHEEL_LINES)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._turn(event, -WHEEL_LINES)

    def _turn(self, event: events.MouseEvent, lines: int) -> None:
        over, _ = self.get_widget_at(event.screen_x, event.screen_y)
        if not any(isinstance(node, Widget) and node.allow_vertical_scroll for node in over.ancestors_with_self):
            self.wheeled.scroll_relative(y=lines, animate=False)
