"""How a picture of a desk comes about: its app runs without a terminal, and what it shows becomes an SVG that stands alone."""

import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

SIZE = (100, 30)
COCKPIT = (132, 36)
"""From 120 columns on the console shows the dialogue beside the work."""
Act = Callable[[Pilot[Any]], Awaitable[None]]


Keep = Callable[[Pilot[Any]], Awaitable[None]]
_LOOKED_AT: ContextVar[tuple[tuple[int, int], Keep] | None] = ContextVar("_LOOKED_AT", default=None)


@contextmanager
def looked_at(size: tuple[int, int], keep: Keep) -> Iterator[None]:
    """Within, each screen has this size and is kept by `keep`; no picture is made of it."""
    token = _LOOKED_AT.set((size, keep))
    try:
        yield
    finally:
        _LOOKED_AT.reset(token)


def pressing(*keys: str, first: Callable[[], object] = lambda: None) -> Act:
    """What happens at the desk `first`, then these keys."""

    async def act(pilot: Pilot[Any]) -> None:
        first()
        await pilot.pause()
        await pilot.press(*("space" if key == " " else key for key in keys))

    return act


async def picture(app: App[Any], path: Path, act: Act | None = None, size: tuple[int, int] = SIZE) -> None:
    """What the app shows after `act`, as an SVG that stands alone."""
    wished = _LOOKED_AT.get()
    size = size if wished is None else wished[0]
    async with app.run_test(size=size) as pilot:
        for step in (None, act):
            if step is not None:
                await step(pilot)
            for _ in range(6):
                await pilot.pause()
        steady(app)
        await pilot.pause()
        if wished is not None:
            await wished[1](pilot)
            return
        path.write_text(alone(app.export_screenshot(title="Curtain")))


def steady(app: App[Any]) -> None:
    """Have no cursor blink, on whatever screen: a picture shows it where the focus is, whenever it is taken."""
    for screen in app.screen_stack:
        for editor in screen.query("TextArea, Input").results(TextArea | Input):
            editor.cursor_blink = False
            if isinstance(editor, TextArea):
                editor._line_cache.clear()  # its lines are kept by whether the cursor blinks, not by whether it was to be seen


def alone(svg: str) -> str:
    """Without fonts from elsewhere, and with names of classes that are the same at every run."""
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r"terminal-\d+-", "terminal-", svg)
    return "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"
