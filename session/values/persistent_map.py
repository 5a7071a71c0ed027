"""A mapping that never changes and of which a changed copy costs next to nothing, however much it holds.

A fold makes a new state for every fact. Were its mappings copied whole each time, the ten-thousandth utterance would cost a
hundred times what the hundredth did.
"""

from collections.abc import Iterator, Mapping
from itertools import chain
from math import isqrt
from typing import Generic, TypeVar

Key = TypeVar("Key")
Item = TypeVar("Item")

_SMALLEST = 16


class GrowingMap(Mapping[Key, Item], Generic[Key, Item]):
    """Items in the order in which their keys first came; `reversed` gives the last key first.

    What changed lately is in a small layer over a large one that many copies share; when the small one outgrows the square
    root of the large one, both become one.
    """

    __slots__ = ("_base", "_length", "_recent")

    def __init__(self) -> None:
        self._base: dict[Key, Item] = {}
        self._recent: dict[Key, Item] = {}
        self._length = 0

    def put(self, key: Key, item: Item) -> "GrowingMap[Key, Item]":
        """Return all of this with `item` under `key`, at the place of an earlier one or else last."""
        changed: GrowingMap[Key, Item] = GrowingMap()
        changed._base, changed._recent = self._base, {**self._recent, key: item}
        changed._length = self._length + (key not in self)
        if len(changed._recent) > max(_SMALLEST, isqrt(len(self._base))):
            changed._base, changed._recent = {**self._base, **changed._recent}, {}
        return changed

    def __getitem__(self, key: Key) -> Item:
        found = self._recent.get(key)
        return self._base[key] if found is None and key not in self._recent else found  # type: ignore[return-value]

    def __contains__(self, key: object) -> bool:
        return key in self._recent or key in self._base

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Key]:
        return chain(self._base, self._new(self._recent))

    def __reversed__(self) -> Iterator[Key]:
        return chain(self._new(reversed(self._recent)), reversed(self._base))

    def _new(self, keys: "Iterator[Key] | dict[Key, Item]") -> Iterator[Key]:
        return (key for key in keys if key not in self._base)

    def __repr__(self) -> str:
        return f"GrowingMap({dict(self)!r})"
