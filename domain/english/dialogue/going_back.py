"""Returning to a list that was shown before it was narrowed: "back to the whole list", "the first ones again"."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Meaning
from domain.english.parse.parser import Parsed

_TO_THE_LIST = re.compile(
    r"\b(?:back|return(?:ing)?) to (?:(?:the|my|our|that|those|all|of|very) )*"
    r"(?:(?P<first>first|original|initial|earliest|beginning|start|begin with)|(?P<whole>whole|full|entire|complete"
    r"|bigger|longer|big|long|them|them all|everyone|everybody|everything)"
    r"|earlier|previous|other|old|last|list)\b(?: (?:list|lot|ones?|set|results?|thing|bunch|selection|search|options"
    r"|choices|question"
    r"|answers?|group|request|[a-z]+s))?(?: (?:please|then|again|now|we had|i had|you gave me|you showed me|from before))*$"
)


def find_returned_list(parsed: Parsed, text: str, earlier: Sequence[Meaning]) -> Meaning | None:
    """Return the list that a request returns to without naming it; None when it names something or there was no list."""
    now, found = parsed.meaning, _TO_THE_LIST.search(text.lower().strip(" ?.!"))
    if not found or now.conditions or now.flags or now.compared or now.having:
        return None
    lists = [m for m in earlier if _is_list(m) and (parsed.headless or m.entities == now.entities)]
    if not lists:
        return None
    last = lists[-1]
    if found["first"]:
        return next(m for m in lists if m.entities == last.entities)
    if found["whole"]:
        return next(m for m in lists if _holds(last, m))
    if re.search(r"\b(?:earlier|previous|other|old)\b", found.group()) and last is earlier[-1]:
        before = [m for m in lists[:-1] if m.entities == last.entities]
        return before[-1] if before else last
    return last


def apply_to_whole(parsed: Parsed, merged: Meaning) -> Meaning | None:
    """Return the condition on the selected row applied to the whole set instead: "on united" after the earliest may want them
    all. None when nothing was selected before, or this request selects."""
    now = parsed.meaning
    if now.extremes or not (now.conditions or now.flags):
        return None
    if merged.extremes:
        return msgspec.structs.replace(merged, extremes=())
    inner = merged.inside
    return msgspec.structs.replace(inner, extremes=()) if inner and inner.extremes else None


def bounds_selection(model: DomainModel, parsed: Parsed, merged: Meaning) -> bool:
    """Return whether a request bounds the column by which one row was selected before: "after seven p.m." after the latest of
    them. Of that one row nothing is left to bound, so all of them are meant."""
    columns = {extreme.column for extreme in merged.extremes}
    bounds = [c for c in parsed.meaning.conditions if any(v.op != "=" for v in c.values)]
    bounded = {model.attribute[c.attribute].accepts.get(v.kind, "") for c in bounds for v in c.values}
    return parsed.headless and bool(columns & bounded) and not parsed.senses & {"refer", "superlative"}


def _is_list(meaning: Meaning) -> bool:
    """Return whether a request asked for rows that were not selected from earlier ones."""
    numbers = meaning.count or meaning.aggregate or meaning.per or meaning.by or meaning.pick
    apart = meaning.rows or meaning.inside or meaning.extremes or meaning.outside
    return not (numbers or apart or meaning.attributes)


def _holds(narrow: Meaning, wide: Meaning) -> bool:
    """Return whether the narrower request contains all that the wider one says."""
    parts = ("conditions", "flags", "either", "having", "compared")
    return narrow.entities == wide.entities and all({*getattr(wide, p)} <= {*getattr(narrow, p)} for p in parts)
