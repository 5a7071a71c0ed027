"""References to rows of an answer on the subject's screen: "the second one", "the last two", "that book".

A reference resolves to the keys of the rows. When these are unknown — nothing was shown, the row was not shown, or the
columns lack the key — it does not resolve, and the request is not answered rather than misread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec

from domain.english.dialogue.openings import split_request
from domain.english.model.domain import DomainModel, Literal
from domain.english.model.meaning import AnswerRows, Meaning
from domain.english.model.path_names import spelt
from domain.english.text.function_words import EXTREMES
from domain.english.text.numbers import NUMBER_WORDS, ORDINAL_WORDS, ordinal, quantity
from session.values.answers import EarlierRequest, Table

MOST_ROWS = 200
"""Most rows that are named by their keys; more would make an unreadable statement."""

_NTH = "|".join([*ORDINAL_WORDS, *(f"{n}{e}" for n in range(1, 31) for e in ("st", "nd", "rd", "th")), "last"])
_MANY = "|".join([*sorted(NUMBER_WORDS), *map(str, range(2, 20))])
_END_ONE = re.compile(r"\bthe (?:very )?(?P<end>first|last) one\b", re.IGNORECASE)
_OF_THEM = r"of (?:those|these|them)"
_SELECTED = re.compile(rf"[a-z](?: one| {_OF_THEM})\b")
_BY_NUMBER = re.compile(rf"\b(?:{_NTH}|next|previous|one after|one before|other one)\b|\bnumber (?:{_MANY})\b")
_COUNTED = re.compile(rf"\b(?:(?P<nth>{_NTH})|(?!one\b)(?:{_MANY}))\b")

# A request has only small letters and figures; capital ones mark what a domain or a list of words defines, letter by letter, so
# that the patterns of references are the same for all entities and need not be compiled when one is first referred to.
_NOUN, _ENDS = "T", {"first": "F", "last": "L"}
_ORDINAL = "(?:N+|F+|L+)"
_SEVERAL = re.compile(
    rf"\b(?:the )?(?P<end>F+|L+) (?P<many>M+|one) (?:ones|{_OF_THEM}|T+)\b"
    r"|^the (?P<end2>F+|L+) (?P<many2>M+|one)$"
)
_TWO = re.compile(
    rf"\bthe (?P<nth>{_ORDINAL})(?: one)?(?: and| or|,) (?:the )?(?P<other>{_ORDINAL})(?: ones?| {_OF_THEM}| T+)?\b"
)
_ASKED_OF = re.compile(
    r"^(?:(?:and|so) )*(?:what|how|which|is|are|does|do|when|where)\b.* (?:of|on|for|about|with) the (?P<nth>N+)$"
)
_ONE = re.compile(
    rf"\b(?:the )?(?P<nth>{_ORDINAL}) (?:one|{_OF_THEM})\b(?! of the (?:day|week|month|year|morning|afternoon|evening))"
    r"|\bthe (?P<nth2>N+) T+\b|\bnumber (?P<number>M+|one|1)$"
    r"|^(?:and |what about |how about )?the (?P<nth3>N+|F+)$"
)
_THAT_ONE = re.compile(r"\b(?:that|this)(?: (?:same|particular))? (?:one|T+)\b(?! (?:is|are|leave|arrive))")
_ENTITIES = 500
"""Entities whose nouns are kept as a pattern."""


class EarlierTurn(msgspec.Struct, frozen=True):
    """An earlier request of the dialogue and the answer that the subject saw. `whole` says that the rows are complete,
    `by_hand` that they were requested in SQL, so that the text does not describe them. `meaning` is set when it is known from
    elsewhere than the text."""

    text: str
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Literal | None, ...], ...] = ()
    whole: bool = True
    by_hand: bool = False
    meaning: Meaning | None = None


def turn_of(earlier: EarlierRequest) -> EarlierTurn:
    """Return an earlier request in the engine's form; a cell that is no plain value becomes None, since it cannot be a
    key."""
    shown = earlier.shown or Table((), ())
    rows = tuple(tuple(v if isinstance(v, str | int | float) else None for v in row) for row in shown.rows)
    return EarlierTurn(earlier.text, shown.columns, rows, not shown.more, earlier.by_hand)


def split_turns(turns: Sequence[EarlierTurn]) -> list[EarlierTurn]:
    """Return the turns with combined requests split in two; the answer belongs to the second."""
    done = []
    for turn in turns:
        if turn.by_hand:  # only its rows count
            done.append(turn)
            continue
        *first, last = split_request(turn.text)
        done += [EarlierTurn(text) for text in first]
        done.append(msgspec.structs.replace(turn, text=last))
    return done


class Reference(msgspec.Struct, frozen=True):
    """A reference to rows: the request with "it" in place of the reference, the row number (negative from the end; None for
    the only row), the number of rows, and the words."""

    text: str
    first: int | None
    count: int
    words: str


def find_reference(model: DomainModel, plain: str, entity: str) -> Reference | None:
    """Return the reference to rows of `entity` in a request, or None."""
    marked = _marked(model, plain, entity)

    def said(found: re.Match[str], *groups: str) -> str:
        """Return the words of the first of these groups that took part."""
        group = next((group for group in groups if found[group]), 0)
        return plain[found.start(group) : found.end(group)]

    if found := _SEVERAL.search(marked):
        many = _number(said(found, "many", "many2"))
        last = said(found, "end", "end2") == "last"
        return Reference(_put(plain, found, "them"), -many if last else 1, many, said(found))
    if (found := _TWO.search(marked)) and _number(said(found, "other")) == _number(said(found, "nth")) + 1:
        return Reference(_put(plain, found, "them"), _number(said(found, "nth")), 2, said(found))
    if found := _ASKED_OF.match(marked):
        start = found.start("nth") - len("the ")
        return Reference(f"{plain[:start]}it", _number(said(found, "nth")), 1, f"the {said(found, 'nth')}")
    if found := _ONE.search(marked):
        nth = said(found, "nth", "nth2", "nth3", "number")
        words = said(found).removeprefix("and ").removeprefix("what about ").removeprefix("how about ")
        return Reference(_put(plain, found, "it"), -1 if nth == "last" else _number(nth), 1, words)
    if found := _THAT_ONE.search(marked):
        return None if said(found).endswith("s") else Reference(_put(plain, found, "it"), None, 1, said(found))
    return None


def _marked(model: DomainModel, plain: str, entity: str) -> str:
    """Return a request with each letter of a noun for the entity, an ordinal or a number replaced by its mark."""
    marked = _nouns(model.entity[entity].words).sub(lambda noun: _NOUN * len(noun.group()), plain)
    return _COUNTED.sub(lambda word: (_ENDS.get(word.group()) or _mark_of(word)) * len(word.group()), marked)


def _mark_of(word: re.Match[str]) -> str:
    return "N" if word["nth"] else "M"


@lru_cache(_ENTITIES)
def _nouns(words: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of the nouns for an entity, the longer ones first."""
    nouns = "|".join(sorted(map(re.escape, words), key=len, reverse=True)) or "row"
    return re.compile(rf"\b(?:{nouns})\b")


def points_by_number(text: str) -> bool:
    """Return whether a request refers to rows by number: "the fourth one", "number two"."""
    return _BY_NUMBER.search(text.lower()) is not None


def means_other_end(reference: Reference, turn: EarlierTurn, before: Meaning | None) -> bool:
    """Return whether "the first one" or "the last one" means another row than the shown one, after a superlative or a
    count."""
    ends = reference.first in {1, -1} and reference.count == 1
    return bool(ends and before and (before.extremes or before.count) and len(turn.rows) < 2)


def read_as_end_of_all(text: str, before: Meaning) -> str:
    """Return the request with "the first one" read as the first of all, after a superlative or a count."""
    return _END_ONE.sub(r"the \g<end>", text) if before.extremes or before.count else text


def split_superlative(model: DomainModel, plain: str) -> tuple[str, str] | None:
    """Return the superlative that selects from the previous result, and the question about it: "the oldest one" and "when was
    it hired" of "when was the oldest one hired"; None when there is no question about it."""
    if not _SELECTED.search(plain):
        return None
    known = {
        *(w for s in model.superlative.values() for w in s.words),
        *(w for g in EXTREMES.values() for w in g.split("|")),
    }
    words = "|".join(sorted(map(re.escape, known), key=len, reverse=True))
    found = re.search(rf"\b(?:the )?(?P<most>{words})(?: one| {_OF_THEM})\b", plain)
    return (f"the {found['most']} one", _put(plain, found, "it")) if found else None


_NO_TRAIT = (
    r"(?:only|other|same|next|previous|last|first|second|third|fourth|fifth|one|ones|two|best|whole|rest|of|and|or|is|are|to|what"
    r"|which|who|in|on|at|for|number|total|average|most|least|more|less|lowest|highest|earliest|latest|cheapest|name|names)"
)


def split_described(model: DomainModel, plain: str, before: Meaning) -> Iterator[tuple[str, str]]:
    """Yield the words that may single out a part of the previous result by a trait, and the question about it: "the delta one"
    and "how much is it" of "how much is the delta one"."""
    things = "|".join(sorted(map(re.escape, model.entity[before.entities[0]].words), key=len, reverse=True)) or "one"
    ways = [rf"\b(?:the|that) (?:(?!{_NO_TRAIT}\b)[a-z0-9]+ ){{1,3}}?(?:one|{things})(?<!s)\b"]
    ways += [rf"\bthe one (?:in|on|from|at|with|by)(?: (?!{_NO_TRAIT}\b)[a-z0-9]+){{{n}}}(?= |$)" for n in range(1, 4)]
    for way in ways:
        found = re.search(way, plain)
        if found and found.group() != plain:
            yield found.group().removeprefix("the one "), _put(plain, found, "it")


def _put(plain: str, found: re.Match[str], word: str) -> str:
    return plain[: found.start()] + word + plain[found.end() :]


def _number(word: str) -> int:
    found = ordinal([word], 0) or quantity([word], 0)
    return int(found[0]) if found else 0


def shown_entity(model: DomainModel, turn: EarlierTurn, meaning: Meaning | None) -> str:
    """Return the entity of the rows shown: the requested one or, for a statement by hand, the one whose key columns come
    first."""
    if meaning is not None and (not turn.by_hand or turn.meaning is not None):
        return meaning.entities[0] if _places(model, meaning.entities[0], turn) else ""
    leading = [n for n, e in model.entity.items() if (p := _places(model, n, turn)) and [*p] == [*range(len(e.key))]]
    whole = [n for n in leading if not model.entity[n].where]
    return whole[0] if len(whole) == 1 else ""


def resolve_reference(model: DomainModel, turn: EarlierTurn, entity: str, reference: Reference) -> AnswerRows | None:
    """Return the rows that a reference resolves to; None when they are not certain."""
    keys = _keys(model, turn, entity)
    first, total = reference.first, len(keys)
    if not keys or first == 0 or (first is None and (total != 1 or not turn.whole)):
        return None
    if first is not None and (abs(first) + (reference.count - 1 if first > 0 else 0) > total):
        return None
    if first is not None and first < 0 and not turn.whole:
        return None
    start = 0 if first is None else first - 1 if first > 0 else total + first
    chosen = keys[start : start + reference.count]
    if any(None in key for key in chosen):
        return None
    named = ", ".join(" ".join(map(str, key)) for key in chosen)
    return AnswerRows(entity, chosen, f"{reference.words} ({named}) of the answer before")  # type: ignore[arg-type]


def rows_by_hand(model: DomainModel, turn: EarlierTurn) -> AnswerRows:
    """Return the rows of an answer requested by hand; without keys when these are unknown."""
    entity = shown_entity(model, turn, None)
    keys = tuple(dict.fromkeys(_keys(model, turn, entity))) if entity else ()
    known = turn.whole and 0 < len(keys) <= MOST_ROWS and not any(None in key for key in keys)
    said = f"the {len(keys)} rows of the answer that was asked for in SQL"
    return AnswerRows(entity, keys if known else (), said, by_hand=True)  # type: ignore[arg-type]


def shown_keys(model: DomainModel, turn: EarlierTurn, entity: str) -> list[tuple[Literal | None, ...]]:
    """Return the keys of the rows shown, in order."""
    return [*_keys(model, turn, entity)]


def _keys(model: DomainModel, turn: EarlierTurn, entity: str) -> tuple[tuple[Literal | None, ...], ...]:
    places = _places(model, entity, turn)
    return tuple(tuple(row[p] for p in places) for row in turn.rows) if places else ()


def _places(model: DomainModel, entity: str, turn: EarlierTurn) -> tuple[int, ...]:
    """Return the positions of the key columns in the answer; empty when one is missing or duplicated."""
    names = [spelt(name.rpartition(".")[2]).lower() for name in model.entity[entity].key]
    columns = [column.lower() for column in turn.columns]
    return tuple(columns.index(n) for n in names) if names and all(columns.count(n) == 1 for n in names) else ()
