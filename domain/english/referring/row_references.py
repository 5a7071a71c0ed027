"""Requests about rows of an answer: "the second one", what was asked of the first again of the second, "the other one"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

import msgspec

from domain.english.dialogue.neighbours import replace_next_row
from domain.english.dialogue.openings import Opening
from domain.english.dialogue.references import (
    EarlierTurn,
    find_reference,
    means_other_end,
    resolve_reference,
    shown_entity,
)
from domain.english.dialogue.value_changes import names_day
from domain.english.model.domain import DomainModel, tied
from domain.english.model.meaning import AnswerRows, Meaning
from domain.english.parse.parser import Parsed
from domain.english.referring.asked_again import of_rows
from domain.english.referring.lists_meant import Known, ListMeant
from domain.english.text.tokens import read_words, words_of

_AGAIN = re.compile(
    r"(?:(?:and|or|so|now|then|what about|how about|same for|the same for|what of|also) )*(?:it|them)(?: then| please)*"
)
Parse = Callable[[str, Meaning | None], Parsed | None]


class RowReferences:
    """Reads requests about rows shown in one domain. `parsed` parses a request with a meaning before it; `near` returns how many
    joins lie between two tables."""

    def __init__(self, model: DomainModel, parsed: Parse, known: Known, near: Callable[[str, str], int]) -> None:
        self._model, self._parsed, self._near = model, parsed, near
        self._known = known
        self.lists = ListMeant(model, known)

    def read(self, opening: Opening, turns: Sequence[EarlierTurn], last: Meaning | None) -> tuple[Parsed, str] | None:
        """Return the request about rows of an answer, and the words that refer to them; without rows when these cannot be
        determined, None when it refers to none, as an ordinal that corrects a date."""
        if opening.mends and names_day(opening.text, last):
            return None
        text, at = self.lists.counted(opening.text, turns)
        found = self._read_at(text, turns[:at], last)
        if found is None or found[0].meaning.rows is None or found[0].meaning.rows.entity in found[0].meaning.entities:
            return found
        nearer = self._nearer_list(found[0].meaning, turns[:at])
        return (self._read_at(text, turns[:nearer], last) or found) if nearer else found

    def in_other_lists(
        self, text: str, turns: Sequence[EarlierTurn], taken: AnswerRows
    ) -> Iterator[tuple[Parsed, AnswerRows]]:
        """Yield the request about the rows at the same places of a list shown before: "the third one" also of the first list."""
        for end in range(len(turns) - 1, 0, -1):
            last = self._known(turns[:end]).latest
            found = self._read_at(text, turns[:end], last) if len(turns[end - 1].rows) > 1 and last else None
            rows = pointed_rows(found)
            if found and rows and (rows.entity, rows.keys) != (taken.entity, taken.keys):
                yield found[0], rows
                return

    def _read_at(self, text: str, turns: Sequence[EarlierTurn], last: Meaning | None) -> tuple[Parsed, str] | None:
        turn, before = turns[-1], self._known(turns).latest
        entity = shown_entity(self._model, turn, before) or (
            before.entities[0] if before else self._model.domain.entity
        )
        text = replace_next_row(self._model, text, turn, entity, last)
        reference = find_reference(self._model, words_of(read_words(text)), entity)
        if reference is None or means_other_end(reference, turn, before):
            return None
        rows = resolve_reference(self._model, turn, entity, reference) if turn.rows else None
        if (
            reference.first is None
            and rows is None
            and before
            and (only := self._of_only_one(reference.text, turn, before))
        ):
            return only, reference.words
        if reference.first is None and rows is None and (not turn.rows or (before and before.extremes)):
            return None
        if rows and last and _AGAIN.fullmatch(reference.text) and (again := of_rows(self._model, last, rows)):
            return Parsed(again, (), 0.9, headless=True), reference.words
        parsed = self._parsed(reference.text, Meaning((entity,)))
        if parsed is None or rows is None or not tied(self._model, (*parsed.meaning.entities, entity)):
            return Parsed(Meaning((entity,)), (reference.words,), 0.0), reference.words
        meaning = msgspec.structs.replace(parsed.meaning, rows=rows)
        sure = parsed.confidence if parsed.unused else 0.9
        return msgspec.structs.replace(parsed, meaning=meaning, confidence=sure), reference.words

    def _of_only_one(self, text: str, turn: EarlierTurn, before: Meaning) -> Parsed | None:
        """Return what is asked of the only row that was counted: "what is that one's name"."""
        cells = {cell for row in turn.rows for cell in row}
        if not before.count or cells != {1} or before.per or before.by or before.rows or len(before.entities) != 1:
            return None
        parsed = self._parsed(text, msgspec.structs.replace(before, count=False))
        now = parsed.meaning if parsed else None
        if parsed is None or now is None or parsed.unused or parsed.refused or not (now.attributes or now.entities):
            return None
        if not tied(self._model, (*now.entities, *before.entities)):
            return None
        inner = msgspec.structs.replace(before, count=False, attributes=(), named=False)
        return msgspec.structs.replace(parsed, meaning=msgspec.structs.replace(now, inside=inner), confidence=0.9)

    def _nearer_list(self, meaning: Meaning, turns: Sequence[EarlierTurn]) -> int:
        """Return the number of turns up to a list that what is asked belongs to more closely than to the rows shown last: a price
        to one of the books, not to one of the languages that were asked of them. Zero when there is none."""
        shown, asked = meaning.rows.entity if meaning.rows else "", meaning.entities[0]
        if len(turns) < 2 or not shown:
            return 0
        before = self._known(turns[:-1]).latest
        listed = shown_entity(self._model, turns[-2], before) if before else ""
        if not listed or listed == shown or len(turns[-2].rows) < 2:
            return 0
        here, there, wanted = (self._model.entity[name].table for name in (shown, listed, asked))
        closer = asked == listed or self._near(there, wanted) < self._near(here, wanted)
        return len(turns) - 1 if closer else 0


def pointed_rows(found: tuple[Parsed, str] | None) -> AnswerRows | None:
    """Return the rows of a reference, where they are known."""
    return found[0].meaning.rows if found else None
