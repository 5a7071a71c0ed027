"""Coverage of a request by a statement: conditions that the request does not state, and words that the statement does not
use."""

from collections.abc import Callable, Sequence

import msgspec

from domain.english.parse.tagger import Item
from domain.proposal.domain_words import DomainWords, plain, word_keys
from domain.proposal.statement_parts import COUNT, EXTREME, GROUP, NOT, Keys, StatementPart, StatementReading

Items = Callable[[str], tuple[Item, ...]]
_CONTENT = frozenset(["value", "flag", "superlative", "unknown", "not", "refuse", "moot", "asked"])
_GROUPING = frozenset(["each", "every", "per", "by"])
_BOUNDS = {"<": "<", "<=": "<", "by": "<", ">": ">", ">=": ">"}
_NOON, _DAY = 1200, 2400


class RequestCoverage(msgspec.Struct, frozen=True):
    """The coverage of a request: `unasked` conditions have no basis in it, `unused` words have no counterpart in the
    statement, `carried` conditions have their basis in earlier requests."""

    unasked: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    carried: tuple[StatementPart, ...] = ()


class _Unit(msgspec.Struct, frozen=True):
    """An item of a request with all its senses; `tells` when a statement must account for it. `roles` are the attributes that
    its cues introduce, `bounds` its comparisons."""

    words: str
    keys: Keys
    tells: bool
    roles: frozenset[str] = frozenset()
    bounds: frozenset[str] = frozenset()


def compare_with_request(
    reading: StatementReading, text: str, context: Sequence[str], items: Items, words: DomainWords
) -> RequestCoverage:
    """Compare a statement with the request it was proposed for, and with the earlier ones."""
    own = _units(items(text), words)
    earlier = [unit for turn in context for unit in _units(items(turn), words)]
    spoken = reading.spoken
    unused = [unit.words for unit in own if unit.tells and not _met(unit, spoken)]
    unasked, carried = [], []
    for part in reading.parts:
        if _asked_for(part, own, words):
            continue
        if _asked_for(part, [*earlier, *own], words):
            carried.append(part)
        elif part.said or COUNT in part.keys:
            unasked.append(part.said.removeprefix(", ") or "number of")
    return RequestCoverage(tuple(dict.fromkeys(unasked)), tuple(dict.fromkeys(unused)), tuple(carried))


def _met(unit: _Unit, spoken: Keys) -> bool:
    if unit.keys & spoken:
        return True
    words = {key for key in unit.keys if key.startswith("w:")}
    return any(words & set(key[4:].split()) for key in spoken if key.startswith("all "))


def _asked_for(part: StatementPart, units: Sequence[_Unit], words: DomainWords) -> bool:
    said = frozenset().union(*(unit.keys for unit in units))
    return all(_said(need, said) and _alike(part, need, units, words) for need in part.needs)


def _said(need: Keys, said: Keys) -> bool:
    if need & said:
        return True
    return any(words <= said for key in need if key.startswith("all ") and (words := frozenset(key[4:].split())))


def _alike(part: StatementPart, need: Keys, units: Sequence[_Unit], words: DomainWords) -> bool:
    """Return whether a value has the same role and the same comparison in the request as in the statement, where the request
    has either."""
    speaking = [unit for unit in units if unit.keys & need]
    return not speaking or any(
        (not (led := words.alike(unit.roles, part.roles)) or part.roles & led)
        and (not unit.bounds or not part.bound or part.bound in unit.bounds)
        for unit in speaking
    )


def _units(items: Sequence[Item], words: DomainWords) -> list[_Unit]:
    return [_unit(items, at, words) for at in range(len(items))]


def _unit(items: Sequence[Item], at: int, words: DomainWords) -> _Unit:
    item = items[at]
    keys = set(word_keys(item.words)) | {f"v:{plain(item.words)}"}
    for sense in item.senses:
        if sense.what in ("entity", "flag", "superlative"):
            keys.add(f"{sense.what}:{sense.name}")
        elif sense.what in ("asked", "cue"):
            keys.add(f"attribute:{sense.name}")
        elif sense.what == "not":
            keys.add(NOT)
        elif sense.what == "count":
            keys.add(COUNT)
        elif sense.what in ("extreme", "aggregate"):
            keys |= {EXTREME, "aggregate"}
        if sense.value is not None:
            keys |= _meant(sense.value.data, sense.value.kind, sense.value.op, sense.value.unit)
    if item.has("superlative"):
        keys |= {EXTREME, "aggregate"}
    if _GROUPING & {*item.words.split()}:
        keys.add(GROUP)
    what = {sense.what for sense in item.senses}
    tells = bool(what & _CONTENT) and not what & {"fill", "ask", "wish"}
    tells = tells or (what == {"entity"}) or (bool(what & {"value", "flag", "not"}) and "fill" not in what)
    tells = tells or item.words in ("how many", "number of")
    if not item.has("value"):
        return _Unit(item.words, frozenset(keys), tells)
    around = [
        *(items[at - 1].all("compare") if at else ()),
        *(items[at + 1].all("after") if at + 1 < len(items) else ()),
    ]
    bounds = frozenset(_BOUNDS[sense.name] for sense in around if sense.name in _BOUNDS)
    cues = [sense.name for sense in items[at - 1].all("cue")] if at else []
    roles = words.introduced(cues, [sense.value.kind for sense in item.senses if sense.value is not None])
    return _Unit(item.words, frozenset(keys), tells, roles, bounds)


def _meant(data: Sequence[str | int | float], kind: str, op: str, unit: float) -> set[str]:
    """Return the keys of the database values that a spoken value can denote."""
    keys = {f"v:{plain(value)}" for value in data if value != ""}
    keys.add("v:" + "-".join(f"{int(value):02d}" if isinstance(value, int) else str(value) for value in data))
    if kind == "clock" and op == "period":
        return keys | {"v:period"}
    if "clock" in kind and data and isinstance(data[0], int):
        time = data[0]
        return {f"v:{hour}" for hour in (time, (time + _NOON) % _DAY)} if not (data[1:] and data[1]) else {f"v:{time}"}
    if unit:
        keys |= {f"v:{plain(value * unit)}" for value in data if isinstance(value, int | float)}
    return keys
