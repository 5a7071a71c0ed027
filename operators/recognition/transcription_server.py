"""A recogniser behind any server that speaks OpenAI's `/v1/audio/transcriptions`, as local whisper servers do.

The whole utterance goes there as a RIFF file when it has ended; there are no partial hypotheses. What comes back is text from a
stranger: waited for until a deadline, read up to a size, unpacked strictly.
"""

import secrets
from collections.abc import Iterator, Mapping

import msgspec

from corpus.formats import riff
from operators.recognition.recogniser import EngineTroubleError, MissingEngineError
from session.transport.outside_server import (
    Exchange,
    FailedExchange,
    InvalidServerError,
    OutsideError,
    OutsideServer,
    outside_server,
)
from session.values.hypotheses import Hypothesis, WordTime, bounded
from session.values.vocabulary import OperatorTrouble

LONGEST_REPLY = 1_000_000
LONGEST_UTTERANCE = 300 * 48_000 * 2
SECONDS = 20.0
DEFAULT_MODEL = "whisper-1"
_TROUBLES = {
    FailedExchange.LATE: OperatorTrouble.LATE,
    FailedExchange.REFUSED: OperatorTrouble.ERROR,
    FailedExchange.UNREACHABLE: OperatorTrouble.DIED,
    FailedExchange.TOO_LARGE: OperatorTrouble.GARBAGE,
    FailedExchange.CANCELLED: OperatorTrouble.ERROR,
}


def transcription_server(url: str, seconds: float, key: str, environment: Mapping[str, str]) -> OutsideServer:
    """Return the server at `url`; `key` names an environment variable. Raises MissingEngineError for what cannot be."""
    try:
        return outside_server(url, key, seconds, environment)
    except InvalidServerError as error:
        raise MissingEngineError(f"recogniser {url!r}: {error.reason}") from None


class ServerRecogniser:
    """Asks one server, one request for each utterance."""

    def __init__(self, server: OutsideServer, model: str = "") -> None:
        self.server = server
        self.name = server.host
        self.version = model or DEFAULT_MODEL

    def begin(self, rate: int, utterance: str = "") -> "ServerListening":
        return ServerListening(self.server, self.version, rate)


class ServerListening:
    """One utterance, kept until it has ended."""

    def __init__(self, server: OutsideServer, model: str, rate: int) -> None:
        self._server, self._model, self._rate = server, model, rate
        self._whole = bytearray()

    def hear(self, pcm: bytes) -> Hypothesis | None:
        if len(self._whole) < LONGEST_UTTERANCE:
            self._whole += pcm
        return None

    def drop(self) -> None:
        self._whole.clear()

    def finish(self) -> tuple[Hypothesis, ...]:
        if not self._whole:
            return ()
        sound = riff.render(riff.pcm_file(bytes(self._whole), self._rate))
        try:
            return hypotheses_in(_asked(self._server, self._model, sound).reply())
        except OutsideError as error:
            raise self._trouble(_TROUBLES[error.outcome], str(error)) from None
        except (ValueError, msgspec.MsgspecError):
            raise self._trouble(OperatorTrouble.GARBAGE, "did not answer with a transcription") from None

    def _trouble(self, trouble: OperatorTrouble, how: str) -> EngineTroubleError:
        return EngineTroubleError(trouble, f"the recogniser at {self._server.host} {how}")


class _Word(msgspec.Struct):
    word: str
    start: float | None = None
    end: float | None = None
    probability: float | None = None


class _Transcription(msgspec.Struct):
    text: str
    words: list[_Word] | None = None


def hypotheses_in(raw: bytes) -> tuple[Hypothesis, ...]:
    """Return the transcription in a reply; ValueError or msgspec.MsgspecError where it is none.

    >>> hypotheses_in(b'{"text": " Show me flights. "}')
    (Hypothesis(text='Show me flights.', confidence=None, words=(), original=''),)
    """
    found = msgspec.json.decode(raw, type=_Transcription)
    words = tuple(WordTime(word.word, word.start, word.end, word.probability) for word in found.words or ())
    hypotheses = bounded([Hypothesis(found.text, None, words)])
    return hypotheses if hypotheses[0].text else ()


def _asked(server: OutsideServer, model: str, sound: bytes) -> Exchange:
    boundary = f"curtain-{secrets.token_hex(16)}"
    fields = {"model": model, "response_format": "verbose_json", "timestamp_granularities[]": "word"}
    body = b"".join(_parts(boundary, fields, sound))
    return server.asked(body, f"multipart/form-data; boundary={boundary}", "application/json", LONGEST_REPLY)


def _parts(boundary: str, fields: Mapping[str, str], sound: bytes) -> Iterator[bytes]:
    for name, value in fields.items():
        yield f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
    head = 'Content-Disposition: form-data; name="file"; filename="utterance.wav"\r\nContent-Type: audio/wav\r\n\r\n'
    yield f"--{boundary}\r\n{head}".encode() + sound + f"\r\n--{boundary}--\r\n".encode()
