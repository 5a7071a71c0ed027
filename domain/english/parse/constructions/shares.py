"""Shares of a part: "what percentage of the engineers are women", "the share of women in finance".

A share is taken of all rows unless the request says of which: what stands before the verb, or what follows the noun.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Meaning
from domain.english.parse.combine_comparisons import Node, is_filler
from domain.english.parse.constructions.construction import Construction, Read, bare, narrowing

_VERBS = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "have",
        "has",
        "had",
        "earn",
        "earns",
        "make",
        "makes",
        "live",
        "lives",
        "work",
        "works",
        "hold",
        "holds",
        "got",
        "get",
        "gets",
        "who",
        "that",
        "do",
        "does",
        "did",
        "went",
        "go",
        "goes",
        "come",
        "comes",
        "came",
        "study",
        "studied",
        "graduated",
        "report",
        "reports",
    ]
)


def share_of_part(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise the rows of which a share is taken."""
    at = next((n for n, node in enumerate(nodes) if node.item.name("aggregate") == "share"), None)
    if at is None:
        return None
    first = at + 1
    while first < len(nodes) and is_filler(nodes[first]) and not nodes[first].has("entity"):
        first += 1
    verb = next((n for n in range(first + 1, len(nodes)) if _is_verb(nodes[n])), None)
    if verb is not None:
        whole = read(nodes[first:verb], ())
    elif first < len(nodes) and nodes[first].has("flag"):
        rest = nodes[first + 1 :]
        whole = read(rest, (model.flag[nodes[first].item.name("flag")].of,)) if any(_says(n) for n in rest) else None
    else:
        whole = None
    if whole is None or bare(whole) or whole.count or whole.attributes or whole.extremes:
        return None
    among = narrowing(whole)

    def change(meaning: Meaning) -> Meaning:
        alike = meaning.aggregate == "share" and meaning.entities == among.entities
        return msgspec.structs.replace(meaning, whole=among) if alike else meaning

    return Construction(tuple(nodes), change)


def _is_verb(node: Node) -> bool:
    return not node.values and not node.has("flag") and bool(_VERBS & {*node.item.words.split()[:1]})


def _says(node: Node) -> bool:
    return bool(node.values) or node.has("flag")
