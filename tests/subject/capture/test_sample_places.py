"""Every loss is told of in the take that it lies in, at its own place."""

from pathlib import Path

import numpy as np
import pytest

from session.audio.fake import FileMicrophone, Overflow, Unplug
from session.values.clock import SECOND, Stamp
from session.values.vocabulary import AudioTrouble
from subject.capture.channel_take import ChannelTake
from subject.capture.input import Input
from subject.capture.recording_settings import RecordingSettings
from subject.capture.take_file import ChannelEnd, TakeHeader
from tests.subject.bench import BLOCK, RATE, Bench, noise


def test_a_second_microphone_that_begins_within_the_take_is_told_of_and_what_it_lacks_is_a_gap(tmp_path: Path) -> None:
    late: list[FileMicrophone] = []
    spoken = noise(RATE * 5, seed=3)

    def second(bench: Bench) -> list[Input]:
        def opener() -> FileMicrophone:
            late.append(FileMicrophone(bench.clock, RATE, name="late"))
            late[0].say(spoken)
            return late[0]

        return [Input(opener, "c")]

    bench = Bench(tmp_path, more=second).open()
    bench.run(20)
    bench.press()
    bench.run(30)
    late[0].start(late[0]._on_block or (lambda *_: None), lambda _: None)
    bench.stepped.append(late[0])
    bench.run(70)
    bench.release()
    bench.run(60)
    [began] = bench.started()
    assert [(channel.letter, channel.microphone, channel.offset) for channel in began.channels] == [
        ("s", "recorded speech", 0),
        ("c", "late", 0),
    ]
    [gap] = bench.troubles(AudioTrouble.GAP)
    assert (gap.take, gap.letter, gap.at_sample) == ("T1", "c", 0)
    [primary, other] = bench.stopped()[0].sealed
    assert gap.samples + other.samples == primary.samples
    assert np.array_equal(bench.samples(letter="c"), spoken[: other.samples])


def test_no_take_begins_with_sound_of_a_microphone_that_is_gone(tmp_path: Path) -> None:
    bench = Bench(tmp_path, faults=[Unplug(50)], take_over=True).open()
    bench.spare.say(noise(RATE * 5, seed=4))
    bench.run(56)
    bench.press()
    pressed = bench.clock.monotonic_ns()
    bench.run(50)
    bench.release()
    bench.run(40)
    [gap] = bench.troubles(AudioTrouble.GAP)
    header = bench.sealed[0].header
    assert (gap.take, gap.at_sample, header.start) == ("", 50 * BLOCK, 50 * BLOCK)
    assert np.array_equal(bench.samples(), noise(RATE * 5, seed=4)[: len(bench.samples())])
    assert header.anchor.mono == pressed - header.pre_roll * SECOND // RATE


@pytest.mark.parametrize("unplugged", [False, True])
def test_blocks_beyond_the_backlog_are_counted_even_if_none_follows(tmp_path: Path, unplugged: bool) -> None:
    faults = [Unplug(120)] if unplugged else []
    bench = Bench(tmp_path, settings=RecordingSettings(backlog=10), faults=faults).open()
    bench.run(50)
    bench.press()
    bench.run(10)
    for _ in range(60):
        bench.clock.advance(BLOCK / RATE)
        bench.source.step()
    bench.recorder.close()
    [gap] = [gap for gap in bench.troubles(AudioTrouble.GAP) if gap.detail.startswith("the disk")]
    assert (gap.take, gap.at_sample) == ("T1", bench.sealed[0].samples)
    assert gap.samples + bench.sealed[0].samples == 70 * BLOCK + 4800


def test_the_pre_roll_is_whole_though_a_loss_before_it_is_not_settled_yet(tmp_path: Path) -> None:
    bench = Bench(tmp_path, faults=[Overflow(60, 10, hidden=True)], blind=True).open()
    bench.run(80)
    pressed = bench.source.delivered
    bench.press()
    bench.run(50)
    bench.release()
    bench.run(200)
    place = int(np.flatnonzero((bench.spoken[:-1] == bench.samples()[0]) & (bench.spoken[1:] == bench.samples()[1]))[0])
    assert pressed - place >= 4800


def test_what_a_stalled_microphone_owes_when_the_desk_is_closed_is_a_gap(tmp_path: Path) -> None:
    bench = Bench(tmp_path, take_over=False).open()
    bench.run(50)
    bench.press()
    bench.run(10)
    bench.stepped.clear()
    bench.run(70)
    bench.recorder.close()
    [gap] = bench.troubles(AudioTrouble.GAP)
    assert (gap.take, gap.at_sample, gap.samples) == ("T1", 10 * BLOCK + 4800, 70 * BLOCK)


def test_a_loss_that_is_found_out_late_is_ascribed_to_the_take_it_was_in_though_others_have_begun(
    tmp_path: Path,
) -> None:
    bench = Bench(tmp_path, faults=[Overflow(60, 25, hidden=True)], blind=True).open()
    for number in range(5):
        bench.take(name=f"T{number}", before=50 if number == 0 else 1, talking=30, after=17)
    bench.run(100)
    assert [take.take for take in bench.stopped()] == ["T0", "T3", "T4"]
    [gap] = bench.troubles(AudioTrouble.GAP)
    assert (gap.take, gap.samples) == ("T0", 25 * BLOCK)
    assert abs(gap.at_sample - (10 * BLOCK + 4800)) <= BLOCK


def test_an_end_that_turns_out_to_lie_later_leaves_no_hole(tmp_path: Path) -> None:
    sound = noise(1_000)
    gaps: list[tuple[object, ...]] = []
    header = TakeHeader("T1", "s", RATE, "headset", Stamp("desk", 0, 0))
    channel = ChannelTake(tmp_path, header, lambda *trouble: gaps.append(trouble), lambda *_: None, 1_000)
    channel.end(300, 0)
    channel.feed(sound[:600].tobytes())
    channel.end(400, 100)
    channel.feed(sound[600:].tobytes())
    sealed, surplus = channel.seal(ChannelEnd())
    assert np.array_equal(np.fromfile(tmp_path / "T1.s.pcm", "<i2"), sound[:500])
    assert (sealed.samples, surplus, gaps) == (500, sound[500:].tobytes(), [])
