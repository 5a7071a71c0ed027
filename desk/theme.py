"""Themes of every desk: a dark theme, a light one, and one without any colour.

Colours are only ever a second way of saying something. What must be distinguished (focus, recording, a warning, what is
selected) has its own border, sign, words or reversal, and tests hold the widgets to that. The plain theme uses nothing but
the terminal's own two colours; it is what NO_COLOR gets.
"""

from collections.abc import Mapping
from typing import Any

from textual.app import App
from textual.filter import NoColor
from textual.theme import BUILTIN_THEMES, Theme


def _scrollbars(ground: str, bar: str, held: str) -> dict[str, str]:
    """Scrollbars that are seen where there is something to scroll, and only there."""
    grounds = dict.fromkeys(("", "-hover", "-active", "-corner-color"), ground)
    return {
        **{
            f"scrollbar{'' if part == '-corner-color' else '-background'}{part}": colour
            for part, colour in grounds.items()
        },
        "scrollbar": bar,
        "scrollbar-hover": held,
        "scrollbar-active": held,
    }


DARK = Theme(
    name="curtain-dark",
    dark=True,
    primary="#6cb6ff",
    secondary="#9db2bf",
    accent="#ffc66d",
    success="#7ee787",
    warning="#f2cc60",
    error="#f85149",
    foreground="#f0f3f6",
    background="#0d1117",
    surface="#161b22",
    panel="#21262d",
    variables={"block-cursor-text-style": "bold reverse", **_scrollbars("#161b22", "#484f58", "#6e7681")},
)
LIGHT = Theme(
    name="curtain-light",
    dark=False,
    primary="#0550ae",
    secondary="#57606a",
    accent="#8a4600",
    success="#116329",
    warning="#7d4e00",
    error="#b3121d",
    foreground="#1f2328",
    background="#ffffff",
    surface="#f6f8fa",
    panel="#e7ebef",
    variables={"block-cursor-text-style": "bold reverse", **_scrollbars("#f6f8fa", "#afb8c1", "#818b98")},
)
_OWN = "ansi_default"
PLAIN = Theme(
    name="curtain-plain",
    ansi=True,
    primary=_OWN,
    secondary=_OWN,
    accent=_OWN,
    success=_OWN,
    warning=_OWN,
    error=_OWN,
    foreground=_OWN,
    background=_OWN,
    surface=_OWN,
    panel=_OWN,
    boost=_OWN,
    variables={
        **dict.fromkeys(BUILTIN_THEMES["ansi-dark"].variables, _OWN),
        "block-cursor-text-style": "bold reverse",
        "input-cursor-text-style": "reverse",
    },
)
THEMES = {"dark": DARK, "light": LIGHT, "plain": PLAIN}


def apply_theme(app: App[Any], theme: str = "dark") -> None:
    """Give `app` all themes and put one on; to be called in its constructor. Raises ValueError for a theme not in `THEMES`."""
    if theme not in THEMES:
        raise ValueError(f"there is no theme {theme!r}: choose one of {', '.join(THEMES)}")
    for known in THEMES.values():
        app.register_theme(known)
    app.theme = THEMES[theme].name
    if theme == "plain":
        app._filters.append(NoColor())  # Textual offers this only through NO_COLOR, read when it is imported


def theme_for(environment: Mapping[str, str], wished: str = "dark") -> str:
    """`wished`, unless the person asked all programs for no colour (https://no-color.org)."""
    return "plain" if environment.get("NO_COLOR") else wished
