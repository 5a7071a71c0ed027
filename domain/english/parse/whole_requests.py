"""Requests that say so much that they are about everything, whatever was asked before.

"The fewest seats of any machine" ranks all of them, "hired after 1988 and earning over fifty thousand" says nothing of the one
person named before, and what names again a condition that already holds begins anew.
"""

from __future__ import annotations

import re

from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Condition, Meaning, identified_table
from domain.english.parse.parser import Parsed

_POINTS = re.compile(
    r"\b(?:those|these|them|they|it|its|their|that one|this one|same|only|just|ones?|instead|too|as well|also|again|he|she|his"
    r"|her|him|other|others|else|there|more(?! than)|then)\b|^(?:and|or|but|what about|how about)\b|\b(?:i mean|i meant|i said)\b"
)
_OF_ALL = re.compile(
    r"\b(?:of|among|out of) (?:any|every|all(?: the| our)?) (?!(?:of|those|these|them|the (?:two|three|ones))\b)[a-z]+"
    r"|\bour (?:very )?(?:most |least )?(?:[a-z]+est|best|worst|first|last|longest serving)\b"
    r"|\b(?:in the (?:whole|entire) [a-z]+|of (?:everybody|everyone|anybody|anyone)(?! there\b)|anywhere at all"
    r"|in the (?:world|company))\b"
)
_SOMEBODY = re.compile(
    r"^(?:(?:is|are) there |do we have |have we got |now |ok )*(?:any|some|every)(?:body|one|thing)?\b"
)
_WHETHER = re.compile(
    r"^(?:(?:and|but|so|then|ok|okay|well) )*(?:is|are|was|were|do|does|did|has|have|can|could|will|would)\b"
)


def is_whole(model: DomainModel, plain: str, parsed: Parsed, meaning: Meaning, before: Meaning) -> bool:
    """Return whether a meaning takes something over for a request that is about everything."""
    now = parsed.meaning
    if meaning == now or before.rows is not None:
        return False
    if now.extremes and _OF_ALL.search(plain):
        return True
    said = len(now.conditions) + len(now.flags) + len(now.extremes)
    if said < 2 or _POINTS.search(plain) or _WHETHER.match(plain) or parsed.swap:
        return False
    return (
        narrows_one(model, now, meaning)
        or (_says_again(now, before) and (not parsed.headless or _SOMEBODY.match(plain) is not None))
        or _of_other_things(model, parsed, meaning)
        or bool((meaning.compared and not now.compared) or (meaning.having and not now.having))
    )


def narrows_one(model: DomainModel, now: Meaning, meaning: Meaning) -> bool:
    """Return whether what is said now would limit the one row that was named before."""
    table = model.entity[meaning.entities[0]].table
    old = (c for c in meaning.conditions if c not in now.conditions and not c.negated and len(c.values) == 1)
    return any(identified_table(model, c) == table for c in old)


def _says_again(now: Meaning, before: Meaning) -> bool:
    """Return whether a request says something again that holds, beside something new."""
    said = [*map(_told, now.conditions), *now.flags]
    held = {*map(_told, before.conditions), *before.flags}
    again = [part for part in said if part in held]
    return bool(again) and len(again) < len(said)


def _told(condition: Condition) -> tuple[object, ...]:
    return condition.attribute, condition.negated, tuple((v.kind, v.op, v.data) for v in condition.values)


def _of_other_things(model: DomainModel, parsed: Parsed, meaning: Meaning) -> bool:
    """Return whether a superlative and sort of one thing would limit another, of which something else was asked: "richest
    accountant" after the schools of some people."""
    now = parsed.meaning
    if not (parsed.headless and now.extremes) or meaning.entities == now.entities:
        return False
    tables = {model.entity[name].table for name in meaning.entities}
    own = {extreme.column.partition(".")[0] for extreme in now.extremes}
    return bool(now.flags or now.conditions) and not own & tables
