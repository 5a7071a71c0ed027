"""Checks of references between entries of a domain, and of entries that no request can reach.

Reading `domain.toml` accepts a misspelt name without an error: the condition then silently never applies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from domain.check.finding import DomainFinding
from domain.english.model.domain import Attribute, DomainModel
from session.study.toml_reader import nearest
from session.values.vocabulary import Severity

BUILT_IN = frozenset(
    [
        "number",
        "money",
        "code",
        "digits",
        "clock",
        "maybe clock",
        "weekday",
        "date",
        "month",
        "year",
        "years",
        "ordinal",
    ]
)
"""The kinds of values built into every domain."""


def find_loose_ends(model: DomainModel) -> Iterator[DomainFinding]:
    """Yield references to missing entries, then entries that no request reaches."""
    yield from _names(model)
    yield from _dead_kinds(model)
    yield from _dead_attributes(model)
    for part in ("entity", "flag", "superlative", "period", "swap"):
        for name, thing in getattr(model, part).items():
            if not (thing.words or (part == "entity" and _asked_otherwise(model, name))):
                remedy = "give it `words`, or delete it"
                yield DomainFinding(Severity.WARNING, (part, name), "no word leads to it", remedy)


def _names(model: DomainModel) -> Iterator[DomainFinding]:
    entities, attributes, flags = set(model.entity), set(model.attribute), set(model.flag)
    kinds = {*BUILT_IN, *model.kind, *model.unit}
    named: list[tuple[tuple[str, ...], Iterable[str], set[str], str]] = []
    for name, entity in model.entity.items():
        here = ("entity", name)
        named += [((*here, "related"), entity.related or (), entities, "entity")]
        named += [((*here, "clarify"), entity.clarify, attributes | flags, "attribute or flag")]
        named += [((*here, "clarify_unless"), entity.clarify_unless, attributes | flags, "attribute or flag")]
    for name, kind in model.kind.items():
        for key in ("asks", "explains", "hint"):
            named += [(("kind", name, key), filter(None, [getattr(kind, key)]), entities, "entity")]
        named += [(("kind", name, "qualifies"), kind.qualifies, {*kinds}, "kind")]
    for name, attribute in model.attribute.items():
        here = ("attribute", name)
        single = {key: [getattr(attribute, key)] for key in ("repeated", "stands_for", "follows")}
        named += [((*here, key), filter(None, found), attributes, "attribute") for key, found in single.items()]
        named += [((*here, "after"), attribute.after, attributes, "attribute")]
        named += [((*here, "accepts"), attribute.accepts, kinds, "kind or unit")]
        named += [((*here, "with_flag"), attribute.with_flag, flags, "flag")]
        named += [((*here, "each"), attribute.each if isinstance(attribute.each, tuple) else (), kinds, "kind")]
    for name, flag in model.flag.items():
        named += [(("flag", name, "unless"), flag.unless, attributes | flags, "attribute or flag")]
    for name, superlative in model.superlative.items():
        named += [(("superlative", name, "column"), superlative.column, entities, "entity")]
        named += [(("superlative", name, "with_flag"), superlative.with_flag, flags, "flag")]
        named += [(("superlative", name, "refine"), superlative.refine, attributes, "attribute")]
    for name, swap in model.swap.items():
        for key, found in (("exchange", swap.exchange), ("drop", swap.drop)):
            named += [(("swap", name, key), found, attributes | flags, "attribute or flag")]
    for where, names, known, what in named:
        for name in names:
            if name not in known:
                yield DomainFinding(Severity.ERROR, where, f"no {what} is called {name}", nearest(name, known))


def _dead_kinds(model: DomainModel) -> Iterator[DomainFinding]:
    accepted = {kind for attribute in model.attribute.values() for kind in attribute.accepts}
    for name, kind in model.kind.items():
        if name not in accepted and not (kind.asks or kind.explains or kind.hint):
            text = "no attribute accepts it: its names are read and never used"
            remedy = f"write `{name} = …` under `accepts` of an attribute, or delete it"
            yield DomainFinding(Severity.WARNING, ("kind", name), text, remedy)
    for name in model.unit:
        if name not in accepted:
            remedy = f"write `{name} = …` under `accepts` of an attribute, or delete it"
            yield DomainFinding(Severity.WARNING, ("unit", name), "no attribute accepts its amounts", remedy)


def _dead_attributes(model: DomainModel) -> Iterator[DomainFinding]:
    led = {name for attribute in model.attribute.values() for name in (attribute.repeated, *attribute.after)}
    led |= {name for superlative in model.superlative.values() for name in superlative.refine}
    led |= {name for swap in model.swap.values() for name in swap.exchange}
    for name, attribute in model.attribute.items():
        if not (_said(attribute) or name in led):
            text = "neither words, cues, trailing words nor a default lead to it"
            remedy = "give it `words` or `cues`, or `default = 1` if its values need none, or delete it"
            yield DomainFinding(Severity.WARNING, ("attribute", name), text, remedy)


def _said(attribute: Attribute) -> bool:
    led = attribute.words or attribute.cues or attribute.trailing or attribute.default or attribute.after
    return bool(led or attribute.follows or attribute.stands_for)


def _asked_otherwise(model: DomainModel, entity: str) -> bool:
    """Return whether an entity can be requested without a word of its own."""
    asked = {found for kind in model.kind.values() for found in (kind.asks, kind.explains, kind.hint)}
    return entity in {*asked, model.domain.entity} or bool(model.entity[entity].hints)
