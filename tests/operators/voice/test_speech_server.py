"""A speech server that answers as it should, and servers that do not: sound, or one clear line within the time."""

import http.server
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec
import numpy as np
import pytest

from operators.voice import speech_server, waveform
from operators.voice.speech_server import SpeechServer
from session.hub.voice import VoiceError
from session.protocol.messages import SPEECH_RATE
from session.study.settings import Voice
from session.values.vocabulary import VoiceEngine
from tests.operators.voice.recording import silence_free_wave

Answer = Callable[[http.server.BaseHTTPRequestHandler], None]


def sent(body: bytes, status: int = 200, **headers: str) -> Answer:
    def answer(handler: http.server.BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    return answer


@contextmanager
def serving(
    answer: Answer, seconds: float = 5.0, **keys: object
) -> Iterator[tuple[SpeechServer, list[dict[str, object]]]]:
    """A server on this machine that answers so, a voice that asks it, and what it was asked."""
    asked: list[dict[str, object]] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(msgspec.json.decode(self.rfile.read(int(self.headers["Content-Length"]))))
            asked[-1]["authorization"] = self.headers.get("Authorization")
            answer(self)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    url = f"http://127.0.0.1:{server.server_address[1]}/v1/audio/speech"
    try:
        voice = Voice(engine=VoiceEngine.SERVER, url=url, seconds=seconds, **keys)  # type: ignore[arg-type]
        yield SpeechServer(voice, {"KEY": " secret "}), asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_a_text_goes_there_and_sound_comes_back() -> None:
    with serving(sent(silence_free_wave(0.5, 24_000)), model="m", name="nova", key="KEY", speed=200) as (voice, asked):
        sound = voice.sound("Good day.")
    assert len(sound.pcm) == SPEECH_RATE
    assert asked == [
        {
            "model": "m",
            "input": "Good day.",
            "voice": "nova",
            "response_format": "wav",
            "speed": 1.25,
            "authorization": "Bearer secret",
        }
    ]
    assert "secret" not in sound.version


def test_a_stream_that_tells_no_length_is_sound_too() -> None:
    wave = bytearray(silence_free_wave(0.5))
    wave[4:8] = wave[40:44] = b"\xff\xff\xff\xff"
    with serving(sent(bytes(wave))) as (voice, _):
        assert len(voice.sound("Good day.").pcm) == SPEECH_RATE


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (sent(b"no", 500), "refused with HTTP status 500"),
        (sent(b"", 302, Location="http://127.0.0.1:1/"), "refused with HTTP status 302"),
        (sent(b"<html>not sound</html>"), "no sound that can be read"),
        (sent(b""), "no sound that can be read"),
        (sent(silence_free_wave()[:44]), "silence"),
        (lambda handler: handler.connection.close(), "cannot be reached|did not answer|no sound"),
    ],
)
def test_a_bad_answer_is_one_line(answer: Answer, complaint: str) -> None:
    with serving(answer) as (voice, _), pytest.raises(VoiceError, match=complaint) as raised:
        voice.sound("Good day.")
    assert "\n" not in str(raised.value)


def test_more_than_anybody_says_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speech_server, "MOST_BYTES", 1000)
    with serving(sent(b"x" * 5000)) as (voice, _), pytest.raises(VoiceError, match="gave more than 1,000 bytes"):
        voice.sound("Good day.")


def test_a_server_that_drips_is_left_when_the_time_is_over() -> None:
    over = threading.Event()

    def drip(handler: http.server.BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        over.wait(10)

    with serving(drip, seconds=0.2) as (voice, _):
        with pytest.raises(VoiceError, match=r"gave nothing within 0.2 s"):
            voice.sound("Good day.")
        over.set()


def test_nobody_there_says_how_to_go_on() -> None:
    voice = SpeechServer(Voice(engine=VoiceEngine.SERVER, url="http://127.0.0.1:1/v1/audio/speech"), {})
    with pytest.raises(VoiceError, match=r"cannot be reached.*start it, or choose another"):
        voice.sound("Good day.")


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
    samples = np.frombuffer(waveform.played(silence_free_wave(1.0, rate), "a test"), "<i2").astype(float)
    assert abs(len(samples) - SPEECH_RATE) <= 1
    spectrum = np.abs(np.fft.rfft(samples[:SPEECH_RATE] * np.hanning(len(samples[:SPEECH_RATE]))))
    assert abs(int(spectrum.argmax()) * SPEECH_RATE / len(samples[:SPEECH_RATE]) - 440) <= 1
    assert abs(np.abs(samples[2000:-2000]).max() / 32_767 - 0.5) < 0.02


def test_a_sound_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waveform, "LONGEST_SPEECH_S", 1)
    with pytest.raises(VoiceError, match="more than 1 s"):
        waveform.played(silence_free_wave(1.1), "a test")
