"""A voice behind a server that speaks OpenAI's `/v1/audio/speech`: a text and a voice's name go there, a waveform comes back.

What comes back is bytes from a stranger: read within a time and a size, then decoded as sound and nothing else. Only the text
that the subject is to hear leaves this machine.
"""

import http.client
import queue
import threading
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import msgspec

from operators.voice.waveform import MOST_BYTES, played
from session.hub.voice import SpokenSound, VoiceError
from session.study.settings import Voice
from session.values.vocabulary import VoiceEngine

DEFAULT_MODEL = "tts-1"
DEFAULT_VOICE = "alloy"
NORMAL_SPEED = 160
"""Words a minute that a server is taken to speak at its own speed 1."""
_HERE = frozenset({"localhost", "127.0.0.1", "::1"})


class SpeechServer:
    """One voice of one server; raises VoiceError when the profile does not say how to reach it."""

    def __init__(self, voice: Voice, environment: Mapping[str, str]) -> None:
        self.name = VoiceEngine.SERVER.value
        self.missing: tuple[str, ...] = ()
        parts = urlsplit(voice.url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.password:
            raise VoiceError("[voice] `url` is http:// or https://, a host and a path, without a password")
        if voice.key and voice.key not in environment:
            raise VoiceError(f"[voice] key = {voice.key!r}: there is no environment variable of that name; set it")
        if voice.key and parts.scheme == "http" and parts.hostname not in _HERE:
            raise VoiceError("[voice] a `key` goes over https only: use https:// in `url`, or leave `key` out")
        self._url, self._seconds = voice.url, voice.seconds
        self._key = environment[voice.key].strip() if voice.key else ""
        self._model, self._voice = voice.model or DEFAULT_MODEL, voice.name or DEFAULT_VOICE
        self._speed = round(voice.speed / NORMAL_SPEED, 2)
        self._host = parts.netloc.rpartition("@")[2]
        self.version = f"{self._model} {self._voice} {voice.speed} at {self._host}"

    def sound(self, text: str, message: str = "") -> SpokenSound:
        """The sound of a text; `message` is of no account."""
        waiting: queue.SimpleQueue[bytes | VoiceError] = queue.SimpleQueue()
        # A socket that drips cannot be waited for with a limit; a thread can.
        threading.Thread(target=self._fetch, args=(text, waiting), name="speech", daemon=True).start()
        try:
            found = waiting.get(timeout=self._seconds)
        except queue.Empty:
            raise self._failed(f"gave nothing within {self._seconds:g} s") from None
        if isinstance(found, VoiceError):
            raise found
        return SpokenSound(played(found, f"the speech server at {self._host}"), self.name, self.version)

    def _fetch(self, text: str, waiting: "queue.SimpleQueue[bytes | VoiceError]") -> None:
        try:
            waiting.put(self._read(self._request(text)))
        except VoiceError as error:
            waiting.put(error)
        except urllib.error.HTTPError as error:
            error.close()
            waiting.put(self._failed(f"refused with HTTP status {error.code}"))
        except TimeoutError:
            waiting.put(self._failed(f"gave nothing within {self._seconds:g} s"))
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = getattr(error, "reason", None) or type(error).__name__
            waiting.put(
                self._failed(f"cannot be reached: {reason}; start it, or choose another `engine` under [voice]")
            )

    def _request(self, text: str) -> urllib.request.Request:
        wanted = {"model": self._model, "input": text, "voice": self._voice, "response_format": "wav"}
        body = msgspec.json.encode(wanted if self._speed == 1 else {**wanted, "speed": self._speed})
        headers = {"Content-Type": "application/json", "Accept": "audio/wav"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        return urllib.request.Request(self._url, body, headers, method="POST")

    def _read(self, asked: urllib.request.Request) -> bytes:
        with urllib.request.build_opener(_NoRedirect).open(asked, timeout=self._seconds) as reply:
            raw: bytes = reply.read(MOST_BYTES + 1)
        if len(raw) > MOST_BYTES:
            raise self._failed(f"gave more than {MOST_BYTES:,} bytes")
        return raw

    def _failed(self, how: str) -> VoiceError:
        return VoiceError(f"the speech server at {self._host} {how}")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Sends nothing that was meant for one host, the key above all, on to another."""

    def redirect_request(self, *_: Any) -> None:
        return None
