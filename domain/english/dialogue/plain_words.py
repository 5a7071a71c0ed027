"""Requests in plain words: without preambles, and in the wording and vocabulary of the domain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import msgspec

from domain.english.chat.introduced_people import put_name
from domain.english.chat.set_aside import WithoutChat, without_chat
from domain.english.dialogue.references import EarlierTurn
from domain.english.dialogue.undoing import without_step
from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Meaning
from domain.english.parse.tagger import Item
from domain.english.wording.change_wordings import plain_change
from domain.english.wording.event_wordings import EventWordings
from domain.english.wording.preambles import without_preamble
from domain.english.wording.question_words import QuestionWords
from domain.english.wording.short_speech import plain_turn
from domain.english.wording.spoken_wordings import reorder_speech
from domain.english.wording.wordings import reword_plainly

_KEPT = 200
_NAMING = ("value", "flag", "superlative", "hint", "entity", "asked", "swap")


class PlainWords:
    """Rewrites the requests of one domain in plain words. Recent results are cached, since every request of a dialogue needs
    the earlier ones again. `items` returns the items of a text; `reword` rewords what a request says of superiors."""

    def __init__(
        self, model: DomainModel, items: Callable[[str], Sequence[Item]], reword: Callable[[str], str]
    ) -> None:
        self._items, self._reword = items, reword
        self.questions = QuestionWords(model)
        self._events = EventWordings(model)
        self._people = {name for name, kind in model.kind.items() if any(" " in pair for pair in kind.names)}
        self.of = lru_cache(_KEPT)(self._made)
        self._request = lru_cache(_KEPT)(self._without_chat)

    def of_turn(self, turn: EarlierTurn) -> EarlierTurn:
        """Return the turn with its request in plain words; unchanged when it was answered by hand, since then only the rows
        count."""
        return turn if turn.by_hand else msgspec.structs.replace(turn, text=self.of(turn.text))

    def of_those(self, text: str, before: Meaning) -> str:
        """Return the request with what its question words ask of the previous result."""
        return self._events.of_those(self.questions.of_those(text, before), before)

    def set_aside(self, text: str) -> tuple[str, ...]:
        """Return the words of a request that were left out as probable chat although nothing accounts for them."""
        return self._request(text).strange

    def _made(self, text: str) -> str:
        asked = self._request(text).text
        asked = plain_change(plain_turn(reorder_speech(without_step(without_preamble(asked, self._tells_of)))))
        return self.questions.put(self._reword(reword_plainly(self._events.plainer(asked))))

    def _without_chat(self, text: str) -> WithoutChat:
        return without_chat(put_name(text, self._names_person), self._items)

    def _names_person(self, words: str) -> bool:
        """Return whether words are the name of a person in the database, all of them."""
        items = self._items(words)
        return len(items) == 1 and any(s.value and s.value.kind in self._people for s in items[0].all("value"))

    def _tells_of(self, words: str) -> bool:
        """Return whether words name anything of the domain."""
        return any(item.has(what) for item in self._items(words) for what in _NAMING)
