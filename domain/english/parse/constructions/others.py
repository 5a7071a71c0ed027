"""Comparisons with a described entity: "earns more than the head of finance", "makes more than their own boss"."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from domain.english.model.domain import DomainModel, leads_back
from domain.english.model.meaning import Compared, Meaning
from domain.english.parse.combine_comparisons import Node, is_filler
from domain.english.parse.constructions.comparatives import IN_TIME, compared_column, of_dates, said_before
from domain.english.parse.constructions.construction import Construction, Read, bare, without, words_of

_DESCRIBING = frozenset(
    ["the", "any", "all", "all the", "every", "each", "any other", "all other", "any of the", "all of the"]
)
_OWN = frozenset(["their", "his", "her", "its", "own"])
_GOING_ON = frozenset(["and", "or", "but", "who", "that", "which", "with"])


def compared_with_described(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise a comparison with an entity that is described or related to each row."""
    for at, node in enumerate(nodes):
        op = {"<": "<", ">": ">"}.get(node.item.name("compare"), "")
        if not op or node.values or node.compared:
            continue
        dated = node.item.words in IN_TIME and of_dates(model, [nodes[n] for n in said_before(nodes, at)])
        if not (dated or node.item.words.endswith(" than")):
            continue
        if found := _with_referent(model, nodes, at) or _described(model, nodes, at, read):
            return found
    return None


def _with_referent(model: DomainModel, nodes: Sequence[Node], at: int) -> Construction | None:
    """Recognise a comparison of each row with a related row: "more than their own boss"."""
    place = at + 1
    while place < len(nodes) and nodes[place].item.words in _OWN:
        place += 1
    if place == at + 1 or place >= len(nodes):
        return None
    names = [s.name for s in nodes[place].item.senses if s.what in {"asked", "cue"}]
    back = next((name for name in names if leads_back(model.attribute[name])), "")
    if not back:
        return None
    said = said_before(nodes, at)
    gone = {*range(at, place + 1), *said}

    def change(meaning: Meaning) -> Meaning | None:
        found = compared_column(model, [nodes[n] for n in said], nodes[at], meaning)
        if found is None or model.attribute[back].of not in meaning.entities[:1]:
            return None
        column, op = found
        whole = Meaning(meaning.entities[:1])
        compared = Compared(column, op, "", whole, words_of(nodes, {*said, at}), through=back)
        return msgspec.structs.replace(meaning, compared=(*meaning.compared, compared))

    return Construction(without(nodes, gone), change, words_of(nodes, {at, place}), strict=True)


def _described(model: DomainModel, nodes: Sequence[Node], at: int, read: Read) -> Construction | None:
    """Recognise a comparison with the extreme of a described set: "more than the head of finance"."""
    first = at + 1
    while first < len(nodes) and nodes[first].item.words in _DESCRIBING:
        first += 1
    if first == at + 1 or first >= len(nodes) or nodes[first].item.name("aggregate") == "avg":
        return None
    end = first + 1
    while end < len(nodes) and nodes[end].item.words not in _GOING_ON:
        end += 1
    while end > first + 1 and is_filler(nodes[end - 1]) and not nodes[end - 1].values:
        end -= 1
    said = said_before(nodes, at)
    gone = {*range(at, end), *said}

    def change(meaning: Meaning) -> Meaning | None:
        found = compared_column(model, [nodes[n] for n in said], nodes[at], meaning)
        whole = read(nodes[first:end], meaning.entities[:1])
        if found is None or whole is None or whole.entities != meaning.entities[:1] or bare(whole):
            return None
        if whole.count or whole.aggregate or whole.attributes or whole.per or whole.by:
            return None
        column, op = found
        compared = Compared(column, op, "max" if op == ">" else "min", whole, words_of(nodes, {*said, at}))
        return msgspec.structs.replace(meaning, compared=(*meaning.compared, compared))

    return Construction(without(nodes, gone), change, words_of(nodes, {at, first}), strict=True)
