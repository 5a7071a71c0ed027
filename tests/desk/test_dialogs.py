from textual.app import App

from desk.dialogs import Choose, ListEntry
from tests.desk.regions import painted


async def test_a_list_that_is_longer_than_its_window_says_which_way_there_is_more() -> None:
    app: App[None] = App()
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(Choose("Noise", [ListEntry("", str(number), f"noise {number}") for number in range(40)]))
        await pilot.pause()
        await pilot.pause()
        assert "more below" in painted(app)
        await pilot.press(*["down"] * 20)
        await pilot.pause()
        await pilot.pause()
        assert "more above and below" in painted(app)
        await pilot.press("end")
        await pilot.pause()
        await pilot.pause()
        assert "more above" in painted(app)
        assert "below" not in painted(app)


async def test_a_list_that_is_seen_whole_says_nothing() -> None:
    app: App[None] = App()
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(Choose("Where", [ListEntry("a", "alone", "alone"), ListEntry("o", "over", "over")]))
        await pilot.pause()
        await pilot.pause()
        assert "more" not in painted(app)
