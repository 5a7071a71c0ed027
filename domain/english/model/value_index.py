"""The value index: maps phrases to the database values they name, built once from the columns.

Most requests contain names that only the database knows, so short text columns make up most of the lexicon. Phrases are
normalised by `words.read_words`; misspellings are found by a bounded edit distance.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, MetaData, select, type_coerce
from sqlalchemy.types import NullType

from domain.english.model.domain import DomainError, DomainModel, JoinPath, Kind, Literal, read_path
from domain.english.model.path_names import column_called
from domain.english.text.number_forms import spoken_names
from domain.english.text.tokens import read_words


def spread(text: str) -> tuple[str, ...]:
    """Return a code split into letters and digits, as it is spoken: "AP/80" as "ap 80"."""
    return tuple(re.findall(r"[a-z]+|[0-9]+", text.lower()))


class Named(msgspec.Struct, frozen=True):
    """A value that a phrase names."""

    kind: str
    value: Literal


Phrase = tuple[str, ...]
_TOO_COMMON = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "by",
        "can",
        "co",
        "do",
        "for",
        "from",
        "go",
        "has",
        "he",
        "hi",
        "i",
        "id",
        "if",
        "in",
        "is",
        "it",
        "la",
        "ma",
        "me",
        "my",
        "no",
        "of",
        "ok",
        "on",
        "or",
        "out",
        "so",
        "the",
        "to",
        "up",
        "us",
        "we",
        "what",
        "when",
        "which",
        "who",
        "all",
        "any",
        "how",
        "with",
        "one",
        "two",
        "three",
        "y",
        "s",
    ]
)


@lru_cache(maxsize=1 << 16)
def phrase(text: str) -> Phrase:
    """Return the normalised words of a phrase."""
    return tuple(token.text for token in read_words(text))


def index_values(model: DomainModel, schema: MetaData, link: Connection) -> dict[Phrase, tuple[Named, ...]]:
    """Return the values of each phrase, kinds in the order of `domain.toml`."""
    found: dict[Phrase, dict[Named, None]] = {}
    for name, kind in model.kind.items():
        for words, value in _entries(name, kind, schema, link):
            if words and words not in {phrase(d) for d in kind.drop}:
                found.setdefault(words, {})[Named(name, value)] = None
        keys = {named.value for values in found.values() for named in values if named.kind == name}
        for words, value in _numbered(model, kind, keys):
            found.setdefault(words, {})[Named(name, value)] = None
    return {words: tuple(values) for words, values in found.items()}


def _entries(name: str, kind: Kind, schema: MetaData, link: Connection) -> Iterable[tuple[Phrase, Literal]]:
    if kind.column:
        if column_called(schema, kind.column) is None:
            raise DomainError(f"[kind.{name}] column = {kind.column!r}: the database has no such column")
        wanted = [[kind.column], *(name.split() for name in kind.names)]
        # Values are read as stored: in SQLite, a column declared as a date may hold any text.
        held = [_column(schema, name) for parts in wanted for name in parts]
        columns: list[ColumnElement[Any]] = [type_coerce(c, NullType()).label(c.name) for c in held]
        for value, *others in link.execute(select(*columns).distinct()).all():
            if value is not None and not (kind.only and value not in kind.only):
                for text in ((value,) if kind.own else ()) + _spelt(others, wanted[1:]):
                    yield from _phrases(text, value, kind)
        for form, path in kind.reached.items():
            yield from _reached(form, read_path(path), kind, schema, link)
    for text, value in kind.also.items():
        yield phrase(text), value


def _numbered(model: DomainModel, kind: Kind, keys: Iterable[Literal]) -> Iterable[tuple[Phrase, Literal]]:
    """Yield what people with names are called by their numbers: "employee 1011", "employee number 1011"."""
    called = [e.one or name for name, e in model.entity.items() if e.key == (kind.column,)]
    if called and any(" " in pair for pair in kind.names):
        for key in keys:
            if isinstance(key, int):
                yield phrase(f"{called[0]} {key}"), key
                yield phrase(f"{called[0]} number {key}"), key


def _spelt(cells: Sequence[object], names: Sequence[Sequence[str]]) -> tuple[object, ...]:
    """Return the names of a row; one name may consist of several columns."""
    done: list[object] = []
    rest = list(cells)
    for parts in names:
        given, rest = rest[: len(parts)], rest[len(parts) :]
        done.append(given[0] if len(given) == 1 else " ".join(str(cell) for cell in given if cell is not None))
    return tuple(done)


def _reached(
    form: str, path: JoinPath, kind: Kind, schema: MetaData, link: Connection
) -> Iterable[tuple[Phrase, Literal]]:
    """Yield names from another table that identify a single value: the only branch in a town, by the town."""

    on = [_column(schema, left) == _column(schema, right) for step in path.steps for left, right in step.pairs]
    owners: dict[str, set[Literal]] = {}
    for value, text in link.execute(
        select(_column(schema, kind.column), _column(schema, path.end)).where(*on).distinct()
    ).all():
        owners.setdefault(str(text), set()).add(value)
    for text, values in owners.items():
        if len(values) == 1:
            yield phrase(form.replace("{}", text)), next(iter(values))


def _column(schema: MetaData, name: str) -> ColumnElement[Any]:
    column = column_called(schema, name)
    if column is None:
        raise DomainError(f"{name!r}: the database has no such column")
    return column


_SIGNS = {"+": ("plus", "positive"), "-": ("minus", "negative")}


def _phrases(text: object, value: Literal, kind: Kind) -> Iterable[tuple[Phrase, Literal]]:
    if text is None:
        return
    words = phrase(str(text))
    signed = _SIGNS.get(str(text)[-1:], ()) if len(str(text)) > 1 and str(text)[-2].isalnum() else ()
    for form in kind.patterns:
        for said in [f"{str(text)[:-1]} {sign}" for sign in signed] or [str(text)]:
            yield phrase(form.replace("{}", said)), value
    for sign in signed:
        yield phrase(f"{str(text)[:-1]} {sign}"), value
    if not kind.bare or signed:
        return
    if len(words) == 1 and words[0] in _TOO_COMMON:
        return
    yield words, value
    if "&" in str(text):
        yield phrase(str(text).replace("&", " and ")), value
    if any(c.isdigit() for c in str(text)) or "/" in str(text):
        yield tuple(bare for w in words if (bare := re.sub(r"[^a-z0-9]", "", w))), value
        yield from ((said, value) for said in spoken_names(words))
        pieces = spread(str(text))
        if pieces and pieces[0] not in _TOO_COMMON:
            yield pieces, value
    trimmed = tuple(w for w in words if w not in kind.without)
    if trimmed and trimmed != words and not (len(trimmed) == 1 and trimmed[0] in _TOO_COMMON):
        yield trimmed, value


def near(word: str, known: Mapping[str, object], limit: int | None = None) -> str | None:
    """Return the only known word within one edit (two from eight letters) with the same first letter, or None."""
    if len(word) < 5 or word.isdigit() or not word.isalpha():
        return None
    bound = limit or (2 if len(word) >= 8 else 1)
    best: dict[int, list[str]] = {}
    for other in known:
        if abs(len(other) - len(word)) <= bound and len(other) >= 4 and other[:1] == word[:1]:
            distance = edits(word, other, bound)
            if distance <= bound:
                best.setdefault(distance, []).append(other)
    if not best:
        return None
    nearest = best[min(best)]
    return nearest[0] if len(nearest) == 1 else None


def edits(a: str, b: str, bound: int) -> int:
    """Return the number of insertions, deletions, substitutions and transpositions, or bound + 1 if higher."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        older, before, row = before, row, [i]
        for j, y in enumerate(b, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        if min(row) > bound:
            return bound + 1
    return row[-1]
