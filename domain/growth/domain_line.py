"""Lines to add to a domain: a phrase in a list of `domain.toml`, or a phrase for a value."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from domain.check.added_phrases import changes
from domain.check.finding import shown_key
from domain.english.engine import Engine
from domain.english.model.domain import DomainModel, Literal
from domain.english.model.value_index import Named, Phrase
from domain.english.model.value_index import phrase as words_of
from domain.growth.statement_shape import literals_of


class DomainLine(msgspec.Struct, frozen=True):
    """A phrase for the list at `key`; in a table of names, such as `[kind.town.also]`, with the value it stands for."""

    key: tuple[str, ...]
    phrase: str
    value: Literal | None = None

    def __str__(self) -> str:
        stands = "" if self.value is None else f" = {json.dumps(self.value, ensure_ascii=False)}"
        return f"{shown_key(self.key)}: {json.dumps(self.phrase, ensure_ascii=False)}{stands}"

    def put_into(self, model: DomainModel) -> DomainModel:
        """Return the domain with this line."""
        return _with(model, self.key, self)  # type: ignore[no-any-return]


def _with(thing: Any, key: tuple[str, ...], line: DomainLine) -> Any:
    if not key:
        return {**thing, line.phrase: line.value} if isinstance(thing, Mapping) else (*thing, line.phrase)
    first, *rest = key
    if isinstance(thing, Mapping):
        return {**thing, first: _with(thing[first], tuple(rest), line)}
    return msgspec.structs.replace(thing, **{first: _with(getattr(thing, first), tuple(rest), line)})


class WantedPhrase(msgspec.Struct, frozen=True):
    """A phrase without a sense: the requests that contain it, each with the statements sent for it, and its rewordings."""

    phrase: str
    sent: tuple[tuple[str, tuple[str, ...]], ...]
    instead: frozenset[str] = frozenset()


def lines_for(own: DomainModel, engine: Engine, spoken: WantedPhrase) -> list[DomainLine]:
    """Return the lines that give a phrase a sense: first those that make it a synonym of its rewording, then the most
    specific. `own` is the content of `domain.toml`, without what principles add."""
    found = [*_names_of_values(own, engine, spoken)]
    lists = [(change.key[0], change.key[-1], change.key) for change in changes(own, spoken.phrase)]
    lists += [
        (part, "words", (part, name, "words")) for part in ("superlative", "period") for name in getattr(own, part)
    ]
    named = all(any(item.all("entity") for item in engine.items(said)) for said, _ in spoken.sent)
    # when an entity is named, a word without effect is no other entity
    lists.sort(key=lambda one: (not (named and one[0] == "fillers"), _ORDER.index(one[:2])))
    found += [DomainLine(key, spoken.phrase) for _, _, key in lists]
    instead = {words_of(text) for text in spoken.instead}
    return sorted(found, key=lambda line: not any(_stands_beside(own, engine, line, words) for words in instead))


def _names_of_values(own: DomainModel, engine: Engine, spoken: WantedPhrase) -> Iterator[DomainLine]:
    """Yield lines for values in the sent statements that their requests do not name already."""
    known: dict[Named, None] = {}
    ways: dict[str, set[str]] = {}  # a value may belong to several kinds and be named through another
    for words, named in engine.names.items():
        for one in named:
            ways.setdefault(str(one.value).lower(), set()).add(f" {' '.join(words)} ")
            if one.kind in own.kind and own.kind[one.kind].column:
                known[one] = None
    wanted: dict[Named, None] = {}
    for said, statements in spoken.sent:
        held = {literal for statement in statements for literal in literals_of(statement, engine.dialect_name)}
        text = f" {' '.join(words_of(said))} "
        unnamed = {value for value in held & ways.keys() if not any(way in text for way in ways[value])}
        wanted |= dict.fromkeys(one for one in known if str(one.value).lower() in unnamed)
    yield from (DomainLine(("kind", one.kind, "also"), spoken.phrase, one.value) for one in wanted)


def _stands_beside(own: DomainModel, engine: Engine, line: DomainLine, words: Phrase) -> bool:
    """Return whether words already have the sense that the line gives its phrase."""
    if line.value is not None:
        return Named(line.key[1], line.value) in engine.names.get(words, ())
    return words in {words_of(str(one)) for one in _list_at(own, line.key)}


_ORDER = [
    ("entity", "words"),
    ("fillers", "fillers"),  # a condition without effect on the statement is none
    ("flag", "words"),
    ("superlative", "words"),
    ("period", "words"),
    ("attribute", "words"),
    ("attribute", "cues"),
]


def is_word_of(model: DomainModel, line: DomainLine) -> bool:
    """Return whether the phrase is already in that list."""
    return words_of(line.phrase) in {words_of(str(one)) for one in _list_at(model, line.key)}


def _list_at(model: DomainModel, key: tuple[str, ...]) -> Iterable[object]:
    there: Any = model
    for part in key:
        there = there[part] if isinstance(there, Mapping) else getattr(there, part)
    return there  # type: ignore[no-any-return]
