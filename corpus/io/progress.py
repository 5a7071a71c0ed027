"""Progress of long work, on standard error: a bar on a terminal, a line every half minute in a file.

In a file short work says nothing, so that programs which read standard error are not disturbed.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TextIO, TypeVar

import click

LINE_EVERY_S = 30.0
_KNOWN_FROM = 50  # from less than a fiftieth nobody can tell how long the rest will take: processes are still starting
Item = TypeVar("Item")


@contextmanager
def counting(
    err: TextIO | None, what: str, total: int, now: Callable[[], float] = time.monotonic
) -> Iterator[Callable[[int], None]]:
    """Yield a function that takes how many are done, of about `total`; without `err` it does nothing."""
    if err is None:
        yield lambda _: None
    elif err.isatty():
        with click.progressbar(length=total, label=what, file=err, show_pos=True) as bar:
            yield lambda done: bar.update(done - bar.pos)
    else:
        yield _lines(err, what, total, now)


def followed(items: Iterable[Item], err: TextIO | None, what: str, total: int) -> Iterator[Item]:
    """Yield the `items`, of which one counts as done when the next is asked for."""
    with counting(err, what, total) as tell:
        for done, item in enumerate(items, 1):
            yield item
            tell(done)


def _lines(err: TextIO, what: str, total: int, now: Callable[[], float]) -> Callable[[int], None]:
    began = last = now()

    def tell(done: int) -> None:
        nonlocal last
        if now() - last < LINE_EVERY_S:
            return
        last, of = now(), max(done, total)
        left = round((last - began) * (of - done) / done)
        known = f", {left // 60}:{left % 60:02d} left" if done * _KNOWN_FROM >= of else ""
        err.write(f"{done:,} of {of:,} {what}, {100 * done / of:.0f} %{known}\n")
        err.flush()

    return tell
