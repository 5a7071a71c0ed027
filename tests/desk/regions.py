"""Where everything is on a screen: what a picture shows to the eye, asserted.

For the authors of desks: `await each_size(make_app, check)` runs an app at 80 × 24, 120 × 40 and 200 × 60, and `assert_laid_out`
holds that nothing visible overlaps a sibling, lies outside its parent or the screen, or has no room.
"""

from collections.abc import Awaitable, Callable, Iterator
from itertools import combinations
from typing import Any

from textual.app import App
from textual.pilot import Pilot
from textual.widget import Widget

from tests import THOROUGH

SIZES = ((80, 24), (120, 40), (200, 60))


def visible_children(widget: Widget) -> list[Widget]:
    """Children that take part in the layout: displayed, not floating above it, not Textual's own."""
    return [
        child
        for child in widget.displayed_children
        if child.visible
        and child.styles.overlay != "screen"
        and child.styles.position != "absolute"
        and not child.has_class("-textual-system")
    ]


def complaints(widget: Widget) -> Iterator[str]:
    """Everything wrong below `widget`, in words with names and regions. What is scrolled out of sight is not wrong."""
    children = visible_children(widget)
    scrolls = (widget.max_scroll_x > 0 and widget.styles.overflow_x != "hidden") or (
        widget.max_scroll_y > 0 and widget.styles.overflow_y != "hidden"
    )
    for child in children:
        region = child.region
        if not region.area:
            yield f"{name(child)} has no room in {name(widget)}: {region}"
        elif not scrolls and region not in widget.screen.region:
            yield f"{name(child)} is outside the screen: {region}"
        elif not scrolls and region not in widget.region:
            yield f"{name(child)} {region} sticks out of {name(widget)} {widget.region}"
    for one, other in combinations(children, 2):
        if one.layer == other.layer and one.region.overlaps(other.region):
            yield f"{name(one)} {one.region} overlaps {name(other)} {other.region}"
    for child in children:
        yield from complaints(child)


def painted(app: App[Any]) -> str:
    """The screen as text, exactly as a terminal would show it."""
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())


def name(widget: Widget) -> str:
    return f"{type(widget).__name__}{f'#{widget.id}' if widget.id else ''}"


def assert_laid_out(app: App[Any]) -> None:
    """Fail with every complaint about the screen in front; also when nothing has the focus although something could."""
    found = list(complaints(app.screen))
    if app.screen.focus_chain and app.screen.focused is None:
        found.append("nothing has the focus")
    assert not found, f"at {app.size.width} × {app.size.height}:\n" + "\n".join(found)


async def each_size(
    make_app: Callable[[], App[Any]],
    check: Callable[[App[Any], Pilot[Any]], Awaitable[None]] | None = None,
) -> None:
    """Run a fresh app at each of `SIZES`: `check` brings it into a state, then its layout is asserted.

    The larger ones, which take most of the time, are for CI's last stage: what has no room fails at the smallest.
    """
    for size in SIZES if THOROUGH else SIZES[:1]:
        app = make_app()
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            if check is not None:
                await check(app, pilot)
                await pilot.pause()
            assert_laid_out(app)
