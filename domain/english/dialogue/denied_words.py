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

_REPORTED = (
    r"(?:(?:the |my |our |his |her )?[a-z]+ (?:says|said|tells me|told me|reckons|insists|thinks|wants|keeps saying)"
    r"(?: (?:that|it is|it has to be|it must be|it should be|they want|he wants|she wants|to make it|i want))*)"
)
_LEAD = (
    r"(?:(?:no|nope|sorry|wait|oh|actually|hang on|hold on|excuse me|my mistake|my bad|correction|hm|ok|well|but|and|so|please"
    r"|i mean|i meant|i said|i want|i need|i wanted|i would like|it is|it was|that is|that was|it should be|it should have been"
    rf"|that should be|make it|make that|it has to be|it must be|we want|we need|we said|apologies|pardon me|{_REPORTED}) )*"
)
_MEANT = (
    r"(?:i mean|i meant|i should have said|i should say|i wanted to say|i meant to say|i wanted|i want|i need|i was after|sorry"
    r"|of course|that is|rather|actually|please|mind you|and|it is)"
)
_TAIL = r"(?: (?:sorry|please|then|of course|though|actually|i mean|thanks|my mistake|my bad|apologies|at all))*"
_GIVEN_FIRST = re.compile(
    rf"^{_LEAD}(?P<new>[a-z0-9$:' ]{{1,40}}?)(?: {_MEANT})* (?:not|instead of|rather than|in place of|never)"
    rf" (?P<old>[a-z0-9$:' ]{{1,40}}?)"
    rf"{_TAIL}$"
)
_SAID = (
    r"(?:i said|did i say|i asked for|i asked about|i wrote|i may have said|i must have said|when i said|by|we said)"
)
_WANTED = (
    r"(?:(?:but|and|sorry|oh|so|iam|no|rather|well|really|actually|of course|instead|what) )*"
    r"(?:i (?:really |actually |just )?(?:mean|meant|need|want|wanted|needed|should have said|meant to say|was thinking of|would"
    r" like)|make (?:it|that)|it is|it should be|it should have been|that should be|but|rather)"
)
_DENIED_FIRST = re.compile(
    rf"^{_LEAD}(?:{_SAID} (?P<old>[a-z0-9$:' ]{{1,40}}?) {_WANTED}"
    rf"|(?:not|instead of|rather than) (?P<denied>[a-z0-9$:' ]{{1,40}}?) {_WANTED}) (?P<new>[a-z0-9$:' ]{{1,40}}?){_TAIL}$"
)
_TWO = re.compile(rf"^{_LEAD}not (?P<both>[a-z0-9$:' ]{{3,60}}?){_TAIL}$")
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

Alike = Callable[[str, str], bool]
"""Whether two wordings name things of one sort, so that one can stand for the other."""
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
    turns: Sequence[EarlierTurn], alike: Alike, meant: Callable[[Sequence[EarlierTurn]], Meaning | None]
) -> list[EarlierTurn]:
    """Return the turns, each that denies a word of the one before it with that put right. The last takes the place of the one
    before it; others only follow it, as what `meant` finds that they mean in its place, since later turns can return to it."""
    done: list[EarlierTurn] = []
    for at, turn in enumerate(turns):
        found = None if turn.by_hand or not done else _denial(words_of(read_words(turn.text)), done[-1], alike)
        if found is None:
            done.append(turn)
            continue
        right = msgspec.structs.replace(turn, text=found)
        if done[-1].by_hand:
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


def _denial(plain: str, before: EarlierTurn, alike: Alike) -> str | None:
    """Return the request that a denial amounts to: the one before with the new word or, after one answered by hand, the new
    word as a correction."""
    said = words_of(read_words(before.text))
    for new, old, certain in _denied(plain):
        if (
            not new
            or not _ARTICLES.sub("", f"{_PREPOSITION.sub('', f'{old} ')} ").strip()
            or _ASKING.search(new)
            or _ASKING.search(old)
        ):
            continue
        found = _put(said, old, new)
        same = certain or alike(new, old) or (found and alike(f"{new} {found[1]}", f"{old} {found[1]}"))
        if found and same and not before.by_hand:
            return found[0]
        if before.by_hand and same and (found or before.meaning is not None):
            return f"no i mean {new}"
    return None


def _denied(plain: str) -> list[tuple[str, str, bool]]:
    """Return the pairs of a new word and a denied one that a request can consist of, and whether it can only be such a pair."""
    found = [(m["new"], m["old"], False) for m in (_GIVEN_FIRST.match(plain),) if m]
    found += [(m["new"], m["old"] or m["denied"], True) for m in (_DENIED_FIRST.match(plain),) if m]
    if both := _TWO.match(plain):
        words = both["both"].split()
        places = (at for at in range(len(words) - 1, 0, -1) if words[at - 1] not in _LEADING_ON)
        found += [(" ".join(words[at:]), " ".join(words[:at]), False) for at in places]
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
