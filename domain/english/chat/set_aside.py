"""The request without what is said around it: interjections, forms of address, clauses about the speaker's own life.

What is left out is of two sorts. Words of everyday life in a clause of their own are chat. A clause with words that are
neither of everyday life nor of the domain is probably chat too, but its strange words are named as unused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from domain.english.chat.personal_clauses import intention, later_clauses, leading_clause, place_clause
from domain.english.chat.phrases import address, interjection, stock_phrase
from domain.english.chat.premises import conclusion
from domain.english.chat.travellers import as_speaker, reported, with_place
from domain.english.chat.word_roles import SpokenWords, read_spoken
from domain.english.parse.tagger import Item
from domain.english.text.tokens import reworded

_ROUNDS = 6
_JOINING = frozenset(["so", "and", "but", "then", "well"])


class WithoutChat(msgspec.Struct, frozen=True):
    """A request proper, and the words set aside that nothing accounts for."""

    text: str
    strange: tuple[str, ...] = ()


def without_chat(text: str, items: Callable[[str], Sequence[Item]]) -> WithoutChat:
    """Return the request of a text; the text itself when nothing is set aside or nothing else would remain."""
    said = first = read_spoken(text, items)
    strange: list[str] = []
    for _ in range(_ROUNDS):
        if told := conclusion(said):
            strange += told.marked
            said = read_spoken(" ".join(told.words), items)
            continue
        shorter = _shortened(said, strange)
        if shorter is None or not shorter.words:
            break
        said = shorter
    said = _with_speaker(_with_place(said, items), items)
    if said.words == first.words or not any(said.content(0, len(said.words))):
        return WithoutChat(text)
    return WithoutChat(reworded(text, " ".join(said.words)), tuple(dict.fromkeys(strange)))


def _shortened(said: SpokenWords, strange: list[str]) -> SpokenWords | None:
    """Return the utterance without one more thing that is chat; None when there is none. Strange words are added to the list."""
    if len(said.words) < 2:
        return None
    if found := stock_phrase(said) or address(said):
        return said.without(*found)
    if count := interjection(said):
        joined = count + (
            said.words[count : count + 1] in (("and",), ("but",), ("so",)) and count + 1 < len(said.words)
        )
        return said.without(0, joined)
    if found := leading_clause(said):
        strange += said.strange(*found)
        return said.without(*found)
    if found := reported(said):
        return said.without(*found)
    if found := intention(said):
        return said.without(*found)
    for start, end in later_clauses(said):
        if said.names(0, start) or said.names(end, len(said.words)):
            strange += said.strange(start, end)
            return said.without(start, end)
    return None


def _with_place(said: SpokenWords, items: Callable[[str], Sequence[Item]]) -> SpokenWords:
    """Return the utterance with a place from the clause before it: "my son is stationed near Seattle can i fly there"."""
    found = place_clause(said)
    words = with_place(said, found) if found else ()
    return read_spoken(" ".join(words), items) if words else said


def _with_speaker(said: SpokenWords, items: Callable[[str], Sequence[Item]]) -> SpokenWords:
    """Return the utterance with the speaker in place of those for whom she asks."""
    for _ in range(2):
        found = as_speaker(said)
        if found is None:
            break
        start, end, words = found
        said = read_spoken(" ".join((*said.words[:start], *words, *said.words[end:])), items)
    return said
