"""The steps of a turn in seconds."""

from session import events as e
from session.values.clock import Stamp
from tests.desk.regions import assert_laid_out, painted
from tests.wizard.desk import HandPlayed
from wizard.core.turn_times import COLUMNS, Times

AT = Stamp("s", 0, 0)


def played() -> HandPlayed:
    """One utterance that is complete after 10 s, transcribed after 14, asked twice, shown after 21."""
    desk = HandPlayed()
    desk.scenario()
    desk.spoken(after=10)
    desk.tell(e.Transcribed(at=AT, take="t1", text="x"), after=14)
    desk.tell(e.TranscriptionShown(at=AT, take="t1"), after=14.5)
    for attempt, asked, result in (("a1", 15, 16), ("a2", 17, 18)):
        desk.tell(e.QuerySubmitted(at=AT, attempt=attempt, take="t1", language="sql", text="x"), after=asked)  # type: ignore[arg-type]
        desk.tell(e.QueryFailed(attempt=attempt, kind="syntax", message="no"), after=result)  # type: ignore[arg-type]
    desk.tell(e.AnswerPreviewed(at=AT, attempt="a2", sha256="0"), after=18.2)
    desk.tell(e.AnswerSent(reply="r1", take="t1", text="x"), after=20)
    desk.tell(e.ReplyShown(at=AT, reply="r1", first=0, last=0), after=21)
    return desk


def test_every_step_counts_from_the_end_of_the_utterance() -> None:
    rows = played().console.times.rows
    assert [dict(zip(COLUMNS, row, strict=True)) for row in rows] == [
        {
            "number": 1, "written": "4.0", "echoed": "4.5", "asked": "7.0", "tries": 2, "result": "8.0",
            "preview": "8.2", "sent": "10.0", "shown": "11.0",
        }
    ]  # fmt: skip


def test_what_did_not_happen_is_left_empty_and_what_was_discarded_is_left_out() -> None:
    desk = HandPlayed()
    desk.scenario()
    desk.spoken("t1", after=1)
    desk.tell(e.TakeDiscarded(at=AT, take="t1"))
    desk.spoken("t2", after=2)
    desk.tell(e.TalkPressed(at=AT, take="t3"))
    assert desk.console.times.rows == [(1, None, None, None, 0, None, None, None, None)]


def test_facts_of_unknown_attempts_and_replies_do_no_harm() -> None:
    desk = HandPlayed()
    desk.failed(attempt="nobody")
    desk.tell(e.ReplyShown(at=AT, reply="nobody", first=0, last=0), e.AnswerPreviewed(at=AT, attempt="x", sha256=""))
    assert desk.console.times.rows == Times().rows == []


async def test_the_panel_shows_them() -> None:
    desk = played()
    async with desk.app.run_test(size=(80, 24)) as pilot:
        await pilot.press("alt+r")
        await pilot.pause()
        assert "written" in painted(desk.app)
        assert "10.0" in painted(desk.app)
        assert_laid_out(desk.app)
        await pilot.press("escape")
        await pilot.pause()
        assert "What was said" in painted(desk.app)
