"""Validated questionnaires that ship, item by item, and their scores by the published rules (`forms/*.toml` name the sources).

A form of a study names them under `instruments`. Answers begin with their number, so that a score is the same in every language.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import msgspec

from session.study.settings import Questionnaire, QuestionnaireItem
from session.study.toml_reader import StudyError, nearest, parsed
from session.values.vocabulary import ItemKind

FORMS = Path(__file__).parent / "forms"
FALLBACK = "en"


class Scale(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One score: the mean of its items, the `reversed` ones turned round, brought to the range from `low` to `high`."""

    id: str
    low: float
    high: float
    items: tuple[int, ...]
    reversed: tuple[int, ...] = ()


class Wording(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The items in one language; `anchors` name the ends of the scale, `own_anchors` those of an item; `texts` come first."""

    anchors: tuple[str, str]
    items: tuple[str, ...]
    own_anchors: dict[str, tuple[str, str]] = {}
    texts: tuple[str, ...] = ()


class Instrument(msgspec.Struct, frozen=True):
    """One questionnaire: answers from `first` to `last` in steps, its scales, its wordings by language."""

    id: str
    source: str
    first: int
    last: int
    step: int
    scale: tuple[Scale, ...]
    wordings: dict[str, Wording]

    def items(self, language: str) -> tuple[QuestionnaireItem, ...]:
        """Return its items in a language, in English where no validated wording in that language is known to us."""
        wording = self.wordings.get(language.partition("-")[0].lower(), self.wordings[FALLBACK])
        asked = [
            QuestionnaireItem(id=f"{self.id}_text_{n}", text=text, kind=ItemKind.TEXT)
            for n, text in _numbered(wording.texts)
        ]
        for n, text in _numbered(wording.items):
            low, high = wording.own_anchors.get(str(n), wording.anchors)
            asked.append(QuestionnaireItem(id=f"{self.id}_{n}", text=text, choices=self._choices(low, high)))
        return tuple(asked)

    def _choices(self, low: str, high: str) -> tuple[str, ...]:
        ends = {self.first: f"{self.first} {low}", self.last: f"{self.last} {high}"}
        return tuple(ends.get(number, str(number)) for number in range(self.first, self.last + 1, self.step))

    def scores(self, answers: Mapping[str, str]) -> dict[str, float]:
        """Return the scales of which every item was answered; `answers` by item, as in a `.squ`."""
        found = dict[str, float]()
        for scale in self.scale:
            given = {n: _number(answers.get(f"{self.id}_{n}", "")) for n in scale.items}
            points = {n: number for n, number in given.items() if number is not None}
            if len(points) < len(scale.items) or not all(self.first <= point <= self.last for point in points.values()):
                continue
            turned = (self.last - p if n in scale.reversed else p - self.first for n, p in points.items())
            share = sum(turned) / (self.last - self.first) / len(points)
            found[scale.id] = round(scale.low + (scale.high - scale.low) * share, 4)
        return found


def _numbered(texts: Iterable[str]) -> Iterable[tuple[int, str]]:
    return enumerate(texts, start=1)


def _number(answer: str) -> int | None:
    """Return the number that an answer begins with.

    >>> _number("5 Strongly agree"), _number("no")
    (5, None)
    """
    first = answer.partition(" ")[0]
    return int(first) if first.isascii() and first.isdigit() and len(first) < 4 else None


@cache
def instruments() -> Mapping[str, Instrument]:
    """Return all that ship, by id."""
    found = {}
    for path in sorted(FORMS.glob("*.toml")):
        data = {"step": 1, **parsed(path)[1]}
        wordings = {key: value for key, value in data.items() if isinstance(value, dict)}
        rest = {key: value for key, value in data.items() if key not in wordings}
        found[path.stem] = msgspec.convert(rest | {"id": path.stem, "wordings": wordings}, Instrument)
    return found


def with_instruments(path: Path, form: Questionnaire, language: str) -> Questionnaire:
    """A study's form with the items of the instruments that it names before its own; raises StudyError."""
    known, items = instruments(), list[QuestionnaireItem]()
    for name in form.instruments:
        if name not in known:
            raise StudyError(f"{path}: `instruments` names {name!r}, which does not ship; {nearest(name, known)}")
        items += known[name].items(language)
    try:
        return msgspec.structs.replace(form, item=(*items, *form.item))
    except ValueError as error:
        raise StudyError(f"{path}: {error}") from error


def scored(answers: Mapping[str, str]) -> dict[str, float]:
    """Every score that the answers of a session allow, by scale."""
    found = dict[str, float]()
    for instrument in instruments().values():
        found |= instrument.scores(answers)
    return found
