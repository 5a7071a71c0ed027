"""The countdown follows the clock that it was given, in words."""

import pytest
from textual.app import App, ComposeResult

from desk.countdown import Countdown, LimitReached, remaining_text
from session.values.clock import SECOND, ManualClock


@pytest.mark.parametrize(
    ("left_s", "text", "urgency"),
    [
        (60, "reply within 1:00", "running"),
        (15.01, "reply within 0:16", "running"),
        (15, "! reply within 0:15 !", "soon"),
        (0.001, "! reply within 0:01 !", "soon"),
        (0, "!! LATE by 0:00 !!", "over"),
        (-61.5, "!! LATE by 1:01 !!", "over"),
    ],
)
def test_words(left_s: float, text: str, urgency: str) -> None:
    now = 7 * SECOND
    assert remaining_text("reply within", now + round(left_s * SECOND), now, 15 * SECOND) == (text, urgency)


async def test_the_limit_is_reported_once() -> None:
    reached = []

    class CountdownApp(App[None]):
        def compose(self) -> ComposeResult:
            yield Countdown(clock)

        def on_limit_reached(self, message: LimitReached) -> None:
            reached.append(message.deadline_ns)

    clock = ManualClock()
    app = CountdownApp()
    async with app.run_test() as pilot:
        countdown = app.query_one(Countdown)
        assert countdown.text == "reply within –:––"
        countdown.start(60 * SECOND)
        clock.advance(59)
        countdown.tick()
        await pilot.pause()
        assert countdown.render_line(0).text.strip() == "! reply within 0:01 !"
        assert reached == []
        clock.advance(3)
        countdown.tick()
        countdown.tick()
        await pilot.pause()
        assert reached == [60 * SECOND]
        assert countdown.render_line(0).text.strip() == "!! LATE by 0:02 !!"
        countdown.stop()
        assert countdown.text == "reply within –:––"
        countdown.start(63 * SECOND)
        clock.advance(1)
        countdown.tick()
        await pilot.pause()
        assert reached == [60 * SECOND, 63 * SECOND]
