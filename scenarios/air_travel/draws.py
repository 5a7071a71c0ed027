"""Chance that is the same everywhere: SplitMix64, named streams, whole numbers only.

Python promises the sequence of `random.random` but not that of the functions drawing on it, and a database whose
SHA-256 stands in every answer must not change with the interpreter. A stream is named by what is drawn, so that
adding an airline does not shift the chances of the others.
"""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

_MASK = (1 << 64) - 1
Item = TypeVar("Item")


class Draws:
    """A stream of chances, fixed by seed and name."""

    def __init__(self, seed: int, *name: object) -> None:
        digest = hashlib.sha256("|".join(map(str, (seed, *name))).encode()).digest()
        self._state = int.from_bytes(digest[:8], "big")

    def below(self, bound: int) -> int:
        """A whole number from 0 to `bound` - 1; the bias of the remainder is below 2**-40 for what is drawn here."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return (mixed ^ (mixed >> 31)) % bound

    def pick(self, items: Sequence[Item]) -> Item:
        return items[self.below(len(items))]

    def chance(self, percent: int) -> bool:
        return self.below(100) < percent
