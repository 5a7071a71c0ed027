import io
import random
import shutil
import subprocess
from datetime import UTC, datetime

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st

from corpus.formats import sphere
from corpus.formats.errors import FormatFault
from corpus.formats.sphere import SphereFile, SphereHeader
from corpus.formats.sphere_header import date_text, header_text, identity, sphere_file, time_text
from tests import ROOT
from tests.corpus.waveforms import WAVEFORM

GOLDEN = ROOT / "tests" / "golden" / "corpus"
PCM = ((np.arange(800) * 7919 % 24001) - 12000).astype("<i2").tobytes()
NAMES = st.from_regex(r"[a-z][a-z0-9]{0,8}(_[a-z0-9]{1,8}){0,3}", fullmatch=True).filter(
    lambda name: name != "end_head" and not name.startswith("sample") and name != "channel_count"
)
STRINGS = st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1).filter(
    lambda text: "end_head" not in text
)
VALUES = STRINGS | st.integers(1 - 10**18, 10**18 - 1) | st.floats(allow_nan=False, allow_infinity=False)
NEEDED = (("sample_count", 1), ("sample_n_bytes", 2), ("channel_count", 1), ("sample_rate", 16000))


def test_the_golden_file_has_the_bytes_that_are_written() -> None:
    assert sphere.render(sphere_file(WAVEFORM, PCM)) == (GOLDEN / "8k8011ss.wav").read_bytes()


@given(st.dictionaries(NAMES, VALUES, max_size=12), st.binary(max_size=8))
def test_what_is_rendered_is_parsed_back(extra: dict[str, str | int | float], data: bytes) -> None:
    file = SphereFile(sphere.fitting(NEEDED + tuple(extra.items())), data)
    if data.startswith(b"ajkg"):
        return
    again = sphere.parse(sphere.render(file), "x.wav")
    assert again == file
    assert again.header.size % 1024 == 0


def test_libsndfile_reads_the_samples_bit_by_bit() -> None:
    read, rate = soundfile.read(io.BytesIO(sphere.render(sphere_file(WAVEFORM, PCM))), dtype="int16")
    assert rate == 16000
    assert read.tobytes() == PCM


@pytest.mark.parametrize(
    "command",
    [
        ["sox", "-t", "nist", "-", "-t", "raw", "-"],
        ["ffmpeg", "-v", "error", "-f", "nistsphere", "-i", "-", "-f", "s16le", "-"],
    ],
    ids=["sox", "ffmpeg"],
)
def test_other_programs_read_the_samples_bit_by_bit(command: list[str]) -> None:
    if not shutil.which(command[0]):
        pytest.skip(f"{command[0]} is not installed")
    data = sphere.render(sphere_file(WAVEFORM, PCM))
    assert subprocess.run(command, input=data, capture_output=True, check=True, timeout=30).stdout == PCM


@pytest.mark.parametrize("subtype", ["PCM_S8", "PCM_16", "PCM_24", "PCM_32", "ULAW", "ALAW"])
@pytest.mark.parametrize("endian", ["LITTLE", "BIG"])
def test_files_written_by_libsndfile_are_read_alike(subtype: str, endian: str) -> None:
    buffer = io.BytesIO()
    stereo = np.random.default_rng(1).integers(-30000, 30000, (50, 2)).astype("int16")
    soundfile.write(buffer, stereo, 16000, format="NIST", subtype=subtype, endian=endian)
    file = sphere.parse(buffer.getvalue(), "x.wav")
    expected, _ = soundfile.read(io.BytesIO(buffer.getvalue()), dtype="int32", always_2d=True)
    bits = {"PCM_S8": 8, "PCM_24": 24, "PCM_32": 32}.get(subtype, 16)
    assert file.samples().tolist() == (expected >> 32 - bits).tolist()


def test_only_the_byte_order_may_be_longer_or_shorter_than_announced() -> None:
    for field in (b"sample_byte_format -s3 01", b"sample_byte_format -s4 10"):
        assert sphere.parse(header_with(field)[:1024], "x.wav").header.as_text("sample_byte_format") in ("01", "10")
    for field in (b"sample_byte_format -s3 11", b"sample_byte_format -s9 01", b"sample_coding -s4 pcm"):
        with pytest.raises(FormatFault, match="bytes is announced"):
            sphere.parse(header_with(field)[:1024], "x.wav")


def test_a_large_header_with_comments_and_no_coding_is_read() -> None:
    lines = (
        b"NIST_1A\n   2048\n; from the archive\nsample_rate -i 16000 ; Hz\nsample_count -i 2\nsample_n_bytes -i 2\n"
        b"channel_count -i 1\nsample_byte_format -s2 10\nnote -s14 semi;colon; ok\nend_head\njunk"
    )
    file = sphere.parse(lines.ljust(2048, b"\0") + b"\x01\x00\xff\xfe", "x.wav")
    assert file.samples()[:, 0].tolist() == [256, -2]
    assert (file.header.size, file.header.text("note")) == (2048, "semi;colon; ok")
    assert file.checksum() == (256 + 0xFFFE) & 0xFFFF


@pytest.mark.parametrize(
    ("field", "order"),
    [
        (b"sample_byte_format   -s2 10", ">"),
        (b"sample_byte_format -i 10", ">"),
        (b"sample_byte_format -i 01", "<"),
        (b"sample_byte_format -s4  10 ", ">"),
        (b"sample_coding -s3 PCM", "<"),
        (b"sample_coding\t-s3\tpcm\t; TI", "<"),
        (b"sample_min -i   -32768   ", "<"),
        (b"sample_byte_format -s2 10;as on the tape", ">"),
        (b"sample_byte_format -i 10;as on the tape", ">"),
    ],
)
def test_fields_are_read_however_they_were_spaced_and_spelled(field: bytes, order: str) -> None:
    header = header_with(field).replace(b"-i 8000", b"-r 8000.0")[:1024]
    file = sphere.parse(header + b"\x01\x00", "x.wav")
    assert file.samples().tolist() == [[{"<": 1, ">": 256}[order]]]
    assert file.header.number("sample_rate") == 8000


def test_what_stands_behind_the_end_of_a_header_is_padding() -> None:
    whole = sphere.render(sphere_file(WAVEFORM, PCM))
    for padding in (b"\0\0", b"  ", b"\0\nnot -q a field"):
        assert sphere.parse(whole.replace(b"end_head\n", b"end_head" + padding, 1)[:1024], "x.wav").header.fields


def test_only_the_header_is_read_when_only_the_header_is_wanted() -> None:
    file = io.BytesIO(sphere.render(sphere_file(WAVEFORM, PCM)))
    header = sphere.read_header(file, "x.wav")
    assert header.number("sample_count") == 800
    assert file.tell() == 1024


def test_the_header_says_what_the_field_expects() -> None:
    header = sphere_file(WAVEFORM, PCM).header
    assert identity(header) == ("8k8011ss", "8k8", "1", "01")
    assert header.text("recording_time") == "12:14:16.00"
    assert header.number("sample_checksum") == int(np.frombuffer(PCM, "<u2").sum() & 0xFFFF)
    assert header.number("sample_max") == int(np.frombuffer(PCM, "<i2").max())
    rendered = sphere.render_header(header)
    assert rendered.index(b"end_head\n") < 1024
    assert b"end_head\n" + b"\n" * 24 + b" " in rendered


def test_dates_do_not_depend_on_the_locale_and_hundredths_are_cut() -> None:
    moment = datetime(2026, 3, 4, 5, 6, 7, 999_999, UTC)
    assert (date_text(moment), time_text(moment)) == ("04-Mar-2026", "05:06:07.99")


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_is_made_fit_for_a_header(text: str) -> None:
    fit = header_text(text)
    if fit:
        field = (("microphone", fit),)
        assert sphere.parse_header(sphere.render_header(SphereHeader(NEEDED + field)), "x").text("microphone") == fit


def header_with(*lines: bytes) -> bytes:
    needed = b"sample_count -i 1\nsample_n_bytes -i 2\nchannel_count -i 1\nsample_rate -i 8000\n"
    return (b"NIST_1A\n   1024\n" + needed + b"".join(line + b"\n" for line in lines) + b"end_head\n").ljust(1024)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"RIFF....", r"x\.wav:1: neither a SPHERE nor a RIFF file"),
        (b"RF64\xff\xff\xff\xffWAVE", "a file of the format RF64; convert it"),
        (b"fLaC", "a file of the format FLAC"),
        (b"NIST_1A\r\n   1024", "CRLF"),
        (b"NIST_1A\n   1000\n", "header size is 1000"),
        (b"NIST_1A\n   +024\n", "header size is"),
        (b"NIST_1A\n   1024\nsample_count", "the header ends after"),
        (header_with(b""), r"x\.wav:7: a blank line before end_head"),
        (header_with(b"site -s3 BBN\r"), r"x\.wav:7: line ends were converted to CRLF"),
        (header_with(b"a -i " + b"9" * 5000).ljust(8192).replace(b"   1024", b"   8192"), "a is '999"),
        (header_with(b"sample_byte_format -s2 xx"), "sample_byte_format 'xx' with samples of 2 bytes; write 01"),
        (header_with(b"sample_byte_format -s1 1"), "sample_byte_format '1' with samples of 2 bytes"),
        (
            header_with(b"channels_interleaved -s5 FALSE").replace(b"count -i 1\nsample_r", b"count -i 2\nsample_r"),
            "one after",
        ),
        (header_with().replace(b"sample_rate -i 8000", b"sample_rate -r 8000.5"), "sample_rate is 8000.5"),
        (header_with(b" site -s3 BBN"), "not a field"),
        (header_with(b"site -s4 BBN"), r"x\.wav:7: a string of 4 bytes"),
        (header_with(b"site -s0 "), "a string of 0 bytes"),
        (header_with(b"site -s2 BBN"), "a string of 2 bytes"),
        (header_with(b"sample_min -i +4"), "sample_min is '\\+4'"),
        (header_with(b"gain -r one"), "gain is 'one'"),
        (header_with(b"gain -r inf"), "gain is 'inf'"),
        (header_with(b"gain -r 1 2"), "after the value"),
        (header_with(b"_x -i 1"), "not a field"),
        (header_with(b"sample_rate -i 9"), "occurs twice"),
        (header_with(b"sample_coding -s26 pcm,embedded-shorten-v2.00"), "compressed with shorten; .*sph2pipe"),
        (header_with() + b"ajkg\x02", "compressed with shorten"),
        (header_with(b"sample_coding -s4 mp3x"), "sample_coding 'mp3x'"),
        (header_with(b"sample_coding -s4 ulaw"), "sample_coding 'ulaw' with samples of 2 bytes"),
        (header_with().replace(b"end_head", b"end-head"), "not a field"),
        (header_with().replace(b"sample_rate", b"sample_gate"), "no sample_rate"),
        (header_with().replace(b"channel_count -i 1", b"channel_count -i 0"), "channel_count is 0"),
        (header_with().replace(b"n_bytes -i 2", b"n_bytes -i 9"), "samples of 9 bytes"),
    ],
)
def test_damaged_files_are_refused_at_the_line(data: bytes, message: str) -> None:
    with pytest.raises(FormatFault, match=message):
        sphere.parse(data, "x.wav")


@pytest.mark.parametrize(
    "fields",
    [
        (("site", ""),),
        (("site", "two\nlines"),),
        (("site", "an end_head inside"),),
        (("end_head", 1),),
        (("1st", 1),),
        (("gain", float("nan")),),
        (("gain", True),),
        (("count", 10**18),),
        (("a", 1), ("a", 2)),
        (("site", "x" * 2000),),
    ],
)
def test_fields_that_sphere_cannot_hold_are_not_written(fields: tuple[tuple[str, sphere.Value], ...]) -> None:
    with pytest.raises(ValueError):
        sphere.render_header(SphereHeader(fields))


@given(st.binary(max_size=200))
def test_garbage_gives_a_clear_refusal_and_nothing_else(data: bytes) -> None:
    with pytest.raises(FormatFault):
        sphere.parse(b"NIST_1A\n   1024\n" + data.ljust(1008, b"\n"), "x.wav")


@pytest.mark.parametrize("seed", range(3))
def test_a_header_is_judged_as_it_is_line_by_line(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A header without a fault is read at once, any other line by line: both give the same fields, place and words."""

    def judged(data: bytes) -> tuple[str, object]:
        try:
            return "read", sphere.parse_header(data, "x.wav")
        except FormatFault as fault:
            return str(fault), (fault.line, fault.found, fault.remedy)

    draw = random.Random(seed)
    golden = (GOLDEN / "8k8011ss.wav").read_bytes()[:1024]
    lines = golden[16:].split(b"\n")
    changed = [golden]
    for _ in range(150):
        some = list(lines)
        for _ in range(draw.randrange(1, 3)):
            place = draw.randrange(24)
            some[place] = draw.choice(
                (b"", b"; a remark", some[place] + b" ", some[place] + b"\r", b"end_head \t", lines[-2])
            )
            some.insert(
                draw.randrange(24),
                draw.choice((lines[draw.randrange(22)], b"x -i 5", b"x -i five", b"sample_rate -s2 16")),
            )
        changed.append(golden[:16] + b"\n".join(some)[:1008].ljust(1008))
    at_once = [judged(data) for data in changed]
    assert len({message for message, _ in at_once}) > 10
    monkeypatch.setattr(sphere, "_plainly", lambda data, size: None)
    assert [judged(data) for data in changed] == at_once
