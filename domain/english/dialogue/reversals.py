"""Changes that turn a part of the previous request round: "the ones that do" after those without a degree, "make it 42000" after
departments that pay more than 40000 on average."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from domain.english.model.meaning import Meaning
from domain.english.parse.parser import Parsed
from domain.english.parse.tagger import Item

_LEAD = (
    r"(?:(?:no|uh|um|wait|sorry|oh|ok|and|but|so|now|actually|rather|i mean|i meant|i want|i only want|i need"
    r"|give me|show me|only|just"
    r"|what about|how about|then|instead|list|i would like) )*"
)
_THOSE_THAT_DO = re.compile(
    rf"^{_LEAD}(?:the ones|those|the people|people|everyone|everybody|the others)? ?(?:who|that|which) "
    r"(?:do|does|did|are|is|have|has|do have|actually do|do have (?:one|it|any|some|them)|have (?:one|it|any"
    r"|some|them)|got one|have got one)"
    r"(?: (?:then|please|instead|too|have one))*$"
)
_THOSE_WITH_ONE = re.compile(rf"^{_LEAD}(?:the ones|those|the people|people|the others) with (?:one|it|any|some|them)$")
_BOUNDS = frozenset([">", ">=", "<", "<="])


def affirm(before: Meaning, plain: str) -> Meaning | None:
    """Return the previous request with its last denied condition asserted: "the ones that do have one"."""
    if not (_THOSE_THAT_DO.match(plain) or _THOSE_WITH_ONE.match(plain)) or before.rows or before.inside:
        return None
    for field in ("conditions", "flags"):
        parts = list(getattr(before, field))
        at = next((n for n in reversed(range(len(parts))) if parts[n].negated), None)
        if at is not None:
            parts[at] = msgspec.structs.replace(parts[at], negated=False)
            return msgspec.structs.replace(before, never=(), **{field: tuple(parts)})
    lacking = [h for h in before.having if h.op == "none"]
    if len(lacking) != 1:
        return None
    having = msgspec.structs.replace(lacking[0], op=">=", number=1)
    return msgspec.structs.replace(before, having=tuple(having if h == lacking[0] else h for h in before.having))


def replace_group_bound(before: Meaning, items: Sequence[Item], mends: bool) -> Meaning | None:
    """Return the previous request with a bare number as the new bound of its groups."""
    held = [h for h in before.having if h.op in _BOUNDS and not h.than]
    numbers = [item for item in items if item.has("value")]
    if not mends or len(held) != 1 or len(numbers) != 1 or not all(i.has("fill") or i in numbers for i in items):
        return None
    values = [s.value for s in numbers[0].all("value") if s.value and s.value.kind in {"number", "money"}]
    number = values[0].data[0] if values and values[0].op == "=" else ""
    if isinstance(number, str):
        return None
    changed = msgspec.structs.replace(held[0], number=number)
    return msgspec.structs.replace(before, having=tuple(changed if h == held[0] else h for h in before.having))


def uncounted(parsed: Parsed, before: Meaning, earlier: Sequence[Meaning]) -> Meaning:
    """Return the previous request, or the list before it if it only counted that list: "assistants" after "how many is that"
    narrows the list, unlike what takes the place of a condition of the list: how many are "cancelled" after those completed."""
    if {c.attribute for c in parsed.meaning.conditions} & {c.attribute for c in before.conditions}:
        return before
    if not before.count or len(earlier) < 2 or before is not earlier[-1] or "count" in parsed.senses:
        return before
    listed = msgspec.structs.replace(before, count=False)
    same = msgspec.structs.replace(earlier[-2], attributes=(), named=False) == listed
    return listed if same and not earlier[-2].count else before
