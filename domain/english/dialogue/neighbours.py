"""Steps from what was spoken of to what comes after it or before: "the next one", "the day before".

The words are put that name it: the weekday or date, the number of the row, or the place in an order.
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
_BACKWARDS = frozenset(["before", "previous", "preceding", "earlier", "sooner"])
_NEXT = re.compile(
    r"(?P<lead>(?:(?:and|so|ok|what about|how about|now|then|show me|what is|which is|tell me about|or|i would like"
    r"|i want|i will take"
    r"|give me|can i have|let us take|i need) )*)"
    r"the (?:(?P<next>next|following)|(?P<before>previous|preceding)|one (?P<side>after|before))(?: one)?"
    r"(?: (?:after|before) (?:that|it)| (?:that|it)| please| then)*(?P<rest>(?: (?:what|how|when|where|which|is|does|do) .*)?)"
)


def other_day(text: str, before: Meaning) -> str:
    """The request with the name of the day in the place of "the day before", where a day was spoken of."""
    found = _DAY.search(text)
    if not found:
        return text
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


def next_in_order(before: Meaning, plain: str) -> Meaning | None:
    """The one that comes after the first or the cheapest, which was asked for before; None where a request says anything
    else."""
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


def next_row(model: DomainModel, text: str, shown: EarlierTurn, entity: str, before: Meaning | None) -> str:
    """The request with the number of the row in the place of "the next one", after one row of an answer was spoken of."""
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
