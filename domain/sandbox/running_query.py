"""One query on its way: what the thread that runs it and the thread that stops it both look at."""

from collections.abc import Callable

from session.values.answers import FailureKind, QueryFailure


class RunningQuery:
    """One query on its way: its deadline, whether somebody called it off, and how to stop it where it is."""

    def __init__(self, seconds: float, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self.seconds = seconds
        self.deadline = monotonic() + seconds
        self.cancelled = False
        self.stop: Callable[[], None] | None = None

    def now(self) -> float:
        """Return the time in seconds, on the clock of the deadline."""
        return self._monotonic()

    @property
    def late(self) -> bool:
        return self.now() > self.deadline

    @property
    def over(self) -> bool:
        return self.cancelled or self.late

    def failure(self, seconds: float) -> QueryFailure:
        """Return why a query that was interrupted was interrupted."""
        if self.cancelled:
            return QueryFailure(FailureKind.CANCELLED, "The query was aborted.")
        return QueryFailure(
            FailureKind.TIMEOUT, f"The query was stopped after {seconds:g} s; ask for less or add a condition."
        )
