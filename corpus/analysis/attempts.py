"""The two shares of 1989: requests answered as spoken, and requests answered as spoken or after rewording.

BBN's simulation of 1989 answered 67 % of the requests within its domain at the first try and 94 % with rewording (section 6).
They can be told for any collection, because every text sent to the database is in the log.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

import msgspec

from corpus.analysis.distribution import wilson
from corpus.formats.log.log_values import Log, RecordBlock
from session.values.vocabulary import Language, ResponseClass, Scope


class AttemptEnd(StrEnum):
    """End of a request."""

    FIRST_TRY = "first try"
    REWORDED = "reworded"
    BY_HAND = "in SQL by hand"
    UNANSWERED = "unanswered"
    OUT_OF_SCOPE = "out of scope"
    UNJUDGED = "not judged"


_NOTE, _WORD = re.compile(r"\[[^]]*\]|<[^>]*>"), re.compile(r"\w+(?:'\w+)*")
OUTSIDE = frozenset({"no_information", "meta", "action_requested"})
"""Reasons of fixed replies that say of a request that it lies outside: no such data, about the system, an action."""


class AttemptShares(msgspec.Struct, frozen=True):
    """Counts of requests; the shares are per cent of those in scope, with 95 % half-widths.

    `unjudged` are utterances of which nobody said whether they were requests in scope and nothing in the log tells.
    """

    first_try: int
    reworded: int
    by_hand: int
    unanswered: int
    out_of_scope: int
    unjudged: int = 0

    @property
    def in_scope(self) -> int:
        """Requests that the domain could have answered."""
        return self.first_try + self.reworded + self.by_hand + self.unanswered

    @property
    def unaided(self) -> float | None:
        """Answered as spoken, in per cent; None if nothing was asked in English."""
        return None if self.by_hand == self.in_scope else 100 * self.first_try / self.in_scope

    @property
    def with_wizard(self) -> float | None:
        """Answered as spoken or after rewording, in per cent; None if nothing was asked in English."""
        return None if self.by_hand == self.in_scope else 100 * (self.first_try + self.reworded) / self.in_scope

    def as_data(self) -> dict[str, int | float | None]:
        """The counts and the shares that come of them, for other programs."""
        found: dict[str, int | float | None] = msgspec.to_builtins(self)
        return {**found, "in_scope": self.in_scope, "unaided": self.unaided, "with_wizard": self.with_wizard}

    def interval(self, share: float) -> str:
        """Return the 95 % interval of a share of the requests in scope, in per cent."""
        low, high = wilson(share / 100, self.in_scope)
        return f"{100 * low:.1f} to {100 * high:.1f}"

    def text(self) -> str:
        """Return both shares with their 95 % intervals in a line."""
        if not self.in_scope:
            return "no request in scope"
        if self.unaided is None or self.with_wizard is None:
            return f"none was asked in English, of {self.in_scope} in scope; all were answered in SQL by hand"
        unaided, with_wizard = map(self.interval, (self.unaided, self.with_wizard))
        unjudged = f", {self.unjudged} not judged" if self.unjudged else ""
        return (
            f"{self.unaided:.1f} % at the first try ({unaided}), {self.with_wizard:.1f} % with the wizard "
            f"({with_wizard}), of {self.in_scope} requests in scope; {self.out_of_scope} out of scope{unjudged}"
        )


class Try(NamedTuple):
    """One text sent for a request: whether its answer was released, whether the wizard wrote it in SQL, and whether it has the
    words that were said."""

    answered: bool
    by_hand: bool = False
    as_said: bool = True


def attempt(tries: Iterable[Try], *, in_scope: bool) -> AttemptEnd:
    """Return how a request ended, from the texts sent for it in their order.

    Both shares are about what was asked in English: a statement that the wizard wrote is neither a first try nor a rewording.
    Other words than were said are a rewording, whether or not those that were said had been tried.
    """
    if not in_scope:
        return AttemptEnd.OUT_OF_SCOPE
    sent = list(tries)
    english = [turn for turn in sent if not turn.by_hand]
    if any(turn.answered for turn in english):
        unaided = not sent[0].by_hand and sent[0].answered and sent[0].as_said
        return AttemptEnd.FIRST_TRY if unaided else AttemptEnd.REWORDED
    return AttemptEnd.BY_HAND if any(turn.answered for turn in sent) else AttemptEnd.UNANSWERED


def shares(attempts: Iterable[AttemptEnd]) -> AttemptShares:
    """Count attempts."""
    found = list(attempts)
    return AttemptShares(*(found.count(one) for one in AttemptEnd))


def of_logs(logs: Iterable[Log]) -> AttemptShares:
    """The shares of a collected corpus, out of its logs."""
    return shares(of_block(block) for log in logs for block in log.utterances)


def of_block(block: RecordBlock) -> AttemptEnd:
    """Return how the request of one utterance ended; an answer that the wizard marked as wrong afterwards is none.

    Its scope is what the wizard marked last. Without a mark, what the database answered was within (BBN 1989, section 6.2:
    whatever the tool understands is in scope); otherwise the last fixed reply tells, which says what is outside or that the
    system failed; otherwise what was sent to the database was taken for a request. Of "never mind" none of this tells: it
    counts neither way.
    """
    wrong = {record.get("Reply") for record in block.records if record.key == "Reply_marked_wrong"}
    replies = [record for record in block.records if record.key == "Answer_returned"]
    sent = {reply.get("Attempt") for reply in replies if reply.get("Reply") not in wrong} - {""}
    tries = list(_tries(block, sent))
    marks = [record.get("Scope") for record in block.records if record.key == "Scope_marked"]
    if marks:
        return attempt(tries, in_scope=marks[-1] == Scope.IN)
    fixed = [
        reply for reply in replies if reply.get("Canned_message") and reply.get("Response") != ResponseClass.FILLER
    ]
    if any(reply.get("Attempt") for reply in replies):
        return attempt(tries, in_scope=True)
    if fixed and fixed[-1].get("Reason") in OUTSIDE:
        return AttemptEnd.OUT_OF_SCOPE
    if tries or (fixed and fixed[-1].get("Response") == ResponseClass.FAILURE):
        return attempt(tries, in_scope=True)
    return AttemptEnd.UNJUDGED


def _tries(block: RecordBlock, answered: Collection[str]) -> Iterator[Try]:
    """Yield what was sent for an utterance; `answered` are the attempts whose answers went out."""
    said = ""
    for record in block.records:
        if record.key in {"Utterance_typed", "Transcription_sent"}:
            said = record.get("Utterance")
        elif record.key == "Sentence_sent":
            as_said = not said or _words(record.get("Sentence")) == _words(said)
            yield Try(record.get("Attempt") in answered, record.get("Language") == Language.SQL, as_said)


def _words(text: str) -> list[str]:
    """Words in small letters, without punctuation and without notes in brackets."""
    return _WORD.findall(_NOTE.sub(" ", text.casefold()))
