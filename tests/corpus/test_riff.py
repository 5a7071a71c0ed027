import contextlib
import io

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st

from corpus import riff
from corpus.faults import FormatFault
from corpus.samples import Coding

PCM = np.arange(-50, 50, dtype="<i2").tobytes()


@given(st.binary(max_size=64), st.integers(1, 3), st.integers(1, 96_000))
def test_what_is_rendered_is_parsed_back(data: bytes, channels: int, rate: int) -> None:
    whole = data[: len(data) - len(data) % (2 * channels)]
    file = riff.pcm_file(whole, rate, channels)
    assert riff.parse(riff.render(file), "x.wav") == file


def test_libsndfile_reads_what_is_written() -> None:
    read, rate = soundfile.read(io.BytesIO(riff.render(riff.pcm_file(PCM, 8000))), dtype="int16")
    assert (read.tobytes(), rate) == (PCM, 8000)


@pytest.mark.parametrize("subtype", ["PCM_U8", "PCM_16", "PCM_24", "PCM_32", "ULAW", "ALAW"])
@pytest.mark.parametrize("container", ["WAV", "WAVEX"])
def test_files_written_by_libsndfile_are_read_alike(subtype: str, container: str) -> None:
    buffer = io.BytesIO()
    stereo = np.random.default_rng(1).integers(-30000, 30000, (51, 2)).astype("int16")
    soundfile.write(buffer, stereo, 16000, format=container, subtype=subtype)
    file = riff.parse(buffer.getvalue(), "x.wav")
    expected, _ = soundfile.read(io.BytesIO(buffer.getvalue()), dtype="int32", always_2d=True)
    width = 8 if subtype == "PCM_U8" else 16 if file.header.coding is not Coding.PCM else int(subtype[4:])
    assert file.samples().tolist() == (expected >> (32 - width)).tolist()
    assert file.header.sample_count == 51


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"NIST_1A\n   1024\n", "no RIFF waveform"),
        (b"RIFF\x04\0\0\0WAVE", "no data chunk"),
        (b"RIFF\x10\0\0\0WAVEdata\x02\0\0\0ab", "no fmt chunk"),
        (b"RIFF\x10\0\0\0WAVEfmt \x04\0\0\0abcd", "fmt chunk is cut off"),
        (riff.render(riff.pcm_file(PCM, 8000)).replace(b"fmt \x10\0\0\0\x01\0", b"fmt \x10\0\0\0\x55\0"), "code 85"),
        (riff.render(riff.pcm_file(PCM, 8000)).replace(b"data\xc8\0\0\0", b"data\xff\xff\xff\xff"), "never written"),
    ],
)
def test_damaged_files_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(FormatFault, match=message):
        riff.parse(data, "x.wav")


def test_half_a_sample_is_not_written() -> None:
    with pytest.raises(ValueError, match="no whole number of frames"):
        riff.pcm_file(b"abc", 8000)


@given(st.binary(max_size=120))
def test_garbage_gives_a_clear_refusal_or_a_file(data: bytes) -> None:
    with contextlib.suppress(FormatFault):
        assert riff.parse(b"RIFF\0\0\0\0WAVE" + data, "x.wav").header.sample_rate > 0
