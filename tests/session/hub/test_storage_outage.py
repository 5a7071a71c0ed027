"""An archive of recordings that is out of reach: takes wait, consoles are told, and nobody else waits for it."""

import asyncio
import subprocess
import sys
import threading

import pytest

from session import commands as c
from session.collection.take_archive import ArchiveTrouble
from session.hub.take_confirmation import ASK_AGAIN_S, LATE_S
from session.hub.thread_groups import LooseThreads, ThreadGroups
from session.protocol.messages import AudioChunk, HubTrouble, encode
from tests import ROOT
from tests.together.pipe import Bench, MemoryRecordings, PipedDesk, both, spoken

PCM, TAKES = bytes(400), 12


class Archive(MemoryRecordings):
    """Recordings that are sealed once an archive answers, which it does when `answers` is set, and `fails` or not."""

    def __init__(self) -> None:
        super().__init__()
        self.answers, self.fails = threading.Event(), False

    def seal(self, session: str, take: str, letter: str, samples: int, sha256: str) -> bool:
        assert self.answers.wait(60)
        if self.fails:
            raise ArchiveTrouble(5, f"ConnectionError: {take} cannot be sent", "s3://lab/takes")
        return super().seal(session, take, letter, samples, sha256)


def told(desk: PipedDesk) -> list[str]:
    return [message.text for message in desk.happened if isinstance(message, HubTrouble)]


async def speak(subject: PipedDesk, wizard: PipedDesk, takes: range) -> None:
    await wizard.give(c.StartScenario(id="c1", scenario="try"))
    for number in takes:
        for command in spoken(f"T{number}", PCM):
            await subject.give_unsettled(command)
        await subject.raw(encode(AudioChunk(f"T{number}", "s", 0, PCM)))


@pytest.fixture
def archive() -> Archive:
    return Archive()


async def confirmed(desk: PipedDesk, count: int) -> None:
    async with asyncio.timeout(30):
        while sum(bool(take.confirmed) for take in desk.state.takes.values()) < count:
            await desk.bench.settle()


async def test_who_comes_in_waits_for_no_archive(archive: Archive) -> None:
    storage = LooseThreads(2, "storage")
    bench = Bench(recordings=archive, threads=ThreadGroups(None, storage))
    subject, wizard = await both(bench)
    await speak(subject, wizard, range(TAKES))
    async with asyncio.timeout(30):
        while len(wizard.state.takes) < TAKES:
            await bench.settle()
    late = await PipedDesk(bench, "t-experimenter", "late").connect()
    assert len(late.state.takes) == TAKES
    bench.clock.advance(LATE_S + 1)
    await bench.settle()
    said = f"Recordings are not stored within {LATE_S} seconds. They wait at the hub, and the participant's desk keeps them."
    assert told(late) == [said]
    await wizard.give(c.WriteNote(id="n1", text="what else is recorded is not a sign that the archive answers"))
    assert told(late) == [said]
    archive.answers.set()
    await confirmed(wizard, TAKES)
    assert told(late)[-1] == ""
    await bench.close()
    storage.shutdown()


async def test_an_archive_that_fails_is_named_once_for_all_takes_until_it_works(archive: Archive) -> None:
    bench = Bench(recordings=archive)
    archive.answers.set()
    archive.fails = True
    subject, wizard = await both(bench)
    await speak(subject, wizard, range(3))
    for number in range(3):
        await bench.settle()
        bench.clock.advance(ASK_AGAIN_S + 0.1)
        await wizard.give(c.WriteNote(id=f"n{number}", text="between"))
    said = (
        "s3://lab/takes does not accept recordings (ConnectionError). They wait at the hub, "
        "and the participant's desk keeps them."
    )
    assert told(wizard) == [said]
    archive.fails = False
    bench.clock.advance(ASK_AGAIN_S + 0.1)
    await confirmed(wizard, 3)
    assert told(wizard) == [said, ""]
    await bench.close()


def test_a_program_ends_though_an_archive_does_not_answer() -> None:
    program = (
        "import threading\n"
        "from session.hub.thread_groups import LooseThreads\n"
        "threads = LooseThreads(1, 'storage')\n"
        "begun = threading.Event()\n"
        "threads.submit(lambda: (begun.set(), threading.Event().wait()))\n"
        "waits = threads.submit(print, 'never')\n"
        "begun.wait()\n"
        "threads.shutdown(wait=False)\n"
        "print(waits.cancelled())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True, cwd=ROOT
    )
    assert done.stdout == "True\n"
