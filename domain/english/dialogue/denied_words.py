"""Turns that deny a word of the turn before and give another: "three hundred, not four", "doctors I meant, not nurses".

Such a turn is the one before with that word replaced: it is read in the context of what came before both. Of a turn that was
answered by hand only the meaning is known, so the new word is read as a correction of that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import msgspec

from domain.english.dialogue.references import EarlierTurn
from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Meaning
from domain.english.paraphrase import conditions_said
from domain.english.parse.tagger import Item, Sense
from domain.english.reading import Reading
from domain.english.text.tokens import read_words, words_of


def _any_of(phrases: str) -> str:
    """Return the alternation of phrases, separated by bars or lines."""
    return (
        "(?:"
        + "|".join(phrase.strip() for line in phrases.split("\n") for phrase in line.split("|") if phrase.strip())
        + ")"
    )


_WORDS = r"[a-z0-9$:' ]{1,40}?"
_REPORTS = _any_of("says|said|tells me|told me|reckons|insists|thinks|wants|keeps saying")
_IT_IS = _any_of(
    "that|it is|it has to be|it must be|it should be|they want|he wants|she wants|to make it|i want|it was|that is|that was"
)
_REPORTED = rf"(?:(?:the |my |our |his |her )?[a-z]+ {_REPORTS}(?: {_IT_IS})*)"
_OPENING = _any_of(
    f"""
    no|nope|sorry|wait|oh|actually|hang on|hold on|excuse me|my mistake|my bad|correction|hm|ok|well|but|and|so|please
    i mean|i meant|i said|i want|i need|i wanted|i would like|i misspoke|slip of the tongue|old habits|silly me|it is|it was
    that is|that was|it should be|it should have been|that should be|make it|make that|it has to be|it must be|we want|we need
    we said|apologies|pardon me|i beg your pardon|{_REPORTED}
    """
)
_LEAD = rf"(?:{_OPENING} )*"
_MEANT = _any_of(
    """
    i mean|i meant|i should have said|i should say|i wanted to say|i meant to say|i wanted|i want|i need|i was after|sorry
    of course|that is|rather|actually|please|mind you|and|it is
    """
)
_CLOSING = _any_of(
    """
    sorry|please|then|of course|though|actually|i mean|thanks|my mistake|my bad|apologies|at all|it is|that is|silly me|my fault
    that was a slip|slip of the tongue|i always [a-z ]+|i keep [a-z ]+|i kept [a-z ]+
    i mixed [a-z]+ up|same [a-z]+
    """
)
_TAIL = rf"(?: {_CLOSING})*"
_SAID = _any_of(
    "i said|did i say|i asked for|i asked about|i wrote|i may have said|i must have said|when i said|by|we said|i told you"
)
_WISHED = _any_of(
    "mean|meant|need|want|wanted|needed|should have said|meant to say|was thinking of|would like|would prefer"
) + (r"|would rather(?: have| it was| it were| it be)?")
_FILLED = _any_of("but|and|sorry|oh|so|iam|no|rather|well|really|actually|of course|instead|what")
_WANTED = (
    rf"(?:{_FILLED} )*(?:i (?:really |actually |just )?(?:{_WISHED})|make (?:it|that)|it is|it should be|it should have been"
    r"|that should be|but|rather)"
)
_DENYING = r"(?:not|forget|scratch|strike|drop|skip|cancel|never mind|instead of|rather than)(?: about)?"
_SLIPPED = (
    _any_of(
        """
    what am i saying|what was i saying|what was i thinking|listen to me|i mean|i meant|should be|should have been|was a slip
    was wrong|was my mistake|i wanted to say|is wrong|is not it|is not right
    """
    )
    + r"(?: (?:it is|it should be|i mean|i meant|make it|sorry))*"
)
_GIVEN_FIRST = re.compile(
    rf"^{_LEAD}(?P<new>{_WORDS})(?: {_MEANT})* (?:not|instead of|rather than|in place of|never) (?P<old>{_WORDS}){_TAIL}$"
)
_DENIED_FIRST = re.compile(
    rf"^{_LEAD}(?:{_SAID} (?P<old>{_WORDS}) {_WANTED}|{_DENYING} (?P<denied>{_WORDS}) {_WANTED}|(?P<slip>{_WORDS}) {_SLIPPED})"
    rf" (?P<new>{_WORDS}){_TAIL}$"
)
_TWO = re.compile(rf"^{_LEAD}{_DENYING} (?P<both>[a-z0-9$:' ]{{3,60}}?){_TAIL}$")
_ONLY_OPENS = re.compile(_LEAD)
_PREPOSITION = re.compile(r"^(?:(?:for|on|at|in|from|to|by|with|under|over|before|after|until|around|below|above) )+")
_ARTICLES = re.compile(r"^(?:(?:the|a|an|those|these|that|any) )+")
_LEADING_ON = frozenset(
    ["the", "a", "an", "for", "on", "at", "in", "from", "to", "by", "with", "under", "over", "before", "after"]
)
_NUMBER_END = re.compile(r"^(?:hundred|thousand|percent|dollars|k)$")
_ASKING = re.compile(
    r"\b(?:which|what|who|whose|how|when|where|show|list|give|tell|find|that|are|is|do|does|did|have|has|them|ones|only|just"
    r"|can|could)\b"
)

_CORRECTS, _CHANGES = "no i mean", "make it"
_COLUMN = re.compile(r"\b[a-z_]\w*\.\w+")
_NUMERIC = frozenset({"number", "money", "digits", "clock", "maybe clock", "year", "years", "ordinal"})
_DAYS = frozenset({"weekday", "date"})


@dataclass(frozen=True)
class Sorts:
    """Compares what wordings name in one domain. `items` returns the items of a text."""

    model: DomainModel
    items: Callable[[str], Sequence[Item]]

    def alike(self, one: str, other: str) -> bool:
        """Return whether two wordings name things of one sort."""
        return bool(self._sorts(one) & self._sorts(other))

    def halves(self, words: str) -> list[tuple[str, str]]:
        """Return the ways to part words in two between things that they name, the latest first."""
        said = words.split()
        ends = {item.end for item in self.items(words)} - {len(said)}
        return [
            (" ".join(said[:at]), " ".join(said[at:]))
            for at in sorted(ends, reverse=True)
            if said[at - 1] not in _LEADING_ON
        ]

    def _sorts(self, words: str) -> set[str]:
        return {sort for item in self.items(words) for sense in item.senses for sort in self._of(sense)}

    def _of(self, sense: Sense) -> Iterator[str]:
        if sense.value:
            kind = sense.value.kind
            yield "number" if kind in _NUMERIC else "day" if kind in _DAYS else kind
        elif sense.what == "flag":
            tests = self.model.flag[sense.name].where
            yield self.model.flag[sense.name].group or " ".join(
                sorted(c for test in tests for c in _COLUMN.findall(test))
            )
        elif sense.what in {"superlative", "extreme"}:
            yield "superlative"
        elif sense.what in {"entity", "aggregate", "asked", "unknown"}:
            yield sense.what


def put_denied_right(
    turns: Sequence[EarlierTurn], sorts: Sorts, meant: Callable[[Sequence[EarlierTurn]], Meaning | None]
) -> list[EarlierTurn]:
    """Return the turns, each that denies a word of the one before it with that put right. The last takes the place of the one
    before it; others only follow it, as what `meant` finds that they mean in its place, since later turns can return to it."""
    done: list[EarlierTurn] = []
    for at, turn in enumerate(turns):
        found = None if turn.by_hand or not done else _denial(words_of(read_words(turn.text)), done, sorts)
        if found is None:
            done.append(turn)
            continue
        right = msgspec.structs.replace(turn, text=found)
        if done[-1].by_hand or found.startswith((_CORRECTS, _CHANGES)):
            done.append(right)
            continue
        meaning = meant([*done[:-1], right]) if at < len(turns) - 1 else None
        done[-1:] = [done[-1], msgspec.structs.replace(right, meaning=meaning)] if meaning else [right]
    return done


def say_what_stays(model: DomainModel, readings: Sequence[Reading], before: Meaning | None) -> tuple[Reading, ...]:
    """Return the readings of such a turn with what they hold of the turn before said first."""
    done = []
    for reading in readings:
        meaning = reading.meaning
        stays = Meaning(meaning.entities)
        if before and not reading.carried:
            conditions = tuple(c for c in meaning.conditions if c in before.conditions)
            flags = tuple(f for f in meaning.flags if f in before.flags)
            stays = msgspec.structs.replace(stays, conditions=conditions, flags=flags)
        told = conditions_said(model, stays)
        said = f"(from before: {told}) {reading.paraphrase}" if told else reading.paraphrase
        done.append(msgspec.structs.replace(reading, paraphrase=said, carried=reading.carried or told))
    return tuple(done)


def _denial(plain: str, turns: Sequence[EarlierTurn], sorts: Sorts) -> str | None:
    """Return the request that a denial amounts to: the one before with the new word or, after one answered by hand or of a
    word said longer ago, the new word as a correction."""
    before = turns[-1]
    said = words_of(read_words(before.text))
    for new, old, certain in _denied(plain, sorts):
        denies = _ARTICLES.sub("", f"{_PREPOSITION.sub('', f'{old} ')} ").strip()
        if not new or not denies or _ONLY_OPENS.fullmatch(f"{denies} ") or _ASKING.search(new) or _ASKING.search(old):
            continue
        found = _put(said, old, new)
        same = certain or sorts.alike(new, old) or (found and sorts.alike(f"{new} {found[1]}", f"{old} {found[1]}"))
        if found and same and not before.by_hand:
            return found[0]
        if before.by_hand and same and found:
            return f"{_CORRECTS} {new}"
        if same and any(_put(words_of(read_words(turn.text)), old, new) for turn in turns[:-1]):
            return f"{_CHANGES} {new}"
    return None


def _denied(plain: str, sorts: Sorts) -> list[tuple[str, str, bool]]:
    """Return the pairs of a new word and a denied one that a request can consist of, and whether it can only be such a pair."""
    found = [(m["new"], m["old"], False) for m in (_GIVEN_FIRST.match(plain),) if m]
    found += [(m["new"], m["old"] or m["denied"] or m["slip"], True) for m in (_DENIED_FIRST.match(plain),) if m]
    if both := _TWO.match(plain):
        found += [(new, old, False) for old, new in sorts.halves(both["both"])]
    return found


def _put(said: str, old: str, new: str) -> tuple[str, str] | None:
    """Return the earlier request with the new words in place of the old, and the word after them; None where the old ones are
    not in it."""
    old, new = _ARTICLES.sub("", old), _ARTICLES.sub("", new)
    if not _PREPOSITION.match(new):
        old = _ARTICLES.sub("", _PREPOSITION.sub("", old))
    words = said.split()
    for denied in dict.fromkeys((old, _ARTICLES.sub("", _PREPOSITION.sub("", old)))):
        places = [n for n in range(len(words)) if _starts(words[n:], denied.split())]
        if not places or not denied:
            continue
        start, end = places[-1], places[-1] + len(denied.split())
        put = new.split()
        if put[-1:] == words[end : end + 1]:
            end += 1  # "three hundred, not four" of "four hundred"
        elif _NUMBER_END.match(words[end - 1]) and not _NUMBER_END.match(put[-1]) and end - start > 1:
            put.append(words[end - 1])
        if _PREPOSITION.match(new) and start and not _PREPOSITION.match(f"{words[start]} "):
            back = start - (words[start - 1] in {"the", "a", "an"})
            start = back - 1 if back and _PREPOSITION.match(f"{words[back - 1]} ") else start
        return " ".join((*words[:start], *put, *words[end:])), " ".join(words[end : end + 1])
    return None


def _starts(words: Sequence[str], denied: Sequence[str]) -> bool:
    here = words[: len(denied)]
    return len(here) == len(denied) and all(
        a.removesuffix("s") == b.removesuffix("s") for a, b in zip(here, denied, strict=True)
    )
