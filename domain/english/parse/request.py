"""The parser's entry point: recognises constructions, parses the rest, and applies the constructions to its meaning."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Meaning
from domain.english.parse.combine_comparisons import Node, combine
from domain.english.parse.constructions import (
    averages,
    comparatives,
    done_times,
    each_of,
    groups,
    how_often,
    nested,
    others,
    quantifiers,
    ranks,
    shares,
    throughout,
    time_spans,
)
from domain.english.parse.constructions.construction import Construction, Read, Recogniser, scoped
from domain.english.parse.constructions.contrasts import contrasted
from domain.english.parse.entity_words import negated_verbs, with_one_entity
from domain.english.parse.parser import Parsed, parse_nodes
from domain.english.parse.self_corrections import corrected
from domain.english.parse.tagger import Item

_RECOGNISERS: tuple[Recogniser, ...] = (
    shares.share_of_part,
    each_of.neither,
    each_of.every_row,
    each_of.all_of_another,
    nested.within,
    ranks.ranked,
    comparatives.compared_with_row,
    others.compared_with_described,
    comparatives.same_as,
    groups.two_amounts,
    groups.with_aggregate,
    groups.bound_on_average,
    averages.trailing_average,
    averages.added_attribute,
    groups.best_on_average,
    groups.best_of_each,
    how_often.event_count,
    how_often.most_frequent_event,
    how_often.highest_sum,
    done_times.done_so_often,
    groups.most_common,
    groups.most_counted_value,
    time_spans.span_with_most,
    time_spans.by_span,
    groups.by_attribute,
    groups.by_entity,
    groups.distinct_values,
    throughout.all_related,
    quantifiers.flag_count,
    quantifiers.count_comparison,
    quantifiers.only,
    quantifiers.all_have_flag,
    throughout.none_related,
    throughout.all_people,
    throughout.all_of_entity,
    quantifiers.both,
    quantifiers.only_where,
    quantifiers.inexpressible_count,
)
_NOT_FITTING = 0.6


def parse(model: DomainModel, items: Sequence[Item], before: Meaning | None = None) -> Parsed | None:
    """Return the best reading of the items, or None if there are none.

    `before` is the meaning of an earlier request that this one may continue.
    """
    nodes = negated_verbs(with_one_entity(model, quantifiers.neither(combine(corrected(model, items)))))
    if not nodes:
        return None
    return _read(model, nodes, before)


def _read(model: DomainModel, nodes: Sequence[Node], before: Meaning | None) -> Parsed:
    parsed = _constructed(model, nodes, before) or parse_nodes(model, nodes, before)
    meaning = without_repeated_ends(model, contrasted(model, nodes, scoped(model, parsed.meaning)))
    return msgspec.structs.replace(parsed, meaning=meaning)


def without_repeated_ends(model: DomainModel, meaning: Meaning) -> Meaning:
    """Return the meaning without places at one end of a route that are the other end, where another place is left: "from Norton
    to Sutton and in Sutton by eight" starts in Norton alone."""
    ends = {end for swap in model.swap.values() for end in swap.exchange}
    said = [c for c in meaning.conditions if c.attribute in ends and not c.negated]
    conditions = []
    for condition in meaning.conditions:
        others = {v.data for c in said if c.attribute != condition.attribute and len(c.values) == 1 for v in c.values}
        left = tuple(v for v in condition.values if v.data not in others)
        several = condition in said and left and len(left) < len(condition.values)
        conditions.append(msgspec.structs.replace(condition, values=left) if several else condition)
    return msgspec.structs.replace(meaning, conditions=tuple(conditions))


def _only_constructed(model: DomainModel, nodes: Sequence[Node], before: Meaning | None) -> Parsed:
    """Return the reading of a request that consists of constructions only: "with more than three engineers"."""
    plain = parse_nodes(model, nodes, before)
    return Parsed(Meaning(before.entities if before else ()), (), 1.0, headless=True, senses=plain.senses)


def _constructed(model: DomainModel, nodes: Sequence[Node], before: Meaning | None) -> Parsed | None:
    """Return the reading by the constructions of a request; None without any, or if a plain reading is better."""

    def words(nodes: Sequence[Node], entities: Sequence[str]) -> Meaning | None:
        parsed = _read(model, nodes, Meaning(tuple(entities)) if entities else before)
        return None if parsed.unused or parsed.refused else parsed.meaning

    read = Read(words, before.entities if before else ())
    rest, found = tuple(nodes), list[Construction]()
    for recognise in _RECOGNISERS:
        if rest and (construction := recognise(model, rest, read)):
            found.append(construction)
            rest = construction.nodes
    if not found or not (rest or before):
        return None
    parsed = parse_nodes(model, rest, before) if rest else _only_constructed(model, nodes, before)
    meaning: Meaning | None = parsed.meaning
    for construction in found:
        meaning = construction.change(meaning) if meaning else None
    if meaning is not None:
        says = bool(meaning.compared or meaning.having) and parsed.headless and not parsed.unused
        return msgspec.structs.replace(parsed, meaning=meaning, confidence=1.0 if says else parsed.confidence)
    if not any(construction.strict for construction in found):
        return None
    plain = parse_nodes(model, nodes, before)
    missing = [c.words for c in found if c.strict and c.words not in plain.unused]
    confidence = max(0.0, round(plain.confidence - _NOT_FITTING * bool(missing), 2))
    return msgspec.structs.replace(plain, unused=(*plain.unused, *missing), confidence=confidence)
