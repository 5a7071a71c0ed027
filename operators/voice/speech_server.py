"""A voice behind a server that speaks OpenAI's `/v1/audio/speech`: a text and a voice's name go there, a waveform comes back.

What comes back is bytes from a stranger: read within a time and a size, then decoded as sound and nothing else. Only the text
that the subject is to hear leaves this machine.
"""

from collections.abc import Mapping

import msgspec

from operators.voice.reply_sound import MOST_BYTES, played
from session.hub.reply_voice import SpokenSound, VoiceError
from session.study.settings import Voice
from session.transport.outside_server import Exchange, FailedExchange, InvalidServerError, OutsideError, outside_server
from session.values.vocabulary import VoiceEngine

DEFAULT_MODEL = "tts-1"
DEFAULT_VOICE = "alloy"
NORMAL_SPEED = 160
"""Words a minute that a server is taken to speak at its own speed 1."""


class SpeechServer:
    """One voice of one server; raises VoiceError when the profile does not say how to reach it."""

    def __init__(self, voice: Voice, environment: Mapping[str, str]) -> None:
        self.name = VoiceEngine.SERVER.value
        self.missing: tuple[str, ...] = ()
        try:
            self._server = outside_server(voice.url, voice.key, voice.seconds, environment)
        except InvalidServerError as error:
            raise VoiceError(f"[voice] `{error.field}`: {error.reason}") from None
        self._model, self._voice = voice.model or DEFAULT_MODEL, voice.name or DEFAULT_VOICE
        self._speed = round(voice.speed / NORMAL_SPEED, 2)
        self.version = f"{self._model} {self._voice} {voice.speed} at {self._server.host}"

    def sound(self, text: str, message: str = "") -> SpokenSound:
        """The sound of a text; `message` is of no account."""
        whose = f"the speech server at {self._server.host}"
        try:
            found = self._asked(text).reply()
        except OutsideError as error:
            remedy = "; start it, or choose another `engine` under [voice]"
            raise VoiceError(f"{whose} {error}{remedy * (error.outcome is FailedExchange.UNREACHABLE)}") from None
        return SpokenSound(played(found, whose), self.name, self.version)

    def _asked(self, text: str) -> Exchange:
        wanted = {"model": self._model, "input": text, "voice": self._voice, "response_format": "wav"}
        body = msgspec.json.encode(wanted if self._speed == 1 else {**wanted, "speed": self._speed})
        return self._server.asked(body, "application/json", "audio/wav", MOST_BYTES)
