"""Consent from the logs of a corpus, for commands that make something from the corpus."""

from collections.abc import Iterable
from pathlib import Path

from corpus.analysis.turns import Course
from corpus.formats.log.logged_consent import LoggedConsent, refused, why_excluded
from corpus.io.staging import Refused


def refuse_unagreed(root: Path, courses: Iterable[Course]) -> None:
    """Raise `Refused` if a corpus, such as one exported by an early release, holds a session without its speaker's consent."""
    by_session: dict[str, list[LoggedConsent]] = {}
    for course in courses:
        by_session.setdefault(course.header["Session"], []).extend(course.agreements)
    for session, agreements in by_session.items():
        if why := why_excluded(refused(agreements)):
            raise Refused(f"{root}: session {session}: {why}; export its study again")
