"""Admission to the lobby: an invitation's code, or the id that a recruiting service puts into the address; for one visit.

What turns somebody away is told to the experimenter, and kept as an event beside the invitation. A service's id goes into a
file outside of the study and nowhere else: the study knows the visit by a keyed hash.
"""

import contextlib
import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from session.collection.invitations import (
    UNKNOWN,
    VERSIONS,
    Invitation,
    InvitationMade,
    InvitationRefused,
    InvitationUsed,
    append,
    hashed,
    invitation,
    name_of,
)
from session.store.event_store import SecondWriter, Store
from session.store.types import StoreUnavailable
from session.study.folder import Study
from session.study.toml_reader import StudyError
from session.values import spreadsheet
from session.values.clock import SECOND, Clock, iso, stamp

GUESSES_EVERY_NS = 10 * SECOND
"""Codes that nobody was given are kept as an event at most so often: a flood of them fills no disk."""
LEFT_OPEN = "left_open"
"""Why a page is sent away that waited for hours."""
COLUMNS = ("participant", "speaker", "session", "came")


class TurnedAway(Exception):
    """Error: a visitor is not admitted; `why` is a word of `Invitation.objection`."""

    def __init__(self, why: str) -> None:
        self.why = why
        super().__init__(why)


class Doorkeeper:
    """Decides who comes in; `sealed` hashes a service's id with a key of the study, `tell` is the way to the experimenter."""

    def __init__(
        self, study: Study, participants: str, sealed: Callable[[str], str], tell: Callable[[str], None], clock: Clock
    ) -> None:
        self._study, self._sealed, self.tell, self._clock = study, sealed, tell, clock
        self._file = Path(participants) if participants else None
        self._guessed = -GUESSES_EVERY_NS
        if self._file is not None and study.folder.resolve() in self._file.resolve().parents:
            raise StudyError(
                f"{self._file} would be in the study, which goes out with its corpora; choose a place outside"
            )
        if study.settings.lobby.participant and self._file is None:
            raise StudyError(
                f"{study.folder / 'study.toml'}: the lobby takes `participant` from the address; name the file outside of the "
                "study that keeps it with --participants FILE"
            )

    def admitted(self, code: str, participant: str, ticket: str) -> Invitation:
        """Return the invitation that opens the lobby; raises TurnedAway and StoreUnavailable."""
        settings = self._study.settings.lobby
        by_service = not code and bool(participant) and settings.open
        name = self._sealed(participant)[:24] if by_service else name_of(code)
        with closing(Store(self._study.store_url, VERSIONS)) as store:
            found = invitation(store, name)
            if by_service and not found.made:
                with contextlib.suppress(SecondWriter):
                    append(store, found, stamp(self._clock), InvitationMade())
                found = invitation(store, name)
            why = found.objection(ticket, self._clock.wall_ns())
        if why:
            self.refuse(found, why)
            raise TurnedAway(why)
        return found

    def used(self, found: Invitation, ticket: str, session: str, speaker: str, participant: str) -> None:
        """Give a session to a visitor with an invitation; raises TurnedAway if somebody was first."""
        with closing(Store(self._study.store_url, VERSIONS)) as store:
            while True:  # a refusal may have been written to it since
                known = invitation(store, found.name)
                if why := known.objection("", self._clock.wall_ns()):
                    raise TurnedAway(why)
                with contextlib.suppress(SecondWriter):
                    append(store, known, stamp(self._clock), InvitationUsed(session=session, ticket=hashed(ticket)))
                    break
        if participant:
            self._note(participant, speaker, session)

    def refuse(self, found: Invitation, why: str) -> None:
        """Record a rejected visitor and notify the experimenter."""
        if why == UNKNOWN:
            now = self._clock.monotonic_ns()
            if now - self._guessed < GUESSES_EVERY_NS:
                return
            self._guessed = now
        with (
            contextlib.suppress(SecondWriter, StoreUnavailable),
            closing(Store(self._study.store_url, VERSIONS)) as store,
        ):
            known = invitation(store, UNKNOWN if why == UNKNOWN else found.name)
            append(store, known, stamp(self._clock), InvitationRefused(why=why))
        if why == LEFT_OPEN:
            self.tell(f"Invitation {found.name} was left open in the lobby for so long that it was sent away.")
            return
        what = "an address that was never given out" if why == UNKNOWN else f"invitation {found.name}, which is {why}"
        self.tell(f"A visitor came to the lobby with {what}.")

    def _note(self, participant: str, speaker: str, session: str) -> None:
        """Add a line to the file of participants, which its owner alone may read."""
        assert self._file is not None
        new = not self._file.exists()
        with os.fdopen(os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "a", newline="") as out:
            row = (participant, speaker, session, iso(self._clock.wall_ns()))
            out.write(spreadsheet.lines([COLUMNS, row] if new else [row]))
