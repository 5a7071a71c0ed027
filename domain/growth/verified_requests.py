"""Memory of a domain: requests whose SQL somebody checked, in its `requests.jsonl`, answer again what is the same.

The same is the same words, as requests are read, after the same requests or after none that matter; nothing is taken for alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from domain.check.kept_requests import KEPT, KeptRequest, read_kept
from domain.english.model.value_index import Phrase, phrase


class Verified(msgspec.Struct, frozen=True):
    """A statement that was checked, and where that stands."""

    sql: str
    origin: str


class VerifiedRequests:
    """Checked requests of one domain folder; made once, then unchanging."""

    def __init__(self, kept: Sequence[tuple[int, KeptRequest]] = ()) -> None:
        self._known: dict[tuple[Phrase, ...], Verified] = {}
        self._longest = 0
        for line, request in kept:
            key = (*map(phrase, request.context), phrase(request.question))
            origin = ", ".join(filter(None, (f"{KEPT}:{line}", str(request.id), request.note)))
            origin = origin.replace("(", "[").replace(")", "]")  # it is shown in brackets
            self._known.setdefault(key, Verified(request.statements[0], origin))
            self._longest = max(self._longest, len(request.context))

    @classmethod
    def of(cls, folder: Path) -> VerifiedRequests:
        """The memory of a domain folder, empty if it has none; DomainError names a line that is none."""
        return cls(read_kept(folder / KEPT))

    def find(self, text: str, earlier: Sequence[str], alone: bool) -> Verified | None:
        """The statement of the same request after the same ones, the most of them first; `alone` says that those before it
        have no part in it."""
        said, before = phrase(text), [phrase(one) for one in earlier]
        for length in range(min(self._longest, len(before)), 0, -1):
            if found := self._known.get((*before[-length:], said)):
                return found
        return self._known.get((said,)) if alone or not before else None
