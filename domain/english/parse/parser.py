"""From nodes to meaning: combines the projection, conditions, flags and superlatives, and counts the words left over.

All decisions follow the entities and attributes of `domain.toml`. Unused words and values lower the confidence: a wrong
answer costs twice as much as none.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from domain.english.model.domain import DomainModel, Literal, Superlative, leads_back
from domain.english.model.meaning import Condition, Extreme, Flagged, Having, Meaning, Weighed
from domain.english.parse.attach_values import Attacher
from domain.english.parse.combine_comparisons import Node, is_filler
from domain.english.parse.coverage import beside, uncovered
from domain.english.parse.filler_words import dangles, means_except, misplaced, paired, wanting
from domain.english.parse.heads import COUNTED_MOST, find_projection
from domain.english.parse.projections import Projection, closes, degree_node, flag_meant, headless, seniority_pick
from domain.english.parse.unanswered import is_row_count
from domain.english.parse.unused_words import BOTH, FOR_EACH, MEASURING, NEGATION, SPANS, STILL, WHEN, Leftover

_UNUSED_WORD, _UNUSED_NUMBER, _NOTHING_SAID, _UNKNOWN_HEAD = 0.45, 0.6, 0.6, 0.3
_CONTRADICTION = 0.7


class Parsed(msgspec.Struct, frozen=True):
    """A meaning, the words it leaves unused, and the confidence of the parse (0 to 1)."""

    meaning: Meaning
    unused: tuple[str, ...]
    confidence: float
    refused: bool = False
    headless: bool = False
    senses: frozenset[str] = frozenset()
    swap: str = ""
    weighed: tuple[Weighed, ...] = ()
    nodes: tuple[Node, ...] = ()


def parse_nodes(model: DomainModel, nodes: Sequence[Node], before: Meaning | None = None) -> Parsed:
    """Return the best reading of the nodes; `before` is the meaning of an earlier request they may continue."""
    return _Parse(model, nodes, find_projection(model, nodes, before.entities if before else ()), before).run()


class _Parse:
    """One pass over the nodes of one request."""

    def __init__(self, model: DomainModel, nodes: Sequence[Node], asked: Projection, before: Meaning | None) -> None:
        self.model = model
        self.nodes = nodes
        self.asked = asked
        self.before = before
        said = before.conditions if before and before.entities == asked.entities else ()
        self.attacher = Attacher(model, nodes, asked.concerned, said, asked.attributes)
        self.leftover = Leftover(model, nodes, self.asked)
        self.flags: list[tuple[str, bool, int]] = []
        self.extremes: list[Extreme] = []
        self.unused: list[str] = []
        self.having: list[Having] = []
        self.verbal = False
        self.never: list[str] = []

    def run(self) -> Parsed:
        for at, node in enumerate(self.nodes):
            self._take(at, node, at in self.asked.at)
        if self.attacher.negated:
            self.unused.append(NEGATION)
        if self.leftover.lasts() and not self.flags:
            self.unused.append(STILL)
        if self.asked.aggregate != "share":
            self.unused += [n.item.words for n in self.nodes if n.item.name("aggregate") == "share"]
        if self._unanswered_when():
            self.unused.append(WHEN)
        if parted := self.leftover.partial_span(self._compared_spans()):
            self.unused.append(parted)
        if degree := self._unanswered_degree():
            self.unused.append(degree)
        if any(n.has("both") for n in self.nodes) and (self._became_alternatives() or not paired(self.nodes)):
            self.unused.append(BOTH)
        meaning = self._meaning()
        places = uncovered(self.model, self.nodes, self.asked, meaning)
        if further := self.asked.with_beside(self.model, self.nodes, beside(self.nodes, places)):
            return _Parse(self.model, self.nodes, further, self.before).run()
        missing = [self.nodes[at].item.words for at in places]
        missing += [n.item.words for at, n in enumerate(self.nodes) if self._negates_with_value(at, n)]
        self.unused += [words for words in missing if words not in self.unused]
        bounds = (meaning.conditions, meaning.flags, meaning.having, meaning.extremes, meaning.either, meaning.per)
        narrowed = any(bounds)
        loose = not self.asked.at or not narrowed
        penalty = sum(
            _UNUSED_NUMBER if loose or w in missing or self.leftover.is_decisive(w) else _UNUSED_WORD
            for w in self.unused
        )
        penalty += _CONTRADICTION * self._contradicts() + _UNKNOWN_HEAD * self._unknown_head()
        if not (narrowed or self.asked.at):
            penalty += _NOTHING_SAID
        confidence = max(0.0, round(1.0 - penalty, 2))
        senses = frozenset(s.what for n in self.nodes for s in n.item.senses)
        swap = next((s.name for n in self.nodes for s in n.item.all("swap")), "")
        return Parsed(
            meaning, tuple(self.unused), confidence, "refuse" in senses, headless(self.nodes, self.asked), senses, swap,
            tuple(self.attacher.weighed), tuple(self.nodes),
        )  # fmt: skip

    def _became_alternatives(self) -> bool:
        """Return whether values that must all hold became alternatives: "writers read in both Norton and Sutton"."""
        return any(
            len(c.values) > 1 and self.model.attribute[c.attribute].of != self.asked.entities[0]
            for c in self.attacher.conditions
        )  # fmt: skip

    def _unanswered_degree(self) -> str:
        """Return the quantity that "how long" asks for if the projection lacks it, else an empty string."""
        degree = degree_node(self.model, self.nodes)
        answered = degree is None or self.asked.attributes or any(v.unit for n in self.nodes for v in n.values)
        return "" if answered or degree is None else f"how {self.nodes[degree].item.words}"

    def _unanswered_when(self) -> bool:
        """Return whether the request asks when something happens but only the name of an entity was understood."""
        asked, conditions = self.asked, self.attacher.conditions
        otherwise = asked.at or asked.attributes or self.flags or self.extremes or not conditions
        kinds = [self.model.kind.get(v.kind) for c in conditions for v in c.values]
        return (
            self.nodes[0].item.words == WHEN and not otherwise and all(k and k.asks == asked.entities[0] for k in kinds)
        )

    def _compared_spans(self) -> set[str]:
        """Return which of "month" and "year" occur in conditions that affect the rows."""
        said = (*self.attacher.conditions, *(c for group in self.attacher.either for c in group))
        accepts = ((v.kind, self.model.attribute[c.attribute].accepts[v.kind]) for c in said for v in c.values)
        return {kind for kind, path in accepts if kind in {"month", "year"} and path != "-"}

    def _contradicts(self) -> bool:
        """Return whether the request asks for both minimum and maximum of one column, which are two requests."""
        picks = {(e.column, e.pick) for e in self.extremes}
        return len(picks) > len({column for column, _ in picks})

    def _unknown_head(self) -> bool:
        """Return whether the head is an unknown word: "what is the weather in …"."""
        if self.asked.at:
            return False
        asking = next((at for at, n in enumerate(self.nodes) if n.has("ask")), None)
        after = [] if asking is None else [n for n in self.nodes[asking + 1 :] if not is_filler(n)]
        return bool(after) and after[0].has("unknown") and not after[0].values

    def _take(self, at: int, node: Node, is_head: bool) -> None:
        """Handle one node as a head, condition, flag or superlative, or as a word that prepares what follows."""
        attacher = self.attacher
        verbal = (self.verbal or wanting(self.nodes, at, self.asked.entities)) and attacher.negated
        if (is_head and not node.values) or node.has("ask") or node.has("wish"):
            attacher.weaken_cues()
        if is_head and not node.values:
            self._take_head(at, node)
        elif self._counts_related(at, node):
            pass
        elif (
            is_row_count(self.nodes, at, self.asked.at, self.asked.entities)
            or self._negates_with_value(at, node)
            or misplaced(self.model, self.nodes, at, self.asked)
        ):
            self.unused.append(node.item.words)
        elif node.values and attacher.attach(at, node):
            self.never += self._denied(attacher.latest, self.model.attribute[attacher.latest].of) if verbal else []
        elif node.has("flag") and not (node.has("cue") and attacher.leads_on(at)):
            self.flags.append((flag := flag_meant(self.model, node, self.asked.entities), attacher.negated, at))
            self.never += self._denied(flag, self.model.flag[flag].of) if verbal else []
            if not attacher.negated:
                attacher.note_cues(at, node)  # "removed from the yard in may"
            attacher.negated = False
        elif (
            any(self._superlative(at, sense.name) for sense in node.item.all("superlative"))
            or (node.has("restart") and attacher.restarted(at))
            or (node.has("extreme") and self._extreme(at, node))
        ):
            pass
        else:
            self._pass_over(at, node)

    def _denied(self, name: str, entity: str) -> list[str]:
        """Return the attribute or flag to negate for all related rows, if the head can have several of them."""
        needed = {name for entity in self.asked.entities for name in self.model.entity[entity].needs}
        return [] if entity in {*needed, *self.asked.entities} else [name]

    def _take_head(self, at: int, node: Node) -> None:
        """Apply a head's flag and let it introduce values, but not in "guardian of Ann", where Ann is not the guardian."""
        if node.has("entity") and node.has("flag"):
            self.flags.append((node.item.name("flag"), False, at))
        if not any(leads_back(self.model.attribute[name]) for name in self.asked.attributes):
            self.attacher.note_cues(at, node, own=node.has("entity"))

    def _counts_related(self, at: int, node: Node) -> bool:
        """Handle a count or absence of another entity: "with more than five books", "without books"."""
        number = next((v for v in node.values if v.kind == "number" and v.op in _COUNTABLE), None)
        if not (number or node.has("not")):
            return False
        after = at + 1
        while after < len(self.nodes) and is_filler(self.nodes[after]) and not self.nodes[after].has("entity"):
            after += 1
        name = self.nodes[after].item.name("entity") if after < len(self.nodes) else ""
        if not name or name in self.asked.entities or self.nodes[after].values or after in self.asked.at:
            return False
        if number is not None and self._stored_as_number(self.nodes[after].item.words):
            return False
        if number is None:
            return self._count(name, "none", 0, alone=all(map(is_filler, self.nodes[after + 1 :])))
        said = any(n.item.words in _HAVING for n in self.nodes[max(0, at - 2) : at])
        return self._count(name, number.op, number.data[0], alone=number.op != "=" or said)

    def _negates_with_value(self, at: int, node: Node) -> bool:
        """Return whether a negative flag is restricted by a value: "no branches in Norton" may have some elsewhere."""
        after = self.nodes[at + 1 : at + 3]
        narrowed = len(after) == 2 and after[0].item.words in _AT_PLACES and bool(after[1].values)
        lacks = all(t.endswith(" is null") for s in node.item.all("flag") for t in self.model.flag[s.name].where)
        return node.has("flag") and narrowed and not lacks and bool(_DENYING & {*node.item.words.split()})

    def _stored_as_number(self, noun: str) -> bool:
        """Return whether the head has the count in a column, such as the nurses needed, apart from any rows."""
        return any(
            noun in words.split()
            for a in self.model.attribute.values()
            if a.of in self.asked.entities and "number" in a.accepts
            for words in a.words
        )

    def _count(self, entity: str, op: str, number: Literal, alone: bool) -> bool:
        if alone and not isinstance(number, str):
            self.having.append(Having(entity, op, number))
        return alone

    def _pass_over(self, at: int, node: Node) -> None:
        """Handle a node that is no condition itself but may introduce, negate or pair what follows."""
        if not closes(self.model, self.nodes, at):
            self.attacher.note_cues(at, node)
        self.leftover.used = {c.attribute for c in self.attacher.conditions} | {e.superlative for e in self.extremes}
        if node.has("moot") or node.has("after") or dangles(self.nodes, at) or self.leftover.is_idle_modifier(at, node):
            self.unused.append(node.item.words)
            return
        if node.has("not") or means_except(self.nodes, at):
            if self.attacher.negated:
                self.unused.append(NEGATION)
            self.attacher.negated = True
            wished = any(n.has("wish") or n.has("ask") or n.item.words in _WISHED for n in self.nodes[at + 1 : at + 2])
            doing = {node.item.words.partition(" ")[0], self.nodes[at - 1].item.words if at else ""}
            self.verbal = not wished and bool(doing & {"do", "does", "did", "have", "has", "had"})
        if node.item.name("compare") == "between":
            self.attacher.expect_pair()
        if node.has("entity") and not self.verbal and node.item.name("entity") not in self.asked.entities:
            self.attacher.negated = False
        applied = node.has("cue") and any(n.compared for n in self.nodes[at + 1 : at + 2])
        if node.has("compare") and not applied and (node.item.words in MEASURING or self.leftover.compares_rows(at)):
            self.unused.append(node.item.words)
            return
        if node.item.words in FOR_EACH and self.leftover.divides(at):
            self.unused.append(f"{node.item.words} {self.nodes[at + 1].item.words}")
            return
        if (
            (node.has("extreme") or node.has("superlative"))
            and not node.values
            and (
                self.leftover.lacks_attribute(at)
                or not any(node.has(w) for w in ("cue", "asked", "entity", "aggregate"))
            )
        ):
            self.unused.append(node.item.words)
            return
        said = node.values or (node.has("unknown") and not node.has("fill"))
        dated = any(v.kind in {"month", "date"} for v in node.values)  # "may" and "next week" are fillers elsewhere
        if said and (node.compared or dated or not any(node.has(w) for w in _HARMLESS)):
            self.unused.append(node.item.words)

    def _superlative(self, at: int, name: str) -> bool:
        """Add a superlative and return True if the request's entities have its column."""
        superlative = self.model.superlative[name]
        column = self._refined(at, superlative) or self._column(superlative.column)
        if column and (column, superlative.pick) not in {(e.column, e.pick) for e in self.extremes}:
            self.extremes.append(Extreme(name, column, superlative.pick, superlative.say or name))
        return bool(column)

    def _refined(self, at: int, superlative: Superlative) -> str:
        """Return the column of an attribute named nearby: "earliest" of births or of hirings."""
        for node in self.nodes[at + 1 : at + 5]:
            if node.values:
                return ""
            for sense in (*node.item.all("asked"), *node.item.all("cue")):
                if sense.name in superlative.refine:
                    attribute = self.model.attribute[sense.name]
                    return attribute.minimum if superlative.pick == "min" else attribute.maximum
        for node in self.nodes[max(0, at - 2) : at]:
            for sense in node.item.all("cue"):
                if sense.name in superlative.refine and not node.has("entity"):
                    attribute = self.model.attribute[sense.name]
                    return attribute.minimum if superlative.pick == "min" else attribute.maximum
        return ""

    def _column(self, columns: dict[str, str]) -> str:
        for entity in self.asked.entities:
            if entity in columns:
                return columns[entity]
        said = {word for n in self.nodes for word in n.item.words.split()}
        named = (e for e in columns if not self.asked.at or said & set(self.model.entity[e].words))
        return next((columns[entity] for entity in named), "")

    def _extreme(self, at: int, node: Node) -> bool:
        """Add the minimum or maximum of the attribute named next or just before: "highest salary", "earns the most"."""
        pick = node.item.name("extreme")
        if any(n.item.words in SPANS for n in self.nodes[at + 1 : at + 2]):
            return False  # "last week" is a time, not a superlative
        if self.asked.aggregate == pick or (self.asked.per and node.item.words in COUNTED_MOST):
            return True
        said = next((n for n in reversed(self.nodes[:at]) if n.item.words not in _ARTICLES), None)
        for following in (*self.nodes[at + 1 : at + 4], *([said] if said else [])):
            names = [sense.name for sense in (*following.item.all("asked"), *following.item.all("cue"))]
            for name in sorted(names, key=lambda name: self.model.attribute[name].of not in self.asked.entities):
                attribute = self.model.attribute[name]
                pick = seniority_pick(node.item.words, attribute) or pick
                column = attribute.minimum if pick == "min" else attribute.maximum
                if column:
                    of = f" {name.replace('_', ' ')}" if following is said and node.item.words in _AMOUNTS else ""
                    self.extremes.append(Extreme(name, column, pick, node.item.words + of))
                    return True
        return False

    def _meaning(self) -> Meaning:
        asked = self.asked
        meaning = Meaning(
            asked.entities, asked.attributes, asked.count, self.attacher.conditions, self._grouped_flags(),
            tuple(self._with_flags(e) for e in self.extremes), asked.aggregate, asked.per, asked.pick, self.attacher.either,
            tuple(self.having), never=tuple(dict.fromkeys(self.never)), by=asked.by, named=asked.named,
        )  # fmt: skip
        meaning = msgspec.structs.replace(meaning, conditions=self._generalised(meaning.conditions))
        return msgspec.structs.replace(meaning, conditions=(*meaning.conditions, *self._implied(meaning)))

    def _generalised(self, conditions: Sequence[Condition]) -> tuple[Condition, ...]:
        """Return the conditions with each attribute that only matters in a pair replaced by its general one when alone."""
        said, there = {c.attribute for c in conditions}, [{*swap.exchange} for swap in self.model.swap.values()]
        names = [self.model.attribute[c.attribute].stands_for * (not any(e <= said for e in there)) for c in conditions]
        return tuple(
            Condition(name, c.values, c.negated) if name and name not in said else c
            for c, name in zip(conditions, names, strict=True)
        )

    def _implied(self, meaning: Meaning) -> list[Condition]:
        """Return the conditions that others imply, for those entities that the meaning involves."""
        concerned = {*meaning.entities, *(self.model.attribute[c.attribute].of for c in meaning.conditions)}
        concerned |= {self.model.flag[f].of for flagged in meaning.flags for f in flagged.flags}
        tables = {e.column.partition(".")[0] for e in meaning.extremes}
        concerned |= {name for name, entity in self.model.entity.items() if entity.table in tables}
        return [
            Condition(name, condition.values, condition.negated)
            for condition in meaning.conditions
            for name, attribute in self.model.attribute.items()
            if attribute.follows == condition.attribute and attribute.of in concerned
        ]

    def _grouped_flags(self) -> tuple[Flagged, ...]:
        """Return the flags, joined into alternatives where "or" or a shared group links them."""
        said = {name for name, _, _ in self.flags} | {c.attribute for c in self.attacher.conditions}
        groups: list[tuple[list[str], bool, int]] = []
        for name, negated, at in self.flags:
            if any(other in said for other in self.model.flag[name].unless):
                continue
            if groups and groups[-1][1] == negated:
                between = self.nodes[groups[-1][2] + 1 : at]
                shared = self.model.flag[name].group
                alike = shared and shared == self.model.flag[groups[-1][0][-1]].group
                linked = len(between) <= 4 and any(n.has("or") or (alike and n.has("and")) for n in between)
                if linked:
                    groups[-1][0].append(name)
                    continue
            if not any(g[0] == [name] for g in groups):
                groups.append(([name], negated, at))
        return tuple(Flagged(tuple(names), negated) for names, negated, _ in groups)

    def _with_flags(self, extreme: Extreme) -> Extreme:
        superlative = self.model.superlative.get(extreme.superlative)
        for name, _, _ in self.flags:
            if superlative and name in superlative.with_flag and extreme.column in superlative.column.values():
                return Extreme(extreme.superlative, superlative.with_flag[name], extreme.pick, extreme.say)
        return extreme


_AMOUNTS, _ARTICLES = frozenset(["most", "least"]), frozenset(["the", "a", "an"])
_AT_PLACES = frozenset(["in", "at", "through", "on"])
_DENYING = frozenset(["no", "not", "without"])
_WISHED = frozenset(["want", "like", "need", "care", "want to", "like to", "need to"])
_COUNTABLE = frozenset({"=", "<", "<=", ">", ">=", "by"})
_HAVING = frozenset(["with", "have", "has", "had", "having", "exactly", "at"])
_HARMLESS = ("cue", "fill", "compare", "and", "or", "asked", "entity")
