import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from subject.capture.level import Level
from subject.capture.level_meter import LevelStretch, SampleMeter, StretchFinder, clipping, is_clipped, is_dead, silence


def by_hand(marks: list[bool], shortest: int, bridge: int, marked: int) -> list[LevelStretch]:
    """The definition, one sample after the other."""
    groups: list[list[int]] = []
    for place in (place for place, mark in enumerate(marks) if mark):
        if groups and place - groups[-1][-1] <= bridge + 1:
            groups[-1].append(place)
        else:
            groups.append([place])
    return [
        LevelStretch(group[0], group[-1] - group[0] + 1)
        for group in groups
        if group[-1] - group[0] + 1 >= shortest and len(group) >= marked
    ]


@given(
    st.lists(st.booleans(), max_size=80),
    st.lists(st.integers(1, 20), min_size=1),
    st.integers(1, 6),
    st.integers(0, 5),
    st.integers(1, 4),
)
def test_stretches_do_not_depend_on_how_the_sound_is_cut_into_blocks(
    marks: list[bool], cuts: list[int], shortest: int, bridge: int, marked: int
) -> None:
    finder, found, at = StretchFinder(shortest, bridge, marked), [], 0  # type: ignore[var-annotated]
    while at < len(marks):
        size = cuts[at % len(cuts)]
        found += finder.feed(at, np.array(marks[at : at + size], dtype=bool))
        at += size
    found += finder.finish()
    assert found == by_hand(marks, shortest, bridge, marked)


def test_a_clipped_vowel_is_one_stretch() -> None:
    tone = 60_000 * np.sin(2 * np.pi * 150 * np.arange(3_200) / 16_000)
    samples = np.clip(tone, -32_768, 32_767).astype(np.int16)
    finder = clipping(16_000)
    stretches = [*finder.feed(0, is_clipped(samples)), *finder.finish()]
    assert len(stretches) == 1
    assert stretches[0].samples > 3_000


def test_two_loud_samples_are_not_clipping() -> None:
    samples = np.array([0, 32_767, -32_768, 0], dtype=np.int16)
    finder = clipping(16_000)
    assert [*finder.feed(0, is_clipped(samples)), *finder.finish()] == []


def test_the_quietest_room_is_not_a_dead_microphone() -> None:
    room = np.random.default_rng(1).normal(0, 6, 32_000).astype(np.int16)
    finder = silence(16_000, 1_000)
    assert [*finder.feed(0, is_dead(room)), *finder.finish()] == []
    finder = silence(16_000, 1_000)
    assert [*finder.feed(0, is_dead(np.zeros(16_000, np.int16))), *finder.finish()] == [LevelStretch(0, 16_000)]


def test_the_meter_shows_peak_and_rms_of_each_tenth_of_a_second() -> None:
    meter = SampleMeter("s", 16_000)
    half = np.full(320, 16_384, dtype=np.int16)
    levels = [meter.feed((number + 1) * 320, half) for number in range(5)]
    assert levels == [None, None, None, None, Level("s", 1600, 0.5, 0.5)]


@pytest.mark.parametrize("sample", [-32_768, -32_767, 32_767])
def test_both_ends_of_the_scale_count_as_clipped(sample: int) -> None:
    assert is_clipped(np.array([sample], dtype=np.int16)).all()
