"""Memory of a domain: requests with verified SQL in its `requests.jsonl`, which answer the same request again.

Requests are the same when their normalized words are, in the same context or in one without effect; there is no fuzzy
matching.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from domain.check.kept_requests import KEPT, KeptRequest, read_kept
from domain.english.model.value_index import Phrase, phrase


class Verified(msgspec.Struct, frozen=True):
    """A verified statement and its origin."""

    sql: str
    origin: str


class VerifiedRequests:
    """The verified requests of one domain folder; immutable once built."""

    def __init__(self, kept: Sequence[tuple[int, KeptRequest]] = ()) -> None:
        self._known: dict[tuple[Phrase, ...], Verified] = {}
        self._longest = 0
        for line, request in kept:
            key = (*map(phrase, request.context), phrase(request.question))
            origin = ", ".join(filter(None, (f"{KEPT}:{line}", str(request.id), request.note)))
            origin = origin.replace("(", "[").replace(")", "]")  # the origin is shown in parentheses
            self._known.setdefault(key, Verified(request.statements[0], origin))
            self._longest = max(self._longest, len(request.context))

    @classmethod
    def of(cls, folder: Path) -> VerifiedRequests:
        """Return the memory of a domain folder, empty if it has none; DomainError names an invalid line."""
        return cls(read_kept(folder / KEPT))

    def find(self, text: str, earlier: Sequence[str], alone: bool) -> Verified | None:
        """Return the statement of the same request in the longest matching context; `alone` says that the context has no
        effect on it."""
        said, before = phrase(text), [phrase(one) for one in earlier]
        for length in range(min(self._longest, len(before)), 0, -1):
            if found := self._known.get((*before[-length:], said)):
                return found
        return self._known.get((said,)) if alone or not before else None
