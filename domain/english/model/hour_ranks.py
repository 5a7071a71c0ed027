"""Ranks within a day: the earliest appointment on Monday is the first by the clock, since all of Monday's have the same date."""

from __future__ import annotations

import msgspec

from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Extreme, Meaning


def ranked_by_hour(model: DomainModel, meaning: Meaning) -> Meaning:
    """Return the meaning with superlatives of a date that is fixed to a day ranking by the time of day instead."""
    inside = ranked_by_hour(model, meaning.inside) if meaning.inside else None
    fixed = {
        model.attribute[c.attribute].minimum: model.attribute[c.attribute].of
        for c in meaning.conditions
        if not c.negated and len(c.values) == 1 and c.values[0].kind == "date" and c.values[0].op == "="
    }
    extremes = tuple(_by_hour(model, one, fixed.get(one.column, "")) for one in meaning.extremes)
    if extremes == meaning.extremes and inside is meaning.inside:
        return meaning
    return msgspec.structs.replace(meaning, extremes=extremes, inside=inside)


def _by_hour(model: DomainModel, extreme: Extreme, entity: str) -> Extreme:
    """Return the superlative by the only time of day of an entity whose date is fixed; the same when there is none."""
    hours = {a.minimum for a in model.attribute.values() if a.of == entity and "clock" in a.accepts and a.minimum}
    if not entity or extreme.each or len(hours) != 1:
        return extreme
    say = "earliest" if extreme.pick == "min" else "latest"
    return msgspec.structs.replace(extreme, column=hours.pop(), say=say)
