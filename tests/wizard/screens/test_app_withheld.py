"""Readings that are withheld: the wizard sees them marked, with what is doubted, and takes one by its digit alone."""

import pytest

from desk.safe_text import ForeignText
from session import commands as c
from session import events as e
from session.values.answers import FailureKind, OtherReading, rows_of
from session.values.vocabulary import PROPOSED, Language
from tests.desk.regions import painted
from tests.wizard.desk import HandPlayed


async def test_a_withheld_reading_is_marked_in_words_and_colour_and_only_its_digit_takes_it() -> None:
    desk = HandPlayed()
    held = (
        OtherReading("all fares", "SELECT 1", 0.2, "“only” passes over what was selected before", rows=500, more=True),
        OtherReading("fares to Boston", "SELECT 2", 0.1, "words were not used", rows=1),
    )
    async with desk.app.run_test(size=(120, 40)) as pilot:
        desk.begin_turn("only the fares")
        desk.attempted(text="only the fares", language=Language.ENGLISH)
        desk.tell(e.QueryFailed(attempt="a1", kind=FailureKind.NOT_UNDERSTOOD, message="Not understood.", others=held))
        await pilot.pause()
        line = desk.app.screen.query_one("#attempt", ForeignText).text
        assert "◐ 2 WITHHELD Alt+K: ◐ doubted: “only” passes over what was selected before · 500 rows and more" in line
        assert desk.app.screen.query_one("#attempt").has_class("-partial")
        await pilot.press("f5", "alt+k")
        await pilot.pause()
        assert desk.up.of(c.SendAnswer) == [], "nothing can be sent of it"
        text = painted(desk.app)
        assert "1   ◐ doubted: “only” passes over" in text
        assert "2   ◐ doubted: words were not used · 1 row · fares to Boston [0.10]" in text
        await pilot.press("enter")
        await pilot.pause()
        assert desk.up.of(c.SubmitQuery) == [], "Enter alone takes none"
        await pilot.press("2")
        await pilot.pause()
        (asked,) = desk.up.of(c.SubmitQuery)
        assert (asked.text, asked.choice) == ("only the fares", 2)
        desk.attempted("a2", text="only the fares", language=Language.ENGLISH, choice=2)
        desk.tell(
            e.QueryReturned(
                attempt="a2", sql="SELECT 2", table=rows_of(["n"], [[1]]), took=1, database_version="1",
                paraphrase="fares to Boston", confidence=0.1, doubt="words were not used", others=held[:1],
            )
        )  # fmt: skip
        await pilot.pause()
        line = desk.app.screen.query_one("#attempt", ForeignText).text
        assert "◐ PARTIAL · doubted: words were not used · √ 1 row · reading 2 of 2 [0.10] Alt+K" in line
        await pilot.press("f5", "f5")
        await pilot.pause()
        assert "A partial reading: doubted: words were not used." in painted(desk.app)
        assert desk.up.of(c.SendAnswer) == []


@pytest.mark.parametrize(
    ("sure", "others", "shown"),
    [
        (0.99, (), "√ 1 row · PROPOSED by m-1: read the SQL [0.99] (Ctrl+G) · flights"),
        (0.5, (), "√ 1 row · PROPOSED by m-1: read the SQL [0.50] (Ctrl+G) · flights"),
        (
            0.3,
            (OtherReading("flights to Boston", "SELECT 2", 0.9, rows=8),),
            "◐ DOUBTFUL · √ 1 row · reading 1 of 2 [0.30]",
        ),
    ],
)
async def test_that_our_reading_agrees_with_a_proposal_or_contradicts_it_is_seen_at_once(
    sure: float, others: tuple[OtherReading, ...], shown: str
) -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(120, 40)) as pilot:
        desk.begin_turn("flights to boston")
        desk.attempted(text="flights to boston", language=Language.PROPOSAL, origin=PROPOSED)
        desk.tell(
            e.QueryReturned(
                attempt="a1", sql="SELECT 1", table=rows_of(["n"], [[1]]), took=1, database_version="1", proposer="m-1",
                paraphrase="flights", confidence=sure, others=others,
            )
        )  # fmt: skip
        await pilot.pause()
        line = desk.app.screen.query_one("#attempt", ForeignText)
        assert line.text.startswith(shown)
        assert line.has_class("-partial") == bool(others)
