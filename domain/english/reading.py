"""Readings of a request, and what the front end tells beside them."""

from __future__ import annotations

import msgspec

from domain.english.model.meaning import Meaning


class Clues(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One number each: 1 where it holds, or how many of them, at most three. The same shape holds the weights.

    `unused`: words without a part. `idle`: words of the domain that led nowhere. `fillers`: words that the domain passes over.
    `length`: words, in tens. `alternatives`: "either … or else". `several`: one attribute, several values. `twice`: an
    attribute said twice. `denied`, `superlative`, `computed` (counts and the like), `attributes`: what the meaning has of
    these. `headless`: nothing is named to ask for. `close`: a value could as well have gone elsewhere. `guessed`: values
    that no word leads to. `open_time`: a comparison of times without a half of the day. `bare_hour`: a time without one.
    `relative_day`: "tomorrow". `namesake`: a name of several things. `misspelt`: a word taken for another. `far`: conditions on
    what is not asked for. `joined`: several things asked for. `implied`: conditions that another one brings. `periods`: parts of
    the day. `dated`: a day. `unrestricted`: nothing narrows it. `short`: four words or fewer. `carried`: taken over from
    earlier requests. `later`: requests before it. `pointing`: a word for something said before, of which nothing was taken
    over. `empty`: no row came of it."""

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
    """A way to understand a request. `minimal_columns` are those columns of `sql` that the minimal answer consists of;
    the others identify rows on a screen. `unused` are words that had no part in it, `carried` what was taken over
    from earlier requests, `undecided` the time of which both halves of the day are possible; `principles` are cited by id.
    `confidence` is how often such a reading is right (0 to 1), `if_empty` where it brings no row, by its `clues`; `apart` says by
    what a further reading differs from the first: another "form" of the same, "half" of the day, "attribute" of a value, or
    the request "alone", without the ones before."""

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


class Answered(msgspec.Struct, frozen=True):
    """All readings of a request, the likeliest first, none when it was not understood; and, when the request leaves
    something necessary open, the question that a system would ask. `unused` tells a wizard which words stood in the
    way where there is no reading, `reason` what else did."""

    readings: tuple[Reading, ...] = ()
    clarification: str | None = None
    unused: tuple[str, ...] = ()
    reason: str = ""
