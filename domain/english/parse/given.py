"""Conditions while they are being put together, value by value."""

from __future__ import annotations

import msgspec

from domain.english.model.meaning import Condition, Value


class Given(msgspec.Struct):
    """A condition while it is being put together."""

    attribute: str
    values: list[Value]
    negated: bool
    cued: bool = False

    def condition(self) -> Condition:
        return Condition(self.attribute, tuple(self.values), self.negated)
