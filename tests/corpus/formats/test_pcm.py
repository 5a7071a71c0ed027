import io

import numpy as np
import pytest
import soundfile

from corpus.formats.pcm import Levels, SampleCoding, checksum, decode, levels


@pytest.mark.parametrize(("coding", "subtype"), [(SampleCoding.ULAW, "ULAW"), (SampleCoding.ALAW, "ALAW")])
def test_companded_samples_are_those_of_libsndfile(coding: SampleCoding, subtype: str) -> None:
    every_code = bytes(range(256))
    expected, _ = soundfile.read(
        io.BytesIO(every_code), dtype="int16", format="RAW", subtype=subtype, samplerate=8000, channels=1
    )
    assert decode(every_code, coding, 1, 1, big_endian=False)[:, 0].tolist() == expected.tolist()


@pytest.mark.parametrize("width", [1, 2, 3, 4])
@pytest.mark.parametrize("big", [True, False])
def test_linear_samples_of_every_width_and_byte_order(width: int, big: bool) -> None:
    values = [0, 1, -1, 2 ** (8 * width - 1) - 1, -(2 ** (8 * width - 1)), 100]
    data = b"".join(value.to_bytes(width, "big" if big else "little", signed=True) for value in values)
    assert decode(data, SampleCoding.PCM, width, 2, big).tolist() == [values[0:2], values[2:4], values[4:6]]


def test_half_a_frame_is_refused() -> None:
    with pytest.raises(ValueError, match="no whole number of frames"):
        decode(b"\0\0\0", SampleCoding.PCM, 2, 1, big_endian=False)


def test_the_checksum_takes_samples_as_unsigned_words_modulo_65536() -> None:
    little = np.array([-1, 1, 300], "<i2")
    assert checksum(little.tobytes(), 2, big_endian=False) == 300
    assert checksum(little.astype(">i2").tobytes(), 2, big_endian=True) == 300
    assert checksum(np.array([-5], "<i2").tobytes(), 2, big_endian=False) == 65531
    assert checksum(b"\xff\x02", 1, big_endian=False) == 257


def test_levels_count_runs_at_full_scale_and_forgive_single_peaks() -> None:
    samples = np.array([0, 32767, 0, 32767, 32767, 32767, 32767, 5, -32768, -32768, -32768, -32767], np.int16)
    level = levels(samples[:, None])
    assert (level.minimum, level.maximum, level.clipped) == (-32768, 32767, 8)


def test_levels_of_nothing_and_of_a_constant() -> None:
    assert levels(np.zeros((0, 1), np.int16)) == Levels(0, 0, 0)
    assert levels(np.full((8, 2), -3, np.int16)).peak == 3
