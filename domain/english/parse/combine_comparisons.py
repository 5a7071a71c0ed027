"""Comparisons and ranges, combined before attachment: "between 8 and 10", "5 p.m. or later", "8 in the morning".

The result is one node per phrase, with the comparison operator stored in each value.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import msgspec

from domain.english.model.domain import Attribute
from domain.english.model.meaning import Value
from domain.english.parse.pronoun_one import mark_pronouns
from domain.english.parse.tagger import Item, Sense
from domain.english.text import function_words as english
from domain.english.text.times import COMPARED, WEEKDAYS, clock_words

NUMERIC = frozenset({"number", "money", "clock", "maybe clock", "digits", "date", "year", "ordinal", "month"})


class Node(msgspec.Struct, frozen=True):
    """An item and its values after comparisons have been applied."""

    item: Item
    values: tuple[Value, ...] = ()
    compared: bool = False

    def has(self, what: str) -> bool:
        return self.item.has(what)


def combine(items: Sequence[Item]) -> tuple[Node, ...]:
    """Return the nodes in order; fillers inside a comparison are absorbed by it."""
    nodes = [Node(item, tuple(s.value for s in item.all("value") if s.value)) for item in mark_pronouns(items)]
    nodes = _ranges(_halves(_months(_split(nodes))))
    return tuple(_lasting(_compared(_weekdays(nodes))))


def _lasting(nodes: list[Node]) -> list[Node]:
    """Mark "last" as a filler where it is a verb: "which visits last longer than an hour"."""
    done = list(nodes)
    for at, node in enumerate(nodes[:-1]):
        told = next((n for n in nodes[at + 1 : at + 3] if not n.has("compare") or n.values), node)
        amount = told.compared and any(v.unit or v.kind in {"number", "digits"} for v in told.values)
        if node.item.words == "last" and at > 0 and amount:
            done[at] = Node(Item(node.item.start, node.item.end, (Sense("fill"),), node.item.words))
    return done


def numeric(node: Node) -> bool:
    return any(v.kind in NUMERIC or v.unit for v in node.values)


def clocks(node: Node) -> tuple[Value, ...]:
    return tuple(v for v in node.values if v.kind in {"clock", "maybe clock"})


def is_filler(node: Node) -> bool:
    return (node.has("fill") or node.has("wish")) and not node.values


def _next(nodes: Sequence[Node], at: int) -> int:
    """Return the index of the first node from `at` on that is not a filler."""
    while at < len(nodes) and is_filler(nodes[at]):
        at += 1
    return at


def _halves(nodes: list[Node]) -> list[Node]:
    """Disambiguate a time by a part of the day next to it: "8 in the evening", "evening at 8"."""
    done: list[Node] = []
    at = 0
    while at < len(nodes):
        node = nodes[at]
        after = _next(nodes, at + 1)
        vague = node.has("fill") and bool(done) and (done[-1].has("superlative") or done[-1].has("extreme"))
        times = () if vague else tuple(v for v in clocks(node) if v.op == "=")
        if times and after < len(nodes) and any(v.kind == "weekday" for v in nodes[after].values):
            later = _next(nodes, after + 1)
            if later < len(nodes) and (part := _period(nodes[later])):
                done += [Node(node.item, tuple(_settled(t, part) for t in times)), nodes[after]]
                at = later + 1
                continue
        period = _period(nodes[after]) if after < len(nodes) and after - at <= 3 else None
        if times and period and times[0].op == "=" and not _period(node):
            done.append(Node(node.item, tuple(_settled(t, period) for t in times)))
            at = after + 1
            continue
        done.append(node)
        at += 1
    return done


def _weekdays(nodes: list[Node]) -> list[Node]:
    """Drop a weekday beside a date if they agree, else drop the date."""
    done = list(nodes)
    for at, node in enumerate(nodes):
        for near in nodes[at + 1 : at + 4], nodes[max(0, at - 3) : at][::-1]:
            day = next((v for v in node.values if v.kind == "weekday"), None)
            dates = [(n, v) for n in near for v in n.values if v.kind == "date" and len(v.data) == 3]
            if (
                day
                and dates
                and all(is_filler(n) or _period(n) or n is dates[0][0] for n in near[: near.index(dates[0][0])])
            ):
                year, month, number = (int(x) for x in dates[0][1].data)
                agrees = WEEKDAYS[date(year, month, number).weekday()].upper() == day.data[0]
                gone = at if agrees else nodes.index(dates[0][0])
                done[gone] = Node(Item(nodes[gone].item.start, nodes[gone].item.end, (Sense("fill"),), ""))
    return done


def _split(nodes: list[Node]) -> list[Node]:
    """Split "or before", which can end a comparison, into "or" and a new comparison: "or before 9"."""
    done: list[Node] = []
    for at, node in enumerate(nodes):
        word = node.item.words.removeprefix("or ")
        op = next((op for op, group in english.COMPARING.items() if word in group.split("|")), "")
        after = _next(nodes, at + 1)
        if node.has("after") and op and word != node.item.words and after < len(nodes) and numeric(nodes[after]):
            start, end = node.item.start, node.item.end
            done.append(Node(Item(start, start + 1, (Sense("or"),), "or")))
            done.append(Node(Item(start + 1, end, (Sense("compare", op),), word)))
        else:
            done.append(node)
    return done


def _months(nodes: list[Node]) -> list[Node]:
    """Complete a bare day from the date after it: "the third or the fourth of may"."""
    done = list(nodes)
    for at, node in enumerate(nodes):
        day = next((v for v in node.values if v.kind == "ordinal"), None)
        if day is None or any(v.kind == "date" for v in node.values):
            continue
        for later in nodes[at + 1 : at + 5]:
            found = next((v for v in later.values if v.kind == "date"), None)
            if found:
                data = (found.data[0], found.data[1], day.data[0])
                done[at] = Node(
                    node.item, (Value("date", data, say=found.say.replace(f" {found.data[2]},", f" {day.data[0]},")),)
                )
                break
    return done


def _period(node: Node) -> Value | None:
    return next((v for v in node.values if v.op == "period"), None)


def _settled(time: Value, period: Value) -> Value:
    hhmm, half = int(time.data[0]), bool(time.data[1])
    begin, end = int(period.data[0]), int(period.data[1])
    if not half and hhmm < 1200 and (hhmm < begin or (begin > end and hhmm > end)) and hhmm + 1200 >= min(begin, 1200):
        hhmm += 1200 if begin >= 1000 and not (begin > end and hhmm < 500) else 0
    return Value("clock", (hhmm, 1), say=clock_words(hhmm))


def _ranges(nodes: list[Node]) -> list[Node]:
    done: list[Node] = []
    at = 0
    while at < len(nodes):
        found = _range_at(nodes, at)
        if found:
            node, at = found
            done.append(node)
        else:
            done.append(nodes[at])
            at += 1
    return done


def _range_at(nodes: Sequence[Node], at: int) -> tuple[Node, int] | None:
    """Return the range at this node and the index after it: "between A and B", "from A to B", "A to B", "A until B"."""
    opened = nodes[at].item.name("compare") == "between" or nodes[at].item.words in {"from", "between the"}
    first = _next(nodes, at + 1) if opened else at
    if first >= len(nodes) or not numeric(nodes[first]):
        return None
    middle = first + 1
    if middle >= len(nodes):
        return None
    word = nodes[middle].item.words
    joined = (
        {"and", "to", "or", "until", "till", "through", "and also"} if opened else {"to", "until", "till", "through"}
    )
    last = _next(nodes, middle + 1)
    if word not in joined or last >= len(nodes) or last > middle + 3 or not numeric(nodes[last]):
        return None
    low = _as_many(nodes[first], nodes[last])
    values = tuple(v for v in (_between(a, b) for a in low for b in nodes[last].values) if v)
    if not values:
        return None
    item = Item(nodes[at].item.start, nodes[last].item.end, nodes[first].item.senses, _said(nodes[at : last + 1]))
    return Node(item, tuple(dict.fromkeys(values)), True), last + 1


def _as_many(first: Node, last: Node) -> tuple[Value, ...]:
    """Return the lower bound's values, scaled to the unit of the upper bound: "between thirty and forty thousand"."""
    for word, size in (("thousand", 1000), ("hundred", 100), ("million", 10**6)):
        if last.item.words.split()[-1:] == [word] and word not in first.item.words.split():
            plain = [
                v
                for v in first.values
                if v.kind == "number" and not isinstance(v.data[0], str) and 0 < v.data[0] < size
            ]
            many = [msgspec.structs.replace(v, data=(v.data[0] * size,), say=str(v.data[0] * size)) for v in plain]
            return tuple(many) or first.values
    return first.values


def _said(nodes: Sequence[Node]) -> str:
    return " ".join(n.item.words for n in nodes)


def _between(a: Value, b: Value) -> Value | None:
    if a.op != "=" or b.op != "=":
        return None
    if {a.kind, b.kind} <= {"clock", "maybe clock"}:
        low, high = int(a.data[0]), int(b.data[0])
        if (not a.data[1] and b.data[1] and low + 1200 < high <= 2400 and low < 1200) or (
            not a.data[1] and b.data[1] and high >= 1200 and low < 1200 and low + 1200 <= high
        ):
            low += 1200
        half = int(bool(a.data[1] or b.data[1]))
        if a.data[1] and not b.data[1] and high <= low:
            high += 1200
        kind = "clock" if "clock" in {a.kind, b.kind} else "maybe clock"
        return Value(kind, (low, high, half), "between", f"between {clock_words(low)} and {clock_words(high)}")
    if b.unit and a.kind == "number":
        a = Value(b.kind, (float(a.data[0]) * b.unit,), say=a.say, unit=b.unit)
    if a.kind == b.kind == "date":
        return Value("date", (*a.data[:3], *b.data[-3:]), "between", f"between {a.say} and {b.say}")
    if a.kind == b.kind and (a.kind in NUMERIC or a.unit):
        return Value(a.kind, (*a.data, *b.data), "between", f"between {a.say} and {b.say}")
    if {a.kind, b.kind} <= {"number", "money"}:
        return Value("money", (*a.data, *b.data), "between", f"between {a.say} and {b.say}")
    return None


MEASURING = frozenset(
    english.phrases(
        "less than|more than|under|over|above|below|greater than|fewer than|at least|at most|longer than|shorter than"
        "|older than|younger than|bigger than|larger than|smaller than|higher than|lower than|cheaper than|lighter than"
        "|heavier than|deeper than|shallower than|wider than|narrower than|taller than|faster than|slower than|dearer than"
        "|more expensive than"
    )
)
_HIGH = frozenset(["beyond", "beneath", "exceeding", "in excess of", "up to", "no more than", "no less than"])
_TIMED = frozenset({"year", "date", "clock"})
_OF_OTHER_THINGS = frozenset(
    english.phrases("older|younger|longer|shorter|taller|heavier|lighter|from|before|after|since|until")
)
_OF_AGE = frozenset(
    [
        "older",
        "younger",
        "over",
        "under",
        "above",
        "below",
        "at",
        "between",
        "aged",
        "kids",
        "children",
        "adults",
        "seniors",
    ]
)
_OF_TIME = frozenset({"before", "after", "by", "until", "till", "past"})
_COPULAS = frozenset({"of", "is", "are", "equals"})
_MEASURED = {"by": "by", "<": "under", "<=": "at most", ">": "over", ">=": "at least", "around": "about", "=": ""}


def _compared(nodes: list[Node]) -> list[Node]:
    done: list[Node] = []
    at = 0
    while at < len(nodes):
        node = nodes[at]
        after = _next(nodes, at + 1)
        op = node.item.name("compare")
        if after < len(nodes) and after <= at + 3 and _compares(node, op, nodes[after]):
            if node.item.has("cue"):
                done.append(Node(node.item))
            later = nodes[after + 1].item.name("after") if op == "=" and after + 1 < len(nodes) else ""
            done.append(_apply(nodes[after], later or op, nodes[after + 1] if later else node))
            at = after + (2 if later else 1)
            continue
        if named := _bounded(nodes, at):
            done += named
            at += 3
            continue
        trailing = nodes[at + 1].item.name("after") if at + 1 < len(nodes) else ""
        if trailing and numeric(node) and not node.compared:
            done.append(_apply(node, trailing, nodes[at + 1]))
            at += 2
            continue
        done.append(node)
        at += 1
    return done


def _bounded(nodes: Sequence[Node], at: int) -> list[Node]:
    """Return the nodes of a bound whose noun precedes the number: "above level 25", "under age 30"."""
    if len(nodes) < at + 3 or nodes[at].item.words not in MEASURING | _HIGH:
        return []
    named, value = nodes[at + 1 : at + 3]
    noun = named.has("cue") and named.has("asked") and not (named.has("entity") or named.values)
    plain = any(v.kind in {"number", "money"} and v.op == "=" for v in value.values) and not value.compared
    return [named, _apply(value, nodes[at].item.name("compare"), nodes[at])] if noun and plain else []


def _compares(node: Node, op: str, value: Node) -> bool:
    """Return whether a word like "after" or "of" compares the next value instead of introducing it."""
    if op in {"", "between"} or not _comparable(value, op):
        return False
    sure = any(v.kind == "clock" for v in value.values)
    if node.item.words in _COPULAS:
        return sure
    # "films from 1994" are of that year; "from 2000 hours" and "from 8" are lower bounds
    return node.item.words != "from" or (bool(clocks(value)) and not any(v.kind == "year" for v in value.values))


def _comparable(node: Node, op: str) -> bool:
    return not node.compared and numeric(node) and any(v.op in {"=", "period"} for v in node.values)


def suits(node: Node, value: Value, attribute: Attribute, kind: str, own: bool) -> bool:
    """Return whether an attribute, of the head if `own`, may take a value of this kind without a cue. A bare amount may
    be money, but no other quantity."""
    if not own and (
        kind == "years" or value.kind == "number" == kind or (value.kind == "maybe clock" and _has(node, "year"))
    ):
        return False
    if kind == "number" and not ("money" in attribute.accepts and value.op != "="):
        return False
    return not {"money", "years"} & {*attribute.accepts} or alike(node, value, attribute)


def alike(node: Node, value: Value, attribute: Attribute) -> bool:
    """Return whether a comparison word fits the attribute: "older than 50" is not about money."""
    if value.kind == "number" and "years" in attribute.accepts:
        first, _, last = node.item.words.partition(" ")
        return value.op != "=" and (first in _OF_AGE or last.endswith("ies"))
    amount = value.kind == "number" and {"money", "number"} & {*attribute.accepts}
    return not (amount and not _TIMED & {*attribute.accepts} and node.item.words.partition(" ")[0] in _OF_OTHER_THINGS)


def _has(node: Node, kind: str) -> bool:
    return any(v.kind == kind for v in node.values)


def compared(value: Value, op: str) -> str:
    """Return a compared value in words: "after 5 p.m.", "over 300"."""
    names = COMPARED if value.kind in {"clock", "maybe clock", "date", "year", "month"} else _MEASURED
    said = f"{value.say} {value.data[1]}" if value.kind == "month" else value.say
    return f"{names[op]} {said}".strip()


def _apply(node: Node, op: str, by: Node) -> Node:
    values = []
    for value in node.values:
        if value.kind == "maybe clock" and by.item.words in MEASURING:
            continue
        if value.kind not in NUMERIC and not value.unit:
            values += [value] if op == "=" else []
            continue
        if value.op == "period":
            if op == "=" or op == "around":
                values.append(value)
                continue
            edge = value.data[0] if op in {"<", "<=", "by"} else value.data[1]
            values.append(Value("clock", (edge, 1), op, f"{COMPARED[op]} the {value.say}"))
            continue
        values.append(msgspec.structs.replace(value, op=op, say=compared(value, op)))
    if by.item.words in _OF_TIME:
        values.sort(key=lambda v: v.kind not in {"clock", "maybe clock"})
    item = Item(min(by.item.start, node.item.start), max(by.item.end, node.item.end), node.item.senses,
                f"{by.item.words} {node.item.words}")  # fmt: skip
    return Node(item, tuple(values), True)
