"""The pictures in the documentation: each that the script makes is there, and none fetches anything from elsewhere."""

import re
from pathlib import Path

import pytest

from docs import draw_layers
from docs.make_pictures import PICTURES
from docs.picturing import alone

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"


def test_every_picture_is_there_and_no_other() -> None:
    assert {path.stem for path in FOLDER.glob("*.svg")} == {*PICTURES, draw_layers.PICTURE.stem}


def test_the_map_of_the_packages_is_drawn_from_the_contracts_of_today() -> None:
    assert draw_layers.PICTURE.read_text("utf-8") == draw_layers.draw(), "python docs/draw_layers.py"


def test_every_picture_stands_on_a_page() -> None:
    pages = [*FOLDER.parent.rglob("*.md"), FOLDER.parent.parent / "README.md"]
    text = "".join(page.read_text() for page in pages)
    assert [name for name in PICTURES if f"pictures/{name}.svg)" not in text] == []


def test_no_picture_shows_a_mark_that_a_program_should_have_filled_in() -> None:
    assert [name for name in PICTURES if re.search(r"\{[a-z_]+\}", texts_of(name))] == []


def texts_of(name: str) -> str:
    """The words of a picture; its style sheet has braces of its own."""
    return "".join(re.findall(r"<text[^>]*>(.*?)</text>", (FOLDER / f"{name}.svg").read_text()))


@pytest.mark.parametrize("name", sorted(PICTURES))
def test_no_picture_asks_another_host_for_anything(name: str) -> None:
    svg = (FOLDER / f"{name}.svg").read_text()
    assert "@font-face" not in svg
    assert "url(http" not in svg
    assert not re.search(r'(?:href|src)="http', svg)


def test_fonts_from_elsewhere_and_names_of_one_run_are_taken_out() -> None:
    svg = "<style>@font-face { src: url(http://x/y) }\n .terminal-123-r1 { fill: red }</style>"
    assert alone(svg) == "<style>.terminal-r1 { fill: red }</style>\n"
