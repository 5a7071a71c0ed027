import hashlib
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from session.audio.devices import DeviceError
from session.audio.fake import FileMicrophone
from session.events import RecordingStarted, RecordingStopped, TalkReleased
from session.values.clock import SECOND, ScaledClock, stamp
from subject.capture.input import Input
from subject.capture.queue_items import Item
from subject.capture.recorder import Recorder
from subject.capture.recording_settings import RecordingSettings
from tests.subject.bench import BLOCK, RATE, Bench, noise, sidecar


def test_a_take_holds_the_pre_roll_what_was_said_and_the_tail_to_the_sample(tmp_path: Path) -> None:
    bench = Bench(tmp_path).open()
    bench.take(before=50, talking=100, after=30)
    pressed, released = 50 * BLOCK, 150 * BLOCK
    expected = bench.spoken[pressed - 4800 : released + 4800]
    assert np.array_equal(bench.samples(), expected)
    [started], [stopped] = bench.started(), bench.stopped()
    assert started.pre_roll == 4800
    assert stopped.tail == 4800
    assert (stopped.sealed[0].letter, stopped.sealed[0].samples) == ("s", len(expected))
    assert stopped.sealed[0].sha256 == hashlib.sha256(expected.tobytes()).hexdigest()
    assert bench.troubles() == []


def test_sample_0_is_tied_to_the_clock(tmp_path: Path) -> None:
    bench = Bench(tmp_path).open()
    bench.take(before=50)
    assert bench.started()[0].at.mono == SECOND - 300_000_000
    assert bench.started()[0].at.wall - bench.started()[0].at.mono == bench.clock.wall_ns() - bench.clock.monotonic_ns()


@pytest.mark.parametrize("late", [0, 15])
def test_no_take_reaches_back_to_what_the_system_said_however_late_the_stream_is(tmp_path: Path, late: int) -> None:
    """Of a stream that lags the whole ring is taken, which reaches further back than a pre-roll."""
    bench = Bench(tmp_path).open()
    bench.run(45)
    spoken_until = bench.now()
    bench.recorder.spoken_until(spoken_until)
    bench.run(5)
    bench.clock.advance(late * BLOCK / RATE)
    bench.press()
    bench.run(1)
    (started,) = bench.started()
    assert started.at.mono > spoken_until.mono
    assert started.at.mono - spoken_until.mono <= SECOND // RATE


def test_no_microphone_is_touched_before_it_is_opened(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    with pytest.raises(DeviceError, match="consent"):
        bench.recorder.press("T1", bench.now())
    assert bench.opened == 0
    bench.open()
    assert bench.opened == 1


def test_outside_takes_nothing_reaches_the_disk(tmp_path: Path) -> None:
    bench = Bench(tmp_path).open()
    bench.run(200)
    assert list(tmp_path.iterdir()) == []
    assert bench.frames == []
    assert len(bench.recorder._intakes[0].rings["s"]) == 4800


def test_the_lamp_waits_for_the_first_buffer_after_the_press(tmp_path: Path) -> None:
    bench = Bench(tmp_path).open()
    bench.run(20)
    bench.press()
    assert bench.started() == []
    bench.run(1)
    assert [type(fact) for fact in bench.facts] == [RecordingStarted]


def test_a_press_before_the_first_buffer_records_from_the_first_buffer_on(tmp_path: Path) -> None:
    bench = Bench(tmp_path).open()
    bench.take(before=0, talking=10)
    assert np.array_equal(bench.samples(), bench.spoken[: 10 * BLOCK + 4800])


def test_without_pre_roll_nothing_from_before_the_press_is_kept(tmp_path: Path) -> None:
    bench = Bench(tmp_path, settings=RecordingSettings(pre_roll_ms=0)).open()
    bench.take(before=50, talking=10)
    assert np.array_equal(bench.samples(), bench.spoken[50 * BLOCK : 60 * BLOCK + 4800])
    assert bench.started()[0].pre_roll == 0


def test_pressing_again_within_the_tail_goes_on_with_the_same_take(tmp_path: Path) -> None:
    bench = Bench(tmp_path).open()
    bench.run(50)
    bench.press("T1")
    bench.run(50)
    bench.release("T1")
    bench.run(10)
    assert bench.press("T2") == "T1"
    bench.run(50)
    bench.release("T1")
    bench.run(30)
    assert np.array_equal(bench.samples("T1"), bench.spoken[50 * BLOCK - 4800 : 160 * BLOCK + 4800])
    assert len(bench.stopped()) == 1
    assert bench.press("T2") == "T2"


def test_what_is_said_between_two_close_takes_is_in_one_or_the_other(tmp_path: Path) -> None:
    bench = Bench(tmp_path, settings=RecordingSettings(tail_ms=100)).open()
    bench.take(before=50, talking=50, after=8, name="T1")
    bench.take(before=0, talking=50, after=20, name="T2")
    first, second = bench.sealed[0].header, bench.sealed[1].header
    assert first.start + len(bench.samples("T1")) >= second.start
    assert np.array_equal(bench.samples("T2"), bench.spoken[second.start : second.start + len(bench.samples("T2"))])


def test_a_held_key_that_repeats_changes_nothing(tmp_path: Path) -> None:
    bench = Bench(tmp_path).open()
    bench.run(20)
    bench.press("T1")
    bench.run(5)
    assert bench.press("T2") == "T1"
    bench.recorder.release("T2", bench.now())
    bench.run(40)
    assert bench.recorder.recording == "T1"
    assert bench.stopped() == []


def test_a_discarded_take_is_kept_and_marked_and_the_next_press_is_a_new_one(tmp_path: Path) -> None:
    bench = Bench(tmp_path).open()
    bench.run(50)
    bench.press("T1")
    bench.run(20)
    bench.recorder.discard("T1")
    assert bench.press("T2") == "T2"
    bench.run(20)
    assert sidecar(tmp_path / "T1.s.json").ending.discarded
    assert len(bench.samples("T1")) == 20 * BLOCK + 4800
    bench.release("T2")
    bench.run(20)
    assert not sidecar(tmp_path / "T2.s.json").ending.discarded


def test_a_forgotten_hold_ends_at_the_longest_take(tmp_path: Path) -> None:
    bench = Bench(tmp_path, settings=RecordingSettings(longest_s=1.0)).open()
    bench.take(before=50, talking=100)
    [released] = [fact for fact in bench.facts if isinstance(fact, TalkReleased)]
    assert released.why == "longest"
    assert len(bench.samples()) == 4800 + RATE + 4800


def test_frames_of_at_most_20_ms_carry_every_sample_of_the_take(tmp_path: Path) -> None:
    bench = Bench(tmp_path).open()
    bench.take(talking=33)
    assert b"".join(data for _, _, _, data in bench.frames) == bench.samples().tobytes()
    position = 0
    for take, letter, first, data in bench.frames:
        assert (take, letter, first) == ("T1", "s", position)
        position += len(data) // 2
    assert max(len(data) for *_, data in bench.frames) == 640


def test_a_frame_does_not_wait_for_the_next_block(tmp_path: Path) -> None:
    bench = Bench(tmp_path).open()
    bench.run(10)
    bench.clock.advance(0.007)
    bench.press()
    bench.clock.advance(0.013)
    bench.source.step()
    bench.recorder.step()
    on_disk = (tmp_path / "T1.s.pcm.part").stat().st_size
    assert sum(len(data) for *_, data in bench.frames) == on_disk == 11 * BLOCK * 2
    bench.recorder.close()


def test_levels_come_ten_times_a_second_whether_or_not_a_take_runs(tmp_path: Path) -> None:
    bench = Bench(tmp_path).open()
    bench.run(100)
    assert len(bench.levels) == 20
    assert 0.55 < bench.levels[0].peak <= 0.62
    assert 0.3 < bench.levels[0].rms < 0.4


def test_two_channels_of_one_device_become_two_files_in_step(tmp_path: Path) -> None:
    bench = Bench(tmp_path, channels=2, letters="sc").open()
    bench.take()
    span = slice(50 * BLOCK - 4800, 150 * BLOCK + 4800)
    assert np.array_equal(bench.samples(letter="s"), bench.spoken[span, 0])
    assert np.array_equal(bench.samples(letter="c"), bench.spoken[span, 1])
    assert [channel.letter for channel in bench.started()[0].channels] == ["s", "c"]
    assert [sealed.letter for sealed in bench.stopped()[0].sealed] == ["s", "c"]


def test_a_telephone_at_8_khz_beside_a_headset_at_16(tmp_path: Path) -> None:
    telephone = noise(8_000 * 30, seed=9)

    def second(bench: Bench) -> list[Input]:
        microphone = FileMicrophone(bench.clock, 8_000, 1, 160, name="telephone")
        microphone.say(telephone)
        bench.stepped.append(microphone)
        return [Input(lambda: microphone, "c")]

    bench = Bench(tmp_path, more=second).open()
    bench.take()
    assert [channel.rate for channel in bench.started()[0].channels] == [16_000, 8_000]
    assert np.array_equal(bench.samples(letter="c"), telephone[25 * BLOCK - 2400 : 75 * BLOCK + 2400])
    assert bench.sealed[0].header.anchor == bench.sealed[1].header.anchor


def test_drift_is_measured_and_kept_with_the_take(tmp_path: Path) -> None:
    bench = Bench(tmp_path, drift_ppm=200.0, settings=RecordingSettings(longest_s=60)).open()
    bench.take(before=600, talking=600)
    drift = bench.sealed[0].ending.drift_ppm
    assert drift is not None
    assert abs(drift - 200.0) < 20


def test_closing_in_the_middle_of_a_take_seals_it(tmp_path: Path) -> None:
    bench = Bench(tmp_path).open()
    bench.run(50)
    bench.press()
    bench.run(50)
    bench.recorder.close()
    bench.recorder.close()
    assert np.array_equal(bench.samples(), bench.spoken[50 * BLOCK - 4800 : 100 * BLOCK])
    assert [type(fact) for fact in bench.facts] == [RecordingStarted, TalkReleased, RecordingStopped]


@hypothesis_settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("run"), st.integers(1, 40)),
            st.tuples(st.sampled_from(["press", "release", "discard"]), st.just(0)),
        ),
        max_size=25,
    )
)
def test_whatever_the_hand_does_every_take_is_one_unbroken_piece_of_what_was_said(
    tmp_path_factory: pytest.TempPathFactory, deeds: list[tuple[str, int]]
) -> None:
    bench = Bench(tmp_path_factory.mktemp("takes")).open()
    current, made = "", 0
    for deed, blocks in deeds:
        if deed == "run":
            bench.run(blocks)
        elif deed == "press":
            made += 1
            current = bench.press(f"T{made}")
        elif deed == "release":
            bench.recorder.release(current, bench.now())
        else:
            bench.recorder.discard(current)
    bench.recorder.close()
    assert list(bench.directory.glob("*.part")) == []
    for sealed in bench.sealed:
        if sealed.samples:
            samples = bench.samples(sealed.header.take)
            assert np.array_equal(samples, bench.spoken[sealed.header.start :][: len(samples)])
    assert {trouble.detail for trouble in bench.troubles()} <= {"the stream ended before the tail did"}


def test_the_threads_do_the_same_as_the_steps(tmp_path: Path) -> None:
    clock = ScaledClock("desk", 50.0)
    microphone = FileMicrophone(clock, pace=50.0)
    facts: list[object] = []
    recorder = Recorder(
        [Input(lambda: microphone)], clock, tmp_path, facts.append, settings=RecordingSettings().paced(50.0)
    )
    recorder.open()
    recorder.press("T1", stamp(clock))
    said = noise(RATE * 2)
    done = threading.Event()
    microphone.say(said, done.set)
    assert done.wait(120)
    recorder.release("T1", stamp(clock))
    recorder.close()
    samples = np.frombuffer((tmp_path / "T1.s.pcm").read_bytes(), dtype="<i2")
    start = int(np.flatnonzero(samples)[0])
    assert np.array_equal(samples[start : start + len(said)], said)
    assert recorder.failures == []


def test_a_fault_in_the_writer_is_heard_of_and_recording_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[BaseException | None] = []
    monkeypatch.setattr(threading, "excepthook", lambda arguments: heard.append(arguments.exc_value))
    clock = ScaledClock("desk", 50.0)
    microphone = FileMicrophone(clock, pace=50.0)
    recorder = Recorder(
        [Input(lambda: microphone)], clock, tmp_path, lambda fact: None, settings=RecordingSettings().paced(50.0)
    )
    broken = threading.Event()
    handle = recorder._writer.handle

    def faulty(item: Item) -> None:
        if not broken.is_set():
            broken.set()
            raise ZeroDivisionError
        handle(item)

    monkeypatch.setattr(recorder._writer, "handle", faulty)
    recorder.open()
    assert broken.wait(120)
    recorder.press("T1", stamp(clock))
    done = threading.Event()
    microphone.say(noise(RATE), done.set)
    assert done.wait(120)
    recorder.close()
    assert [type(error) for error in heard] == [type(error) for error in recorder.failures] == [ZeroDivisionError]
    samples = np.frombuffer((tmp_path / "T1.s.pcm").read_bytes(), dtype="<i2")
    start = int(np.flatnonzero(samples)[0])
    assert np.array_equal(samples[start : start + RATE], noise(RATE))
