"""The meter's words, how long they stay, and that a burst of levels costs one painting but no clipping."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.app import App, ComposeResult

from desk.level_bar import QUIETEST_DB, SILENCE_NS, LevelHeard, LevelMeter, MeterReading, MeterState, bar, decibels
from session.values.clock import SECOND, ManualClock


class MeterApp(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.clock = ManualClock()
        self.meter = LevelMeter(self.clock)

    def compose(self) -> ComposeResult:
        yield self.meter

    def shown(self) -> str:
        return self.meter.render_line(0).text.strip()


def test_silence_is_said_after_a_second_and_a_half_of_it() -> None:
    level = MeterState().switched(True, 0).expected(True, 0)
    assert level.hearing(SECOND) is MeterReading.WAITING
    assert level.hearing(2 * SECOND) is MeterReading.SILENT
    spoken = level.heard(0.3, 0.1, False, 2 * SECOND)
    assert spoken.hearing(3 * SECOND) is MeterReading.GOOD
    assert spoken.heard(0.001, 0.0005, False, 3 * SECOND).hearing(4 * SECOND) is MeterReading.WAITING, (
        "a pause for thought"
    )


@given(st.lists(st.tuples(st.integers(0, 4 * SECOND), st.floats(0, 1), st.floats(0, 1), st.booleans())))
def test_no_level_is_called_good_that_was_not_as_loud_as_a_voice(heard: list[tuple[int, float, float, bool]]) -> None:
    level, newest = MeterState().switched(True, 0).expected(True, 0), 0
    for now, peak, rms, clipped in sorted(heard):
        level, newest = level.heard(peak, min(peak, rms), clipped, now), now
    voiced = [now for now, peak, _, _ in heard if decibels(peak) >= QUIETEST_DB]
    if level.hearing(newest) is MeterReading.GOOD:
        assert newest - max(voiced) < SILENCE_NS
    assert level.hearing(newest + 2 * SECOND) in (MeterReading.SILENT, MeterReading.WAITING)


def test_a_room_in_which_nobody_talks_is_neither_good_nor_silent() -> None:
    level = MeterState().switched(True, 0).expected(True, 0).heard(0.02, 0.01, False, 0)
    assert level.hearing(SECOND) is MeterReading.QUIET


def test_clipping_is_said_for_two_seconds_and_before_silence() -> None:
    level = MeterState().switched(True, 0).expected(True, 0).heard(1.0, 0.9, True, 0).heard(0.0, 0.0, False, SECOND)
    assert level.hearing(round(1.9 * SECOND)) is MeterReading.CLIPPING
    assert level.expected(False, 0).expected(True, 1).hearing(2 * SECOND) is MeterReading.SILENT


def test_there_is_no_alarm_while_nobody_is_to_speak() -> None:
    quiet = MeterState().switched(True, 0)
    assert quiet.hearing(60 * SECOND) is MeterReading.WAITING
    begun = quiet.expected(True, 60 * SECOND)
    assert begun.hearing(61 * SECOND) is MeterReading.WAITING
    assert begun.hearing(62 * SECOND) is MeterReading.SILENT
    assert begun.expected(False, 63 * SECOND).hearing(63 * SECOND) is MeterReading.WAITING


def test_closing_the_microphone_forgets() -> None:
    level = MeterState().switched(True, 0).expected(True, 0).heard(1.0, 1.0, True, 0)
    assert level.switched(True, SECOND) is level
    assert level.switched(False, SECOND).hearing(SECOND) is MeterReading.OFF
    assert MeterState().hearing(0) is MeterReading.OFF


@pytest.mark.parametrize(
    ("older", "newer", "replaced"),
    [(False, False, True), (False, True, True), (True, True, True), (True, False, False)],
)
def test_a_clipped_level_is_never_replaced_by_one_that_is_not(older: bool, newer: bool, replaced: bool) -> None:
    assert LevelHeard(0.5, 0.5, older).can_replace(LevelHeard(0.5, 0.5, newer)) is replaced


async def test_a_burst_of_levels_is_one_level() -> None:
    heard = []

    class Counting(LevelMeter):
        def on_level_heard(self, message: LevelHeard) -> None:
            heard.append(message.peak)

    app = MeterApp()
    app.meter = Counting(app.clock)
    async with app.run_test() as pilot:
        for n in range(200):
            app.meter.post_message(LevelHeard(n / 200, n / 400))
        await pilot.pause()
        assert len(heard) < 5
        assert heard[-1] == 199 / 200


async def test_the_words_stand_beside_the_bar() -> None:
    app = MeterApp()
    async with app.run_test() as pilot:
        assert app.shown().endswith("microphone off")
        app.meter.listening = True
        app.meter.post_message(LevelHeard(0.0, 0.0))
        await pilot.pause()
        assert app.shown().endswith("┄ microphone on")
        app.meter.post_message(LevelHeard(0.25, 0.1))
        await pilot.pause()
        assert app.shown().endswith("┄ good level")
        assert "━" in app.shown()
        app.meter.post_message(LevelHeard(1.0, 0.9, clipped=True))
        await pilot.pause()
        assert app.shown().endswith("TOO LOUD: move back a little")
        app.clock.advance(5)
        app.meter.look_again()
        await pilot.pause()
        assert app.shown().endswith("microphone on"), "nobody is to speak"
        app.meter.speech_expected = True
        app.clock.advance(5)
        app.meter.look_again()
        await pilot.pause()
        assert app.shown().endswith("NO SOUND: is the microphone on?")
        assert app.meter.has_class("-warning")


@given(st.floats(0, 1), st.floats(0, 1), st.integers(0, 60))
def test_the_bar_is_as_long_as_told(rms: float, peak: float, width: int) -> None:
    assert len(bar(decibels(rms), decibels(peak), width)) == width


@given(st.floats(0, 1), st.floats(0, 1))
def test_louder_is_longer(one: float, other: float) -> None:
    quiet, loud = sorted((one, other))
    assert bar(decibels(quiet), -60, 30).count("━") <= bar(decibels(loud), -60, 30).count("━")
