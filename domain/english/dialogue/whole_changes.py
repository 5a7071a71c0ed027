"""Requests that only change the previous one: lift, exchange, correct or complement its parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from domain.english.dialogue.between_requests import between
from domain.english.dialogue.neighbours import next_in_order
from domain.english.dialogue.proportions import share_of_those
from domain.english.dialogue.replacing import (
    allowing,
    bounded_by,
    differing,
    exchanged,
    flags_of,
    let_go,
    mended,
    with_another,
)
from domain.english.dialogue.widening import (
    allowed,
    computed,
    dropped,
    in_order,
    lets_go,
    lifted,
    of_all,
    shown_again,
    without,
)
from domain.english.dialogue.wordings import put_right
from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Meaning
from domain.english.parse.tagger import Item
from domain.english.text.tokens import read_words, words_of


@dataclass(frozen=True)
class Changes:
    """Applies such changes in one domain; `nouns` maps a noun to the attributes it refers to, `items` returns the items of a
    text."""

    model: DomainModel
    nouns: Mapping[str, frozenset[str]]
    items: Callable[[str], Sequence[Item]]

    def made(self, text: str, earlier: Sequence[Meaning], mends: bool = False) -> Meaning | None:
        """Return the meaning that results from a request that only changes earlier ones; None when it says anything else."""
        plain, before = words_of(read_words(text)), earlier[-1]
        if right := self._put_right(before, plain):
            return right
        wider = without(before, lifts) if (lifts := lifted(plain, self.nouns)) else None
        if wider or ((noun := lets_go(plain)) and (wider := without(before, (), flags_of(self.model, noun)))):
            return wider
        if others := differing(plain, self.nouns):
            return with_another(before, others)
        if what := dropped(plain):
            return let_go(self.model, before, self.items(what))
        if (also := allowed(plain))[0] and (found := allowing(self.model, before, self.items(also[0]), also[1])):
            return found
        if in_order(plain):
            return before
        if further := next_in_order(before, plain):
            return further
        if made := between(plain, earlier) or of_all(before, plain) or bounded_by(self.model, before, plain):
            return made
        if (
            changed := share_of_those(earlier, plain)
            or computed(before, plain)
            or shown_again(self.model, before, plain)
        ):
            return changed
        return self._each(before, lambda meaning: self._exchanged(meaning, self.items(text), mends))

    def _exchanged(self, meaning: Meaning, items: Sequence[Item], mends: bool) -> Meaning | None:
        return exchanged(self.model, meaning, items) or mended(self.model, meaning, items, mends)

    def _each(self, before: Meaning, change: Callable[[Meaning], Meaning | None]) -> Meaning | None:
        """Return the earlier meaning with the change applied to it or to the meaning nested in it."""
        if changed := change(before):
            return changed
        inner = change(before.inside) if before.inside else None
        return msgspec.structs.replace(before, inside=inner) if inner else None

    def _put_right(self, before: Meaning, plain: str) -> Meaning | None:
        """Return the meaning with a denied value replaced: "not five, make it four"."""
        old, new = put_right(plain)
        if not old:
            return None
        instead = self.items(f"{new} instead of {old}")
        return self._each(
            before, lambda m: self._exchanged(m, instead, False) or self._exchanged(m, self.items(new), True)
        )

    def told(self, plain: str) -> bool:
        """Return whether a request lifts, drops or exchanges a part of the previous one."""
        lifts = lifted(plain, self.nouns) or lets_go(plain) or differing(plain, self.nouns)
        return bool(lifts or dropped(plain))
