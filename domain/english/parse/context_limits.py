"""Limits to what a request takes from its context: it says something new, counts more than the one that was singled out, and asks
of that one without choosing again."""

from __future__ import annotations

import re

import msgspec

from domain.english.model.meaning import Meaning
from domain.english.parse.parser import Parsed

_ALL_THERE_ARE = re.compile(
    r"^(?:and |so |but |ok |okay )*(?:how many|count|what is the number of)\b.*?"
    r"(?: (?:are|is|were) there| do (?:we|they|you) have| there are| exist)"
    r"(?: (?:in (?:all|total)|altogether|in the (?:company|database)|at all|anyway))*$"
)
_THAT_ONE = re.compile(r"\b(?:it|that one|this one|they|them|those|these|that|he|she)\b")
_ASKING = re.compile(r"\b(?:how|where|when|why|whom|whose|what|which|who)\b")
_SHOWING = re.compile(
    r"\b(?:again|repeat|remind|(?:what|which|who) (?:(?:ones? )?(?:is|are|was|were|ones)|(?:of )?(?:them|those))|those|these|them"
    r"|please list|show|list)\b"
)


def counts_all(parsed: Parsed, text: str) -> bool:
    """Return whether it is asked how many of something there are: "how many books are there"."""
    return parsed.meaning.count and _ALL_THERE_ARE.match(_plain(text)) is not None


def of_that_one(parsed: Parsed, before: Meaning, text: str) -> tuple[Meaning, Meaning] | None:
    """The request for the best that was singled out: "is it a novel" after "the cheapest book" does not ask for the cheapest of
    the novels. None where it does not point at that one."""
    now, same = parsed.meaning, parsed.headless or parsed.meaning.entities == before.entities
    says = now.conditions or now.flags or now.having or now.compared
    if not (before.extremes and same and says and not now.extremes and "refer" in parsed.senses):
        return None
    if before.per or before.by or before.aggregate or not _THAT_ONE.search(_plain(text)):
        return None
    inner = msgspec.structs.replace(before, attributes=(), count=False, named=False)
    merged = msgspec.structs.replace(now, entities=before.entities, inside=inner)
    return merged, Meaning(before.entities, inside=inner)


def adds_nothing(parsed: Parsed, merged: Meaning, before: Meaning, text: str) -> bool:
    """Return whether a question would be answered by the answer before: what it asks for was not understood."""
    plain = _plain(text)
    asks = _ASKING.search(plain) is not None and not _SHOWING.search(plain)
    return asks and not parsed.swap and msgspec.structs.replace(merged, named=before.named) == before


def _plain(text: str) -> str:
    return " ".join(text.lower().strip(" ?.!").split())
