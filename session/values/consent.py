"""Consent of a subject, scope by scope, and what an agreement allows: the one place that says so.

Whoever records, writes down, keeps or passes on asks here, with the scopes of the latest consent fact (or of the log that tells
of it), so that a box left unticked has the same effect everywhere.
"""

from collections.abc import Mapping
from enum import StrEnum


class ConsentScope(StrEnum):
    """One box of the consent form."""

    RECORD = "record"
    TRANSCRIBE = "transcribe"
    PUBLISH_AUDIO = "publish_audio"
    PUBLISH_TEXT = "publish_text"
    CONTACT = "contact"


_NEEDS = {
    ConsentScope.PUBLISH_AUDIO: ConsentScope.RECORD,
    ConsentScope.PUBLISH_TEXT: ConsentScope.TRANSCRIBE,
}
"""What can be passed on only where something else is allowed: what may not be written down cannot be published as text."""


def allowed(scopes: Mapping[str, bool] | None) -> frozenset[ConsentScope]:
    """Return the scopes that may be acted on; `scopes` are those of the latest consent, None if nobody was asked.

    A session without a consent form, or with one that lacked a box, allows what the box would: the site has the agreement in
    another way. The exception is `contact`: nobody is contacted again who was not asked.

    >>> sorted(allowed({"record": True, "transcribe": False, "publish_text": True}))
    [<ConsentScope.PUBLISH_AUDIO: 'publish_audio'>, <ConsentScope.RECORD: 'record'>]
    """
    given = scopes or {}
    agreed = {scope for scope in ConsentScope if given.get(scope, scope is not ConsentScope.CONTACT)}
    return frozenset(scope for scope in agreed if _NEEDS.get(scope, scope) in agreed)
