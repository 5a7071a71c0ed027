"""Word errors as sclite counts them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.analysis.word_alignment import INDEL, SUBSTITUTION, Edit, WordErrors, align, compared, count

WORDS = st.lists(st.sampled_from("abc"), max_size=8)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "counts"),
    [
        ("p q r A B", "A B s t u", (0, 3, 3)),  # sclite: 6 errors; with equal weights there would be 5
        ("a b c", "a x c", (1, 0, 0)),
        ("a b c", "a c", (0, 1, 0)),
        ("a c", "a b c", (0, 0, 1)),
        ("", "a b", (0, 0, 2)),
        ("a b", "", (0, 2, 0)),
        ("", "", (0, 0, 0)),
    ],
)
def test_errors_are_told_apart_by_sclite_s_weights(
    reference: str, hypothesis: str, counts: tuple[int, int, int]
) -> None:
    found = count(reference.split(), hypothesis.split())
    assert (found.substituted, found.deleted, found.inserted) == counts


@given(WORDS, WORDS)
def test_an_alignment_holds_both_sides_and_no_other_weighs_less(reference: list[str], hypothesis: list[str]) -> None:
    pairs = align(reference, hypothesis)
    assert [pair.reference for pair in pairs if pair.edit is not Edit.INSERTED] == reference
    assert [pair.hypothesis for pair in pairs if pair.edit is not Edit.DELETED] == hypothesis
    assert all((pair.edit is Edit.RIGHT) == (pair.reference == pair.hypothesis) for pair in pairs)
    found = count(reference, hypothesis)
    weight = SUBSTITUTION * found.substituted + INDEL * (found.deleted + found.inserted)
    mirrored = count(hypothesis, reference)
    assert weight == SUBSTITUTION * mirrored.substituted + INDEL * (mirrored.deleted + mirrored.inserted)
    assert weight <= INDEL * (len(reference) + len(hypothesis))
    assert (weight == 0) == (reference == hypothesis)


@given(WORDS, WORDS, WORDS)
def test_the_weight_is_a_distance(first: list[str], second: list[str], third: list[str]) -> None:
    def weight(one: list[str], other: list[str]) -> int:
        found = count(one, other)
        return SUBSTITUTION * found.substituted + INDEL * (found.deleted + found.inserted)

    assert weight(first, third) <= weight(first, second) + weight(second, third)


def test_counts_add_up_and_a_rate_without_a_word_is_none() -> None:
    total = sum([count(["a"], ["b"]), count(["a", "b"], ["a", "b"])], WordErrors())
    assert total == WordErrors(3, 1, 0, 0, 2, 1)
    assert total.rate == pytest.approx(1 / 3)
    assert count([], ["a"]).rate is None


def test_case_and_punctuation_are_no_errors() -> None:
    assert compared("What’s the FARE,  please? -") == ("what's", "the", "fare", "please")
