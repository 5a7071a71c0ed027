"""espeak-ng as a program that may be missing, fail, hang, or write garbage or a gigabyte: sound, or one clear line."""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from operators.voice.espeak import Espeak
from session.hub.reply_voice import VoiceError
from session.protocol.messages import SPEECH_RATE
from tests.operators.voice.stand_in import program

with_espeak = pytest.mark.skipif(
    shutil.which("espeak-ng") is None, reason="espeak-ng is not installed (apt install espeak-ng)"
)


def state_of(pid: str) -> str:
    """The state of a process, empty where there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""


@with_espeak
def test_a_sentence_is_sound_at_the_rate_of_all_replies() -> None:
    sound = Espeak("en-us", 160).sound("United Airlines flight four fifty leaves at noon.")
    samples = np.frombuffer(sound.pcm, "<i2")
    assert 2 < len(samples) / SPEECH_RATE < 6
    assert 1_000 < np.abs(samples).max() <= 32_767
    assert sound.engine == "espeak-ng"
    assert sound.version.endswith("en-us 160")


@with_espeak
def test_what_looks_like_an_option_or_like_phonemes_is_read_out() -> None:
    assert len(Espeak().sound("-v --stdout").pcm) > SPEECH_RATE / 2
    assert len(Espeak().sound("[[ twelve").pcm) > SPEECH_RATE / 2


@with_espeak
@pytest.mark.parametrize("name", ["no-such-voice", "en-us+nobody"])
def test_a_voice_that_does_not_exist_is_named(name: str) -> None:
    with pytest.raises(VoiceError, match=re.escape(f"has no voice '{name}'")):
        Espeak(name)


@with_espeak
def test_a_variant_of_a_voice_is_a_voice() -> None:
    assert Espeak("en-us+f3").version.endswith("en-us+f3 160")


def test_a_missing_program_names_its_package() -> None:
    with pytest.raises(VoiceError, match="apt-get install espeak-ng"):
        Espeak(program="no-such-program-here")


def test_a_voice_s_name_is_no_path_and_no_option() -> None:
    for name in ("-w", "../x", "en us"):
        with pytest.raises(VoiceError, match="not a voice of espeak-ng"):
            Espeak(name)


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("echo 'no audio' >&2; exit 3", "failed with status 3: no audio"),
        ("exit 0", "made no file"),
        ("echo garbage > $wave", "no sound that can be read"),
        (": > $wave", "no sound that can be read"),
        ("head -c 100000000 /dev/zero > $wave", "failed with status|bytes of sound|no sound"),
        ("yes", "returned nothing within|failed with status"),
        ("exec sleep 30", "returned nothing within 0.3 s"),
    ],
)
def test_a_bad_engine_is_one_line(tmp_path: Path, script: str, complaint: str) -> None:
    patience = (
        0.3 if "returned nothing" in complaint else 20.0
    )  # one that fails on a busy machine is not to be taken for late
    voice = Espeak(seconds=patience, program=program(tmp_path, script))
    with pytest.raises(VoiceError, match=complaint) as raised:
        voice.sound("Hello.")
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 500


def test_what_a_bad_engine_has_started_ends_with_it(tmp_path: Path) -> None:
    voice = Espeak(seconds=0.3, program=program(tmp_path, 'yes & echo $! > "$0.child"; exec sleep 30'))
    with pytest.raises(VoiceError, match=r"returned nothing within 0\.3 s"):
        voice.sound("Hello.")
    child = state_of((tmp_path / "espeak-ng.child").read_text().strip())
    assert child in ("", "Z", "X"), "it would fill the disk"


def test_a_program_that_is_something_else_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(VoiceError, match="does not say which release"):
        Espeak(program=program(tmp_path, "exit 0", version=""))
