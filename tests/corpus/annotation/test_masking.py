import io

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st

from corpus.annotation import masking
from corpus.annotation.masked_sound import AMPLITUDE, TONE_HZ, masked_wave, tone, unbleeped
from corpus.annotation.masking import Pair, masked, merged, phrases
from corpus.formats import pcm as samples
from corpus.formats import riff, sphere, sro, waveform
from corpus.formats.sphere_header import sphere_file
from tests.corpus.waveforms import WAVEFORM

RATE = 8_000
CODINGS = [
    *(("WAV", coding) for coding in ("PCM_U8", "PCM_16", "PCM_24", "PCM_32", "ULAW", "ALAW")),
    *(("NIST", coding) for coding in ("PCM_S8", "PCM_16", "ULAW", "ALAW")),
]
STRETCHES = st.lists(st.tuples(st.integers(-5, 60), st.integers(-5, 60)), max_size=5)


def stored(kind: str, coding: str, channels: int, count: int) -> bytes:
    """Noise as another program writes it."""
    out = io.BytesIO()
    noise = np.random.default_rng(3).uniform(-0.3, 0.3, (count, channels))
    soundfile.write(out, noise, RATE, format=kind, subtype=coding)
    return out.getvalue()


def covered(stretches: list[Pair] | tuple[Pair, ...], count: int) -> set[int]:
    return {at for first, last in stretches for at in range(max(0, first), min(last, count))}


@given(STRETCHES, st.integers(0, 50))
def test_merging_covers_the_same_samples_without_overlap(stretches: list[Pair], count: int) -> None:
    found = merged(stretches, count)
    assert covered(found, count) == covered(stretches, count)
    assert sum(last - first for first, last in found) == len(covered(found, count))
    assert merged(found, count) == found


@given(
    STRETCHES,
    st.sampled_from([("WAV", "PCM_16"), ("WAV", "ULAW"), ("NIST", "ULAW"), ("NIST", "PCM_16")]),
    st.integers(1, 3),
)
def test_only_what_is_masked_changes_and_the_tone_is_known_again(
    stretches: list[Pair], kind: tuple[str, str], channels: int
) -> None:
    before = stored(*kind, channels, 50)
    data, placed = masked_wave(before, "w", stretches, RATE)
    assert placed == merged(stretches, 50)
    old, new = (waveform.parse(content, "w") for content in (before, data))
    width = len(old.data) // 50
    kept = [at for at in range(50) if at not in covered(placed, 50)]
    assert [new.data[at * width : (at + 1) * width] for at in kept] == [
        old.data[at * width : (at + 1) * width] for at in kept
    ]
    assert unbleeped(new, placed) == ()
    long = tuple((first, last) for first, last in placed if last - first > 5)
    assert unbleeped(old, long) == long


def test_a_clipped_sample_where_the_tone_crosses_zero_is_told() -> None:
    sound = tone(400, 16_000)
    sound[0] = -32_768
    assert unbleeped(riff.pcm_file(sound.tobytes(), 16_000), ((0, 400),)) == ((0, 400),)


def test_a_channel_that_is_left_out_is_told() -> None:
    both = np.stack([tone(400, RATE), np.zeros(400, np.int16)], axis=1)
    assert unbleeped(riff.pcm_file(both.tobytes(), RATE, 2), ((0, 400),)) == ((0, 400),)


def test_a_stretch_in_another_channel_is_never_shorter() -> None:
    assert masking.at_rate([(3, 5)], 16_000, 8_000) == ((1, 3),)
    assert masking.at_rate([(1, 2)], 8_000, 44_100) == ((5, 12),)


def test_the_tone_is_heard_and_does_not_clip() -> None:
    made = tone(16_000, 16_000)
    assert 3_000 < int(np.abs(made).max()) <= AMPLITUDE
    assert int(np.argmax(np.abs(np.fft.rfft(made.astype(float))))) == TONE_HZ


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


@pytest.mark.parametrize("channels", [1, 2, 4])
@pytest.mark.parametrize("kind", CODINGS)
def test_every_coding_is_masked_in_all_channels_as_other_readers_hear_it(kind: tuple[str, str], channels: int) -> None:
    before = stored(*kind, channels, 800)
    data, placed = masked_wave(before, "w", [(100, 300), (500, 501)], RATE)
    assert len(data) == len(before)
    was, _ = soundfile.read(io.BytesIO(before), always_2d=True)
    heard, rate = soundfile.read(io.BytesIO(data), always_2d=True)
    info = soundfile.info(io.BytesIO(data))
    assert (rate, info.subtype, heard.shape) == (RATE, kind[1], (800, channels))
    assert unbleeped(waveform.parse(data, "w"), placed) == ()
    coarse = 1 / 100 if kind[1] in ("PCM_U8", "PCM_S8") else 1 / 400
    assert np.abs(heard[100:300] - tone(200, RATE)[:, None] / 32_768).max() < coarse
    outside = [*range(100), *range(300, 500), *range(501, 800)]
    assert np.array_equal(heard[outside], was[outside])


GOLDEN = "ffcec0bab6b5b6bac0ce"
"""The nearest codes of half a wave at 20 kHz: 0 1013 1926 2651 3117 3277 3117 2651 1926 1013."""


def test_the_tone_in_mu_law_is_coded_as_ever() -> None:
    silence = riff.render(riff.pcm_file(bytes(20), 20_000))
    coded = bytearray(silence[:44]) + b"\xff" * 10
    coded[20:22], coded[28:36], coded[40:44] = b"\x07\0", b"\x20\x4e\0\0\1\0\x08\0", (10).to_bytes(4, "little")
    data, _ = masked_wave(bytes(coded), "w", [(0, 10)], 20_000)
    assert data == bytes(coded[:44]) + bytes.fromhex(GOLDEN)


def test_of_a_header_of_another_site_only_the_figures_change() -> None:
    head = b"NIST_1A\n   2048\n; made at SRI; by hand\nsample_rate -r 8000.0\nsample_count -i 400\nchannel_count -i 1\n"
    head += (
        b"sample_n_bytes -s1 1\nsample_coding -s4 ulaw\nsample_max -i 9 ; guessed\nsample_checksum -s1 7\nend_head\n"
    )
    codes = np.random.default_rng(2).integers(0, 256, 400).astype(np.uint8).tobytes()
    data, _ = masked_wave(head.ljust(2048) + codes, "w", [(100, 200)], 8_000)
    after = sphere.parse(data, "w")
    spoken = bytes(after.data)
    assert spoken[:100] + spoken[200:] == codes[:100] + codes[200:]
    figures = b"sample_max -i %d ; guessed\nsample_checksum -i %d\n" % (after.samples().max(), after.checksum())
    assert data[:2048] == head.replace(b"sample_max -i 9 ; guessed\nsample_checksum -s1 7\n", figures).ljust(2048)


def test_a_header_without_room_grows_by_a_block() -> None:
    fields = b"sample_rate -i 8000\nsample_count -i 400\nchannel_count -i 1\nsample_n_bytes -i 2\nsample_max -i 9\n"
    head = b"NIST_1A\n   1024\n" + fields + b";".ljust(1024 - 16 - len(fields) - 10, b"x") + b"\nend_head\n"
    assert len(head) == 1024 + 0
    data, _ = masked_wave(head + pcm(400), "w", [(100, 200)], 8_000)
    after = sphere.parse(data, "w")
    assert (after.header.size, after.header.get("sample_max")) == (2048, int(after.samples().max()))
    assert unbleeped(after, ((100, 200),)) == ()


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
    assert not [finding for finding in sro.check(public) if not finding.advice]


def test_the_phrases_are_the_words_alone() -> None:
    assert phrases(sro.parse("{{ <jo:hn> [uh] *smith* }} a {{ [tap] }}", "")) == (("john", "smith"), ())
