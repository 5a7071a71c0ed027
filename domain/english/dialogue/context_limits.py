"""Limits to what a request takes over from its context: requests that stand alone, count everything, or ask about the
selected row without selecting again."""

from __future__ import annotations

import re

import msgspec

from domain.english.dialogue.clauses import is_multivalued
from domain.english.model.domain import DomainModel
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


_QUESTION = re.compile(
    r"^(?:(?:and|so|but|ok|okay|well|then) )*(?:do|does|did|is|are|was|were|can|could|will|would|has|have|what|how|when|where|who"
    r"|why)\b"
)
_CHOOSING = re.compile(
    r"\b(?:which|only|just|any|some|ones|else|other|others|each|more|less|fewer|of them|of those|of these|what about|how about)\b"
)


_OF_THEM = re.compile(r"\b(?:it|that one|this one|they|them|those|these|he|she)\b")
_DEFINITE = re.compile(
    r"^(?:(?:and|so|but|ok|okay|then) )*(?:how much|what|when|where|how long|how far|how big)"
    r" (?:is|are|was|were|does|do|will) the \w+(?: \w+)?(?: (?:cost|costs|run|take|one))?$"
)
_AMONG = re.compile(r"\b(?:of|among) (?:them|those|these)\b")
_ALSO = re.compile(r"\b(?:who|that|which|they|them|those) (?:all )?also\b|\balso (?:have|has|had)\b")
_WHETHER = re.compile(
    r"(?:and |but |so )?(?:(?:does|do|did|is|are|was|were|has|have) (?:it|they|he|she"
    r"|(?:any|some|all|one|none)(?: one)? of (?:them|these|those))|any(?: one)? of (?:them|these|those))\b"
)
_NARROWING = re.compile(
    r"\bsame but\b|^(?:(?:and|but|no|ok) )*(?:just|only) (?:the ones|those)\b"
    r"|^(?:(?:and|but|or|what about|how about|of|for) )+(?:the ones|those|the people|people|the women|the men) (?:in|from|at"
    r"|with|without|on"
    r"|under|over|hired|born|living|working|earning|of|who)\b"
)
_WHICH_OF_THEM = re.compile(
    r"^(?:(?:and|so|but|ok|then|now) )*(?:which|who|whom|what) (?:ones? )?(?:of|among|out of) (?:them|those|these)\b"
    r"|^(?:(?:and|so|but|ok|then|now) )*which ones? (?:is|are|was|were|has|have|had|earns?|lives?|works?)\b"
)
_LISTING = re.compile(
    r"(?:(?:and|now|ok|then|so|please) )*(?:list|show|give|name|find|read|tell)(?: me| us)? (?:all |only |just )*"
    r"(?!.*\b(?:ones|same|them|those|these|it)\b)"
)
_POINTS_BACK = re.compile(
    r"\b(?:it|its|they|their|theirs|them|those|these|he|she|his|her|this one|that one)\b"
    r"|\b(?:is|of|on|for|about|does|did|with|at|from|to|was|take) that\b"
)
_EACH = re.compile(r"\b(?:each|every one|apiece|respectively)\b")


def asks_about_result(text: str) -> bool:
    """Return whether a question is about the previous result without narrowing it: "does it run on gas", unlike "which of
    those do"."""
    plain = _plain(text)
    return bool(_QUESTION.match(plain) and _OF_THEM.search(plain)) and not _CHOOSING.search(plain)


def asks_whether(text: str) -> bool:
    """Return whether the request only asks whether the previous result, or some of it, has a property."""
    return _WHETHER.match(_plain(text)) is not None


def asks_beside(text: str, meaning: Meaning, before: Meaning) -> bool:
    """Return whether a request only asks something of the previous result: "what do they serve on those". It leaves the result as
    it was, so that a change applies to that."""
    if meaning.count or meaning.aggregate or meaning.per or {*meaning.extremes} - {*before.extremes}:
        return False
    other = meaning.attributes or meaning.entities != before.entities
    return bool(other) and _POINTS_BACK.search(_plain(text)) is not None


def narrows_counted(text: str) -> bool:
    """Return whether a request narrows the rows that were counted without asking for a list: "just the ones hired in
    1980"."""
    return _NARROWING.search(_plain(text)) is not None


def asks_which(text: str) -> bool:
    """Return whether a request asks which of the previous rows are so, without their attribute that was asked for before."""
    return _WHICH_OF_THEM.match(_plain(text)) is not None


def lists_things(text: str) -> bool:
    """Return whether a request lists things of a kind, without the projection of the previous request."""
    return _LISTING.match(_plain(text)) is not None


def skips_aside(parsed: Parsed, text: str) -> bool:
    """Return whether a request after an aside can only be about the result before it: "which of those are novels", unlike
    "and in Norton", which may repeat the aside."""
    plain = _plain(text)
    return "refer" in parsed.senses and not re.search(r"\b(?:what about|how about|same)\b", plain)


def counts_all(parsed: Parsed, text: str) -> bool:
    """Return whether the request counts all things of a kind: "how many books are there"."""
    return parsed.meaning.count and _ALL_THERE_ARE.match(_plain(text)) is not None


def asks_about_definite_thing(parsed: Parsed, before: Meaning, text: str) -> bool:
    """Return whether a question is about one definite thing in the previous result: "how much is the paperback"."""
    now = parsed.meaning
    alike = now.entities == before.entities and bool(before.conditions) and len(now.conditions) == 1 and not now.flags
    return alike and _DEFINITE.match(_plain(text)) is not None


def names_nothing(parsed: Parsed, text: str) -> bool:
    """Return whether a question names nothing and so can only be about the previous result: "how much"."""
    now = parsed.meaning
    says = now.conditions or now.flags or now.extremes or now.having or now.either or now.compared or now.per or now.by
    return not says and re.fullmatch(r"(?:and |so |but |ok )*how \w+(?: (?:is|are|does|do) (?:it|they|that))?(?: cost)?",
                                     _plain(text)) is not None  # fmt: skip


def restrict_by_other_rows(
    model: DomainModel, parsed: Parsed, before: Meaning, text: str
) -> tuple[Meaning, Meaning] | None:
    """Return the request as a subset of the previous result, matched by other related rows: "which of those are read in
    Sutton too" after authors read in Norton; None when one row could meet both conditions, or they are on the entity
    itself."""
    now = parsed.meaning
    heads = now.entities if not parsed.headless else before.entities
    among = _AMONG.search(_plain(text)) or _ALSO.search(_plain(text))
    if heads != before.entities or not among or now.extremes or before.per or before.aggregate:
        return None

    def far(meaning: Meaning) -> set[tuple[str, str]]:
        said = [
            c for c in meaning.conditions if model.attribute[c.attribute].of not in heads or is_multivalued(model, c)
        ]
        return {(model.attribute[c.attribute].of, v.kind) for c in said for v in c.values if v.kind in model.kind}

    if not far(now) & far(before):
        return None
    inner = msgspec.structs.replace(before, attributes=(), count=False, named=False)
    return msgspec.structs.replace(now, entities=heads, inside=inner), Meaning(heads, inside=inner)


def replace_row_by_name(model: DomainModel, now: Meaning, before: Meaning) -> Meaning:
    """Return the previous request without its row reference when a name now replaces it: "and Sutton" after "who reads in the
    first one"."""
    if before.rows is None or before.rows.by_hand or before.rows.entity in before.entities:
        return before
    table = model.entity[before.rows.entity].table
    kinds = {v.kind for c in now.conditions for v in c.values if v.kind in model.kind}
    named = any(model.kind[kind].column.partition(".")[0] == table for kind in kinds)
    return msgspec.structs.replace(before, rows=None) if named else before


def restricts_one_row(model: DomainModel, now: Meaning, before: Meaning) -> bool:
    """Return whether a condition would restrict the one row that the previous request was about: "after six" after the price of
    the second one, which is what it is at any hour."""
    rows = before.rows
    if rows is None or len(rows.keys) != 1 or rows.by_hand:
        return False
    of = {model.attribute[c.attribute].of for c in now.conditions} | {
        model.flag[n].of for f in now.flags for n in f.flags
    }
    return rows.entity in of


def ask_about_selected_row(parsed: Parsed, before: Meaning, text: str) -> tuple[Meaning, Meaning] | None:
    """Return the request about the row that a superlative selected: "is it a novel" after "the cheapest book" does not ask
    for the cheapest novel. None when the request does not refer to that row."""
    now, same = parsed.meaning, parsed.headless or parsed.meaning.entities == before.entities
    says = now.conditions or now.flags or now.having or now.compared
    if not (before.extremes and same and says and not now.extremes and "refer" in parsed.senses):
        return None
    if before.per or before.by or before.aggregate or not _THAT_ONE.search(_plain(text)):
        return None
    inner = msgspec.structs.replace(before, attributes=(), count=False, named=False)
    merged = msgspec.structs.replace(now, entities=before.entities, inside=inner)
    return merged, Meaning(before.entities, inside=inner)


def repeats_answer(parsed: Parsed, merged: Meaning, before: Meaning, text: str) -> bool:
    """Return whether a request would get the previous answer again, or a single number where it asks for one per group: its
    own content was not understood."""
    plain, now = _plain(text), parsed.meaning
    each = merged.per or merged.by or any(e.each for e in merged.extremes) or now.attributes
    if _EACH.search(plain) and parsed.headless and merged.count and not each:
        return True
    says = now.conditions or now.flags or now.extremes or now.attributes or now.having or now.either or now.compared
    asks = _ASKING.search(plain) is not None or not says
    same = msgspec.structs.replace(merged, named=before.named) == before
    return asks and same and not (_SHOWING.search(plain) or parsed.swap)


def _plain(text: str) -> str:
    return " ".join(text.lower().strip(" ?.!").split())
