"""A fault in what a hub does beside its sessions ends that for good no more than it ends the hub."""

import asyncio

import pytest

from server.steady_work import AGAIN_S, steadily
from session.values.clock import ManualClock


async def test_work_begins_again_after_a_fault_which_is_told(caplog: pytest.LogCaptureFixture) -> None:
    clock, rounds = ManualClock("hub"), list[int]()

    async def work() -> None:
        rounds.append(len(rounds))
        if len(rounds) < 3:
            raise KeyError("a column that a later release added")

    working = asyncio.ensure_future(steadily(work, clock))
    for _ in range(2):
        await asyncio.sleep(0)
        clock.advance(AGAIN_S)
        await asyncio.sleep(0)
    await working
    assert rounds == [0, 1, 2]
    assert len(caplog.records) == 2
    assert "a column that a later release added" in caplog.text
