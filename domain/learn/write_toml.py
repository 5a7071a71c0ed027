"""A domain model as editable TOML: one table per entry, without empty keys, with a comment on each section."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any

import msgspec

from domain.english.model.domain import DomainModel

_PARTS = (
    ("entity", "what can be asked for: add the words that people use for it"),
    ("kind", "what names in the database stand for: add other names under [kind.NAME.also]"),
    ("attribute", "what can be said or asked of each entity; cues are the words before a value"),
    ("flag", "words that are a condition by themselves"),
    ("superlative", "words for the most and the least"),
    ("period", "named parts of the day"),
    ("unit", "amounts: the words for units, each with how many of the column's own unit it makes"),
    ("swap", "words that ask for the previous request the other way round"),
    ("principles", "named sets of conventions"),
    ("column", "how people read the columns of an answer"),
)


_KEPT = frozenset(["related"])  # None and an empty tuple differ here


def write_domain(model: DomainModel) -> str:
    """Return the text of `domain.toml`, from which the same model is read."""
    return "\n".join(_lines(model)) + "\n"


def _lines(model: DomainModel) -> Iterator[str]:
    yield f"# English to SQL for {model.domain.name}: a first guess by `curtain learn`, meant to be edited."
    yield "# docs/reference/english.md says what every key means."
    yield ""
    for name in ("fillers", "refuse"):
        if getattr(model, name):
            yield f"{name} = {_value(getattr(model, name))}"
            yield ""
    yield from _table("domain", model.domain)
    for name, comment in _PARTS:
        things: Mapping[str, Any] = getattr(model, name)
        if things:
            yield f"# {'-' * 20} {comment}"
            yield ""
        for key, thing in things.items():
            yield from _table(f"{name}.{_key(key)}", thing)
    for join in model.join:
        yield "[[join]]"
        yield f"tables = {_value(join.tables)}"
        yield f"path = {_value(join.path)}"
        yield ""


def _table(name: str, thing: msgspec.Struct) -> Iterator[str]:
    yield f"[{name}]"
    defaults = {f.name: f.default for f in msgspec.structs.fields(thing)}
    for key, value in msgspec.structs.asdict(thing).items():
        if value is None or value == defaults[key] or (value in ((), {}) and key not in _KEPT):
            continue
        yield f"{key} = {_value(value)}"
    yield ""


def _key(name: str) -> str:
    return name if name.replace("_", "").replace("-", "").isalnum() and name.isascii() else json.dumps(name)


def _value(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case Enum():
            return json.dumps(value.value)
        case str():
            return json.dumps(value, ensure_ascii=False)
        case dict():
            return "{ " + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items()) + " }"
        case tuple() | list():
            return "[" + ", ".join(_value(v) for v in value) + "]"
        case _:
            return str(value)
