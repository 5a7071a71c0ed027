"""Values for a blank or a placeholder: the session's slots, dates, and the domain's own values that begin as typed.

A slot is a value that was named once and is offered again, the newest first: read off the texts in the statements that were run,
what placeholders were bound to, and what filled the blanks of earlier replies.
"""

import re
from collections.abc import Iterator, Mapping

from session.protocol.side_messages import DomainValue
from session.rules.blanks import telling_words
from session.state.fold import SessionState
from session.study.screen_words import words_of
from session.values.vocabulary import Language
from wizard.core.completion.date_values import dates_starting
from wizard.core.console import Console

MOST = 9
SHORT = 2
NAMED, IN_REQUEST = "named before", "in the request"
_ASKS = """
    show tell give list find get want need like please can could would will may do does did is are was were be there have has had
    how what when where who whom whose why me my you your we our she her him his them their many much now then
"""
_ASKING = frozenset(_ASKS.split())
"""Words that ask and are asked about by nobody."""
_LITERAL = re.compile(r"'((?:[^']|'')*)'")
_NAME = re.compile(r"[^\W\d_][\w .'’-]*")


def values_for(console: Console, beginning: str) -> list[DomainValue]:
    """Return what may stand for `beginning`; before anything is typed, the values that were named in this session."""
    wanted = " ".join(beginning.casefold().split())
    before = [
        text for text in slots(console.state, console.bindings, console.filled) if text.casefold().startswith(wanted)
    ]
    today = console.state.opened.protocol.today if console.state.opened else ""
    if not wanted:
        said = {word.casefold() for text in before for word in text.split()}
        return [
            *(DomainValue(text, text, NAMED) for text in before),
            *(value for value in _in_request(console) if value.text not in said),
        ][:MOST]
    found = [
        *(DomainValue(text, text, NAMED) for text in before),
        *dates_starting(wanted, today, words_of(console.state.opened.protocol if console.state.opened else None)),
        *console.hub_info.values(wanted),
    ]
    kinds: dict[str, DomainValue] = {}
    for value in found:
        kinds.setdefault(value.text.casefold(), value)
    return list(kinds.values())[:MOST]


def _in_request(console: Console) -> Iterator[DomainValue]:
    """Return what a reply can name before anything is typed: the words of the request that stood in the way, then its others."""
    take, attempt = console.take, console.attempt
    if take is None or console.state.run is None:
        return
    unused = attempt.unused if attempt is not None else ()
    text = take.text or (attempt.text if attempt is not None and attempt.language is not Language.SQL else "")
    told = [word for word in telling_words(text) if word not in _ASKING and len(word) > SHORT]
    yield from (DomainValue(word, word, IN_REQUEST) for word in dict.fromkeys([*unused, *told]))


def unknown_values(console: Console, bindings: Mapping[str, str]) -> list[str]:
    """Return what was filled in that is not a value of the domain, as far as the hub has told, and no date: a slip, perhaps."""
    return [
        text
        for text in dict.fromkeys(bindings.values())
        if console.hub_info.has_no_value(text) and not values_for(console, text)
    ]


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
