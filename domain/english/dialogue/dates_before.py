"""Dates that continue those of the previous request: "in december" after those hired in 1988, "only 56" after 1955 to 1957."""

from __future__ import annotations

import re
from collections.abc import Sequence

from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Condition, Meaning
from domain.english.text.times import MONTHS

_TWO_DIGITS = re.compile(
    r"^(?P<lead>(?:(?:and|but|no|ok|now|only|just|what about|how about|make it|make that|change it to|try|in|for"
    r"|from|since|after"
    r"|before|until|the year|or|then|the ones from|those from|back to|i mean|i meant|sorry"
    r"|actually) )*)'?(?P<year>[0-9]{2})(?P<rest>(?: only| please| then"
    r"| instead)*)$"
)

_PRESENT = ("this month", "this week", "today", "tomorrow", "this year", "next week", "next month")
_MONTH = re.compile(
    rf"\b(?:in|for|during|throughout|all) (?:{'|'.join(MONTHS)})\b(?! (?:[0-9]|nineteen|twenty|two thousand|the))"
)


def is_within_year(before: Condition, now: Sequence[Condition]) -> bool:
    """Return whether a month now narrows the year that an attribute was restricted to before."""
    months = [c for c in now if c.attribute == before.attribute and not c.negated]
    yearly = bool(before.values) and not before.negated and all(v.kind == "year" for v in before.values)
    return yearly and bool(months) and all(v.kind == "month" and v.op == "=" for c in months for v in c.values)


def complete_year(model: DomainModel, text: str, before: Meaning) -> str:
    """Return the request with "56" as a year of the century that the previous request spoke of, and "in june" as June of the year
    of "this month"."""
    present = [v for c in before.conditions for v in c.values if v.kind == "date" and v.say.startswith(_PRESENT)]
    if present and (month := _MONTH.search(text.lower())):
        return f"{text[: month.end()]} {present[-1].data[0]}{text[month.end() :]}"
    found = _TWO_DIGITS.match(text.lower().strip(" ?.!"))
    dated = [(c.attribute, v.data[0]) for c in before.conditions for v in c.values if v.kind in {"year", "date"}]
    if not found or not dated or not isinstance(dated[-1][1], int):
        return text
    attribute, year = dated[-1]
    cue = next(iter(model.attribute[attribute].cues), "")
    how = next(iter(re.findall(r"\b(?:since|after|before|until) $", found["lead"])), "")
    return f"{cue} {how}{int(year) // 100}{found['year']}"
