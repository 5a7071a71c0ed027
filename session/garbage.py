"""Keeps Python's collector of cyclic garbage from holding up people who wait.

Its full collections look at every object there is. Most of a desk's or a hub's were made at its start, by imports, and live as
long as the process; looking through them takes longer than a whole turn is allowed to.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


def settle() -> None:
    """Take what exists now for good: collected once here, it is never looked at again. For whoever owns the process."""
    gc.collect()
    gc.freeze()


@contextmanager
def undisturbed() -> Iterator[None]:
    """While inside, nothing is collected; what is there at the end is taken for good, uncollected.

    For seconds of imports and reading in a thread, whose collections would stop every other thread for a third of a second each.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
