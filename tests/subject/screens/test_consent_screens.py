from session.study.screen_words import ENGLISH
from session.values.consent import ConsentScope
from subject.screens.consent_screens import ConsentScreen, TextToRead
from tests.desk.regions import painted
from tests.subject.stage import Stage, settle


async def test_nothing_of_the_consent_is_passed_over_in_a_small_window() -> None:
    screen = ConsentScreen("\n\n".join(f"Paragraph {number}." for number in range(20)))
    agreed: list[object] = []
    stage = Stage()
    async with stage.app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        stage.app.push_screen(screen, agreed.append)
        await settle(pilot)
        shown = painted(stage.app)
        assert ENGLISH["consent.more"] in shown
        await pilot.press("f9")  # ticks everything, and leads to the end over what was not seen
        await settle(pilot)
        for _ in range(9):
            before = shown
            await pilot.press("f10")
            await settle(pilot)
            if agreed:
                break
            shown += painted(stage.app)
        assert all(f"Paragraph {number}." in before for number in range(20))
        assert ENGLISH["consent.contact"] in before
    assert agreed == [dict.fromkeys(map(str, ConsentScope), True)]


async def test_a_window_that_changes_its_size_is_read_on_from_its_top() -> None:
    screen = ConsentScreen("\n\n".join(f"Paragraph {number}." for number in range(20)))
    stage = Stage()
    async with stage.app.run_test(size=(80, 60)) as pilot:
        await settle(pilot)
        stage.app.push_screen(screen)
        await settle(pilot)
        assert ENGLISH["consent.more"] not in painted(stage.app)
        await pilot.resize_terminal(40, 24)
        await settle(pilot)
        assert ENGLISH["consent.more"] not in painted(stage.app), "all of it has been on the screen"


async def test_a_list_of_keys_that_takes_a_line_more_has_nothing_read_again() -> None:
    screen = ConsentScreen("\n\n".join(f"Paragraph {number}." for number in range(20)))
    stage = Stage()
    async with stage.app.run_test(size=(80, 30)) as pilot:
        await settle(pilot)
        stage.app.push_screen(screen)
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert "Paragraph 0." not in painted(stage.app)
        await pilot.resize_terminal(80, 29)
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert "Paragraph 0." not in painted(stage.app)
        screen.query_one(TextToRead).scroll_end(animate=False)
        await settle(pilot)
        await pilot.resize_terminal(80, 26)
        await settle(pilot)
        assert ENGLISH["consent.contact"] in painted(stage.app), "the last line stays in sight"
