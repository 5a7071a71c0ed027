"""Starting a console: which session it takes up, what it says when it cannot start."""

import io
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from session import events as e
from session.hub.session_actor import SessionActor
from session.store.event_store import Entry, Store
from session.study.settings import Speaker
from session.values.clock import SECOND, ManualClock, Stamp
from tests.together.pipe import Bench, opened
from wizard.command import WizardOptions, wizard_command
from wizard.own_hub import chosen_session, unended

DAY = round(datetime(2026, 11, 21, 12).astimezone().timestamp()) * SECOND
"""Noon on 21 November 2026, wherever the test runs."""


class ToyStudyHub:
    """What `chosen_session` needs of a study's hub: a real hub and store, sessions named by hand."""

    def __init__(self, bench: Bench) -> None:
        self.hosted = SimpleNamespace(store=bench.store, hub=bench.hub)
        self.asked: list[tuple[Speaker | None, str]] = []

    async def open_session(self, *, speaker: Speaker | None = None, operator: str = "") -> SessionActor:
        self.asked.append((speaker, operator))
        return await self.hosted.hub.open("bbn-20261121-9", opened())


def add(store: Store, name: str, *, ended: bool) -> None:
    facts: list[e.Fact] = [opened(), *([e.SessionEnded(reason="done")] if ended else [])]
    store.append(name, 0, [Entry(Stamp("hub", 0, 0), "hub", "", fact) for fact in facts])


@pytest.fixture
async def hub() -> "Iterator[ToyStudyHub]":  # type: ignore[misc]
    bench = Bench()
    add(bench.store, "bbn-20261120-1", ended=False)
    yield ToyStudyHub(bench)
    await bench.close()


CLOCK = ManualClock("w", wall=DAY)


async def choose(hub: ToyStudyHub, resume: bool | None = None, speaker: str = "") -> str:
    return (await chosen_session(hub, Speaker(id=speaker), "Oz", resume, CLOCK)).name  # type: ignore[arg-type]


async def test_a_session_of_today_that_has_not_ended_is_taken_up(hub: ToyStudyHub) -> None:
    add(hub.hosted.store, "bbn-20261121-1", ended=False)
    add(hub.hosted.store, "bbn-20261121-2", ended=True)
    assert await choose(hub) == "bbn-20261121-1"
    assert hub.asked == []


async def test_one_of_another_day_is_taken_up_only_when_it_is_asked_for(hub: ToyStudyHub) -> None:
    assert await choose(hub) == "bbn-20261121-9"
    assert hub.asked == [(None, "Oz")]
    assert unended(hub, "20261120") == ["bbn-20261120-1"]  # type: ignore[arg-type]


async def test_asked_for_the_last_one_that_has_not_ended_is_taken_up(hub: ToyStudyHub) -> None:
    add(hub.hosted.store, "bbn-20261121-1", ended=True)
    assert await choose(hub, resume=True) == "bbn-20261120-1"


async def test_new_means_new_and_so_does_a_named_speaker(hub: ToyStudyHub) -> None:
    add(hub.hosted.store, "bbn-20261121-1", ended=False)
    assert await choose(hub, resume=False) == "bbn-20261121-9"
    hub.hosted.hub._sessions.clear()
    assert hub.asked == [(None, "Oz")]


async def test_a_named_speaker_gets_a_session_of_her_own(hub: ToyStudyHub) -> None:
    add(hub.hosted.store, "bbn-20261121-1", ended=False)
    assert await choose(hub, speaker="b07") == "bbn-20261121-9"
    assert hub.asked == [(Speaker(id="b07"), "Oz")]


async def test_who_is_described_gets_a_session_of_her_own_and_none_that_has_begun(hub: ToyStudyHub) -> None:
    add(hub.hosted.store, "bbn-20261121-1", ended=False)
    details = Speaker("", "f", 31)
    with pytest.raises(ValueError, match="leave out --resume, or --about"):
        await chosen_session(hub, details, "Oz", True, CLOCK)  # type: ignore[arg-type]
    await chosen_session(hub, details, "Oz", None, CLOCK)  # type: ignore[arg-type]
    assert hub.asked == [(details, "Oz")]


async def test_nothing_to_take_up_is_said_with_the_remedy() -> None:
    bench = Bench()
    with pytest.raises(ValueError, match="leave out --resume"):
        await choose(ToyStudyHub(bench), resume=True)
    await bench.close()


@pytest.mark.parametrize(
    ("target", "listen", "said"),
    [
        ("nowhere", "127.0.0.1:0", "study"),
        ("ws://127.0.0.1:1/bbn-20261121-1", "127.0.0.1:0", "token"),
        ("wss://t@127.0.0.1:1/bbn-20261121-1", "127.0.0.1:0", "certificate"),
        (".", "everywhere", "HOST:PORT"),
    ],
)
def test_a_call_that_cannot_work_is_told_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], target: str, listen: str, said: str
) -> None:
    if not target.startswith("ws"):
        target = str(tmp_path / target)
    err = io.StringIO()
    status = wizard_command(target, WizardOptions(listen=listen), err)
    assert (status, capsys.readouterr().out) == (2, "")
    assert said in err.getvalue()
    assert err.getvalue().count("\n") == 1


def test_a_console_at_a_hub_elsewhere_waits_for_no_library_that_only_a_hub_or_a_loudspeaker_needs() -> None:
    heavy = {"sqlalchemy", "numpy", "sqlglot", "sounddevice", "soundfile"}
    code = "import sys, wizard.command; print(*sys.modules, sep='\\n')"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "wizard.launch" in loaded
    assert heavy & set(loaded) == set()
