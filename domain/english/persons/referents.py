"""People to whom a request refers by a pronoun or as "that lady", found by gender among those named or shown last.

"His salary" after "who is her boss" is the boss's, if the boss is a man and the other is not. A person whose name was not said,
because only the answer showed the row, is called by the key: "employee 1011".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from domain.english.dialogue.references import EarlierTurn
from domain.english.model.domain import DomainModel, Literal
from domain.english.model.path_names import spelt
from domain.english.parse.tagger import Item

_LOOK_BACK = 6
_FEMALE = r"she|her|hers|herself"
_MALE = r"he|him|his|himself"
_THAT = r"(?:that|this|the same|that same)"
_LADY = rf"{_THAT} (?:lady|woman|girl|gal)"
_GENTLEMAN = rf"{_THAT} (?:gentleman|man|guy|fellow|chap|bloke)"
_REFERRING = re.compile(
    rf"\b(?:(?P<female>{_FEMALE}|{_LADY})|(?P<male>{_MALE}|{_GENTLEMAN}))(?P<rest>['’]s)?\b(?P<next>\s+[a-z]+)?",
    re.IGNORECASE,
)
_NO_NOUN = re.compile(
    r"(?:and|or|but|in|on|at|to|from|with|by|for|since|before|after|when|then|please|too|now|instead|as|than|is"
    r"|was|does|did|do"
    r"|have|has|earn|earns|make|makes|live|lives|work|works|directly|there|here|right|currently|today|again|if"
    r"|who|that|get|gets"
    r"|right now|under|over|employee|anyway|actually|exactly|only)$"
)
_OF_THAT_NAME = re.compile(
    r"\b(?:named|called|other|another|else|every[a-z]*|which|whose name|all the)\b", re.IGNORECASE
)
_EITHER = re.compile(r"\b(?:(?:he|she|him|his|her)(?: or |/)(?:he|she|him|his|her))\b", re.IGNORECASE)


def refers_to_person(text: str) -> bool:
    """Return whether a request refers to a person by a pronoun, or as a man or a woman."""
    return _REFERRING.search(text) is not None


class Referent(msgspec.Struct, frozen=True):
    """A person in the database, and how a request can name them."""

    column: str
    key: Literal
    say: str


class Referents:
    """Finds the people that requests refer to. `items` tags a text; `genders` maps key column and key to "f" or "m"."""

    def __init__(
        self,
        model: DomainModel,
        items: Callable[[str], Sequence[Item]],
        genders: Mapping[tuple[str, Literal], str],
    ) -> None:
        self._items, self._genders = items, genders
        self._kinds = {
            name: kind.column for name, kind in model.kind.items() if any(" " in pair for pair in kind.names)
        }
        keys = {*self._kinds.values()}
        self._called = {e.key[0]: e.one or name for name, e in model.entity.items() if {*e.key} <= keys and e.key}

    def resolve(self, text: str, turns: Sequence[EarlierTurn]) -> tuple[str, str]:
        """Return the request with each reference replaced by the person, and their names; the text itself and nothing unless
        all its references are found."""
        if not self._called or not _REFERRING.search(text) or _EITHER.search(text):
            return text, ""
        known, said = _by_name([*self._mentioned(turns)]), list[str]()
        own = [*self._named(text)]

        def replaced(found: re.Match[str]) -> str:
            gender = "f" if found["female"] else "m"
            word = (found["female"] or found["male"]).lower()
            fitting = [p for p in (*own, *known) if self._genders.get((p.column, p.key), gender) == gender]
            if not fitting:
                return found.group()
            # "does she earn more than that lady": the one who was spoken of, and the one who was shown
            name = fitting[0].say
            if len({p.key for p in fitting}) > 1 and not own and _two(text, gender) and " " not in word:
                name = next(p.say for p in fitting if p.key != fitting[0].key)
            said.append(name)
            after = found["next"] or ""
            follows = bool(after) and not _NO_NOUN.match(after.strip().lower())
            owns = word == "his" or (word == "her" and follows) or (" " in word and bool(found["rest"]) and follows)
            if word in {"himself", "herself"}:
                return after.strip()
            return (f"{name}'s" if owns or word == "hers" else f"{name} is" if found["rest"] else name) + after

        made = _REFERRING.sub(replaced, text)
        return (" ".join(made.split()), ", ".join(dict.fromkeys(said))) if said and not own else (text, "")

    def in_full(self, text: str, turns: Sequence[EarlierTurn]) -> str:
        """Return the request with a surname as the full name of the only person of that name whom earlier requests named."""
        if _OF_THAT_NAME.search(text):
            return text
        for item in self._items(text):
            values = [s.value for s in item.all("value") if s.value]
            if " " in item.words or not values or any(v.kind in self._kinds for v in values):
                continue
            named = {r.say for turn in turns[-_LOOK_BACK:] for r in self._named(turn.text)}
            fitting = [say for say in named if say.lower().split()[-1] == item.words.removesuffix("'s")]
            if len(fitting) == 1 and len(fitting[0].split()) > 1:
                words = re.escape(item.words)
                return re.sub(
                    rf"(?<=\b(?:of|mr|ms) )(?<!other ){words}\b|^{words}\b", fitting[0].lower(), text, count=1
                )
        return text

    def _mentioned(self, turns: Sequence[EarlierTurn]) -> Iterator[Referent]:
        """Yield the people of earlier turns, the latest first: those shown alone, then those named."""
        for turn in reversed(turns[-_LOOK_BACK:]):
            yield from self._shown(turn)
            yield from reversed([*self._named(turn.text)])

    def _named(self, text: str) -> Iterator[Referent]:
        for item in self._items(text):
            values = [s.value for s in item.all("value") if s.value and s.value.kind in self._kinds]
            if len({v.data for v in values}) == 1:
                yield Referent(self._kinds[values[0].kind], values[0].data[0], values[0].say)

    def _shown(self, turn: EarlierTurn) -> Iterator[Referent]:
        """Yield the people of the only row of an answer, the one that was asked for first."""
        rows = {*turn.rows}
        if len(rows) != 1 or not turn.whole:
            return
        row = rows.pop()
        for place, name in enumerate(turn.columns):
            for column, called in self._called.items():
                key = spelt(column.rpartition(".")[2]).lower()
                if row[place] is not None and re.fullmatch(rf"(?:[a-z_]+_)?{re.escape(key)}", name.lower()):
                    value = row[place]
                    assert value is not None
                    yield Referent(column, value, f"{called} {value}")


def _by_name(people: Sequence[Referent]) -> list[Referent]:
    """Return the people, each called by name where one was said."""
    names = {p.key: p.say for p in people if not p.say[-1:].isdigit()}
    return [msgspec.structs.replace(p, say=names.get(p.key, p.say)) for p in people]


def _two(text: str, gender: str) -> bool:
    """Return whether a request refers to two people of one gender by different means: a pronoun and "that lady"."""
    pronoun, noun = (_FEMALE, _LADY) if gender == "f" else (_MALE, _GENTLEMAN)
    return bool(re.search(rf"\b(?:{pronoun})\b", text, re.IGNORECASE)) and bool(
        re.search(rf"\b{noun}\b", text, re.IGNORECASE)
    )
