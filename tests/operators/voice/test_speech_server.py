"""A speech server that answers as it should, and servers that do not: sound, or one clear line within the time."""

from typing import Any

import numpy as np
import pytest

from operators.voice import reply_sound, speech_server
from operators.voice.speech_server import SpeechServer
from session.hub.reply_voice import VoiceError
from session.protocol.messages import SPEECH_RATE
from session.study.settings import Voice
from session.values.vocabulary import VoiceEngine
from tests.fake_server import FakeServer, Handler, Reply
from tests.operators.voice.recording import silence_free_wave


def voice(server: FakeServer, seconds: float = 5.0, **keys: Any) -> SpeechServer:
    made = Voice(engine=VoiceEngine.SERVER, url=server.url, seconds=seconds, **keys)
    return SpeechServer(made, {"KEY": " secret "})


def test_a_text_goes_there_and_sound_comes_back(fake_server: FakeServer) -> None:
    fake_server.reply = lambda handler: handler.give(silence_free_wave(0.5, 24_000))
    sound = voice(fake_server, model="m", name="nova", key="KEY", speed=200).sound("Good day.")
    assert len(sound.pcm) == SPEECH_RATE
    assert fake_server.bodies == [
        {"model": "m", "input": "Good day.", "voice": "nova", "response_format": "wav", "speed": 1.25}
    ]
    assert fake_server.asked[0][1]["Authorization"] == "Bearer secret"
    assert "secret" not in sound.version


def test_a_stream_that_tells_no_length_is_sound_too(fake_server: FakeServer) -> None:
    wave = bytearray(silence_free_wave(0.5))
    wave[4:8] = wave[40:44] = b"\xff\xff\xff\xff"
    fake_server.reply = lambda handler: handler.give(bytes(wave))
    assert len(voice(fake_server).sound("Good day.").pcm) == SPEECH_RATE


@pytest.mark.parametrize(
    ("reply", "complaint"),
    [
        (lambda handler: handler.give(b"no", 500), "refused with HTTP status 500"),
        (lambda handler: handler.give(b"", 302, to="http://127.0.0.1:1/"), "refused with HTTP status 302"),
        (lambda handler: handler.give(b"<html>not sound</html>"), "no sound that can be read"),
        (lambda handler: handler.give(b""), "no sound that can be read"),
        (lambda handler: handler.give(silence_free_wave()[:44]), "silence"),
        (lambda handler: handler.connection.close(), "cannot be reached|did not answer|no sound"),
    ],
)
def test_a_bad_answer_is_one_line(fake_server: FakeServer, reply: Reply, complaint: str) -> None:
    fake_server.reply = reply
    with pytest.raises(VoiceError, match=complaint) as raised:
        voice(fake_server).sound("Good day.")
    assert "\n" not in str(raised.value)


def test_more_than_anybody_says_is_not_read(fake_server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speech_server, "MOST_BYTES", 1000)
    fake_server.reply = lambda handler: handler.give(b"x" * 5000)
    with pytest.raises(VoiceError, match="returned more than 1,000 bytes"):
        voice(fake_server).sound("Good day.")


def test_a_server_that_drips_is_left_when_the_time_is_over(fake_server: FakeServer) -> None:
    fake_server.reply = Handler.drip
    with pytest.raises(VoiceError, match=r"returned nothing within 0.2 s"):
        voice(fake_server, seconds=0.2).sound("Good day.")


def test_nobody_there_says_how_to_go_on() -> None:
    nobody = SpeechServer(Voice(engine=VoiceEngine.SERVER, url="http://127.0.0.1:1/v1/audio/speech"), {})
    with pytest.raises(VoiceError, match=r"cannot be reached.*start it, or choose another"):
        nobody.sound("Good day.")


@pytest.mark.parametrize(
    ("keys", "complaint"),
    [
        ({"url": "ftp://here/x"}, "http:// or https://"),
        ({"url": "http://me:pass@here/x"}, "without a password"),
        ({"url": "http://far.example/x", "key": "KEY"}, "https only"),
        ({"url": "https://far.example/x", "key": "NONE"}, "no environment variable"),
    ],
)
def test_a_profile_that_cannot_reach_a_server_is_refused(keys: dict[str, str], complaint: str) -> None:
    with pytest.raises(VoiceError, match=complaint):
        SpeechServer(Voice(engine=VoiceEngine.SERVER, **keys), {"KEY": "k"})  # type: ignore[arg-type]


@pytest.mark.parametrize("rate", [8_000, 11_025, 16_000, 22_050, 44_100, 48_000])
def test_a_tone_keeps_its_pitch_and_length_at_whatever_rate_it_came(rate: int) -> None:
    samples = np.frombuffer(reply_sound.played(silence_free_wave(1.0, rate), "a test"), "<i2").astype(float)
    assert abs(len(samples) - SPEECH_RATE) <= 1
    spectrum = np.abs(np.fft.rfft(samples[:SPEECH_RATE] * np.hanning(len(samples[:SPEECH_RATE]))))
    assert abs(int(spectrum.argmax()) * SPEECH_RATE / len(samples[:SPEECH_RATE]) - 440) <= 1
    assert abs(np.abs(samples[2000:-2000]).max() / 32_767 - 0.5) < 0.02


def test_a_sound_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reply_sound, "LONGEST_SPEECH_S", 1)
    with pytest.raises(VoiceError, match="more than 1 s"):
        reply_sound.played(silence_free_wave(1.1), "a test")
