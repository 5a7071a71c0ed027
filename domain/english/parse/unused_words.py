"""Words that are not part of the meaning, and how much they count against it.

An unused word that can only be a name, a quantity or a comparison makes a reading worthless; a merely unknown word makes
it less certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from domain.english.model.domain import DomainModel
from domain.english.parse.combine_comparisons import MEASURING as COMPARATIVES
from domain.english.parse.combine_comparisons import Node, is_filler
from domain.english.parse.projections import Projection
from domain.english.text.function_words import MOOT, phrases

_PREPOSITIONS = frozenset(
    ["to", "in", "from", "at", "of", "by", "for", "on", "into", "with", "near", "called", "named"]
)
NEGATION, BOTH, STILL, WHEN, WHOSE = "not", "both", "still", "when", "whose"
_MOOT = frozenset(phrases(MOOT))
MEASURING = COMPARATIVES - {"under", "over", "above", "below"}  # may state a place instead
_PLAIN = frozenset({"number", "digits", "money"})  # kinds that a unit may follow
_OWNING = frozenset(["have", "has", "had", "having", "got"])
_BOUNDS = frozenset({"<", "<=", ">", ">="})
_ARTICLES = frozenset(["the", "a", "an"])
_ASKED_OF = frozenset(["how", "who", "who is", "who was"])  # words before a property that was not understood
_COMPARED = frozenset(["than", "the most", "the fewest"])  # words after a quantity that was not understood
_EXISTING = frozenset(
    ["is there", "are there", "are there any", "is there a", "is there any", "do you have", "do you have any"]
)
_RATES = frozenset(["a", "an", "per"])
_LEADING = _PREPOSITIONS | {"out", "through", "via", "is", "are", "was", "were", "has", "have", "that"}
_BEING = frozenset(
    ["is", "are", "was", "were", "be", "been", "being", "have", "has", "had", "still", "already", "now", "yet", "not"]
)
_IN_TIME = frozenset(["before", "after", "earlier than", "later than"])
FOR_EACH = frozenset(["each", "every", "per"])
_OF_TIME = frozenset({"clock", "weekday", "date", "month", "year"})
_OF_DAYS = frozenset({"date", "month", "year"})
_FEW = 12  # more than a number of things or of people may be by the way
SPANS = frozenset(["week", "month", "year", "weekend", "quarter"])
_PARTS, _WHICH = frozenset(["early", "late", "mid"]), frozenset(["last", "this"])


class Leftover:
    """Judges the unused nodes of one request; `used` holds the attributes that have a condition so far."""

    def __init__(self, model: DomainModel, nodes: Sequence[Node], projection: Projection) -> None:
        self.model = model
        self.nodes = nodes
        self.projection = projection
        self.used: AbstractSet[str] = frozenset()

    def is_decisive(self, words: str) -> bool:
        """Return whether unused words must have changed the answer.

        They do if they are a number, a comparison, a day without its weekday, or an unknown word where a name or head is
        expected.
        """
        places = [at for at, n in enumerate(self.nodes) if n.item.words == words]
        dayless = not any(v.kind == "weekday" for n in self.nodes for v in n.values)
        day = dayless and any(v.kind == "ordinal" for at in places for v in self.nodes[at].values)
        measured = words.startswith("how ") or any(
            v.unit or (v.kind in _OF_TIME and not (v.kind == "date" and self.nodes[at].has("fill")))  # "next week"
            for at in places
            for v in self.nodes[at].values
        )
        counted = any(
            v.kind == "number" and self._counts_superlative(at) for at in places for v in self.nodes[at].values
        )
        counted |= any(v.kind in _PLAIN and v.op in _BOUNDS for at in places for v in self.nodes[at].values)
        counted |= any(v.kind == "number" and float(v.data[0]) > _FEW for at in places for v in self.nodes[at].values)
        apart = words in _IN_TIME or words.partition(" ")[0] in FOR_EACH
        kinds = [self.model.kind.get(v.kind) for at in places for v in self.nodes[at].values]
        named = any(kind and not kind.qualifies for kind in kinds)
        if (
            words in {NEGATION, BOTH, STILL, WHEN, WHOSE, "twice", "thrice", *_MOOT}
            or named
            or counted
            or apart
            or day
            or measured
            or any(c.isdigit() for c in words)
            or words in MEASURING
        ):
            return True
        return any(self._is_missing_name(at) or self._is_unread_superlative(at) for at in places)

    def lasts(self) -> bool:
        """Return whether "still" states that something continues: "are still on track 6"."""
        words = [n.item.words for n in self.nodes]
        return any(words[at] == STILL and words[at - 1] in _BEING for at in range(1, len(words)))

    def partial_span(self, kinds: AbstractSet[str]) -> str:
        """Return the month or year that is only partly meant ("early in May", "last May"), or an empty string."""
        for at, node in enumerate(self.nodes):
            before = [n.item.words for n in self.nodes[max(0, at - 2) : at]]
            parted = _PARTS & {*(before if before[-1:] == ["in"] else before[-1:])} or _WHICH & {*before[-1:]}
            if parted and kinds & {v.kind for v in node.values}:
                return node.item.words
        return ""

    def lacks_attribute(self, at: int) -> bool:
        """Return whether a superlative directly precedes the head or ends the request: "who gets the least"."""
        return at + 1 in self.projection.at or all(is_filler(node) for node in self.nodes[at + 1 :])

    def _counts_superlative(self, at: int) -> bool:
        """Return whether a number asks for several rows of a superlative: "the three earliest"."""
        around = (*self.nodes[max(0, at - 1) : at], *self.nodes[at + 1 : at + 2])
        return any(n.has("superlative") or n.has("extreme") for n in around)

    def _is_unread_superlative(self, at: int) -> bool:
        """Return whether the word is a superlative without a column, or part of a time: "the last book", "last week"."""
        node = self.nodes[at]
        spanned = [n.item.words for n in self.nodes[at + 1 : at + 2] if n.item.words in SPANS]
        return node.has("superlative") or (node.has("extreme") and (at + 1 in self.projection.at or bool(spanned)))

    def _is_missing_name(self, at: int) -> bool:
        """Return whether an unknown word can only be a name, property or quantity that the domain lacks.

        Examples: "to Norway", "red books", "how old", "under 90 minutes", "stricter than", "25 an hour", "what colour".
        """
        if self.is_idle_modifier(at, self.nodes[at]):
            return True
        if not self.nodes[at].has("unknown"):
            return False
        if self._dates(at + 1):
            return True  # "moorings repaired in 2024": what happened then was not understood
        before = self.nodes[at - 1].item.words if at else ""
        after = at + 1
        if at and self.nodes[at - 1].compared and any(v.kind in _PLAIN for v in self.nodes[at - 1].values):
            return True
        following = self.nodes[after].item.words if after < len(self.nodes) else ""
        if (
            before in _ASKED_OF
            or following in _COMPARED
            or (after in self.projection.at and self.nodes[after].has("entity"))
        ):
            return True
        if before in {"what", "which", "who"} and self.nodes[at - 1].has("ask"):
            return True  # "what colour", "who runs"
        if before in _RATES and at > 1 and any(v.kind in _PLAIN for v in self.nodes[at - 2].values):
            return True
        if before in _EXISTING and not any(n.values or n.has("flag") for n in self.nodes[after : after + 1]):
            return True
        while before in _ARTICLES and at > 1:
            at -= 1
            before = self.nodes[at - 1].item.words
        if before in _ASKED_OF or (before in _OWNING and after == len(self.nodes)):
            return True  # "have a roof"
        return before.partition(" ")[0] in _PREPOSITIONS | FOR_EACH and not any(
            n.values for n in self.nodes[after : after + 1]
        )

    def _dates(self, at: int) -> bool:
        """Return whether a day, month or year stands here, or after prepositions."""
        while at + 1 < len(self.nodes) and self.nodes[at].item.words in _PREPOSITIONS | {"on", "back"}:
            at += 1
        dated = [n for n in self.nodes[at : at + 1] if not _WHICH & {*n.item.words.split()}]
        return any(v.kind in _OF_DAYS for n in dated for v in n.values)

    def is_idle_modifier(self, at: int, node: Node) -> bool:
        """Return whether a cue without a value modifies the head although it says nothing of it.

        It stands right before the head ("open loans" where only shops open) or at the end ("which loans are due").
        """
        if node.values or {s.what for s in node.item.senses} - {"cue", "trailing"}:
            return False
        if _LEADING & {*node.item.words.split()[:1]}:
            return False
        names = {s.name for s in node.item.senses}
        if at + 1 in self.projection.at and self.nodes[at + 1].has("entity"):
            concerned = {*self.projection.entities, self.projection.per}
            return not {self.model.attribute[name].of for name in names} & concerned
        if at == 0 or not (at - 1 in self.projection.at or _BEING & {*self.nodes[at - 1].item.words.split()[-1:]}):
            return False
        used = self.used | {*self.projection.attributes}
        return all(is_filler(n) for n in self.nodes[at + 1 :]) and not names & used and at not in self.projection.at

    def compares_rows(self, at: int) -> bool:
        """Return whether "before" precedes a name or an event: "hired before Ann", "reported before they were finished"."""
        if self.nodes[at].item.words not in _IN_TIME:
            return False
        after = next((n for n in self.nodes[at + 1 :] if not is_filler(n)), None)
        named = after is not None and any(v.kind in self.model.kind for v in after.values)
        return after is not None and not after.compared and (named or after.has("flag") or after.has("trailing"))

    def divides(self, at: int) -> bool:
        """Return whether "each" precedes an entity that the projection does not group by."""
        after = self.nodes[at + 1 : at + 2]
        said = bool(after) and (after[0].has("entity") or after[0].has("asked")) and at + 1 not in self.projection.at
        whole = self.projection.count or self.projection.aggregate or self.projection.per
        return (
            said
            and bool(whole)
            and after[0].item.name("entity") not in {*self.projection.entities, self.projection.per} - {""}
        )
