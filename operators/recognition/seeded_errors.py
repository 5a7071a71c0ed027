"""Recognition errors made on purpose: so many for each word, of a realistic mix, the same for the same seed.

Words are put in place of others that sound like them, by the phones of the dictionary; short words are lost and put in most
often, as by real recognisers. A study thus compares how people speak with a system that hears better or worse.
"""

import random
from collections.abc import Mapping, Sequence
from functools import lru_cache

from operators.recognition.pronunciations import Phones
from operators.recognition.spoken_words import words_of
from session.study.settings import Noise
from session.values.hypotheses import Hypothesis

NEAREST = 6
"""Words that may stand for another: those that sound most like it."""
SHORT = 3
"""Phones of a word that is easily lost, or heard where nobody said it."""
_VOWELS = ("A", "E", "I", "O", "U")


class ErrorModel:
    """The words of a domain with their phones, and what they are taken for."""

    def __init__(self, pronunciations: Mapping[str, Sequence[Phones]]) -> None:
        self._phones = {word: several[0] for word, several in sorted(pronunciations.items()) if several}
        self._short = [word for word, phones in self._phones.items() if len(phones) <= SHORT] or [*self._phones]
        self.confusable = lru_cache(maxsize=10_000)(self._confusable)

    def _confusable(self, word: str, known: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Return the words that sound most like a word, the nearest first, out of `known` or all."""
        own = self._phones.get(word) or tuple(word.upper())
        others = [other for other in (known or self._phones) if other != word]
        distances = sorted((_distance(own, self._phones.get(other, tuple(other.upper()))), other) for other in others)
        return tuple(other for _, other in distances[:NEAREST])

    def worsened(self, text: str, noise: Noise, seed: str) -> str:
        """Return a string with errors; the same `seed` gives the same ones."""
        drawn = random.Random(seed)
        known = tuple(sorted({word for entry in noise.vocabulary for word in words_of(entry)}))
        inserted = noise.word_error * noise.insertions
        deleted = noise.word_error * noise.deletions
        substituted = noise.word_error - inserted - deleted
        short = tuple(word for word in self._short if not known or word in known)
        words = [*words_of(text)]
        lengths = [len(self._phones.get(word, word)) for word in words]
        easily = _weights(lengths)
        found = list[str]()
        for word, weight in zip(words, easily, strict=True):
            chance = drawn.random()
            if known and word not in known:
                found += self.confusable(word, known)[:1]
            elif chance < deleted * weight:
                pass
            elif chance < deleted * weight + substituted:
                found.append(self._other(word, known, drawn))
            else:
                found.append(word)
            if drawn.random() < inserted:
                found.append(drawn.choice(short or known or (word,)))
        return " ".join(found)

    def _other(self, word: str, known: tuple[str, ...], drawn: random.Random) -> str:
        """Return a word in place of another, the one that sounds most like it most often."""
        several = self.confusable(word, known)
        return several[int(len(several) * drawn.random() ** 2)] if several else word


def worsened(model: ErrorModel, found: tuple[Hypothesis, ...], noise: Noise, seed: str) -> tuple[Hypothesis, ...]:
    """Return one hypothesis with errors in place of an engine's, which it keeps as its original; the others would tell it."""
    if not found:
        return found
    text = model.worsened(found[0].text, noise, seed)
    return (Hypothesis(text, original=found[0].text),)


def _weights(lengths: Sequence[int]) -> list[float]:
    """Return by how much more than others each word is lost: short ones twice as often, and one in the mean."""
    raw = [2.0 if length <= SHORT else 1.0 for length in lengths]
    mean = sum(raw) / len(raw) if raw else 1.0
    return [weight / mean for weight in raw]


def _distance(one: Phones, other: Phones) -> float:
    """Return how unlike two words sound: edits of phones, of which a vowel for a vowel or a consonant for one counts half."""
    row = [float(place) for place in range(len(other) + 1)]
    for phone in one:
        before, row[0] = row[0], row[0] + 1
        for place, heard in enumerate(other, start=1):
            same = 0.0 if phone == heard else 0.5 if phone.startswith(_VOWELS) == heard.startswith(_VOWELS) else 1.0
            before, row[place] = row[place], min(before + same, row[place] + 1, row[place - 1] + 1)
    return row[-1]
