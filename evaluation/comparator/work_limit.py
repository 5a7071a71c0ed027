"""Limit of the work that a comparison may take, counted so that the limit is the same on every machine."""

from collections.abc import Iterator
from contextlib import contextmanager


class OutOfWork(Exception):
    """The work limit was reached before the question was settled."""


class GaveUp(Exception):
    """One way to settle the question took more work than it was given; another may be tried."""


class WorkMeter:
    """Counts the work done, in steps of about a microsecond, so that a limit is the same on every machine."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.done = 0

    def add(self, steps: int) -> None:
        """Count `steps`; raises OutOfWork beyond the limit."""
        self.done += steps
        if self.done > self.limit:
            raise OutOfWork

    @contextmanager
    def at_most(self, steps: int) -> Iterator[None]:
        """Give what is done within so many steps; raises GaveUp beyond them, OutOfWork when the limit itself is passed."""
        whole = self.limit
        self.limit = min(whole, self.done + steps)
        try:
            yield
        except OutOfWork:
            if self.done > whole:
                raise
            raise GaveUp from None
        finally:
            self.limit = whole
