import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus import masking, riff, samples, sphere, sro
from corpus.faults import FormatFault
from corpus.madcow_header import sphere_file
from corpus.masking import Pair, bleeped, masked, masked_wave, merged, phrases, tone, unbleeped
from corpus.riff import RiffFile, RiffHeader
from tests.corpus.test_sphere import WAVEFORM

STRETCHES = st.lists(st.tuples(st.integers(-5, 60), st.integers(-5, 60)), max_size=5)


def covered(stretches: list[Pair] | tuple[Pair, ...], count: int) -> set[int]:
    return {at for first, last in stretches for at in range(max(0, first), min(last, count))}


@given(STRETCHES, st.integers(0, 50))
def test_merging_covers_the_same_samples_without_overlap(stretches: list[Pair], count: int) -> None:
    found = merged(stretches, count)
    assert covered(found, count) == covered(stretches, count)
    assert sum(last - first for first, last in found) == len(covered(found, count))
    assert merged(found, count) == found


@given(STRETCHES)
def test_only_what_is_masked_changes_and_the_tone_is_known_again(stretches: list[Pair]) -> None:
    sound = np.random.default_rng(3).integers(-9_000, 9_000, 50).astype(np.int16)
    placed = merged(stretches, 50)
    after = bleeped(sound, placed, 16_000)
    kept = [at for at in range(50) if at not in covered(placed, 50)]
    assert np.array_equal(after[kept], sound[kept])
    assert unbleeped(after, placed, 16_000) == ()
    long = tuple((first, last) for first, last in placed if last - first > 3)
    assert unbleeped(sound, long, 16_000) == long


def test_a_clipped_sample_where_the_tone_crosses_zero_is_told() -> None:
    sound = tone(400, 16_000)
    sound[0] = -32_768
    assert unbleeped(sound, ((0, 400),), 16_000) == ((0, 400),)


def test_a_stretch_in_another_channel_is_never_shorter() -> None:
    assert masking.at_rate([(3, 5)], 16_000, 8_000) == ((1, 3),)
    assert masking.at_rate([(1, 2)], 8_000, 44_100) == ((5, 12),)


def test_the_tone_is_heard_and_does_not_clip() -> None:
    made = tone(16_000, 16_000)
    assert 3_000 < int(np.abs(made).max()) <= masking.AMPLITUDE
    assert int(np.argmax(np.abs(np.fft.rfft(made.astype(float))))) == masking.TONE_HZ


def pcm(count: int = 400) -> bytes:
    return np.random.default_rng(1).integers(-9_000, 9_000, count).astype("<i2").tobytes()


def test_a_sphere_header_agrees_with_the_masked_samples_and_keeps_the_rest() -> None:
    before = sphere_file(WAVEFORM, pcm())
    data, placed = masked_wave(sphere.render(before), "w", [(50, 150)], 16_000)
    after = sphere.parse(data, "w")
    level = samples.levels(after.samples())
    assert placed == ((50, 150),)
    assert after.checksum() == after.header.get("sample_checksum")
    assert (level.minimum, level.maximum) == (after.header.get("sample_min"), after.header.get("sample_max"))
    changed = {name for name, value in after.header.fields if before.header.get(name) != value}
    assert changed <= {"sample_checksum", "sample_min", "sample_max"}
    assert [name for name, _ in after.header.fields] == [name for name, _ in before.header.fields]


def test_a_riff_file_is_masked_too() -> None:
    data, placed = masked_wave(riff.render(riff.pcm_file(pcm(), 8_000)), "w", [(50, 150)], 16_000)
    found = riff.parse(data, "w")
    assert placed == ((25, 75),)
    assert np.array_equal(found.samples()[25:75, 0], tone(50, 8_000))
    assert found.data[:50] == pcm()[:50]


def test_what_cannot_be_masked_is_refused() -> None:
    with pytest.raises(FormatFault, match="16-bit"):
        masked_wave(riff.render(RiffFile(RiffHeader(8_000, 2, 2, 100), pcm(200))), "w", [(1, 5)], 8_000)


@pytest.mark.parametrize(
    ("text", "public"),
    [
        ("i am {{ john smith }} please", "i am [masked] please"),
        ("{{ a }} b {{ c }}", "[masked] b [masked]"),
        ("(( i am {{ john )) smith }}", "(( i am [masked] ))"),
        ("{{ [tap/] john }} said [/tap]", "[masked] [tap/] said [/tap]"),
        ("{{ [cross_talk] }} so", "[masked] so"),
        ("nothing", "nothing"),
    ],
)
def test_words_that_identify_become_one_mark_and_other_stretches_stay_closed(text: str, public: str) -> None:
    found = masked(sro.parse(text, ""))
    assert sro.render(found).decode().strip() == public
    assert not [each for each in sro.check(public) if not each.advice]


def test_the_phrases_are_the_words_alone() -> None:
    assert phrases(sro.parse("{{ <jo:hn> [uh] *smith* }} a {{ [tap] }}", "")) == (("john", "smith"), ())
