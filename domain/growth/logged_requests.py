"""Requests of a study's log with the statement whose rows the wizard sent, and how she came to it.

Rehearsals are left out, anyone who has withdrawn, and anyone who did not agree to be written down, studied and handed over; a
pilot's requests count as others do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum

import msgspec

from domain.check.kept_requests import KEPT, KeptRequest
from domain.english.dialogue.references import EarlierTurn, turn_of
from session.collection.left_out import LeftOut, reason_to_leave_out
from session.events import Recorded
from session.rules.earlier_requests import earlier_requests
from session.state.fold import Attempt, SessionState, Take, fold
from session.values.consent import ConsentScope
from session.values.vocabulary import Language


class Way(StrEnum):
    """Origin of a statement that was sent: the request was read as it was said, in another of its readings, reworded, or
    the wizard asked in SQL."""

    SAID = "as said"
    OTHER_READING = "in another reading"
    REWORDED = "reworded"
    SQL = "in SQL"


class LoggedRequest(msgspec.Struct, frozen=True):
    """A request, by the session and the number of its utterance; `sent` are statements that are equally right, `asked` is what
    the wizard put in its place, if she did."""

    name: str
    said: str
    sent: tuple[str, ...]
    way: Way
    context: tuple[str | EarlierTurn, ...] = ()
    asked: str = ""

    @property
    def kept(self) -> bool:
        """Return whether it is one of those that are beside the domain already."""
        return self.name.startswith(f"{KEPT}:")

    @property
    def settled(self) -> bool:
        """Return whether it was answered as it was read, so that nothing may change it."""
        return self.way is Way.SAID


def requests_of(facts: Sequence[Recorded]) -> Iterator[LoggedRequest]:
    """Yield the requests of one session that were answered with rows, in their order; of a rewording also its own text, which was
    accepted as it was read."""
    if not_grown_from(facts) is not None:
        return
    state = fold(facts)
    for take in state.takes.values():
        attempt = _sent(state, take)
        if attempt is None or not take.text or take.discarded:
            continue
        name = f"{facts[0].session}:{take.number or take.take}"
        context = tuple(map(turn_of, earlier_requests(state, msgspec.structs.replace(attempt, in_context=True))))
        way = _way(take, attempt)
        asked = attempt.text if way is not Way.SAID else ""
        yield LoggedRequest(name, take.text, (attempt.sql,), way, context, asked)
        if way is Way.REWORDED and attempt.language is Language.ENGLISH and not attempt.choice:
            within = context if attempt.in_context else ()
            yield LoggedRequest(f"{name} reworded", attempt.text, (attempt.sql,), Way.SAID, within)


def not_grown_from(facts: Sequence[Recorded]) -> LeftOut | None:
    """Return why words of a session may not come into a domain, which is handed over with every corpus; None if they may."""
    return reason_to_leave_out(facts, pilots=True, scopes=(ConsentScope.PUBLISH_TEXT,))


def kept_as_logged(kept: Sequence[tuple[int, KeptRequest]]) -> Iterator[LoggedRequest]:
    """Yield the requests that somebody checked and kept beside the domain: nothing may change their answers either."""
    for line, request in kept:
        yield LoggedRequest(f"{KEPT}:{line}", request.question, request.statements, Way.SAID, request.context)


def _sent(state: SessionState, take: Take) -> Attempt | None:
    """The attempt whose rows went out last, unless that turned out to be the wizard's error."""
    for name in reversed(take.replies):
        reply = state.replies[name]
        attempt = state.attempts.get(reply.attempt)
        if attempt is not None:
            return attempt if attempt.sql and attempt.table is not None and reply.wrong is None else None
    return None


def _way(take: Take, attempt: Attempt) -> Way:
    if attempt.language in {Language.SQL, Language.PROPOSAL}:
        return Way.SQL
    if " ".join(attempt.text.lower().split()) != " ".join(take.text.lower().split()):
        return Way.REWORDED
    return Way.OTHER_READING if attempt.choice or not attempt.in_context else Way.SAID
