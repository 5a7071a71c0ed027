"""The several ways in which the English front end can understand a request, in its order, and which of them was taken."""

from session.state.fold import Attempt
from session.study.screen_words import ConsoleWords
from session.values.answers import SURE, OtherReading


def in_order(attempt: Attempt) -> list[OtherReading]:
    """All readings, the likeliest first; the one that the attempt took stands at `attempt.choice`."""
    own = OtherReading(attempt.paraphrase, attempt.sql, attempt.confidence)
    return [*attempt.others[: attempt.choice], own, *attempt.others[attempt.choice :]]


def line(reading: OtherReading, taken: bool) -> str:
    """A reading as it stands in the list."""
    return f"{'√ ' if taken else ''}{reading.paraphrase} [{reading.confidence:.2f}]"


def place(attempt: Attempt, key: str, words: ConsoleWords) -> list[str]:
    """Say which of several readings this is and how sure, with the `key` that lists them; of a single one how sure, unless it
    is."""
    if not attempt.others:
        unsure = not attempt.proposer and 0 < attempt.confidence < SURE
        return [f"[{attempt.confidence:.2f}]"] if unsure else []
    sure = f" [{attempt.confidence:.2f}]" if attempt.confidence else ""
    which = words["console_text.reading"].format(at=attempt.choice + 1, count=len(attempt.others) + 1)
    return [f"{which}{sure}{key}"]


def marks(attempt: Attempt, words: ConsoleWords) -> list[str]:
    """The words that had no part in what was understood, and the conditions that nothing in the request speaks for."""
    found = [
        words["console_text.not_used"].format(words=", ".join(attempt.unused)) if attempt.unused else "",
        words["console_text.not_asked_for"].format(conditions=", ".join(attempt.unasked)) if attempt.unasked else "",
    ]
    return [mark for mark in found if mark]
