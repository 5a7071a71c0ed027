import contextlib
import io
import struct

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st

from corpus.formats import riff
from corpus.formats.errors import FormatFault
from corpus.formats.pcm import SampleCoding

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
    width = 8 if subtype == "PCM_U8" else 16 if file.header.coding is not SampleCoding.PCM else int(subtype[4:])
    assert file.samples().tolist() == (expected >> (32 - width)).tolist()
    assert file.header.sample_count == 51


def form(frame: int, bits: int, code: int = 1, channels: int = 1) -> bytes:
    """A fmt chunk that puts samples of `bits` into frames of `frame` bytes."""
    return b"fmt \x10\0\0\0" + struct.pack("<HHIIHH", code, channels, 8000, 8000 * frame, frame, bits)


def with_form(chunk: bytes) -> bytes:
    whole = riff.render(riff.pcm_file(PCM, 8000))
    return whole[:12] + chunk + whole[36:]


@pytest.mark.parametrize(("frame", "bits", "width"), [(2, 12, 2), (4, 24, 4), (3, 20, 3), (4, 32, 4)])
def test_a_sample_fills_the_word_in_which_it_lies(frame: int, bits: int, width: int) -> None:
    file = riff.parse(with_form(form(frame, bits)), "x.wav")
    assert file.header.sample_n_bytes == width
    assert file.samples().shape == (len(PCM) // width, 1)


def test_what_no_header_can_say_is_not_written() -> None:
    for header in (riff.RiffHeader(8000, 40_000, 2, 0), riff.RiffHeader(1 << 31, 1, 2, 0)):
        with pytest.raises(ValueError, match="RIFF cannot hold"):
            riff.render(riff.RiffFile(header, b""))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"NIST_1A\n   1024\n", "no RIFF waveform"),
        (b"RIFF\x04\0\0\0WAVE", "no data chunk"),
        (b"RIFF\x10\0\0\0WAVEdata\x02\0\0\0ab", "no fmt chunk"),
        (b"RIFF\x10\0\0\0WAVEfmt \x04\0\0\0abcd", "fmt chunk is cut off"),
        (riff.render(riff.pcm_file(PCM, 8000)).replace(b"fmt \x10\0\0\0\x01\0", b"fmt \x10\0\0\0\x55\0"), "code 85"),
        (with_form(form(2, 16, code=7)), "1 channels of 16 bits in 2 bytes"),
        (with_form(form(3, 16, channels=2)), "2 channels of 16 bits in 3 bytes"),
        (with_form(form(1, 16)), "1 channels of 16 bits in 1 bytes"),
        (with_form(form(0, 16, channels=0)), "0 channels"),
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
