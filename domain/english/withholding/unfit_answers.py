"""Signs that an answer is of another sort than was asked for.

Examples are rows for a date, one number where one for each was asked, and the salary again where it was asked whether somebody is
so.
"""

from __future__ import annotations

import re

from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Meaning

_LEAD = r"(?:(?:and|but|so|then|ok|okay|well|now|oh|also) )*"
_WHEN = re.compile(
    rf"^{_LEAD}(?:since )?when\b(?! (?:i|we|you)\b)|\bwhen (?:is|was|were|are|did|does|do|will|has|have)\b"
    r"|(?<!matter )(?<!care )(?<!mind )\b(?:what|which) (?:exact )?(?:time|year|date|day|month)\b(?! of)|\btell me when\b|\bwhen$"
)
_GROUPED = re.compile(
    r"\b(?:per|broken down by|split by|grouped by) (?!cent\b|person\b|hour\b|day\b|week\b|year\b|dose\b|se\b)[a-z]+"
    r"|\b(?P<group>[a-z]+) by (?P=group)\b|\bfor each$|^how many .*\b(?:on|in|of|for|with|at) each (?:kind|sort|type) of\b"
    r"|\b(?:versus|vs|compared (?:to|with))\b|\bfor (?:each|every one) of (?:them"
    r"|those|these)$"
)
_SECOND = re.compile(
    r" and (?:(?:which|what) (?P<thing>[a-z]+)|who|where|(?P<when>when|what (?:year|date|day|time))|(?P<much>how much))"
    r" (?:is|was|were|are|did|does|do) (?:it|that|this|they|those|she|he)\b[a-z ]{0,14}$"
)
_INSIDE = re.compile(
    rf"^{_LEAD}what(?: is| was| are| were| has| did|['’]s)(?: there)? (?:in|inside|on|at|with|part of)\b"
)
_WHETHER = re.compile(
    rf"^{_LEAD}(?:(?:does|do|did|is|are|was|were|has|have) (?!(?:it|that|this|the same|so) for\b|there (?:a|any) way)"
    r"|any(?:body|one)?\b(?! (?:idea|chance)|(?: [a-z]+)(?: (?:then|please|now|is fine|will do|at all|really))*$))"
)
_ONWARD = re.compile(r"\b(?:next|previous|preceding|upcoming|following)\b")
_REPEATED = re.compile(r"\bagain\b|\b(?:one|once) more(?: time)?$")
_REPEATING = re.compile(
    r"^(?:(?:ok|okay|and|so|please|sorry|now) )*(?:(?:show|list|give|tell|read|say|repeat|what|which|who|how|where)\b.* )?"
    r"(?:it|that|this|them|those|these)(?: to me| for me)? again$"
)
_SUPERLATIVE = re.compile(r"\b(?:greatest|largest|highest|lowest|smallest|biggest) (?:number|count|amount|share)\b")
_SHARE = re.compile(r"\b(?:share|percentage|percent|proportion|ratio|fraction) of\b")


_DENIES = re.compile(r"\b(?:nobody|no one|noone|neither|nor|never)\b")
_NOT_DENIED = re.compile(r"\b(?:never mind|i have never|i never|or never)\b")
_WHOSE = re.compile(rf"{_LEAD}whose (?:is|are|was|were) (?:it|they|that|those|these|this)\b")


def loses_negation(plain: str, meaning: Meaning) -> bool:
    """Return whether "nobody", "never" or "neither" leaves no trace in a meaning, which then is the opposite of what was said."""
    if not _DENIES.search(_NOT_DENIED.sub("", plain)):
        return False
    part: Meaning | None = meaning
    while part is not None:
        denied = any(c.negated for c in part.conditions) or any(f.negated for f in part.flags)
        absent = any(h.op == "none" or h.number == 0 for h in part.having)
        if denied or absent or part.never or part.outside or part.among or part.flags or part.compared:
            return False
        part = part.inside
    return True


def answers_otherwise(model: DomainModel, plain: str, meaning: Meaning, now: Meaning, before: Meaning | None) -> bool:
    """Return whether an answer is of another sort than was asked for; `now` is the request by itself."""
    asks = bool(meaning.attributes or meaning.count or meaning.aggregate or meaning.per or meaning.by)
    grouped = meaning.per or meaning.by or any(extreme.each for extreme in meaning.extremes)
    singled = meaning.extremes or meaning.rows or meaning.inside or meaning.pick or meaning.compared or meaning.having
    if not asks and _WHEN.search(plain) and not meaning.rows:
        return True
    if not (grouped or now.attributes) and _GROUPED.search(plain):
        return True
    if not singled and (_ONWARD.search(plain) or (_SUPERLATIVE.search(plain) and not meaning.aggregate)):
        return not any(value.kind in {"date", "weekday"} for c in meaning.conditions for value in c.values)
    if _SECOND.search(plain) and _lacks_second(model, plain, meaning):
        return True
    if _INSIDE.match(plain) and not asks and _only_identified(model, meaning):
        return True
    if _SHARE.search(plain) and not (meaning.attributes or meaning.aggregate):
        return True
    if loses_negation(plain, meaning):
        return True
    if before is None:
        return False
    if _WHOSE.match(plain) and not asks and meaning.entities == before.entities:
        return True
    if (
        _REPEATED.search(plain)
        and not (meaning.extremes or meaning.rows)
        and meaning != before
        and not _REPEATING.match(plain)
    ):
        return True
    kept = {*meaning.attributes} - {*now.attributes}
    return bool(kept) and _WHETHER.match(plain) is not None and not now.count


def _only_identified(model: DomainModel, meaning: Meaning) -> bool:
    """Return whether a reading only finds the one row that a request names: the delivery itself for what was in it."""
    own = [c for c in meaning.conditions if model.attribute[c.attribute].of == meaning.entities[0]]
    named = [
        v.kind == "code" or meaning.entities[0] == getattr(model.kind.get(v.kind), "asks", "")
        for c in own
        for v in c.values
    ]
    return (
        bool(named) and all(named) and len(own) == len(meaning.conditions) and not (meaning.flags or meaning.extremes)
    )


def _lacks_second(model: DomainModel, plain: str, meaning: Meaning) -> bool:
    """Return whether a second question is not answered: one number for "the highest count and which hive was it", no day for
    "and when was it"."""
    found = _SECOND.search(plain)
    asked = [{*model.attribute[name].accepts} for name in meaning.attributes]
    if found is None or meaning.aggregate or meaning.count:
        return found is not None
    dated = any(kinds & {"date", "year", "clock", "month"} for kinds in asked)
    priced = any(kinds & {"money", "number"} for kinds in asked)
    return bool(found["when"] and not dated) or bool(found["much"] and not priced)
