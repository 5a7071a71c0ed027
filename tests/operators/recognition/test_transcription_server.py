"""A recogniser elsewhere: whatever it does, late, large or hostile, ends in hypotheses or in one line."""

import io
import json
import wave

import pytest

from operators.recognition.knowledge import Sources
from operators.recognition.recogniser import EngineTroubleError, MissingEngineError
from operators.recognition.recognisers import KEY, recogniser
from operators.recognition.transcription_server import LONGEST_REPLY, ServerRecogniser, transcription_server
from session.values.hypotheses import Hypothesis, WordTime
from session.values.vocabulary import OperatorTrouble
from tests.fake_server import FakeServer, Handler, Reply

SOUND = bytes(range(200)) * 16


def heard(fake_server: FakeServer, seconds: float = 5.0) -> tuple[Hypothesis, ...]:
    listening = ServerRecogniser(transcription_server(fake_server.url, seconds, "", {}), "tiny").begin(16_000)
    listening.hear(SOUND[:100])
    listening.hear(SOUND[100:])
    return listening.finish()


def test_the_whole_utterance_goes_there_as_a_wave_file_and_words_come_back_with_their_times(
    fake_server: FakeServer,
) -> None:
    words = [{"word": "show", "start": 0.1, "end": 0.4}, {"word": "me", "start": 0.4, "end": 0.5}]
    fake_server.reply = lambda handler: handler.give(
        json.dumps({"text": " show me ", "words": words, "task": "x"}).encode()
    )
    assert heard(fake_server) == (Hypothesis("show me", None, (WordTime("show", 0.1, 0.4), WordTime("me", 0.4, 0.5))),)
    [(path, headers, body)] = fake_server.asked
    assert path == "/v1/asked"
    assert "Authorization" not in headers
    sent = body[body.index(b"RIFF") : body.rindex(b"\r\n--")]
    with wave.open(io.BytesIO(sent)) as file:
        assert (file.getframerate(), file.readframes(10_000)) == (16_000, SOUND)
    assert b'name="model"\r\n\r\ntiny\r\n' in body


def _gigabyte(handler: Handler) -> None:
    handler.give(b" " * (LONGEST_REPLY + 2), length=1_000_000_000)


def _never(handler: Handler) -> None:
    handler.server.release.wait(30)


@pytest.mark.parametrize(
    ("reply", "trouble", "line"),
    [
        (lambda handler: handler.give(b"\x00\xff{"), OperatorTrouble.GARBAGE, "did not answer with a transcription"),
        (lambda handler: handler.give(b'{"text": 7}'), OperatorTrouble.GARBAGE, "did not answer with a transcription"),
        (
            lambda handler: handler.give(json.dumps({"text": "x" * 9000}).encode()),
            OperatorTrouble.GARBAGE,
            "did not answer",
        ),
        (_gigabyte, OperatorTrouble.GARBAGE, "returned more than 1,000,000 bytes"),
        (_never, OperatorTrouble.LATE, "returned nothing within 0.3 s"),
        (lambda handler: handler.give(b"", 503), OperatorTrouble.ERROR, "refused with HTTP status 503"),
        (lambda handler: handler.give(b"", 307, to="http://127.0.0.1:1/"), OperatorTrouble.ERROR, "HTTP status 307"),
        (lambda handler: handler.give(b"{", length=900), OperatorTrouble.GARBAGE, "did not answer with"),
    ],
)
def test_whatever_goes_wrong_there_is_one_line_here(
    fake_server: FakeServer, reply: Reply, trouble: OperatorTrouble, line: str
) -> None:
    fake_server.reply = reply
    with pytest.raises(EngineTroubleError, match=line) as caught:
        heard(fake_server, 0.3 if trouble is OperatorTrouble.LATE else 20.0)
    assert caught.value.trouble is trouble
    assert "\n" not in caught.value.detail


def test_silence_is_no_hypothesis_and_no_sound_no_request(fake_server: FakeServer) -> None:
    fake_server.reply = lambda handler: handler.give(b'{"text": "  "}')
    assert heard(fake_server) == ()
    assert ServerRecogniser(transcription_server(fake_server.url, 1, "", {})).begin(16_000).finish() == ()
    assert len(fake_server.asked) == 1


def test_a_server_that_is_not_there_has_died() -> None:
    gone = FakeServer()
    gone.server_close()
    with pytest.raises(EngineTroubleError, match=r"cannot be reached: .*refused"):
        heard(gone)


def test_a_key_comes_from_the_environment_and_goes_over_a_safe_way_only(fake_server: FakeServer) -> None:
    made = recogniser(fake_server.url + "#large", Sources, None, {KEY: " secret "})  # type: ignore[arg-type]  # it keeps nothing
    assert (made.name, made.version) == (f"127.0.0.1:{fake_server.server_port}", "large")
    fake_server.reply = lambda handler: handler.give(b'{"text": "Show me flights."}')
    listening = made.begin(16_000)
    listening.hear(SOUND)
    listening.finish()
    assert fake_server.asked[0][1]["Authorization"] == "Bearer secret"
    assert "secret" not in repr(made.__dict__)
    with pytest.raises(MissingEngineError, match="a key goes over https only"):
        transcription_server("http://example.org/v1", 1, "K", {"K": "secret"})
    with pytest.raises(MissingEngineError, match="set it to the key"):
        transcription_server("https://example.org/v1", 1, "K", {})
