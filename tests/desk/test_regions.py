"""The helper finds what is wrong with a layout, and nothing in one that is right."""

from textual.app import App, ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Input, Label, Static

from tests.desk.regions import complaints, each_size


class Good(App[None]):
    CSS = "#left, #right { width: 1fr; height: 3; } VerticalScroll { height: 5; } VerticalScroll Label { height: 4; }"

    def compose(self) -> ComposeResult:
        yield Input()
        with Horizontal():
            yield Static("left", id="left")
            yield Static("right", id="right")
        with VerticalScroll():
            for n in range(9):
                yield Label(f"line {n}")


async def test_a_good_layout_at_each_size() -> None:
    await each_size(Good)


async def wrong(css: str) -> str:
    class Bad(Good):
        CSS = f"{Good.CSS} {css}"

    app = Bad()
    async with app.run_test(size=(80, 24)):
        return "\n".join(complaints(app.screen))


async def test_each_fault_is_found() -> None:
    assert "Static#left" in await wrong("#left { offset: 10 0; }")
    assert "overlaps Static#right" in await wrong("#left { offset: 10 0; }")
    assert "is outside the screen" in await wrong("#right { offset: 60 0; }")
    assert "Static#right has no room" in await wrong("#left { width: 80; } #right { width: 0; }")
    assert "sticks out of Horizontal" in await wrong("Horizontal { height: 2; overflow: hidden; }")
