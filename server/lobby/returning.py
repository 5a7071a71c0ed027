"""The rule for who does not come back: after `return_minutes` the session ends, and the design fills the slot again.

A subject is away when her link is down, or her page was left open and she has done nothing for as long; waiting for an answer
is not an absence. The people of the study are told, and the reason is in the session and on the roster.
"""

import asyncio
import contextlib
from collections.abc import Callable
from contextlib import closing

from session import commands as c
from session.collection import roster
from session.hub.attached_desk import Desk
from session.hub.hub import Hub
from session.hub.session_actor import SessionActor
from session.store.event_store import SecondWriter, Store
from session.store.types import StoreUnavailable
from session.study.folder import Study
from session.values.clock import SECOND, Clock, elapsed, stamp
from session.values.names import ulid
from session.values.vocabulary import Outcome, Role, Step

LOOK_EVERY_S = 15.0


class AbsenceWatch:
    """Ends the sessions of one hub whose subject does not come back; does nothing if the study sets no limit."""

    def __init__(self, study: Study, hub: Hub, tell: Callable[[str], None], clock: Clock) -> None:
        self._study, self._hub, self._tell, self._clock = study, hub, tell, clock

    async def run(self) -> None:
        """Look at all sessions now and then, until cancelled."""
        while self._study.settings.lobby.return_minutes:
            await self.look()
            await self._clock.sleep(LOOK_EVERY_S)

    async def look(self) -> None:
        """End the sessions whose time is up."""
        limit = self._study.settings.lobby.return_minutes * 60 * SECOND
        for session in tuple(self._hub.sessions.values()):
            if limit and self._away(session) >= limit:
                await self._end(session)

    def _away(self, session: SessionActor) -> int:
        """Nanoseconds since the subject was last heard of; 0 before she came and while she waits for somebody."""
        state = session.state
        if state.consent is None or state.ended or state.paused is not None or state.waiting() or state.called:
            return 0
        last = next((fact.at for fact in reversed(session.seen_by(Role.OBSERVER)) if fact.by == Role.SUBJECT), None)
        if last is None:
            return 0
        run = state.run.started if state.run is not None else last  # a task that came later began a new wait
        now = stamp(self._clock)
        return min(elapsed(last, now), elapsed(run, now))

    async def _end(self, session: SessionActor) -> None:
        minutes = self._study.settings.lobby.return_minutes
        reason = f"the participant did not come back within {minutes} minutes"
        desk = Desk(Role.EXPERIMENTER, "lobby", self._clock.name, 0, lambda message: None, lambda why: None)
        if session.state.run is not None:
            ending = c.EndScenario(id=ulid(self._clock.wall_ns()), outcome=Outcome.ENDED, reason=reason)
            await session.command(desk, ending)
        for _ in Step:  # one by one past the stations that are still to come
            if not session.state.ended:
                await session.command(desk, c.EndSession(id=ulid(self._clock.wall_ns()), reason=reason))
        self._tell(f"Session {session.name} was ended: {reason}.")
        opened = session.state.opened
        if opened is not None and not (opened.pilot or opened.rehearsal):
            with contextlib.suppress(SecondWriter, StoreUnavailable):
                await asyncio.to_thread(self._drop, opened.speaker.id, reason)

    def _drop(self, speaker: str, reason: str) -> None:
        """Free the slot: the person has dropped out, whether or not she was on the roster before."""
        with closing(Store(self._study.store_url)) as store:
            person = roster.people_of(store).get(speaker)
        facts: list[roster.RosterFact] = [] if person is not None else [roster.PersonInvited(speaker=speaker)]
        if person is None or not (person.left or person.withdrawn):
            facts.append(roster.PersonDroppedOut(reason=reason))
            with closing(Store(self._study.store_url, roster.VERSIONS)) as writing:
                roster.append(writing, person, speaker, stamp(self._clock), *facts)
