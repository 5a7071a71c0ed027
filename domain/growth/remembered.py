"""Logged requests for a domain's memory: those that were not answered as read, with the statement whose rows the wizard sent.

A request with two different answers in the same context is left out, since neither has been verified.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from domain.check.kept_requests import FROM_LOG, KeptRequest
from domain.english.model.value_index import Phrase, phrase
from domain.growth.logged_requests import LoggedRequest, RequestOrigin


class MemoryLines(msgspec.Struct, frozen=True):
    """The lines for the memory, and the names of the requests with conflicting answers."""

    lines: tuple[KeptRequest, ...]
    doubtful: tuple[str, ...]


def remembered(log: Sequence[LoggedRequest]) -> MemoryLines:
    """Return the lines that the log adds to a memory; `log` includes what is already remembered."""
    same: dict[tuple[Phrase, ...], list[LoggedRequest]] = {}
    for request in log:
        same.setdefault((*map(phrase, earlier_texts(request)), phrase(request.said)), []).append(request)
    lines, doubtful = [], []
    for requests in same.values():
        if all(request.settled for request in requests):
            continue
        if len({sql for request in requests for sql in request.sent[:1]}) > 1:
            doubtful += [request.name for request in requests]
        elif not any(request.kept for request in requests):
            first = next(request for request in requests if not request.settled)
            lines.append(_line(first, [request.name for request in requests]))
    return MemoryLines(tuple(lines), tuple(doubtful))


def earlier_texts(request: LoggedRequest) -> tuple[str, ...]:
    """Return the texts of the requests before one."""
    return tuple(turn if isinstance(turn, str) else turn.text for turn in request.context)


def _line(request: LoggedRequest, names: Sequence[str]) -> KeptRequest:
    how = f"as “{request.asked}”" if request.origin is RequestOrigin.REWORDED else str(request.origin)
    also = f", also {', '.join(names[1:])}" if names[1:] else ""
    note = f"{FROM_LOG}{how}{also}"
    return KeptRequest(request.said, request.sent[0], request.name, earlier_texts(request), note)
