"""Readings of a request, and the answer of the engine that contains them."""

from __future__ import annotations

import msgspec

from domain.english.model.meaning import Meaning


class Clues(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The clues of a reading, 1 where one holds or a count of at most three. The same structure holds the weights.

    `unused`: words without a role. `idle`: words of the domain that had no effect. `fillers`: words that the domain ignores.
    `length`: words, in tens. `alternatives`: "either … or else". `several`: one attribute with several values. `twice`: an
    attribute constrained twice. `denied`, `superlative`, `computed` (counts and the like), `attributes`: the meaning contains
    these. `headless`: the request names no entity. `close`: a value nearly attached to another attribute. `guessed`: values
    without a cue. `open_time`: a comparison of times without a half of the day. `bare_hour`: a time without one.
    `relative_day`: "tomorrow". `namesake`: a name with several referents. `misspelt`: a word taken for another. `far`:
    conditions on other entities than the requested ones. `joined`: several entities requested. `implied`: conditions that
    follow from another one. `periods`: parts of the day. `dated`: a day. `unrestricted`: no restriction. `short`: four words
    or fewer. `carried`: content taken over from earlier requests. `later`: number of earlier requests. `pointing`: a
    referring expression from which nothing was taken over. `empty`: the answer has no rows.
    """

    unused: float = 0
    idle: float = 0
    fillers: float = 0
    length: float = 0
    alternatives: float = 0
    several: float = 0
    twice: float = 0
    denied: float = 0
    superlative: float = 0
    computed: float = 0
    attributes: float = 0
    headless: float = 0
    close: float = 0
    guessed: float = 0
    open_time: float = 0
    bare_hour: float = 0
    relative_day: float = 0
    namesake: float = 0
    misspelt: float = 0
    far: float = 0
    joined: float = 0
    implied: float = 0
    periods: float = 0
    dated: float = 0
    unrestricted: float = 0
    short: float = 0
    carried: float = 0
    later: float = 0
    pointing: float = 0
    empty: float = 0


class Reading(msgspec.Struct, frozen=True):
    """A reading of a request. `minimal_columns` are the columns of `sql` that make up the minimal answer; the others identify
    rows on a screen. `unused` are words without a role, `carried` what was taken over from earlier requests, `undecided` a
    time that could be in either half of the day; `principles` are ids. `confidence` is the probability (0 to 1) that the
    reading is right, and `if_empty` the same if its answer has no rows, estimated from its `clues`. `apart` says how a
    further reading differs from the first: another "form" of the same, another "half" of the day, another "attribute" of a
    value, the other "end" of a connection, the "whole" of which one was selected, or the request "alone", without context.
    `doubt` says what speaks against a reading that is withheld."""

    sql: str
    paraphrase: str
    confidence: float
    unused: tuple[str, ...]
    minimal_columns: tuple[str, ...]
    principles: tuple[str, ...]
    meaning: Meaning
    carried: str = ""
    undecided: str = ""
    apart: str = ""
    if_empty: float = 0.0
    clues: Clues = Clues()
    doubt: str = ""


class Answered(msgspec.Struct, frozen=True):
    """The readings of a request, the likeliest first, and none when it was not understood; with a clarification question when
    the request leaves something necessary open. Without a reading, `unused` tells the wizard which words prevented one and
    `reason` what else did. `withheld` are readings too doubtful to be taken without looking, each with its `doubt`."""

    readings: tuple[Reading, ...] = ()
    clarification: str | None = None
    unused: tuple[str, ...] = ()
    reason: str = ""
    withheld: tuple[Reading, ...] = ()

    def with_unused(self, words: tuple[str, ...]) -> Answered:
        """Return the answer with further unused words, which mark every reading."""
        if not words:
            return self
        readings, withheld = (
            tuple(msgspec.structs.replace(r, unused=tuple(dict.fromkeys((*r.unused, *words)))) for r in group)
            for group in (self.readings, self.withheld)
        )
        unused = tuple(dict.fromkeys((*self.unused, *words)))
        return msgspec.structs.replace(self, readings=readings, withheld=withheld, unused=unused)
