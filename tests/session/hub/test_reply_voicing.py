"""A committed reply becomes sound, a fact and frames, in this order; what cannot be spoken is said, and the session goes on."""

import asyncio
import hashlib
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from session import events as e
from session.hub.reply_voice import SpokenSound, VoiceError
from session.hub.reply_voicing import ARCHIVE_AGAIN_S, NO_VOICE, ReplyVoicing
from session.hub.thread_groups import ThreadGroups
from session.protocol.messages import SpeechChunk
from session.state.fold import fold
from session.study.screen_words import CONSOLE_ENGLISH, Sentence
from session.values.clock import ManualClock
from session.values.vocabulary import PlaybackEnd
from tests.session.examples import at, recorded

PCM = bytes(range(256)) * 500
SHA256 = hashlib.sha256(PCM).hexdigest()
SENT = e.CannedSent(reply="r1", text="Good day.", message="hello", spoken="Good day.")
VOICED = e.ReplyVoiced(reply="r1", sha256=SHA256, samples=len(PCM) // 2, rate=16_000, engine="toy", version="1")


class Toy:
    name = "toy"
    missing = ()

    def __init__(self, failure: Exception | None = None) -> None:
        self.asked: list[tuple[str, str]] = []
        self._failure = failure

    def sound(self, text: str, message: str = "") -> SpokenSound:
        self.asked.append((text, message))
        if self._failure is not None:
            raise self._failure
        return SpokenSound(PCM, "toy", "1")


class Bench:
    def __init__(self, voice: Toy | None, full: bool = False) -> None:
        self.order: list[object] = []
        self.kept: dict[str, bytes] = {}
        self.told: list[Sentence] = []
        self.clock = ManualClock()
        self.archived: list[str] = []
        self.away = 0
        self._full = full
        self._tasks: list[asyncio.Task[None]] = []
        self.voicing = ReplyVoicing(
            "bbn-20261121-1",
            lambda reply: voice,
            self,
            self.clock,
            self._record,
            self.order.append,
            self._spawn,
            self.told.append,
            ThreadGroups(),
        )

    async def _record(self, fact: e.Fact) -> None:
        self.order.append(fact)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> object:
        self._tasks.append(asyncio.ensure_future(work))
        return None

    def keep_spoken(self, session: str, pcm: bytes) -> str:
        if self._full:
            raise OSError(28, "No space left on device")
        self.kept[hashlib.sha256(pcm).hexdigest()] = pcm
        return hashlib.sha256(pcm).hexdigest()

    def archive_spoken(self, session: str, sha256: str) -> None:
        if self.away:
            self.away -= 1
            raise OSError(5, "out of reach")
        self.archived.append(sha256)

    def spoken(self, session: str, sha256: str) -> bytes | None:
        return self.kept.get(sha256)

    async def done(self) -> list[object]:
        await asyncio.gather(*self._tasks, return_exceptions=True)
        return self.order

    @property
    def sound(self) -> bytes:
        return b"".join(chunk.pcm for chunk in self.order if isinstance(chunk, SpeechChunk))


async def test_a_reply_is_made_kept_recorded_and_then_sent() -> None:
    voice = Toy()
    bench = Bench(voice)
    bench.voicing.committed(SENT)
    first, *chunks = await bench.done()
    assert first == VOICED
    assert bench.kept == {SHA256: PCM}
    assert bench.sound == PCM
    assert [chunk.first for chunk in chunks if isinstance(chunk, SpeechChunk)] == [0, 30_000, 60_000]
    assert voice.asked == [("Good day.", "hello")]


async def test_a_reply_without_words_is_not_spoken() -> None:
    bench = Bench(Toy())
    bench.voicing.committed(e.CannedSent(reply="r1", text="Good day."))
    assert await bench.done() == []


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: Bench(None), NO_VOICE),
        (lambda: Bench(Toy(VoiceError("gave silence"))), "gave silence"),
        (lambda: Bench(Toy(ZeroDivisionError("secret"))), "a fault of this program: ZeroDivisionError"),
        (lambda: Bench(Toy(), full=True), "the hub cannot keep the sound: No space left on device"),
    ],
)
async def test_whatever_goes_wrong_is_one_fact_and_no_sound(make: Callable[[], Bench], why: str) -> None:
    bench = make()
    bench.voicing.committed(SENT)
    *before, failed = await bench.done()
    assert isinstance(failed, e.VoiceFailed)
    assert (failed.reply, failed.detail) == ("r1", why)
    assert bench.sound == b""
    assert before in ([], [VOICED]), "the fact and the disk are waited for side by side"


async def test_a_hub_that_fell_before_the_sound_was_made_makes_it_later() -> None:
    bench = Bench(Toy())
    bench.voicing.take_up(fold(recorded(SENT)))
    assert VOICED in await bench.done()
    for known in (VOICED, e.VoiceFailed(reply="r1")):
        again = Bench(Toy())
        again.voicing.take_up(fold(recorded(SENT, known)))
        assert await again.done() == []


async def test_a_desk_that_comes_back_gets_what_none_has_begun_to_play() -> None:
    bench = Bench(Toy())
    bench.kept[SHA256] = PCM
    bench.voicing.send_again(fold(recorded(SENT, VOICED)))
    await bench.done()
    assert bench.sound == PCM
    begun = e.PlaybackStarted(at=at(1), reply="r1")
    failed = e.PlaybackStopped(at=at(1), reply="r1", samples=0, why=PlaybackEnd.FAILED)
    for fact in (begun, failed):
        later = Bench(Toy())
        later.kept[SHA256] = PCM
        later.voicing.send_again(fold(recorded(SENT, VOICED, fact)))
        assert await later.done() == []


async def test_a_sound_that_is_lost_from_the_disk_is_said() -> None:
    bench = Bench(Toy())
    bench.voicing.send_again(fold(recorded(SENT, VOICED)))
    (failed,) = await bench.done()
    assert isinstance(failed, e.VoiceFailed)
    assert "no longer on the hub's disk" in failed.detail


async def test_a_reply_is_heard_though_the_archive_is_out_of_reach_and_is_archived_later() -> None:
    bench = Bench(Toy())
    bench.away = 2
    bench.voicing.committed(SENT)
    while len(bench.told) < 2:
        bench.clock.advance(ARCHIVE_AGAIN_S)
        await asyncio.sleep(0)
    assert [type(each).__name__ for each in bench.order[:2]] == ["ReplyVoiced", "SpeechChunk"]
    said = bench.told[0].said(CONSOLE_ENGLISH)
    assert said == "The hub cannot archive the system's speech: out of reach. It waits at the hub."
    bench.clock.advance(ARCHIVE_AGAIN_S)
    await bench.done()
    assert bench.archived == [SHA256]


async def test_what_an_earlier_run_had_not_archived_is_archived_by_the_next() -> None:
    bench = Bench(Toy())
    bench.voicing.take_up(fold(recorded(SENT, VOICED)))
    assert await bench.done() == []
    assert bench.archived == [SHA256]
