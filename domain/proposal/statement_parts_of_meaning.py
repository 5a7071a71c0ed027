"""Parts of a meaning that the conditions of a statement turn into, and the meanings that one makes of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from domain.english.model.domain import DomainModel
from domain.english.model.meaning import AnswerRows, Compared, Condition, Extreme, Flagged, Having, Meaning

_MOST = 10


class Unread(Exception):
    """A part of the statement has no equivalent in the domain."""


class Inside(msgspec.Struct, frozen=True):
    """A restriction to the things that another request means."""

    whole: Meaning


class Outside(msgspec.Struct, frozen=True):
    """A restriction to things other than those that another request means."""

    whole: Meaning


class Either(msgspec.Struct, frozen=True):
    """One of these groups of conditions holds."""

    groups: tuple[tuple[Condition, ...], ...]


Part = Condition | Flagged | Extreme | Having | Compared | AnswerRows | Inside | Outside | Either
Choice = tuple[Part, ...]
"""Parts that hold together: what a condition can be read as."""


def meanings(model: DomainModel, plain: Meaning, choices: Sequence[Sequence[Choice]]) -> Iterator[Meaning]:
    """Yield what a request means that all conditions limit: first each as it is best read, then one of them read otherwise."""
    if not all(choices):
        raise Unread
    best = [ways[0] for ways in choices]
    found = 0
    for chosen in (best, *_others(best, choices)):
        for meaning in _limited(model, plain, [part for choice in chosen for part in choice]):
            yield meaning
            found += 1
            if found >= _MOST:
                return


def _others(best: Sequence[Choice], choices: Sequence[Sequence[Choice]]) -> Iterator[list[Choice]]:
    for at, ways in enumerate(choices):
        for way in ways[1:]:
            yield [*best[:at], way, *best[at + 1 :]]


def _limited(model: DomainModel, plain: Meaning, parts: Sequence[Part]) -> Iterator[Meaning]:
    def of(kind: type) -> tuple[Part, ...]:
        return tuple(dict.fromkeys(part for part in parts if isinstance(part, kind)))

    insides, outsides, eithers, rows = of(Inside), of(Outside), of(Either), of(AnswerRows)
    if max(map(len, (insides, outsides, eithers, rows))) > 1:
        raise Unread
    meaning = msgspec.structs.replace(
        plain,
        conditions=(*plain.conditions, *of(Condition)),
        flags=(*plain.flags, *of(Flagged)),
        extremes=(*plain.extremes, *of(Extreme)),
        having=(*plain.having, *of(Having)),
        compared=of(Compared),
        rows=next(iter(rows), None),
        inside=next((part.whole for part in insides if isinstance(part, Inside)), None),
        outside=next((part.whole for part in outsides if isinstance(part, Outside)), None),
        either=next((part.groups for part in eithers if isinstance(part, Either)), ()),
    )
    yield meaning
    far = [
        c.attribute for c in meaning.conditions if c.negated and model.attribute[c.attribute].of not in plain.entities
    ]
    far += [n for f in meaning.flags if f.negated for n in f.flags if model.flag[n].of not in plain.entities]
    if far:
        yield msgspec.structs.replace(meaning, never=tuple(far))
