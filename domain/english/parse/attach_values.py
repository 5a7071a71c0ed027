"""Attachment of each value of a request to an attribute.

A value goes to the attribute of the nearest cue before it ("leaving", "to", "salary"), else to one that takes such values
without a cue, else nowhere. Values joined by "or" are alternatives of one condition; bounds joined by "and" must both
hold; a sequence of conditions that is repeated with other values ("monday evening or tuesday morning") is an alternative
as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Condition, Value, Weighed
from domain.english.parse.combine_comparisons import Node, alike, is_filler, suits
from domain.english.parse.mentioned_entities import is_related, is_year, likeliest, mentioned, only_or, preferred
from domain.english.parse.value_kinds import (
    accepted,
    as_kind,
    ends_route,
    is_led_by_in,
    is_said_as_year,
    kind_for,
    starts_new_condition,
)

FREE = frozenset({"clock", "number", "money", "date", "weekday", "month", "year"})
_JOINING = ("fill", "cue", "entity", "ask", "wish")
_BETWEEN = ("fill", "cue", "and", "or", "ask", "wish")
_BEFORE_A_CODE = frozenset(["number", "numbers", "numbered", "no", "code", "the", "is", "are", "of", "either", "both"])
_AGAIN = 8.0  # a value without a preposition more often replaces an earlier one than adds a condition
_BOUNDS = frozenset({"<", "<=", ">", ">=", "by"})


class _Given(msgspec.Struct):
    """A condition under construction."""

    attribute: str
    values: list[Value]
    negated: bool
    cued: bool = False

    def condition(self) -> Condition:
        return Condition(self.attribute, tuple(self.values), self.negated)


class Attacher:
    """Collects the conditions of one request, node by node from left to right."""

    def __init__(
        self,
        model: DomainModel,
        nodes: Sequence[Node],
        head: Sequence[str],
        before: Sequence[Condition] = (),
        asked: Sequence[str] = (),
    ) -> None:
        """Take the conditions of an earlier request (`before`) and the attributes asked for (`asked`)."""
        self.model = model
        self.nodes = nodes
        self.head = head
        self.before = {c.attribute: {v.kind for v in c.values} for c in before}
        self.asked = frozenset(asked)
        self.told = mentioned(model, nodes, head)
        self.given: list[_Given] = []
        self.cues: list[tuple[int, tuple[str, ...]]] = []
        self.since_value = 0
        self.pair = False
        self.negated = False
        self.latest = ""
        self.stretch: list[_Given] = []
        self.groups: list[list[_Given]] = []
        self.twins: tuple[tuple[str, ...], ...] = ()
        self.lent: set[str] = set()
        self.weighed: list[Weighed] = []

    @property
    def conditions(self) -> tuple[Condition, ...]:
        return tuple(g.condition() for g in self.given)

    @property
    def either(self) -> tuple[tuple[Condition, ...], ...]:
        return tuple(tuple(g.condition() for g in group) for group in self.groups)

    def weaken_cues(self) -> None:
        """Stop earlier cues from introducing values directly; times may still refer back to them."""
        self.cues = [(-1, names) for _, names in self.cues]

    def expect_pair(self) -> None:
        """Expect two values for two attributes, as after "between"."""
        self.pair = True
        self.weaken_cues()

    def leads_on(self, at: int) -> bool:
        """Return whether a word that can stand alone introduces a value here: "manager" in "manager Austin"."""
        after = at + 1
        while after < len(self.nodes) and is_filler(self.nodes[after]):
            after += 1
        names = [s.name for s in self.nodes[at].item.all("cue")]
        following = self.nodes[after : after + 1]
        kinds = {v.kind for n in following for v in n.values}
        return any(kinds & accepted(self.model.attribute[n]) for n in names)

    def _leads_to(self, at: int, kind: str) -> bool:
        """Return whether the next value after this node is of the given kind."""
        after = at + 1
        while after < len(self.nodes) and is_filler(self.nodes[after]):
            after += 1
        return any(v.kind == kind for n in self.nodes[after : after + 1] for v in n.values)

    def note_cues(self, at: int, node: Node, own: bool = False) -> None:
        """Record the cues of a node; those of a head (`own`) introduce its own values before those of related entities."""
        names = tuple(
            s.name for s in node.item.senses
            if s.what in {"cue", "asked"} and is_related(self.model, self.head, self.model.attribute[s.name].of)
        )  # fmt: skip
        lent = {name for name in names if own and self.model.attribute[name].of not in self.head}
        self.lent = (self.lent - set(names)) | lent
        if names:
            self.cues.append((at, names))

    def attach(self, at: int, node: Node) -> bool:
        """Attach a node's value to the attribute that scores highest; return False if none takes it."""
        scored = []
        trailing = {s.name for n in self.nodes[at + 1 : at + 2] for s in n.item.all("trailing")}
        for rank, value in enumerate(node.values):
            for name, attribute in self.model.attribute.items():
                kind = kind_for(attribute, value)
                if value.kind == "ordinal" and name in trailing and "number" in attribute.accepts:
                    kind = "number"  # "on the second floor"
                if kind is None or not is_related(self.model, self.head, attribute.of):
                    continue
                score = self._score(at, name, value, kind, trailing)
                excepted = self.negated and value.kind in self.model.kind  # "leave out the clerks" replaces nothing
                again = name in self.before and not (excepted or self._apart(node, name, value))
                if again and alike(node, value, attribute):
                    score = (2 if score is None else score) + _AGAIN + 0.1 * [*self.before].index(name)
                if score is not None:
                    scored.append((score - 0.05 * rank, name, as_kind(value, kind)))
        # in "how many pages does 1984 have", 1984 is not the number of pages
        told = [s for s in scored if s[1] not in self.asked or s[2].kind != "number" or s[2].op != "="]
        scored = told or ([] if is_year(self.nodes, at) else scored)
        if not scored:
            return False
        taken = {g.attribute for g in self.given if not (g.negated or self.negated)}
        _, name, value = likeliest(self.model, scored, taken, self._joined_to_last(at), self.nodes[at + 1 : at + 2])
        self.weighed.append(Weighed(at, tuple(sorted(((s, n, v.kind) for s, n, v in scored), reverse=True))))
        if self._attach_to_either(name, value):
            self.since_value = at + 1
            self.negated = False
            return True
        self._place(at, name, value)
        self._add_namesakes(node, value)
        self.latest, self.negated = name, False
        return True

    def _apart(self, node: Node, name: str, value: Value) -> bool:
        """Return whether a name starts a new condition instead of changing an earlier one: "the Alaska ones"."""
        others = [n for n, a in self.model.attribute.items() if a.of in self.head and n not in self.before]
        return starts_new_condition(self.model, node.values, value, self.before[name], others)

    def _attach_to_either(self, name: str, value: Value) -> bool:
        """Attach one value to either of two attributes, along with the values after it: "born or died in 1900"."""
        if not self.twins:
            late = [(at, names) for at, names in self.cues[-2:] if at >= self.since_value]
            if len(late) < 2 or self.groups or not only_or(self.nodes, late[0][0], late[1][0]):
                return False
            self.twins = (late[0][1], late[1][1])
        pair = [next((n for n in names if kind_for(self.model.attribute[n], value)), "") for names in self.twins]
        alike = self.model.attribute[pair[0]].of == self.model.attribute[pair[1]].of if all(pair) else False
        if not alike or pair[0] == pair[1] or name not in pair:
            self.twins = self.twins if self.groups else ()
            return False
        self.groups = self.groups or [[], []]
        for group, name in zip(self.groups, pair, strict=True):
            kind = kind_for(self.model.attribute[name], value)
            group.append(_Given(name, [as_kind(value, kind or value.kind)], self.negated))
        return True

    def _add_namesakes(self, node: Node, value: Value) -> None:
        """Add every entity that shares a name as an alternative."""
        same = [v for v in node.values if v.kind == value.kind and v.op == value.op == "=" and v.data != value.data]
        holder = next((g for g in reversed(self.given) if value in g.values), None)
        if same and holder and value.kind in self.model.kind:
            holder.values += [v for v in same if v not in holder.values]

    def _score(self, at: int, name: str, value: Value, kind: str, trailing: set[str]) -> float | None:
        attribute = self.model.attribute[name]
        if attribute.only_named and not self._spoken_of(name):
            return None
        if kind != "year" and is_said_as_year(self.model, self.nodes, at, name):
            return None
        compared = self.nodes[at].compared
        score = 3.0 if attribute.of in self.head else preferred(self.model, name, kind, self.told, self.head)
        ahead = [s.name for n in self.nodes[at + 1 : at + 2] for s in n.item.all("cue")]
        if (
            name in ahead
            and self._leads_to(at + 1, kind)
            and attribute.default
            and self._partner(name, kind, free=False)
        ):
            score -= 14
        if kind == "code" and self._right_after(at, name):
            return score + 32  # in "what does job 2 cost", 2 is the job's number, not its price
        if name in trailing and not self.nodes[at].has("fill"):
            return score + 30
        bare = value.kind == "maybe clock" and value.op == "=" and not compared
        cue = self._cue_distance(at, name, "" if bare else kind)
        if kind == "code":
            cue = None
        last = self.given[-1] if self.given else None
        joined = self._joined_to_last(at)
        if kind == "years":
            score += self._age_bonus(name)
        score -= kind == "number" and is_led_by_in(self.nodes, at)  # "hired in 1975" is not a department number
        if cue is not None:
            return score + (4 if name in self.lent else 20) - 0.1 * cue - 0.06 * attribute.default
        if last and joined == "or" and last.attribute == name:
            return score + 15
        paired = self.pair or (attribute.default and not (last and last.cued) and self._partner(name, kind))
        if last and joined == "and" and last.attribute == name and not paired and last.values[-1].kind == kind:
            return score + 12
        qualifies = last and last.attribute == name and self._qualifies(kind, last.values[-1].kind)
        if (
            last
            and joined == "next"
            and qualifies
            and (last.cued or not ends_route(self.nodes, at, last.values[-1].kind))
        ):
            return score + 9
        if attribute.after and not (joined == "next" and self.latest in attribute.after):
            return None
        if not suits(self.nodes[at], value, attribute, kind, attribute.of in self.head):
            return None
        if attribute.default and not bare:
            taken = any(g.attribute == name for g in self.given) and self._partner(name, kind)
            # an ambiguous name without a cue is less likely to be one of a pair of roles
            kinds = {v.kind for v in self.nodes[at].values if v.kind in self.model.kind}
            apart = len(kinds) > 1 and self._partner(name, kind, free=False)
            own = attribute.of in self.head and not any(";" in path for path in attribute.accepts.values())
            return score + 5 + 0.06 * own - 0.1 * attribute.default - (4 if taken else 0) - apart
        return None

    def _age_bonus(self, name: str) -> float:
        """Return the bonus for reading a small number as an age: "over fifty", but not "earning over fifty"."""
        cues = [(at, names) for at, names in self.cues if at >= self.since_value]
        led = [
            names for at, names in cues if at < 0 or not self.nodes[at].has("entity")
        ]  # "departments with men over fifty"
        other = {n for names in led for n in names if name not in names}
        return -1.0 if any({"money", "number"} & {*self.model.attribute[n].accepts} for n in other) else 0.5

    def _spoken_of(self, name: str) -> bool:
        """Return whether the request mentions the attribute or its entity: "boats in october" says nothing of repairs."""
        of = self.model.attribute[name].of
        if of in self.head or any(self.model.attribute[g.attribute].of == of for g in self.given):
            return True
        if any(not is_filler(self.nodes[at]) for at, names in self.cues if at >= 0 and name in names):
            return True
        flags = (s.name for n in self.nodes for s in n.item.all("flag"))
        named = {s.name for n in self.nodes for s in n.item.all("entity")}
        return of in {*named, *(self.model.flag[flag].of for flag in flags)}

    def _qualifies(self, kind: str, other: str) -> bool:
        return kind in self.model.kind and other in self.model.kind[kind].qualifies

    def _partner(self, name: str, kind: str, free: bool = True) -> bool:
        """Return whether another unused attribute takes such values without a cue: "Ann and Bob"."""
        taken = {g.attribute for g in self.given} if free else set()
        return any(
            other != name
            and a.default
            and kind in a.accepts
            and other not in taken
            and a.of == self.model.attribute[name].of
            for other, a in self.model.attribute.items()
        )

    def _cue_distance(self, at: int, name: str, kind: str) -> float | None:
        """Return the distance to the attribute's nearest cue, or None; times may look back past other values."""
        for back, (position, names) in enumerate(reversed(self.cues)):
            if name in names:
                if position >= self.since_value:
                    return back
                return 40 + back if kind in FREE else None
        return None

    def _right_after(self, at: int, name: str) -> bool:
        """Return whether only words such as "number" stand between a cue and an identifier: not "loans made in 2025"."""
        place = max((position for position, names in self.cues if name in names), default=-1)
        return place >= 0 and all(n.item.words in _BEFORE_A_CODE for n in self.nodes[place + 1 : at])

    def _joined_to_last(self, at: int) -> str:
        """Return how a value is joined to the last one: "or", "and", "next" if adjacent, else an empty string."""
        between = self.nodes[self.since_value : at]
        between = [n for n in between if n.item.words != "either"] or between
        for word in ("or", "and"):
            if any(n.has(word) for n in between):
                plain = all(n.has(word) or any(map(n.has, _JOINING)) for n in between)
                return word if plain else ""
        return "next" if not between else ""

    def _place(self, at: int, name: str, value: Value) -> None:
        """Add a value to the last condition, to an alternative, or as a condition of its own."""
        last = self.given[-1] if self.given else None
        joined = self._joined_to_last(at)
        if self._alternative(at, name, value, joined):
            self.since_value = at + 1
            return
        same = last is not None and last.attribute == name and last.negated == self.negated
        if last is not None and last.negated and joined == "or" and last.attribute == name:
            same = True  # "not by Ann or Bob"
        apart = joined == "and" and (self._all(name, value) or self._goes_on(name, value))
        if last is not None and same and joined in {"or", "and"} and not apart:
            last.values.append(value)
        else:
            self._new(name, value, at)
        self.since_value = at + 1

    def _alternative(self, at: int, name: str, value: Value, joined: str) -> bool:
        """Add a value to an alternative if it repeats or continues a sequence: "monday evening or tuesday morning"."""
        between = self.nodes[self.since_value : at]
        if any(not (any(map(n.has, _BETWEEN)) or n.item.name("entity") in self.head) for n in between):
            self.stretch = []
        names = [g.attribute for g in self.stretch]
        given = _Given(name, [value], self.negated)
        cued = any(name in cues for position, cues in self.cues if position >= self.since_value)
        anew = joined == "or" and cued and name in names[:-1] and name != names[-1]
        if not anew and any(g.attribute == name and value in g.values for g in self.given):
            return False
        if not self.groups and joined == "or" and cued and names and name not in names:
            self.groups = [[self.stretch[-1]], [given]]
            self.given.remove(self.stretch[-1])
            self.stretch = []
            return True
        if not self.groups and joined in {"or", "and"} and name in names[:-1] and name != names[-1]:
            first = names.index(name)
            self.groups = [self.stretch[first:], [given]]
            self.given = [g for g in self.given if g not in self.groups[0]]
            self.stretch = []
            return True
        if self.groups and self.stretch == [] and name in {g.attribute for g in self.groups[0]}:
            taken = {g.attribute for g in self.groups[-1]}
            if name not in taken and joined != "or":
                self.groups[-1].append(given)
                return True
            if name in taken and joined in {"or", "and"}:
                self.groups.append([given])
                return True
        return False

    def _all(self, name: str, value: Value) -> bool:
        """Return whether "and" before this value means that both must hold, as for bounds and the stops of a route."""
        return self._each(name, value) or value.op in _BOUNDS

    def _each(self, name: str, value: Value) -> bool:
        each = self.model.attribute[name].each
        return value.kind in each if isinstance(each, tuple) else each

    def _goes_on(self, name: str, value: Value) -> bool:
        """Return whether the value is a further stop of a route: both ends are known, and no cue is repeated ("from A to
        B and C") except after "and then"."""
        attribute = self.model.attribute[name]
        cued = any(name in names for position, names in self.cues if position >= self.since_value)
        then = any(n.item.words in {"then", "and then"} for n in self.nodes[self.since_value :][:3])
        return bool(attribute.repeated) and (then or not cued) and not self._partner(name, value.kind)

    def _new(self, name: str, value: Value, at: int) -> None:
        earlier = next((g for g in self.given if g.attribute == name and g.negated == self.negated), None)
        cued = any(name in names for position, names in self.cues if position >= self.since_value)
        if earlier is None or earlier.values[0].kind != value.kind or earlier.values[0].op != "=":
            self._append(_Given(name, [value], self.negated, cued))
            return
        if value in earlier.values:
            return
        repeated = self.model.attribute[name].repeated
        if repeated:
            earlier.attribute = repeated
            self._append(_Given(name, [value], self.negated))
        elif self._each(name, value):
            self._append(_Given(name, [value], self.negated))
        else:
            earlier.values.append(value)

    def _append(self, given: _Given) -> None:
        self.given.append(given)
        if not self.groups:
            self.stretch.append(given)

    def restarted(self, at: int) -> bool:
        """Retract the last condition if its attribute is named again: "in Austin no in Dallas"."""
        again = {s.name for n in self.nodes[at + 1 : at + 2] for s in n.item.all("cue")}
        last = self.given[-1] if self.given else None
        if last is None or last.attribute not in again:
            return False
        self.given.pop()
        self.stretch = self.stretch[:-1]
        return True
