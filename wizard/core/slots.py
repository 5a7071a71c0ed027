"""Slots of the session: values that were named once and are offered again, the newest first.

Read off what happened: the texts in the statements that were run, what placeholders were bound to, what filled the blanks of
earlier replies.
"""

import re
from collections.abc import Iterator, Mapping

from session.state.fold import SessionState

MOST = 9
_LITERAL = re.compile(r"'((?:[^']|'')*)'")
_NAME = re.compile(r"[^\W\d_][\w .'’-]*")


def slots(state: SessionState, bindings: Mapping[str, str], blanks: tuple[str, ...] = ()) -> list[str]:
    """Values that were named so far, each once; `bindings` are those of the scenario, `blanks` what filled earlier ones."""
    found: dict[str, str] = {}
    for text in (*blanks, *_in_statements(state), *bindings.values()):
        if text.strip():
            found.setdefault(text.casefold(), text)
    return list(found.values())[:MOST]


def _in_statements(state: SessionState) -> Iterator[str]:
    for attempt in reversed(list(state.attempts.values())):
        if attempt.table is not None:
            for literal in _LITERAL.findall(attempt.sql):
                text = literal.replace("''", "'")
                if _NAME.fullmatch(text) and len(text) > 1:
                    yield _as_said(text)


def _as_said(text: str) -> str:
    """A name that the database holds in capitals, as people write it; a code stays one.

    >>> _as_said("SAN FRANCISCO"), _as_said("BOS"), _as_said("United")
    ('San Francisco', 'BOS', 'United')
    """
    return " ".join(word.capitalize() for word in text.split()) if text.isupper() and len(text) > 3 else text
