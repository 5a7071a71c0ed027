"""Effects of the keys of a spoken profile, seen where the reply is shown, heard or asked for."""

import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from domain.spoken.sentences import SpokenForm
from operators.voice import study_voice as voices
from operators.voice.speech_server import SpeechServer
from session import events as e
from session.collection.recordings import recordings_of
from session.hub.reply_voice import SpokenSound, VoiceError
from session.rules.replies import answer_speech, answer_text, rows_said
from session.study.folder import Study
from session.study.settings import Profile, Voice
from session.values.answers import rows_of
from session.values.vocabulary import AnswerForm, Echo, SpokenPart, VoiceEngine
from tests.effects.of_study import seen
from tests.effects.registry import Places, effect
from tests.operators.voice.recording import silence_free_wave
from tests.operators.voice.stand_in import program
from tests.session.play import Play
from tests.subject.stage import Desk

URL = "http://localhost:1/v1/audio/speech"
TABLE = rows_of(["meal"], [["snack"], ["dinner"], ["lunch"]])


def _asked(profile: Profile) -> tuple[Play, str]:
    """A session in which rows have come, said as the profile wants it."""
    play = Play(profile)
    play.start()
    play.speak()
    name, most = play.query(table=None), rows_said(profile)
    spoken = "" if most is None else SpokenForm().say(TABLE, (), most)
    play.hub(e.QueryReturned(attempt=name, sql="", table=TABLE, took=1, database_version="1", spoken=spoken))
    return play, name


@effect(
    "profile.answer_form", "sentences in place of a table on the subject's screen", AnswerForm.TABLE, AnswerForm.TEXT
)
def _answer_form(value: AnswerForm) -> object:
    play, name = _asked(Profile(name="test", echo=Echo.NEVER, answer_form=value))
    return answer_text(play.state, name)


@effect("profile.spoken", "the spoken words (`[Spoken:]`)", SpokenPart.SUMMARY, SpokenPart.ANSWER)
def _spoken(value: SpokenPart) -> object:
    play, name = _asked(Profile(name="test", echo=Echo.NEVER, spoken=value))
    return next(fact.spoken for fact in play.send(name) if isinstance(fact, e.AnswerSent))


@effect("profile.voice.rows", "the number of spoken rows (`[Spoken:]`)", 1, 2)
def _rows(value: int) -> object:
    play, name = _asked(Profile(name="test", echo=Echo.NEVER, spoken=SpokenPart.ANSWER, voice=Voice(rows=value)))
    return answer_speech(play.state, name)


@effect(
    "profile.opening",
    "the message that opens the dialogue (`[Answer_returned:]` before the first request)",
    "",
    "hello",
)
def _opening(value: str) -> object:
    play = Play(Profile(name="test", opening=value))
    play.start()
    return [type(fact) for fact in play.wait(1)]


@effect("profile.barge_in", "whether the talk button works while the system speaks", False, True)
def _barge_in(value: bool) -> object:
    desk = Desk(barge_in=value, spoken=SpokenPart.ANSWER)
    desk.scenario()
    desk.utterance("t1")
    desk.tell(e.AnswerSent(reply="r1", take="t1", text="flight 12"))
    return desk.terminal.may_talk


def _asked_of_server(**keys: Any) -> object:
    """The request that goes to a server."""
    voice = msgspec.structs.replace(Voice(engine=VoiceEngine.SERVER, url=URL), **keys)
    request = SpeechServer(voice, {"ONE": "1", "OTHER": "2"})._asked("Good day.").request
    return request.full_url, request.data, request.headers


for _key, _place, _first, _second in (
    ("url", "the address of requests for speech", URL, "http://localhost:2/v1/audio/speech"),
    ("model", "`model` in requests to a server", "tts-1", "other"),
    ("key", "the header in which a server finds its key", "ONE", "OTHER"),
):
    effect(f"profile.voice.{_key}", _place, _first, _second)(lambda value, key=_key: _asked_of_server(**{key: value}))  # type: ignore[misc]


def _said_as(**keys: Any) -> object:
    """What a server is asked for, with its version, and what espeak-ng is called with."""
    asked = list[object]()

    class Called(_Engine):
        def __init__(self, *given: object) -> None:
            super().__init__("espeak")
            asked.append(given)

    made = voices.Espeak  # type: ignore[attr-defined]
    voices.Espeak = Called  # type: ignore[assignment, attr-defined]
    try:
        voices.voice_of(Voice(engine=VoiceEngine.ESPEAK, **keys), Path(), (), {})
    finally:
        voices.Espeak = made  # type: ignore[attr-defined]
    version = SpeechServer(msgspec.structs.replace(Voice(engine=VoiceEngine.SERVER, url=URL), **keys), {}).version
    return Places(server=_asked_of_server(**keys), version=version, espeak=asked)


for _key, _place, _first, _second in (  # type: ignore[assignment]
    ("name", "the voice, and `[Version:]` of `[Reply_voiced:]`", "alloy", "nova"),
    ("speed", "the speed of the speech, and `[Version:]` of `[Reply_voiced:]`", 160, 200),
):
    effect(f"profile.voice.{_key}", _place, _first, _second)(lambda value, key=_key: _said_as(**{key: value}))  # type: ignore[misc]


@effect("profile.voice.seconds", "the time of `[Voice_failed:]`", 0.2, 0.4)
def _seconds(value: float) -> object:
    server = Voice(engine=VoiceEngine.SERVER, url=URL, seconds=value)
    return Places(server=SpeechServer(server, {})._asked("Good day.").seconds, espeak=_given_up(Voice(seconds=value)))


def _given_up(voice: Voice) -> str:
    """What is said of a program on this machine that makes no sound."""
    with tempfile.TemporaryDirectory() as folder:
        made = voices.Espeak  # type: ignore[attr-defined]
        voices.Espeak = partial(made, program=program(Path(folder), "exec sleep 30"))  # type: ignore[assignment, attr-defined]
        try:
            voices.voice_of(voice, Path(folder), (), {})
        except VoiceError as error:
            return str(error)
        finally:
            voices.Espeak = made  # type: ignore[attr-defined]
    return "spoken"


class _Engine:
    """Says by what it was called."""

    name = "engine"
    missing = ()

    def __init__(self, engine: str) -> None:
        self._engine = engine

    def sound(self, text: str, message: str = "") -> SpokenSound:
        return SpokenSound(b"", self._engine, "")


def _engine_of(voice: Voice, prompts: tuple[str, ...] = ()) -> object:
    """Return which engine says the greeting and what was not recorded, in a study with recordings in these folders."""
    with tempfile.TemporaryDirectory() as folder:
        for name in prompts:
            (Path(folder) / name).mkdir()
            (Path(folder) / name / "hello.wav").write_bytes(silence_free_wave())
        made = voices._engine
        voices._engine = lambda engine, *_: _Engine(engine)
        try:
            found = voices.voice_of(voice, Path(folder), Play().state.opened.protocol.canned_messages.values(), {})  # type: ignore[union-attr]
            return found.sound("Good day.", "hello").engine, found.sound("Three rows.").engine
        except VoiceError:
            return "refused"
        finally:
            voices._engine = made


@effect("profile.voice.engine", "the engine of the voice (`[Engine:]`)", VoiceEngine.ESPEAK, VoiceEngine.SERVER)
def _engine(value: VoiceEngine) -> object:
    return _engine_of(Voice(engine=value, url=URL))


@effect("profile.voice.folder", "the recorded prompt", "prompts", "elsewhere")
def _folder(value: str) -> object:
    voice = Voice(engine=VoiceEngine.RECORDED, otherwise=VoiceEngine.ESPEAK, folder=value)
    return _engine_of(voice, ("prompts",))


@effect("profile.voice.otherwise", "the refusal of a study without a voice for its answers", None, VoiceEngine.ESPEAK)
def _otherwise(value: VoiceEngine | None) -> object:
    return _engine_of(Voice(engine=VoiceEngine.RECORDED, otherwise=value), ("prompts",))


def _kept_at(study: Study) -> object:
    recordings = recordings_of(study)
    recordings.keep_spoken("lab-20261121-1", b"sound!")
    recordings.close()
    return recordings.archive and recordings.archive.names("lab-20261121-1"), [
        *map(str, study.recordings.rglob("*.pcm"))
    ] != []


seen("recordings", "the place of sealed takes and spoken replies", "", "memory://takes/lab", _kept_at)
