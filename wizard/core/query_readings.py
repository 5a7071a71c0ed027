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


def in_order(attempt: Attempt) -> dict[int, OtherReading]:
    """Return all readings by their place, the likeliest first; the one that the attempt took stands at `attempt.choice`.

    Where all are withheld, place 0, which is taken by itself, is empty."""
    if attempt.table is None and not attempt.sql:
        return dict(enumerate(attempt.others, start=1))
    rows = (len(attempt.table.rows), attempt.table.more) if attempt.table is not None else (None, False)
    own = OtherReading(attempt.paraphrase, attempt.sql, attempt.confidence, attempt.doubt, *rows)
    first = int(bool(attempt.doubt) and all(other.doubt for other in attempt.others))
    at = max(0, attempt.choice - first)
    return dict(enumerate([*attempt.others[:at], own, *attempt.others[at:]], start=first))


def line(reading: OtherReading, taken: bool, words: ConsoleWords) -> str:
    """A reading as it is in the list: what is doubted of it first, how many rows it brings, and how sure it is."""
    doubt = words["console_text.doubted_reading"].format(doubt=reading.doubt) if reading.doubt else ""
    key = _rows_key(reading)
    rows = f"{words[f'console_text.{key}'].format(count=f'{reading.rows:,}')} · " if key else ""
    return f"{'√ ' if taken else ''}{doubt}{rows}{once(reading.paraphrase, words)} [{reading.confidence:.2f}]"


def _rows_key(reading: OtherReading) -> str:
    if reading.rows is None:
        return ""
    return "reading_rows_and_more" if reading.more else "reading_row" if reading.rows == 1 else "reading_rows"


def withheld(attempt: Attempt, key: str, words: ConsoleWords) -> list[str]:
    """Say of a request that was not understood which reading is withheld, why and with how many rows, and the `key` that
    lists it."""
    held = [other for other in attempt.others if other.doubt]
    if attempt.table is not None or not held:
        return []
    count = f"{len(held):,}"
    said = words["console_text.withheld" if len(held) == 1 else "console_text.several_withheld"].format(count=count)
    return [f"{said}{key}: {line(held[0], False, words)}"]


def place(attempt: Attempt, key: str, words: ConsoleWords) -> list[str]:
    """Say which of several readings this is and how sure, with the `key` that lists them; of a single one how sure, unless it
    is."""
    if not attempt.others:
        unsure = not attempt.proposer and 0 < attempt.confidence < SURE
        return [f"[{attempt.confidence:.2f}]"] if unsure else []
    sure = f" [{attempt.confidence:.2f}]" if attempt.confidence else ""
    places = [*in_order(attempt)]
    which = words["console_text.reading"].format(at=places.index(attempt.choice) + 1, count=len(places))
    return [f"{which}{sure}{key}"]


def marks(attempt: Attempt, words: ConsoleWords) -> list[str]:
    """The words that had no part in what was understood, the conditions that nothing in the request speaks for, and why the
    reading was withheld."""
    found = [
        words["console_text.not_used"].format(words=", ".join(attempt.unused)) if attempt.unused else "",
        words["console_text.not_asked_for"].format(conditions=", ".join(attempt.unasked)) if attempt.unasked else "",
        words["console_text.doubted"].format(doubt=attempt.doubt) if attempt.doubt else "",
    ]
    return [mark for mark in found if mark]
