"""The parts of a statement: their wording, and the words of a request that can correspond to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlglot import exp

Keys = frozenset[str]
NOT, COUNT, GROUP, EXTREME = "not", "count", "group", "extreme"


class StatementPart(msgspec.Struct, frozen=True):
    """A condition of a statement, or another part that affects its answer. `keys` are what it refers to; a request must
    contain one key of each set in `needs`; `roles` are the attributes it may stand for in the domain, `bound` tells < from
    >."""

    said: str
    keys: Keys = frozenset()
    needs: tuple[Keys, ...] = ()
    roles: Keys = frozenset()
    bound: str = ""


class StatementReading(msgspec.Struct, frozen=True):
    """A statement in parts: its projection (`asked`), its parts in order, and the other keys it refers to."""

    asked: str
    parts: tuple[StatementPart, ...]
    keys: Keys

    def paraphrase(self, carried: Sequence[StatementPart] = ()) -> str:
        """Return the statement in English, with what was taken over from earlier requests first."""
        own = " ".join((self.asked, *(part.said for part in self.parts if part not in carried and part.said)))
        taken = ", ".join(part.said for part in carried if part.said)
        own = own.replace(" ,", ",")
        return f"(from before: {taken}) {own}" if taken else own

    @property
    def spoken(self) -> Keys:
        """Return all keys that the statement refers to."""
        return self.keys.union(*(part.keys.union(*part.needs) for part in self.parts))


def literal_of(tree: Any) -> str | float | None:
    """Return the value of a literal without pattern wildcards; None if it is none."""
    sign = -1 if isinstance(tree, exp.Neg) else 1
    tree = tree.this if isinstance(tree, exp.Neg) else tree
    if not isinstance(tree, exp.Literal):
        return None
    text = str(tree.this)
    if tree.is_string:
        return text.strip("%") or text
    number = float(text)
    return sign * (int(number) if number.is_integer() and abs(number) < 1e15 else number)
