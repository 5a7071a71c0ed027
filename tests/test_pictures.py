"""The pictures in the documentation: each that the script makes is there, and none fetches anything from elsewhere."""

import re
from pathlib import Path

import pytest

from docs.make_pictures import PICTURES, alone

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"


def test_every_picture_is_there_and_no_other() -> None:
    assert {path.stem for path in FOLDER.glob("*.svg")} == set(PICTURES)


@pytest.mark.parametrize("name", sorted(PICTURES))
def test_no_picture_asks_another_host_for_anything(name: str) -> None:
    svg = (FOLDER / f"{name}.svg").read_text()
    assert "@font-face" not in svg
    assert "url(http" not in svg
    assert not re.search(r'(?:href|src)="http', svg)


def test_fonts_from_elsewhere_and_names_of_one_run_are_taken_out() -> None:
    svg = "<style>@font-face { src: url(http://x/y) }\n .terminal-123-r1 { fill: red }</style>"
    assert alone(svg) == "<style>.terminal-r1 { fill: red }</style>\n"
