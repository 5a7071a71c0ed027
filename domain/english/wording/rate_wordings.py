"""Rates and fees in plainer words: "twice a day" as "with two doses per day", "what does she charge" as "what is her fee".

The words are those of the domain's only attribute that counts per day, or that is charged; a domain without one is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from domain.english.model.domain import Attribute, DomainModel

_TIMES = {"once": "one", "twice": "two", "thrice": "three"}
_NUMBER = r"one|two|three|four|five|six|seven|eight|nine|ten|twelve|[0-9]+"
_EACH = r"(?:a|an|per|each|every)"
_WHOM = (
    r"(?P<whom>he or she|she or he|he|she|they|it|that|those|these|(?:the |that |doctor |mr |mrs "
    r"|ms )?[a-z]+(?: [a-z]+)?)"
)
_CHARGE = re.compile(
    rf"\bwhat (?:does|do|did|would|will) {_WHOM} charge(?: (?:me|us|you|people|patients|clients|customers))?"
    r"(?: (?:for|per) (?:(?:a|an|one|each|every) )?[a-z]+| an? [a-z]+)?$"
)
_UNITS = ("day", "week", "month", "year", "hour", "night")


class RateWordings:
    """Applies the rules in one domain."""

    def __init__(self, model: DomainModel) -> None:
        asked = [a for a in model.attribute.values() if a.words and a.select]
        charged = [a for a in asked if {"charge", "charges"} & {*a.cues}]
        self._charged = charged[0].words[0] if len(charged) == 1 else ""
        self._rules: list[tuple[re.Pattern[str], Callable[[re.Match[str]], str]]] = []
        for unit in _UNITS:
            rates = [a for a in asked if a.words[0].endswith(f" per {unit}") and "number" in a.accepts]
            if len(rates) == 1:
                self._add(unit, rates[0])

    def _add(self, unit: str, rate: Attribute) -> None:
        """Add the rules for the rate in this unit of time."""
        name = rate.words[0]
        daily = rf"(?:{_EACH} {unit}|daily)" if unit == "day" else rf"(?:{_EACH} {unit}|{unit}ly)"
        self._rules += [
            (
                re.compile(rf"\bhow (?:many times|often) {daily}(?P<rest>.*)$"),
                lambda m: f"{name} of{m['rest']}" if m["rest"].strip() else f"{name} of that",
            ),
            (
                re.compile(
                    rf"(?:^make (?:that|it) |\b(?:with |at )?)\b(?:(?P<n>{_NUMBER}) times|(?P<times>once"
                    rf"|twice|thrice)) {daily}\b"
                ),
                lambda m: f"with {name} {m['n'] or _TIMES[m['times']]}",
            ),
        ]

    def put(self, plain: str) -> str:
        """Return the request in plainer words."""
        for pattern, put in self._rules:
            plain = pattern.sub(put, plain)
        return _CHARGE.sub(self._fee, plain) if self._charged else plain

    def _fee(self, found: re.Match[str]) -> str:
        whom = found["whom"]
        whom = "them" if whom in {"he or she", "she or he", "they", "those", "these"} else whom
        return (
            f"what is the {self._charged} of {whom}"
            if whom not in {"he", "she", "it"}
            else (f"what is {'his' if whom == 'he' else 'her' if whom == 'she' else 'its'} {self._charged}")
        )
