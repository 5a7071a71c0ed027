"""Fitting replies: the kind of failure at hand, the canned messages that answer it best, and what belongs into their blanks.

The order and the digits of the messages never change with it: the best one is where the arrow begins, the others are marked, and
Tab goes from one to the next. So the hand that knows its digits finds each where it was.
"""

from collections.abc import Iterator

import msgspec

from session.rules.blanks import is_phrase
from session.state.fold import Attempt
from session.study.settings import CannedMessage
from session.values.answers import FailureKind
from session.values.vocabulary import Scope
from wizard.core.completion.sql_names import blank_of
from wizard.core.console import Console
from wizard.core.recognised_words import rejected

SCREENFULS = 3
"""An answer of more screens than this is longer than people read to the end."""


class Fit(msgspec.Struct, frozen=True):
    """A message that answers what is the matter: `why` in two or three words, `blank` for the first of its blanks."""

    message: str
    why: str
    blank: str = ""


def fitting(console: Console) -> list[Fit]:
    """The canned messages that fit the utterance at hand, the best first."""
    take = console.take
    if take is None or console.state.answered(take):
        return []
    found: dict[str, Fit] = {}
    for reason, why in _reasons(console):
        for message in console.canned_messages:
            if message.reason == reason and message.id not in found:
                found[message.id] = Fit(message.id, why, _blank(console, message))
    return list(found.values())


def _reasons(console: Console) -> Iterator[tuple[str, str]]:
    """Return what is the matter, as reasons of canned messages, what is surest first."""
    take, attempt = console.take, console.attempt
    if take is None:
        return
    if take.scope is Scope.OUT:
        yield from (("no_information", "out of scope"), ("action_requested", "out of scope"))
    if take.scope is Scope.META:
        yield "meta", "about the system"
    if not take.text and (take.troubles or rejected(take)):
        yield "not_heard", "not heard"
    if attempt is None or attempt.running:
        return
    if attempt.table is None:
        yield from _failed(attempt)
    elif not attempt.table.rows:
        yield "no_information", "no rows"
    elif attempt.table.more or len(attempt.table.rows) > SCREENFULS * _lines(console):
        yield from (("too_large", "too many rows"), ("underspecified", "too many rows"))
    if attempt.unused and attempt.partial:
        yield "unknown_word", "words not used"
    if attempt.others and not attempt.others[0].doubt and attempt.others[0].confidence >= attempt.confidence:
        yield "ambiguous", "several readings"
    if attempt.question:
        yield "underspecified", "something is missing"


def _failed(attempt: Attempt) -> Iterator[tuple[str, str]]:
    if attempt.failure is FailureKind.NOT_UNDERSTOOD:
        if attempt.unused:
            yield from (("unknown_word", "unknown word"), ("no_information", "unknown word"))
        yield "not_understood", "not understood"
    elif attempt.failure is FailureKind.TOO_LARGE:
        yield "too_large", "too large"
    elif attempt.failure is not FailureKind.CANCELLED:
        yield "tool_failed", f"{attempt.failure}".replace("_", " ")


def _lines(console: Console) -> int:
    screen = console.state.screen
    return max(10, screen[1]) if screen is not None else 20


def _blank(console: Console, message: CannedMessage) -> str:
    """Return what the first blank of a message is about: the unknown words, what is missing, or what was understood.

    Where the participant reads another language than English, only words that were said themselves.
    """
    attempt, take = console.attempt, console.take
    if not message.blanks or attempt is None:
        return ""
    words = " ".join(attempt.unused)
    if not console.reads_english:
        return words if take is not None and words and f" {words} ".casefold() in f" {take.text} ".casefold() else ""
    asked = blank_of(attempt.question) if attempt.question else ""
    match message.reason:
        case "underspecified":
            wanted = asked or words
        case "ambiguous":
            wanted = "" if attempt.proposer else attempt.paraphrase
        case "unknown_word":
            wanted = words
        case _:
            wanted = words or attempt.paraphrase
    return wanted if is_phrase(wanted) else ""
