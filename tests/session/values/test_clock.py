"""Clocks agree about durations, and nothing here waits for real time."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from session.values.clock import SECOND, ManualClock, ScaledClock, Stamp, SystemClock, iso, stamp


async def test_a_manual_clock_moves_only_when_told_to() -> None:
    clock = ManualClock("hub", mono=5, wall=7)
    assert stamp(clock) == stamp(clock) == Stamp("hub", 5, 7)
    clock.advance(1.5)
    assert stamp(clock) == Stamp("hub", 5 + 1_500_000_000, 7 + 1_500_000_000)
    clock.step_wall(-3600)
    assert stamp(clock).mono == 5 + 1_500_000_000
    assert stamp(clock).wall == 7 + 1_500_000_000 - 3600 * SECOND


async def test_sleepers_wake_in_the_order_of_their_deadlines() -> None:
    clock = ManualClock()
    woken: list[str] = []

    async def sleeper(name: str, seconds: float) -> None:
        await clock.sleep(seconds)
        woken.append(name)

    tasks = [asyncio.create_task(sleeper(name, seconds)) for name, seconds in [("c", 3), ("a", 1), ("b", 1), ("d", 9)]]
    await asyncio.sleep(0)
    clock.advance(0.999)
    await asyncio.sleep(0)
    assert woken == []
    clock.advance(2.001)
    for _ in range(3):
        await asyncio.sleep(0)
    assert woken == ["a", "b", "c"]
    tasks[-1].cancel()
    clock.advance(10)
    await asyncio.gather(*tasks, return_exceptions=True)
    assert woken == ["a", "b", "c"]


async def test_a_sleeper_may_sleep_again() -> None:
    clock = ManualClock()
    ticks: list[int] = []

    async def ticking() -> None:
        for _ in range(3):
            await clock.sleep(1)
            ticks.append(clock.monotonic_ns())

    task = asyncio.create_task(ticking())
    for _ in range(3):
        await asyncio.sleep(0)
        clock.advance(1)
    await task
    assert ticks == [SECOND, 2 * SECOND, 3 * SECOND]


def test_a_scaled_clock_runs_its_pace_times_as_fast(monkeypatch: pytest.MonkeyPatch) -> None:
    now = {"mono": 100 * SECOND, "wall": 1000 * SECOND}
    monkeypatch.setattr("session.values.clock.time.monotonic_ns", lambda: now["mono"])
    monkeypatch.setattr("session.values.clock.time.time_ns", lambda: now["wall"])
    hub = ScaledClock("hub", 8)
    now["mono"] += SECOND
    desk = hub.named("subject")
    now["mono"] += SECOND
    assert stamp(hub) == Stamp("hub", 116 * SECOND, 1016 * SECOND)
    assert stamp(desk) == Stamp("subject", 116 * SECOND, 1016 * SECOND)


async def test_a_scaled_clock_sleeps_its_pace_times_shorter(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr("asyncio.sleep", sleep)
    await ScaledClock("hub", 8).sleep(4)
    await SystemClock("hub").sleep(4)
    assert slept == [0.5, 4]


@pytest.mark.parametrize("pace", [0, -1, float("nan")])
def test_a_pace_is_above_nothing(pace: float) -> None:
    with pytest.raises(ValueError, match="a pace is above 0"):
        ScaledClock("x", pace)


def test_the_system_s_clock_goes_forward() -> None:
    clock = SystemClock("hub")
    first, second = stamp(clock), stamp(clock)
    assert first.clock == "hub"
    assert second.mono >= first.mono


def test_stamps_are_written_in_utc_to_the_millisecond() -> None:
    assert iso(0) == "1970-01-01T00:00:00.000Z"
    assert iso(1_795_230_001 * SECOND + 23_999_999) == "2026-11-21T03:00:01.023Z"


@given(first=st.integers(0, 4 * 10**18), second=st.integers(0, 4 * 10**18))
def test_written_stamps_sort_as_their_times_do(first: int, second: int) -> None:
    assert (first <= second) <= (iso(first) <= iso(second))
