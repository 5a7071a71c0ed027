"""How far long work has come, on standard error, and only where somebody looks at it."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

EVERY_S = 0.2


@contextmanager
def counting(
    err: TextIO, what: str, total: int = 0, now: Callable[[], float] = time.monotonic
) -> Iterator[Callable[[int], None]]:
    """Yields a function that is told how many are done; it rewrites one line of a terminal, and writes nothing to a file."""
    if not err.isatty():
        yield lambda _: None
        return
    last = [now()]

    def tell(done: int) -> None:
        if now() - last[0] >= EVERY_S:
            last[0] = now()
            share = f" of {total:,} {what}, {100 * done / total:.0f} %" if total else f" {what}"
            err.write(f"\r{done:,}{share} ")
            err.flush()

    try:
        yield tell
    finally:
        err.write("\r\x1b[K")
        err.flush()
