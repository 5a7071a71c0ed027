"""How much work a comparison may take, counted so that the limit is the same on every machine."""


class OutOfWork(Exception):
    """The work limit was reached before the question was settled."""


class Meter:
    """Counts the work done, in steps of about a microsecond, so that a limit is the same on every machine."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.done = 0

    def add(self, steps: int) -> None:
        """Count `steps`; raises OutOfWork beyond the limit."""
        self.done += steps
        if self.done > self.limit:
            raise OutOfWork
