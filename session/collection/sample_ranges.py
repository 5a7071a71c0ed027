"""Spans of samples, (first, count), as sorted lists without overlap: what a take lacks."""

from collections.abc import Sequence

Span = tuple[int, int]


def without(spans: Sequence[Span], gone: Span) -> list[Span]:
    """`spans` minus the samples of `gone`."""
    start, end = gone[0], gone[0] + gone[1]
    rest: list[Span] = []
    for first, count in spans:
        before, after = min(first + count, start), max(first, end)
        if before > first:
            rest.append((first, before - first))
        if after < first + count:
            rest.append((after, first + count - after))
    return rest


def punched(spans: Sequence[Span], more: Span) -> list[Span]:
    """`spans` and the samples of `more` too."""
    return sorted(span for span in [*without(spans, more), more] if span[1])
