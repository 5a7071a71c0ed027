"""The other scopes that a request in context may be about: not the last result, but the list that it was narrowed from.

"And with lunch" after a list that was narrowed to those with dinner may mean the whole list; "of all of those, which is first"
the list before it was narrowed. A short request that was read by itself may as well be about the last result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from domain.english.dialogue.dialogue_context import merge_with_context
from domain.english.dialogue.openings import Opening
from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Condition, Flagged, Meaning
from domain.english.parse.parser import Parsed

_CORRECTS = re.compile(
    r"\b(?:sorry|i (?:meant|mean|said)|did i say|rather|should (?:say|have said)|i misspoke|mistake)\b"
)
_POINTS = re.compile(r"\bthe (?:[a-z]+ )?[a-z]+ ones?\b|\b(?:those|these|them|it|there)\b")
Scoped = tuple[Meaning, Meaning]
"""The meaning in another scope, and what it takes over from there."""


def other_scopes(
    model: DomainModel,
    parsed: Parsed,
    alone: Parsed,
    merged: Meaning | None,
    earlier: Sequence[Meaning],
    opening: Opening,
) -> Iterator[Scoped]:
    """Yield the request about another scope than it was `merged` with, or about the last result where it was read by itself:
    with all that it says `alone`."""
    text = opening.text.lower()
    if not earlier or parsed.unused or parsed.refused or parsed.swap or opening.corrects or _CORRECTS.search(text):
        return
    if merged is None:
        found = merge_with_context(model, parsed, earlier, opening) if _adds_little(parsed, text) else None
        if found and _limits(found[1]) and not found[0].inside and found[0] != parsed.meaning:
            yield found
    elif (root := _narrowed_from(earlier)) and not merged.rows:
        own = alone if parsed.meaning == merged else parsed
        found = None if own.unused else merge_with_context(model, own, (root,), opening)
        whole = found and _values(alone.meaning) <= _values(found[0])
        if found and whole and not _same(found[0], merged):
            yield found


def _adds_little(parsed: Parsed, text: str) -> bool:
    """Return whether a request names so few conditions of its own that it may be about what was shown before."""
    now = parsed.meaning
    most = 2 if parsed.headless or _POINTS.search(text) else 1
    return len(now.conditions) + len(now.flags) + len(now.extremes) <= most


def _same(one: Meaning, other: Meaning) -> bool:
    """Return whether two meanings differ in nothing but the order of their conditions."""
    plain = [msgspec.structs.replace(meaning, conditions=(), flags=()) for meaning in (one, other)]
    return plain[0] == plain[1] and _all_said(one) == _all_said(other)


def _limits(meaning: Meaning) -> bool:
    return bool(meaning.conditions or meaning.flags or meaning.rows or meaning.inside)


def _narrowed_from(earlier: Sequence[Meaning]) -> Meaning | None:
    """Return the first of the requests of which the last one still holds all conditions; None when that is itself."""
    said = _all_said(earlier[-1])
    root = None
    for before in reversed(earlier[:-1]):
        own = {*before.conditions, *before.flags}
        if not own or not own <= said:
            break
        root = before
    return root


def _values(meaning: Meaning) -> set[object]:
    """Return what is compared, to whichever attribute it belongs."""
    said = _all_said(meaning)
    compared = {value.data for part in said if isinstance(part, Condition) for value in part.values}
    return compared | {part for part in said if isinstance(part, Flagged)}


def _all_said(meaning: Meaning) -> set[Condition | Flagged]:
    inner = _all_said(meaning.inside) if meaning.inside else set()
    return inner.union(meaning.conditions, meaning.flags)
