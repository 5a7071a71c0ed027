"""Questions about the previous result as a whole: its share of all rows, and which of its rows has the most of something."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import msgspec

from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Condition, Flagged, Meaning
from domain.english.parse.parser import Parsed

_SHARE = re.compile(
    r"(?:(?:and|so|ok|then|now|but) )*(?:(?:what|which|how big a|how large a|how high a|what sort of|give me the|tell me the) )?"
    r"(?:kind of )?(?:percentage|percent|fraction|proportion|share|part)(?: of (?:the|all)(?: [a-z]+){1,2}?)?"
    r" (?:(?:is|are|was|were|would be|would|do|does) )?(?:that|those|they|these|it|this)(?: (?:be|make|make up|come to|then))?"
    r"|(?:(?:and|so|ok|then|now|but) )*(?:as|in) (?:a |an )?(?:percentage|percent|fraction|proportion|share)"
    r"|(?:(?:and|so|ok|then|now|but) )*(?:that|those|they) (?:is|are) (?:what|which) (?:percentage|percent|share|fraction)"
)
_WHICH_ONE = re.compile(
    r"(?:(?:and|so|ok|then|now|but|of those|of them) )*(?:which|what) (?:ones?|one of (?:them|those|these)"
    r"|of (?:them|those|these))"
    r" (?P<rest>(?:has|have|had|has got|employs|employ) .+?)(?: (?:in (?:it|them)|there|then|please|of all))*"
)


def share_of_those(earlier: Sequence[Meaning], plain: str) -> Meaning | None:
    """Return the share of all rows that the previous result makes up ("what percentage is that"); None when it was itself
    selected from a restricted set."""
    before = earlier[-1]
    if (
        not _SHARE.fullmatch(plain)
        or len(before.entities) != 1
        or not (before.conditions or before.flags or before.having)
    ):
        return None
    numbers = before.aggregate or before.per or before.by or before.extremes or before.attributes or before.distinct
    apart = before.rows or before.inside or before.outside or before.among
    whole = next((m for m in reversed(earlier[:-1]) if m.entities == before.entities and m.count), None)
    narrowed = whole is not None and (whole.conditions or whole.flags) and {*whole.conditions} <= {*before.conditions}
    if numbers or apart or (narrowed and {*whole.flags} <= {*before.flags}):  # type: ignore[union-attr]
        return None
    return msgspec.structs.replace(before, count=False, aggregate="share")


def picked_among(
    model: DomainModel, before: Meaning, plain: str, read: Callable[[str], Parsed | None]
) -> Meaning | None:
    """Return the row of the previous result with the most, fewest or a given number of something ("which one has the fewest
    members")."""
    found = _WHICH_ONE.fullmatch(plain)
    if found is None or len(before.entities) != 1 or before.per or before.by or before.extremes or before.count:
        return None
    one = next((word for word in model.entity[before.entities[0]].words if not word.endswith("s")), "")
    whole = read(f"which {one} {found['rest']}") if one else None
    if whole is None or whole.unused or whole.refused or whole.meaning.entities != before.entities:
        return None
    if not (whole.meaning.pick or whole.meaning.having):
        return None
    return msgspec.structs.replace(
        whole.meaning,
        conditions=(*before.conditions, *(c for c in whole.meaning.conditions if c not in before.conditions)),
        flags=(*before.flags, *(f for f in whole.meaning.flags if f not in before.flags)),
        rows=before.rows,
        inside=before.inside,
    )


def share_among(now: Meaning, before: Meaning, held: tuple[tuple[Condition, ...], tuple[Flagged, ...]]) -> Meaning:
    """Return the request with the rows of which it takes a share: the previous result, or what it changes of these."""
    (kept, flags), whole = held, before.whole
    if now.whole or (now.aggregate and now.aggregate != "share"):
        return now
    if now.aggregate == "share" and before.aggregate != "share":
        among = Meaning(before.entities, conditions=kept, flags=flags, rows=before.rows, inside=before.inside)
        said = kept or flags or before.rows or before.inside
        return msgspec.structs.replace(now, whole=among) if said else now
    if whole is None:
        return now
    again = tuple(c for c in now.conditions if any(c.attribute == w.attribute for w in whole.conditions))
    left = tuple(c for c in whole.conditions if not any(c.attribute == a.attribute for a in again))
    return msgspec.structs.replace(now, whole=msgspec.structs.replace(whole, conditions=(*left, *again)))
