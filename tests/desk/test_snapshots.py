"""Every screen is as its snapshot has it; what is new is looked at and written with `python -m tests.desk.snapshots`."""

import re
from collections.abc import Iterator
from itertools import chain

import pytest

from tests import SECONDS, THOROUGH
from tests.desk.snapshots import FOLDER, SCREENS, Cell, Seen, screens, text_of

READABLE = 4.5
"""Least contrast of text that is to be read (WCAG 2.2, 1.4.3); of what is large, bold or only decoration, 3."""
FAINT = 3.0
_WORDS = re.compile(r"[^\W_]")


def test_there_is_a_snapshot_of_every_screen_and_of_no_other() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(SCREENS)


@pytest.mark.skipif(not THOROUGH, reason=SECONDS)
@pytest.mark.parametrize("name", sorted(SCREENS))
async def test_a_screen_is_as_its_snapshot_has_it_and_can_be_read(name: str) -> None:
    found = await screens(name)
    faint = {
        f"{theme}: {text.strip()!r} {cell}"
        for themes in found.values()
        for theme, one in themes.items()
        for cell, text in one.texts()
        if _WORDS.search(text) and contrast(cell) < (FAINT if "bold" in cell.more else READABLE)
    }
    assert faint == set()
    assert {name for themes in found.values() for name in colours(themes["plain"])} == {"default"}
    assert text_of(found).splitlines() == FOLDER.joinpath(f"{name}.txt").read_text("utf-8").splitlines()


def colours(one: Seen) -> Iterator[str]:
    for cell, _ in chain.from_iterable(one.runs):
        yield from (cell.text, cell.ground)


def contrast(cell: Cell) -> float:
    """The ratio of luminances by WCAG; what has the terminal's own colour is as that has it."""
    if "default" in (cell.text, cell.ground):
        return READABLE
    one, other = sorted((luminance(cell.text), luminance(cell.ground)))
    return (other + 0.05) / (one + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
