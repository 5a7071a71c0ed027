"""An utterance as a sequence of words, with what the domain knows of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from domain.english.parse.tagger import Item
from domain.english.text.everyday_life import in_everyday_use, word_set
from domain.english.text.tokens import read_words

_NAMING = ("flag", "superlative", "swap")
_TOPICS = ("entity", "hint", "asked")
_NUMBERS = frozenset({"number", "maybe clock", "digits", "ordinal"})
_TIMES = frozenset({"clock", "weekday", "date", "month", "year"})
_CLOSED = word_set(
    """
    a an the this that these those my our your his her its their i iam we you he she it they me us him them who whom
    which what and or but so then if as of to in on at by for from with about into over up out off down back through
    around near after before is are was were be been being am do does did has have had having will would can could shall
    should may might must not no too very just only also still even there here when where while oh ah because cause cos
    coz cuz since though although in-law law them yes okay ok doing go goes going gonna wanna gotta
    """
)


class SpokenWords(msgspec.Struct, frozen=True):
    """Words, and for each the kinds of values it is part of and whether it names anything else of the domain."""

    words: tuple[str, ...]
    kinds: tuple[frozenset[str], ...]
    things: tuple[bool, ...]
    entities: tuple[bool, ...]
    """Whether the word names one of the domain's entities or properties, which alone limits no answer."""
    known: tuple[bool, ...]
    """Whether anything in the lexicon accounts for the word."""

    def names(self, start: int, end: int) -> bool:
        """Return whether the words from `start` to `end` name a value or anything else of the domain."""
        return self.restricts(start, end) or any(self.entities[start:end])

    def restricts(self, start: int, end: int) -> bool:
        """Return whether a value, a flag or a superlative is among the words, any of which would limit the answer."""
        return any(self.things[start:end]) or any(self.valued(at) for at in range(start, end))

    def valued(self, at: int) -> bool:
        """Return whether the word belongs to a value. A bare "one" does not, nor does a number of people."""
        kinds = self.kinds[at]
        if not kinds:
            return False
        return not (kinds <= _NUMBERS and self._counts_people(at))

    def timed(self, start: int, end: int) -> bool:
        """Return whether a day or time is among the words."""
        return any(kinds & _TIMES for kinds in self.kinds[start:end])

    def content(self, start: int, end: int) -> list[str]:
        """Return the words that carry meaning."""
        return [word for word in self.words[start:end] if word not in _CLOSED]

    def without(self, start: int, end: int) -> SpokenWords:
        """Return the utterance without the words from `start` to `end`."""
        return SpokenWords(
            self.words[:start] + self.words[end:], self.kinds[:start] + self.kinds[end:],
            self.things[:start] + self.things[end:], self.entities[:start] + self.entities[end:],
            self.known[:start] + self.known[end:],
        )  # fmt: skip

    def strange(self, start: int, end: int, even_known: bool = False) -> list[str]:
        """Return the words that carry meaning and belong neither to everyday life nor to the function words, nor, unless
        `even_known`, to the lexicon."""
        return [
            self.words[at]
            for at in range(start, end)
            if self.words[at] not in _CLOSED
            and not ((self.known[at] and not even_known) or in_everyday_use(self.words[at]))
        ]

    def _counts_people(self, at: int) -> bool:
        before, after = self.words[max(0, at - 2) : at], self.words[at + 1 : at + 3]
        if self.words[at] == "one":
            return not any(self.kinds[at + 1 : at + 2]) or self.kinds[at + 1] <= frozenset()
        grouped = before[-2:] in (("family", "of"), ("party", "of"), ("group", "of")) or after[:2] == ("of", "us")
        return grouped or (bool(after) and after[0] in _COUNTED)


_COUNTED = word_set(
    """
    kids children boys girls sons daughters brothers sisters people friends cats dogs bags suitcases babies
    """
)


def read_spoken(text: str, items: Callable[[str], Sequence[Item]]) -> SpokenWords:
    """Return the utterance of a text; `items` finds what its words can be."""
    words = tuple(token.text for token in read_words(text))
    kinds: list[frozenset[str]] = [frozenset()] * len(words)
    things, entities, known = [False] * len(words), [False] * len(words), [False] * len(words)
    for item in items(text):
        plain = item.has("fill") and not item.has("flag")
        named = any(item.has(what) for what in _NAMING) and not plain
        entity = any(item.has(what) for what in _TOPICS) and not plain
        values = frozenset(sense.value.kind for sense in item.all("value") if sense.value)
        for at in range(item.start, min(item.end, len(words))):
            kinds[at], things[at], entities[at], known[at] = values, named, entity, not item.has("unknown")
    return SpokenWords(words, tuple(kinds), tuple(things), tuple(entities), tuple(known))
