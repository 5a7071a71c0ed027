"""The list that a reference counts in: not always the last answer.

"The first of these" after the cheapest of six is one of the six, "the third one you showed at first" of the first list, "how long
is that trip" of the trips, although their vehicles were asked for since.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from domain.english.dialogue.earlier import Earlier
from domain.english.dialogue.references import EarlierTurn, points_by_number, shown_entity
from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Meaning
from domain.english.text.numbers import ORDINAL_WORDS, quantity
from domain.english.text.tokens import read_words, words_of

_FIRST_LIST = re.compile(
    r" (?:(?:that |which )?(?:you|we|i) (?:showed|gave|had|read|listed|saw|mentioned|got|told)(?: me| us)?(?: (?:at first|first"
    r"|at the start|at the beginning|in the beginning|to begin with|originally|initially))|(?:in|on|of|from) (?:the|that|your|my)"
    r" (?:first|original|initial|very first) (?:list|answer|lot|batch|set|bunch)|at the very beginning|from the beginning)\b"
)
_SEVERAL = re.compile(
    r"\b(?:of|among|out of|from|between) (?:all )?(?:of )?(?:them|these|those)\b(?! who| that| in\b| with)"
    r"|\b(?:those|these|the) (?:two|2)\b"
)
_TWO = re.compile(
    r"(?<!either )(?<!both )\b(?:of|between|out of|among|from) (?:the|those|these|them) (?:two|2|pair)(?: of them)?\b"
)
_RECENT = 4
WHICH_TWO = "no answer of two rows was shown, so which two are meant is not known"
_NTH = {word: number for number, word in enumerate(ORDINAL_WORDS[:10], 1) if number > 1}
_COUNTED = re.compile(
    rf"\b(?:the )?(?P<nth>{'|'.join(_NTH)})(?: (?:one|of (?:them|these|those))\b|$)|\bnumber (?P<number>[a-z0-9]+)$"
)

Known = Callable[[Sequence[EarlierTurn]], Earlier]


def lacks_two(text: str, turns: Sequence[EarlierTurn]) -> bool:
    """Return whether a request chooses one of two although no recent answer was of two rows: who is meant is not known."""
    recent = [turn for turn in turns[-_RECENT:] if turn.rows]
    plain = words_of(read_words(text))
    return bool(recent) and _TWO.search(plain) is not None and not any(len({*turn.rows}) == 2 for turn in recent)


class ListMeant:
    """Finds the turn whose rows a request means. `known` returns the meanings of a dialogue's turns."""

    def __init__(self, model: DomainModel, known: Known) -> None:
        self._model, self._known = model, known

    def counted(self, text: str, turns: Sequence[EarlierTurn]) -> tuple[str, int]:
        """Return a request that counts rows, without the words that only say in which list, and the number of turns up to that
        list."""
        plain = words_of(read_words(text))
        if found := _FIRST_LIST.search(plain):
            lists = [n for n in range(1, len(turns) + 1) if self._listed(turns[:n])]
            return plain[: found.start()] + plain[found.end() :], lists[0] if lists else len(turns)
        if not points_by_number(text):
            return text, self._with_rows(plain, turns, len(turns))
        return text, self._of_noun(plain, turns, self._with_rows(plain, turns, self._past_single_rows(turns)))

    def several(self, text: str, turns: Sequence[EarlierTurn]) -> int:
        """Return the number of turns up to the list of which "which of them" asks: all, unless the last selected one row."""
        plain, at = words_of(read_words(text)), len(turns)
        if not turns or not _SEVERAL.search(plain):
            return at
        while at > 1 and self._selects_one(turns[:at]) and self._same_things(turns[:at]):
            at -= 1
        return at if len(turns[at - 1].rows) != 1 or self._counts(turns[:at]) else len(turns)

    def _past_single_rows(self, turns: Sequence[EarlierTurn]) -> int:
        """Return the number of turns before questions about one row by its number."""
        at = len(turns)
        while at > 1:
            latest = self._known(turns[:at]).latest
            if not (latest and latest.rows and not latest.rows.by_hand and len(latest.rows.keys) == 1):
                break
            at -= 1
        return at

    def _with_rows(self, plain: str, turns: Sequence[EarlierTurn], at: int) -> int:
        """Return the number of turns up to a list that has as many rows as the reference counts."""
        needed = 2 if _SEVERAL.search(plain) else 0
        if found := _COUNTED.search(plain):
            told = quantity([found["number"]], 0) if found["number"] else None
            needed = max(needed, int(told[0]) if told else _NTH.get(found["nth"] or "", 0))
        back = at
        while back > 1 and 0 < len(turns[back - 1].rows) < needed and turns[back - 1].whole:
            back -= 1
        return back if len(turns[back - 1].rows) >= needed else at

    def _of_noun(self, plain: str, turns: Sequence[EarlierTurn], at: int) -> int:
        """Return the number of turns up to the last list of what the request names: "the last one, how long is that trip"."""
        said = {*re.findall(r"\b(?:that|this|the same) ([a-z]+)\b", plain)}
        named = [n for n, e in self._model.entity.items() if said & {*e.words} and not e.where]
        if len(named) != 1:
            return at
        for back in range(at, 0, -1):
            latest = self._known(turns[:back]).latest
            if latest and shown_entity(self._model, turns[back - 1], latest) == named[0]:
                return back
        return at

    def _listed(self, turns: Sequence[EarlierTurn]) -> bool:
        latest = self._known(turns).latest
        return bool(latest and shown_entity(self._model, turns[-1], latest) and len(turns[-1].rows) > 1)

    def _selects_one(self, turns: Sequence[EarlierTurn]) -> bool:
        """Return whether the last turn showed one row of those before it."""
        latest = self._known(turns).latest
        if latest is None or len(turns[-1].rows) != 1 or not turns[-1].whole:
            return False
        picked = latest.extremes or (latest.rows and len(latest.rows.keys) == 1) or _selected_within(latest)
        return bool(picked) and not latest.count

    def _same_things(self, turns: Sequence[EarlierTurn]) -> bool:
        """Return whether the turn before was about the same things."""
        latest, before = self._known(turns).latest, self._known(turns[:-1]).latest
        if latest is None or before is None:
            return False
        whole = {*before.entities, *([before.inside.entities[0]] if before.inside else [])}
        return bool({*latest.entities, *([latest.inside.entities[0]] if latest.inside else [])} & whole)

    def _counts(self, turns: Sequence[EarlierTurn]) -> bool:
        latest = self._known(turns).latest
        return bool(latest and latest.count)


def _selected_within(meaning: Meaning) -> bool:
    return bool(meaning.inside and meaning.inside.extremes)
