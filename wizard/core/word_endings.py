"""Endings of long words that were said or read in this session already: "tran" goes on to "transportation" with one key.

A participant says her cities and her subject again and again, and a wizard at 40 words a minute spends four fifths of a
turn on letters. Only a word whose beginning is typed is offered, never the next one: what was said is heard, not
guessed. The other tasks of the study come last: participants of one study speak of the same things. A request that is
reworded takes its words first from what was asked before and from how it was read.
"""

import re
from collections.abc import Iterable, Iterator

from session.state.fold import SessionState

LEAST_TYPED, LEAST_SAVED = 2, 3
"""Letters before an ending is offered, and letters that it must save: a key and a glance cost as much as two."""
_WORD = re.compile(r"[^\W\d_]+")
_LAST = re.compile(r"[^\W\d_]+$")
_PLACEHOLDER = re.compile(r"\{[^{}]*\}")


def ending(state: SessionState, before_cursor: str, *, asked: bool = False) -> str:
    """Return how the word before the cursor goes on, as it was said last, otherwise as the tasks have it; empty when nobody
    knows. `asked`: the word is in a request to the database."""
    found = _LAST.search(before_cursor)
    if found is None or len(found[0]) < LEAST_TYPED:
        return ""
    begun = found[0].casefold()
    for word in _words(_requests(state) if asked else _texts(state)):
        if len(word) >= len(begun) + LEAST_SAVED and word.casefold().startswith(begun):
            return word[len(begun) :]
    return ""


def _requests(state: SessionState) -> Iterator[str]:
    """Return what was asked and how it was read, the newest first, then everything else."""
    for attempt in [*state.attempts.values()][::-1]:
        yield attempt.text
        yield attempt.paraphrase
    yield from _texts(state)


def _texts(state: SessionState) -> Iterator[str]:
    """Return what was said, the newest first, then the task, then the other tasks of the study."""
    for take in [*state.takes.values()][::-1]:
        if not take.discarded:
            yield take.text
    if state.run is not None:
        yield state.run.text
    if state.opened is not None:
        for scenario in state.opened.protocol.scenarios.values():
            yield _PLACEHOLDER.sub(" ", scenario.text)


def _words(texts: Iterable[str]) -> Iterator[str]:
    return (word for text in texts for word in _WORD.findall(text))
