"""The several ways in which the English front end can understand a request, in its order, and which of them was taken."""

import re

from session.state.fold import Attempt
from session.study.screen_words import ConsoleWords
from session.values.answers import SURE, OtherReading

_FROM_BEFORE = re.compile(r"\(from\sbefore:\s((?:[^()]|\([^()]*\))*)\)\s")


def once(paraphrase: str, words: ConsoleWords) -> str:
    """A reading in which what was carried over from before stands once, marked where it belongs, in place of in front of it
    and again within it: half as much to read. As it was, where the reading does not repeat it word for word.

    >>> from session.study.screen_words import CONSOLE_ENGLISH
    >>> once("(from before: in Sutton, only the cheapest) books in Sutton by Ann Lee, only the cheapest", CONSOLE_ENGLISH)
    'books ‹before: in Sutton› by Ann Lee, ‹before: only the cheapest›'
    >>> once("(from before: titles) books in Sutton", CONSOLE_ENGLISH)
    '(from before: titles) books in Sutton'
    """
    found = _FROM_BEFORE.search(paraphrase)
    if found is None:
        return paraphrase
    rest = f"{paraphrase[: found.start()]}{paraphrase[found.end() :]}".split(" ")
    carried, marked, at = found[1].split(" "), list[str](), 0
    while at < len(rest):
        length = _run(rest[at:], carried)
        if length:
            run, end = " ".join(rest[at : at + length]), ""
            if run.endswith(","):
                run, end = run[:-1], ","
            marked.append(words["console_status.carried"].format(words=run) + end)
            del carried[:length]
            at += length
        else:
            marked.append(rest[at])
            at += 1
    return paraphrase if carried else " ".join(marked)


def _run(some: list[str], others: list[str]) -> int:
    """Return how many words both begin with, whatever comma follows them."""
    pairs = enumerate(zip(some, others, strict=False))
    most = min(len(some), len(others))
    return next((place for place, (one, other) in pairs if one.rstrip(",") != other.rstrip(",")), most)


def in_order(attempt: Attempt) -> list[OtherReading]:
    """Return all readings, the likeliest first; the one that the attempt took stands at `attempt.choice`."""
    own = OtherReading(attempt.paraphrase, attempt.sql, attempt.confidence)
    return [*attempt.others[: attempt.choice], own, *attempt.others[attempt.choice :]]


def line(reading: OtherReading, taken: bool, words: ConsoleWords) -> str:
    """A reading as it is in the list."""
    return f"{'√ ' if taken else ''}{once(reading.paraphrase, words)} [{reading.confidence:.2f}]"


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
