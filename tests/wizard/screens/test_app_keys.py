"""Keys of the console: none needs a function key, and the help begins with a turn in ten of them."""

from docs.wizard_pictures import heard, wizard
from tests.desk.regions import painted
from tests.wizard.desk import HandPlayed


async def test_all_that_a_function_key_does_is_done_without_one() -> None:
    desk = wizard()
    async with desk.app.run_test(size=(132, 40)) as pilot:
        heard(desk)
        await pilot.pause()
        await pilot.press("ctrl+o", "end")
        await pilot.pause()
        shown = painted(desk.app)
        for line in ("6   Canned", "7   One moment"):
            assert line in shown
        await pilot.press("6")
        await pilot.pause()
        await pilot.pause()
        assert desk.app.focused is not None
        assert desk.app.focused.id == "canned"
        await pilot.press("escape", "ctrl+f")
        assert desk.app.focused.id == "canned"
        await pilot.press("escape", "ctrl+o", "9")
        await pilot.pause()
        assert desk.app.desk.query_one("#views").front != "preview"  # type: ignore[attr-defined]
        given = len(desk.up.given)
        await pilot.press("ctrl+s", "ctrl+s")
        assert len(desk.up.given) > given


async def test_help_begins_with_a_turn_in_ten_keys_and_ends_with_the_editing_of_text() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(100, 40)) as pilot:
        desk.begin_turn("x")
        await pilot.press("f1")
        await pilot.pause()
        lines = desk.app.screen.lines  # type: ignore[attr-defined]
        assert lines[0] == "A TURN IN TEN KEYS"
        assert lines[1].split()[0] == "Enter"
        assert lines[11] == ""
        assert max(map(len, lines[:11])) <= 70
        assert lines.index("Editing text") < next(n for n, line in enumerate(lines) if "To the next part" in line)
        assert "A TURN IN TEN KEYS" in painted(desk.app)
