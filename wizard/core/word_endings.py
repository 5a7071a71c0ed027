"""Endings of long words that were said or read in this session already: "tran" goes on to "transportation" with one key.

A participant says her cities and her subject again and again, and a wizard at 40 words a minute spends four fifths of a turn on
letters. Only a word whose beginning is typed is offered, never the next one: what was said is heard, not guessed.
"""

import re
from collections.abc import Iterable, Iterator

from session.state.fold import SessionState

LEAST_TYPED, LEAST_SAVED = 2, 3
"""Letters before an ending is offered, and letters that it must save: a key and a glance cost as much as two."""
_WORD = re.compile(r"[^\W\d_]+")
_LAST = re.compile(r"[^\W\d_]+$")


def ending(state: SessionState, before_cursor: str) -> str:
    """Return how the word before the cursor goes on, as it was said last, else as the task has it; empty when nobody knows."""
    found = _LAST.search(before_cursor)
    if found is None or len(found[0]) < LEAST_TYPED:
        return ""
    begun = found[0].casefold()
    for word in _words(_texts(state)):
        if len(word) >= len(begun) + LEAST_SAVED and word.casefold().startswith(begun):
            return word[len(begun) :]
    return ""


def _texts(state: SessionState) -> Iterator[str]:
    """What was said, the newest first, then the task."""
    for take in [*state.takes.values()][::-1]:
        if not take.discarded:
            yield take.text
    if state.run is not None:
        yield state.run.text


def _words(texts: Iterable[str]) -> Iterator[str]:
    return (word for text in texts for word in _WORD.findall(text))
