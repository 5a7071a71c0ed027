"""A recogniser behind any server that speaks OpenAI's `/v1/audio/transcriptions`, as local whisper servers do.

The whole utterance goes there as a RIFF file when it has ended; there are no partial hypotheses. What comes back is text from a
stranger: waited for until a deadline, read up to a size, unpacked strictly.
"""

import http.client
import queue
import secrets
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

import msgspec

from corpus.formats import riff
from operators.recognition.engine import EngineTroubleError, MissingEngineError
from session.values.hypotheses import Hypothesis, WordTime, bounded
from session.values.vocabulary import OperatorTrouble

LONGEST_REPLY = 1_000_000
LONGEST_UTTERANCE = 300 * 48_000 * 2
SECONDS = 20.0
_HERE = frozenset({"localhost", "127.0.0.1", "::1"})


class TranscriptionServer(msgspec.Struct, frozen=True):
    """The address to send sound to, the model and key (which is shown nowhere) to ask with, and how many seconds to wait."""

    url: str
    model: str
    key: str = ""
    seconds: float = SECONDS

    def __repr__(self) -> str:
        return f"TranscriptionServer({self.url!r}, {self.model!r})"

    @property
    def host(self) -> str:
        """The host as people may be told it, without a name or password."""
        return urlsplit(self.url).netloc.rpartition("@")[2]


def server_of(url: str, model: str, key: str, seconds: float, environment: Mapping[str, str]) -> TranscriptionServer:
    """Return the server at `url`; `key` names an environment variable. Raises MissingEngineError for what cannot be."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise MissingEngineError(f"recogniser {url!r}: http:// or https:// and a host are expected")
    if key and key not in environment:
        raise MissingEngineError(f"recogniser {url!r}: there is no environment variable {key}; set it to the key")
    if key and parts.scheme == "http" and parts.hostname not in _HERE:
        raise MissingEngineError(f"recogniser {url!r}: a key goes over https only; use https:// or leave the key out")
    if not 0 < seconds <= 120:
        raise MissingEngineError(f"recogniser {url!r}: waits above 0 and at most 120 s, not {seconds:g}")
    return TranscriptionServer(url, model or "whisper-1", environment[key].strip() if key else "", seconds)


class ServerRecogniser:
    """Asks one server, one request for each utterance."""

    def __init__(self, server: TranscriptionServer) -> None:
        self.server = server
        self.name = server.host
        self.version = server.model

    def begin(self, rate: int, utterance: str = "") -> "ServerListening":
        return ServerListening(self.server, rate)


class ServerListening:
    """One utterance, kept until it has ended."""

    def __init__(self, server: TranscriptionServer, rate: int) -> None:
        self._server, self._rate = server, rate
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
        asked = _request(self._server, riff.render(riff.pcm_file(bytes(self._whole), self._rate)))
        waiting: queue.SimpleQueue[tuple[Hypothesis, ...] | EngineTroubleError] = queue.SimpleQueue()
        # A socket that drips cannot be waited for with a limit; a thread can.
        threading.Thread(target=self._fetch, args=(asked, waiting), name="recogniser", daemon=True).start()
        try:
            found = waiting.get(timeout=self._server.seconds)
        except queue.Empty:
            raise self._late() from None
        if isinstance(found, EngineTroubleError):
            raise found
        return found

    def _fetch(
        self, asked: urllib.request.Request, waiting: "queue.SimpleQueue[tuple[Hypothesis, ...] | EngineTroubleError]"
    ) -> None:
        try:
            waiting.put(hypotheses_in(self._read(asked)))
        except EngineTroubleError as trouble:
            waiting.put(trouble)
        except urllib.error.HTTPError as error:
            error.close()
            waiting.put(self._trouble(OperatorTrouble.ERROR, f"refused with HTTP status {error.code}"))
        except TimeoutError:
            waiting.put(self._late())
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", None) or type(error).__name__
            waiting.put(self._trouble(OperatorTrouble.DIED, f"cannot be reached: {reason}"))
        except (ValueError, msgspec.MsgspecError):
            waiting.put(self._trouble(OperatorTrouble.GARBAGE, "did not answer with a transcription"))

    def _read(self, asked: urllib.request.Request) -> bytes:
        opener = urllib.request.build_opener(_NoRedirect)
        with opener.open(asked, timeout=self._server.seconds) as reply:
            raw: bytes = reply.read(LONGEST_REPLY + 1)
        if len(raw) > LONGEST_REPLY:
            raise self._trouble(OperatorTrouble.GARBAGE, f"gave more than {LONGEST_REPLY:,} bytes")
        return raw

    def _late(self) -> EngineTroubleError:
        return self._trouble(OperatorTrouble.LATE, f"gave nothing within {self._server.seconds:g} s")

    def _trouble(self, trouble: OperatorTrouble, how: str) -> EngineTroubleError:
        return EngineTroubleError(trouble, f"the recogniser at {self._server.host} {how}")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Speech and key, sent to one host, are not sent on to another."""

    def redirect_request(self, *_: Any) -> None:
        return None


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


def _request(server: TranscriptionServer, sound: bytes) -> urllib.request.Request:
    boundary = f"curtain-{secrets.token_hex(16)}"
    fields = {"model": server.model, "response_format": "verbose_json", "timestamp_granularities[]": "word"}
    headers = {"Content-Type": f"multipart/form-data; boundary={boundary}", "Accept": "application/json"}
    if server.key:
        headers["Authorization"] = f"Bearer {server.key}"
    return urllib.request.Request(server.url, b"".join(_parts(boundary, fields, sound)), headers, method="POST")


def _parts(boundary: str, fields: Mapping[str, str], sound: bytes) -> Iterator[bytes]:
    for name, value in fields.items():
        yield f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
    head = 'Content-Disposition: form-data; name="file"; filename="utterance.wav"\r\nContent-Type: audio/wav\r\n\r\n'
    yield f"--{boundary}\r\n{head}".encode() + sound + f"\r\n--{boundary}--\r\n".encode()
