"""The sessions of one site as an export sees them. The head of a session is the hash of its facts: no store has salted them."""

import datetime
import hashlib
from collections.abc import Iterable

import msgspec

from corpus.export.source import Collected
from domain.query_backend import Backend
from rehearsal.demonstration.speakers import DemonstrationSpeaker
from rehearsal.demonstration.staged_session import StagedSession
from session.events import Transcribed
from session.study.folder import Study
from session.values.clock import SECOND
from session.values.names import PRIMARY, SessionName

FIRST_DAY = datetime.datetime(2026, 3, 2, 9, tzinfo=datetime.UTC)
_PER_DAY = 4


class StagedSource:
    """The sessions of a site, one a speaker and four a day, played when the source is made."""

    def __init__(
        self, study: Study, people: Iterable[DemonstrationSpeaker], backend: Backend, synthesiser: str
    ) -> None:
        self._files = {sha256: study.folder / name for name, sha256 in study.files.items()}
        self._sessions: dict[str, StagedSession] = {}
        for place, person in enumerate(people):
            begins = FIRST_DAY + datetime.timedelta(days=place // _PER_DAY, hours=place % _PER_DAY)
            name = str(SessionName(study.site, f"{begins:%Y%m%d}", place % _PER_DAY + 1))
            self._sessions[name] = one = StagedSession(
                name, person, study, int(begins.timestamp()) * SECOND, backend, synthesiser
            )
            one.play()

    @property
    def said(self) -> dict[str, str]:
        """Return the words of each take."""
        facts = (fact.event for one in self._sessions.values() for fact in one.facts)
        return {event.take: event.text for event in facts if isinstance(event, Transcribed)}

    @property
    def names(self) -> list[str]:
        """The names of the sessions, in their order."""
        return [*self._sessions]

    def collected(self, name: str) -> Collected:
        """A session's facts."""
        return Collected(name, self._sessions[name].facts, self.head(name))

    def head(self, name: str) -> str:
        """Return the hash of a session's facts."""
        return hashlib.sha256(msgspec.json.encode(self._sessions[name].facts)).hexdigest()

    def pcm(self, session: str, take: str, letter: str) -> bytes | None:
        """The samples of a take of the one microphone."""
        return self._sessions[session].sounds.get(take) if letter == PRIMARY else None

    def spoken(self, session: str, sha256: str) -> bytes | None:
        """Nothing: the system of this study does not speak."""
        return None

    def protocol_file(self, sha256: str) -> bytes | None:
        """Return a file of the study, as it is."""
        path = self._files.get(sha256)
        return path.read_bytes() if path else None
