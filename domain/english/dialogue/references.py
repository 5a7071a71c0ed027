"""References to rows of an answer as they stood on the subject's screen: "the second one", "the last two", "that book".

A reference resolves to the keys of the rows. Where these are not known — nothing was shown, the row was not among what was,
the columns do not hold the key — it resolves to nothing, and the request is not answered rather than taken for another one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from domain.english.dialogue.openings import parted
from domain.english.model.domain import DomainModel, Literal
from domain.english.model.meaning import AnswerRows, Meaning
from domain.english.model.path_names import spelt
from domain.english.text.function_words import EXTREMES
from domain.english.text.numbers import NUMBER_WORDS, ORDINAL_WORDS, ordinal, quantity
from session.values.answers import EarlierRequest, Table

MOST_ROWS = 200
"""Rows of an answer that are named by their keys; more make a statement that nobody can read."""

_NTH = "|".join([*ORDINAL_WORDS, *(f"{n}{e}" for n in range(1, 31) for e in ("st", "nd", "rd", "th")), "last"])
_MANY = "|".join([*sorted(NUMBER_WORDS), *map(str, range(2, 20))])
_END_ONE = re.compile(r"\bthe (?:very )?(?P<end>first|last) one\b", re.IGNORECASE)
_OF_THEM = r"of (?:those|these|them)"


class EarlierTurn(msgspec.Struct, frozen=True):
    """An earlier request of the dialogue and what the subject saw of its answer. `whole` says that the rows are all there
    were, `by_hand` that the rows were asked for in SQL: the text does not say what they are. `meaning` is what was meant where
    that is known otherwise than from the text."""

    text: str
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Literal | None, ...], ...] = ()
    whole: bool = True
    by_hand: bool = False
    meaning: Meaning | None = None


def turn_of(earlier: EarlierRequest) -> EarlierTurn:
    """An earlier request as the engine takes it; a cell that is no plain value is none that a key could be."""
    shown = earlier.shown or Table((), ())
    rows = tuple(tuple(v if isinstance(v, str | int | float) else None for v in row) for row in shown.rows)
    return EarlierTurn(earlier.text, shown.columns, rows, not shown.more, earlier.by_hand)


def in_breaths(turns: Sequence[EarlierTurn]) -> list[EarlierTurn]:
    """The turns, each as the one or two requests that were made in it; what was seen answered the last."""
    done = []
    for turn in turns:
        if turn.by_hand:  # only its rows count
            done.append(turn)
            continue
        *first, last = parted(turn.text)
        done += [EarlierTurn(text) for text in first]
        done.append(msgspec.structs.replace(turn, text=last))
    return done


class Reference(msgspec.Struct, frozen=True):
    """Words that point at rows: the request with "it" in their place, the rows by number (negative from the end; None for the
    only one there is), and the words."""

    text: str
    first: int | None
    count: int
    words: str


def referred(model: DomainModel, plain: str, entity: str) -> Reference | None:
    """The reference in a request to rows of `entity`, if there is one."""
    things = "|".join(sorted(map(re.escape, model.entity[entity].words), key=len, reverse=True)) or "row"
    asked = (
        r"^(?:(?:and|so) )*(?:what|how|which|is|are|does|do|when|where)\b.* "
        rf"(?:of|on|for|about|with) the (?P<nth>(?!first\b|last\b)(?:{_NTH}))$"
    )
    several = (
        rf"\b(?:the )?(?P<end>first|last) (?P<many>{_MANY}) (?:ones|{_OF_THEM}|{things})\b"
        rf"|^the (?P<end2>first|last) (?P<many2>{_MANY})$"
    )
    two = rf"\bthe (?P<nth>{_NTH})(?: one)?(?: and| or|,) (?:the )?(?P<other>{_NTH})(?: ones?| {_OF_THEM}| (?:{things}))?\b"
    one = (
        rf"\b(?:the )?(?P<nth>{_NTH}) (?:one|{_OF_THEM})\b(?! of the (?:day|week|month|year|morning|afternoon|evening))"
        rf"|\bthe (?P<nth2>(?!first\b|last\b)(?:{_NTH})) (?:{things})\b|\bnumber (?P<number>{_MANY}|one|1)$"
        rf"|^(?:and |what about |how about )?the (?P<nth3>(?!last\b)(?:{_NTH}))$"
    )
    if found := re.search(several, plain):
        many = _number(found["many"] or found["many2"])
        last = (found["end"] or found["end2"]) == "last"
        return Reference(_put(plain, found, "them"), -many if last else 1, many, found.group())
    if (found := re.search(two, plain)) and _number(found["other"]) == _number(found["nth"]) + 1:
        return Reference(_put(plain, found, "them"), _number(found["nth"]), 2, found.group())
    if found := re.match(asked, plain):
        start = found.start("nth") - len("the ")
        return Reference(f"{plain[:start]}it", _number(found["nth"]), 1, f"the {found['nth']}")
    if found := re.search(one, plain):
        nth = found["nth"] or found["nth2"] or found["nth3"] or found["number"]
        return Reference(_put(plain, found, "it"), -1 if nth == "last" else _number(nth), 1, found.group())
    if found := re.search(
        rf"\b(?:that|this)(?: (?:same|particular))? (?:one|{things})\b(?! (?:is|are|leave|arrive))", plain
    ):
        return None if found.group().endswith("s") else Reference(_put(plain, found, "it"), None, 1, found.group())
    return None


def points_by_number(text: str) -> bool:
    """Return whether words of a request count rows: "the fourth one", "number two"."""
    return (
        re.search(rf"\b(?:{_NTH}|next|previous|one after|one before)\b|\bnumber (?:{_MANY})\b", text.lower())
        is not None
    )


def the_other_end(reference: Reference, turn: EarlierTurn, before: Meaning | None) -> bool:
    """Return whether the first or last one is asked for after one that was itself singled out, or after their number, and so
    another row than was shown."""
    ends = reference.first in {1, -1} and reference.count == 1
    return bool(ends and before and (before.extremes or before.count) and len(turn.rows) < 2)


def end_of_all(text: str, before: Meaning) -> str:
    """The first or last of all in the place of "the first one", after one that was itself singled out."""
    return _END_ONE.sub(r"the \g<end>", text) if before.extremes or before.count else text


def singled_out(model: DomainModel, plain: str) -> tuple[str, str] | None:
    """The words for the least or greatest of those before, and what is asked of it: "the oldest one" and "when was it hired"
    of "when was the oldest one hired"; None where nothing is asked of it."""
    known = {
        *(w for s in model.superlative.values() for w in s.words),
        *(w for g in EXTREMES.values() for w in g.split("|")),
    }
    words = "|".join(sorted(map(re.escape, known), key=len, reverse=True))
    found = re.search(rf"\b(?:the )?(?P<most>{words})(?: one| {_OF_THEM})\b", plain)
    return (f"the {found['most']} one", _put(plain, found, "it")) if found else None


def _put(plain: str, found: re.Match[str], word: str) -> str:
    return plain[: found.start()] + word + plain[found.end() :]


def _number(word: str) -> int:
    found = ordinal([word], 0) or quantity([word], 0)
    return int(found[0]) if found else 0


def shown_entity(model: DomainModel, turn: EarlierTurn, meaning: Meaning | None) -> str:
    """The entity of which the rows shown are: what was asked for, or, of a statement by hand, the one whose key comes first."""
    if meaning is not None and not turn.by_hand:
        return meaning.entities[0] if _places(model, meaning.entities[0], turn) else ""
    leading = [n for n, e in model.entity.items() if (p := _places(model, n, turn)) and [*p] == [*range(len(e.key))]]
    whole = [n for n in leading if not model.entity[n].where]
    return whole[0] if len(whole) == 1 else ""


def pointed_at(model: DomainModel, turn: EarlierTurn, entity: str, reference: Reference) -> AnswerRows | None:
    """The rows of a reference; None where they cannot be known for certain."""
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


def all_of(model: DomainModel, turn: EarlierTurn) -> AnswerRows:
    """The rows of an answer that was asked for by hand; without keys where these are not known."""
    entity = shown_entity(model, turn, None)
    keys = tuple(dict.fromkeys(_keys(model, turn, entity))) if entity else ()
    known = turn.whole and 0 < len(keys) <= MOST_ROWS and not any(None in key for key in keys)
    said = f"the {len(keys)} rows of the answer that was asked for in SQL"
    return AnswerRows(entity, keys if known else (), said, by_hand=True)  # type: ignore[arg-type]


def shown_keys(model: DomainModel, turn: EarlierTurn, entity: str) -> list[tuple[Literal | None, ...]]:
    """The keys of the rows that were shown, in their order."""
    return [*_keys(model, turn, entity)]


def _keys(model: DomainModel, turn: EarlierTurn, entity: str) -> tuple[tuple[Literal | None, ...], ...]:
    places = _places(model, entity, turn)
    return tuple(tuple(row[p] for p in places) for row in turn.rows) if places else ()


def _places(model: DomainModel, entity: str, turn: EarlierTurn) -> tuple[int, ...]:
    """Where the columns of the key stand in the answer; nothing where one is missing or comes twice."""
    names = [spelt(name.rpartition(".")[2]).lower() for name in model.entity[entity].key]
    columns = [column.lower() for column in turn.columns]
    return tuple(columns.index(n) for n in names) if names and all(columns.count(n) == 1 for n in names) else ()
