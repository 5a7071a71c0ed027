"""Corpora on disk: formats, exports, hold-out, packages, verification, withdrawal, reports; `open_corpus` for notebooks."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corpus.opened_corpus import open_corpus as open_corpus


def __getattr__(name: str) -> Any:
    # Only then: whoever wants the names of the formats alone waits for no library of numbers.
    if name == "open_corpus":
        from corpus.opened_corpus import open_corpus as found

        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
