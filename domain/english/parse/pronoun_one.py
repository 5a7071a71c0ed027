"""The pronoun "one": "the earliest one" and "is there one" name no number."""

from __future__ import annotations

from collections.abc import Sequence

from domain.english.parse.tagger import Item, Sense

_ARTICLES = frozenset(["the", "an", "a", "that", "this", "any", "which"])
_BEFORE_PRONOUN = frozenset(["there", "either", "any", "another", "this", "that", "neither"])
_HAVING = frozenset(["have", "has", "had", "got", "get", "need", "needs", "want", "wants", "take", "find"])


def mark_pronouns(items: Sequence[Item]) -> list[Item]:
    """Return the items with "one" marked as a filler where it is a pronoun: "which one", "is there one", "who have one"."""
    done = list(items)
    for at, item in enumerate(items[1:], start=1):
        word = items[at - 1].words.rpartition(" ")[2]
        led = any(items[at - 1].has(what) for what in ("superlative", "extreme", "ask", "flag"))
        led = led or word in _BEFORE_PRONOUN or (word in _HAVING and at + 1 == len(items))
        bound = any(n.has("trailing") or n.has("after") for n in items[at + 1 : at + 2])
        if item.words == "one" and item.has("fill") and (led or _called(items, at)) and not bound:
            done[at] = Item(item.start, item.end, (Sense("fill"),), item.words)
    return done


def _called(items: Sequence[Item], at: int) -> bool:
    """Return whether "one" replaces a noun with a name or time as its modifier: "the Delta one", "a Monday one"."""
    before = items[max(0, at - 3) : at]
    return (
        bool(before) and before[-1].has("value") and any(n.words in _ARTICLES for n in before) and at + 1 >= len(items)
    )
