"""A pane that shows the screen of another desk: a whole app of its own, which runs without a terminal.

The app lays out, paints and scrolls by itself as it does for a person. What it has painted is taken over line by line; nothing
that is typed or clicked in the pane reaches it.
"""

import asyncio
import contextlib
from typing import Any, ClassVar, cast

from textual._compositor import LayoutUpdate
from textual.drivers.headless_driver import HeadlessDriver
from textual.events import Resize
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from desk.app import SMALLEST, DeskApp, is_on_screen

LOOK_S = 0.1


class DeskPane(Widget):
    """Window on what a desk's app has painted; `on` starts it, and ends the one that was shown before."""

    ALLOW_SELECT: ClassVar[bool] = False
    DEFAULT_CSS = "DeskPane { width: 1fr; height: 1fr; }"

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(id=id)
        self.desk: DeskApp[Any] | None = None
        self._run: asyncio.Task[Any] | None = None
        self._strips: list[Strip] = []

    async def on(self, desk: DeskApp[Any]) -> None:
        """Show this desk from now on; what is there stays until it has painted something."""
        before, self._run = self._run, None
        self.desk = desk
        await _ended(before)
        ready = asyncio.Event()
        self._run = asyncio.create_task(_run(desk, self.room, ready))
        await ready.wait()
        if desk.is_running:
            self.on_resize()  # the pane may have got its size while the desk was starting
            desk.set_interval(LOOK_S, lambda: self._look(desk))
            desk.call_after_refresh(self._look, desk)

    async def off(self) -> None:
        """End the desk that is shown."""
        run, self._run, self.desk = self._run, None, None
        await _ended(run)

    async def painted(self) -> None:
        """Return when all that the desk knows by now has been painted, and taken over."""
        if (desk := self.desk) is None or not desk.is_running:
            return
        for _ in range(2):  # what it knows is shown in one turn of its loop, and laid out in the next
            done = asyncio.Event()
            desk.call_later(desk.call_after_refresh, done.set)
            await done.wait()
        looked = asyncio.Event()
        desk.call_later(self._look, desk)
        desk.call_later(looked.set)
        await looked.wait()

    @property
    def room(self) -> Size:
        """The size of the desk's terminal: this pane's, but no smaller than a desk can be, whose last lines are cut off then."""
        return Size(max(SMALLEST[0], self.size.width), max(SMALLEST[1], self.size.height))

    def _look(self, desk: DeskApp[Any]) -> None:
        """Take over what the desk has painted; called by the desk itself, whose widgets know it by the context of the call."""
        if desk is not self.desk or not is_on_screen(desk.screen):
            return
        screen = desk.screen
        painted = screen._compositor.render_update(full=True, screen_stack=desk._background_screens)
        strips = [Strip.join(parts) for parts in cast(LayoutUpdate, painted).strips]
        if strips != self._strips:
            self._strips = strips
            self.refresh()

    @property
    def text(self) -> str:
        """The letters that are shown."""
        return "\n".join(strip.text for strip in self._strips)

    def on_resize(self) -> None:
        desk = self.desk
        if desk is not None and desk.is_running and isinstance(desk._driver, HeadlessDriver):
            desk._driver._size = self.room
            desk.post_message(Resize(self.room, self.room))

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        if y >= len(self._strips):
            return Strip.blank(width, self.rich_style)
        return self._strips[y].crop(0, width).adjust_cell_length(width, self.rich_style)


async def _run(desk: DeskApp[Any], size: Size, ready: asyncio.Event) -> None:
    """Run a desk without a terminal; `ready` also where it fails."""
    try:
        await desk.run_async(headless=True, size=size, auto_pilot=lambda _: _ready(ready))
    finally:
        ready.set()


async def _ready(ready: asyncio.Event) -> None:
    ready.set()


async def _ended(run: "asyncio.Task[Any] | None") -> None:
    if run is not None and not run.done():
        run.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await run
