"""Sound in both directions at the near end of a page: replies that are heard there, takes that end by themselves, speech that
nobody records."""

import hashlib
from collections.abc import AsyncIterator
from typing import Any

import numpy as np
import pytest

from session import commands as c
from session import events as e
from session.hub.reply_voice import SpokenSound
from session.study.screen_words import ENGLISH
from session.values.clock import Stamp
from session.values.vocabulary import Echo, Outcome, PlaybackEnd, RecordingControl, SpokenPart
from subject.core.terminal import Phase
from tests.subject.bench import LoudnessDetector
from tests.subject.browser.page import PipedPage, moment
from tests.together.pipe import SESSION, Bench, PipedDesk, opened

SAID = bytes(range(250)) * 400
STOPPED = {
    "type": "RecordingStopped", "at": moment(3), "take": "T1", "tail": 0, "recovered": False,
    "sealed": [{"letter": "s", "samples": 0, "sha256": hashlib.sha256().hexdigest()}],
}  # fmt: skip


class Voice:
    """Says everything in the same way."""

    name, missing = "same", ()

    def sound(self, text: str, message: str = "") -> SpokenSound:
        return SpokenSound(SAID, "same", "1")


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    made = Bench(voice=lambda profile: Voice())
    yield made
    await made.close()


async def begun(bench: Bench, **profile: Any) -> tuple[PipedPage, PipedDesk]:
    """A session with a page whose microphone is open, and a scenario under way."""
    await bench.hub.open(SESSION, opened(**profile))
    page = await PipedPage(bench, detector=lambda rate: LoudnessDetector()).connect()
    wizard = await PipedDesk(bench, "t-wizard", "wiz").connect()
    await page.say({"m": "microphone", "open": True, "rate": 16_000})
    await wizard.give(c.StartScenario(id="c1", scenario="trip", bindings={"A": "Boston"}))
    return page, wizard


def facts(bench: Bench, kind: type[e.Event]) -> list[e.Fact]:
    return [record.event for record in bench.store.read(SESSION) if isinstance(record.event, kind)]


async def replied(page: PipedPage, wizard: PipedDesk, take: str) -> str:
    """Have a take answered by a message; returns the reply that the page is told to play."""
    await page.speak(take, bytes(6_400))
    await wizard.give(c.Transcribe(id=f"t-{take}", at=Stamp("wiz-clock", 0, 0), take=take, text="ships"))
    await wizard.give(c.SendCanned(id=f"c-{take}", message="none", take=take, blanks=("ships",)))
    return str(page.orders_of("play")[-1]["reply"])


async def test_a_reply_is_played_at_the_page_and_told_with_the_page_s_stamps(bench: Bench) -> None:
    page, wizard = await begun(bench, spoken=SpokenPart.ANSWER, echo=Echo.NEVER)
    reply = await replied(page, wizard, "T1")
    (order,) = page.orders_of("play")
    assert (order["samples"], order["sha256"], order["rate"]) == (50_000, hashlib.sha256(SAID).hexdigest(), 16_000)
    assert b"".join(piece.pcm for piece in page.sounds) == SAID
    assert page.parts["settings"]["pause_ms"] == 300
    await page.report(f"{reply}-began", {"type": "PlaybackStarted", "at": moment(5), "reply": reply})
    assert not page.parts["screen"]["may_talk"]
    over = {"type": "PlaybackStopped", "at": moment(8), "reply": reply, "samples": 50_000}
    for _ in range(2):
        await page.report(f"{reply}-ended", over)
    assert not page.parts["screen"]["may_talk"], "the room is not quiet yet"
    await page.say({"m": "quiet"})
    await bench.settle()
    assert page.parts["screen"]["may_talk"]
    (started,), (stopped,) = facts(bench, e.PlaybackStarted), facts(bench, e.PlaybackStopped)
    assert (started.at.mono, stopped.at.mono, stopped.samples) == (5 * 10**9, 8 * 10**9, 50_000)  # type: ignore[union-attr]
    assert {f"{reply}-began", f"{reply}-ended"} <= set(page.acknowledged())


async def test_a_reply_that_plays_on_while_its_page_connects_anew_has_not_failed(bench: Bench) -> None:
    page, wizard = await begun(bench, spoken=SpokenPart.ANSWER, echo=Echo.NEVER, barge_in=True)
    reply = await replied(page, wizard, "T1")
    await page.report(f"{reply}-began", {"type": "PlaybackStarted", "at": moment(5), "reply": reply})
    await page.connection.closed("no network")
    again = await PipedPage(bench).connect(takes=[], replies=[reply], loud=True)
    assert facts(bench, e.PlaybackStopped) == []
    assert again.parts["screen"]["phase"] == Phase.SPEAKING
    assert again.parts["screen"]["may_talk"], "this profile lets her break in"
    await again.connection.closed("no network")
    await PipedPage(bench).connect()
    (stopped,) = facts(bench, e.PlaybackStopped)
    assert stopped.why is PlaybackEnd.FAILED  # type: ignore[union-attr]


async def test_a_typed_request_has_the_page_fall_silent(bench: Bench) -> None:
    page, wizard = await begun(bench, spoken=SpokenPart.ANSWER, barge_in=True, recording=RecordingControl.TYPED)
    await page.do("Typed", text="to boston")
    await wizard.give(c.SendCanned(id="c2", message="wait", take=next(iter(wizard.state.takes))))
    assert page.orders_of("silence") == []
    await page.do("Typed", text="and to denver")
    assert page.orders_of("silence") == [{"m": "silence"}]


async def test_a_page_s_take_ends_when_its_subject_has_stopped_speaking(bench: Bench) -> None:
    page, _ = await begun(bench, recording=RecordingControl.ENDPOINTED)
    await page.report("T1-p", {"type": "TalkPressed", "at": moment(1), "take": "T1"})
    channel = {"letter": "s", "microphone": "built in", "rate": 16000}
    started = {"type": "RecordingStarted", "at": moment(0.8), "take": "T1", "channels": [channel], "pre_roll": 0}
    await page.report("T1-started", started)
    loud, quiet = np.full(16_000, 9_000, dtype="<i2").tobytes(), bytes(64_000)
    for place, pcm in ((0, loud), (16_000, quiet)):
        await page.sound("T1", place, pcm)
    while not page.orders_of("stop"):
        await bench.settle()
    assert page.orders_of("stop") == [{"m": "stop", "take": "T1", "tail": False}], "the end-pointer's quiet is its tail"
    (found,), (released,) = facts(bench, e.EndPointed), facts(bench, e.TalkReleased)
    assert abs(found.speech_end - 16_000) < 3_200  # type: ignore[operator, union-attr]
    assert released.why.startswith("end of speech")  # type: ignore[union-attr]
    await page.connection.closed("over")


async def test_who_talks_without_having_pressed_is_told_so_by_the_same_rule_as_at_the_terminal(bench: Bench) -> None:
    page, _ = await begun(bench)
    assert page.parts["screen"]["levels"]
    for tenth in range(12):
        bench.clock.advance(0.1)
        await page.say({"m": "level", "end": 1_600 * tenth, "peak": 0.2, "rms": 0.1})
    await bench.settle()
    assert page.parts["screen"]["unheard"]
    assert page.parts["screen"]["message"] == ENGLISH["talk.unheard"]
    assert page.parts["screen"]["note"].startswith(ENGLISH["talk.unheard"])
    await page.report("T1-p", {"type": "TalkPressed", "at": moment(1), "take": "T1"})
    assert not page.parts["screen"]["unheard"]
    assert not page.parts["screen"]["levels"]


@pytest.mark.parametrize(
    ("peak", "rms", "said"), [(0.0, 0.0, "meter.silent"), (1.0, 0.3, "meter.clipping"), (0.2, 0.05, "")]
)
async def test_a_take_of_silence_or_noise_is_told_while_it_lasts_as_at_the_terminal(
    bench: Bench, peak: float, rms: float, said: str
) -> None:
    page, _ = await begun(bench)
    await page.report("T1-p", {"type": "TalkPressed", "at": moment(1), "take": "T1"})
    channel = {"letter": "s", "microphone": "built in", "rate": 16000}
    started = {"type": "RecordingStarted", "at": moment(0.8), "take": "T1", "channels": [channel], "pre_roll": 0}
    await page.report("T1-started", started)
    assert page.parts["screen"]["levels"]
    for tenth in range(20):
        await page.say({"m": "level", "end": 1_600 * tenth, "peak": peak, "rms": rms})
        bench.clock.advance(0.1)
    await bench.settle()
    expected = ENGLISH[said] if said else ""
    assert page.parts["screen"]["warning"] == page.parts["screen"]["message"] == expected
    await page.report("T1-r", {"type": "TalkReleased", "at": moment(3), "take": "T1", "why": "released"})
    await page.report("T1-stopped", STOPPED)
    assert page.parts["screen"]["warning"] == page.parts["screen"]["message"] == ""


async def test_answers_to_an_earlier_task_stand_below_its_own_heading(bench: Bench) -> None:
    page, wizard = await begun(bench)
    await page.speak("T1", bytes(6_400))
    await wizard.give(c.SendCanned(id="c2", message="none", take="T1", blanks=("ships",)))
    assert page.parts["turn:T1"]["heading"] == page.parts["screen"]["begun"] == ""
    await wizard.give(c.EndScenario(id="c3", outcome=Outcome.ENDED, reason="enough"))
    await wizard.give(c.StartScenario(id="c4", scenario="try", bindings={}))
    assert page.parts["screen"]["begun"] == "Task: Practice"
    await page.speak("T2", bytes(6_400))
    assert page.parts["turn:T2"]["heading"] == "Task: Practice"
    assert page.parts["screen"]["begun"] == ""
