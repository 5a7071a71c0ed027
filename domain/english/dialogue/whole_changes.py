"""Requests that only change the previous one: lift, exchange, correct or complement its parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from domain.english.dialogue.between_requests import combine_requests
from domain.english.dialogue.neighbours import take_next_rank
from domain.english.dialogue.proportions import share_of_those
from domain.english.dialogue.replacing import (
    allow_value,
    attributes_to_vary,
    bound_by_last_value,
    drop_named,
    exchange_values,
    exclude_values,
    flags_of,
    replace_last_value,
)
from domain.english.dialogue.reversals import affirm, replace_group_bound
from domain.english.dialogue.undoing import undo_last_change, undoes
from domain.english.dialogue.widening import (
    aggregate_amounts,
    allowed_words,
    dropped_words,
    lifted_attributes,
    list_rows,
    noun_of_lifted_flag,
    only_reorders,
    widen_place,
    widen_to_all,
    without_restrictions,
)
from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Meaning
from domain.english.parse.tagger import Item
from domain.english.text.tokens import read_words, words_of
from domain.english.wording.wordings import denial_and_replacement


@dataclass(frozen=True)
class Changes:
    """Applies such changes in one domain; `nouns` maps a noun to the attributes it refers to, `items` returns the items of a
    text, `free` what a plain text frees of earlier requests."""

    model: DomainModel
    nouns: Mapping[str, frozenset[str]]
    items: Callable[[str], Sequence[Item]]
    free: Callable[[str, Sequence[Meaning]], Meaning | None]

    def apply(self, text: str, earlier: Sequence[Meaning], mends: bool = False) -> Meaning | None:
        """Return the meaning that results from a request that only changes earlier ones; None when it says anything else."""
        plain, before = words_of(read_words(text)), earlier[-1]
        if right := self._put_right(before, plain) or undo_last_change(self.model, plain, earlier, self.items):
            return right
        if freed := self.free(plain, earlier):
            return freed
        wider = without_restrictions(before, lifts) if (lifts := lifted_attributes(plain, self.nouns)) else None
        if wider or (
            (noun := noun_of_lifted_flag(plain))
            and (wider := without_restrictions(before, (), flags_of(self.model, noun)))
        ):
            return wider
        if others := attributes_to_vary(plain, self.nouns):
            return exclude_values(before, others)
        if what := dropped_words(plain):
            return drop_named(self.model, before, self.items(what))
        if (also := allowed_words(plain))[0] and (
            found := allow_value(self.model, before, self.items(also[0]), also[1])
        ):
            return found
        if only_reorders(plain):
            return before
        if turned := affirm(before, plain) or replace_group_bound(before, self.items(text), mends):
            return turned
        if further := take_next_rank(before, plain):
            return further
        if (
            made := combine_requests(plain, earlier)
            or widen_to_all(before, plain)
            or widen_place(self.model, before, plain)
            or bound_by_last_value(self.model, before, plain)
        ):
            return made
        if (
            changed := share_of_those(earlier, plain)
            or aggregate_amounts(before, plain)
            or list_rows(self.model, before, plain)
        ):
            return changed
        return self._each(before, lambda meaning: self._exchanged(meaning, self.items(text), mends))

    def _exchanged(self, meaning: Meaning, items: Sequence[Item], mends: bool) -> Meaning | None:
        return exchange_values(self.model, meaning, items) or replace_last_value(self.model, meaning, items, mends)

    def _each(self, before: Meaning, change: Callable[[Meaning], Meaning | None]) -> Meaning | None:
        """Return the earlier meaning with the change applied to it or to the meaning nested in it."""
        if changed := change(before):
            return changed
        inner = change(before.inside) if before.inside else None
        return msgspec.structs.replace(before, inside=inner) if inner else None

    def _put_right(self, before: Meaning, plain: str) -> Meaning | None:
        """Return the meaning with a denied value replaced: "not five, make it four"."""
        old, new = denial_and_replacement(plain)
        if not old:
            return None
        instead = self.items(f"{new} instead of {old}")
        return self._each(
            before, lambda m: self._exchanged(m, instead, False) or self._exchanged(m, self.items(new), True)
        )

    def changes_previous(self, plain: str) -> bool:
        """Return whether a request lifts, drops or exchanges a part of the previous one."""
        lifts = (
            lifted_attributes(plain, self.nouns) or noun_of_lifted_flag(plain) or attributes_to_vary(plain, self.nouns)
        )
        return bool(lifts or dropped_words(plain) or undoes(plain))
