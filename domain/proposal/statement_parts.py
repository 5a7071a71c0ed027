"""The parts of a statement as they are said, each with what of a request could mean it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlglot import exp

Keys = frozenset[str]
NOT, COUNT, GROUP, EXTREME = "not", "count", "group", "extreme"


class StatementPart(msgspec.Struct, frozen=True):
    """A condition of a statement, or something else without which it would answer another request. `keys` are what it speaks
    of; of each set in `needs` a request must have one; `roles` are the attributes that it may be for
    the domain, `bound` tells < from >."""

    said: str
    keys: Keys = frozenset()
    needs: tuple[Keys, ...] = ()
    roles: Keys = frozenset()
    bound: str = ""


class StatementReading(msgspec.Struct, frozen=True):
    """A statement in parts: what it asks for (`asked`), its parts in order, and what it speaks of beside these."""

    asked: str
    parts: tuple[StatementPart, ...]
    keys: Keys

    def paraphrase(self, carried: Sequence[StatementPart] = ()) -> str:
        """The statement in English, what was taken over from earlier requests first."""
        own = " ".join((self.asked, *(part.said for part in self.parts if part not in carried and part.said)))
        taken = ", ".join(part.said for part in carried if part.said)
        own = own.replace(" ,", ",")
        return f"(from before: {taken}) {own}" if taken else own

    @property
    def spoken(self) -> Keys:
        """Everything that the statement speaks of."""
        return self.keys.union(*(part.keys.union(*part.needs) for part in self.parts))


def literal_of(tree: Any) -> str | float | None:
    """The value of a literal, the signs of a pattern left out; None if it is none."""
    sign = -1 if isinstance(tree, exp.Neg) else 1
    tree = tree.this if isinstance(tree, exp.Neg) else tree
    if not isinstance(tree, exp.Literal):
        return None
    text = str(tree.this)
    if tree.is_string:
        return text.strip("%") or text
    number = float(text)
    return sign * (int(number) if number.is_integer() and abs(number) < 1e15 else number)
