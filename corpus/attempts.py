"""The two shares of 1989: requests answered as they were spoken, and answered after the wizard had reworded them.

BBN's simulation of 1989 answered 67 % of the requests within its domain at the first try and 94 % with rewording (section 6).
They can be told for any collection, because every text sent to the database is in the log.
"""

from collections.abc import Iterable
from enum import StrEnum

import msgspec

from corpus.log_values import Block, Log
from corpus.spread import half_width
from session.vocabulary import Scope


class Attempt(StrEnum):
    """How a request ended."""

    FIRST_TRY = "first try"
    REWORDED = "reworded"
    UNANSWERED = "unanswered"
    OUT_OF_SCOPE = "out of scope"


class Shares(msgspec.Struct, frozen=True):
    """Counts of requests; the shares are per cent of those in scope, with 95 % half-widths."""

    first_try: int
    reworded: int
    unanswered: int
    out_of_scope: int

    @property
    def in_scope(self) -> int:
        """Requests that the domain could have answered."""
        return self.first_try + self.reworded + self.unanswered

    @property
    def unaided(self) -> float | None:
        """Answered as spoken, in per cent."""
        return 100 * self.first_try / self.in_scope if self.in_scope else None

    @property
    def with_wizard(self) -> float | None:
        """Answered as spoken or after rewording, in per cent."""
        return 100 * (self.first_try + self.reworded) / self.in_scope if self.in_scope else None

    def as_data(self) -> dict[str, int | float | None]:
        """The counts and the shares that come of them, for other programs."""
        found: dict[str, int | float | None] = msgspec.to_builtins(self)
        return {**found, "in_scope": self.in_scope, "unaided": self.unaided, "with_wizard": self.with_wizard}

    def text(self) -> str:
        """Both shares in a line."""
        if not self.in_scope or self.unaided is None or self.with_wizard is None:
            return "no request in scope"
        widths = [100 * half_width(share / 100, self.in_scope) for share in (self.unaided, self.with_wizard)]
        return (
            f"{self.unaided:.1f} % at the first try (±{widths[0]:.1f}), {self.with_wizard:.1f} % with the wizard "
            f"(±{widths[1]:.1f}), of {self.in_scope} requests in scope; {self.out_of_scope} out of scope"
        )


def attempt(tries: Iterable[bool], *, in_scope: bool) -> Attempt:
    """How a request ended, from whether each text sent for it, in order, gave an answer that was released."""
    if not in_scope:
        return Attempt.OUT_OF_SCOPE
    outcomes = list(tries)
    if outcomes[:1] == [True]:
        return Attempt.FIRST_TRY
    return Attempt.REWORDED if any(outcomes) else Attempt.UNANSWERED


def shares(attempts: Iterable[Attempt]) -> Shares:
    """Count attempts."""
    found = list(attempts)
    return Shares(*(found.count(one) for one in Attempt))


def of_logs(logs: Iterable[Log]) -> Shares:
    """The shares of a collected corpus, out of its logs."""
    return shares(of_block(block) for log in logs for block in log.utterances)


def of_block(block: Block) -> Attempt:
    """How the request of one utterance ended.

    It is outside what can be answered when the wizard marked it so; one that was not marked and got an answer from the
    database was within (BBN 1989, section 6.2: whatever the tool understands is in scope).
    """
    marks = [record.get("Scope") for record in block.records if record.key == "Scope_marked"]
    sent = {record.get("Attempt") for record in block.records if record.key == "Answer_returned"}
    tries = [record.get("Attempt") in sent for record in block.records if record.key == "Sentence_sent"]
    return attempt(tries, in_scope=not marks or marks[-1] == Scope.IN)
