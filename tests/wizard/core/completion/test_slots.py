"""What a blank offers: before anything is typed what was named and what was asked, then dates as people say them."""

import pytest

from session import events as e
from session.values.answers import FailureKind
from session.values.vocabulary import Language
from tests.desk.regions import painted
from tests.wizard.desk import HandPlayed, write
from wizard.core.completion.date_values import dates_starting
from wizard.core.completion.slots import values_for

TODAY = "1991-04-29"


@pytest.mark.parametrize(
    ("typed", "days"),
    [
        ("5/2", ["1991-05-02", "1992-02-05"]),
        ("5/14/91", ["1991-05-14"]),
        ("25.12", ["1991-12-25"]),
        ("12/24", ["1991-12-24"]),
        ("may 2nd", ["1991-05-02"]),
        ("may second", ["1991-05-02"]),
        ("the second of may", ["1991-05-02"]),
        ("2nd of may", ["1991-05-02"]),
        ("twenty-first of june", ["1991-06-21"]),
        ("next friday", ["1991-05-10", "1991-05-03"]),
        ("this friday", ["1991-05-03"]),
        ("friday june 14", ["1991-06-14"]),
        ("december 31", ["1991-12-31"]),
        ("1991-12-3", ["1991-12-30", "1991-12-31"]),
        ("day after tomorrow", ["1991-05-01"]),
        ("a week", ["1991-05-06"]),
        ("10", []),
        ("mar", []),
        ("second", []),
        ("to", []),
    ],
)
def test_a_date_is_found_as_people_say_it_wherever_in_the_year_it_lies(typed: str, days: list[str]) -> None:
    assert [value.value for value in dates_starting(typed, TODAY)] == days
    assert dates_starting(typed, "no day") == []


def failed(desk: HandPlayed, *unused: str) -> None:
    desk.transcribed("show me the hotels in boston for the second night")
    desk.attempted(text="show me the hotels", language=Language.ENGLISH)
    desk.tell(e.QueryFailed(attempt="a1", kind=FailureKind.NOT_UNDERSTOOD, message="no", unused=unused))


async def test_an_empty_blank_offers_the_words_of_the_request_and_says_to_type_where_there_is_nothing_to_pick() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(80, 24)) as pilot:
        desk.begin_turn()
        await pilot.press("f6", "enter", "enter")
        await pilot.pause()
        assert "Type the missing words, Enter sends." not in painted(desk.app), "it is refused"
        await pilot.press("escape", "f6", "enter")
        await pilot.pause()
        assert "Type the missing words, Enter sends." in painted(desk.app)
        assert "pick" not in painted(desk.app).split("Canned messages")[1].split("(diagnostic)")[0]
        failed(desk, "night")
        assert [value.text for value in values_for(desk.console, "")] == ["night", "hotels", "boston", "second"]
        await pilot.press("ctrl+u")
        await pilot.pause()
        seen = painted(desk.app)
        assert "Fill the blank, ↑ ↓ pick, Tab completes, Enter sends." in seen
        assert "hotels  (in the request)" in seen
        await pilot.press("down", "down")
        await pilot.pause()
        assert "No information is available on hotels▏" in painted(desk.app)
        await write(pilot, " x")
        assert "Type the missing words, Enter sends." in painted(desk.app), "nothing begins so"


async def test_a_date_said_with_its_month_last_is_put_in_whole() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(80, 24)) as pilot:
        desk.begin_turn("flights")
        await pilot.press("f6", "enter")
        await write(pilot, "flights on the second of feb")
        await pilot.press("down")
        await pilot.pause()
        assert "No information is available on flights on February 2▏" in painted(desk.app)
