"""Every screen at three sizes, as text and style, in both themes and without colour; `python -m tests.desk.snapshots` writes.

A snapshot has the characters of a screen, below them for each line which style how many cells have, and at its end what each
style is in the dark theme, the light one and the plain one.
"""

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from string import ascii_letters, digits
from typing import Any, NamedTuple

from rich.cells import cell_len
from rich.color import Color
from rich.style import Style
from textual.app import App
from textual.geometry import Region
from textual.pilot import Pilot

from desk.theme import THEMES, apply_theme
from docs.make_pictures import PICTURES
from docs.picturing import looked_at, steady
from tests import ROOT
from tests.desk.further_screens import FURTHER

FOLDER = ROOT / "tests" / "snapshots"
SCREENS = {**PICTURES, **FURTHER}
SIZES = ((80, 24), (120, 40), (160, 50))
SIGNS = ascii_letters + digits
_ATTRIBUTES = ("bold", "dim", "italic", "underline", "reverse", "strike")


class Cell(NamedTuple):
    """How the text of a cell looks: colours as `#rrggbb`, or `default` for the terminal's own, and what else it is."""

    text: str
    ground: str
    more: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.text, "on", self.ground, self.more)))


class Seen(NamedTuple):
    """A screen as one theme has it: its lines, and for each line the runs of cells of one look; `front` is where windows stand
    over it, behind which everything is dim."""

    lines: list[str]
    runs: list[list[tuple[Cell, str]]]
    front: list[Region]

    def texts(self) -> Iterator[tuple[Cell, str]]:
        """What stands in front, run by run."""
        for y, row in enumerate(self.runs):
            x = 0
            for cell, text in row:
                if any(region.contains(x, y) for region in self.front):
                    yield cell, text
                x += cell_len(text)


def seen(app: App[Any]) -> Seen:
    """What the app shows now."""
    strips = app.screen._compositor.render_strips()
    runs = [[(_cell(segment.style), segment.text) for segment in strip if segment.text] for strip in strips]
    windows = [child.region for child in app.screen.children if child.region.area]
    front = windows if app.screen.is_modal else [app.screen.region]
    return Seen([strip.text for strip in strips], runs, front)


def _cell(style: Style | None) -> Cell:
    if style is None:
        return Cell("default", "default")
    more = " ".join(name for name in _ATTRIBUTES if getattr(style, name))
    return Cell(_colour(style.color), _colour(style.bgcolor), more)


def _colour(colour: Color | None) -> str:
    return "default" if colour is None or colour.is_default else colour.get_truecolor().hex


async def themes_of(pilot: Pilot[Any]) -> dict[str, Seen]:
    """The screen in every theme, the plain one last: it takes the colours away for good."""
    found = {}
    for name in THEMES:
        apply_theme(pilot.app, name)
        await pilot.pause()
        steady(pilot.app)
        found[name] = await settled(pilot)
    return found


async def settled(pilot: Pilot[Any]) -> Seen:
    """What is painted when two looks in a row have found the same: a busy machine takes more of them."""
    before = None
    while True:
        pilot.app.screen.refresh(layout=True)
        await pilot.pause()
        now = seen(pilot.app)
        if now == before:
            return now
        before = now


async def screens(name: str) -> dict[tuple[int, int], dict[str, Seen]]:
    """A screen at every size, in every theme."""
    found = {}
    for size in SIZES:

        async def keep(pilot: Pilot[Any], size: tuple[int, int] = size) -> None:
            found[size] = await themes_of(pilot)

        with looked_at(size, keep):
            await SCREENS[name](Path())
    return found


def text_of(found: dict[tuple[int, int], dict[str, Seen]]) -> str:
    """The snapshot as it is kept."""
    signs: dict[tuple[Cell, ...], str] = {}
    parts = []
    for (width, height), themes in found.items():
        first, *_ = themes.values()
        parts += [f"== {width} × {height}", *(line.rstrip() for line in first.lines), "-- style"]
        parts += list(_styled(list(themes.values()), signs))
    legend = [f"{sign}  {'  |  '.join(map(str, cells))}" for cells, sign in signs.items()]
    return "\n".join([*parts, "== dark  |  light  |  plain", *legend, ""])


def _styled(themes: list[Seen], signs: dict[tuple[Cell, ...], str]) -> Iterator[str]:
    for rows in zip(*(one.runs for one in themes), strict=True):
        cells = zip(*([cell for cell, text in row for _ in text] for row in rows), strict=True)
        line, count, last = "", 0, ""
        for looks in cells:
            sign = signs.setdefault(looks, SIGNS[len(signs)])
            if sign != last and count:
                line, count = f"{line}{last}{count} ", 0
            last, count = sign, count + 1
        yield f"{line}{last}{count}"


def write() -> None:
    """Write the snapshot of every screen anew, and remove those of screens that are no more."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path in FOLDER.glob("*.txt"):
        if path.stem not in SCREENS:
            path.unlink()
    for name in SCREENS:
        FOLDER.joinpath(f"{name}.txt").write_text(text_of(asyncio.run(screens(name))), "utf-8")
        sys.stderr.write(f"{name}\n")


if __name__ == "__main__":
    write()
