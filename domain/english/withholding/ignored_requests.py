"""Signs that a reading passes over the requests before it, or takes over too much of them.

A request that only makes sense after others is read by itself: "the Norton ones then" as all books there, "any branch" as a list
of branches. Or one that says everything anew still gets what was said before, such as the price limit of the last.
"""

from __future__ import annotations

import re

from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Meaning
from domain.english.parse.parser import Parsed
from domain.english.reading import Reading

_LEAD = r"(?:(?:and|but|so|ok|okay|well|oh|right|no|now|please|sorry) )*"
_GOES_ON = re.compile(
    r"\b(?:for|of|on|at|in|with|from|to|about|by) (?:that|those|these|them|this)(?: one)?$|\bthat one$"
    r"|\b(?:of|in|on|at|for|from) that (?!is\b|are\b|has\b|have\b|was\b|do\b|does\b)[a-z]+(?: (?:one|please))?$"
    r"|\b(?:again|its|theirs|only)\b(?! one\b)|\b(?:instead|then)$|^then\b|\b(?:early|late|cheap|[a-z]{4,}n) ones\b"
    r"|\beither of (?:them|those|these|the two)\b|\bone(?: more time)?$"
)
_ASKS = re.compile(
    r"\b(?:what|which|who|whose|how|when|where|show|list|give|tell|find|count|name|need|want|like|is|are|do|does|did|has|have"
    r"|can|could|there|looking|let|see)\b"
)
_POINTS = re.compile(r"\b(?:those|these|them|that one|same|only|just|ones|instead)\b")
_LIFTED = re.compile(r"\b(?:any|either|whichever|whatever|all|every) (?P<noun>[a-z]+)\b")
_LEAVES_OUT = re.compile(
    rf"^{_LEAD}(?:leave out|leave off|skip|drop|forget|without|minus|except|excluding|exclude|ignore|not)\b"
)


def is_out_of_context(model: DomainModel, plain: str, parsed: Parsed, reading: Reading, before: Meaning) -> bool:
    """Return whether a request that goes on from a narrower one is read by itself."""
    meaning, now = reading.meaning, parsed.meaning
    limited = before.conditions or before.flags or before.extremes or before.rows or before.inside or before.having
    if not limited or reading.carried or meaning.rows or meaning.inside or meaning != now:
        return False
    if _LEAVES_OUT.match(plain) or _GOES_ON.search(plain):
        return True
    return _ASKS.search(plain) is None and (
        _lifts(model, plain, meaning, before) or _takes_fragment(model, plain, meaning, before)
    )


def _lifts(model: DomainModel, plain: str, meaning: Meaning, before: Meaning) -> bool:
    """Return whether "any branch", by which a limit is lifted, would be answered by branches."""
    nouns = {word for name in meaning.entities for word in model.entity[name].words}
    return any(found["noun"] in nouns for found in _LIFTED.finditer(plain)) and meaning.entities != before.entities


def _takes_fragment(model: DomainModel, plain: str, meaning: Meaning, before: Meaning) -> bool:
    """Return whether words that name no entity and ask nothing would be answered by another entity: "nobody on days"."""
    asks = meaning.attributes or meaning.count or meaning.aggregate or meaning.extremes or meaning.per or meaning.by
    nouns = {word for name in meaning.entities for word in model.entity[name].words}
    named = any(f" {word} " in f" {plain} " for word in nouns)
    return meaning.entities != before.entities and not (asks or named)


def is_entangled(plain: str, parsed: Parsed, reading: Reading) -> bool:
    """Return whether a request that says so much of its own that it stands by itself still takes something over."""
    now, meaning = parsed.meaning, reading.meaning
    said = len(now.conditions) + len(now.flags) + len(now.extremes)
    if not reading.carried or meaning == now or parsed.swap or _POINTS.search(plain):
        return False
    return said >= 3 or (said == 2 and (meaning.rows is not None or meaning.inside is not None))
