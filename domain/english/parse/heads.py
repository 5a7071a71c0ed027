"""Heads of a request: the entities and attributes that its answer consists of.

The head of a WH phrase, or of the object of a command or wish, is required in the answer, as are nouns coordinated with
it. A noun that only introduces a value ("department 45") or modifies the next noun is not. "A list of", "table of" and
the like are never heads (1989 minimal answers).
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.english.model.domain import Attribute, DomainModel, leads_back, tied
from domain.english.model.meaning import Value
from domain.english.parse.attach_values import FREE
from domain.english.parse.combine_comparisons import Node, is_filler
from domain.english.parse.completed_names import completes_a_name
from domain.english.parse.default_head import default_head
from domain.english.parse.projections import (
    Projection,
    are_dates,
    closes,
    cost_of,
    degree_of,
    explained,
    foreign_owner,
    is_lacked,
    is_share_restriction,
    joined,
    last_event,
    verb_projection,
)
from domain.english.parse.totals import asks_for_total
from domain.english.parse.value_kinds import accepted
from domain.english.parse.where_questions import place_projection

COUNTED_MOST = frozenset(["most", "the most", "fewest", "the fewest"])
_TIME = frozenset(["when", "what time", "at what time", "which time"])
_OPEN_QUESTIONS = frozenset([*_TIME, "who"])
_EACH, _DOING = frozenset(["each", "every", "per"]), frozenset(["does", "do", "did"])
_RELATIVE = frozenset(["who", "which", "whose"])
_DETERMINERS, _NAMES = frozenset(["the", "a", "an", "all", "all the"]), frozenset(["name", "names"])
_ASKING = frozenset(["what", "which", "how"])
_ALTOGETHER = frozenset(["altogether", "in total", "all together", "in all", "all told"])
_EVERY = frozenset(["per", "each", "every", "for each", "in each", "for every", "in every"])
_AMOUNTS = frozenset(["avg", "sum", "max", "min"])
_VERBAL = frozenset(["to", "for", "under", "by", "with"])
_LINKS = frozenset(["of", "is", "the", "a", "an", "at", "in", "than", "are"])


def find_projection(model: DomainModel, nodes: Sequence[Node], head: Sequence[str] = ()) -> Projection:
    """Return the projection of the request. Without a head, it falls back to `head`, then to the domain's default."""
    return _Heads(model, nodes, head).run()


def _taken(attribute: Attribute, value: Value) -> bool:
    """Return whether an attribute takes a value; "over 50000" may be an amount of money."""
    money = value.kind == "number" and value.op != "=" and "money" in attribute.accepts
    return money or value.kind in accepted(attribute)


class _Heads:
    """Finds the heads of one request and builds the projection."""

    def __init__(self, model: DomainModel, nodes: Sequence[Node], head: Sequence[str] = ()) -> None:
        self.model = model
        self.nodes = nodes
        self.head = tuple(head)

    def run(self) -> Projection:
        candidates = [at for at, n in enumerate(self.nodes) if n.has("entity") or n.has("asked")]
        candidates = [
            at
            for at in candidates
            if not (self._introduces(at) or self._compounded(at) or self._leads_on(at) or is_lacked(self.nodes, at))
            and not completes_a_name(self.model, self.nodes, at)
        ]
        verb = self._verb_asked()
        chosen = self._chosen(candidates) if verb is None else verb
        chosen = None if chosen is not None and is_share_restriction(self.nodes, chosen) else chosen
        hinted = self._hinted()
        if not hinted and (open_question := self._degree(chosen) or self._where(chosen) or self._when(chosen)):
            return open_question
        if meaning := explained(self.model, self.nodes):
            return Projection((self.model.attribute[meaning].of,), (meaning,))
        if chosen is None or hinted:
            of_hinted = self._of_hinted(chosen, hinted)
            own = chosen is None or self.nodes[chosen].item.name("entity") == hinted
            count = own and not of_hinted and any(n.has("count") for n in self.nodes)
            share = "share" if any(n.item.name("aggregate") == "share" for n in self.nodes) else ""
            at = frozenset(() if chosen is None else (chosen,))
            default = (hinted,) if hinted else self.head or (default_head(self.model, self.nodes),)
            return Projection(default, of_hinted, count, share, at=at)
        return self._asked(chosen, candidates)

    def _asked(self, chosen: int, candidates: Sequence[int]) -> Projection:
        heads = sorted({chosen, *self._coordinated(chosen, candidates)})
        entities = [self.nodes[at].item.name("entity") for at in heads if self.nodes[at].has("entity")]
        asked = [self._asked_name(self.nodes[at], entities) for at in heads if not self.nodes[at].has("entity")]
        head = tuple(dict.fromkeys(entities)) or (self.model.attribute[asked[0]].of,)
        head = (*head, *foreign_owner(self.model, self.nodes, chosen, head))
        before = self.nodes[max(0, chosen - 3) : chosen]
        aggregate = next((n.item.name("aggregate") for n in before if n.has("aggregate")), "")
        if asked and any(n.has("count") or n.item.words.startswith("how many") for n in (*before, self.nodes[chosen])):
            aggregate = aggregate or ("sum" if any(n.item.words in _ALTOGETHER for n in self.nodes[chosen:]) else "")
        aggregate = aggregate or ("sum" if asked and asks_for_total(self.model, self.nodes, heads) else "")
        if (not asked and aggregate != "share") or not self.model.domain.aggregates:
            aggregate = ""
        count = any(n.has("count") for n in before)
        asked = [] if count and are_dates(self.model, asked) else asked
        count = count and not asked
        if counted := self._counted_for_each(chosen, head):
            return Projection(head, per=counted, at=frozenset(heads))
        divided = self._per(chosen, head, count or bool(aggregate))
        head, per, pick = divided if not asked or (aggregate in _AMOUNTS and not divided[2]) else (head, "", "")
        by, at = self._by(head) if (count or aggregate == "sum") and not per else ("", frozenset())
        named = self._beside(next((at for at in heads if not self.nodes[at].has("entity")), None))
        return Projection(
            head, tuple(dict.fromkeys(asked)), count, aggregate, per, pick, by, named, frozenset(heads) | at
        )

    def _of_hinted(self, chosen: int | None, hinted: str) -> tuple[str, ...]:
        """Return the attribute asked for of an entity that a hint names: "how much is the taxi"."""
        asked = [] if chosen is None or not hinted else self.nodes[chosen].item.all("asked")
        found = tuple(s.name for s in asked if self.model.attribute[s.name].of == hinted)[:1]
        return found or cost_of(self.model, self.nodes, hinted)

    def _beside(self, at: int | None) -> bool:
        """Return whether an attribute is required along with its entity (BBN 1989, section 3.2): "clerks and/with their
        salaries", not "every clerk's salary"."""
        joined = [] if at is None else [n for n in range(max(0, at - 3), at) if self.nodes[n].has("and")]
        if at is None or not joined:
            return False
        owners = {self.model.attribute[s.name].of for s in self.nodes[at].item.all("asked")}
        things = self.nodes[: joined[-1]]
        said = {self.model.flag[s.name].of for n in things for s in n.item.all("flag")}
        return any(n.item.words in {"them", "those", "these"} for n in things) or bool(
            owners & (said | {n.item.name("entity") for n in things})
        )

    def _ends(self, at: int) -> bool:
        return all(is_filler(n) for n in self.nodes[at + 1 :])

    def _one(self, at: int) -> bool:
        """Return whether a singular noun without a value is named: "by author", not "by authors in Norton"."""
        return not self.nodes[at].item.words.endswith("s") and not any(n.values for n in self.nodes[at + 1 : at + 2])

    def _by(self, head: tuple[str, ...]) -> tuple[str, frozenset[int]]:
        """Return the attribute to group by and its node: "how many books are there in each language"."""
        for at, node in enumerate(self.nodes[1:], start=1):
            if self.nodes[at - 1].item.words in _EACH and not node.has("entity"):
                for sense in node.item.all("asked"):
                    attribute = self.model.attribute[sense.name]
                    if attribute.of in head and attribute.select:
                        return sense.name, frozenset([at])
        return "", frozenset()

    def _per(self, chosen: int, head: tuple[str, ...], count: bool) -> tuple[tuple[str, ...], str, str]:
        """Return the heads, the counted entity and the pick: "how many desks does each room have"."""
        for at, node in enumerate(self.nodes):
            flag = node.item.name("flag")
            name = node.item.name("entity") or (self.model.flag[flag].of if flag else "")
            before = [n.item.words for n in self.nodes[max(0, at - 3) : at]]
            if not name or name in head or at == chosen:
                continue
            by = before[-1:] == ["by"] and (self._ends(at) or self._one(at))
            for_each = by or before[-1:] in (["each"], ["every"], ["per"])
            if for_each and count:
                return (name,), head[0], ""
            if at < chosen:
                continue
            if before[-1:] == ["more"] and "than any" in " ".join(n.item.words for n in self.nodes[at:]):
                return head, name, "max"
            if counted := [w for w in before if w in COUNTED_MOST]:
                return head, name, "min" if "fewest" in counted[0] else "max"
        return head, "", ""

    def _counted_for_each(self, chosen: int, head: tuple[str, ...]) -> str:
        """Return the entity to count for each head, where only flags or values name it: "secretaries per department"."""
        led = self.nodes[chosen - 1].item.words if chosen else ""
        grouped = led in _EVERY or (led == "by" and self._one(chosen))
        if not grouped or len(head) != 1 or not (self._ends(chosen)):
            return ""
        default = self.model.domain.entity
        said = [self.model.flag[s.name].of for n in self.nodes[:chosen] for s in n.item.all("flag")]
        said += [a.of for n in self.nodes[:chosen] for v in n.values if v.kind in self.model.kind
                 for a in self.model.attribute.values() if a.of == default and v.kind in a.accepts]  # fmt: skip
        return default if default not in head and default in said and tied(self.model, (*head, default)) else ""

    def _owners(self, chosen: int | None) -> set[str]:
        """Return the entities that the request is about, by noun or by name."""
        named = self.nodes if chosen is None else [self.nodes[chosen]]
        owners = {n.item.name("entity") for n in named} - {""}
        return owners | {
            a.of for n in self.nodes for v in n.values for a in self.model.attribute.values()
            if v.kind in self.model.kind and ";" not in a.accepts.get(v.kind, ";")
        }  # fmt: skip

    def _degree(self, chosen: int | None) -> Projection | None:
        """Return the projection for "how long is the Nile": the quantity of the named entity, else of the main one."""
        named = {self.nodes[chosen].item.name("entity")} if chosen is not None else set()
        ways = (named, self._owners(chosen), {*self.head}, {self.model.domain.entity})
        return degree_of(self.model, self.nodes, ways)

    def _where(self, chosen: int | None) -> Projection | None:
        owners = self._owners(chosen) | {*(self.head if chosen is None else ())}
        asked = verb_projection(self.model, self.nodes, chosen, owners)
        return asked or (place_projection(self.model, self.nodes, owners) if chosen is None else None)

    def _when(self, chosen: int | None) -> Projection | None:
        """Return the projection for "when was Ann hired", "who publishes Emma" or "what does it cost"."""
        words = [n.item.words for n in self.nodes]
        asking = next((at for at, word in enumerate(words) if word in _OPEN_QUESTIONS), None)
        what, *doing = " ".join(words[joined(self.nodes) :][:2]).split()[:2] or [""]
        quantity = asking is None and what == "what" and bool(_DOING & {*doing})
        asking = 0 if quantity else asking
        named = chosen is not None and self.nodes[chosen].has("asked") and not self.nodes[chosen].has("entity")
        opened = named and words[chosen or 0] in _TIME  # "what time" asks for one of several times; the verb decides
        if asking is None or (named and not opened):
            return last_event(self.model, self.nodes)
        timed = {self.model.attribute[s.name].of for s in self.nodes[chosen or 0].item.all("asked") if opened}
        owners = self._owners(chosen) | timed | {*(self.head if chosen is None else ())}
        past = words[asking + 1 : asking + 2] in (["did"], ["was"], ["were"])
        for at in range(asking + 1, len(self.nodes)):
            node = self.nodes[at]
            finite = opened and not words[at].partition(" ")[0].endswith("ing")
            if node.values or node.has("entity") or (self._introduces(at) and not finite):
                continue
            found = [(sense, self.model.attribute[sense.name]) for sense in node.item.all("cue")]
            if chosen is None and len({attribute.of for _, attribute in found}) == 1:
                owners = owners | {found[0][1].of}  # "when the Heron arrived": only one entity has the verb
            # "When did it open" asks for a date, "when does it open" for a time of day.
            for sense, attribute in sorted(found, key=lambda entry: past == ("clock" in entry[1].accepts)):
                dated = bool({"date", "year", "clock"} & set(attribute.accepts))
                acting = words[asking] == "who" and at == asking + 1  # "who makes Lisinol"
                verb = node.item.words not in attribute.words and (quantity or acting or not node.has("fill"))
                if acting and self._describes_who(asking, attribute):
                    continue  # "who graduated" asks for people, not schools
                if quantity and not (self._ends(at) and {"number", "money"} & set(attribute.accepts)):
                    continue
                named = (
                    quantity or dated or bool({*attribute.accepts} & {*self.model.kind})
                )  # a number cannot answer "who"
                if attribute.select and named and verb and attribute.of in owners and dated == (words[asking] in _TIME):
                    return Projection((attribute.of,), (sense.name,), at=frozenset([at, asking] if opened else [at]))
        return last_event(self.model, self.nodes)

    def _describes_who(self, asking: int, attribute: Attribute) -> bool:
        """Return whether the attribute describes the person that "who" asks for."""
        return self.nodes[asking].item.name("entity") == attribute.of and not leads_back(attribute)

    def _leads_on(self, at: int) -> bool:
        """Return whether a noun only leads to another or closes a clause: "the name of the supervisor of"."""
        node = self.nodes[at]
        if not node.has("asked") or node.has("entity"):
            return False
        if at and self.nodes[at - 1].item.words in _EACH and any(n.has("count") for n in self.nodes[:at]):
            return True
        if self._somebody() and at > 0 and all(self.model.attribute[s.name].minimum for s in node.item.all("asked")):
            return True  # "who was hired last" asks for somebody
        if closes(self.model, self.nodes, at):
            return True
        after = at + 1
        while after < len(self.nodes) and is_filler(self.nodes[after]):
            after += 1
        named = after < len(self.nodes) and not self.nodes[after].has("entity")
        further = self.nodes[after].item.all("asked") if named else ()
        return (
            after > at + 1
            and node.item.words in _NAMES
            and any(";" in path for s in further for path in self.model.attribute[s.name].select)
        )

    def _chosen(self, candidates: Sequence[int]) -> int | None:
        """Return the head of the question or command, else of a wish, else the first candidate."""
        first = joined(self.nodes)
        if self._somebody() and candidates[:1] == [first] and len(candidates) > 1:
            alone = self.nodes[first].item.words in {"who", "who has", "who have"}
            apart = not {n.item.words for n in self.nodes[first + 1 : candidates[1]]} <= _DETERMINERS
            if self.nodes[candidates[1]].has("entity") and (alone or apart):
                return first  # "who works a shift", unlike "who is the head of it"
            candidates = candidates if alone else candidates[1:]
        if candidates[:1] == [0] and self.nodes[0].item.words.startswith("who ") and not self.nodes[0].has("entity"):
            return 0  # who received letters is asked, and no letter
        for what in ("ask", "wish"):
            for at in candidates:
                if self._follows(at, what):
                    return at
        return candidates[0] if candidates else None

    def _verb_asked(self) -> int | None:
        """Return the final verb of "what do the boats cost" if the answer consists of it."""
        words = " ".join(n.item.words for n in self.nodes[joined(self.nodes) :][:2]).split()
        last = max((at for at, n in enumerate(self.nodes) if not is_filler(n)), default=0)
        ends = self.nodes[last].has("entity") and self.nodes[last].has("cue") and not self.nodes[last].values
        return last if words[:1] == ["what"] and _DOING & {*words[1:2]} and ends and last > 1 else None

    def _somebody(self) -> bool:
        """Return whether the request asks "who" in a domain with entities for people."""
        first = min(joined(self.nodes), len(self.nodes) - 1)
        return self.nodes[first].item.words.partition(" ")[0] == "who" and self.nodes[first].has("entity")

    def _compounded(self, at: int) -> bool:
        """Return whether a noun only modifies the next one: the first of "team leader"."""
        after = self.nodes[at + 1 : at + 2]
        verb = self.nodes[at].item.words.startswith("who ")  # who received letters
        return bool(after and after[0].has("entity") and not after[0].values and not verb)

    def _hinted(self) -> str:
        """Return the entity that a hint in the request implies, whatever else is named first."""
        hint = next((s.name for n in self.nodes for s in n.item.all("hint")), "")
        named = [v.kind for n in self.nodes for v in n.values if v.kind in self.model.kind]
        hint = hint or next((self.model.kind[k].hint for k in named if self.model.kind[k].hint), "")
        if not hint and any(n.has("explain") for n in self.nodes):
            kinds = [self.model.kind[v.kind] for n in self.nodes for v in n.values if v.kind in self.model.kind]
            hint = next((k.explains or k.asks for k in kinds if k.explains or k.asks), "")
        return hint

    def _asked_name(self, node: Node, entities: Sequence[str]) -> str:
        """Return the attribute that a noun asks for, preferring those of entities named in the request."""
        names = [s.name for s in node.item.all("asked")]
        present = {s.name for n in self.nodes for s in n.item.all("entity")} | set(entities)
        for owners in (self._named_after(node), present, self._owners(None), {*self.head}):
            for name in names:
                if self.model.attribute[name].of in owners:
                    return name
        return names[0]

    def _named_after(self, node: Node) -> set[str]:
        """Return the entities of the next noun: in "names of the clerks in the sales team", the clerks."""
        for after in self.nodes[self.nodes.index(node) + 1 :]:
            flags = {self.model.flag[s.name].of for s in after.item.all("flag")}
            if (found := flags | {s.name for s in after.item.all("entity")}) or after.values:
                return found
        return set()

    def _introduces(self, at: int) -> bool:
        """Return whether a word only introduces the value after it: "department 45", "salary over 50000"."""
        node = self.nodes[at]
        after = at + 1
        while after < len(self.nodes) and self._only_links(after):
            after += 1
        if after >= len(self.nodes) or not self.nodes[after].values:
            return False
        asked = [s.name for s in node.item.all("asked")]
        verbal = node.item.words.rpartition(" ")[2] in _VERBAL  # "who reports to the president" asks for the subject
        if after > at + 1 and not verbal and any(leads_back(self.model.attribute[name]) for name in asked):
            return False  # "the guardian of Ann" asks for the guardian, "guardian Ann" names one
        names = [s.name for s in node.item.all("cue") if not asked or s.name in asked] + asked
        if node.has("entity") and after > at + 1:
            return False
        following = self.nodes[after]
        linked = after > at + 1 or not node.has("asked") or following.compared
        return any(
            _taken(self.model.attribute[n], v) and (linked or v.kind == "number" or v.kind not in FREE)
            for n in names for v in following.values
            if node.has("cue") or following.compared
        )  # fmt: skip

    def _only_links(self, at: int) -> bool:
        """Return whether a word only connects a cue and its value: "of", or "over", which the value already includes."""
        node = self.nodes[at]
        return (is_filler(node) and node.item.words in _LINKS) or (node.has("compare") and not node.values)

    def _follows(self, at: int, what: str) -> bool:
        """Return whether a question word, command or wish (`what`) governs the candidate."""
        if what == "ask" and self.nodes[at].has("asked") and _ASKING & {*self.nodes[at].item.words.split()[:2]}:
            return True  # "in what months are there classes"
        for place in range(at - 1, -1, -1):
            node = self.nodes[place]
            if node.item.words in _RELATIVE and place and self.nodes[place - 1].has("entity"):
                return False
            if node.has(what) or (what == "ask" and node.has("count")):
                return True
            if not (is_filler(node) or node.has("superlative") or node.has("flag") or node.has("aggregate")
                    or node.values or node.has("extreme") or node.has("entity") or node.has("ask")):  # fmt: skip
                return False
        return False

    def _coordinated(self, chosen: int, candidates: Sequence[int]) -> list[int]:
        """Return further heads coordinated with the chosen one: "clerks and their salaries", "names and salaries of"."""
        found = []
        last = chosen
        for at in candidates:
            if at <= chosen:
                continue
            between = self.nodes[last + 1 : at]
            asked = self.nodes[at].has("asked")
            joined = any(n.has("and") for n in between)
            plain = joined and all(n.has("and") or is_filler(n) or n.has("ask") for n in between)
            compound = not between and asked and self.nodes[chosen].has("entity")
            late = any(n.has("and") for n in between[-3:]) and self._stands_alone(at)
            if plain or compound or late:
                found.append(at)
                last = at
        return found

    def _stands_alone(self, at: int) -> bool:
        """Return whether a noun phrase such as "and the price" has a determiner before it and no modifier after it."""
        determined = any(n.item.words in {"the", "their", "its"} for n in self.nodes[max(0, at - 2) : at])
        return determined and all(is_filler(n) or n.has("asked") or n.has("and") for n in self.nodes[at + 1 :])
