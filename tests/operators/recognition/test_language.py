"""What a recogniser knows: spoken words, pronunciations, a language model, all of it kept by the hash of its sources."""

import math
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.database.build import open_database
from domain.query_backend import english_of
from operators.recognition.knowledge import Sources, prepare, sentences_of, sources_of
from operators.recognition.language_model import BEGIN, END, arpa
from operators.recognition.pronunciations import UnreadableWordError, by_rule, pronounced, read_dictionary, render
from operators.recognition.recogniser import MissingEngineError
from operators.recognition.spoken_words import cardinal, readings, words_of
from session.study.settings import Scenario
from session.values.vocabulary import ScenarioKind

WORDS = ("show", "me", "flights", "to", "boston")
SENTENCES = st.lists(st.tuples(st.lists(st.sampled_from(WORDS), max_size=5), st.integers(1, 3)), min_size=1, max_size=8)
PHONES = {"AA", "AE", "AH", "AO", "AW", "AY", "B", "CH", "D", "DH", "EH", "ER", "EY", "F", "G", "HH", "IH", "IY", "JH", "K", "L",
          "M", "N", "NG", "OW", "OY", "P", "R", "S", "SH", "T", "TH", "UH", "UW", "V", "W", "Y", "Z", "ZH"}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("DFW", "d f w"),
        ("a 757 at 9:05 am", "a seven fifty seven at nine oh five am"),
        ("flight 1220", "flight twelve twenty"),
        ("under $1,100!", "under one thousand one hundred"),
        ("Dallas/Fort Worth", "dallas fort worth"),
        ("twenty-one o’clock", "twenty one o'clock"),
        ("12:00", "twelve o'clock"),
        ("1234567", "one two three four five six seven"),
        ("...", ""),
    ],
)
def test_text_becomes_the_words_that_people_say(text: str, said: str) -> None:
    assert " ".join(words_of(text)) == said


@given(st.text(max_size=40))
def test_no_text_has_a_reading_with_digits_or_capitals(text: str) -> None:
    for said in readings(text):
        assert said
        assert all(word == word.lower() and not any(char in "0123456789" for char in word) for word in said)


@given(st.integers(0, 999_999))
def test_every_number_is_said(number: int) -> None:
    assert all(word.isalpha() for word in cardinal(number))


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=12))
def test_a_word_of_plain_letters_is_read_by_rule_in_phones_that_the_model_has(word: str) -> None:
    assert set(by_rule(word)) <= PHONES


def test_a_word_that_no_rule_reads_is_named_with_the_remedy_and_the_others_stay() -> None:
    dictionary = read_dictionary(["the DH AH", "the(2) DH IY", ";;; a comment", "or AO R"])
    found, [error] = pronounced(["the", "nash", "Łódź".lower()], dictionary, {})
    assert found["the"] == [("DH", "AH"), ("DH", "IY")]
    assert found["nash"] == [("N", "AE", "SH")]
    assert "'łódź' is not in the dictionary" in str(error)
    assert "domain/pronunciations.dict" in str(error)
    assert isinstance(error, UnreadableWordError)
    own, none = pronounced(["łódź"], dictionary, {"łódź": [("W", "UH", "JH")]})
    assert (render(own), none) == ("łódź W UH JH\n", [])


def _model(text: str) -> tuple[dict[tuple[str, ...], float], dict[tuple[str, ...], float]]:
    found, weights = dict[tuple[str, ...], float](), dict[tuple[str, ...], float]()
    order = 0
    for line in text.splitlines():
        if line.endswith("-grams:"):
            order = int(line[1])
        elif order and line and not line.startswith("\\"):
            value, *rest = line.split()
            gram = tuple(rest[:order])
            found[gram] = float(value)
            weights[gram] = float(rest[order]) if len(rest) > order else 0.0
    return found, weights


def _log_probability(
    found: dict[tuple[str, ...], float], weights: dict[tuple[str, ...], float], gram: tuple[str, ...]
) -> float:
    if gram in found:
        return found[gram]
    return weights.get(gram[:-1], 0.0) + _log_probability(found, weights, gram[1:])


@given(SENTENCES)
def test_the_words_after_any_history_have_probabilities_that_sum_to_one(sentences: list[tuple[list[str], int]]) -> None:
    found, weights = _model(arpa([(tuple(words), times) for words, times in sentences]))
    words = [gram[0] for gram in found if len(gram) == 1 and gram != (BEGIN,)]
    known = [BEGIN, *(word for word in words if word != END)]
    for history in [(word,) for word in known] + [*product(known, known)]:
        total = sum(10 ** _log_probability(found, weights, (*history, word)) for word in words)
        assert math.isclose(total, 1.0, abs_tol=0.02), history


def test_what_was_said_counts_more_than_what_is_drawn_and_texts_are_in_it() -> None:
    scenario = Scenario(
        id="s", title="A trip", kind=ScenarioKind.PRACTICE, text="Fly to {A}. Stay two days.", placeholders={"A": ""}
    )
    sources = Sources(None, {}, (scenario.title, scenario.text), ("find a quick flight",))
    assert sentences_of(sources) == [
        (("find", "a", "quick", "flight"), 20), (("a", "trip"), 1), (("fly", "to", "a"), 1), (("stay", "two", "days"), 1),
    ]  # fmt: skip


def test_knowledge_is_made_once_for_the_same_sources_and_anew_for_others(tmp_path: Path) -> None:
    dictionary = tmp_path / "cmu.dict"
    dictionary.write_text("show SH OW\nme M IY\n", encoding="utf-8")
    first = prepare(Sources(requests=("show me łódź", "show me")), dictionary, tmp_path / "cache")
    made = first.model.stat().st_mtime_ns
    again = prepare(Sources(requests=("show me łódź", "show me")), dictionary, tmp_path / "cache")
    assert again == first
    assert again.model.stat().st_mtime_ns == made
    assert first.words == 2
    [warning] = first.warnings
    assert "'łódź'" in warning
    assert "łódź" not in first.model.read_text(encoding="utf-8"), "the model has no word that cannot be said"
    other = prepare(Sources(requests=("show me boston",)), dictionary, tmp_path / "cache")
    assert other.model != first.model
    with pytest.raises(MissingEngineError, match="not one sentence"):
        prepare(Sources(requests=("...",)), dictionary, tmp_path / "cache")


def test_a_shipped_domain_teaches_its_words_its_values_and_the_study_s_own_requests(tmp_path: Path) -> None:
    import scenarios

    folder = Path(scenarios.__file__).parent / "air_travel"
    english = english_of(folder, open_database(folder, tmp_path).url, "")
    sources = sources_of(folder, english, (), ("where is the zoo",))
    assert sources == sources_of(folder, english, (), ("where is the zoo",))
    said = sentences_of(sources)
    assert said == sentences_of(sources), "the same model for whoever makes it"
    vocabulary = {word for words, _ in said for word in words}
    assert {"boston", "denver", "nonstop", "cheapest", "limousine", "zoo", "monday", "seven"} <= vocabulary
    assert sources.sha256 != sources_of(folder, english).sha256


def test_a_domain_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "domain.toml").write_text("[entity\n", encoding="utf-8")
    with pytest.raises(MissingEngineError, match=r"cannot learn the domain in .*domain\.toml") as caught:
        sources_of(tmp_path, english_of(tmp_path, "sqlite://", ""))
    assert "\n" not in str(caught.value)
