"""Set operations on earlier requests: complement ("the others", "who does not"), union ("both lists"), and difference ("in
the first but not in the second")."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from domain.english.model.meaning import Meaning

_LEAD = (
    r"^(?:(?:and|so|but|then|now|ok|okay|well|please|just|show|list|give|tell|name|me|us|see|i|want|would|like|to|what|about"
    r"|how|are|is|can|could|you|let) )*"
)
_END = r"(?: (?:please|then|too|now|instead))*$"
_VERB = r"(?:is|are|was|were|do|does|did|have|has|had)"
_OTHERS = re.compile(
    rf"{_LEAD}(?P<many>(?:how many|number of) )?(?:of )?(?:(?:what|which|who|whose)(?: (?:is|are|were|was))? )?"
    rf"(?:(?:all )?(?:the|those) (?:others|other ones|rest|remainder|remaining ones)(?: (?:of (?:them|those|these)|are there))?"
    rf"|(?:which|who|the ones|the ones that|the ones who|those that|those who|of them|of those|which ones|which of (?:them|those)"
    rf"|who of (?:them|those)|them|those) {_VERB} not|others|{_VERB} not){_END}"
)
_BOTH = re.compile(
    rf"{_LEAD}(?P<many>(?:how many|number of) )?(?:(?:is|are|were|does|do) )?(?:(?:that|it|this|those|these|they|them) )?"
    r"(?:(?:make|come to) )?"
    r"(?:both(?: of (?:them|those|these))?(?: lists| sets| groups| answers)?|the two(?: lists| sets| groups)"
    rf"|put|combined|altogether|in (?:all|total)|together|all|both)(?: (?:together|combined|in one|at once)){{0,2}}{_END}"
)
_MADE_ONE = re.compile(r"\b(?:both|two|put|together|combined|altogether|total|in all)\b")
_SHARED = re.compile(
    rf"{_LEAD}(?P<many>(?:how many|number of) )?(?:of )?(?:(?:which|those|the ones|what) )*(?:[a-z]+ )?"
    rf"(?:(?:that|which|are|is) )*(?:in|on) both(?: of (?:them|those|these))?(?: lists| sets| groups| answers)?{_END}"
)
_SIDE = (
    r"(?:(?:in|on|of|from) )?the (?P<{0}>first|second|last|latter|former|earlier)(?: (?:one|list|set|group|answer))?"
)
_APART = re.compile(
    rf"{_LEAD}(?P<many>(?:how many|number of) )?(?:(?:which|those|the ones|what|that|are|of) )*"
    rf"{_SIDE.format('one')} (?:but|and) not {_SIDE.format('other')}{_END}"
)
_FIRST = frozenset({"first", "former", "earlier"})


def combine_requests(text: str, earlier: Sequence[Meaning]) -> Meaning | None:
    """Return the set that a request forms from the last two requests; None when it forms none, or a set it needs was not
    requested."""
    last = earlier[-1]
    if found := _OTHERS.match(text):
        if last.outside is not None:  # "the rest" after "the others" is the earlier selection
            return None if text.split()[-1] == "not" else _form(last, last.outside, {}, bool(found["many"]))
        whole = next((m for m in reversed(earlier[:-1]) if _narrows(last, m)), None)
        return _form(last, whole, {"outside": last}, bool(found["many"])) if whole else None
    if len(earlier) < 2 or earlier[-2].entities != last.entities or _narrows(last, earlier[-2]):
        return None
    first = earlier[-2]
    if found := _SHARED.match(text):
        return _form(first, first, {"inside": _rows_of(last)}, bool(found["many"])) if not first.inside else None
    if found := _APART.match(text):
        sides = [found[name] in _FIRST for name in ("one", "other")]
        kept, left = (first, last) if sides[0] else (last, first)
        return _form(kept, kept, {"outside": left}, bool(found["many"])) if sides[0] != sides[1] else None
    if (found := _BOTH.match(text)) and _MADE_ONE.search(text):
        if first.attributes != last.attributes or first.count != last.count:
            return None
        plain = Meaning(last.entities, last.attributes, last.count or bool(found["many"]), aggregate=last.aggregate)
        return msgspec.structs.replace(plain, among=(_rows_of(first), _rows_of(last))) if _plain(first) else None
    return None


def _narrows(last: Meaning, whole: Meaning) -> bool:
    """Return whether the last request selected a subset of an earlier one."""
    if last.entities != whole.entities or not (_plain(last) and _plain(whole)) or _rows_of(last) == _rows_of(whole):
        return False
    if last.rows is not None or last.outside is not None:
        return whole.rows is None and whole.outside is None
    parts = ("conditions", "flags", "either", "having", "compared")
    more = all({*getattr(whole, part)} <= {*getattr(last, part)} for part in parts)
    return more and whole.extremes in ((), last.extremes) and whole.inside in (None, last.inside)


def _plain(meaning: Meaning) -> bool:
    """Return whether a request asks for rows rather than grouped or distinct numbers."""
    return not (meaning.per or meaning.by or meaning.pick or meaning.never or meaning.distinct)


def _rows_of(meaning: Meaning) -> Meaning:
    """Return the rows that a request selects, without its projection."""
    return msgspec.structs.replace(meaning, attributes=(), count=False, aggregate="", named=False)


def _form(asked: Meaning, whole: Meaning, part: dict[str, Meaning], counted: bool) -> Meaning | None:
    """Return the whole limited by `part`, with the projection of `asked` or its count."""
    if not _plain(asked) or not _plain(whole):
        return None
    limits = {name: _rows_of(other) for name, other in part.items()}
    shown = () if counted else asked.attributes
    whole = msgspec.structs.replace(
        whole, attributes=shown, count=counted or asked.count, aggregate=asked.aggregate, named=asked.named
    )
    return msgspec.structs.replace(whole, **limits)


def without_sets(taken: Meaning) -> Meaning:
    """Return the part taken over without its set operations, where anything else is left to paraphrase."""
    plain = msgspec.structs.replace(taken, outside=None, among=())
    return taken if plain == Meaning(taken.entities) else plain
