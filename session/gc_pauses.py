"""Keeps Python's collector of cyclic garbage from holding up people who wait, and work on thousands of files.

Its full collections look at every object there is. Most of a desk's or a hub's were made at its start, by imports, and live as
long as the process; looking through them takes longer than a whole turn is allowed to.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_SELDOM = 200_000
"""Objects more than there were after which a collection comes: a few dozen megabytes, should all of them be garbage."""


def settle() -> None:
    """Collect garbage once and exempt what is left from later collections; only for the owner of the process."""
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


def seldom() -> None:
    """Collect seldom from now on.

    For anyone who owns a process that goes through thousands of files: hardly any of what it makes is in cycles, and looking
    for them takes a tenth of its time.
    """
    gc.set_threshold(_SELDOM, *gc.get_threshold()[1:])


@contextmanager
def seldom_disturbed() -> Iterator[None]:
    """While inside, collections come as seldom as after `seldom`."""
    before = gc.get_threshold()
    seldom()
    try:
        yield
    finally:
        gc.set_threshold(*before)
