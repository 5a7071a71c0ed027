"""From nodes to meaning: what is asked for, and which attribute each value belongs to.

A value goes to the attribute whose cue stands nearest before it ("leaving", "to", "salary"), else to one that takes
such values without a cue, else nowhere: then it counts as not understood. Everything is decided by what `domain.toml`
says of entities and attributes; several heads of the request or places of a value give several readings.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from domain.english.combining import Node, combine, is_filler
from domain.english.meaning import Condition, Extreme, Flagged, Meaning, Value
from domain.english.model import Attribute, DomainModel, Superlative
from domain.english.tagging import Item


class Parsed(msgspec.Struct, frozen=True):
    """A meaning, the words it leaves unused, and how sure the parse is (0 to 1)."""

    meaning: Meaning
    unused: tuple[str, ...]
    confidence: float
    refused: bool = False


class _Given(msgspec.Struct):
    """A condition while it is being put together."""

    attribute: str
    values: list[Value]
    negated: bool
    at: int
    cued: bool = False


def parse(model: DomainModel, items: Sequence[Item]) -> Parsed | None:
    """The best reading of the items, or None when nothing is asked for."""
    nodes = combine(items)
    if not nodes:
        return None
    return _Parse(model, nodes).run()


class _Parse:
    """One pass over the nodes of one request."""

    def __init__(self, model: DomainModel, nodes: Sequence[Node]) -> None:
        self.model = model
        self.nodes = nodes
        self.given: list[_Given] = []
        self.flags: list[tuple[str, bool, int]] = []
        self.extremes: list[Extreme] = []
        self.unused: list[str] = []
        self.cues: list[tuple[int, tuple[str, ...]]] = []
        self.since_value = 0
        self.pair = False
        self.head: tuple[str, ...] = ()
        self.asked: list[str] = []
        self.count = False
        self.aggregate = ""
        self.negated = False
        self.latest = ""
        self.stretch: list[_Given] = []
        self.groups: list[list[_Given]] = []

    def run(self) -> Parsed:
        head_at = self._find_heads()
        for at, node in enumerate(self.nodes):
            self._take(at, node, at in head_at)
        meaning = self._meaning()
        penalty = sum(0.6 if any(c.isdigit() for c in w) else 0.45 for w in self.unused)
        if not (meaning.conditions or meaning.flags or meaning.extremes or head_at):
            penalty += 0.6
        confidence = max(0.0, round(1.0 - penalty, 2))
        refused = any(n.has("refuse") for n in self.nodes)
        return Parsed(meaning, tuple(self.unused), confidence, refused)

    # what is asked for

    def _within_value(self, at: int) -> bool:
        """Whether an entity's word only completes the value before it: the bank in "first national bank"."""
        name = self.nodes[at].item.name("entity")
        before = self.nodes[at - 1].values if at else ()
        return any(self.model.kind[v.kind].asks == name for v in before if v.kind in self.model.kind)

    def _find_heads(self) -> set[int]:
        """Positions of the nodes that say what is asked for; sets head, asked, count and aggregate."""
        candidates = [at for at, n in enumerate(self.nodes) if n.has("entity") or n.has("asked")]
        candidates = [
            at for at in candidates if not (self._introduces(at) or self._compounded(at) or self._within_value(at))
        ]
        chosen = self._chosen(candidates)
        hinted = self._hinted()
        if chosen is None or hinted:
            self.head = (hinted or self._default_head(),)
            return set() if chosen is None else {chosen}
        heads = {chosen, *self._coordinated(chosen, candidates)}
        entities = []
        for at in sorted(heads):
            node = self.nodes[at]
            if node.has("entity"):
                entities.append(node.item.name("entity"))
            else:
                self.asked.append(self._asked_name(node, entities))
        self.head = tuple(dict.fromkeys(entities)) or (self.model.attribute[self.asked[0]].of,)
        before = self.nodes[:chosen]
        self.count = any(n.has("count") for n in before[-3:]) and not self.asked
        self.aggregate = next((n.item.name("aggregate") for n in before[-3:] if n.has("aggregate")), "")
        if not self.asked or not self.model.domain.aggregates:
            self.aggregate = ""
        return heads

    def _chosen(self, candidates: Sequence[int]) -> int | None:
        """The thing that a question or order is about; failing that, one wished for; failing that, the first."""
        for what in ("ask", "wish"):
            for at in candidates:
                if self._follows(at, what):
                    return at
        return candidates[0] if candidates else None

    def _compounded(self, at: int) -> bool:
        """Whether a noun only qualifies the one right after it: the first of "department head"."""
        after = self.nodes[at + 1 : at + 2]
        return bool(after and after[0].has("entity") and not after[0].values)

    def _hinted(self) -> str:
        """The entity that some word of the request calls for, whatever else is named first."""
        hint = next((s.name for n in self.nodes for s in n.item.all("hint")), "")
        if not hint and any(n.has("explain") for n in self.nodes):
            kinds = [self.model.kind[v.kind] for n in self.nodes for v in n.values if v.kind in self.model.kind]
            hint = next((k.explains or k.asks for k in kinds if k.explains or k.asks), "")
        return hint

    def _asked_name(self, node: Node, entities: Sequence[str]) -> str:
        names = [s.name for s in node.item.all("asked")]
        present = {s.name for n in self.nodes for s in n.item.all("entity")} | set(entities)
        return next((n for n in names if self.model.attribute[n].of in present), names[0])

    def _default_head(self) -> str:
        asked = {self.model.kind[v.kind].asks for n in self.nodes for v in n.values if v.kind in self.model.kind}
        if len(asked) == 1 and asked != {""}:
            return next(iter(asked))
        for node in self.nodes:
            for sense in node.item.all("superlative"):
                columns = self.model.superlative[sense.name].column
                if columns and self.model.domain.entity not in columns:
                    return next(iter(columns))
        return self.model.domain.entity

    def _introduces(self, at: int) -> bool:
        """Whether this word only introduces the value after it: "department 45", "salary over 50000"."""
        node = self.nodes[at]
        after = at + 1
        while after < len(self.nodes) and is_filler(self.nodes[after]) and self.nodes[after].item.words in _LINKS:
            after += 1
        if after >= len(self.nodes) or not self.nodes[after].values:
            return False
        names = [s.name for s in node.item.all("cue")] + [s.name for s in node.item.all("asked")]
        following = self.nodes[after]
        linked = after > at + 1 or not node.has("asked") or following.compared
        return any(
            v.kind in _accepted(self.model.attribute[n]) and (linked or v.kind not in _FREE)
            for n in names for v in following.values
            if node.has("cue") or following.compared
        )  # fmt: skip

    def _follows(self, at: int, what: str) -> bool:
        for node in reversed(self.nodes[:at]):
            if node.has(what) or (what == "ask" and node.has("count")):
                return True
            if not (is_filler(node) or node.has("superlative") or node.has("flag") or node.has("aggregate")
                    or node.values or node.has("extreme") or node.has("entity") or node.has("ask")):  # fmt: skip
                return False
        return False

    def _coordinated(self, chosen: int, candidates: Sequence[int]) -> list[int]:
        """Further things asked for: "flights and their fares", "names and salaries of"."""
        found = []
        last = chosen
        for at in candidates:
            if at <= chosen:
                continue
            between = self.nodes[last + 1 : at]
            asked = self.nodes[at].has("asked")
            joined = any(n.has("and") for n in between)
            if joined and all(n.has("and") or is_filler(n) or n.has("ask") for n in between):
                pass
            elif not between and asked and self.nodes[chosen].has("entity"):
                pass
            elif any(n.has("and") for n in between[-3:]) and self._stands_alone(at):
                pass
            else:
                continue
            found.append(at)
            last = at
        return found

    def _stands_alone(self, at: int) -> bool:
        """Whether "and the price" comes to its end: a determiner before, and nothing said of it after."""
        determined = any(n.item.words in {"the", "their", "its", "their"} for n in self.nodes[max(0, at - 2) : at])
        return determined and all(is_filler(n) or n.has("asked") or n.has("and") for n in self.nodes[at + 1 :])

    # which of them

    def _take(self, at: int, node: Node, is_head: bool) -> None:
        if (is_head and not node.values) or node.has("ask") or node.has("wish"):
            self.cues = [(-1, names) for _, names in self.cues]
        if is_head and not node.values:
            self._note_cues(at, node)
            return
        if node.values and self._attach(at, node):
            self.negated = False
            return
        if node.has("flag"):
            self.flags.append((node.item.name("flag"), self.negated, at))
            self.negated = False
            return
        if node.has("superlative"):
            self._superlative(at, node.item.name("superlative"))
            return
        if node.has("restart") and self._restarted(at):
            return
        if node.has("extreme") and self._extreme(at, node):
            return
        self._note_cues(at, node)
        if node.has("not"):
            self.negated = True
        if node.item.name("compare") == "between":
            self.pair = True
            self.cues = [(-1, names) for _, names in self.cues]
        if node.has("entity"):
            self.negated = False
        if node.values or (node.has("unknown") and not node.has("fill")):
            if not any(node.has(w) for w in ("cue", "fill", "compare", "and", "or", "asked", "entity")):
                self.unused.append(node.item.words)

    def _note_cues(self, at: int, node: Node) -> None:
        names = tuple(
            s.name for s in node.item.senses
            if s.what in {"cue", "asked"} and self._related(self.model.attribute[s.name].of)
        )  # fmt: skip
        if names:
            self.cues.append((at, names))

    def _attach(self, at: int, node: Node) -> bool:
        scored = []
        trailing = {s.name for n in self.nodes[at + 1 : at + 2] for s in n.item.all("trailing")}
        for rank, value in enumerate(node.values):
            for name, attribute in self.model.attribute.items():
                kind = _kind_for(attribute, value)
                if kind is None or not self._related(attribute.of):
                    continue
                score = self._score(at, name, value, kind, trailing)
                if score is not None:
                    scored.append((score - 0.05 * rank, name, _as_kind(value, kind)))
        if not scored:
            return False
        _, name, value = max(scored, key=lambda s: s[0])
        self._place(at, name, value)
        self.latest = name
        return True

    def _related(self, entity: str) -> bool:
        """Whether something may be said of this entity when the head is asked for."""
        for head in self.head:
            related = self.model.entity[head].related
            if entity == head or related is None or entity in related:
                return True
        return False

    def _score(self, at: int, name: str, value: Value, kind: str, trailing: set[str]) -> float | None:
        attribute = self.model.attribute[name]
        compared = self.nodes[at].compared
        score = 0.0
        if attribute.of in self.head:
            score += 3
        if name in trailing:
            return score + 30
        cue = self._cue_distance(at, name, kind)
        last = self.given[-1] if self.given else None
        joined = self._joined_to_last(at)
        if cue is not None:
            return score + 20 - 0.1 * cue
        if last and joined == "or" and last.attribute == name:
            return score + 15
        paired = self.pair or (attribute.default and not (last and last.cued) and self._partner(name, kind))
        if last and joined == "and" and last.attribute == name and not paired and last.values[-1].kind == kind:
            return score + 12
        if last and joined == "next" and last.attribute == name and self._qualifies(kind, last.values[-1].kind):
            return score + 9
        if attribute.after and not (joined == "next" and self.latest in attribute.after):
            return None
        if attribute.default and not (value.kind == "maybe clock" and value.op == "=" and not compared):
            taken = any(g.attribute == name for g in self.given)
            return score + 5 - 0.1 * attribute.default - (4 if taken else 0)
        return None

    def _qualifies(self, kind: str, other: str) -> bool:
        return kind in self.model.kind and other in self.model.kind[kind].qualifies

    def _partner(self, name: str, kind: str) -> bool:
        """Whether another attribute takes such values without a cue and is still free: "Austin and Boston"."""
        taken = {g.attribute for g in self.given}
        return any(
            other != name and a.default and kind in a.accepts and other not in taken and a.of == self.model.attribute[name].of
            for other, a in self.model.attribute.items()
        )

    def _cue_distance(self, at: int, name: str, kind: str) -> float | None:
        """How far back the nearest cue of the attribute stands; clock times look past other values."""
        for back, (position, names) in enumerate(reversed(self.cues)):
            if name in names:
                if position >= self.since_value:
                    return back
                return 40 + back if kind in _STICKY else None
        return None

    def _joined_to_last(self, at: int) -> str:
        between = self.nodes[self.since_value : at]
        for word in ("or", "and"):
            if any(n.has(word) for n in between):
                plain = all(n.has(word) or n.has("fill") or n.has("cue") or n.has("entity") for n in between)
                return word if plain else ""
        return "next" if not between else ""

    def _place(self, at: int, name: str, value: Value) -> None:
        last = self.given[-1] if self.given else None
        joined = self._joined_to_last(at)
        if self._alternative(at, name, value, joined):
            self.since_value = at + 1
            return
        same = last is not None and last.attribute == name and last.negated == self.negated
        if last is not None and same and joined in {"or", "and"} and not (joined == "and" and self._all(name, value)):
            last.values.append(value)
        else:
            self._new(name, value, at)
        self.since_value = at + 1

    def _alternative(self, at: int, name: str, value: Value, joined: str) -> bool:
        """ "monday evening or tuesday morning": a value that begins a stretch like the one just given, or goes on
        with it, belongs to an alternative of its own."""
        between = self.nodes[self.since_value : at]
        if any(not (n.has("fill") or n.has("cue") or n.has("and") or n.has("or")) for n in between):
            self.stretch = []
        names = [g.attribute for g in self.stretch]
        given = _Given(name, [value], self.negated, at)
        if any(g.attribute == name and value in g.values for g in self.given):
            return False
        if not self.groups and joined in {"or", "and"} and name in names[:-1]:
            first = names.index(name)
            self.groups = [self.stretch[first:], [given]]
            self.given = [g for g in self.given if g not in self.groups[0]]
            self.stretch = []
            return True
        if self.groups and self.stretch == [] and name in {g.attribute for g in self.groups[0]}:
            taken = {g.attribute for g in self.groups[-1]}
            if name not in taken and not joined == "or":
                self.groups[-1].append(given)
                return True
            if name in taken and joined in {"or", "and"}:
                self.groups.append([given])
                return True
        return False

    def _all(self, name: str, value: Value) -> bool:
        """Whether "and" before this value means that both must hold: bounds must, alternatives need not."""
        return self.model.attribute[name].each or value.op in {"<", "<=", ">", ">=", "by"}

    def _new(self, name: str, value: Value, at: int) -> None:
        earlier = next((g for g in self.given if g.attribute == name and g.negated == self.negated), None)
        cued = any(name in names for position, names in self.cues if position >= self.since_value)
        if earlier is None or earlier.values[0].kind != value.kind or earlier.values[0].op != "=":
            self._append(_Given(name, [value], self.negated, at, cued))
            return
        if value in earlier.values:
            return
        repeated = self.model.attribute[name].repeated
        if repeated:
            earlier.attribute = repeated
            self._append(_Given(name, [value], self.negated, at))
        elif self.model.attribute[name].each:
            self._append(_Given(name, [value], self.negated, at))
        else:
            earlier.values.append(value)

    def _append(self, given: _Given) -> None:
        self.given.append(given)
        if not self.groups:
            self.stretch.append(given)

    def _restarted(self, at: int) -> bool:
        """ "from Austin no from Boston": what was said for the attribute named again is taken back."""
        again = {s.name for n in self.nodes[at + 1 : at + 2] for s in n.item.all("cue")}
        last = self.given[-1] if self.given else None
        if last is None or last.attribute not in again:
            return False
        self.given.pop()
        self.stretch = self.stretch[:-1]
        return True

    def _superlative(self, at: int, name: str) -> None:
        superlative = self.model.superlative[name]
        column = self._refined(at, superlative) or self._column(superlative.column)
        if column and not any(e.column == column for e in self.extremes):
            self.extremes.append(Extreme(name, column, superlative.pick, superlative.say or name))

    def _refined(self, at: int, superlative: Superlative) -> str:
        """The column of an attribute named soon after: "earliest" of departures or of arrivals."""
        for node in self.nodes[at + 1 : at + 5]:
            if node.values:
                return ""
            for sense in (*node.item.all("asked"), *node.item.all("cue")):
                if sense.name in superlative.refine:
                    attribute = self.model.attribute[sense.name]
                    return attribute.minimum if superlative.pick == "min" else attribute.maximum
        return ""

    def _column(self, columns: dict[str, str]) -> str:
        for entity in self.head:
            if entity in columns:
                return columns[entity]
        return next(iter(columns.values()), "")

    def _extreme(self, at: int, node: Node) -> bool:
        """ "earliest", "highest": least or greatest of the attribute named next, or of the entity's default one."""
        pick = node.item.name("extreme")
        for following in self.nodes[at + 1 : at + 4]:
            for sense in (*following.item.all("asked"), *following.item.all("cue")):
                attribute = self.model.attribute[sense.name]
                column = attribute.minimum if pick == "min" else attribute.maximum
                if column:
                    self.extremes.append(Extreme(sense.name, column, pick, node.item.words))
                    return True
        return False

    # the result

    def _meaning(self) -> Meaning:
        conditions = [Condition(g.attribute, tuple(g.values), g.negated) for g in self.given]
        meaning = Meaning(
            self.head, tuple(dict.fromkeys(self.asked)), self.count, tuple(conditions), self._grouped_flags(),
            tuple(self._with_flags(e) for e in self.extremes), self.aggregate,
            tuple(tuple(Condition(g.attribute, tuple(g.values), g.negated) for g in group) for group in self.groups),
        )  # fmt: skip
        return msgspec.structs.replace(meaning, conditions=(*conditions, *self._implied(meaning)))

    def _implied(self, meaning: Meaning) -> list[Condition]:
        """What a condition says besides, where the entity of the following attribute is concerned at all."""
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
        said = {name for name, _, _ in self.flags} | {g.attribute for g in self.given}
        groups: list[tuple[list[str], bool, int]] = []
        for name, negated, at in self.flags:
            if any(other in said for other in self.model.flag[name].unless):
                continue
            if groups and groups[-1][1] == negated:
                between = self.nodes[groups[-1][2] + 1 : at]
                shared = self.model.flag[name].group
                alike = shared and shared == self.model.flag[groups[-1][0][-1]].group
                if (any(n.has("or") for n in between) and len(between) <= 3) or alike:
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


_LINKS = frozenset(["of", "is", "the", "a", "an", "at", "in", "than", "are"])
_STICKY = frozenset({"clock", "number", "money", "date", "weekday"})
_FREE = frozenset({"clock", "number", "money", "date", "weekday"})


def _accepted(attribute: Attribute) -> frozenset[str]:
    kinds = set(attribute.accepts)
    if "number" in kinds:
        kinds |= {"digits", "money"}
    if "clock" in kinds:
        kinds |= {"maybe clock"}
    return frozenset(kinds)


def _kind_for(attribute: Attribute, value: Value) -> str | None:
    """The kind under which an attribute takes a value, if it does."""
    if value.kind in attribute.accepts:
        return value.kind
    if value.kind == "maybe clock" and "clock" in attribute.accepts:
        return "clock"
    if value.kind in {"number", "money"} and "number" in attribute.accepts:
        return "number"
    if value.kind == "number" and "money" in attribute.accepts and value.op != "=":
        return "money"
    if value.kind in {"digits", "number"} and "code" in attribute.accepts:
        return "code"
    return None


def _as_kind(value: Value, kind: str) -> Value:
    return value if value.kind == kind else Value(kind, value.data, value.op, value.say)
