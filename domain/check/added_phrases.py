"""Lines of `domain.toml` with one more phrase: what a word would mean as an entity, a cue, a flag …, and a number beside it."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

import msgspec

from domain.english.model.domain import Attribute, DomainModel, Entity
from domain.english.parse.combine_comparisons import Node, is_filler
from domain.english.parse.value_kinds import accepted

_replace = msgspec.structs.replace
_GRAMMAR = ("and", "or", "not", "ask", "wish", "compare", "count")
_NUMERIC = frozenset({"number", "money"})


class AddedPhrase(msgspec.Struct, frozen=True):
    """A phrase added to a list of `domain.toml`, and the resulting domain."""

    phrase: str
    key: tuple[str, ...]
    model: DomainModel


def changes(model: DomainModel, said: str) -> Iterator[AddedPhrase]:
    """Yield the domains in which a phrase has one more sense: an entity, an attribute, a cue, a flag or a filler."""
    for name, entity in model.entity.items():
        longer: Entity = _replace(entity, words=(*entity.words, said))
        yield AddedPhrase(said, ("entity", name, "words"), _replace(model, entity={**model.entity, name: longer}))
    for name, attribute in model.attribute.items():
        for field in ("words", "cues"):
            if field == "cues" or attribute.select:
                yield _attribute_with(model, name, field, said)
    for name, flag in model.flag.items():
        known = _replace(flag, words=(*flag.words, said))
        yield AddedPhrase(said, ("flag", name, "words"), _replace(model, flag={**model.flag, name: known}))
    yield AddedPhrase(said, ("fillers",), _replace(model, fillers=(*model.fillers, said)))


def changes_beside(
    model: DomainModel, nodes: Sequence[Node], at: int, entities: Container[str]
) -> Iterator[AddedPhrase]:
    """Yield the domains in which the word after a number, or that before it, tells which number of these entities it is."""
    kinds = {v.kind for v in nodes[at].values} & _NUMERIC
    beside = [("trailing", n) for n in nodes[at + 1 : at + 2]] + [("cues", n) for n in nodes[max(0, at - 1) : at]]
    for field, node in beside:
        if node.values or (field == "cues" and is_filler(node)) or any(node.has(what) for what in _GRAMMAR):
            continue
        for name, attribute in model.attribute.items():
            if attribute.of in entities and kinds & {*accepted(attribute)}:
                yield _attribute_with(model, name, field, node.item.words)


def _attribute_with(model: DomainModel, name: str, field: str, said: str) -> AddedPhrase:
    attribute = model.attribute[name]
    more: Attribute = _replace(attribute, **{field: (*getattr(attribute, field), said)})
    return AddedPhrase(said, ("attribute", name, field), _replace(model, attribute={**model.attribute, name: more}))
