"""The other scopes that a request in context may be about: not the last result, but the list that it was narrowed from.

"And with lunch" after a list that was narrowed to those with dinner may mean the whole list; "of all of those, which is first"
the list before it was narrowed. A short request that was read by itself may as well be about the last result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domain.english.dialogue.dialogue_context import merge_with_context
from domain.english.dialogue.openings import Opening
from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Condition, Flagged, Meaning
from domain.english.parse.parser import Parsed

Scoped = tuple[Meaning, Meaning]
"""The meaning in another scope, and what it takes over from there."""


def other_scopes(
    model: DomainModel, parsed: Parsed, merged: Meaning | None, earlier: Sequence[Meaning], opening: Opening
) -> Iterator[Scoped]:
    """Yield the request about another scope than it was `merged` with, or about the last result where it was read by itself."""
    if not earlier or parsed.unused or parsed.refused or parsed.swap or opening.corrects:
        return
    if merged is None:
        found = merge_with_context(model, parsed, earlier, opening) if _adds_little(parsed) else None
        if found and _limits(found[1]) and not found[0].inside and found[0] != parsed.meaning:
            yield found
    elif (root := _narrowed_from(earlier)) and not merged.rows:
        found = merge_with_context(model, parsed, (root,), opening)
        if found and found[0] != merged:
            yield found


def _adds_little(parsed: Parsed) -> bool:
    """Return whether a request names so few conditions of its own that it may be about what was shown before."""
    now = parsed.meaning
    return len(now.conditions) + len(now.flags) + len(now.extremes) <= 2 - (not parsed.headless)


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


def _all_said(meaning: Meaning) -> set[Condition | Flagged]:
    inner = _all_said(meaning.inside) if meaning.inside else set()
    return inner.union(meaning.conditions, meaning.flags)
