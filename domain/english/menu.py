"""Menu-guided typing: after every word, offers only continuations that lead to an executable request.

TI's NLParse (1989) let users build English sentences from menus, so that nobody got stuck for not knowing the schema. This
menu is built from the same domain folder as free English, and the engine itself tests every phrase before it is offered: an
entity, then conditions, each of which the engine must read as exactly that condition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import msgspec

from domain.english.engine import Engine
from domain.english.model.meaning import Meaning

_EXAMPLES = {
    "number": ("100",), "money": ("$100",), "code": ("100",), "clock": ("9 am", "5:30 pm"),
    "weekday": ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    "date": ("june 3", "june 3 1991"), "year": ("1980",),
}  # fmt: skip
_SHAPES = {
    "number": r"\d+", "money": r"\$ ?\d+", "code": r"\d+", "clock": r"\d{1,2}(:\d\d)? ?(am|pm)|noon",
    "weekday": "|".join(_EXAMPLES["weekday"]), "year": r"(19|20)\d\d",
    "date": r"(january|february|march|april|may|june|july|august|september|october|november|december) \d{1,2}"
            r"( (19|20)\d\d)?",
}  # fmt: skip
_COMPARED = {
    "clock": ("before", "after", "around"), "money": ("under", "over"), "number": ("under", "over"),
    "date": ("before", "after"), "year": ("before", "after"),
}  # fmt: skip
_COUNTED = "how many"


class Choice(msgspec.Struct, frozen=True):
    """A menu entry: the text it adds and its kind (entity, word, value or example)."""

    text: str
    kind: str


class Offer(msgspec.Struct, frozen=True):
    """The words that may follow the typed text, and whether that text is already a complete request."""

    choices: tuple[Choice, ...]
    complete: bool


class _Slot(msgspec.Struct, frozen=True):
    """A condition that can apply to an entity: the cue before the value, and the kind of value."""

    cue: str
    kind: str


class _State(msgspec.Struct, frozen=True):
    """A state of the sentence: its entity, the slots used, and the slot whose value comes next."""

    entity: str = ""
    used: frozenset[str] = frozenset()
    due: _Slot | None = None


class Menu:
    """The menu of one engine. The offers for an entity are tested when it is first reached."""

    def __init__(self, engine: Engine, values_shown: int = 40) -> None:
        self._engine = engine
        self._shown = values_shown
        self._by_kind: dict[str, list[str]] = {}
        for words, named in engine.names.items():
            for entry in named:
                self._by_kind.setdefault(entry.kind, []).append(" ".join(words))
        self._known: Mapping[str, frozenset[str]] = {k: frozenset(v) for k, v in self._by_kind.items()}
        self._slots = lru_cache(maxsize=None)(self._tried_slots)
        self._words = lru_cache(maxsize=None)(self._tried_words)

    def after(self, typed: str) -> Offer:
        """Return the words that may follow `typed`, whose last word may be incomplete."""
        text = re.sub(r"\s+", " ", typed.lower()).lstrip()
        offers: dict[Choice, None] = {}
        complete = False
        for state, rest in self._walk(_State(), text):
            complete = complete or (not rest.strip() and bool(state.entity) and state.due is None)
            for choice in self._choices(state, rest):
                if choice.text.startswith(rest) and choice.text != rest.strip():
                    offers[choice] = None
        return Offer(tuple(offers), complete)

    def _walk(self, state: _State, text: str) -> Iterator[tuple[_State, str]]:
        """Yield every state that the text can lead to, with the remaining text to complete."""
        yield state, text
        for spoken, after in self._steps(state, text):
            rest = text[len(spoken) :]
            if rest == "" or rest.startswith(" "):
                yield from self._walk(after, rest.lstrip() if rest.strip() or rest == " " else rest)

    def _steps(self, state: _State, text: str) -> Iterator[tuple[str, _State]]:
        """Yield the complete entries that the text begins with, and the states they lead to."""
        if not state.entity:
            for phrase, entity in self._entities():
                if text.startswith(phrase):
                    yield phrase, _State(entity)
            return
        if state.due is not None:
            for spoken in self._values_said(state.due.kind, text):
                yield spoken, _State(state.entity, state.used | {state.due.cue + state.due.kind})
            return
        for slot in self._open(state):
            if text.startswith(slot.cue):
                yield slot.cue, _State(state.entity, state.used, slot)
        for word in self._words(state.entity):
            if word not in state.used and text.startswith(word):
                yield word, _State(state.entity, state.used | {word})

    def _choices(self, state: _State, begun: str) -> Iterator[Choice]:
        if not state.entity:
            yield from (Choice(phrase, "entity") for phrase, _ in self._entities())
        elif state.due is not None:
            yield from self._values_offered(state.due.kind, begun)
        else:
            yield from (Choice(cue, "word") for cue in dict.fromkeys(s.cue for s in self._open(state)))
            yield from (Choice(word, "word") for word in self._words(state.entity) if word not in state.used)

    def _open(self, state: _State) -> Iterator[_Slot]:
        return (s for s in self._slots(state.entity) if s.cue + s.kind not in state.used)

    def _entities(self) -> Iterator[tuple[str, str]]:
        for name, entity in self._engine.model.entity.items():
            phrase = entity.many or (entity.words[0] if entity.words else "")
            if phrase and self._meaning(phrase, name):
                yield phrase, name
                yield f"{_COUNTED} {phrase}", name

    def _values_said(self, kind: str, text: str) -> Iterator[str]:
        if kind in _SHAPES:
            found = re.match(_SHAPES[kind], text)
            if found:
                yield found.group()
            return
        words = text.split(" ")
        for size in range(len(words), 0, -1):
            if " ".join(words[:size]) in self._known.get(kind, ()):
                yield " ".join(words[:size])

    def _values_offered(self, kind: str, begun: str) -> Iterator[Choice]:
        if kind in _EXAMPLES:
            yield from (Choice(text, "example") for text in _EXAMPLES[kind])
            return
        names = sorted(name for name in self._by_kind.get(kind, []) if name.startswith(begun))
        yield from (Choice(name, "value") for name in names[: self._shown])

    # testing phrases

    def _meaning(self, text: str, entity: str) -> Meaning | None:
        """Return the engine's meaning of a phrase if it is about the entity and uses every word, else None."""
        readings = self._engine.ask(text).readings
        if not readings or readings[0].unused or entity not in readings[0].meaning.entities:
            return None
        return readings[0].meaning

    def _tried_slots(self, entity: str) -> tuple[_Slot, ...]:
        """Return the conditions that the engine understands for this entity."""
        found: dict[_Slot, None] = {}
        asked = self._engine.model.entity[entity].many or entity
        for name, attribute in self._engine.model.attribute.items():
            related = self._engine.model.entity[entity].related
            if not attribute.menu:
                continue
            if attribute.of != entity and (related is None or attribute.of not in related):
                continue
            for kind, path in attribute.accepts.items():
                for cue in self._cues(attribute.cues, kind):
                    if path != "-" and self._is_understood(asked, entity, name, cue, kind):
                        found[_Slot(cue, kind)] = None
                        if kind not in _COMPARED:
                            break
        return tuple(found)

    def _cues(self, cues: Sequence[str], kind: str) -> Iterator[str]:
        """Yield the cues to test before a value, the plainest first."""
        for op in _COMPARED.get(kind, ()):
            yield from (f"{cue} {op}" for cue in cues[:1])
            yield op
        if kind not in _COMPARED:
            yield from (*cues[:4], "on", "in", "with")

    def _is_understood(self, asked: str, entity: str, attribute: str, cue: str, kind: str) -> bool:
        samples = _EXAMPLES.get(kind) or tuple(sorted(self._by_kind.get(kind, ())))
        for sample in samples[:: max(1, len(samples) // 3)][:3]:
            meaning = self._meaning(f"{asked} {cue} {sample}", entity)
            if meaning is None or attribute not in {c.attribute for c in meaning.conditions}:
                return False
            if len({c.attribute for c in meaning.conditions} - self._followers(attribute)) != 1:
                return False
        return bool(samples)

    def _followers(self, attribute: str) -> set[str]:
        return {name for name, a in self._engine.model.attribute.items() if a.follows == attribute}

    def _tried_words(self, entity: str) -> tuple[str, ...]:
        """Return the words for flags, which take no value."""
        asked = self._engine.model.entity[entity].many or entity
        found = []
        for name, flag in self._engine.model.flag.items():
            meaning = self._meaning(f"{asked} {flag.words[0]}", entity)
            if meaning and any(name in f.flags for f in meaning.flags):
                found.append(flag.words[0])
        return tuple(found)
