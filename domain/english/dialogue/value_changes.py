"""Values that replace others of their attribute, or join them: "no, between forty and fifty", "and from Sutton too"."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from domain.english.dialogue.replacing import in_thousands
from domain.english.model.domain import DomainModel, read_path
from domain.english.model.meaning import Condition, Flagged, Meaning, Value
from domain.english.text.numbers import ORDINAL_WORDS

_DAY = re.compile(
    rf"(?:on )?(?:the )?(?:{'|'.join(ORDINAL_WORDS)}|twenty [a-z]+|thirty first|\d{{1,2}}(?:st|nd|rd|th)?)"
)
_UP_TO = re.compile(r"\b(?:up to|as (?:high|far|much) as|to a maximum of|until|upper (?:end|limit))\b")
_DOWN_TO = re.compile(r"\b(?:down to|as (?:low|little) as|to a minimum of|starting (?:at|from)|lower (?:end|limit))\b")


def replace_denied_bounds(now: Meaning, before: Meaning) -> Meaning:
    """Return the request with a denied bound read as a new one, in thousands if the old one was: "no, between forty and
    fifty" after between thirty and forty thousand."""
    said = {c.attribute: c for c in before.conditions if not c.negated and any(v.op != "=" for v in c.values)}
    done = []
    for c in now.conditions:
        again = c.negated and c.attribute in said and all(v.op != "=" for v in c.values)
        olds = said[c.attribute].values if again else ()
        done.append(Condition(c.attribute, tuple(in_thousands(v, olds[0]) for v in c.values)) if again else c)
    return msgspec.structs.replace(now, conditions=tuple(done))


def names_day(text: str, before: Meaning | None) -> bool:
    """Return whether a correction gives another day of a date before: "the eighth, I beg your pardon" after the third of May."""
    dated = before is not None and any(
        v.kind == "date" and len(v.data) == 3 for c in before.conditions if not c.negated for v in c.values
    )
    return dated and _DAY.fullmatch(text.lower().strip(" ?.!")) is not None


def with_earlier_scale(now: Meaning, before: Meaning, text: str) -> Meaning:
    """Return the request with its amounts in thousands where those before were, and a range moved at one end only: "go up to
    fifty six" after between fifty and fifty four thousand."""
    said = {c.attribute: c.values[0] for c in before.conditions if not c.negated and len(c.values) == 1}
    done = []
    for c in now.conditions:
        old = said.get(c.attribute)
        if old and len(c.values) == 1 and c.values[0].kind in {"number", "money"}:
            c = msgspec.structs.replace(c, values=(_moved(in_thousands(c.values[0], old), old, text),))
        done.append(c)
    return msgspec.structs.replace(now, conditions=tuple(done))


def _moved(new: Value, old: Value, text: str) -> Value:
    """Return the range with one end moved; the new value itself where it says both, or the old one is no range."""
    lower, upper = _DOWN_TO.search(text.lower()), _UP_TO.search(text.lower())
    if old.op != "between" or len(new.data) != 1 or new.op == "=" or not (lower or upper):
        return new
    low, high = (new.data[0], old.data[1]) if lower else (old.data[0], new.data[0])
    if isinstance(low, str) or isinstance(high, str) or low >= high:
        return new
    sign = "$" if "$" in old.say else ""
    return msgspec.structs.replace(old, data=(low, high), say=f"between {sign}{low} and {sign}{high}")


def constrain_one_reference(model: DomainModel, now: Condition, before: Condition) -> bool:
    """Return whether two conditions constrain the same single-valued reference by different attributes: "in team 4" and "in
    sales"."""
    plain = all(not c.negated and all(v.op == "=" for v in c.values) for c in (now, before))
    ways = [{_first_column(model, c, v.kind) for v in c.values} for c in (now, before)]
    return plain and now.attribute != before.attribute and len(ways[0]) == 1 and ways[0] == ways[1] != {""}


def _first_column(model: DomainModel, condition: Condition, kind: str) -> str:
    """Return the column of the entity's own table by which a condition is reached; empty for a key, to which several rows may
    refer."""
    attribute = model.attribute[condition.attribute]
    path = attribute.accepts.get(kind, "-")
    if path == "-" or "|" in path or "," in path:
        return ""
    read = read_path(path)
    first = read.steps[0].left if read.steps else read.end
    return (
        ""
        if first in model.entity[attribute.of].key or not any(read_path(p).steps for p in attribute.accepts.values())
        else first
    )


def add_earlier_values(model: DomainModel, now: Meaning, before: Meaning) -> Meaning:
    """Return the request with the earlier values of its attributes added: "and from Sutton too" keeps those from Norton."""
    said = {c.attribute: c.values for c in before.conditions if not c.negated and all(v.op == "=" for v in c.values)}
    plain = (c for c in now.conditions if not c.negated and all(v.op == "=" for v in c.values))
    wider = {c.attribute: (*(v for v in said.get(c.attribute, ()) if v not in c.values), *c.values) for c in plain}
    conditions = tuple(
        msgspec.structs.replace(c, values=wider[c.attribute]) if c.attribute in wider and not c.negated else c
        for c in now.conditions
    )
    flags = tuple(_with_alike(model, flagged, before.flags) for flagged in now.flags)
    return msgspec.structs.replace(now, conditions=conditions, flags=flags)


def _with_alike(model: DomainModel, flagged: Flagged, before: Sequence[Flagged]) -> Flagged:
    """Return a flag or the earlier one of its group: "men too" after the women."""
    about = _classified(model, flagged)
    alike = [f for f in before if not f.negated and about and about == _classified(model, f)]
    names = dict.fromkeys(name for f in (*alike, flagged) for name in f.flags)
    return flagged if flagged.negated or not alike else Flagged(tuple(names))


def _classified(model: DomainModel, flagged: Flagged) -> set[str]:
    """Return the columns that flags compare with one value each."""
    tests = [test.partition(" = ") for name in flagged.flags for test in model.flag[name].where]
    return {column for column, equals, _ in tests if equals} if all(equals for _, equals, _ in tests) else set()
