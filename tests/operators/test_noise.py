"""Recognition made worse on purpose: by profile, for each subject, repeatable."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.analysis.word_alignment import WordErrors, count
from operators.listener import NO_ERROR_MODEL
from session.study.settings import Noise
from session.values.hypotheses import Hypothesis
from session.values.vocabulary import Role
from session.visibility import access, hears
from tests.operators.listening import MODEL, SAID, noisy, proposals, troubles_without_words


@pytest.mark.parametrize("rate", [0.1, 0.3, 0.6])
def test_the_rate_that_is_wanted_is_reached_over_many_words_in_the_mix_that_is_wanted(rate: float) -> None:
    noise = Noise(word_error=rate)
    total = sum(
        (count(SAID.split(), MODEL.worsened(SAID, noise, str(number)).split()) for number in range(200)), WordErrors()
    )
    assert total.rate == pytest.approx(rate, rel=0.12), "a deletion beside an insertion counts as one substitution"
    assert total.substituted > total.deleted > total.inserted > 0


def test_the_same_subject_s_same_utterance_has_the_same_errors_and_another_s_has_others() -> None:
    def texts(seed: int, speaker: str) -> list[str]:
        profile = noisy(noise=Noise(word_error=0.3), session_seed=seed)
        return [
            command.hypotheses[0].text for command in proposals(profile, takes=3, speaker=speaker)[0] if command.final
        ]

    first = texts(1, "b01")
    assert first == texts(1, "b01")
    assert len(set(first)) == 3, "each utterance has errors of its own"
    assert first != texts(2, "b01")
    assert first != texts(1, "b02")


def test_the_engine_s_own_words_are_kept_beside_and_nothing_else_tells_them() -> None:
    found, _ = proposals(noisy(noise=Noise(word_error=0.5)))
    [command] = found
    assert command.final, "words on the way would tell what was said"
    [hypothesis] = command.hypotheses
    assert hypothesis.original == SAID
    assert hypothesis.text != SAID
    assert (hypothesis.words, hypothesis.confidence) == ((), None)


def test_without_noise_the_engine_s_words_go_through_as_they_are() -> None:
    found, _ = proposals(noisy())
    assert [command.final for command in found] == [False, True]
    assert found[-1].hypotheses == (Hypothesis(SAID, 0.9), Hypothesis("another"))


def test_words_without_the_errors_that_a_profile_wants_are_no_words() -> None:
    assert troubles_without_words(noisy(noise=Noise(word_error=0.3))) == [NO_ERROR_MODEL]
    assert troubles_without_words(noisy())[-1] == "words"


def test_of_a_restricted_vocabulary_nothing_else_is_ever_recognised_and_likeness_decides() -> None:
    known = ("flights", "austin", "dinner", "monday")
    text = MODEL.worsened("flight boston denver monday", Noise(vocabulary=known), "1")
    assert text == "flights austin dinner monday"
    for seed in range(30):
        worse = MODEL.worsened(SAID, Noise(vocabulary=known, word_error=0.5), str(seed))
        assert set(worse.split()) <= set(known)


def test_a_string_can_arrive_word_by_word() -> None:
    found, slept = proposals(noisy(noise=Noise(word_error=0.3, word_ms=250)))
    texts = [command.hypotheses[0].text for command in found]
    final = texts[-1].split()
    assert texts == [" ".join(final[:count]) for count in range(1, len(final) + 1)]
    assert [command.final for command in found] == [False] * (len(final) - 1) + [True]
    assert slept == [0.25] * (len(final) - 1)


def test_a_wizard_may_be_left_with_the_string_alone() -> None:
    deaf = noisy(subject_heard=False)
    assert not hears(Role.WIZARD, deaf)
    assert hears(Role.TRANSCRIBER, deaf)
    assert hears(Role.RECOGNISER, deaf)
    assert all(hears(role, noisy()) == access(role).listens for role in Role)


@given(st.text(max_size=60), st.floats(0, 0.9), st.integers())
def test_no_text_and_no_rate_is_too_much(text: str, rate: float, seed: int) -> None:
    noise = Noise(word_error=rate)
    assert MODEL.worsened(text, noise, str(seed)) == MODEL.worsened(text, noise, str(seed))


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"word_error": 0.95}, "between 0 and 0.9"),
        ({"deletions": 0.7, "insertions": 0.5}, "at most 1 together"),
        ({"word_ms": -1}, "between 0 and 10000"),
    ],
)
def test_noise_that_cannot_be_is_refused(keys: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Noise(**keys)  # type: ignore[arg-type]
