"""The voices of a study: the engines named by its profile and conditions, each tried once, with a cache of spoken texts."""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import msgspec

from operators.voice.espeak import Espeak
from operators.voice.prompts import RecordedPrompts
from operators.voice.speech_server import SpeechServer
from session.hub.reply_voice import SpokenSound, VoiceError, VoicePort
from session.study.folder import Study
from session.study.settings import CannedMessage, Profile, Voice
from session.values.vocabulary import VoiceEngine

MOST_KEPT = 32 * 1024 * 1024
TRIAL = "One moment please."


class CachedVoice:
    """A voice that makes the same sound once; any thread may ask. The newest 32 MB are kept."""

    def __init__(self, voice: VoicePort, key: str) -> None:
        self.name = voice.name
        self.missing = voice.missing
        self._voice, self._key = voice, key
        self._sounds: OrderedDict[str, SpokenSound] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def sound(self, text: str, message: str = "") -> SpokenSound:
        """The sound of a text; raises VoiceError."""
        key = hashlib.sha256("\0".join((self._key, message, text)).encode(errors="replace")).hexdigest()
        with self._lock:
            if (known := self._sounds.get(key)) is not None:
                self._sounds.move_to_end(key)
                return known
        made = self._voice.sound(text, message)
        with self._lock:
            if key not in self._sounds:
                self._sounds[key] = made
                self._bytes += len(made.pcm)
            while self._bytes > MOST_KEPT and len(self._sounds) > 1:
                self._bytes -= len(self._sounds.popitem(last=False)[1].pcm)
        return made


class LateVoice:
    """A voice that is made when it first speaks: nobody waits for it where the hub starts, and what is missing costs a sound."""

    def __init__(self, voice: Voice, make: Callable[[Voice], VoicePort]) -> None:
        self.name = voice.engine.value
        self.missing: tuple[str, ...] = ()
        self._voice, self._make = voice, make
        self._made: VoicePort | None = None
        self._lock = threading.Lock()

    def sound(self, text: str, message: str = "") -> SpokenSound:
        """The sound of a text; raises VoiceError."""
        with self._lock:
            self._made = self._made or self._make(self._voice)
        return self._made.sound(text, message)


class StudyVoices:
    """The voices of a study: its profile's, and that of each condition that speaks otherwise."""

    def __init__(self, study: Study, environment: Mapping[str, str]) -> None:
        """Have each voice speak once; raises VoiceError, with the remedy, where one cannot be had."""
        self.ready: dict[Voice, VoicePort] = {}
        self._study, self._environment = study, environment
        for whose, profile in study.every_profile.items():
            if not profile.speaks or _sounding(profile) in self.ready:
                continue
            try:
                made = self._make(profile.voice)
            except VoiceError as error:
                raise VoiceError(f"{whose} speaks, and has no voice: {error}") from error
            self.ready[_sounding(profile)] = made

    def _make(self, voice: Voice) -> VoicePort:
        return voice_of(voice, self._study.folder, self._study.canned_messages.values(), self._environment)

    def of(self, profile: Profile) -> VoicePort | None:
        """Return the voice of sessions under a profile, None if nothing is spoken; a session that was opened before the
        study's voice changed keeps its own, which is made when it is to speak."""
        if not profile.speaks:
            return None
        return self.ready.setdefault(_sounding(profile), LateVoice(profile.voice, self._make))


def _sounding(profile: Profile) -> Voice:
    """Return the settings that decide on the sound of a text: how many rows are said is not among them."""
    return msgspec.structs.replace(profile.voice, rows=Voice().rows)


def voice_of(
    voice: Voice, folder: Path, messages: Iterable[CannedMessage], environment: Mapping[str, str]
) -> VoicePort:
    """The voice of a profile in the study at `folder`, tried out; raises VoiceError."""
    if voice.engine is VoiceEngine.RECORDED:
        otherwise = _engine(voice.otherwise, voice, environment) if voice.otherwise is not None else None
        return CachedVoice(RecordedPrompts(folder / voice.folder, messages, otherwise), repr(voice))
    return CachedVoice(_engine(voice.engine, voice, environment), repr(voice))


def _engine(engine: VoiceEngine, voice: Voice, environment: Mapping[str, str]) -> VoicePort:
    found: VoicePort
    match engine:
        case VoiceEngine.ESPEAK:
            found = Espeak(voice.name, voice.speed, voice.seconds)
        case VoiceEngine.SERVER:
            found = SpeechServer(voice, environment)
        case VoiceEngine.RECORDED:
            raise VoiceError("recorded prompts cannot stand in for recorded prompts")
    found.sound(TRIAL)
    return found
