"""A long session costs each of its utterances the same, and the benchmark that shows it at length works."""

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

from benchmarks.endurance import _many, read_back, working
from session.events import (
    CannedSent,
    Fact,
    Recorded,
    RecordingStarted,
    RecordingStopped,
    ReplyShown,
    ScenarioStarted,
    SessionOpened,
    TakeConfirmed,
    TalkPressed,
    TalkReleased,
    Transcribed,
    UtteranceAccepted,
)
from session.rules.deadlines import due, next_due
from session.state.fold import SessionState, evolve
from session.study.settings import Speaker
from session.values.clock import Stamp
from session.values.vocabulary import ResponseClass, ScenarioKind
from tests.together.pipe import protocol

PER_SCENARIO = 20


def turn(number: int, at: Stamp) -> list[Fact]:
    take, reply = f"T{number}", f"R{number}"
    return [
        TalkPressed(at=at, take=take),
        RecordingStarted(at=at, take=take, channels=(), pre_roll=0),
        TalkReleased(at=at, take=take),
        RecordingStopped(at=at, take=take, sealed=()),
        TakeConfirmed(take=take, sealed=()),
        UtteranceAccepted(take=take, number=None),
        Transcribed(at=at, take=take, text="words"),
        CannedSent(
            reply=reply, take=take, text="none", transcription="", message="none", blanks=(), reason="",
            response=ResponseClass.DIAGNOSTIC,
        ),
        ReplyShown(at=at, reply=reply, first=0, last=0),
    ]  # fmt: skip


def calls(work: Callable[[], None]) -> int:
    """How many functions are called while it works, those written in C included."""
    count = 0

    def profile(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(profile)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def test_a_fact_makes_the_same_work_after_two_thousand_utterances_as_after_twenty() -> None:
    at = Stamp("hub", 0, 0)
    state = evolve(
        SessionState(),
        Recorded(
            "s",
            1,
            at,
            "hub",
            "",
            SessionOpened(site="bbn", speaker=Speaker(id="b01"), protocol=protocol(), operator="Oz"),
        ),
    )
    spent: list[int] = []

    def one(number: int) -> None:
        nonlocal state
        for fact in turn(number, at):
            state = evolve(state, Recorded("s", 1, at, "hub", "", fact))
            next_due(state, at)
            due(state, at)
            assert not state.running

    for number in range(2_000):
        if number % PER_SCENARIO == 0:
            started = ScenarioStarted(number=1, scenario="s", title="t", text="x", kind=ScenarioKind.TRIP, common=False)
            state = evolve(state, Recorded("s", 1, at, "hub", "", started))
        if number % PER_SCENARIO == PER_SCENARIO - 1:
            spent.append(calls(lambda number=number: one(number)))  # type: ignore[misc]
        else:
            one(number)
    early, late = sorted(spent[:20])[10], sorted(spent[-20:])[10]
    assert late <= early * 1.05


def test_the_benchmark_counts_what_it_says_and_finds_nothing_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with working(tmp_path) as (_, running):
        asyncio.run(_many(tmp_path, running, 5, 20.0))
    read = dict(line.split(" ", 1) for line in read_back(tmp_path))
    assert read["takes"] == "5 takes"
    assert int(read["samples"].split()[0]) > 5 * 1_600
    for figure in ("chain_findings", "unconfirmed", "confirmed_twice", "holes_without_an_event", "samples_lacking"):
        assert read[figure].split()[0] == "0"
    assert "takes_5_wall" in capsys.readouterr().out
