"""People for whom a request is made, put as the speaker: "Mister Brandt needs …" as "I need …", "cost an old lady" as "cost me".

Only people whom the domain does not know: in a register of personnel a clerk is no speaker.
"""

from __future__ import annotations

from domain.english.chat.subjects import TITLES
from domain.english.chat.word_roles import SpokenWords
from domain.english.text.everyday_life import PEOPLE, word_set

_NEEDS = {
    "needs": ("i", "need"), "wants": ("i", "want"), "goes": ("i", "want", "to", "go"), "flies": ("i", "want", "to", "fly"),
    "requires": ("i", "need"), "prefers": ("i", "prefer"), "asks": ("i", "want"), "travels": ("i", "want", "to", "travel"),
    "would": ("i", "would"), "will": ("i", "will"), "wishes": ("i", "wish"), "must": ("i", "must"),
    "wanted": ("i", "want"), "needed": ("i", "need"),
}  # fmt: skip
_SERVING = word_set(
    """
    cost costs give gives giving get gets bring brings serve serves serving feed feeds fed charge charges sell sells
    show shows take takes offer offers suit suits tell send
    """
)
_ASKING = word_set(
    """
    do does did will would can could are is may must should
    """
)
_BEFORE_ASKING = word_set(
    """
    and so but then what which when where how much many meal food time price one ones
    """
)
_OPENING = word_set(
    """
    and now then ok so next also for no but hi hello please
    """
)
_ARTICLES = word_set(
    """
    the my our a an his her both all
    """
)
_DESCRIBING = word_set(
    """
    old young poor tired little elderly hungry simple retired two three four big whole busy dear
    """
)


def as_speaker(said: SpokenWords) -> tuple[int, int, tuple[str, ...]] | None:
    """Return the place of people for whom the request is made and the words to put there."""
    words = said.words
    first = 0
    while first < len(words) - 1 and words[first] in _OPENING:
        first += 1
    for at, word in enumerate(words):
        if at == first and word in TITLES and len(words) > at + 3 and (needed := _titled(said, at)):
            return needed
        end = _people(said, at) if word in _ARTICLES else 0
        if not end:
            continue
        before = words[at - 1] if at else ""
        needy = end < len(words) and words[end] in _NEEDS and words[end + 1 : end + 2] != ("to",)
        if at == first and needy and said.names(end, len(words)):
            return at, end + 1, _NEEDS[words[end]]
        if words[end : end + 2] in (("and", "i"), ("and", "me"), ("and", "myself")):
            return at, end + 2, ("we",)
        if before in _ASKING and (at < 2 or words[at - 2] in _BEFORE_ASKING) and end < len(words):
            return at, end, ("we",)
        if before in _SERVING and not said.things[at - 1]:
            return at, end, ("me",)
    return None


def _titled(said: SpokenWords, at: int) -> tuple[int, int, tuple[str, ...]] | None:
    """Return somebody with a title and a name who needs something: "mister Brandt needs", "doctor Anna Lee goes"."""
    for end in (at + 2, at + 3):
        if said.names(at, end):
            return None
        if said.words[end : end + 1] and said.words[end] in _NEEDS:
            return at, end + 1, _NEEDS[said.words[end]]
    return None


def reported(said: SpokenWords) -> tuple[int, int] | None:
    """Return the words that say whose wish follows: "she says", "my wife thinks that", "no, the boss insists on"."""
    words = said.words
    start = 0
    while start < len(words) and words[start] in {"and", "but", "oh", "no", "so", "wait", "sorry", "now", "then"}:
        start += 1
    end = _people(said, start) if words[start : start + 1] and words[start] in _ARTICLES else 0
    bare = words[start : start + 1] and words[start] in PEOPLE and not said.names(start, start + 1)
    end = end or (start + 1 if bare else 0)
    end = end or (start + 1 if words[start : start + 1] and words[start] in {"he", "she", "they"} else 0)
    if not end or end + 1 >= len(words) or words[end] not in _SAYING or said.things[end]:
        return None
    after = end + 1
    while words[after : after + 1] and words[after] in {"that", "on", "for", "me", "it", "has", "to", "be"}:
        after += 1
    return (start, after) if after < len(words) else None


_SAYING = word_set(
    """
    says said thinks thought insists insisted asks asked suggests suggested tells
    """
)


def with_place(said: SpokenWords, aside: tuple[int, int]) -> tuple[str, ...]:
    """Return the words after a clause that is set aside, with "there" as the one place that the clause names."""
    words, (start, end) = said.words, aside
    valued = [at for at in range(start, end) if said.valued(at)]
    there = next((at for at in range(end + 1, len(words)) if words[at] == "there" and words[at - 1] in _GOING), 0)
    if not valued or not there or valued[-1] - valued[0] >= len(valued) or said.timed(start, end):
        return ()
    place = words[valued[0] : valued[-1] + 1]
    return (*words[end:there], "to", *place, *words[there + 1 :])


_GOING = word_set(
    """
    fly go get travel flies goes gets going flying getting drive come ride direct run runs
    """
)


def _people(said: SpokenWords, at: int) -> int:
    """Return where a noun phrase for people whom the domain does not know ends: "an old lady", "my mother in law"."""
    end = at + 1
    while end < len(said.words) and said.words[end] in _DESCRIBING | _ARTICLES:
        end += 1
    if (
        end >= len(said.words)
        or said.words[end] not in PEOPLE
        or said.things[end]
        or said.kinds[end]
        or said.entities[end]
    ):
        return 0
    end += 1
    return end + 2 if said.words[end : end + 2] == ("in", "law") else end
