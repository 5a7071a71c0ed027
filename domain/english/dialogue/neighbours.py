"""Steps to a neighbour of the previous referent: "the next one", "the day before".

The expression is replaced by an explicit one: a weekday or date, a row number, or a rank.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

import msgspec

from domain.english.dialogue.references import EarlierTurn, shown_keys
from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Meaning
from domain.english.text.numbers import ORDINAL_WORDS
from domain.english.text.times import MONTHS, WEEKDAYS

_DAY = re.compile(
    r"\b(?:on )?(?:the (?:day (?P<side>before|after)|(?P<next>next|following|previous|preceding) day)|(?:a"
    r"|one) day (?P<sooner>earlier|later|sooner"
    r"|before|after))(?: that| then)?(?! tomorrow| yesterday)\b",
    re.IGNORECASE,
)
_SAME_DAY = re.compile(
    r"\b(?:on )?(?:that|the same|that same) (?:very )?day\b(?! (?:before|after|of)\b)", re.IGNORECASE
)
_OTHER = re.compile(r"\bthe other(?: one)?\b(?! (?:[a-z]+s|day|way|side|direction)\b)")
_BACKWARDS = frozenset(["before", "previous", "preceding", "earlier", "sooner"])
_NEXT = re.compile(
    r"(?P<lead>(?:(?:and|so|ok|what about|how about|now|then|show me|what is|which is|tell me about|or|i would like"
    r"|i want|i will take"
    r"|give me|can i have|let us take|i need) )*)"
    r"the (?:(?P<next>next|following)|(?P<before>previous|preceding)|one (?P<side>after|before))(?: one)?"
    r"(?: (?:after|before) (?:that|it)| (?:that|it)| please| then)*(?P<rest>(?: (?:what|how|when|where|which|is|does|do) .*)?)"
)


def replace_neighbour_day(text: str, before: Meaning) -> str:
    """Return the request with "the day before" replaced by the day, where the previous meaning has one."""
    found = _DAY.search(text) or _SAME_DAY.search(text)
    if not found:
        return text
    if found.re is _SAME_DAY:
        return _replace_same_day(text, found, before)
    back = bool(_BACKWARDS & {found["side"], found["next"], found["sooner"]})
    for condition in reversed(before.conditions):
        for value in condition.values:
            if value.kind == "weekday" and not condition.negated:
                at = WEEKDAYS.index(str(value.data[0]).lower())
                day = f"on {WEEKDAYS[(at + (-1 if back else 1)) % len(WEEKDAYS)]}"
            elif value.kind == "date" and value.op == "=" and len(value.data) == 3:
                then = date(*map(int, value.data)) + timedelta(days=-1 if back else 1)
                day = f"on {MONTHS[then.month - 1]} {then.day}"
            else:
                continue
            return text[: found.start()] + day + text[found.end() :]
    return text


def _replace_same_day(text: str, found: re.Match[str], before: Meaning) -> str:
    """Return the request with "that day" replaced by the weekday of the previous meaning."""
    said = [v for c in before.conditions if not c.negated for v in c.values if v.kind == "weekday"]
    if len(said) != 1:
        return text
    return f"{text[: found.start()]}on {str(said[0].data[0]).lower()}{text[found.end() :]}"


def take_next_rank(before: Meaning, plain: str) -> Meaning | None:
    """Return the request for the next rank after a superlative; None when the request says anything else."""
    found = _NEXT.fullmatch(plain) or re.fullmatch(
        r"(?:(?:and|so|ok) )*(?:the )?next(?: one| [a-z]+est| most expensive)?(?P<rest>)(?: please| then)*", plain
    )
    extreme = before.extremes[0] if len(before.extremes) == 1 else None
    if (
        not found
        or found["rest"]
        or extreme is None
        or extreme.number != 1
        or extreme.each
        or "before" in plain.split()
    ):
        return None
    return msgspec.structs.replace(before, extremes=(msgspec.structs.replace(extreme, place=extreme.place + 1),))


def replace_other_row(model: DomainModel, text: str, shown: EarlierTurn, entity: str, before: Meaning | None) -> str:
    """Return the request with "the other one" replaced by a row number, where one of two rows shown was asked about."""
    found = _OTHER.search(text.lower())
    rows = before.rows if before else None
    keys = shown_keys(model, shown, entity) if found and rows and not rows.by_hand and len(rows.keys) == 1 else []
    if not (found and rows) or len(keys) != 2 or rows.keys[0] not in keys:
        return text
    other = "second" if keys.index(rows.keys[0]) == 0 else "first"
    return f"{text[: found.start()]}the {other} one{text[found.end() :]}"


def replace_next_row(model: DomainModel, text: str, shown: EarlierTurn, entity: str, before: Meaning | None) -> str:
    """Return the request with "the next one" or "the other one" replaced by a row number, after a request about one row."""
    text = replace_other_row(model, text, shown, entity, before)
    found = _NEXT.fullmatch(text.lower().strip(" ?.!"))
    rows = before.rows if before else None
    if not found or rows is None or rows.by_hand or len(rows.keys) != 1:
        return text
    keys = shown_keys(model, shown, entity)
    at = keys.index(rows.keys[0]) if rows.keys[0] in keys else -1
    at += -1 if found["before"] or found["side"] == "before" else 1
    ordinals = [*ORDINAL_WORDS]
    if not 0 <= at < min(len(keys), len(ordinals)) or rows.keys[0] not in keys:
        return text
    return f"{found['lead']}the {ordinals[at]} one{found['rest']}"
