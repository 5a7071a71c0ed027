"""Projections: the entities and attributes that a request asks for, and phrases for a quantity, price or date."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

import msgspec

from domain.english.model.domain import Attribute, DomainModel, leads_back, meaning_of, tied
from domain.english.parse.combine_comparisons import Node, is_filler

_LINKS = frozenset(["of", "is", "the", "a", "an", "at", "in", "than", "are"])
_LACKING = frozenset(["without", "no", "without any", "not any", "not a"])


class Projection(msgspec.Struct, frozen=True):
    """The entities and attributes that a request asks for.

    `per` is an entity counted for each row; `pick` ("max" or "min") keeps the rows with the highest or lowest count. `by`
    is an attribute to group by. `named` means that the entities are returned along with the attributes. `at` holds the
    indices of the nodes that state the projection.
    """

    entities: tuple[str, ...]
    attributes: tuple[str, ...] = ()
    count: bool = False
    aggregate: str = ""
    per: str = ""
    pick: str = ""
    by: str = ""
    named: bool = False
    at: frozenset[int] = frozenset()

    @property
    def concerned(self) -> tuple[str, ...]:
        """Return the entities asked for, and the entity counted for a superlative ("most", "fewest")."""
        return (*self.entities, self.per) if self.pick and self.per not in self.entities else self.entities

    def with_beside(self, model: DomainModel, nodes: Sequence[Node], places: AbstractSet[int]) -> Projection | None:
        """Return the projection extended by the entities at `places`, or None if the domain does not relate them."""
        entities = (*self.entities, *(nodes[at].item.name("entity") for at in sorted(places)))
        if not places or self.count or self.aggregate or self.per or not tied(model, entities):
            return None
        return msgspec.structs.replace(self, entities=tuple(dict.fromkeys(entities)), at=self.at | places)


def headless(nodes: Sequence[Node], projection: Projection) -> bool:
    """Return whether the request has no head, or only a bare name: "evenings"."""
    told = [at for at, node in enumerate(nodes) if not is_filler(node)]
    return not projection.at or (told == [*projection.at] and bool(nodes[told[0]].values))


def degree_node(model: DomainModel, nodes: Sequence[Node]) -> int | None:
    """Return the index of the noun whose quantity "how long", "how tall" or "how much does it cost" asks for."""
    much = False
    for at, node in enumerate(nodes[1:], start=1):
        how = nodes[at - 1].item.words == "how"
        said = nodes[at - 1].item.words == "how much" and not nodes[at - 1].has(
            "entity"
        )  # "how much" is not a noun here
        much = much or (how and node.item.words == "much") or said
        wanted = {"money"} if much and not how else {"number", "money"}
        measures = any(wanted & set(model.attribute[s.name].accepts) for s in node.item.all("cue"))
        if (how or much) and measures and not node.values and not node.has("asked"):
            return at
    return None


def degree_of(model: DomainModel, nodes: Sequence[Node], ways: Sequence[AbstractSet[str]]) -> Projection | None:
    """Return the projection for a "how long" question.

    `ways` are sets of owners in order of preference; if none of them has the quantity, its only owner in the domain is
    taken.
    """
    at = degree_node(model, nodes)
    if at is None:
        return None
    names = [s.name for s in nodes[at].item.all("cue") if model.attribute[s.name].select]
    if since := _since(model, nodes[at + 1 :], names):
        return since
    alone = {model.attribute[name].of for name in names}
    for owners in (*ways, *([alone] if len(alone) == 1 else [])):
        for name in names:
            if model.attribute[name].of in owners:
                much = [place for place, node in enumerate(nodes[:at]) if node.item.words in {"much", "how much"}]
                return Projection((model.attribute[name].of,), (name,), at=frozenset([at, *much]))
    return None


def _since(model: DomainModel, nodes: Sequence[Node], degree: Sequence[str]) -> Projection | None:
    """Return the projection for "how long has she been here": the start date. Other durations are not answered this way."""
    dated = [s.name for n in nodes for s in n.item.all("cue") if n.item.words.startswith(_LASTING) and not n.values]
    dated = [name for name in dated if "date" in model.attribute[name].accepts and name not in degree]
    tables = {model.kind[v.kind].column.partition(".")[0] for n in nodes for v in n.values if v.kind in model.kind}
    named = {n.item.name("entity") for n in nodes}
    owned = [name for name in dated if model.attribute[name].of in named] or [
        name for name in dated if model.entity[model.attribute[name].of].table in tables
    ]
    return Projection((model.attribute[owned[0]].of,), (owned[0],), at=frozenset([0])) if len(owned) == 1 else None


_LASTING = ("been here", "worked here", "been with", "been a ", "working here")


def cost_of(model: DomainModel, nodes: Sequence[Node], entity: str) -> tuple[str, ...]:
    """Return the price attribute of `entity` for "what does a taxi cost in Bonn" or "how much does it cost"."""
    opening = " ".join(n.item.words for n in nodes[:3]).split()
    doing = opening[1:2] if opening[0] == "what" else opening[2:3] if opening[:2] == ["how", "much"] else []
    if not entity or not _COSTING & {*doing}:
        return ()
    cues = [sense.name for node in nodes if not node.values for sense in node.item.all("cue")]
    own = [name for name in cues if model.attribute[name].of == entity and model.attribute[name].select]
    return tuple(name for name in own if "money" in model.attribute[name].accepts)[:1]


def flag_meant(model: DomainModel, node: Node, entities: Sequence[str]) -> str:
    """Return the flag meant by a word, preferring one of `entities`: "steamers" among ships, or trips by steamer."""
    names = [sense.name for sense in node.item.all("flag")]
    return next((name for name in names if model.flag[name].of in entities), names[0])


def closes(model: DomainModel, nodes: Sequence[Node], at: int) -> bool:
    """Return whether a verb completes a clause begun by its subject: "supervise" in "whom does Ann supervise"."""
    after_value = at > 0 and bool(nodes[at - 1].values)
    return after_value and any(leads_back(model.attribute[s.name]) for s in nodes[at].item.all("trailing"))


def seniority_pick(words: str, attribute: Attribute) -> str:
    """Return "min" for "longest" and "max" for "shortest" if the attribute is a start date, else an empty string."""
    if not {"date", "years"} & {*attribute.accepts}:
        return ""
    return {"longest": "min", "the longest": "min", "shortest": "max", "the shortest": "max"}.get(words, "")


def are_dates(model: DomainModel, asked: Sequence[str]) -> bool:
    """Return whether the counted attribute is a date, so that entities are counted instead: "how many birthdays"."""
    return len(asked) == 1 and "date" in model.attribute[asked[0]].accepts


_DOING = frozenset(["does", "do", "did"])
_COSTING = frozenset([*_DOING, "would", "will"])
_JOINING = frozenset(["and", "but", "so", "or", "then", "and then", "also", "and also"])
_PLACED = frozenset(["in", "at", "from"])  # cues of a place


def joined(nodes: Sequence[Node]) -> int:
    """Return how many leading words only join the request to an earlier one: "and", "but then"."""
    return next((at for at, node in enumerate(nodes) if node.item.words not in _JOINING), 0)


def explained(model: DomainModel, nodes: Sequence[Node]) -> str:
    """Return the attribute that explains a code, if the principles define one: "what does DL mean"."""
    if not any(n.has("explain") for n in nodes):
        return ""
    names = (meaning_of(v.kind) for n in nodes for v in n.values)
    return next((name for name in names if name in model.attribute), "")


def foreign_owner(model: DomainModel, nodes: Sequence[Node], chosen: int, head: tuple[str, ...]) -> tuple[str, ...]:
    """Return an owner that the domain does not relate to the property: "the cost of ground transportation"."""
    for at in range(chosen + 1, len(nodes)):
        if name := nodes[at].item.name("entity"):
            of = any(n.item.words == "of" for n in nodes[chosen + 1 : at])
            return (name,) if of and not tied(model, (head[0], name)) else ()
        if nodes[at].item.words not in _LINKS:
            return ()
    return ()


def is_lacked(nodes: Sequence[Node], at: int) -> bool:
    """Return whether a noun only says what others lack: "managers without a degree"."""
    before = at - 1
    while before > 0 and (is_filler(nodes[before]) or (nodes[before].values and at - before < 3)):
        before -= 1
    lacks = before > 0 and nodes[at].has("entity") and nodes[before].item.words in _LACKING
    return lacks and any(n.has("flag") or (n.values and not n.compared) for n in nodes[:before])


def is_share_restriction(nodes: Sequence[Node], at: int) -> bool:
    """Return whether a noun only says where a share is taken: "the share of women in that division"."""
    share = next((n for n, node in enumerate(nodes) if node.item.name("aggregate") == "share"), len(nodes))
    return any(n.has("flag") or n.values for n in nodes[share + 1 : at])


def verb_projection(
    model: DomainModel, nodes: Sequence[Node], chosen: int | None, owners: AbstractSet[str]
) -> Projection | None:
    """Return the projection for "where does Ann live" or "what did they study", whose final verb names the attribute."""
    opening = " ".join(n.item.words for n in nodes[joined(nodes) :][:2]).split()
    place = opening[:1] == ["where"]
    if not (place or (opening[:1] == ["what"] and _DOING & {*opening[1:2]})):
        return None
    if chosen and not nodes[chosen].has("entity"):
        return None
    last = max((at for at, n in enumerate(nodes) if n.has("cue") and not n.values), default=0)
    owners = owners | {model.flag[s.name].of for n in nodes for s in n.item.all("flag")}
    for sense in nodes[last].item.all("cue"):
        attribute = model.attribute[sense.name]
        named = any(kind in model.kind for kind in attribute.accepts) and bool(attribute.select)
        if last and attribute.of in owners and named and place == bool(_PLACED & {*attribute.cues}):
            return Projection((attribute.of,), (sense.name,), at=frozenset([0, last]))
    return None


def ranked_entity(model: DomainModel, nodes: Sequence[Node], kinds: AbstractSet[str], asked: AbstractSet[str]) -> str:
    """Return the entity that has the superlative's column, for a category that lacks it: "the dearest drink" is a product.

    `kinds` are the kinds of the names in the request, `asked` the entities those kinds ask for.
    """
    columns = {name for n in nodes for s in n.item.all("superlative") for name in model.superlative[s.name].column}
    if len(asked) != 1 or columns & asked:
        return ""
    fitting = [
        (path.count(";"), attribute.of)
        for attribute in model.attribute.values()
        for kind, path in attribute.accepts.items()
        if kind in kinds and attribute.of in columns
    ]
    return min(fitting)[1] if fitting else ""


def last_event(model: DomainModel, nodes: Sequence[Node]) -> Projection | None:
    """Return the projection for "when was the last sale to Ann" or "when did Ann last buy": the date of the event."""
    asking = next((at for at, node in enumerate(nodes) if node.item.words == "when"), None)
    if asking is None:
        return None
    for at in range(asking + 1, len(nodes) - 1):
        verb, noun = (nodes[at + 1].item.name(what) for what in ("verb", "entity"))
        entity = verb or noun
        if not entity or nodes[at + 1].values or not (nodes[at].has("superlative") or nodes[at].has("extreme")):
            continue
        own = {n: a for n, a in model.attribute.items() if a.of == entity and a.select and "date" in a.accepts}
        told = [n for n, a in own.items() if a.default] or [*own]
        if len(told) == 1:
            return Projection((entity,), (told[0],), at=frozenset([asking, *([] if verb else [at + 1])]))
    return None
