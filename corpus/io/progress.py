"""Progress of long work, on standard error: a bar where somebody looks at it, a line now and then in a file.

Short work says nothing, so that programs which read standard error are not disturbed.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TextIO, TypeVar

EVERY_S = 0.2
LINE_EVERY_S = 30.0
_WIDTH = 24
_KNOWN_FROM = 50  # from less than a fiftieth nobody can tell how long the rest will take: processes are still starting
Item = TypeVar("Item")


@contextmanager
def counting(
    err: TextIO | None, what: str, total: int = 0, now: Callable[[], float] = time.monotonic
) -> Iterator[Callable[[int], None]]:
    """Yields a function that is told how many are done, of about `total`.

    On a terminal it rewrites one line, and clears it in the end; in a file it writes a line each half minute; without `err`
    nothing.
    """
    if err is None:
        yield lambda _: None
        return
    terminal = err.isatty()
    began = last = now()

    def tell(done: int) -> None:
        nonlocal last
        if now() - last < (EVERY_S if terminal else LINE_EVERY_S):
            return
        last = now()
        of = max(done, total) if total else 0
        told = _told(done, of, what, last - began)
        err.write(f"\r{_bar(done, of)}{told}\x1b[K" if terminal else f"{told}\n")
        err.flush()

    try:
        yield tell
    finally:
        if terminal and last != began:
            err.write("\r\x1b[K")
            err.flush()


def followed(items: Iterable[Item], err: TextIO | None, what: str, total: int = 0) -> Iterator[Item]:
    """The `items`, of which one counts as done when the next is asked for."""
    with counting(err, what, total) as tell:
        for done, item in enumerate(items, 1):
            yield item
            tell(done)


def _told(done: int, total: int, what: str, passed: float) -> str:
    if not total:
        return f"{done:,} {what}"
    so_far = f"{done:,} of {total:,} {what}, {100 * done / total:.0f} %"
    if done * _KNOWN_FROM < total:
        return so_far
    left = round(passed * (total - done) / done)
    return f"{so_far}, {left // 60}:{left % 60:02d} left"


def _bar(done: int, total: int) -> str:
    if not total:
        return ""
    full = _WIDTH * done // total
    return f"[{'#' * full}{'.' * (_WIDTH - full)}] "
