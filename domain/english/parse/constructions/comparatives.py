"""Comparisons with something other than a number: an average, a named row, or a shared value ("the same … as").

"Clerks who earn less than the average clerk", "older than Ann Lee", "in the same department as Ann Lee".
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Compared, Flagged, Meaning
from domain.english.parse.combine_comparisons import Node, is_filler
from domain.english.parse.constructions.construction import (
    Construction,
    Read,
    after_fillers,
    asked_here,
    column_of,
    narrowing,
    without,
    words_of,
)
from domain.english.parse.tagger import Item, Sense

_BACK = 4  # how far before "more than" the compared attribute is looked for
_SAME = frozenset(["same", "the same"])
_OPS = {"<": "<", ">": ">"}
IN_TIME = frozenset(["before", "after", "earlier than", "later than"])
_PARTED = {"more": ">", "fewer": "<", "less": "<"}


def compared_with_row(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise a comparison with an average or a named row."""
    for at, node in enumerate(nodes):
        if parted := _parted(model, nodes, at, read):
            return parted
        op = _OPS.get(node.item.name("compare"), "")
        if not op or node.values or node.compared:
            continue
        if found := _measured_by(model, nodes, at, read):
            return found
    return None


def _parted(model: DomainModel, nodes: Sequence[Node], at: int, read: Read) -> Construction | None:
    """Recognise a comparison whose noun stands inside it: "more pages than Emma"."""
    op = _PARTED.get(nodes[at].item.words, "")
    between = nodes[at + 1 : at + 2]
    measured = any((n.has("cue") or n.has("asked")) and not (n.values or n.has("entity")) for n in between)
    than = at + 2 < len(nodes) and nodes[at + 2].item.words == "than"
    if not (op and measured and than):
        return None
    words = f"{nodes[at].item.words} than"
    whole = Node(Item(nodes[at].item.start, nodes[at + 2].item.end, (Sense("compare", op),), words))
    return _measured_by(model, (*nodes[:at], nodes[at + 1], whole, *nodes[at + 3 :]), at + 1, read)


def _measured_by(model: DomainModel, nodes: Sequence[Node], at: int, read: Read) -> Construction | None:
    """Return the comparison at this place with an average or a named row, or None."""
    after = after_fillers(nodes, at + 1, "entity", "asked")
    if after >= len(nodes):
        return None
    if nodes[after].item.name("aggregate") == "avg":
        return _average(model, nodes, at, after)
    named = any(v.kind in model.kind and v.op == "=" for v in nodes[after].values)
    dated = nodes[at].item.words in IN_TIME and of_dates(model, [nodes[n] for n in said_before(nodes, at)])
    return _named(model, nodes, at, after, read) if named and (dated or "than" in nodes[at].item.words) else None


def of_dates(model: DomainModel, said: Sequence[Node]) -> bool:
    """Return whether the nodes name a date, a year or a time."""
    names = [s.name for node in said for s in (*node.item.all("asked"), *node.item.all("cue"))]
    return any({"date", "year", "clock"} & {*model.attribute[name].accepts} for name in names)


def _average(model: DomainModel, nodes: Sequence[Node], at: int, after: int) -> Construction:
    end = after_fillers(nodes, after + 1, "entity", "asked")
    named = nodes[end] if end < len(nodes) else None
    flag = named.item.name("flag") if named else ""
    flags = [flag] if flag else []
    while flags and end + 1 < len(nodes) and nodes[end + 1].has("flag") and not nodes[end + 1].values:
        end += 1
        flags.append(nodes[end].item.name("flag"))  # "the average senior clerk"
    whole = bool(named) and (bool(flag) or named.has("entity")) and not named.values  # type: ignore[union-attr]
    again = bool(named) and bool(asked_here(model, named)) and not named.has("entity")  # type: ignore[arg-type, union-attr]
    said = said_before(nodes, at)
    gone = {*range(at, end + 1 if whole or again else after + 1), *said}
    told = [nodes[n] for n in said] + ([named] if again and named else [])

    def change(meaning: Meaning) -> Meaning | None:
        found = compared_column(model, told, nodes[at], meaning)
        if found is None:
            return None
        column, op = found
        among = narrowing(meaning)
        if whole and named:
            name = named.item.name("entity") or model.flag[flag].of
            if name != meaning.entities[0]:
                return None
            among = Meaning((name,), flags=tuple(Flagged((one,)) for one in flags))
        compared = Compared(column, op, "avg", among, words_of(nodes, {*said, at}))
        return msgspec.structs.replace(meaning, compared=(*meaning.compared, compared))

    return Construction(without(nodes, gone), change, words_of(nodes, {at, after}), strict=True)


def _named(model: DomainModel, nodes: Sequence[Node], at: int, after: int, read: Read) -> Construction:
    said = said_before(nodes, at)
    end = after + 1
    while end < len(nodes) and (nodes[end].has("entity") or (nodes[end].values and nodes[end - 1].has("entity"))):
        end += 1  # a name may consist of a noun and a number
    gone = {*range(at, end), *said}

    def change(meaning: Meaning) -> Meaning | None:
        found = compared_column(model, [nodes[n] for n in said], nodes[at], meaning)
        one = read(nodes[after:end], meaning.entities[:1])
        if found is None or one is None or one.entities != meaning.entities[:1] or not _itself(model, one):
            return None
        column, op = found
        compared = Compared(column, op, "max" if op == ">" else "min", one, words_of(nodes, {*said, at}))
        return msgspec.structs.replace(meaning, compared=(*meaning.compared, compared))

    return Construction(without(nodes, gone), change, words_of(nodes, {at, after}), strict=True)


def _itself(model: DomainModel, one: Meaning) -> bool:
    """Return whether a condition identifies the row itself and not a related one."""
    said = ((model.attribute[c.attribute].accepts[v.kind], c) for c in one.conditions for v in c.values)
    return any(";" not in path and path != "-" and not c.negated for path, c in said)


def same_as(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise a value shared with a named row: "in the same department as Ann Lee"."""
    for at in range(len(nodes) - 3):
        after = after_fillers(nodes, at + 3, "entity", "asked")
        same = nodes[at].item.words in _SAME and nodes[at + 2].item.words == "as"
        if not same or after >= len(nodes) or not any(v.kind in model.kind for v in nodes[after].values):
            continue
        first = at - 1 if at and (is_filler(nodes[at - 1]) or nodes[at - 1].has("cue")) else at
        gone = frozenset(range(first, after + 1))

        def change(meaning: Meaning, what: Node = nodes[at + 1], which: Node = nodes[after]) -> Meaning | None:
            names = [s.name for s in (*what.item.all("asked"), *what.item.all("cue"))]
            own = [name for name in names if model.attribute[name].of in meaning.entities[:1]]
            column = next((found for name in own if (found := column_of(model, name))), "")
            one = read([which], meaning.entities[:1])
            if not column or one is None or one.entities != meaning.entities[:1] or not _itself(model, one):
                return None
            compared = Compared(column, "=", "", one, f"with the same {what.item.words} as")
            return msgspec.structs.replace(meaning, compared=(*meaning.compared, compared))

        return Construction(without(nodes, gone), change, words_of(nodes, gone), strict=True)
    return None


def said_before(nodes: Sequence[Node], at: int) -> list[int]:
    """Return the place of the noun or verb right before "more than", if any: "earn", "a salary"."""
    for place in range(at - 1, max(-1, at - _BACK), -1):
        node = nodes[place]
        if node.values or node.has("entity"):
            return []
        if node.has("cue") or node.has("asked"):
            return [place]
        if not is_filler(node):
            return []
    return []


def compared_column(model: DomainModel, said: Sequence[Node], by: Node, meaning: Meaning) -> tuple[str, str] | None:
    """Return the compared column and operator, from the words before the comparison or from the comparative itself.

    "Older" compares the column of the superlative "oldest".
    """
    op = _OPS[by.item.name("compare")]
    head = meaning.entities[:1]
    for node in said:
        for sense in (*node.item.all("asked"), *node.item.all("cue")):
            if model.attribute[sense.name].of in head and (column := column_of(model, sense.name)):
                return column, op
    word = by.item.words.removesuffix(" than")
    most = "most" + word.removeprefix("more") if word.startswith("more ") else word.removesuffix("r") + "st"
    for superlative in model.superlative.values():
        if most in superlative.words and head[0] in superlative.column:
            return superlative.column[head[0]], "<" if superlative.pick == "min" else ">"
    return None
