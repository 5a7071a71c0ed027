"""Companions of a reading: the clarification question when a request leaves something open, and the principles it
applies."""

from __future__ import annotations

from domain.english.model.domain import Conventions, DomainModel
from domain.english.model.meaning import Meaning


def find_clarification(model: DomainModel, meaning: Meaning) -> str | None:
    """Return the clarification question for a required attribute that the request leaves open, or None."""
    said = {c.attribute for c in meaning.conditions} | {c.attribute for group in meaning.either for c in group}
    said |= {name for flagged in meaning.flags for name in flagged.flags}
    for name in meaning.entities:
        entity = model.entity[name]
        if said & set(entity.clarify_unless):
            continue
        for attribute, question in entity.clarify.items():
            if attribute not in said:
                return question
    return None


def cite_principles(conventions: Conventions, meaning: Meaning) -> tuple[str, ...]:
    """Return the ids of the principles that this meaning applies, as the active set of conventions cites them."""
    names = [c.attribute for c in meaning.conditions]
    values = [v for c in meaning.conditions for v in c.values]
    names += [f"period {v.say}" if v.op == "period" else f"{v.kind} {v.op}" for v in values]
    names += [name for flagged in meaning.flags for name in flagged.flags]
    flags = [name for flagged in meaning.flags for name in flagged.flags]
    names += [f"{e.superlative} {flag}".strip() for e in meaning.extremes for flag in ("", *flags)]
    names += [f"asked {name}" for name in (*meaning.entities, *meaning.attributes)]
    return tuple(dict.fromkeys(conventions.cite[n] for n in names if n in conventions.cite))
