"""Sentences that subjects of a domain may say, drawn from what the domain's folder says of its language.

The words and cues of `domain.toml` and the values of the database are put together as requests are: an opening, what is asked
for, then conditions. They need not be likely; they have to hold the words in the neighbourhood in which they are said.
"""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from domain.english.model.domain import Attribute, DomainModel
from domain.english.model.value_index import Named, Phrase
from domain.english.text.function_words import ASKING, COUNTING
from operators.recognition.spoken_words import Words, readings

Item = TypeVar("Item")
_SLOT = re.compile(r"\{(\w+)\}")
_FRAMES = """
{ask} {the} {noun} {when}|{ask} {the} {quality} {noun} {when}|{ask} {the} {noun} {when} {when}
{ask} {noun} {when} {when} {when}|{ask} {the} {asked} of {the} {noun} {when}|{ask} {the} {asked} for {value}
what is the {quality} {noun} {when}|what are the {noun} {when} {when}|what is the {asked} of {value}|what {noun} is there {when}
what {noun} are there {when}|which {noun} {when}|which {noun} are those|which is the {quality} {noun}|which of those {when}
which {noun} are {quality}|which {noun} has the {quality} {noun}|which {noun} has the most {noun}|which of them {when}
how many {noun} are there {when}|how many {noun} {when}|how many {noun} do you know about|how many of those {when}
how much is {the} {noun} {when}|how much is {the} {value} {when}|how much does {value} cost|how much does it cost {when}
how {quality} is {value}|how do i get {when}|is there {the} {noun} {when}|are there any {noun} {when} {when}
what does {value} mean|what does the code {value} mean|what does {value} stand for|what does it cost|what about {when}
what is {value}|who is {value}|who {when}|who of those {when}|where is {value}|where is the {noun}|where can i get {the} {value}
where can i get {the} {noun}|when does {the} {noun} {when}|in which {asked} is {value}|in which {noun} is {value}
from which {noun} do {the} {noun} {when}|to which {noun} does {value} go|does {value} have {the} {noun}|do you have {noun} {when}
the {noun} {when} {when}|the {quality} {noun} {when}|only those {when}|i need {the} {noun} {when}|i need the {asked} of {value}
i would like {the} {noun} {when} {when}|i want to know {the} {asked} of {value}|{value}|{when}|{when} {when}|yes|no|thank you
oh no {that} was the wrong one|no i mean {when}|the same {when}|show me those {when}|list the {noun} {when}|list {noun} in {value}
"""
"""How requests are put together in any domain; the words in braces are what a domain fills in."""
_BEFORE = ("and", "now", "please", "okay", "good morning", "hello", "and then", "so", "then", "well", "could you")
_AFTER = (
    "please",
    "thank you",
    "then",
    "in the {period}",
    "on the {period}",
    "and what does it cost",
    "for those",
    "every day",
)
_FREE = {
    "clock": ("{n} am", "{n} pm", "{n} o'clock", "{n} thirty", "noon", "midnight", "before {n} pm", "after {n} am"),
    "weekday": ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "today", "tomorrow"),
    "money": ("{t} dollars", "{t} hundred dollars", "less than {t} hundred dollars", "under {t} dollars"),
    "number": ("{n}", "{t}", "more than {t}", "less than {t}", "{n} hundred", "more than {n} hundred", "at least {n}"),
    "code": ("{d} {t}", "{n} {t}", "{d} {d} {d}"),
    "duration": ("{n} hours", "{n} minutes", "less than {n} hours"),
    "year": ("nineteen {t} {d}",),
}  # fmt: skip
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_PERIODS = ("morning", "afternoon", "evening", "night", "day", "week", "month", "year")
_TEENS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


class SentenceSource:
    """Draws requests of one domain; the same seed draws the same ones."""

    def __init__(self, model: DomainModel, names: Mapping[Phrase, Sequence[Named]], seed: int) -> None:
        self._model = model
        self._random = random.Random(seed)
        self._openings = _phrases(ASKING)
        self._frames = _phrases(_FRAMES.strip())
        self._values: dict[str, list[str]] = {}
        for phrase, named in names.items():
            for kind in {entry.kind for entry in named}:
                self._values.setdefault(kind, []).append(" ".join(phrase))

    def phrases(self) -> Iterator[Words]:
        """Yield every phrase that the domain names, by itself."""
        model = self._model
        for values in self._values.values():
            for value in values:
                yield from readings(value)
        for group in (model.entity, model.attribute, model.flag, model.superlative):
            for named in group.values():
                for text in named.words:
                    yield from readings(text)
        for text in (*self._openings, *_phrases(COUNTING), *_BEFORE, *_MONTHS, *_DAYS, *_PERIODS):
            yield from readings(text)

    def draw(self, count: int) -> Iterator[Words]:
        """Yield `count` requests."""
        entities = sorted(self._model.entity)
        for _ in range(count):
            said = self._request(self._random.choice(entities))
            yield self._random.choice(readings(said) or [()])

    def _request(self, entity: str) -> str:
        """Return a frame, filled with the entity's words, and now and then something before or after it."""
        chance = self._random.random
        frame = self._pick(self._frames, flat=True)
        if chance() < 0.2:
            frame = f"{self._pick(_BEFORE)} {frame}"
        if chance() < 0.15:
            frame = f"{frame} {self._pick(_AFTER)}"
        return _SLOT.sub(lambda found: self._filled(found[1], entity), frame)

    def _filled(self, slot: str, entity: str) -> str:
        model, pick = self._model, self._pick
        mine = [attribute for attribute in model.attribute.values() if attribute.of == entity]
        match slot:
            case "ask":
                return pick(self._openings)
            case "the":
                return pick(("the", "the", "all the", "a", "any", "all", ""), flat=True)
            case "that":
                return pick(("that", "this"))
            case "period":
                return pick(_PERIODS)
            case "noun":
                other = entity if self._random.random() < 0.8 else self._random.choice(sorted(model.entity))
                return pick(model.entity[other].words or (other.replace("_", " "),))
            case "asked":
                return pick(
                    [words for attribute in mine for words in attribute.words]
                    or model.entity[entity].words
                    or ("name",)
                )
            case "quality":
                return self._quality(entity)
            case "value":
                return self._value(pick(sorted(self._values), flat=True)) if self._values else ""
            case _:
                return self._condition(entity, mine)

    def _quality(self, entity: str) -> str:
        """Return a superlative or a flag as it is in front of a noun."""
        model = self._model
        flags = [flag for flag in model.flag.values() if flag.of == entity]
        several = [superlative.words for superlative in model.superlative.values()] + [flag.words for flag in flags]
        return self._pick(self._pick(several, flat=True)) if several else ""

    def _condition(self, entity: str, mine: Sequence[Attribute]) -> str:
        flags = [flag for flag in self._model.flag.values() if flag.of == entity]
        if flags and (not mine or self._random.random() < 0.15):
            return self._pick(self._pick(flags, flat=True).words)
        if self._random.random() < 0.15 or not mine:
            return self._pick(("in the {}", "on {} {}", "on {}", "every {}"), flat=True).format(
                *self._random.sample((*_PERIODS, *_DAYS), 2)
            )
        of = self._pick(mine)
        kinds = [kind for kind in of.accepts if kind in self._values or kind in _FREE or kind == "date"]
        cue = self._pick(of.cues or of.words or ("",))
        value = self._value(self._pick(kinds)) if kinds else ""
        trailing = self._pick(of.trailing) if of.trailing and self._random.random() < 0.3 else ""
        return f"{cue} {value} {trailing}"

    def _pick(self, several: Sequence[Item], flat: bool = False) -> Item:
        """Draw one, the earlier ones more often unless `flat`: anyone who writes a list begins with what comes to mind first."""
        if flat:
            return self._random.choice(several)
        return several[int(len(several) * self._random.random() ** 2.5)]

    def _value(self, kind: str) -> str:
        pick = self._random.choice
        if kind in self._values:
            return pick(self._values[kind])
        if kind == "date":
            return f"{pick(_MONTHS)} {pick((pick(_TEENS), 'the ' + pick(('first', 'second', 'third', 'tenth', 'twentieth'))))}"
        form = pick(_FREE.get(kind, ("{n}",)))
        return form.format(n=pick(_TEENS), t=pick(_TENS), d=pick(_TEENS[:9]))


def _phrases(text: str) -> list[str]:
    return [phrase.strip().replace("iam", "i am") for phrase in text.replace("\n", "|").split("|") if phrase.strip()]
