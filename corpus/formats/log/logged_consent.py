"""Consent of a speaker from the logs, for a corpus without its study."""

from collections.abc import Iterable, Iterator

import msgspec

from corpus.formats.log.log_values import Log
from corpus.formats.log.timeline import Moment
from session.values.consent import ConsentScope, allowed

_CONSENTS = ("Consent_given", "Consent_confirmed")


class LoggedConsent(msgspec.Struct, frozen=True, gc=False):
    """Agreement of a speaker at a moment: `refused` are the scopes that may not be acted on from then."""

    moment: Moment
    refused: frozenset[ConsentScope]


def agreements(log: Log) -> Iterator[LoggedConsent]:
    """Return all agreements in one log, in no order; who wants everything erased takes back every scope."""
    for record in (record for key in _CONSENTS for record in log.records(key)):
        scopes = (scope.partition("=") for scope in record.all("Scope_given"))
        agreed = allowed({name: given != "no" for name, _, given in scopes})
        yield LoggedConsent(record.moment, frozenset(ConsentScope) - agreed)
    for record in log.records("Withdrawal_requested"):
        if record.get("Erase") == "yes":
            yield LoggedConsent(record.moment, frozenset(ConsentScope))


def refused(found: Iterable[LoggedConsent]) -> frozenset[ConsentScope]:
    """The scopes that the latest agreement refuses; none if nobody was asked."""
    last = max(found, key=lambda agreement: agreement.moment.at, default=None)
    return frozenset() if last is None else last.refused


REFUSALS = {
    ConsentScope.RECORD: "the speaker did not agree to be recorded",
    ConsentScope.TRANSCRIBE: "the speaker did not agree to transcription and study",
    ConsentScope.PUBLISH_TEXT: "the speaker did not agree to hand over the text",
}
"""Scopes without any of which nothing of a session is in a corpus, and how an export says so."""


def why_excluded(scopes: frozenset[ConsentScope]) -> str:
    """Return why a corpus holds nothing of a session whose speaker refuses these scopes; empty if it may hold it."""
    return next((reason for scope, reason in REFUSALS.items() if scope in scopes), "")
