"""What a recorder makes of devices, disks and listeners that fail."""

import hashlib
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from session.audio.devices import DeviceError
from session.audio.fake import FileMicrophone, Overflow, Refuse, Stall, Unplug
from session.events import RecordingStarted, TalkReleased
from session.values.clock import SECOND
from session.values.vocabulary import AudioTrouble
from subject.capture.input import Input
from subject.capture.recorder import Recorder
from subject.capture.recording_settings import RecordingSettings
from tests.session.stalls import jitter
from tests.subject.bench import BLOCK, RATE, Bench, noise


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


def test_an_overflow_is_reported_at_its_place_and_the_gap_by_the_clock(tmp_path: Path) -> None:
    bench = Bench(tmp_path, faults=[Overflow(100, 10)], blind=True).open()
    bench.take(before=50, talking=300)
    [overflow] = bench.troubles(AudioTrouble.OVERFLOW)
    place = 50 * BLOCK + 4800
    assert (overflow.take, overflow.at_sample) == ("T1", place)
    [gap] = bench.troubles(AudioTrouble.GAP)
    assert gap.samples == 10 * BLOCK
    assert abs(gap.at_sample - place) <= BLOCK
    assert bench.sealed[0].ending.overflows == 1


def test_sound_lost_without_a_word_is_noticed_even_after_a_short_take(tmp_path: Path) -> None:
    bench = Bench(tmp_path, faults=[Overflow(60, 25, hidden=True)], blind=True).open()
    bench.take(before=50, talking=60, after=200)
    [troubles, gap] = bench.troubles()
    assert troubles.trouble is AudioTrouble.DURATION
    assert (gap.trouble, gap.take, gap.samples) == (AudioTrouble.GAP, "T1", 25 * BLOCK)
    assert len(bench.samples()) + gap.samples >= 60 * BLOCK + 4800


def test_sound_lost_at_the_very_end_is_noticed_on_closing(tmp_path: Path) -> None:
    bench = Bench(tmp_path, faults=[Overflow(60, 25, hidden=True)], blind=True).open()
    bench.take(before=50, talking=60, after=20)
    bench.recorder.close()
    assert [gap.samples for gap in bench.troubles(AudioTrouble.GAP)] == [25 * BLOCK]


def test_a_stall_is_told_at_once_and_costs_nothing_when_the_sound_comes_after_all(tmp_path: Path) -> None:
    bench = Bench(tmp_path, faults=[Stall(80, 60)]).open()
    bench.run(50)
    bench.press()
    bench.run(85)
    assert [trouble.trouble for trouble in bench.troubles()] == [AudioTrouble.STALL]
    bench.run(50)
    bench.release()
    bench.run(30)
    assert np.array_equal(bench.samples(), bench.spoken[50 * BLOCK - 4800 : 185 * BLOCK + 4800])
    assert len(bench.troubles()) == 1


def test_an_unplugged_microphone_ends_the_take_and_keeps_it(tmp_path: Path) -> None:
    bench = Bench(tmp_path, faults=[Unplug(100)]).open()
    bench.take(before=50, talking=100)
    [lost] = bench.troubles(AudioTrouble.DEVICE_LOST)
    assert (lost.take, lost.at_sample) == ("T1", 50 * BLOCK + 4800)
    assert [fact.why for fact in bench.facts if isinstance(fact, TalkReleased)] == ["microphone lost"]
    assert np.array_equal(bench.samples(), bench.spoken[50 * BLOCK - 4800 : 100 * BLOCK])


def test_who_loses_one_of_two_microphones_is_told_how_it_is_found_again(tmp_path: Path) -> None:
    def second(bench: Bench) -> list[Input]:
        microphone = FileMicrophone(bench.clock, RATE, name="table-top")
        bench.stepped.append(microphone)
        return [Input(lambda: microphone, "c")]

    alone = Bench(tmp_path / "alone", faults=[Unplug(50)], take_over=True, goes_on=False).open()
    both = Bench(tmp_path / "both", faults=[Unplug(50)], take_over=True, goes_on=False, more=second).open()
    troubles = []
    for bench in (alone, both):
        bench.run(60)
        troubles += [lost.detail for lost in bench.troubles(AudioTrouble.DEVICE_LOST)]
    assert ["start it again" in detail for detail in troubles] == [False, True]


def test_the_default_device_takes_over_within_the_take_and_the_change_has_its_place(tmp_path: Path) -> None:
    bench = Bench(tmp_path, faults=[Unplug(100)], take_over=True).open()
    more = noise(RATE * 10, seed=8)
    bench.spare.say(more)
    bench.take(before=50, talking=100)
    [changed] = bench.troubles(AudioTrouble.DEVICE_CHANGED)
    assert "the default device" in changed.detail
    place = 50 * BLOCK + 4800
    assert changed.at_sample == place
    assert np.array_equal(bench.samples()[place:], more[: len(bench.samples()) - place])
    [gap] = bench.troubles(AudioTrouble.GAP)
    assert (gap.at_sample, gap.samples) == (place, BLOCK)
    assert len(bench.samples()) + gap.samples == 4800 + 100 * BLOCK + 4800


def test_a_microphone_that_falls_silent_without_a_word_is_replaced(tmp_path: Path) -> None:
    bench = Bench(tmp_path, faults=[Stall(100, 10_000)], take_over=True).open()
    bench.take(before=50, talking=500)
    kinds = [trouble.trouble for trouble in bench.troubles()]
    assert kinds == [
        AudioTrouble.STALL,
        AudioTrouble.DEVICE_LOST,
        AudioTrouble.DEVICE_CHANGED,
        AudioTrouble.GAP,
        AudioTrouble.SILENCE,
    ]
    assert (
        abs(len(bench.samples()) + bench.troubles(AudioTrouble.GAP)[0].samples - (4800 + 500 * BLOCK + 4800)) <= BLOCK
    )


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
    [clipped] = bench.troubles(AudioTrouble.CLIPPING)
    assert clipped.samples == 100
    assert clipped.at_sample == 4800 + 1000
    [dead] = bench.troubles(AudioTrouble.SILENCE)
    assert (dead.at_sample, dead.samples) == (4800 + RATE, 2 * RATE)


def test_a_second_microphone_that_gives_nothing_does_not_hold_the_take_up(tmp_path: Path) -> None:
    def second(bench: Bench) -> list[Input]:
        return [Input(lambda: FileMicrophone(bench.clock, RATE, name="mute"), "c")]

    bench = Bench(tmp_path, more=second).open()
    bench.take(after=250)
    assert [(sealed.letter, sealed.samples) for sealed in bench.stopped()[0].sealed] == [
        ("s", 100 * BLOCK + 9600),
        ("c", 0),
    ]
    assert [channel.letter for channel in bench.started()[0].channels] == ["s", "c"]
    assert [trouble.letter for trouble in bench.troubles(AudioTrouble.STALL)] == ["c"]
    [gap] = bench.troubles(AudioTrouble.GAP)
    assert (gap.take, gap.letter, gap.at_sample, gap.samples) == ("T1", "c", 0, 100 * BLOCK + 9600)


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
    monkeypatch.setattr("subject.capture.take_file.os.write", disk)
    bench.run(50)
    bench.press()
    bench.run(100)
    disk.room = 10_000_000
    bench.run(60)
    bench.release()
    bench.run(30)
    [trouble] = bench.troubles()
    assert trouble.trouble is AudioTrouble.DISK
    assert "No space left" in trouble.detail
    assert np.array_equal(bench.samples(), bench.spoken[50 * BLOCK - 4800 : 210 * BLOCK + 4800])
    assert bench.stopped()[0].sealed[0].sha256 == hashlib.sha256(bench.samples().tobytes()).hexdigest()


def test_a_disk_that_stays_full_keeps_the_take_so_far_and_counts_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(tmp_path).open()
    monkeypatch.setattr("subject.capture.take_file.os.write", _FullDisk(room=20_001))
    bench.take()
    troubles, lost = bench.troubles()
    assert troubles.trouble is lost.trouble is AudioTrouble.DISK
    assert (lost.at_sample, lost.samples) == (10_000, 100 * BLOCK + 9600 - 10_000)
    assert np.array_equal(bench.samples(), bench.spoken[50 * BLOCK - 4800 :][:10_000])
    [stopped] = bench.stopped()
    assert stopped.sealed[0].samples == 10_000
    assert stopped.sealed[0].sha256 == hashlib.sha256(bench.samples().tobytes()).hexdigest()


def test_a_folder_that_cannot_be_written_is_one_clear_fact_and_no_crash(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    bench = Bench(tmp_path / "file").open()
    bench.take()
    assert {trouble.trouble for trouble in bench.troubles()} == {AudioTrouble.DISK}
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
    bench = Bench(tmp_path, settings=RecordingSettings(backlog=20)).open()
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
    assert gap.trouble is AudioTrouble.GAP
    assert gap.samples == 10 * BLOCK
    place = 4800 + 31 * BLOCK
    assert gap.at_sample == place
    samples = bench.samples()
    assert np.array_equal(samples[:place], bench.spoken[50 * BLOCK - 4800 :][:place])
    assert np.array_equal(samples[place:], bench.spoken[91 * BLOCK :][: len(samples) - place])


@hypothesis_settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(st.integers(0, 6), st.integers(1, 30), st.booleans()), max_size=4, unique_by=lambda fault: fault[0]
    ),
    st.integers(0, 1_000),
)
def test_every_sample_of_a_take_is_on_disk_or_in_a_gap(
    tmp_path_factory: pytest.TempPathFactory, losses: list[tuple[int, int, bool]], seed: int
) -> None:
    lost = [Overflow(150 + 600 * slot, blocks, hidden) for slot, blocks, hidden in losses]
    stalls = [stall for stall in jitter(seed, 5_600) if stall.at % 600 not in range(145, 185)]
    bench = Bench(tmp_path_factory.mktemp("takes"), faults=[*lost, *stalls], blind=True).open()
    bench.run(100)
    bench.press()
    bench.run(5_000)
    bench.release()
    bench.run(100)
    header, samples = bench.sealed[0].header, bench.sealed[0].samples
    gaps = bench.troubles(AudioTrouble.GAP)
    assert sum(gap.samples for gap in gaps) == sum(frames for _, frames in bench.microphone.lost)
    assert {gap.take for gap in gaps} <= {"T1"}
    assert abs(header.start + samples + sum(gap.samples for gap in gaps) - (5_100 * BLOCK + 4_800)) <= 3 * BLOCK


def test_a_take_that_begins_before_a_loss_is_settled_states_the_doubt(tmp_path: Path) -> None:
    bench = Bench(tmp_path, faults=[Overflow(60, 25, hidden=True)], blind=True, speak=False).open()
    bench.run(100)
    bench.press("T1")
    clicked = bench.clock.monotonic_ns()
    bench.source.say(np.array([30_000], dtype=np.int16))
    bench.run(50)
    bench.release()
    bench.run(50)
    header = bench.sealed[0].header
    said = header.anchor.mono + int(np.argmax(bench.samples())) * SECOND // RATE
    assert 25 * BLOCK * SECOND // RATE <= header.uncertainty_ns < SECOND
    assert abs(said - clicked) <= header.uncertainty_ns + SECOND // RATE
    assert [fact.uncertainty for fact in bench.facts if isinstance(fact, RecordingStarted)] == [header.uncertainty_ns]
