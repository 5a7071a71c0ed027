"""Words that are fillers in some contexts and meaningful in others.

"Different classes" are classes, but "the other classes" are the remaining ones; "trains back to Bonn" go to Bonn, but
"and back again" asks for a return journey. Words that are always fillers are listed in the lexicon.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet

from domain.english.model.domain import DomainModel
from domain.english.parse.combine_comparisons import Node, is_filler, numeric
from domain.english.parse.projections import Projection

_UNIVERSAL = frozenset(["any", "every", "all", "anything", "everything", "whatever", "no", "none", "nothing", "each"])
_DETERMINERS = frozenset(["a", "an", "the", "my", "our", "their", "this"])
_DATED = frozenset({"weekday", "date"})
_LONGEST_CODE = 3
_Test = Callable[[Sequence[Node], int, AbstractSet[int]], bool]


def misplaced(model: DomainModel, nodes: Sequence[Node], at: int, projection: Projection) -> bool:
    """Return whether the context rules out both a word's usual meaning and its use as a filler."""
    node = nodes[at]
    if node.values and any(test(nodes, at) for test in (is_quantity, counts_next_noun, is_time_offset, ranged)):
        return True
    if is_common_noun(model, nodes, at):
        return True
    if node.has("superlative") and modifies_other_noun(nodes, at, projection.at):
        return True
    return is_approximate_place(model, nodes, at, projection.entities) or (
        not projection.pick and is_meaningful(nodes, at, projection.at)
    )


def is_meaningful(nodes: Sequence[Node], at: int, asked: AbstractSet[int]) -> bool:
    """Return whether a word that is usually a filler is meaningful here; `asked` holds the indices of the heads."""
    node = nodes[at]
    idle = _IDLE.get(node.item.words)
    plain = node.has("fill") and not node.values and not node.has("cue") and not node.has("swap")
    return (idle is not None and plain and not idle(nodes, at, asked)) or _one_of(nodes, at)


def means_except(nodes: Sequence[Node], at: int) -> bool:
    """Return whether "but" means "except": "any day but friday", unlike "to Bonn but on a friday"."""
    if nodes[at].item.words != "but":
        return False
    for node in reversed(nodes[:at]):
        if node.values:
            return False
        if _UNIVERSAL & {*node.item.words.split()}:
            return True
    return False


def wanting(nodes: Sequence[Node], at: int, asked: Sequence[str]) -> bool:
    """Return whether a negation means that no such row exists: "with no novels", "without any novels".

    "Actors not in comedies" likewise excludes actors who also played in other films, unless another entity is named that
    the negation could apply to.
    """
    alone = all(n.item.name("entity") in {"", *asked} and not n.values for n in nodes[:at])
    if alone and nodes[at].values and not nodes[at].compared:
        return True
    led = [node.item.words for node in nodes[max(0, at - 3) : at] if node.item.words != "any"]
    return led[-1:] == ["without"] or (led[-1:] in (["no"], ["not"]) and bool(_HAVING & {*led[-2:-1]}))


def is_common_noun(model: DomainModel, nodes: Sequence[Node], at: int) -> bool:
    """Return whether a short code is a common noun here: "the sea" is not SEA, but "a phd" is one of the "phds"."""
    words, values = nodes[at].item.words, nodes[at].values
    # "men" is a synonym of a code, not a code
    counted = any({f"{words}s", words} & {*model.kind[v.kind].also} for v in values if v.kind in model.kind)
    short = bool(values) and words.isalpha() and len(words) <= _LONGEST_CODE and all(v.op == "=" for v in values)
    before = nodes[at - 1].item.words.rpartition(" ")[2] if at else ""
    return short and not counted and before in _DETERMINERS and not _named_as(nodes, at)


def compares_equality(nodes: Sequence[Node], at: int) -> bool:
    """Return whether a comparison of equality has a standard: "as cheap as the train", not "as cheap as possible"."""
    words = [node.item.words for node in nodes[at : at + 4]]
    return len(words) > 3 and words[0] == words[2] == "as" and not words[3].startswith("possible")


def modifies_other_noun(nodes: Sequence[Node], at: int, asked: AbstractSet[int]) -> bool:
    """Return whether a superlative modifies a noun other than the head: "with the shortest wait"."""
    before = nodes[at - 1].item.words.partition(" ")[0] if at else ""
    after = nodes[at + 1] if at + 1 < len(nodes) else None
    if after is None or at + 1 in asked or after.values:
        return False
    if after.item.words == "time" and nodes[at].item.words in _ONCE:
        return True
    return before == "with" and {sense.what for sense in after.item.senses} <= {"trailing", "unknown"}


def is_approximate_place(model: DomainModel, nodes: Sequence[Node], at: int, asked: Sequence[str]) -> bool:
    """Return whether a place is only approximate and no attribute measures distance: "near Bonn", "beyond the city"."""
    cues = nodes[at].item.all("cue")
    led = any(model.attribute[sense.name].of in asked for sense in cues)
    timed = any(n.values and numeric(n) for n in nodes[at + 1 : at + 2])
    return nodes[at].item.words in _NEAR and not (nodes[at].values or nodes[at].compared or led or timed)


def is_time_offset(nodes: Sequence[Node], at: int) -> bool:
    """Return whether a duration is an offset from another time: "an hour after noon"."""
    follows = nodes[at + 1] if at + 1 < len(nodes) else None
    apart = follows is not None and follows.compared and follows.item.words.partition(" ")[0] in _APART
    return apart and any(v.unit for v in nodes[at].values) and not nodes[at].compared


def ranged(nodes: Sequence[Node], at: int) -> bool:
    """Return whether a weekday is an end of a range that no comparison expresses: "from monday to friday"."""
    days = any(v.kind == "weekday" for v in nodes[at].values)
    return days and at > 0 and nodes[at - 1].item.words in _STRETCHING


def paired(nodes: Sequence[Node]) -> bool:
    """Return whether "both" has two conjuncts: "Bonn and Trier both", not "on both tuesdays"."""
    return any(n.has("and") and n.item.words != "with" for n in nodes)


def dangles(nodes: Sequence[Node], at: int) -> bool:
    """Return whether a cue ends the request without a value: "and return", "with beds left"."""
    only = {sense.what for sense in nodes[at].item.senses} == {"cue"} and not nodes[at].values
    if not only or at == 0 or not all(map(is_filler, nodes[at + 1 :])):
        return False
    noun = nodes[at - 1]
    remains = (
        nodes[at].item.words == "left" and noun.item.words.endswith("s") and not (noun.has("entity") or noun.values)
    )
    return noun.has("and") or remains


def is_quantity(nodes: Sequence[Node], at: int) -> bool:
    """Return whether a bare number is a quantity and not a time: "for two people", "two of them", "the oldest three"."""
    plain = all(v.kind in _BARE and not v.unit for v in nodes[at].values)
    led = at > 0 and nodes[at - 1].item.words == "for" and not nodes[at].compared
    parted = any(n.item.words in _PARTS for n in nodes[at + 1 : at + 2])
    most = at > 0 and (nodes[at - 1].has("superlative") or nodes[at - 1].has("extreme")) and not nodes[at].compared
    return bool(nodes[at].values) and plain and (led or parted or most)


def counts_next_noun(nodes: Sequence[Node], at: int) -> bool:
    """Return whether a bound counts the noun after it: "more than three clerks" is not about their pay."""
    few = any(v.kind == "number" and not isinstance(v.data[0], str) and v.data[0] < _FEW for v in nodes[at].values)
    after = nodes[at + 1] if at + 1 < len(nodes) else None
    if after is None or not (nodes[at].compared and few) or after.values or not after.has("flag"):
        return False
    return after.item.words.endswith("s") or after.item.words in _MANY


def _named_as(nodes: Sequence[Node], at: int) -> bool:
    return any(n.has("entity") or n.has("value") or is_filler(n) for n in nodes[at + 1 : at + 2])


def _never(nodes: Sequence[Node], at: int, asked: AbstractSet[int]) -> bool:
    return False


def _before_a_thing(nodes: Sequence[Node], at: int, asked: AbstractSet[int]) -> bool:
    return any(
        n.has("entity") and any(word.endswith("s") for word in n.item.words.split()) for n in nodes[at + 1 : at + 2]
    )


def _once(nodes: Sequence[Node], at: int, asked: AbstractSet[int]) -> bool:
    return not any(n.item.words.rpartition(" ")[2] in {"back", "then"} for n in nodes[max(0, at - 2) : at])


def _before_a_way(nodes: Sequence[Node], at: int, asked: AbstractSet[int]) -> bool:
    return any(n.has("cue") for n in nodes[at + 1 : at + 2])


def _beside_a_day(nodes: Sequence[Node], at: int, asked: AbstractSet[int]) -> bool:
    words = [n.item.words for n in nodes]
    dated = any(v.kind in _DATED for n in nodes for v in n.values)
    return (dated and _of_itself(nodes, at, asked)) or "any" in words[:at]


def _of_itself(nodes: Sequence[Node], at: int, asked: AbstractSet[int]) -> bool:
    ahead = any(
        n.item.words.partition(" ")[0] in {"from", *_APART} and not any(v.kind == "clock" for v in n.values)
        for n in nodes[at + 1 : at + 2]
    )
    return not ahead and not (at and nodes[at - 1].item.words in _WHOLE)


def _before_a_day(nodes: Sequence[Node], at: int, asked: AbstractSet[int]) -> bool:
    return any((n.values and n.item.words != "one") or n.has("unknown") for n in nodes[at + 1 : at + 2])


def _of_time(nodes: Sequence[Node], at: int, asked: AbstractSet[int]) -> bool:
    return any(n.item.words in {"time", "times"} for n in nodes[at + 1 : at + 2])


def _of_a_journey(nodes: Sequence[Node], at: int, asked: AbstractSet[int]) -> bool:
    return at == 0 or nodes[at - 1].item.words not in {"each", "both", "either"}


def _verbal(nodes: Sequence[Node], at: int, asked: AbstractSet[int]) -> bool:
    led = any(n.has("cue") for n in nodes[at + 1 : at + 2])
    return at == 0 or led or not (nodes[at - 1].values or at - 1 in asked)


def _before_a_value(nodes: Sequence[Node], at: int, asked: AbstractSet[int]) -> bool:
    led = at > 0 and nodes[at - 1].item.words.rpartition(" ")[2] in _PREPOSITIONS
    return any(n.values or (n.has("entity") and not led) for n in nodes[at + 1 : at + 3])


def _untimely(nodes: Sequence[Node], at: int, asked: AbstractSet[int]) -> bool:
    return at == 0 or nodes[at - 1].item.words not in {"on", "in", "this", "every", "each", "next", "same", "the same"}


def _one_of(nodes: Sequence[Node], at: int) -> bool:
    return nodes[at].item.words == "one" and any(n.item.words in _PARTS for n in nodes[at + 1 : at + 2])


def _subject(nodes: Sequence[Node], at: int, asked: AbstractSet[int]) -> bool:
    return not any(n.values or n.has("ask") or n.has("entity") for n in nodes[:at])


def _no_time(nodes: Sequence[Node], at: int, asked: AbstractSet[int]) -> bool:
    after = nodes[at + 1].item.words if at + 1 < len(nodes) else ""
    return after not in _TIMES or any(n.values for n in nodes[at + 2 : at + 3])


_FEW, _MANY = 200, frozenset(["men", "women", "people"])
_HAVING = frozenset(["with", "have", "has", "had", "having"])
_KIN = (
    "mother", "father", "mom", "dad", "wife", "husband", "son", "daughter", "sister", "brother", "friend", "boss", "colleague",
    "colleagues", "parents", "uncle", "aunt", "partner", "neighbour", "neighbor",
)  # fmt: skip
_ONCE = frozenset(["first", "last"])
_APART = frozenset(["before", "after", "prior", "later", "earlier", "following"])
_WHOLE = frozenset(["a", "per", "all", "whole", "the whole", "entire", "every", "each", "one"])
_PREPOSITIONS = frozenset(["at", "for", "with", "by", "on", "of", "in"])
_PARTS = frozenset(["of them", "of which", "of those", "of these", "of the", "of"])
_STRETCHING = frozenset(["from", "by", "to", "through", "until", "till"])
_NEAR = frozenset(["near", "near to", "close to", "around", "nearly", "beyond", "past", "in the vicinity of"])
_TIMES = frozenset(["time", "times", "day", "date", "week", "month", "year"])
_BARE = frozenset({"number", "maybe clock", "digits", "ordinal"})
_IDLE: dict[str, _Test] = {
    "other": _never, "else": _never, "most of": _never, "some of": _never, "soon": _never, "than": _never,
    "certain": _before_a_thing, "different": _before_a_thing, "various": _before_a_thing,
    "again": _once, "back": _before_a_way, "more": _of_time, "way": _of_a_journey, "like": _verbal,
    "week": _beside_a_day, "next week": _beside_a_day, "of next week": _beside_a_day, "this week": _beside_a_day,
    "next": _before_a_day, "coming": _before_a_day, "day": _of_itself, "time": _untimely,
    **dict.fromkeys((f"my {kin}" for kin in _KIN), _subject),
    "same": _before_a_value, "the same": _before_a_value, "that": _no_time, "those": _no_time,
}  # fmt: skip
