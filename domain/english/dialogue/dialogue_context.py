"""Context that a request takes over from earlier ones.

People use ellipsis and reference: "which of those are in department 10", "what about Tuesday", "and back". Such a request
modifies the meaning of an earlier one: its conditions replace those on the same attributes, and everything else is kept. The
antecedent is the previous request or, when the subject returns to an earlier topic ("the earlier ones in Austin"), the latest
one that shares a value.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import msgspec

from domain.english.dialogue.context_limits import (
    ask_about_selected_row,
    asks_whether,
    asks_which,
    counts_all,
    lists_things,
    narrows_counted,
    replace_row_by_name,
    restrict_by_other_rows,
    restricts_one_row,
)
from domain.english.dialogue.dates_before import is_within_year
from domain.english.dialogue.going_back import bounds_selection, find_returned_list
from domain.english.dialogue.new_requests import stands_alone
from domain.english.dialogue.openings import Opening
from domain.english.dialogue.pronouns import person_named
from domain.english.dialogue.proportions import share_among
from domain.english.dialogue.replacing import align_half
from domain.english.dialogue.reversals import uncounted
from domain.english.dialogue.route_ends import lists_between, swapped
from domain.english.dialogue.value_changes import (
    add_earlier_values,
    constrain_one_reference,
    replace_denied_bounds,
    with_earlier_scale,
)
from domain.english.dialogue.widening import widen_place
from domain.english.model.domain import DomainModel, tied
from domain.english.model.meaning import Condition, Extreme, Flagged, Meaning, Value, said_in
from domain.english.parse.constructions.counted_before import counted_otherwise
from domain.english.parse.parser import Parsed

_COLUMN = re.compile(r"\b[a-z_]\w*\.\w+")
_WHOLE = re.compile(r"\b(?:the (?:whole|entire)|all of(?: the)?|all over|anywhere in)\b")
_TOO = re.compile(r"\b(?:too|as well)$")
_ALL_OF = re.compile(r"\ball (?:of )?(?:the|those)\b")
_ONES = re.compile(r"^(?:the |just |only )*[a-z]+ ones\b")
"""A subset of the result: "senior ones, I mean" keeps the other conditions."""


def merge_with_context(
    model: DomainModel, parsed: Parsed, earlier: Sequence[Meaning], opening: Opening
) -> tuple[Meaning, Meaning] | None:
    """Return the request's meaning in context and the part of it that was taken over; None without an antecedent."""
    if not earlier:
        return None
    now = parsed.meaning
    # A head of its own, named or implied by a value, always wins over that of an earlier request.
    own = not parsed.headless or now.entities not in {(model.domain.entity,), earlier[-1].entities}
    if own and parsed.headless and "entity" in parsed.senses and now.entities != earlier[-1].entities:
        return None  # another entity's name stands alone: "claytons" after those on the night shift
    before = _find_antecedent(model, parsed, [m for m in earlier if not own or _compatible(model, now, m)], opening)
    if before is None:
        return None
    before = uncounted(parsed, before, earlier)
    if opening.returns:  # words that identify the earlier request add nothing: "back to the Norton ones"
        told = {v.data for b in before.conditions for v in b.values}
        found = tuple(c for c in now.conditions if not {v.data for v in c.values} <= told)
        now = msgspec.structs.replace(now, conditions=found)
    if (within := _change_nested(model, parsed, before, opening)) is not None:
        return within
    if parsed.swap:
        before = swapped(model, before, parsed.swap)
    if parsed.headless and (changed := counted_otherwise(model, now, before, opening.text)):
        return changed, msgspec.structs.replace(before, having=())
    if opening.text.lower().startswith("no "):
        now = replace_denied_bounds(_denials_as_replacements(model, now, _fixed_columns(model, before.flags)), before)
    now = with_earlier_scale(now, before, opening.text)
    if opening.mends or opening.corrects:
        now = msgspec.structs.replace(now, conditions=tuple(align_half(c, before) for c in now.conditions))
    if _TOO.search(opening.text.lower().rstrip(" .?!")) and parsed.headless:
        now = add_earlier_values(model, now, before)
    before = widen_place(model, before, opening.text, within=True) or before
    kept, flags = _kept(model, parsed, now, before, opening)
    entities = now.entities if own else before.entities
    if before.rows and not (before.rows.entity and tied(model, (*entities, before.rows.entity))):
        return None
    narrowed = _nest_selection(model, parsed, before, entities) or ask_about_selected_row(parsed, before, opening.text)
    narrowed = narrowed or restrict_by_other_rows(model, parsed, before, opening.text)
    if narrowed is not None:
        return narrowed
    if counts_all(parsed, opening.text):  # counts all of them, not only the selected row
        before = msgspec.structs.replace(before, extremes=())
    if bounds_selection(model, parsed, before):
        before = msgspec.structs.replace(before, extremes=(), attributes=())
    merged = _merged(parsed, now, before, entities, (kept, flags), opening)
    taken = msgspec.structs.replace(
        Meaning(before.entities, conditions=kept, flags=flags, rows=before.rows, inside=before.inside),
        outside=merged.outside,
        among=merged.among,
    )
    return merged, taken


def _merged(
    parsed: Parsed,
    now: Meaning,
    before: Meaning,
    entities: tuple[str, ...],
    held: tuple[tuple[Condition, ...], tuple[Flagged, ...]],
    opening: Opening,
) -> Meaning:
    """Return the request merged with what still holds of the previous one."""
    (kept, flags), same = held, entities == before.entities
    now = share_among(now, before, held) if same else now
    pointing = "refer" in parsed.senses and not narrows_counted(opening.text)
    listed = bool(now.flags or now.conditions) and lists_things(opening.text)
    asked_of = asks_whether(opening.text) or asks_which(opening.text)
    kept_count = narrows_counted(opening.text) and not now.attributes
    goes_on = parsed.headless and same and not (pointing or now.extremes)
    return msgspec.structs.replace(
        now,
        entities=entities,
        attributes=now.attributes or (before.attributes if parsed.headless and not (asked_of or listed) else ()),
        conditions=(*kept, *now.conditions),
        flags=(*flags, *now.flags),
        extremes=_grouped_superlatives(now, before, parsed.headless)
        or (before.extremes if same and not parsed.senses & {"superlative"} else ()),
        either=now.either or tuple(g for g in before.either if not any(c.attribute in _said(now) for c in g)),
        having=now.having or tuple(h for h in before.having if same),
        compared=now.compared or tuple(c for c in before.compared if same),
        distinct=now.distinct or (before.distinct and goes_on and not now.attributes),
        count=now.count or (before.count and (parsed.headless or kept_count) and not (pointing or now.extremes)),
        aggregate=now.aggregate or (before.aggregate if goes_on and not (now.attributes or now.count) else ""),
        per=now.per or (before.per if goes_on else ""),
        pick=now.pick or (before.pick if goes_on else ""),
        by=now.by or (before.by if goes_on else ""),
        span=now.span if now.by else before.span if goes_on else "",
        rows=before.rows,
        inside=before.inside,
        outside=before.outside if same else None,
        among=before.among if same else (),
        whole=now.whole,
    )


def _find_antecedent(
    model: DomainModel, parsed: Parsed, fitting: Sequence[Meaning], opening: Opening
) -> Meaning | None:
    """Return the antecedent of this request among those that fit it, or None."""
    now = parsed.meaning
    if parsed.headless and (now.conditions or now.flags) and not parsed.senses & {"refer"}:
        # "on tuesday" after "the second one" refers to other rows
        others = (replace_row_by_name(model, now, m) for m in fitting)
        fitting = [m for m in others if m.rows is None or m.rows.by_hand or m.rows.entity not in m.entities]
        fitting = [m for m in fitting if not restricts_one_row(model, now, m)] or fitting
    if parsed.swap:  # "and back" after a taxi request reverses the latest request that had both ends
        ends = {*model.swap[parsed.swap].exchange}
        fitting = [m for m in fitting if ends & {c.attribute for c in m.conditions}] or fitting
        fitting = lists_between(model, fitting, ends)
    if not fitting:
        return None
    if opening.named and now.compared:
        return None  # "who earns more than her" ranges over everybody; only her amount is taken over
    before = _resumed(parsed, fitting, opening.text) if opening.returns else _antecedent(parsed, fitting)
    return None if before is None or (stands_alone(model, parsed, opening) and person_named(model, before)) else before


def _change_nested(
    model: DomainModel, parsed: Parsed, before: Meaning, opening: Opening
) -> tuple[Meaning, Meaning] | None:
    """Return a change to the superlative nested in the previous request: "and from Sutton" after the price of the cheapest
    book from Norton; None when none of its conditions is restated."""
    inner, now = before.inside, parsed.meaning
    if inner is None or not parsed.headless or not changes_nested(model, parsed, inner, before):
        return None
    alone = msgspec.structs.replace(parsed, meaning=msgspec.structs.replace(now, entities=inner.entities))
    if len(_said(now)) > 1:  # with several new conditions, the superlative no longer applies
        inner = msgspec.structs.replace(inner, extremes=())
    changed = merge_with_context(model, alone, (inner,), opening)
    if changed is None:
        return None
    return msgspec.structs.replace(before, inside=changed[0]), Meaning(before.entities, inside=changed[0])


def changes_nested(model: DomainModel, parsed: Parsed, inner: Meaning, outer: Meaning) -> bool:
    """Return whether a request restates conditions of the superlative nested in the previous one, or adds conditions that
    only fit it."""
    now = parsed.meaning
    said, of = {c.attribute for c in now.conditions}, {*inner.entities} - {*outer.entities}
    own = {model.attribute[c.attribute].of for c in now.conditions} | {
        model.flag[n].of for f in now.flags for n in f.flags
    }
    return bool(said) and (said <= {c.attribute for c in inner.conditions} or own <= of)


def _grouped_superlatives(now: Meaning, before: Meaning, headless: bool) -> tuple[Extreme, ...]:
    """Return the superlatives of this request, grouped as the previous one was: "and the youngest"."""
    each = before.extremes[0].each if headless and before.extremes else ""
    return tuple(msgspec.structs.replace(e, each=e.each or each) for e in now.extremes)


def _said(now: Meaning) -> set[str]:
    return {c.attribute for c in said_in(now)}


def _kept(
    model: DomainModel, parsed: Parsed, now: Meaning, before: Meaning, opening: Opening
) -> tuple[tuple[Condition, ...], tuple[Flagged, ...]]:
    """Return the earlier conditions and flags that remain valid with this request."""
    said = _said(now)
    # "from Austin", then "to Austin": a value that moves to another attribute leaves the first
    again = {v for c in now.conditions for v in c.values if v.kind in model.kind or opening.corrects}
    beside = {c.attribute for c in now.conditions if not c.negated or opening.corrects or again & _values_of(before)}
    left = [c for c in before.conditions if c.attribute not in said & beside or is_within_year(c, now.conditions)]
    kept = tuple(c for c in left if not again & set(c.values))
    kept = tuple(c for c in kept if not any(constrain_one_reference(model, other, c) for other in now.conditions))
    kept = _without_narrower_name(model, parsed, kept, opening)
    if (opening.corrects or opening.mends) and _tells_time(model, now.conditions):
        kept = tuple(c for c in kept if not _tells_time(model, [c]))  # "by nine, I mean get there by nine"
    held, alike = _fixed_columns(model, now.flags), _ONES.search(opening.text.lower())
    closed = {column for f in now.flags if (column := _column(model, f))}
    kept = tuple(c for c in kept if not held.keys() & _columns(model, c) and not closed & _named(model, c))
    flags = tuple(f for f in before.flags if not _same_group(model, f, now.flags))
    flags = tuple(f for f in flags if not any(held.get(k, v) != v for k, v in _fixed_columns(model, [f]).items()))
    if opening.corrects and not alike:
        flags = tuple(f for f in flags if not any(_replaces(model, other, f) for other in now.flags))
        denied = {frozenset(_tested(model, f)) for f in now.flags if f.negated}
        kept = tuple(c for c in kept if not (c.negated and frozenset(_columns(model, c)) in denied))
    named = {column for c in now.conditions for column in _named(model, c)}
    named |= set() if alike else closed
    flags = tuple(f for f in flags if _column(model, f) not in named - {""} or f in now.flags)
    return kept, flags


def _tells_time(model: DomainModel, conditions: Sequence[Condition]) -> bool:
    """Return whether any condition is on a time of day."""
    return any(v.kind == "clock" and v.op != "period" for c in conditions for v in c.values)


def _values_of(meaning: Meaning) -> set[Value]:
    return {v for c in meaning.conditions for v in c.values}


def _nest_selection(
    model: DomainModel, parsed: Parsed, before: Meaning, entities: tuple[str, ...]
) -> tuple[Meaning, Meaning] | None:
    """Return the request about the row that the previous one selected ("what does that book cost"), with the selection nested
    in it; None when nothing was selected or the entity is the same."""
    now = parsed.meaning
    picked = before.extremes or before.having or before.pick or before.compared or before.outside or before.among
    if entities == before.entities or not picked or len(before.entities) != 1 or now.extremes or now.per:
        return None
    if not tied(model, (*entities, *before.entities)):
        return None
    inner = msgspec.structs.replace(before, attributes=(), count=False, aggregate="", named=False)
    inner = before if before.pick else inner  # the choice depends on the count or aggregate
    return msgspec.structs.replace(now, inside=inner), Meaning(entities, inside=inner)


def _fixed_columns(model: DomainModel, flags: Sequence[Flagged]) -> dict[str, str]:
    """Return the columns that flags fix to one value: "men" excludes "women", "clerks" secretaries."""
    tests = (test.partition(" = ") for f in flags if not f.negated for n in f.flags for test in model.flag[n].where)
    return {column: value for column, equals, value in tests if equals}


def _without_narrower_name(
    model: DomainModel, parsed: Parsed, kept: tuple[Condition, ...], opening: Opening
) -> tuple[Condition, ...]:
    """Return the conditions kept beside "the whole north": not the last named value, which is part of it."""
    said = {c.attribute for c in parsed.meaning.conditions}
    if not (parsed.headless and said and opening.mends and _WHOLE.search(opening.text.lower())):
        return kept
    if not any(v.kind in model.kind for c in parsed.meaning.conditions for v in c.values):
        return kept  # "all of last year" is no place that holds another
    named = [c for c in kept if not c.negated and all(v.kind in model.kind for v in c.values)]
    return tuple(c for c in kept if c not in named[-1:])


def _denials_as_replacements(model: DomainModel, now: Meaning, held: Mapping[str, str]) -> Meaning:
    """Return the meaning with denials read as replacements: "no clerks" after secretaries asks for clerks."""
    flags = []
    for flagged in now.flags:
        named = _fixed_columns(model, [Flagged(flagged.flags)])
        denies = flagged.negated and any(held.get(column, value) != value for column, value in named.items())
        flags.append(Flagged(flagged.flags) if denies else flagged)
    conditions = []
    for condition in now.conditions:
        said = {v.data[0] for v in condition.values}
        other = any(held[column].strip("'") not in said for column in _columns(model, condition) & held.keys())
        conditions.append(Condition(condition.attribute, condition.values) if other else condition)
    return msgspec.structs.replace(now, flags=tuple(flags), conditions=tuple(conditions))


def _replaces(model: DomainModel, flagged: Flagged, before: Flagged) -> bool:
    """Return whether a correcting flag tests the same columns as the earlier one."""
    tested = _tested(model, flagged)
    return flagged.negated == before.negated and bool(tested) and tested == _tested(model, before)


def _tested(model: DomainModel, flagged: Flagged) -> set[str]:
    return {column for n in flagged.flags for test in model.flag[n].where for column in _COLUMN.findall(test)}


def _columns(model: DomainModel, condition: Condition) -> set[str]:
    accepts = model.attribute[condition.attribute].accepts
    return {accepts[v.kind] for v in condition.values if v.kind in accepts}


def _named(model: DomainModel, condition: Condition) -> set[str]:
    """Return the columns that a condition compares with a name or number for equality."""
    plain = not condition.negated and all(v.op == "=" for v in condition.values)
    return _columns(model, condition) if plain else set()


def _column(model: DomainModel, flagged: Flagged) -> str:
    """Return the one column that a flag classifies, such as a kind of job; empty for a flag that sets a limit."""
    tests = [test for name in flagged.flags for test in model.flag[name].where]
    found = {column for test in tests for column in _COLUMN.findall(test)}
    plain = not flagged.negated and not any(set("<>!;") & set(test) for test in tests)
    return found.pop() if plain and len(found) == 1 else ""


def narrows_group(parsed: Parsed, before: Meaning) -> bool:
    """Return whether a bound may apply to grouped numbers: "only where it is above 43000"."""
    bounds = [c for c in parsed.meaning.conditions if any(v.op != "=" for v in c.values)]
    held = any(c.attribute in before.attributes for c in bounds) and bool(before.aggregate)
    return held or (bool(before.per or before.by) and bool(bounds) and "refer" in parsed.senses)


def resumes(parsed: Parsed, opening: Opening, earlier: Sequence[Meaning]) -> bool:
    """Return whether a request identifies the earlier one it returns to: that one contains all its conditions."""
    now = parsed.meaning
    returning = (opening.returns or "return" in parsed.senses) and not parsed.unused
    if returning and opening.returns and find_returned_list(parsed, opening.text, earlier):
        return True
    return returning and any(
        _values(now, True) <= _values(meaning, True) and {*now.flags} <= {*meaning.flags}
        for meaning in earlier
        if now.conditions or now.flags
    )


def _resumed(parsed: Parsed, earlier: Sequence[Meaning], text: str) -> Meaning | None:
    """Return the latest request that "go back to the books in Norton" can return to: one that contains all its conditions."""
    now = parsed.meaning
    if whole := find_returned_list(parsed, text, earlier):
        return whole
    for exactly in (True, False):
        values = _values(now, exactly)
        found = [
            m for m in earlier if (parsed.headless or m.entities == now.entities) and values <= _values(m, exactly)
        ]
        told = [m for m in found if {*now.flags} <= {*m.flags}] or found
        if told:
            return msgspec.structs.replace(told[0 if _ALL_OF.search(text.lower()) else -1], extremes=())
    return None


def _antecedent(parsed: Parsed, earlier: Sequence[Meaning]) -> Meaning:
    if "return" in parsed.senses:
        for exactly in (True, False):
            values = _values(parsed.meaning, exactly)
            for meaning in reversed(earlier):
                if values & _values(meaning, exactly):
                    return meaning
    return earlier[-1]


def _values(meaning: Meaning, exactly: bool) -> set[tuple[object, ...]]:
    """Return the values of the conditions, with their attributes if `exactly`."""
    return {(c.attribute if exactly else "", *v.data) for c in meaning.conditions for v in c.values}


def _same_group(model: DomainModel, flagged: Flagged, now: Sequence[Flagged]) -> bool:
    """Return whether this request repeats the flag or has one that excludes it."""
    said = {name for f in now for name in f.flags}
    groups = {model.flag[name].group for name in said} - {""}
    return any(name in said or model.flag[name].group in groups for name in flagged.flags)


def _compatible(model: DomainModel, now: Meaning, before: Meaning) -> bool:
    """Return whether the earlier conditions can apply to the entities requested now."""
    spoken_of = {model.attribute[c.attribute].of for c in before.conditions}
    for name in now.entities:
        related = model.entity[name].related
        if related is not None and not spoken_of <= {name, *related}:
            return False
    return True
