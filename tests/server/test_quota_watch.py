"""A desk that sends on after its session has ended fills no disk beyond what the study allows, and the consoles are told."""

import dataclasses
import datetime
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from server.quota_watch import QuotaWatch
from session import commands as c
from session.collection.open_session import plan_session
from session.collection.recordings import Recordings
from session.events import TakeConfirmed
from session.protocol.links import FactReceived
from session.protocol.messages import AudioChunk, HubTrouble
from session.store.event_store import Store
from session.study.create import new
from session.study.folder import Study
from tests.together.pipe import SESSION, Bench, PipedDesk, both, spoken

PIECE = bytes(40_000)
FULL = "The recordings of this study have reached their limit,"
REMEDY = "raise `recordings_at_most_gb` in study.toml, restart the hub, and open that desk or page again."


@dataclasses.dataclass
class FullStudy:
    """A study that allows a megabyte, its hub in memory, and what looks after its limit."""

    study: Study
    bench: Bench
    recordings: Recordings
    watch: QuotaWatch

    def there(self) -> int:
        """The bytes of sound on the hub's disk."""
        return sum(path.stat().st_size for path in self.study.recordings.rglob("*.pcm*"))

    def objection(self) -> str:
        """Why no further session is opened; empty where one would be."""
        try:
            plan_session(self.study, self.bench.store.usage, "toy 1", datetime.date(2026, 11, 26))
        except ValueError as error:
            return str(error)
        return ""


@pytest.fixture
async def full(tmp_path: Path) -> AsyncIterator[FullStudy]:
    made = new(tmp_path / "study")
    made = dataclasses.replace(made, settings=msgspec.structs.replace(made.settings, recordings_at_most_gb=0.001))
    recordings = Recordings(made.recordings)
    bench = Bench(Store(made.store_url), recordings)  # type: ignore[arg-type]
    yield FullStudy(made, bench, recordings, QuotaWatch(made, bench.hub, bench.store, recordings, bench.clock))
    await bench.close()
    recordings.close()


async def _send(subject: PipedDesk, take: str, pieces: int) -> None:
    for number in range(pieces):
        await subject.sound(AudioChunk(take, "s", number * len(PIECE) // 2, PIECE))


def _troubles(wizard: PipedDesk) -> list[str]:
    return [news.text for news in wizard.happened if isinstance(news, HubTrouble) and news.text]


async def test_sound_that_comes_after_the_end_is_refused_once_the_study_is_full_and_comes_in_when_there_is_room(
    full: FullStudy,
) -> None:
    subject, wizard = await both(full.bench)
    await wizard.give(c.EndSession(id="e", reason="done"))
    await subject.give(*spoken("T1", PIECE))
    await _send(subject, "flood", 24)
    await full.watch.look()
    await _send(subject, "T1", 1)
    assert full.there() == 25 * len(PIECE), "up to the limit a desk may bring what it still has"
    await full.watch.look()
    await subject.give(*spoken("T2", PIECE))
    await _send(subject, "T2", 1)
    assert full.there() == 25 * len(PIECE)
    assert _troubles(wizard)[-1].startswith(FULL)
    assert _troubles(wizard)[-1].endswith(REMEDY)
    assert full.objection().startswith("the recordings of this study hold 0.001 GB")

    full.watch._study = dataclasses.replace(
        full.study, settings=msgspec.structs.replace(full.study.settings, recordings_at_most_gb=1)
    )
    await full.watch.look()
    await _send(subject, "T2", 1)
    confirmed = [news.recorded.event for news in wizard.happened if isinstance(news, FactReceived)]
    assert [fact.take for fact in confirmed if isinstance(fact, TakeConfirmed)] == ["T1", "T2"]


async def test_a_session_that_goes_on_is_not_cut_short(full: FullStudy) -> None:
    subject, wizard = await both(full.bench)
    await _send(subject, "flood", 30)
    await full.watch.look()
    await subject.give(*spoken("T1", PIECE))
    await _send(subject, "T1", 1)
    assert full.there() == 31 * len(PIECE)
    assert _troubles(wizard) == []
    assert full.bench.hub.sessions[SESSION].state.takes["T1"].confirmed


async def test_what_an_ended_session_left_unconfirmed_counts_also_once_its_desks_are_gone(full: FullStudy) -> None:
    subject, wizard = await both(full.bench)
    await _send(subject, "flood", 30)
    await wizard.give(c.EndSession(id="e", reason="done"))
    await subject.cut()
    await wizard.cut()
    assert full.objection().startswith("the recordings of this study hold 0.0012 GB")
