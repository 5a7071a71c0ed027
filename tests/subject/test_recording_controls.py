"""Four ways to record, one recorder (SITE-01): each passes the same test of its sound, from the screen to the file."""

import hashlib
from collections.abc import Awaitable, Callable
from pathlib import Path

import numpy as np
import pytest
from textual.pilot import Pilot

from desk.talk.button import TalkButton, TalkState
from session import events as e
from session.audio.fake import Samples
from session.study.screen_words import ENGLISH
from session.values.vocabulary import RecordingControl, Sealed
from subject.app import SubjectApp
from subject.capture.endpointer import Decision, EndPointer
from subject.screens.session_screen import SessionScreen
from subject.widgets.scenario_sheet import ScenarioSheet
from tests.desk.regions import painted
from tests.subject.bench import BLOCK, RATE, Bench, LoudnessDetector, noise
from tests.subject.stage import Desk

PRESS, TALKING, TAIL = 50 * BLOCK, 100 * BLOCK, 4_800
UNDER_WAY = 1_600
"""The subject is a tenth of a second into the first word when recording is switched on."""


def sound() -> Samples:
    """A quiet room, two seconds of speech, a quiet room."""
    room = np.random.default_rng(3).integers(-20, 21, 6 * RATE).astype(np.int16)
    begin = PRESS - UNDER_WAY
    room[begin : begin + TALKING] = noise(TALKING)
    return room


class RecordingSubject:
    """A subject's app over the real recorder; time passes in blocks, and what the recorder tells reaches the screen."""

    def __init__(self, folder: Path, control: RecordingControl) -> None:
        self.control = control
        pointer = EndPointer(LoudnessDetector, RATE, self._decided) if control is RecordingControl.ENDPOINTED else None
        self.bench = Bench(folder, speak=False, on_frame=pointer.frame if pointer else lambda *frame: None)
        self.bench.source.say(sound())
        self.desk = Desk(self.bench.clock, recording=control)
        self.desk.terminal.use(self.bench.open().recorder)
        self.desk.scenario()
        self.app = SubjectApp(self.desk.terminal, self.bench.clock, open_microphone=lambda: None)
        self.desk.terminal._changed = self.app.changed
        self.seen_facts = 0

    def _decided(self, decision: Decision) -> None:
        found = e.EndPointed(
            at=self.bench.now(),
            take=decision.take,
            decided_at=decision.decided_at,
            rate=decision.rate,
            speech_end=decision.last_speech,
            detector=decision.detector,
        )
        self.desk.terminal.end_pointed(found, decision.why)

    async def run(self, pilot: Pilot[None], blocks: int) -> None:
        self.bench.run(blocks)
        for fact in self.bench.facts[self.seen_facts :]:
            self.seen_facts += 1
            self.desk.terminal.fact(fact)  # type: ignore[arg-type]  # a recorder makes subject's facts
        for _ in range(4):
            await pilot.pause()
        self.bench.recorder.step()

    @property
    def button(self) -> TalkButton:
        return self.app.screen.query_one(TalkButton)

    def facts(self, kind: type[e.Event]) -> list[e.Event]:
        return [fact for fact in self.desk.up.facts() if isinstance(fact, kind)]


Act = Callable[[RecordingSubject, Pilot[None]], Awaitable[object]]


async def mouse_down(subject: RecordingSubject, pilot: Pilot[None]) -> None:
    await pilot.mouse_down(TalkButton)


async def mouse_up_elsewhere(subject: RecordingSubject, pilot: Pilot[None]) -> None:
    await pilot.mouse_up(ScenarioSheet)


async def space(subject: RecordingSubject, pilot: Pilot[None]) -> None:
    await pilot.press("space")


async def switch_on(subject: RecordingSubject, pilot: Pilot[None]) -> None:
    subject.desk.tell(e.RecordingSwitched(at=e.NOWHERE, on=True))


async def switch_off(subject: RecordingSubject, pilot: Pilot[None]) -> None:
    subject.desk.tell(e.RecordingSwitched(at=e.NOWHERE, on=False))


async def nothing(subject: RecordingSubject, pilot: Pilot[None]) -> None:
    pass


WAYS: dict[RecordingControl, tuple[Act, Act]] = {
    RecordingControl.HOLD: (mouse_down, mouse_up_elsewhere),
    RecordingControl.PRESS: (space, space),
    RecordingControl.ENDPOINTED: (space, nothing),
    RecordingControl.OPERATOR: (switch_on, switch_off),
}


def test_no_way_to_record_by_voice_was_forgotten() -> None:
    assert {*WAYS, RecordingControl.TYPED} == set(RecordingControl)


@pytest.mark.parametrize("control", WAYS, ids=str)
async def test_the_same_audio_test(control: RecordingControl, tmp_path: Path) -> None:
    begin, end = WAYS[control]
    subject = RecordingSubject(tmp_path, control)
    async with subject.app.run_test(size=(100, 32)) as pilot:
        await subject.run(pilot, PRESS // BLOCK)
        await begin(subject, pilot)
        await subject.run(pilot, 0)
        [pressed] = subject.facts(e.TalkPressed)
        assert isinstance(pressed, e.TalkPressed)
        assert subject.button.state is not TalkState.RECORDING, "no lamp before the first buffer"
        await subject.run(pilot, 1)
        assert subject.button.state is TalkState.RECORDING
        assert ENGLISH["talk.recording"] in painted(subject.app)
        await subject.run(pilot, 119)
        await end(subject, pilot)
        await subject.run(pilot, 30)
        [released] = subject.facts(e.TalkReleased)
        [stopped] = subject.facts(e.RecordingStopped)
        assert isinstance(released, e.TalkReleased)
        assert isinstance(stopped, e.RecordingStopped)
        samples = subject.bench.samples(pressed.take)
        last = released.at.mono * RATE // 10**9
        tail = 0 if control is RecordingControl.ENDPOINTED else TAIL  # the quiet that ended it is in the take already
        assert np.array_equal(samples, sound()[PRESS - TAIL : last + tail])
        first_word = TAIL - UNDER_WAY
        assert np.array_equal(samples[first_word : first_word + TALKING], noise(TALKING))
        assert stopped.tail == tail
        assert stopped.sealed == (Sealed("s", len(samples), hashlib.sha256(samples.tobytes()).hexdigest()),)
        assert subject.facts(e.AudioTroubled) == []
        assert subject.button.grip is None
        assert subject.button.state is not TalkState.RECORDING


async def test_an_end_pointed_take_logs_what_the_decision_took_and_the_next_press_begins_another(
    tmp_path: Path,
) -> None:
    subject = RecordingSubject(tmp_path, RecordingControl.ENDPOINTED)
    async with subject.app.run_test(size=(100, 32)) as pilot:
        await subject.run(pilot, PRESS // BLOCK)
        assert "ends by itself" in subject.button.hint
        await space(subject, pilot)
        await subject.run(pilot, 150)
        [found] = subject.facts(e.EndPointed)
        assert isinstance(found, e.EndPointed)
        assert found.speech_end == pytest.approx(TAIL - UNDER_WAY + TALKING, abs=480)
        assert (found.decided_at - (found.speech_end or 0)) / found.rate == pytest.approx(0.5, abs=0.05)
        [released] = subject.facts(e.TalkReleased)
        assert isinstance(released, e.TalkReleased)
        assert released.why.startswith("end of speech, found after 0.5")
        await space(subject, pilot)
        await subject.run(pilot, 2)
        assert len(subject.facts(e.TalkPressed)) == 2
        assert subject.button.state is TalkState.RECORDING


async def test_the_subject_may_be_quicker_than_the_end_pointer(tmp_path: Path) -> None:
    subject = RecordingSubject(tmp_path, RecordingControl.ENDPOINTED)
    async with subject.app.run_test(size=(100, 32)) as pilot:
        await subject.run(pilot, PRESS // BLOCK)
        await space(subject, pilot)
        await subject.run(pilot, 60)
        await space(subject, pilot)
        await subject.run(pilot, 100)
        [released] = subject.facts(e.TalkReleased)
        assert isinstance(released, e.TalkReleased)
        assert released.why == "pressed_again"
        assert subject.facts(e.EndPointed) == []


async def test_keys_and_mouse_begin_and_end_nothing_where_the_operator_does(tmp_path: Path) -> None:
    subject = RecordingSubject(tmp_path, RecordingControl.OPERATOR)
    async with subject.app.run_test(size=(100, 32)) as pilot:
        await subject.run(pilot, 10)
        assert ENGLISH["headline.ready_to_be_recorded"] in painted(subject.app)
        await pilot.press("space")
        await pilot.click(TalkButton)
        await subject.run(pilot, 10)
        assert subject.facts(e.TalkPressed) == []
        await switch_on(subject, pilot)
        await subject.run(pilot, 60)
        assert subject.button.state is TalkState.RECORDING
        for _ in range(2):
            await pilot.press("space")
            await subject.run(pilot, 60)
        assert subject.facts(e.TalkReleased) == []


async def test_the_operators_take_waits_for_the_reply_to_be_painted_and_for_nothing_longer(tmp_path: Path) -> None:
    subject = RecordingSubject(tmp_path, RecordingControl.OPERATOR)
    async with subject.app.run_test(size=(100, 32)) as pilot:
        subject.desk.utterance("t1")
        await subject.run(pilot, 10)
        subject.desk.tell(e.CannedSent(reply="r1", take="t1", text="Sorry"))
        subject.desk.tell(e.RecordingSwitched(at=e.NOWHERE, on=True))
        assert subject.facts(e.TalkPressed) == []
        await subject.run(pilot, 10)
        assert [
            type(fact).__name__ for fact in subject.desk.up.facts() if isinstance(fact, e.ReplyShown | e.TalkPressed)
        ] == [
            "ReplyShown",
            "TalkPressed",
        ]
        assert isinstance(subject.app.screen, SessionScreen)


async def test_pressing_again_within_the_tail_goes_on_with_the_take_on_the_screen_too(tmp_path: Path) -> None:
    subject = RecordingSubject(tmp_path, RecordingControl.HOLD)
    async with subject.app.run_test(size=(100, 32)) as pilot:
        await subject.run(pilot, PRESS // BLOCK)
        await mouse_down(subject, pilot)
        await subject.run(pilot, 50)
        await mouse_up_elsewhere(subject, pilot)
        await subject.run(pilot, 5)
        assert subject.button.state is TalkState.RECORDING, "the tail is still being recorded"
        await mouse_down(subject, pilot)
        await subject.run(pilot, 50)
        await mouse_up_elsewhere(subject, pilot)
        await subject.run(pilot, 30)
        [stopped] = subject.facts(e.RecordingStopped)
        assert isinstance(stopped, e.RecordingStopped)
        assert np.array_equal(subject.bench.samples(stopped.take), sound()[PRESS - TAIL : PRESS + 105 * BLOCK + TAIL])
        assert {fact.take for fact in subject.facts(e.TalkPressed) if isinstance(fact, e.TalkPressed)} == {stopped.take}


async def test_a_take_that_the_recorder_ends_leaves_the_button_to_begin_another(tmp_path: Path) -> None:
    subject = RecordingSubject(tmp_path, RecordingControl.PRESS)
    async with subject.app.run_test(size=(100, 32)) as pilot:
        await subject.run(pilot, PRESS // BLOCK)
        await space(subject, pilot)
        await subject.run(pilot, 10)
        subject.bench.recorder._writer._release_early(subject.bench.recorder._writer._take, "longest")  # type: ignore[arg-type]
        await subject.run(pilot, 30)
        assert subject.button.grip is None
        await subject.run(pilot, 30)
        await space(subject, pilot)
        await subject.run(pilot, 2)
        assert subject.button.state is TalkState.RECORDING
        assert len(subject.facts(e.TalkPressed)) == 2
