"""Coverage: the words of a request that its meaning does not account for.

A reading that ignores such a word answers a different request. Plain fillers are listed in the lexicon; this module finds
words that must not be ignored although they could be.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Condition, Meaning, over_rows
from domain.english.model.path_names import tables_in
from domain.english.parse.combine_comparisons import Node, is_filler
from domain.english.parse.completed_names import completes_a_name
from domain.english.parse.entity_words import idle_verbs
from domain.english.parse.filler_words import compares_equality
from domain.english.parse.projections import Projection
from domain.english.parse.unanswered import echoed, mismatched_names, stranded

_WH = frozenset(["where", "why", "who"])
_QUESTIONS = frozenset(["which", "what", "how many"])
_DOING = frozenset(["does", "do", "did", "is", "are", "was", "were"])
_BEING = frozenset(["is", "are", "was", "were", "the", "all", "all the", "these", "those"])
_DOES = frozenset(["do", "does", "did"])
_WHOLE = frozenset(["of", "all", "all the", "every"])
_DETERMINING, _OWNED = frozenset(["the", "its", "their", "his", "her"]), frozenset(["of", "for", "is"])
_IN_TIME = frozenset(["before", "after", "since", "until"])
_UNREAD = frozenset(["avg", "sum"])
_PASSING = ("fill", "ask", "wish", "compare", "count", "refer", "swap", "extreme", "aggregate")


def uncovered(model: DomainModel, nodes: Sequence[Node], projection: Projection, meaning: Meaning) -> list[int]:
    """Return the indices of the nodes that the meaning does not cover."""
    places = [
        *_things(model, nodes, projection, meaning),
        *_decisive_words(model, nodes, projection, meaning),
        *_split_names(model, nodes, meaning),
    ]
    said = (*meaning.conditions, *(c for group in meaning.either for c in group))
    places += _uncovered_nouns(model, nodes, projection, meaning)
    places += idle_verbs(nodes, _spoken_of(model, meaning, said))
    return [*places, *echoed(model, nodes, meaning), *stranded(nodes), *mismatched_names(model, nodes, meaning)]


def _uncovered_nouns(
    model: DomainModel, nodes: Sequence[Node], projection: Projection, meaning: Meaning
) -> Iterator[int]:
    """Yield nouns that could introduce a value but are asked for here and not covered: "the budget of Ann Lee"."""
    said = (*meaning.conditions, *(c for group in meaning.either for c in group))
    used = {c.attribute for c in said} | {*meaning.attributes, meaning.by} | {e.superlative for e in meaning.extremes}
    used |= {having.attribute for having in meaning.having}
    for at in range(1, len(nodes) - 1):
        node, before, after = nodes[at], nodes[at - 1].item.words, nodes[at + 1].item.words
        if at in projection.at or node.values or {sense.what for sense in node.item.senses} - {"cue", "trailing"}:
            continue
        if (
            before.rpartition(" ")[2] in _DETERMINING
            and after in _OWNED
            and not {s.name for s in node.item.senses} & used
        ):
            yield at


def _split_names(model: DomainModel, nodes: Sequence[Node], meaning: Meaning) -> Iterator[int]:
    """Yield the last name of an unknown full name whose two halves were attached to two different people."""
    pairs = [pair.split() for kind in model.kind.values() for pair in kind.names if " " in pair]
    firsts, lasts = {pair[0] for pair in pairs}, {pair[-1] for pair in pairs}
    for at in range(len(nodes) - 1):
        one, other = ([model.kind[v.kind].column for v in n.values if v.kind in model.kind] for n in nodes[at : at + 2])
        if not (firsts & {*one} and lasts & {*other}):
            continue
        tables = [_table_of(model, meaning, node) for node in nodes[at : at + 2]]
        if all(tables) and tables[0] != tables[1]:
            yield at + 1


def _table_of(model: DomainModel, meaning: Meaning, node: Node) -> str:
    """Return the table that a name was attached to."""
    said = [
        model.attribute[c.attribute].accepts.get(v.kind, "")
        for c in meaning.conditions
        for v in c.values
        if any((v.kind, v.data) == (own.kind, own.data) for own in node.values)
    ]
    return said[0].rpartition(";")[2].strip().partition(".")[0] if said else ""


def beside(nodes: Sequence[Node], places: Sequence[int]) -> frozenset[int]:
    """Return the uncovered entities that are coordinated with the head: "and prices", "and I want the price"."""
    return frozenset(at for at in places if nodes[at].has("entity") and _joined(nodes, at))


def _joined(nodes: Sequence[Node], at: int) -> bool:
    for node in reversed(nodes[max(0, at - 4) : at]):
        if node.has("and") or node.item.words.startswith("with "):
            return True
        if not (is_filler(node) or node.has("ask")):
            return False
    return False


def _things(model: DomainModel, nodes: Sequence[Node], projection: Projection, meaning: Meaning) -> Iterator[int]:
    """Yield entities and attributes that are neither asked for nor used by a condition."""
    called = {s.name for node in nodes for s in node.item.all("hint")} & {*projection.entities}
    hinted = not projection.at or called
    said = (*meaning.conditions, *(c for group in meaning.either for c in group))
    used = {c.attribute for c in said} | {*meaning.attributes, meaning.by} | {e.superlative for e in meaning.extremes}
    entities = _spoken_of(model, meaning, said)
    narrowed = said or meaning.flags or meaning.extremes or meaning.having or meaning.per
    passing = _PASSING if narrowed else _PASSING[1:]
    for at, node in enumerate(nodes):
        other = node.has("entity") and node.item.name("entity") not in projection.entities
        if other and at == 1 and nodes[0].item.words == "which" and _asks_for_others(node, projection):
            yield at
            continue
        if other and ((called and _wanted(nodes, at)) or (at in projection.at and _before_a_hint(model, nodes, at))):
            yield at
            continue
        senses = [s for s in node.item.senses if s.what in {"entity", "asked"}]
        if not senses or at in projection.at or node.values or node.has("flag") or any(map(node.has, passing)):
            continue
        if hinted and not (node.has("entity") and any(n.has("and") for n in nodes[max(0, at - 2) : at])):
            continue  # a hint or a value chose the head
        names = {s.name for s in node.item.senses if s.what in {"cue", "asked", "trailing", "superlative", "hint"}}
        named = {s.name for s in senses if s.what == "entity"}
        kinds = [model.kind[v.kind] for v in (nodes[at - 1].values if at else ()) if v.kind in model.kind]
        entities_here = entities | {kind.asks for kind in kinds}
        told = names & used or (names | named) & entities_here or completes_a_name(model, nodes, at)
        if not (told or _qualifies(nodes, projection, at)):
            yield at


def _asks_for_others(node: Node, projection: Projection) -> bool:
    """Return whether "which keepers" asks for things in the plural that are not what is returned or counted."""
    counted = projection.attributes or projection.count or projection.aggregate or projection.per
    return node.item.words.endswith("s") and not node.values and not counted


def _before_a_hint(model: DomainModel, nodes: Sequence[Node], at: int) -> bool:
    """Return whether an entity is coordinated with the one that a hint names: "trains to Bonn and a taxi"."""
    for place in range(at + 2, len(nodes)):
        kinds = [model.kind[v.kind] for v in nodes[place].values if v.kind in model.kind]
        if nodes[place].has("hint") or any(kind.hint for kind in kinds):
            led = [n for n in nodes[at + 1 : place] if not is_filler(n)]
            paired = any("between" in n.item.words.split() for n in nodes[:place])
            return bool(led) and led[-1].has("and") and not paired
    return False


def _wanted(nodes: Sequence[Node], at: int) -> bool:
    """Return whether a question word asks for this entity: the cities of "how many cities have taxis"."""
    after = nodes[at + 1] if at + 1 < len(nodes) else None
    asks = at > 0 and _QUESTIONS & {nodes[at - 1].item.words}
    return bool(asks) and after is not None and not (after.values or after.has("entity") or after.has("hint"))


def _qualifies(nodes: Sequence[Node], projection: Projection, at: int) -> bool:
    """Return whether a noun belongs to the words around it: "team leaders", "all members", "room 5", "lowest price"."""
    before = nodes[at - 1] if at else None
    after = next((node for node in nodes[at + 1 :] if not is_filler(node)), None)
    if before is not None and (before.item.words in _WHOLE or before.has("superlative") or before.has("extreme")):
        return True
    introduces = any(node.values for node in nodes[at + 1 : at + 2])
    return introduces or at + 1 in projection.at or (after is not None and after.has("explain"))


def _spoken_of(model: DomainModel, meaning: Meaning, said: Sequence[Condition]) -> set[str]:
    """Return the entities that the meaning covers, including those whose tables its joins pass."""
    found = {*meaning.entities, meaning.per, *(h.entity for h in meaning.having)}
    found |= {model.attribute[name].of for name in (*(c.attribute for c in said), *meaning.attributes)}
    found |= {model.flag[name].of for flagged in meaning.flags for name in flagged.flags}
    paths = [model.attribute[c.attribute].accepts[v.kind] for c in said for v in c.values]
    paths += [path for name in meaning.attributes for path in model.attribute[name].select]
    paths += [path for flagged in meaning.flags for name in flagged.flags for path in model.flag[name].where]
    tables = {table for path in paths for table in tables_in(path)}
    tables |= {e.column.partition(".")[0] for e in meaning.extremes}
    tables |= {table for name in found & {*model.entity} for table in model.entity[name].needs}
    return found | {name for name, entity in model.entity.items() if entity.table in tables}


def _decisive_words(
    model: DomainModel, nodes: Sequence[Node], projection: Projection, meaning: Meaning
) -> Iterator[int]:
    """Yield words that change the answer but are not in the meaning: "only to Bonn", "the same as", "why"."""
    about = {*projection.entities, *(name for entity in projection.entities for name in model.entity[entity].needs)}
    far = any(model.attribute[c.attribute].of not in about or over_rows(model, c) for c in meaning.conditions)
    words = [node.item.words for node in nodes]
    hollow = _only_subject_known(model, words, nodes, projection, meaning)
    listed = not any(n.has("or") for n in nodes) and any(
        len([v for v in c.values if v.kind in model.kind]) > 1 for c in meaning.conditions
    )
    for at, node in enumerate(nodes):
        if listed and node.item.name("compare") == "between" and not (node.values or node.has("cue")):
            yield at  # "between two clubs" was read as a list of alternatives
        led = at + 1 + (words[at + 1 : at + 2] == ["with"])
        after = nodes[led : led + 1]
        sole = any(v.kind in model.kind for n in after for v in n.values)  # "that only Ann Lee writes for"
        only = words[at] == "only" and far and (sole or any(n.has("cue") for n in after))
        same = words[at].endswith("same") and any("as" in later.split() for later in words[at:])
        going = words[at].partition(" ")[0] == "where" and bool(_DOING & {*" ".join(words[at : at + 2]).split()[1:2]})
        naming = words[0] == "who" and bool(projection.at) and {*words[1 : min(projection.at)]} <= _BEING
        asking = (going or (at == 0 and words[0] in _WH)) and not (
            node.has("entity") or projection.attributes or naming
        )
        counting = words[at].startswith("how many") and not (node.has("asked") or _counted(projection))
        unread = node.item.name("aggregate") in _UNREAD and not (node.has("fill") or node.has("explain"))
        unread = unread and not meaning.aggregate and not meaning.count
        nobody = at == 0 and words[0] == "who" and not node.has("entity") and _quantities(model, projection)
        asking = asking or nobody or (at == 0 and hollow)
        left_over = {sense.what for sense in node.item.senses} == {"compare"} and node.item.words in _IN_TIME
        if only or same or asking or counting or unread or left_over or compares_equality(nodes, at):
            yield at


def _only_subject_known(
    model: DomainModel, words: Sequence[str], nodes: Sequence[Node], projection: Projection, meaning: Meaning
) -> bool:
    """Return whether the request asks what somebody does but only the name was understood: "what does Ann Lee do"."""
    opening = " ".join(words[:2]).split()
    if (
        opening[:1] not in (["what"], ["who"])
        or not _DOES & {*opening[1:2]}
        or _counted(projection)
        or meaning.extremes
    ):
        return False
    if any(node.has("explain") for node in nodes):
        return False
    subject = next((n for n in nodes[1:] if not is_filler(n) and n.item.words not in _DOES), None)
    table = model.entity[projection.entities[0]].table
    kinds = {v.kind for v in (subject.values if subject else ()) if v.kind in model.kind}
    own = {kind for kind in kinds if model.kind[kind].column.partition(".")[0] == table}
    paths = [(kind, model.attribute[c.attribute].accepts.get(kind)) for c in meaning.conditions for kind in own]
    return any(path == model.kind[kind].column for kind, path in paths)


def _quantities(model: DomainModel, projection: Projection) -> bool:
    """Return whether only numbers are asked for, which cannot answer "who"."""
    held = [{*model.attribute[name].accepts} for name in projection.attributes]
    return bool(held) and all(kinds and kinds <= {"number", "money"} for kinds in held)


def _counted(projection: Projection) -> bool:
    return bool(projection.count or projection.per or projection.by or projection.attributes or projection.aggregate)
