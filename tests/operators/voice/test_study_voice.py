"""The voice of a study: prompts where there are some, another engine for the rest, each text made once."""

from pathlib import Path

import pytest

from operators.voice import study_voice
from operators.voice.prompts import RecordedPrompts
from operators.voice.study_voice import CachedVoice, StudyVoices
from session import commands as c
from session import events as e
from session.hub.reply_voice import SpokenSound, VoiceError
from session.study.create import new
from session.study.folder import load
from session.study.settings import Profile, Voice
from session.values.vocabulary import SpokenPart, VoiceEngine
from tests.operators.voice.recording import silence_free_wave
from tests.session.examples import MESSAGES
from tests.together.pipe import SESSION, both
from tests.together.pipe import Bench as HubBench

SPEAKING = """
[condition.spoken]
spoken = "answer"

[condition.fast]
spoken = "answer"
voice = { speed = 300 }
"""


class Counting:
    """A voice that counts what it is asked."""

    name = "counting"
    missing = ()

    def __init__(self) -> None:
        self.asked: list[str] = []

    def sound(self, text: str, message: str = "") -> SpokenSound:
        self.asked.append(text)
        return SpokenSound(text.encode() * 2, self.name, "1")


def test_a_text_is_made_once() -> None:
    engine = Counting()
    voice = CachedVoice(engine, "key")
    assert [voice.sound("one"), voice.sound("two"), voice.sound("one")] == [
        engine.sound(text) for text in ("one", "two", "one")
    ]
    assert engine.asked[:2] == ["one", "two"]
    assert len(engine.asked) == 2 + 3


def test_what_is_kept_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("operators.voice.study_voice.MOST_KEPT", 20)
    engine = Counting()
    voice = CachedVoice(engine, "key")
    for text in ("aaaaa", "bbbbb", "ccccc", "aaaaa"):
        voice.sound(text)
    assert engine.asked == ["aaaaa", "bbbbb", "ccccc", "aaaaa"]


def test_a_prompt_is_played_and_all_else_is_spoken(tmp_path: Path) -> None:
    (tmp_path / "hello.wav").write_bytes(silence_free_wave())
    (tmp_path / "unable.flac").write_bytes(silence_free_wave(kind="FLAC"))
    (tmp_path / "no-info.wav").write_bytes(silence_free_wave())
    engine = Counting()
    prompts = RecordedPrompts(tmp_path, MESSAGES.values(), engine)
    assert {prompts.sound("", name).engine for name in ("hello", "unable")} == {"recorded"}
    assert prompts.sound("Good day.", "hello").version.startswith("hello.wav ")
    assert prompts.sound("No information is available on fares.", "no-info").engine == "counting", "it has a blank"
    assert prompts.sound("Twelve flights.").engine == "counting"
    assert set(prompts.missing) == {"no-info", "wait"}


def test_without_another_engine_what_is_lacking_is_named(tmp_path: Path) -> None:
    (tmp_path / "hello.wav").write_bytes(silence_free_wave())
    with pytest.raises(VoiceError, match=r"no-info, unable, wait.*`otherwise`"):
        RecordedPrompts(tmp_path, MESSAGES.values(), None)


def test_a_prompt_that_is_no_sound_is_named(tmp_path: Path) -> None:
    (tmp_path / "hello.wav").write_bytes(b"not sound")
    with pytest.raises(VoiceError, match=r"hello.wav gave no sound"):
        RecordedPrompts(tmp_path, MESSAGES.values(), Counting())


class Named:
    """A voice that says with which settings it was made."""

    missing = ()

    def __init__(self, engine: VoiceEngine, voice: Voice, environment: object) -> None:
        if voice.speed > 400:
            raise VoiceError("it cannot speak so fast")
        self.name = f"{engine} at {voice.speed}"

    def sound(self, text: str, message: str = "") -> SpokenSound:
        return SpokenSound(bytes(200), self.name, "1")


def speaking(folder: Path, text: str = SPEAKING) -> StudyVoices:
    """The voices of a study whose profile is silent and whose conditions speak."""
    new(folder)
    path = folder / "study.toml"
    settings = path.read_text().replace("conditions = []", 'conditions = ["plain", "spoken", "fast"]')
    path.write_text(settings + text)
    return StudyVoices(load(folder), {})


async def test_a_condition_is_spoken_with_a_voice_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study_voice, "_engine", Named)
    voices = speaking(tmp_path / "study")
    heard = list[str]()
    for speed in (160, 300, 200):
        bench = HubBench(voice=voices.of)
        subject, wizard = await both(bench, spoken=SpokenPart.ANSWER, voice=Voice(speed=speed, rows=7))
        await wizard.give(c.StartScenario(id="c1", scenario="trip", bindings={"A": "Boston"}))
        await wizard.give(c.SendCanned(id="c2", message="wait"))
        await bench.settle()
        heard += [fact.event.engine for fact in bench.store.read(SESSION) if isinstance(fact.event, e.ReplyVoiced)]
        for desk in (subject, wizard):
            await desk.cut()
        await bench.close()
    assert heard == ["espeak-ng at 160", "espeak-ng at 300", "espeak-ng at 200"], (
        "a session keeps the voice with which it was opened"
    )
    assert voices.of(Profile(name="silent")) is None


def test_a_condition_without_a_voice_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study_voice, "_engine", Named)
    with pytest.raises(VoiceError, match="condition fast speaks, and has no voice: it cannot speak so fast"):
        speaking(tmp_path / "study", SPEAKING.replace("300", "450"))
