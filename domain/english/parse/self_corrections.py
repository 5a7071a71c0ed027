"""Self-corrections within one request: retracted words are removed before the request is parsed.

"On tuesday no wednesday" is on Wednesday, "by Ann i mean by Ben" is by Ben, "on monday … tuesday" is on Tuesday. The
words after a correction replace what they can stand for: a value the last value of its kind, along with its preposition
if that is repeated; an entity the last entity; a complete new question everything before it.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.english.model.domain import DomainModel
from domain.english.parse.negation_scope import distribute_negation
from domain.english.parse.tagger import Item
from domain.english.parse.value_kinds import accepted

_ONLY_CUES = ("cue", "fill", "compare", "asked", "and")
_DAYS = frozenset({"weekday", "date"})
_LISTING = ("and", "or")
_DENYING = frozenset(["no"])
_BEFORE_A_DENIAL = frozenset(["but", "and", "with", "have", "has", "had", "having", "there are"])


def corrected(model: DomainModel, items: Sequence[Item]) -> tuple[Item, ...]:
    """Return the items without retracted words and without the words of correction, with each negation distributed over
    its conjuncts."""
    left = list(items)
    at = next((at for at in range(1, len(left)) if _restarts(left, at)), None)
    while at is not None:
        end = at + 1
        while end < len(left) and (left[end].has("restart") or left[end].words in _DENYING):
            end += 1
        kept = _repaired(model, left[:at], left[end:], all(i.words in _DENYING for i in left[at:end]))
        kept = kept or _later_of_two(left[:at], left[end:])
        start = end if kept is None else 0
        left = left if kept is None else kept
        at = next((n for n in range(max(1, start), len(left)) if _restarts(left, n)), None)
    return distribute_negation(model, _later_weekday(left))


def _later_of_two(before: list[Item], after: list[Item]) -> list[Item] | None:
    """Return the items with the later of two adjacent values in one role: "to Bonn to Trier, I mean"."""
    places = [n for n in range(len(before) - 1, -1, -1) if not _fills(before[n])][:4]
    if len(places) < 4:
        return None
    value, cue, old, again = places
    same = before[cue].words == before[again].words and before[cue].has("cue")
    replaced = before[old].has("unknown") or _kinds(before[old]) & _kinds(before[value])
    if not same or not _kinds(before[value]) or not replaced:
        return None
    return [*before[:again], *before[cue:], *after]


def _restarts(items: Sequence[Item], at: int) -> bool:
    """Return whether words retract something; "with novels but no plays" and "that have no plays" are negations."""
    denies = items[at].words in _DENYING and items[at - 1].words in _BEFORE_A_DENIAL
    return items[at].has("restart") and not denies


def _repaired(model: DomainModel, before: list[Item], after: list[Item], unsure: bool) -> list[Item] | None:
    """Return the items when `after` corrects `before`, or None if it does not. If `unsure`, a mere "no" may be a
    negation."""
    if not after or not before:
        return None
    first = next((n for n, item in enumerate(after) if not _fills(item)), None)
    if first is None:
        return None if unsure else before
    if _asks_anew(after[first:]) and not unsure:
        return after
    if (again := _begun_again(before, after, first)) is not None:
        return again
    value = next((n for n, item in enumerate(after) if _kinds(item)), None)
    led = value is not None and all(any(map(item.has, _ONLY_CUES)) for item in after[:value])
    if value is not None and led and (replaced := _value_replaced(model, before, after, value)) is not None:
        return replaced
    asked = "aggregate" if after[first].has("aggregate") else "asked" if after[first].has("asked") else ""
    if asked and not unsure and (place := _last(before, asked)) is not None and not any(map(_kinds, before[place:])):
        return [*before[:place], *after[first:]]
    for what in ("flag", "superlative", "entity", "extreme"):
        if after[first].has(what) and (place := _last(before, what)) is not None:
            if unsure and place != len(before) - 1:
                return None
            return [*before[:place], *after[first : first + 1], *before[place + 1 :], *after[first + 1 :]]
    return None


def _begun_again(before: list[Item], after: list[Item], first: int) -> list[Item] | None:
    """Return the items with a route begun again: "Bonn Trier no Bonn Kiel"; None where it is not."""
    pair = after[first : first + 2]
    if len(pair) + len(before[:2]) < 4 or not all(map(_kinds, pair)) or not _kinds(pair[0]) & _kinds(pair[1]):
        return None
    places = [n for n, item in enumerate(before[:-1]) if item.words == pair[0].words and _kinds(before[n + 1])]
    if not places or not _kinds(before[places[-1] + 1]) & _kinds(pair[1]):
        return None
    return [*before[: places[-1]], *pair, *before[places[-1] + 2 :], *after[first + 2 :]]


def _value_replaced(model: DomainModel, before: list[Item], after: list[Item], value: int) -> list[Item] | None:
    """Return the items with the last value of a kind replaced, in the role named again or else in its own: "by Ann i mean
    by Ben"."""
    kinds = _kinds(after[value])
    fitting = [n for n, item in enumerate(before) if kinds & _kinds(item)]
    if not fitting:
        return None
    roles = _roles(model, after[:value], kinds)
    again = [n for n in fitting if roles & _roles(model, _led_by(before, n), kinds)]
    place = (again or fitting)[-1]
    said = _kinds(before[place]) & kinds
    if not said:
        return None
    lead = _led_by(before, place)
    cues = after[:value] if any(item.has("cue") or item.has("compare") for item in after[:value]) else lead
    # "from A no to A": the value remains, with another role
    start = place - len(lead)
    same = before[place].words == after[value].words or again or not roles
    if not same and fitting[-1] != len(before) - 1:
        return [*before, *after]
    return [*before[:start], *cues, after[value], *before[place + 1 :], *after[value + 1 :]]


def _led_by(items: Sequence[Item], at: int) -> list[Item]:
    """Return the words right before a value that introduce it."""
    start = at
    while start and not _kinds(items[start - 1]) and (items[start - 1].has("cue") or items[start - 1].has("compare")):
        if items[start - 1].has("entity") or items[start - 1].has("asked"):
            break
        start -= 1
    return list(items[start:at])


def _roles(model: DomainModel, items: Sequence[Item], kinds: set[str]) -> set[str]:
    """Return the attributes that these cues introduce for values of such kinds."""
    names = {sense.name for item in items for sense in item.all("cue")}
    return {name for name in names if kinds & accepted(model.attribute[name])}


def _later_weekday(items: list[Item]) -> list[Item]:
    """Return the items with the later of two adjacent weekdays: "on monday … tuesday", "on monday on tuesday"."""
    done: list[Item] = []
    for at, item in enumerate(items):
        listed = any(n.has(word) for n in items[at + 1 : at + 2] for word in _LISTING)
        back = len(done) - 1
        while back >= 0 and done[back].words in {"on", "the"}:
            back -= 1
        weekday = "weekday" in _kinds(item)
        if weekday and back >= 0 and "weekday" in _kinds(done[back]) and not listed and not _in_a_list(done, back):
            done = [*done[:back], *done[back + 1 :]]
        done.append(item)
    return done


def _in_a_list(items: Sequence[Item], at: int) -> bool:
    """Return whether another day or a conjunction stands right before."""
    return at > 0 and (bool(_DAYS & _kinds(items[at - 1])) or any(map(items[at - 1].has, _LISTING)))


def _asks_anew(items: Sequence[Item]) -> bool:
    """Return whether this is a complete question or command: "what are the prices of …"."""
    asks = items[0].has("ask") or items[0].has("wish")
    return asks and any(item.has("entity") or item.has("asked") for item in items[:6])


def _last(items: Sequence[Item], what: str) -> int | None:
    return next((n for n in range(len(items) - 1, -1, -1) if items[n].has(what)), None)


def _kinds(item: Item) -> set[str]:
    """Return the kinds of value that an item can be; an amount of money may also be given as a number, a day as a date."""
    found = {sense.name for sense in item.senses if sense.what == "value"}
    found |= {"day"} if found & _DAYS else set()
    return found | {"number"} if "money" in found else found


def _fills(item: Item) -> bool:
    return item.has("fill") and not item.has("value") and not item.has("cue")
