"""Requests that only replace a part of an earlier one: "norton instead of sutton", "no 45", "another town"."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

import msgspec

from domain.english.dialogue.widening import attributes_of_noun
from domain.english.model.domain import DomainModel, Literal
from domain.english.model.meaning import Condition, Meaning, Value
from domain.english.parse.combine_comparisons import compared
from domain.english.parse.tagger import Item
from domain.english.text.times import clock_words

_ALIKE = {"money": ("money", "number"), "clock": ("clock", "maybe clock"), "year": ("year",)}
_DAYS = range(1, 32)
_NUMBERS = frozenset({"number", "money", "digits", "maybe clock", "year"})
_NOON = 1200
_FAR = 2
"""Steps of a path that leads too far to be the entity's own location or that of its owner."""
_PLACED, _WHERE = frozenset(["in", "from", "at", "living in"]), frozenset(["where", "wherever", "where is"])
_WHEN = frozenset(["when", "whenever", "when it is", "what time", "what day", "which day"])
_THOUSAND = 1000
_BOUNDED = frozenset({"number", "money", "year", "years", "date", "clock"})
_BOUNDS = {
    "<": ("before", "earlier than", "under", "below", "less than", "cheaper than", "fewer than", "until", "up to"),
    ">": ("after", "later than", "over", "above", "more than", "past"),
    ">=": ("since", "from"),
}
_THAT = re.compile(
    r"^(?:(?:and|or|but|what about|how about|only|just|those|the ones|any|something|anything|who|which|was|were|are|is|it)"
    rf" )*(?P<bound>{'|'.join(w for words in _BOUNDS.values() for w in words)})"
    r" (?:that|then|this)(?: (?:please|too|then|instead))*$"
)
_MORE_SO = re.compile(
    r"^(?:(?:and|or|but|so|what about|how about|only|just|do you have|have you got|is there|are there|show me|give me"
    r"|i need|i want"
    r"|maybe|any|anything|something|an?|some|the|got|nothing|is there anything) )*"
    r"(?P<more>earlier|sooner|later|cheaper|less expensive)"
    r"(?: (?P<noun>(?!one|than)[a-z]+))??"
    r"(?: (?:one|ones|than that|than those|than these|in the day|though|please|instead|available|on offer|options?))*$"
)
_AMOUNTS, _TIMES = frozenset({"money", "number"}), frozenset({"clock", "date"})
_MORE = {"earlier": "<", "sooner": "<", "later": ">", "cheaper": "<", "less expensive": "<"}
_INSTEAD = frozenset(["instead of", "rather than", "not", "in place of"])
_ANOTHER = re.compile(
    r"^(?:(?:and|or|then|so|what about|how about|what if|on|in|at|from|to|with|by|for|do you have|is there|are there|show me|any"
    r"|i want|i would like|i need|make it|make that|please|maybe|only|the|all|all the|some|have|does|do|did|can i get"
    r"|what else is there"
    r"|with|try|let us try) )*(?:another|an other|other|an?y? ?different|different) "
    r"(?P<noun>[a-z]+(?: [a-z]+)?)(?: please| instead)?$"
)


def exchange_values(model: DomainModel, before: Meaning, items: Sequence[Item]) -> Meaning | None:
    """Return the earlier meaning with one value replaced by another; None when the request says anything else."""
    at = next((n for n, item in enumerate(items) if item.words in _INSTEAD and item.has("not")), None)
    places = [n for n, item in enumerate(items) if item.has("value")]
    others = [item for n, item in enumerate(items) if n != at and n not in places]
    if at is None or len(places) != 2 or not all(_passes(item) for item in others):
        return None
    old, new = places if at < places[0] else places[::-1]
    found = [c for c in before.conditions for v in c.values if _same(v, items[old])]
    roles = {sense.name for n in (old, new) for item in items[max(0, n - 1) : n] for sense in item.all("cue")}
    if len(found) != 1 or found[0].negated or (roles and found[0].attribute not in roles):
        return None
    if any(_same(v, items[new]) for v in found[0].values):
        return None
    taken = next(v for v in found[0].values if _same(v, items[old]))
    return _with(before, found[0], taken, _value_alike(model, found[0], taken, items[new]))


def replace_last_value(model: DomainModel, before: Meaning, items: Sequence[Item], mends: bool) -> Meaning | None:
    """Return the earlier meaning with the last value of the same kind replaced; None when the request says anything else. A
    bare "no", where `mends` is not set, replaces when it would otherwise deny nothing: "no norton" after books in Sutton."""
    places = [n for n, item in enumerate(items) if item.has("value")]
    denied = bool(items) and items[0].words == "no"
    # "what about forty thousand": a bare number can only replace another number
    bare = {s.value.kind for n in places for s in items[n].all("value") if s.value} <= _NUMBERS
    mends = mends or (bool(items) and items[0].has("continue") and items[0].has("ask") and bare)
    others = [item for n, item in enumerate(items) if n not in places and not (n == 0 and denied)]
    if bare and len(places) == 1 and all(item.has("fill") and not item.has("cue") for item in others):
        # "five thirty" after "after five"
        mends = mends or any(
            v.op in _BOUNDS for c in before.conditions for v in c.values if v.kind in {"clock", "money"}
        )
    if len(places) != 1 or not (mends or denied) or not all(item.has("fill") or item.has("restart") for item in others):
        return None
    said = items[places[0]]
    roles = {sense.name for item in items[max(0, places[0] - 1) : places[0]] for sense in item.all("cue")}
    kinds = {s.value.kind for s in said.all("value") if s.value}
    own = (model.attribute[name] for name in roles)
    if not any(kinds & {*a.accepts} for a in own if a.of in before.entities):
        roles = set()  # "in California, sorry" after those who studied in Canada: nothing else can be there
    for condition in reversed([c for c in before.conditions if not roles or c.attribute in roles]):
        alike = [v for v in condition.values if _value_alike(model, condition, v, said)]
        if not alike or condition.negated:
            continue
        if any(_same(v, said) for v in condition.values):
            left = tuple(v for v in condition.values if not _same(v, said))
            return _put(before, condition, left) if denied and left else None
        return (
            _with(before, condition, alike[0], _value_alike(model, condition, alike[0], said))
            if len(alike) == 1
            else None
        )
    return None


def drop_named(model: DomainModel, before: Meaning, items: Sequence[Item]) -> Meaning | None:
    """Return the earlier meaning without the named values, flags and attributes; None when it had none or the request says
    more."""
    held = {c.attribute for c in before.conditions}
    named = [(item, _attributes_of(model, item) & held) for item in items]
    if any(not (item.has("value") or item.has("flag") or of or _passes(item)) for item, of in named):
        return None
    flags = {sense.name for item in items for sense in item.all("flag")}
    values = [item for item in items if item.has("value")]
    telling = [of for item, of in named if item.words in _WHERE | _WHEN or item.has("asked") or not item.has("fill")]
    closed = {name for of in telling for name in of}
    lesser = tuple(_without_values(c, values) for c in before.conditions if c.attribute not in closed)
    kept = tuple(c for c in lesser if c.values)
    left = tuple(f for f in before.flags if not flags & {*f.flags})
    wider = msgspec.structs.replace(before, conditions=kept, flags=left)
    return wider if wider != before else None


def _without_values(condition: Condition, named: Sequence[Item]) -> Condition:
    """Return the condition without the named values: without Sutton of "Norton or Sutton"."""
    left = tuple(v for v in condition.values if not any(_same(v, item) for item in named))
    return msgspec.structs.replace(condition, values=left)


def _attributes_of(model: DomainModel, item: Item) -> set[str]:
    """Return the attributes that an item's words refer to: "costs" to a price, "when" to days and times."""
    if item.words in _WHEN:
        return {n for n, a in model.attribute.items() if {"clock", "weekday", "date", "year"} & {*a.accepts}}
    if item.words in _WHERE:
        placed = ((n, a) for n, a in model.attribute.items() if _PLACED & {*a.cues})
        own = ((n, [path for kind, path in a.accepts.items() if kind in model.kind]) for n, a in placed)
        return {name for name, paths in own if any(path.count(";") < _FAR for path in paths)}
    tables = {model.entity[sense.name].table for sense in item.all("entity")}
    kinds = {name for name, kind in model.kind.items() if kind.column.partition(".")[0] in tables}
    holds = {n for n, a in model.attribute.items() if kinds & {*a.accepts}} if tables else set()
    return holds | {s.name for what in ("asked", "cue", "trailing") for s in item.all(what)}


def allow_value(model: DomainModel, before: Meaning, items: Sequence[Item], too: bool) -> Meaning | None:
    """Return the earlier meaning with a value added to, or replacing, those of the same attribute: "norton is fine too"."""
    named = [item for item in items if item.has("value")]
    if len(named) != 1 or any(not (item.has("value") or _passes(item)) for item in items):
        return None
    for condition in reversed(before.conditions):
        old = next((v for v in condition.values if v.op == "=" and _value_alike(model, condition, v, named[0])), None)
        new = _value_alike(model, condition, old, named[0]) if old else None
        if any(_same(v, named[0]) for v in condition.values):
            return before
        if old and new and not condition.negated:
            return _put(before, condition, (*condition.values, new) if too else (new,))
    return None


def _passes(item: Item) -> bool:
    return (
        item.has("fill") or item.has("cue") or item.has("restart") or item.words in {"but", "live", "lives", "happen"}
    )


def _with(before: Meaning, condition: Condition, old: Value, new: Value | None) -> Meaning | None:
    if new is None:
        return None
    return _put(before, condition, tuple(new if v is old else v for v in condition.values))


def _put(before: Meaning, condition: Condition, values: tuple[Value, ...]) -> Meaning:
    put = msgspec.structs.replace(condition, values=values)
    return msgspec.structs.replace(before, conditions=tuple(put if c is condition else c for c in before.conditions))


def _value_alike(model: DomainModel, condition: Condition, old: Value, item: Item) -> Value | None:
    """Return an item's value of the same kind as `old`, with its comparison; None when it has none."""
    kinds = _ALIKE.get(old.kind, (old.kind,))
    named = old.kind in model.kind
    for sense in item.all("value"):
        new = sense.value
        if new is None or old.op in {"between", "period"} or new.op != "=":
            continue
        if named and new.kind in model.kind and new.kind in model.attribute[condition.attribute].accepts:
            return new
        if new.kind == "maybe clock" and "number" in kinds and not new.data[1]:
            new = msgspec.structs.replace(
                new, kind="number", data=new.data[:1], say=_amount(new.data[0], kinds)
            )  # "two fifty"
        if new.kind in kinds and not named and len(new.data) == len(old.data):
            new = _half_alike(in_thousands(new, old), old)
            worded = new.say if old.op == "=" else compared(msgspec.structs.replace(new, kind=old.kind), old.op)
            return msgspec.structs.replace(old, data=new.data, say=worded)
        if (
            old.kind == "date"
            and old.op == "="
            and len(old.data) == 3
            and new.kind == "ordinal"
            and new.data[0] in _DAYS
        ):
            said = re.sub(r"(?<!\d)\d{1,2}(?!\d)", str(new.data[0]), old.say, count=1)
            return msgspec.structs.replace(old, data=(*old.data[:2], new.data[0]), say=said)
        if old.unit and new.kind == "number" and not isinstance(new.data[0], str):
            return msgspec.structs.replace(old, data=(new.data[0],), say=re.sub(r"\d[\d.]*", new.say, old.say, count=1))
    return None


def _amount(number: Literal, kinds: Collection[str]) -> str:
    return f"${number}" if "money" in kinds else str(number)


def in_thousands(new: Value, old: Value) -> Value:
    """Return the value in thousands if the old one was: "make it fifty five" after sixty thousand."""
    told = [n for n in new.data if not isinstance(n, str)]
    before = [n for n in old.data if not isinstance(n, str)]
    if new.kind not in {"number", "money"} or len(told) < len(new.data) or "$" in new.say:
        return new
    if not before or any(n < _THOUSAND or n % _THOUSAND for n in before) or any(n >= _THOUSAND for n in told):
        return new
    said = new.say
    for number in told:
        said = re.sub(rf"(?<!\d){number}(?!\d)", str(number * _THOUSAND), said, count=1)
    return msgspec.structs.replace(new, data=tuple(n * _THOUSAND for n in told), say=said)


def bound_by_last_value(model: DomainModel, before: Meaning, text: str) -> Meaning | None:
    """Return the earlier meaning with its last amount or day turned into a bound: "before that" after "hired in 1980"; None
    when the request says anything else or there is no such value."""
    found, further = _THAT.match(text), _MORE_SO.match(text)
    if further and further["noun"] and not _names(model, further["noun"]):
        return None
    if further:
        op = _MORE[further["more"]]
        kinds = _AMOUNTS if further["more"] in {"cheaper", "less expensive"} else _TIMES
    elif found:
        op, kinds = next(op for op, words in _BOUNDS.items() if found["bound"] in words), _BOUNDED
    else:
        return None
    if further and (others := _beyond_the_end(model, before, op, kinds)):
        return others
    for condition in reversed(before.conditions):
        if "weekday" in model.attribute[condition.attribute].accepts:
            continue  # no bound on a day that recurs every week
        ops = {"=", *_BOUNDS, *(["around"] if further else [])}
        plain = not condition.negated and len(condition.values) == 1 and condition.values[0].op in ops
        if plain and (value := condition.values[0]).kind in kinds:
            bare = msgspec.structs.replace(value, op="=", say=_without_bound(value))
            return _put(before, condition, (msgspec.structs.replace(bare, op=op, say=compared(bare, op)),))
    return None


def _names(model: DomainModel, noun: str) -> bool:
    return any(noun in entity.words for entity in model.entity.values())


def _beyond_the_end(model: DomainModel, before: Meaning, op: str, kinds: Collection[str]) -> Meaning | None:
    """Return everything beyond the superlative of the previous request: "anything later" than the earliest."""
    extreme = before.extremes[0] if len(before.extremes) == 1 else None
    if extreme is None or extreme.each or before.outside or before.rows or before.count or before.aggregate:
        return None
    ends = ((a.minimum, a.maximum) for a in model.attribute.values() if {*kinds} & {*a.accepts})
    if not any(extreme.column in pair for pair in ends) or (extreme.pick == "min") != (op == ">"):
        return None
    found = msgspec.structs.replace(before, attributes=(), named=False)
    return msgspec.structs.replace(before, extremes=(), outside=found)


def _without_bound(value: Value) -> str:
    number = re.search(r"\$?\d[\d.:]*.*$", value.say)
    return number.group() if number and value.op != "=" else value.say


def _same(value: Value, item: Item) -> bool:
    return any(s.value and (s.value.kind, s.value.data) == (value.kind, value.data) for s in item.all("value"))


def attributes_to_vary(text: str, nouns: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Return the attributes for which a request wants another value; empty when it says anything else."""
    found = _ANOTHER.match(text)
    return attributes_of_noun(found.group("noun"), nouns) if found else frozenset()


def exclude_values(before: Meaning, attributes: Collection[str]) -> Meaning | None:
    """Return the earlier meaning with its values of these attributes excluded; None when it had none."""
    denied = [c for c in before.conditions if c.attribute in attributes and not c.negated]
    if not denied or any(v.op != "=" for c in denied for v in c.values):
        return None
    kept = tuple(Condition(c.attribute, c.values, True) if c in denied else c for c in before.conditions)
    return msgspec.structs.replace(before, conditions=kept)


def flags_of(model: DomainModel, noun: str) -> frozenset[str]:
    """Return the flags of the group that a noun names: "shifts" of "night shift"."""
    forms = {noun, noun.removesuffix("s"), noun + "s"}
    return frozenset(name for name, flag in model.flag.items() if flag.group in forms)


def align_half(now: Condition, before: Meaning) -> Condition:
    """Return the condition with bare hours in the half of the day of the earlier time: "sorry, before six" after "after six
    p.m." means the evening."""
    said = [v for c in before.conditions if c.attribute == now.attribute for v in c.values]
    halves = {int(v.data[0]) >= _NOON for v in said if v.kind == "clock" and len(v.data) == 2 and v.data[1]}
    if halves != {True}:
        return now
    return msgspec.structs.replace(now, values=tuple(_later(value) for value in now.values))


def _half_alike(new: Value, old: Value) -> Value:
    """Return a bare hour in the half of the day of the time it replaces."""
    if old.kind != "clock" or len(old.data) != 2 or not (old.data[1] and int(old.data[0]) >= _NOON):
        return new
    return _later(msgspec.structs.replace(new, kind="clock")) if new.kind in {"clock", "maybe clock"} else new


def _later(value: Value) -> Value:
    if value.kind != "clock" or len(value.data) != 2 or value.data[1] or int(value.data[0]) >= _NOON:
        return value
    hhmm = int(value.data[0]) + _NOON
    plain = msgspec.structs.replace(value, data=(hhmm, 1), op="=", say=clock_words(hhmm))
    return msgspec.structs.replace(plain, op=value.op, say=compared(plain, value.op) if value.op != "=" else plain.say)
