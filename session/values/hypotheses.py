"""Hypotheses: the words that a recogniser, or a machine in its place, believes were said.

They come from a program that nobody here wrote, so that `bounded` stands between an engine's answer and the facts.
"""

import math
from collections.abc import Iterable

import msgspec

from session.values.limits import Text
from session.values.sanitize import one_line

MOST_HYPOTHESES = 9
"""Hypotheses of one utterance that are kept: a console offers them by digit."""
LONGEST_HYPOTHESIS = 2000
"""Characters of one hypothesis; what is longer is no utterance, whatever an engine says."""


class WordTime(msgspec.Struct, frozen=True):
    """One word of a hypothesis: `start` and `end` in seconds of the take, `confidence` between 0 and 1; None if unknown."""

    text: Text
    start: float | None = None
    end: float | None = None
    confidence: float | None = None


class Hypothesis(msgspec.Struct, frozen=True):
    """One string of the words that may have been said; `confidence` between 0 and 1, None if the engine gives none. Where
    errors were put in on purpose, `original` is the engine's own string."""

    text: Text
    confidence: float | None = None
    words: tuple[WordTime, ...] = ()
    original: Text = ""


def bounded(hypotheses: Iterable[Hypothesis]) -> tuple[Hypothesis, ...]:
    """Return the first hypotheses on one line each, no string twice, confidences within 0 and 1; raises ValueError for one
    that is longer than any utterance.

    >>> bounded([Hypothesis("show\\nflights", 7.0), Hypothesis("show flights")])
    (Hypothesis(text='show flights', confidence=1.0, words=(), original=''),)
    """
    found: dict[str, Hypothesis] = {}
    for hypothesis in hypotheses:
        if len(hypothesis.text) > LONGEST_HYPOTHESIS or len(hypothesis.words) > LONGEST_HYPOTHESIS:
            raise ValueError(
                f"a hypothesis of {max(len(hypothesis.text), len(hypothesis.words)):,} characters or words"
            )
        if len(hypothesis.original) > LONGEST_HYPOTHESIS:
            raise ValueError(f"an original of {len(hypothesis.original):,} characters")
        text = one_line(hypothesis.text)
        words = tuple(map(_bounded_word, hypothesis.words))
        found.setdefault(text, Hypothesis(text, _share(hypothesis.confidence), words, one_line(hypothesis.original)))
        if len(found) == MOST_HYPOTHESES:
            break
    return tuple(found.values())


def _bounded_word(word: WordTime) -> WordTime:
    if len(word.text) > LONGEST_HYPOTHESIS:
        raise ValueError(f"a word of {len(word.text):,} characters")
    return WordTime(one_line(word.text), _seconds(word.start), _seconds(word.end), _share(word.confidence))


def _share(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else min(max(value, 0.0), 1.0)


def _seconds(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) or value < 0 else value
