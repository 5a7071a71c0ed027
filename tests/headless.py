"""What Textual does for a terminal, left out or done once where there is none: tests of screens gave it a sixth of their time.

The style sheets of a process share what they parse. What changes on a screen is rendered by its widgets, so that a fault in
one of them is heard of, but not laid out in lines, which nobody would see; `tests.desk.regions.painted` and snapshots paint all.
"""

from typing import Any

from textual._context import visible_screen_stack
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.geometry import Region
from textual.screen import Screen
from textual.widget import Widget

_parse = Stylesheet._parse_rules
_refresh = Screen._compositor_refresh
_PARSED: dict[tuple[object, ...], list[RuleSet]] = {}


def spare_the_terminal() -> None:
    """Do so from now on in this process."""
    Stylesheet._parse_rules = _parsed  # type: ignore[assignment, method-assign]
    Screen._compositor_refresh = _rendered  # type: ignore[assignment, method-assign]


def _parsed(sheet: Stylesheet, *text: Any, **more: Any) -> list[RuleSet]:
    """A text under the same variables gives the same rules, which none changes."""
    key = (*text, *more.items(), frozenset(sheet._variables.items()))
    if key not in _PARSED:
        _PARSED[key] = _parse(sheet, *text, **more)
    return _PARSED[key]


def _rendered(screen: Screen[Any]) -> None:
    app, compositor = screen.app, screen._compositor
    if not app.is_headless or app.is_inline or screen is not app.screen:
        _refresh(screen)
        return
    dirty = compositor._dirty_regions.copy()
    compositor._dirty_regions.clear()
    visible_screen_stack.set(app._background_screens)
    if dirty:
        for widget, (region, clip) in compositor.visible_widgets.items():
            shown = region.intersection(clip)
            if shown and any(shown.overlaps(changed) for changed in dirty):
                _render(widget, shown.translate(-region.offset))
    screen._dirty_widgets.clear()
    app._update_mouse_over(screen)


def _render(widget: Widget, shown: Region) -> None:
    if type(widget).render_line is not Widget.render_line or type(widget).render_lines is not Widget.render_lines:
        widget.render_lines(shown)
    elif widget._dirty_regions:
        widget._render_content()
