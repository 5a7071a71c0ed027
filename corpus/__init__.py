"""Corpora on disk: formats, exports, hold-out, packages, verification, withdrawal, reports; `open_corpus` and
`open_package` for notebooks."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corpus.opened_corpus import open_corpus as open_corpus
    from corpus.packages.reading.package_readers import open_package as open_package


def __getattr__(name: str) -> Any:
    # Only then: whoever wants the names of the formats alone waits for no library of numbers.
    if name == "open_corpus":
        from corpus.opened_corpus import open_corpus as found

        return found
    if name == "open_package":
        from corpus.packages.reading.package_readers import open_package as reading

        return reading
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
