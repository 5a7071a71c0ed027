"""Checks for words with two senses, and for words that another entry shadows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from domain.check.finding import DomainFinding, shown_key
from domain.english.model.domain import DomainModel
from domain.english.model.value_index import Named, Phrase, phrase
from session.values.vocabulary import Severity

_SHOWN = 3


def find_collisions(model: DomainModel, values: Mapping[Phrase, Sequence[Named]]) -> Iterator[DomainFinding]:
    """Yield words shared by two entries of one kind, words that are also ignored or refused, and names that are also
    words."""
    for part, what in (
        ("entity", "entities"),
        ("flag", "flags"),
        ("superlative", "superlatives"),
        ("period", "periods"),
    ):
        yield from _twice(model, part, what)
    yield from _asked_twice(model)
    yield from _passed_over(model)
    yield from _names_of_things(model, values)
    yield from _names_of_two_kinds(model, values)


def _said(things: Mapping[str, object], part: str) -> Iterator[tuple[Phrase, tuple[str, str]]]:
    for name, thing in things.items():
        for text in getattr(thing, "words", ()):
            yield phrase(text), (part, name)


def _twice(model: DomainModel, part: str, what: str) -> Iterator[DomainFinding]:
    first: dict[Phrase, tuple[str, str]] = {}
    shared: dict[tuple[tuple[str, str], tuple[str, str]], list[str]] = {}
    for words, key in _said(getattr(model, part), part):
        here, said = (*key, "words"), " ".join(words)
        other = first.setdefault(words, key)
        if other is key or not words:
            continue
        if other == key:
            yield DomainFinding(Severity.NOTE, here, f"“{said}” stands there twice", "delete one")
        else:
            shared.setdefault((key, other), []).append(said)
    for (key, other), phrases in shared.items():
        words_of = "is a word of two" if len(phrases) == 1 else "are words of two"
        remedy = f"leave {'it' if len(phrases) == 1 else 'each'} to the one that is usually meant and give the other a longer one"
        text = f"{_few(phrases)} {words_of} {what}: {shown_key(other)} comes first and is always meant"
        yield DomainFinding(Severity.WARNING, (*key, "words"), text, remedy)


def _asked_twice(model: DomainModel) -> Iterator[DomainFinding]:
    first: dict[tuple[str, Phrase], str] = {}
    for name, attribute in model.attribute.items():
        for words in dict.fromkeys(phrase(text) for text in attribute.words):
            other = first.setdefault((attribute.of, words), name)
            if other != name:
                text = f"“{' '.join(words)}” asks for [attribute.{other}] of the same entity too, which comes first"
                remedy = "leave it to one of them, or name both in one attribute's `select`"
                yield DomainFinding(Severity.WARNING, ("attribute", name, "words"), text, remedy)


def _passed_over(model: DomainModel) -> Iterator[DomainFinding]:
    fillers = {phrase(text) for text in model.fillers}
    refused = {phrase(text) for text in model.refuse}
    passed: dict[tuple[str, ...], list[str]] = {}
    for part in ("entity", "attribute", "flag", "superlative", "period"):
        for words, key in _said(getattr(model, part), part):
            if words in refused:
                text = f"every request with “{' '.join(words)}” is refused, since `refuse` has it"
                yield DomainFinding(Severity.WARNING, (*key, "words"), text, "delete it here or there")
            elif words in fillers and part in {"entity", "flag", "superlative"}:
                passed.setdefault((*key, "words"), []).append(" ".join(words))
    for where, said in passed.items():
        text = f"{_few(said)} is among the `fillers` too: where it does not fit, it is passed over in silence"
        yield DomainFinding(Severity.NOTE, where, text, "if that may not be, delete it there")
    for words in sorted(fillers & refused):
        yield DomainFinding(
            Severity.NOTE, ("fillers",), f"“{' '.join(words)}” is refused, never passed over", "delete one"
        )


def _names_of_things(model: DomainModel, values: Mapping[Phrase, Sequence[Named]]) -> Iterator[DomainFinding]:
    found: dict[tuple[str, str], list[str]] = {}
    for words, (_, name) in _said(model.entity, "entity"):
        for kind in dict.fromkeys(named.kind for named in values.get(words, ())):
            found.setdefault((name, kind), []).append(" ".join(words))
    for (name, kind), said in found.items():
        text = f"{_few(said)} also names a value of [kind.{kind}]"
        remedy = f"if the thing is always meant, write it into `drop` of [kind.{kind}]"
        yield DomainFinding(Severity.NOTE, ("entity", name, "words"), text, remedy)


def _names_of_two_kinds(model: DomainModel, values: Mapping[Phrase, Sequence[Named]]) -> Iterator[DomainFinding]:
    """Yield kinds that share names and that no `qualifies` tells apart."""
    shared: dict[tuple[str, str], list[str]] = {}
    for words, named in values.items():
        kinds = list(dict.fromkeys(entry.kind for entry in named))
        for later in kinds[1:]:
            shared.setdefault((kinds[0], later), []).append(" ".join(words))
    for (one, other), said in shared.items():
        if other not in model.kind[one].qualifies and one not in model.kind[other].qualifies:
            text = f"{_few(said)} may be of [kind.{one}] too, which is tried first"
            remedy = "give the attributes that accept them different `cues`, or put names into `drop` of one"
            yield DomainFinding(Severity.NOTE, ("kind", other), text, remedy)


def _few(said: Sequence[str]) -> str:
    shown = ", ".join(f"“{words}”" for words in said[:_SHOWN])
    return shown if len(said) <= _SHOWN else f"{shown} and {len(said) - _SHOWN} more"
