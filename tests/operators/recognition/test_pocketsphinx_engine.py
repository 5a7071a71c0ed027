"""pocketsphinx, with the words of the shipped domain, on the speech of the rehearsal."""

import importlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import scenarios
from corpus.analysis.word_alignment import WordErrors, count
from domain.database.build import open_database
from domain.query_backend import english_of
from operators.recognition import pocketsphinx_engine
from operators.recognition.knowledge import prepare, sources_of
from operators.recognition.pocketsphinx_engine import PocketsphinxRecogniser, dictionary
from operators.recognition.recogniser import EngineTroubleError, MissingEngineError
from operators.recognition.recognisers import recogniser
from operators.recognition.utterance_sound import UtteranceSound
from rehearsal.script import shipped_script
from rehearsal.session_run import speech
from session.values.hypotheses import Hypothesis
from tests import SECONDS, THOROUGH

with_time = pytest.mark.skipif(not THOROUGH, reason=SECONDS)
FOLDER = Path(scenarios.__file__).parent / "air_travel"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> PocketsphinxRecogniser:
    cache = tmp_path_factory.mktemp("cache")
    english = english_of(FOLDER, open_database(FOLDER, cache).url, "")
    return PocketsphinxRecogniser(prepare(sources_of(FOLDER, english), dictionary(), cache))


def heard(
    engine: PocketsphinxRecogniser, name: str, chunk: int = 640
) -> tuple[list[Hypothesis], tuple[Hypothesis, ...]]:
    sound, listening = speech(name).tobytes(), engine.begin(16_000, name)
    found = [listening.hear(sound[at : at + chunk]) for at in range(0, len(sound), chunk)]
    return [partial for partial in found if partial is not None], listening.finish()


@pytest.mark.recogniser
def test_words_come_while_somebody_speaks_and_in_the_end_with_times_confidences_and_others(
    engine: PocketsphinxRecogniser,
) -> None:
    partial, final = heard(engine, "which-airline")
    assert len(partial) > 1
    first = final[0]
    assert first.text.startswith("which airlines are ")
    assert [word.text for word in first.words] == first.text.split()
    times = [time for word in first.words for time in (word.start, word.end)]
    assert all(time is not None for time in times)
    assert times == sorted(times, key=lambda time: time or 0)
    assert all(0 <= (word.confidence or 0) <= 1 for word in first.words)
    assert 2 <= len({hypothesis.text for hypothesis in final}) == len(final) <= 9


@pytest.mark.recogniser
def test_the_same_sound_gives_the_same_words_whatever_was_heard_before(engine: PocketsphinxRecogniser) -> None:
    _, first = heard(engine, "boston-denver")
    heard(engine, "weather")
    _, again = heard(engine, "boston-denver", chunk=5000)
    assert again == first


@pytest.mark.recogniser
def test_the_words_are_there_while_an_end_pointer_waits_and_come_again_when_more_is_said(
    engine: PocketsphinxRecogniser, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks, ended = list[str](), pocketsphinx_engine._hypotheses

    def watched(decoder: object) -> tuple[Hypothesis, ...]:
        found = ended(decoder)
        looks.append(found[0].text)
        return found

    monkeypatch.setattr(pocketsphinx_engine, "_hypotheses", watched)
    said, quiet = speech("which-airline").tobytes(), bytes(2 * 16_000)
    finals = []
    for chunk in (640, 5000):
        listening = engine.begin(16_000)
        sound = said + quiet
        partial = [listening.hear(sound[at : at + chunk]) for at in range(0, len(sound), chunk)]
        assert len(looks) == 1, "all that is left is to give the words"
        assert any(partial)
        finals.append(listening.finish())
        assert len(looks) == 1
        looks.clear()
    assert finals[0] == finals[1]
    assert finals[0][0].text.startswith("which airlines are ")
    listening = engine.begin(16_000)
    sound = said + quiet + said
    partial = [listening.hear(sound[at : at + 640]) for at in range(0, len(sound), 640)]
    *_, last = (found.text for found in partial if found is not None)
    assert last.count("which") == 2, "what was said before the pause still stands at the console"
    assert listening.finish()[0].text.count("which") == 2
    assert [text.count("which") for text in looks] == [1, 2]


@pytest.mark.recogniser
def test_half_of_an_utterance_at_least_is_decoded_with_its_own_mean_spectrum_before_it_is_over(
    engine: PocketsphinxRecogniser, monkeypatch: pytest.MonkeyPatch
) -> None:
    means, mean = list[int](), pocketsphinx_engine._mean

    def watched(decoder: object, pcm: bytes) -> str:
        means.append(len(pcm))
        return mean(decoder, pcm)

    monkeypatch.setattr(pocketsphinx_engine, "_mean", watched)
    sound = speech("boston-denver").tobytes()[:-6_400]  # without the quiet at its end
    listening = engine.begin(16_000)
    for at in range(0, len(sound), 640):
        listening.hear(sound[at : at + 640])
    before = list(means)
    assert before == sorted(before)
    assert len(before) == 3, "after half a second of speech, one, two"
    assert before[-1] > len(sound) / 2
    listening.finish()
    assert means == before, "nothing is decoded again at the end"
    means.clear()
    listening = engine.begin(16_000)
    listening.hear(sound + bytes(32_000))
    listening.finish()
    (last,) = means
    assert abs(last - len(sound)) < 4_000, "in the pause behind it once more: the end of speech may be less loud"
    means.clear()
    listening = engine.begin(16_000)
    listening.hear(bytes(3200) + sound[4800:12_800])
    assert means == [], "a quarter of a second of speech is too little"
    listening.finish()
    assert means == [3200 + 8000]


@pytest.mark.recogniser
@pytest.mark.parametrize("rate", [22_050, 44_100, 48_000])
def test_sound_of_another_rate_gives_the_same_words_in_whatever_pieces_it_comes(
    engine: PocketsphinxRecogniser, rate: int
) -> None:
    samples = speech("which-airline").astype(float)
    places = np.arange(0, len(samples) - 1, 16_000 / rate)
    sound = np.interp(places, np.arange(len(samples)), samples).astype("<i2").tobytes()
    found = []
    for chunk in (882, 30_002, len(sound)):
        listening = engine.begin(rate)
        for at in range(0, len(sound), chunk):
            listening.hear(sound[at : at + chunk])
        found.append(listening.finish())
    assert found[0] == found[1] == found[2]
    assert found[0][0].text.startswith("which airlines ")


@with_time
@pytest.mark.recogniser
def test_the_rehearsal_is_understood_for_the_most_part_without_having_been_learnt(
    engine: PocketsphinxRecogniser,
) -> None:
    total = WordErrors()
    for scenario in shipped_script().scenario:
        for turn in scenario.turn:
            _, final = heard(engine, turn.speech, chunk=1_000_000)
            total += count(turn.said.split(), final[0].text.split() if final else [])
    assert total.rate is not None
    assert total.rate < 0.4, total


@pytest.mark.recogniser
def test_silence_no_sound_and_an_utterance_that_was_taken_back_are_nothing(engine: PocketsphinxRecogniser) -> None:
    listening = engine.begin(16_000)
    assert listening.finish() == ()
    listening = engine.begin(16_000)
    listening.hear(bytes(64_000))
    listening.drop()
    assert engine.begin(16_000).finish() == ()
    with pytest.raises(EngineTroubleError, match="cannot listen at 4000 Hz"):
        engine.begin(4000)


@with_time
@pytest.mark.recogniser
def test_utterances_of_several_subjects_at_once_do_not_disturb_each_other(engine: PocketsphinxRecogniser) -> None:
    names = ("practice", "weather", "which-airline")
    alone = {name: heard(engine, name)[1] for name in names}
    with ThreadPoolExecutor(len(names)) as threads:
        for found in (
            threads.map(lambda name: heard(engine, name), names),
            threads.map(lambda name: heard(engine, name), names),
        ):
            assert {name: final for name, (_, final) in zip(names, found, strict=True)} == alone


@pytest.mark.recogniser
def test_an_utterance_that_breaks_off_leaves_its_decoder_to_the_next(engine: PocketsphinxRecogniser) -> None:
    sound = speech("practice").tobytes()
    for _ in range(pocketsphinx_engine.MOST_DECODERS + 2):
        listening = engine.begin(16_000)
        listening.hear(sound[:20_000])
        del listening
    assert len(heard(engine, "practice")[0]) > 1, "words come while somebody speaks, so there was a decoder"


@pytest.mark.recogniser
def test_beyond_the_decoders_that_there_are_an_utterance_has_its_final_words_alone(
    engine: PocketsphinxRecogniser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pocketsphinx_engine, "MOST_DECODERS", 1)
    monkeypatch.setattr(pocketsphinx_engine, "WAIT_S", 0.01)
    held = list[object]()
    while (decoder := engine.take()) is not None:
        held.append(decoder)
    listening = engine.begin(16_000)
    assert listening.hear(speech("practice").tobytes()) is None
    with pytest.raises(EngineTroubleError, match="no decoder of pocketsphinx was free"):
        listening.finish()
    for decoder in held:
        engine.give_back(decoder)
    listening = engine.begin(16_000)
    listening.hear(speech("which-airline").tobytes())
    assert listening.finish()[0].text.startswith("which airlines are ")


@pytest.mark.parametrize("rate", [8_000, 16_000, 22_050, 44_100, 48_000])
def test_sound_of_other_rates_keeps_its_length_and_its_tones_over_the_pieces(rate: int) -> None:
    tone = (8000 * np.sin(2 * np.pi * 440 * np.arange(rate) / rate)).astype("<i2").tobytes()
    sound = UtteranceSound(rate)
    live, number = list[bytes](), 0
    for at in range(0, len(tone), 1000):
        sound.hear(tone[at : at + 1000])
        while piece := sound.piece(number):
            live.append(piece)
            number += 1
    whole = sound.until(len(tone))
    assert len(live) >= 3
    assert whole.startswith(b"".join(live))
    found = np.frombuffer(whole, dtype="<i2")
    assert abs(len(found) - 16_000) <= 2
    spectrum = np.abs(np.fft.rfft(found * np.hanning(len(found))))
    assert abs(int(np.argmax(spectrum)) * 16_000 / len(found) - 440) < 2
    tones = 440 * len(found) // 16_000
    beside = np.delete(spectrum, np.arange(tones - 5, tones + 6))
    assert beside.max() < spectrum.max() / 100, "no seam between pieces is heard"


def test_sound_of_no_length_is_none() -> None:
    for rate in (16_000, 44_100, 48_000):
        sound = UtteranceSound(rate)
        assert (sound.piece(0), sound.until(0), sound.end, sound.known) == (b"", b"", None, 0)


def test_without_the_extra_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(pocketsphinx_engine, "find_spec", lambda _: None)
    with pytest.raises(MissingEngineError, match=r"pip install 'curtain-woz\[recogniser\]'"):
        recogniser("pocketsphinx", lambda: pytest.fail("nothing is gathered in vain"), tmp_path, {})
    with pytest.raises(MissingEngineError, match="no recogniser 'whisper': name `pocketsphinx`"):
        recogniser("whisper", lambda: pytest.fail("nothing is gathered in vain"), tmp_path, {})
    importlib.invalidate_caches()
