import hashlib
import os
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from session.audio import DeviceError
from session.clock import SECOND, ScaledClock, stamp
from session.events import RecordingStarted, RecordingStopped, TalkReleased
from session.fake_audio import FileMicrophone, Overflow, Refuse, Stall, Unplug, jitter
from session.vocabulary import Trouble
from subject.intake import Input
from subject.recorder import Recorder
from subject.writer import Settings
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


def test_a_known_click_is_found_where_the_clock_says_within_the_stated_uncertainty(tmp_path: Path) -> None:
    bench = Bench(tmp_path, faults=jitter(3, 400), blind=True, speak=False).open()
    bench.run(100)
    bench.press()
    clicked = bench.clock.monotonic_ns()
    bench.source.say(np.array([30_000], dtype=np.int16))
    bench.run(50)
    bench.release()
    bench.run(50)
    header = bench.sealed[0].header
    place = int(np.argmax(bench.samples()))
    said = header.anchor.mono + place * SECOND // RATE
    assert abs(said - clicked) <= header.uncertainty_ns + SECOND // RATE


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
    bench = Bench(tmp_path, settings=Settings(pre_roll_ms=0)).open()
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
    bench = Bench(tmp_path, settings=Settings(tail_ms=100)).open()
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
    bench = Bench(tmp_path, settings=Settings(longest_s=1.0)).open()
    bench.take(before=50, talking=100)
    [released] = [fact for fact in bench.facts if isinstance(fact, TalkReleased)]
    assert released.why == "longest"
    assert len(bench.samples()) == 4800 + RATE + 4800


def test_frames_of_20_ms_carry_every_sample_of_the_take(tmp_path: Path) -> None:
    bench = Bench(tmp_path).open()
    bench.take(talking=33)
    assert b"".join(data for _, _, _, data in bench.frames) == bench.samples().tobytes()
    position = 0
    for take, letter, first, data in bench.frames:
        assert (take, letter, first) == ("T1", "s", position)
        position += len(data) // 2
    assert {len(data) for *_, data in bench.frames[:-1]} == {640}


def test_levels_come_ten_times_a_second_whether_or_not_a_take_runs(tmp_path: Path) -> None:
    bench = Bench(tmp_path).open()
    bench.run(100)
    assert len(bench.levels) == 20
    assert 0.55 < bench.levels[0].peak <= 0.62
    assert 0.3 < bench.levels[0].rms < 0.4


def test_an_overflow_is_reported_at_its_place_and_the_gap_by_the_clock(tmp_path: Path) -> None:
    bench = Bench(tmp_path, faults=[Overflow(100, 10)], blind=True).open()
    bench.take(before=50, talking=300)
    [overflow] = bench.troubles(Trouble.OVERFLOW)
    place = 50 * BLOCK + 4800
    assert (overflow.take, overflow.at_sample) == ("T1", place)
    [gap] = bench.troubles(Trouble.GAP)
    assert gap.samples == 10 * BLOCK
    assert abs(gap.at_sample - place) <= BLOCK
    assert bench.sealed[0].ending.overflows == 1


def test_sound_lost_without_a_word_is_noticed_even_after_a_short_take(tmp_path: Path) -> None:
    bench = Bench(tmp_path, faults=[Overflow(60, 25, hidden=True)], blind=True).open()
    bench.take(before=50, talking=60, after=200)
    [gap] = bench.troubles()
    assert (gap.trouble, gap.take, gap.samples) == (Trouble.GAP, "T1", 25 * BLOCK)
    assert len(bench.samples()) + gap.samples >= 60 * BLOCK + 4800


def test_sound_lost_at_the_very_end_is_noticed_on_closing(tmp_path: Path) -> None:
    bench = Bench(tmp_path, faults=[Overflow(60, 25, hidden=True)], blind=True).open()
    bench.take(before=50, talking=60, after=20)
    bench.recorder.close()
    assert [gap.samples for gap in bench.troubles(Trouble.GAP)] == [25 * BLOCK]


def test_a_stall_is_told_at_once_and_costs_nothing_when_the_sound_comes_after_all(tmp_path: Path) -> None:
    bench = Bench(tmp_path, faults=[Stall(80, 60)]).open()
    bench.run(50)
    bench.press()
    bench.run(85)
    assert [trouble.trouble for trouble in bench.troubles()] == [Trouble.STALL]
    bench.run(50)
    bench.release()
    bench.run(30)
    assert np.array_equal(bench.samples(), bench.spoken[50 * BLOCK - 4800 : 185 * BLOCK + 4800])
    assert len(bench.troubles()) == 1


def test_an_unplugged_microphone_ends_the_take_and_keeps_it(tmp_path: Path) -> None:
    bench = Bench(tmp_path, faults=[Unplug(100)]).open()
    bench.take(before=50, talking=100)
    [lost] = bench.troubles(Trouble.DEVICE_LOST)
    assert (lost.take, lost.at_sample) == ("T1", 50 * BLOCK + 4800)
    assert [fact.why for fact in bench.facts if isinstance(fact, TalkReleased)] == ["microphone lost"]
    assert np.array_equal(bench.samples(), bench.spoken[50 * BLOCK - 4800 : 100 * BLOCK])


def test_the_default_device_takes_over_within_the_take_and_the_change_has_its_place(tmp_path: Path) -> None:
    bench = Bench(tmp_path, faults=[Unplug(100)], take_over=True).open()
    more = noise(RATE * 10, seed=8)
    bench.spare.say(more)
    bench.take(before=50, talking=100)
    [changed] = bench.troubles(Trouble.DEVICE_CHANGED)
    assert "the default device" in changed.detail
    place = 50 * BLOCK + 4800
    assert changed.at_sample == place
    assert np.array_equal(bench.samples()[place:], more[: len(bench.samples()) - place])
    [gap] = bench.troubles(Trouble.GAP)
    assert (gap.at_sample, gap.samples) == (place, BLOCK)
    assert len(bench.samples()) + gap.samples == 4800 + 100 * BLOCK + 4800


def test_a_microphone_that_falls_silent_without_a_word_is_replaced(tmp_path: Path) -> None:
    bench = Bench(tmp_path, faults=[Stall(100, 10_000)], take_over=True).open()
    bench.take(before=50, talking=500)
    kinds = [trouble.trouble for trouble in bench.troubles()]
    assert kinds == [Trouble.STALL, Trouble.DEVICE_LOST, Trouble.DEVICE_CHANGED, Trouble.GAP, Trouble.SILENCE]
    assert abs(len(bench.samples()) + bench.troubles(Trouble.GAP)[0].samples - (4800 + 500 * BLOCK + 4800)) <= BLOCK


def test_a_refused_rate_is_an_error_with_a_remedy_and_leaves_nothing_open(tmp_path: Path) -> None:
    bench = Bench(tmp_path, faults=[Refuse()])
    with pytest.raises(DeviceError, match="Choose another rate"):
        bench.open()
    with pytest.raises(DeviceError, match="not open"):
        bench.press()


def test_clipping_and_dead_stretches_have_their_places(tmp_path: Path) -> None:
    bench = Bench(tmp_path, speak=False).open()
    loud = noise(RATE)
    loud[1000:1100] = 32_767
    bench.run(50)
    bench.press()
    bench.source.say(np.concatenate([loud, np.zeros(2 * RATE, np.int16), loud[2000:5200]]))
    bench.run(160)
    bench.release()
    bench.run(30)
    [clipped] = bench.troubles(Trouble.CLIPPING)
    assert clipped.samples == 100
    assert clipped.at_sample == 4800 + 1000
    [dead] = bench.troubles(Trouble.SILENCE)
    assert (dead.at_sample, dead.samples) == (4800 + RATE, 2 * RATE)


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


def test_a_second_microphone_that_gives_nothing_does_not_hold_the_take_up(tmp_path: Path) -> None:
    def second(bench: Bench) -> list[Input]:
        return [Input(lambda: FileMicrophone(bench.clock, RATE, name="mute"), "c")]

    bench = Bench(tmp_path, more=second).open()
    bench.take(after=250)
    assert [(sealed.letter, sealed.samples) for sealed in bench.stopped()[0].sealed] == [
        ("s", 100 * BLOCK + 9600),
        ("c", 0),
    ]
    assert [trouble.letter for trouble in bench.troubles(Trouble.STALL)] == ["c"]


def test_drift_is_measured_and_kept_with_the_take(tmp_path: Path) -> None:
    bench = Bench(tmp_path, drift_ppm=200.0, settings=Settings(longest_s=60)).open()
    bench.take(before=600, talking=600)
    drift = bench.sealed[0].ending.drift_ppm
    assert drift is not None
    assert abs(drift - 200.0) < 20


def test_jitter_alone_is_no_trouble(tmp_path: Path) -> None:
    bench = Bench(tmp_path, faults=jitter(11, 500), blind=True).open()
    bench.take(before=50, talking=300, after=60)
    assert bench.troubles() == []
    start = bench.sealed[0].header.start
    assert np.array_equal(bench.samples(), bench.spoken[start : start + len(bench.samples())])


class _FullDisk:
    """os.write, until the disk is full, and again once there is room."""

    def __init__(self, room: int) -> None:
        self.room = room
        self._write = os.write

    def __call__(self, file: int, data: bytes) -> int:
        if self.room <= 0:
            raise OSError(28, "No space left on device")
        count = self._write(file, bytes(data[: self.room]))
        self.room -= count
        return count


def test_a_disk_that_was_full_for_a_while_costs_no_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = _FullDisk(room=20_001)
    bench = Bench(tmp_path).open()
    monkeypatch.setattr("subject.takefile.os.write", disk)
    bench.run(50)
    bench.press()
    bench.run(100)
    disk.room = 10_000_000
    bench.run(60)
    bench.release()
    bench.run(30)
    [trouble] = bench.troubles()
    assert trouble.trouble is Trouble.DISK
    assert "No space left" in trouble.detail
    assert np.array_equal(bench.samples(), bench.spoken[50 * BLOCK - 4800 : 210 * BLOCK + 4800])
    assert bench.stopped()[0].sealed[0].sha256 == hashlib.sha256(bench.samples().tobytes()).hexdigest()


def test_a_disk_that_stays_full_keeps_the_take_so_far_and_counts_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(tmp_path).open()
    monkeypatch.setattr("subject.takefile.os.write", _FullDisk(room=20_001))
    bench.take()
    told, lost = bench.troubles()
    assert told.trouble is lost.trouble is Trouble.DISK
    assert (lost.at_sample, lost.samples) == (10_000, 100 * BLOCK + 9600 - 10_000)
    assert np.array_equal(bench.samples(), bench.spoken[50 * BLOCK - 4800 :][:10_000])
    [stopped] = bench.stopped()
    assert stopped.sealed[0].samples == 10_000
    assert stopped.sealed[0].sha256 == hashlib.sha256(bench.samples().tobytes()).hexdigest()


def test_a_folder_that_cannot_be_written_is_one_clear_fact_and_no_crash(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    bench = Bench(tmp_path / "file").open()
    bench.take()
    assert {trouble.trouble for trouble in bench.troubles()} == {Trouble.DISK}
    assert sum(trouble.samples for trouble in bench.troubles()[1:]) == 100 * BLOCK + 9600
    assert bench.stopped()[0].sealed[0].samples == 0
    assert bench.recorder.failures == []


def test_a_listener_that_raises_costs_no_sample(tmp_path: Path) -> None:
    bench = Bench(tmp_path)

    def broken(*_frame: object) -> None:
        raise RuntimeError("the screen is gone")

    bench.recorder = Recorder([Input(lambda: bench.source)], bench.clock, tmp_path, bench.facts.append, on_frame=broken)
    bench.open()
    bench.take()
    assert np.array_equal(bench.samples(), bench.spoken[50 * BLOCK - 4800 : 150 * BLOCK + 4800])
    assert "screen is gone" in str(bench.recorder.failures[0])


def test_blocks_beyond_the_backlog_are_counted_as_a_gap(tmp_path: Path) -> None:
    bench = Bench(tmp_path, settings=Settings(backlog=20)).open()
    bench.run(50)
    bench.press()
    bench.run(10)
    for _ in range(30):
        bench.clock.advance(BLOCK / RATE)
        bench.source.step()
    bench.run(10)
    bench.release()
    bench.run(30)
    [gap] = bench.troubles()
    assert gap.trouble is Trouble.GAP
    assert gap.samples == 10 * BLOCK
    place = 4800 + 31 * BLOCK
    assert gap.at_sample == place
    samples = bench.samples()
    assert np.array_equal(samples[:place], bench.spoken[50 * BLOCK - 4800 :][:place])
    assert np.array_equal(samples[place:], bench.spoken[91 * BLOCK :][: len(samples) - place])


def test_closing_in_the_middle_of_a_take_seals_it(tmp_path: Path) -> None:
    bench = Bench(tmp_path).open()
    bench.run(50)
    bench.press()
    bench.run(50)
    bench.recorder.close()
    bench.recorder.close()
    assert np.array_equal(bench.samples(), bench.spoken[50 * BLOCK - 4800 : 100 * BLOCK])
    assert [type(fact) for fact in bench.facts] == [RecordingStarted, TalkReleased, RecordingStopped]


@hypothesis_settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
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
    recorder = Recorder([Input(lambda: microphone)], clock, tmp_path, facts.append, settings=Settings().paced(50.0))
    recorder.open()
    recorder.press("T1", stamp(clock))
    said = noise(RATE * 2)
    done = threading.Event()
    microphone.say(said, done.set)
    assert done.wait(10)
    recorder.release("T1", stamp(clock))
    recorder.close()
    samples = np.frombuffer((tmp_path / "T1.s.pcm").read_bytes(), dtype="<i2")
    start = int(np.flatnonzero(samples)[0])
    assert np.array_equal(samples[start : start + len(said)], said)
    assert recorder.failures == []
