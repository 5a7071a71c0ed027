"""Hypotheses as they come from an engine that nobody here wrote."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from session.values.hypotheses import LONGEST_HYPOTHESIS, MOST_HYPOTHESES, Hypothesis, WordTime, bounded

NUMBERS = st.none() | st.floats()
WORDS = st.builds(WordTime, text=st.text(), start=NUMBERS, end=NUMBERS, confidence=NUMBERS)
HYPOTHESES = st.builds(Hypothesis, text=st.text(), confidence=NUMBERS, words=st.lists(WORDS, max_size=3).map(tuple))


@given(st.lists(HYPOTHESES, max_size=20))
def test_whatever_an_engine_says_becomes_few_plain_lines_with_numbers_that_mean_something(
    found: list[Hypothesis],
) -> None:
    kept = bounded(found)
    assert bounded(kept) == kept
    assert len({hypothesis.text for hypothesis in kept}) == len(kept) <= MOST_HYPOTHESES
    for hypothesis in kept:
        assert len(hypothesis.text.splitlines()) <= 1
        shares = [hypothesis.confidence, *(word.confidence for word in hypothesis.words)]
        assert all(share is None or 0 <= share <= 1 for share in shares)
        times = [time for word in hypothesis.words for time in (word.start, word.end)]
        assert all(time is None or (time >= 0 and math.isfinite(time)) for time in times)


def test_the_first_of_two_equal_strings_counts_and_the_order_stays() -> None:
    assert bounded([Hypothesis("a b", 0.5), Hypothesis("c"), Hypothesis(" a  b ", 0.9)]) == (
        Hypothesis("a b", 0.5), Hypothesis("c"),
    )  # fmt: skip


def test_what_is_longer_than_any_utterance_is_refused() -> None:
    with pytest.raises(ValueError, match="2,001 characters"):
        bounded([Hypothesis("x" * (LONGEST_HYPOTHESIS + 1))])
