"""Counts of an event by its verb ("how often was Emma borrowed"), and superlatives over counts and sums."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from domain.english.model.domain import DomainModel, tied
from domain.english.model.meaning import Meaning
from domain.english.parse.combine_comparisons import Node
from domain.english.parse.constructions.construction import Construction, Read, asked_here, column_of, without, words_of
from domain.english.parse.heads import COUNTED_MOST
from domain.english.parse.tagger import Item, Sense
from domain.english.parse.totals import adds_up

_OFTEN = frozenset(["often", "frequently", "many times", "times"])
_LINKS = frozenset(
    [
        "has",
        "have",
        "had",
        "scored",
        "got",
        "with",
        "with the",
        "the",
        "is",
        "was",
        "are",
        "were",
        "been",
        "ever",
        "sold",
        "made",
        "took",
        "drew",
        "earned",
        "won",
        "received",
        "collected",
        "brought in",
        "produced",
        "yielded",
        "raised",
        "gave",
        "used",
        "did",
    ]
)


def event_count(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise a count of events: "how many times was Emma borrowed", "how often has she been seen"."""
    words = [node.item.words for node in nodes]
    asking = next((at for at in range(len(nodes) - 1) if _how_often(words[at : at + 2])), None)
    if asking is None:
        return None
    for at in range(asking + 2, len(nodes)):
        done = _done(nodes[at])
        if not done:
            continue
        start, end = nodes[asking].item.start, nodes[asking + 1].item.end
        count = Node(Item(start, start + 1, (Sense("ask"), Sense("count")), "how many"))
        what = Node(Item(start + 1, end, (Sense("entity", done),), model.entity[done].many or done))
        rest = (*nodes[:asking], count, what, *without(nodes[asking + 2 :], {at - asking - 2}))
        return Construction(rest, lambda meaning: meaning, words_of(nodes, {asking, asking + 1, at}), strict=True)
    return None


def most_frequent_event(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise a superlative over a count of events: "which medicine is prescribed most often"."""
    for at, node in enumerate(nodes):
        pick = node.item.name("extreme") if node.item.words.removeprefix("the ") in {"most", "least"} else ""
        after = nodes[at + 1 : at + 2]
        often = bool(after) and after[0].item.words in _OFTEN
        place = at + 1 if after and not often else at - 1
        place -= place == at - 1 and nodes[place].item.words == "the"  # "borrowed the most"
        done = _done(nodes[place]) if 0 <= place < len(nodes) else ""
        if not pick or not done or (place > at and not nodes[place].has("verb")):
            continue
        gone = {at, *range(place, at), place, *([at + 1] if often else [])}
        while min(gone) > 0 and nodes[min(gone) - 1].item.words in _LINKS - {"the"} and min(gone) - 1 > 0:
            gone.add(min(gone) - 1)

        def change(meaning: Meaning, pick: str = pick, done: str = done) -> Meaning | None:
            plain = not (meaning.count or meaning.aggregate or meaning.per or meaning.extremes or meaning.attributes)
            fits = len(meaning.entities) == 1 and done not in meaning.entities
            if not plain or not fits or not tied(model, (*meaning.entities, done)):
                return None
            return msgspec.structs.replace(meaning, per=done, pick=pick)

        return Construction(without(nodes, gone), change, words_of(nodes, gone), strict=True)
    return None


def highest_sum(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise a superlative over a sum of related rows: "which player has the most points"."""
    if not model.domain.aggregates:
        return None
    for at in range(1, len(nodes) - 1):
        amount = asked_here(model, nodes[at + 1]) or _summed(model, nodes[at + 1])
        about = model.attribute[amount] if amount else None
        if nodes[at].item.words not in COUNTED_MOST or about is None or not adds_up(about):
            continue
        named = [n.item.name("entity") or n.item.name("hint") for n in nodes[:at] if not n.values]
        named = [name for name in named if name]
        if len(named) != 1 or about.of in named or not column_of(model, amount) or not tied(model, (*named, about.of)):
            continue
        gone = {at, at + 1}
        while nodes[min(gone) - 1].item.words in _LINKS and min(gone) > 1:
            gone.add(min(gone) - 1)
        pick = "min" if "fewest" in nodes[at].item.words else "max"

        def change(meaning: Meaning, pick: str = pick, amount: str = amount) -> Meaning | None:
            plain = not (meaning.count or meaning.aggregate or meaning.per or meaning.extremes or meaning.attributes)
            if not plain or len(meaning.entities) != 1:
                return None
            return msgspec.structs.replace(
                meaning, per=model.attribute[amount].of, pick=pick, aggregate="sum", attributes=(amount,)
            )

        return Construction(without(nodes, gone), change, words_of(nodes, gone), strict=True)
    return None


def _summed(model: DomainModel, node: Node) -> str:
    """Return the only quantity that a noun is a part of the name of: the points of "points won"."""
    names = (
        {sense.name for sense in node.item.senses if sense.what in {"cue", "trailing"}}
        if not node.values
        else set[str]()
    )
    only = names.pop() if len(names) == 1 else ""
    return only if only and {"number"} <= {*model.attribute[only].accepts} and model.attribute[only].select else ""


def _how_often(words: Sequence[str]) -> bool:
    return list(words) in (["how many", "times"], ["how many", "time"], ["how", "often"], ["how", "frequently"])


def _done(node: Node) -> str:
    """Return the entity that a node's verb implies: the loans of "borrowed"."""
    return "" if node.values else node.item.name("verb")
