"""pocketsphinx in a process of its own: the same words, and a process that dies costs one utterance."""

import os
import signal
from pathlib import Path

import pytest

import scenarios
from domain.database.build import open_database
from domain.query_backend import english_of
from operators.recognition.decoding_apart import DecodingApart
from operators.recognition.knowledge import Knowledge, prepare, sources_of
from operators.recognition.pocketsphinx_engine import PocketsphinxRecogniser, dictionary
from operators.recognition.recogniser import EngineTroubleError, Recogniser
from rehearsal.session_run import speech
from session.values.hypotheses import Hypothesis

FOLDER = Path(scenarios.__file__).parent / "air_travel"


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> Knowledge:
    cache = tmp_path_factory.mktemp("cache")
    english = english_of(FOLDER, open_database(FOLDER, cache).url, "")
    return prepare(sources_of(FOLDER, english), dictionary(), cache)


def heard(engine: Recogniser, name: str) -> tuple[list[Hypothesis | None], tuple[Hypothesis, ...]]:
    sound, listening = speech(name).tobytes(), engine.begin(16_000, name)
    return [listening.hear(sound[at : at + 6400]) for at in range(0, len(sound), 6400)], listening.finish()


@pytest.mark.recogniser
def test_another_process_gives_the_same_words_and_a_dead_one_costs_one_utterance(knowledge: Knowledge) -> None:
    here, apart = PocketsphinxRecogniser(knowledge), DecodingApart(knowledge)
    assert apart.pid != os.getpid()
    assert (apart.name, apart.version) == (here.name, here.version)
    alone = heard(here, "which-airline")
    assert heard(apart, "which-airline") == alone

    with pytest.raises(EngineTroubleError, match="cannot listen at 4000 Hz"):
        apart.begin(4000)
    given_up = apart.begin(16_000)
    given_up.hear(bytes(6400))
    given_up.drop()
    assert apart.begin(16_000).finish() == ()

    cut_off = apart.begin(16_000)
    os.kill(apart.pid, signal.SIGKILL)
    with pytest.raises(EngineTroubleError, match="ended in the middle of the utterance"):
        cut_off.finish()
    assert heard(apart, "which-airline") == alone
    os.kill(apart.pid, signal.SIGKILL)
    assert heard(apart, "which-airline") == alone, "one that had nothing to do is replaced without a word"
