"""Time on the console: the reply limit, pauses, replies that are held back."""

from desk.countdown import Countdown
from desk.editor import Editor
from session import commands as c
from session import events as e
from session.values.clock import Stamp
from tests.desk.regions import painted
from tests.wizard.desk import HandPlayed, focus, write

At = Stamp("w", 0, 0)


async def test_the_countdown_runs_from_the_end_of_the_recording_and_at_its_end_offers_the_canned_messages() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(80, 24)) as pilot:
        desk.begin_turn()
        await pilot.pause()
        assert "reply within 1:00" in painted(desk.app)
        desk.clock.advance(59)
        desk.app.desk.query_one(Countdown).tick()
        await pilot.pause()
        assert "! reply within 0:01 !" in painted(desk.app)
        assert focus(desk) == "said"
        desk.clock.advance(1)
        desk.tell(e.ReplyLimitReached(take="t1"), after=60)
        await pilot.pause()
        assert focus(desk) == "said", "at the limit nothing takes the cursor"
        assert "LATE" in painted(desk.app)
        await pilot.press("f6")
        await pilot.pause()
        assert focus(desk) == "canned"
        await pilot.press("escape")
        await pilot.pause()
        assert focus(desk) == "said"
        desk.tell(e.NoteWritten(text="x"), after=61)
        await pilot.pause()
        assert focus(desk) == "said"


async def test_at_the_limit_somebody_who_types_goes_on_typing() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(80, 24)) as pilot:
        desk.begin_turn()
        await pilot.pause()
        await write(pilot, "flights to bos")
        desk.clock.advance(60)
        desk.tell(e.ReplyLimitReached(take="t1"), after=60)
        await pilot.pause()
        assert focus(desk) == "said"
        assert "Canned messages" in painted(desk.app)
        await write(pilot, "ton")
        assert desk.app.desk.query_one("#said", Editor).text == "flights to boston"


async def test_a_pause_stops_the_countdown() -> None:
    desk = HandPlayed()
    async with desk.app.run_test() as pilot:
        desk.begin_turn()
        desk.tell(e.SessionPaused(reason="tea"), after=10)
        await pilot.pause()
        assert "reply within –:––" in painted(desk.app)
        assert "PAUSED" in painted(desk.app)
        await pilot.press("alt+p")
        assert len(desk.up.of(c.ResumeSession)) == 1
        desk.clock.advance(30)
        desk.tell(e.SessionResumed(), after=30)
        await pilot.pause()
        assert "reply within 0:50" in painted(desk.app)


async def test_a_reply_that_is_held_back_says_so_and_esc_stops_it() -> None:
    desk = HandPlayed()
    async with desk.app.run_test() as pilot:
        desk.begin_turn()
        reply = e.AnswerSent(reply="r1", take="t1", text="Boston")
        desk.tell(e.ReplyPlanned(reply=reply, due=3_000_000_000))
        await pilot.pause()
        assert "The reply goes out in 3 s. Esc stops it." in painted(desk.app)
        await pilot.press("escape")
        assert desk.up.given[-1] == c.StopReply(id=desk.up.given[-1].id, reply="r1")


async def test_a_limit_that_was_over_before_this_console_came_offers_but_takes_no_key() -> None:
    desk = HandPlayed()
    desk.begin_turn()
    desk.clock.advance(300)
    desk.tell(e.ReplyLimitReached(take="t1"), after=60)
    async with desk.app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "Canned messages" in painted(desk.app)
        assert focus(desk) == "said"
        assert desk.up.given == []


async def test_at_the_limit_a_ready_answer_stays_in_sight_and_one_key_sends_it() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(80, 24)) as pilot:
        desk.begin_turn("two rows")
        desk.attempted()
        desk.returned()
        await pilot.pause()
        desk.clock.advance(60)
        desk.tell(e.ReplyLimitReached(take="t1"), after=60)
        await pilot.pause()
        assert "What the participant will see" in painted(desk.app)
        assert "F6 chooses" in painted(desk.app)
        await pilot.press("f5")
        assert desk.up.of(c.SendAnswer)
