"""Requests of a study's log, with the statement whose rows the wizard sent and how she arrived at it.

Rehearsals are left out, as are participants who withdrew or did not consent to transcription, study and publication; pilots
are included.
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


class RequestOrigin(StrEnum):
    """The origin of a sent statement: from the request as said, from another of its readings, reworded, or as SQL by the
    wizard."""

    SAID = "as said"
    OTHER_READING = "in another reading"
    REWORDED = "reworded"
    SQL = "in SQL"


class LoggedRequest(msgspec.Struct, frozen=True):
    """A request, named by its session and utterance number; `sent` are equally right statements, `asked` is the wizard's
    rewording, if any."""

    name: str
    said: str
    sent: tuple[str, ...]
    origin: RequestOrigin
    context: tuple[str | EarlierTurn, ...] = ()
    asked: str = ""

    @property
    def kept(self) -> bool:
        """Return whether the request comes from the domain's own file."""
        return self.name.startswith(f"{KEPT}:")

    @property
    def settled(self) -> bool:
        """Return whether the request was answered as read, so that no change may affect it."""
        return self.origin is RequestOrigin.SAID


def requests_of(facts: Sequence[Recorded]) -> Iterator[LoggedRequest]:
    """Yield the requests of a session that were answered with rows, in order; for a rewording also its own text, which was
    accepted as read."""
    if not_grown_from(facts) is not None:
        return
    state = fold(facts)
    for take in state.takes.values():
        attempt = _sent(state, take)
        if attempt is None or not take.text or take.discarded:
            continue
        name = f"{facts[0].session}:{take.number or take.take}"
        context = tuple(map(turn_of, earlier_requests(state, msgspec.structs.replace(attempt, in_context=True))))
        origin = _origin(take, attempt)
        asked = attempt.text if origin is not RequestOrigin.SAID else ""
        yield LoggedRequest(name, take.text, (attempt.sql,), origin, context, asked)
        if origin is RequestOrigin.REWORDED and attempt.language is Language.ENGLISH and not attempt.choice:
            within = context if attempt.in_context else ()
            yield LoggedRequest(f"{name} reworded", attempt.text, (attempt.sql,), RequestOrigin.SAID, within)


def not_grown_from(facts: Sequence[Recorded]) -> LeftOut | None:
    """Return why a session's words may not enter a domain, which is released with every corpus; None if they may."""
    return reason_to_leave_out(facts, pilots=True, scopes=(ConsentScope.PUBLISH_TEXT,))


def kept_as_logged(kept: Sequence[tuple[int, KeptRequest]]) -> Iterator[LoggedRequest]:
    """Yield the verified requests kept with the domain, whose answers may not change either."""
    for line, request in kept:
        yield LoggedRequest(f"{KEPT}:{line}", request.question, request.statements, RequestOrigin.SAID, request.context)


def _sent(state: SessionState, take: Take) -> Attempt | None:
    """Return the attempt whose rows were sent last, unless it was marked as the wizard's error."""
    for name in reversed(take.replies):
        reply = state.replies[name]
        attempt = state.attempts.get(reply.attempt)
        if attempt is not None:
            return attempt if attempt.sql and attempt.table is not None and reply.wrong is None else None
    return None


def _origin(take: Take, attempt: Attempt) -> RequestOrigin:
    if attempt.language in {Language.SQL, Language.PROPOSAL}:
        return RequestOrigin.SQL
    if " ".join(attempt.text.lower().split()) != " ".join(take.text.lower().split()):
        return RequestOrigin.REWORDED
    return RequestOrigin.OTHER_READING if attempt.choice or not attempt.in_context else RequestOrigin.SAID
