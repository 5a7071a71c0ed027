"""The pictures in the documentation: each that the script makes is there, and none fetches anything from elsewhere."""

import re
from pathlib import Path
from typing import cast

import pytest
from rich.segment import Segment
from textual.app import App
from textual.geometry import Size
from textual.strip import Strip

from docs import draw_layers, make_moving_picture
from docs.film import Film, Placed
from docs.make_pictures import PICTURES
from docs.picturing import alone

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"


def test_every_picture_is_there_and_no_other() -> None:
    assert {path.stem for path in FOLDER.glob("*.svg")} == {
        *PICTURES,
        draw_layers.PICTURE.stem,
        make_moving_picture.PICTURE.stem,
    }


def test_the_readme_opens_with_a_turn_that_moves_without_a_script_and_for_nobody_who_wants_no_motion() -> None:
    film, readme = make_moving_picture.PICTURE, (FOLDER.parent.parent / "README.md").read_text("utf-8")
    assert re.findall(r"\]\((docs/pictures/[^)]*)\)", readme)[0] == f"docs/pictures/{film.name}"
    svg = film.read_text("utf-8")
    assert len(svg) < 1_000_000
    assert "prefers-reduced-motion" in svg
    assert not re.search("<script|<image|@font-face|url\\(|href", svg)
    for words in ("RECORDING", "What the participant will see", make_moving_picture.LINE, "ready to talk"):
        assert words in svg, words
    classes = set(re.findall(r'class="(k\d+) ', svg))
    assert classes == set(re.findall(r"@keyframes (k\d+)", svg))


class Screen:
    """Stands for the app of a film: two lines of one colour, which change."""

    size = Size(3, 2)

    def __init__(self) -> None:
        self.screen = self._compositor = self
        self.lines = ["one", "two"]

    def render_strips(self) -> list[Strip]:
        return [Strip([Segment(line)]) for line in self.lines]


def test_a_film_shows_each_line_from_its_first_frame_to_the_one_that_lacks_it() -> None:
    app, now = Screen(), iter([0.0, 0.0, 2.0, 4.0, 8.0])
    shot = Film([Placed(cast(App[None], app), "t", 0.0, 0.0)], lambda: next(now))
    for lines in (["one", "two"], ["one", "<2>"], ["one", "two"]):
        app.lines = lines
        shot.frame()
    svg = shot.render("t", rest=2.0)
    assert re.search(r"<path [^>]*/><text [^>]*>one</text>", svg)
    assert re.search(r'<g class="k\d t"><path [^>]*/><text [^>]*>&lt;2&gt;</text>', svg)
    assert "{20.00%{visibility:visible}40.00%{visibility:hidden}}" in svg
    assert "{0.00%{visibility:visible}20.00%{visibility:hidden}40.00%{visibility:visible}}" in svg


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
