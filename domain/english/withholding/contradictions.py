"""Signs that the conditions of a reading exclude each other.

A word was attached to the wrong column, or a condition that was to be replaced was kept beside its replacement: "from Norton to
Norton", two departments of one employee, 1 a.m. for the pronoun in "the earlier one", "on Friday" beside the weekend before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Condition, Flagged, Meaning

_COLUMN = re.compile(r"\b[a-z_]\w*\.\w+")
_BOUNDS = frozenset(["<", "<=", ">", ">=", "by", "between"])
_ALSO = re.compile(r"\b(?:who|that|which|is|are|was|were|has|have) also\b(?!.*\bor\b)")
_ONE = re.compile(r"\bone\b")
_ONE_COUNTED = re.compile(
    r"\b(?:at|by|before|after|around|about|until|till|past|than|to|from|between|number|level|room|department|gate|exactly|just"
    r"|only) one\b|\b(?:is|of|has|have|with) one (?!that\b|who\b|which\b|of\b|then\b|too\b|please\b)[a-z]"
    r"|\bone (?:o ?clock|oclock|a m|p m|am|pm|thirty|fifteen|forty|in the|stop|stops|connection|engine|bed|hour|year|day)\b"
)
_OBJECT = re.compile(
    r"\b(?:for|give|let|tell|show|get|take|among|both of) (?P<word>us|me|him|it)(?=$| (?:please|the|an?|all|any|some|both|two"
    r"|what|which|when|how|where|who|if|on|at|in|to|from|by|there|this|that|and|or|then|again|early|before|after)\b)"
)


def contradicts(model: DomainModel, plain: str, meaning: Meaning, now: Meaning, before: Meaning | None) -> bool:
    """Return whether a reading holds conditions that exclude each other; `now` is the request by itself."""
    found = _same_ends(model, meaning) or _two_names(model, meaning) or _two_sorts(model, meaning)
    found = found or _exact_and_bound(model, meaning) or _also_another(plain, meaning)
    found = found or _counts_pronoun(plain, meaning, before) or _counts_none(meaning)
    return found or (
        before is not None and (_keeps_replaced(model, meaning, now) or _bounds_again(model, meaning, now))
    )


def _plain(condition: Condition) -> bool:
    return not condition.negated and all(value.op == "=" for value in condition.values)


def _same_ends(model: DomainModel, meaning: Meaning) -> bool:
    """Return whether both ends of a connection are the same: "from Norton to Norton"."""
    for swap in model.swap.values():
        one, other = (
            {value.data for c in meaning.conditions if c.attribute == end and _plain(c) for value in c.values}
            for end in swap.exchange
        )
        if one & other:
            return True
    return False


def _two_names(model: DomainModel, meaning: Meaning) -> bool:
    """Return whether one column must have two values, each by an attribute of its own: "in purchasing, no, publications"."""
    named = [c for c in meaning.conditions if _plain(c)]
    for at, one in enumerate(named):
        for other in named[at + 1 :]:
            alike = model.attribute[one.attribute].of == model.attribute[other.attribute].of
            apart = not {v.data for v in one.values} & {v.data for v in other.values}
            if alike and apart and one.attribute != other.attribute and _paths(model, one) & _paths(model, other):
                return True
    return False


def _two_sorts(model: DomainModel, meaning: Meaning) -> bool:
    """Return whether one column must have two values, each by a flag of its own: "men versus women" as people who are both."""
    single = [name for f in meaning.flags if len(f.flags) == 1 and not f.negated for name in f.flags]
    fixed: dict[str, set[str]] = {}
    for name in (name for name in single if model.flag[name].of == meaning.entities[0]):
        own: dict[str, set[str]] = {}
        for column, equals, value in (test.partition(" = ") for test in model.flag[name].where):
            if equals:
                own.setdefault(column, set()).add(value)  # one flag may want several: days of a week, each by its row
        if any(fixed.setdefault(column, values) != values for column, values in own.items()):
            return True
    return False


def _also_another(plain: str, meaning: Meaning) -> bool:
    """Return whether what is said to be two things may be either: actors or writers for "which actors are also writers"."""
    several = (c for c in meaning.conditions if len(c.values) > 1 and not c.negated)
    return _ALSO.search(plain) is not None and any(all(v.op == "=" for v in c.values) for c in several)


def _exact_and_bound(model: DomainModel, meaning: Meaning) -> bool:
    """Return whether one quantity must have a number and keep a bound: "more than 300 at one showing" as over 300 and 1."""
    numbers = [c for c in meaning.conditions if not c.negated and all(v.kind == "number" for v in c.values)]
    exact = {c.attribute for c in numbers if all(v.op == "=" for v in c.values)}
    return any(c.attribute in exact and any(v.op in _BOUNDS for v in c.values) for c in numbers)


def _counts_none(meaning: Meaning) -> bool:
    """Return whether the fewest are sought among those that have none: the least lent of those never lent."""
    return bool(meaning.pick) and any(having.op == "none" for having in meaning.having)


def _counts_pronoun(plain: str, meaning: Meaning, before: Meaning | None) -> bool:
    """Return whether a pronoun was taken for a value: "one" for a number or an hour in "the cheaper one", "us" for a code."""
    new = [c for c in meaning.conditions if before is None or c not in before.conditions]
    objects = {(found["word"].upper(),) for found in _OBJECT.finditer(plain)}
    if any(value.data in objects for c in new for value in c.values):
        return True
    if not _ONE.search(plain) or _ONE_COUNTED.search(plain):
        return False
    values = [(value.kind, value.data[:1]) for c in new for value in c.values if value.op != "period"]
    return any(kind == "clock" and data in {(100,), (1300,)} for kind, data in values) or any(
        kind in {"number", "money", "code"} and data == (1,) for kind, data in values
    )


def _keeps_replaced(model: DomainModel, meaning: Meaning, now: Meaning) -> bool:
    """Return whether a condition or flag of an earlier request stands beside another value of its column, said now."""
    new = {column for c in now.conditions if _plain(c) and c in meaning.conditions for column in _ends(model, c)}
    old = {c for c in meaning.conditions if _plain(c) and c not in now.conditions}
    said = {column for f in now.flags if f in meaning.flags for column in _tested(model, f)}
    kept = {column for f in meaning.flags if f not in now.flags for column in _tested(model, f)}
    return bool(new & kept) or bool(said & {column for c in old for column in _ends(model, c)})


def _bounds_again(model: DomainModel, meaning: Meaning, now: Meaning) -> bool:
    """Return whether a new bound stands beside one of an earlier request on the same quantity: "under eighteen" after "born after
    2015"."""
    bounds = [c for c in meaning.conditions if not c.negated and any(v.op in _BOUNDS for v in c.values)]
    new, old = ([c for c in bounds if (c in now.conditions) is said] for said in (True, False))
    return any(_quantities(model, c) & _quantities(model, other) for c in new for other in old)


def _quantities(model: DomainModel, condition: Condition) -> frozenset[str]:
    """Return the columns that a bound limits, that from which an age follows for the age; none of a time of day, which has two
    ends."""
    if any(value.kind == "clock" for value in condition.values):
        return frozenset()
    since = model.attribute[condition.attribute].years_since
    return frozenset([since] if since else _ends(model, condition))


def _paths(model: DomainModel, condition: Condition) -> frozenset[str]:
    accepts = model.attribute[condition.attribute].accepts
    return frozenset(accepts.get(value.kind, "") for value in condition.values) - {"", "-"}


def _ends(model: DomainModel, condition: Condition) -> Iterator[str]:
    return (path.rpartition(";")[2].strip() for path in _paths(model, condition))


def _tested(model: DomainModel, flagged: Flagged) -> Sequence[str]:
    """Return the columns that a positive flag tests for equality."""
    tests = [test for name in flagged.flags for test in model.flag[name].where if not flagged.negated]
    last = [test.rpartition(";")[2] for test in tests]
    return [column for test in last if not {*"<>!"} & {*test} for column in _COLUMN.findall(test)]
