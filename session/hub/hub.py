"""The hub: all sessions of one study, opened or resumed on demand, each with its own actor (`session.hub.session_actor`).

It knows no socket and no screen.
"""

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from types import MappingProxyType
from typing import NamedTuple

from session import events as e
from session.hub.group_commit import GroupCommit
from session.hub.history import History, read_history
from session.hub.lease_keeper import LeaseKeeper
from session.hub.query_runner import QueryBackend
from session.hub.reply_voice import VoiceOf
from session.hub.session_actor import SessionActor
from session.hub.side_requests import NoStudyInformation, StudyInformation
from session.hub.take_confirmation import TakeStore
from session.hub.thread_groups import ThreadGroups
from session.store.event_store import Store
from session.store.folds import Usage
from session.store.types import Entry
from session.values.clock import Clock, stamp


class SessionElsewhere(Exception):
    """Another hub serves the session."""


class HubDomain(NamedTuple):
    """The part of a hub that knows one domain: it answers in that domain's sessions, and speaks their replies."""

    database: Callable[[], QueryBackend]
    beside: StudyInformation
    voice: VoiceOf | None = None


class Hub:
    """The hub of one study: its sessions, opened or resumed on demand."""

    def __init__(
        self, store: Store, recordings: TakeStore, database: Callable[[], QueryBackend], clock: Clock, writer: Executor,
        beside: StudyInformation | None = None, voice: VoiceOf | None = None, leases: LeaseKeeper | None = None,
        threads: ThreadGroups | None = None, others: Mapping[str, HubDomain] = MappingProxyType({}),
    ) -> None:  # fmt: skip
        """`others` are the domains, by their name in a session's protocol, that `database`, `beside` and `voice` are not of."""
        self.threads = threads or ThreadGroups()
        self._own = HubDomain(database, beside or NoStudyInformation(), voice)
        self._others = others
        self._leases = leases
        self._store = store
        self._recordings = recordings
        self._clock = clock
        self._writer = writer
        self.group = GroupCommit(store, writer, clock)
        self.group.on_lost = self._drop
        self._dropping: set[asyncio.Task[None]] = set()
        self._sessions: dict[str, SessionActor] = {}
        self._making = asyncio.Lock()
        self._attend: Callable[[SessionActor], None] | None = None

    def attend(self, attend: Callable[[SessionActor], None]) -> None:
        """Call `attend` for every session that is held open, now and later."""
        self._attend = attend
        for session in self._sessions.values():
            attend(session)

    def leave_off(self) -> None:
        """Take machines that go away from now on for sent away, not for lost: the hub is about to close."""
        for session in self._sessions.values():
            session.leave_off()

    @property
    def sessions(self) -> dict[str, SessionActor]:
        """The sessions that are held open, by name."""
        return dict(self._sessions)

    async def open(self, name: str, opened: e.SessionOpened) -> SessionActor:
        """Begin a new session; raises SecondWriter when there is one of that name."""
        return await self.open_next(lambda _: (name, opened))

    async def open_next(self, plan: Callable[[Usage], tuple[str, e.SessionOpened]]) -> SessionActor:
        """Begin the session that `plan` makes of what has been used so far; raises what `Store.open_session` raises."""
        at = stamp(self._clock)

        def first(usage: Usage) -> tuple[str, Entry]:
            name, opened = plan(usage)
            return name, Entry(at, "hub", "", opened)

        loop = asyncio.get_running_loop()
        recorded = await loop.run_in_executor(self._writer, self._store.open_session, first)
        return self._begun(self._actor(recorded[0].session, History(recorded), 0))

    async def resume(self, name: str) -> SessionActor:
        """A session that exists in the store; raises KeyError when there is none of that name, and SessionElsewhere when
        another hub serves it and does not let it go."""
        if self._leases is not None and name not in self._sessions and not await self._leases.taken(name):
            raise SessionElsewhere(name)
        async with self._making:
            if name in self._sessions:
                return self._sessions[name]
            session = await self._made(name)
            if session.state.opened is None:
                raise KeyError(name)
            return self._begun(session)

    async def free(self, name: str) -> bool:
        """Return whether a session may be taken up here without a hub losing it that is at work on it; no other gets it then."""
        return name in self._sessions or self._leases is None or await self._leases.free(name)

    async def give_up(self, name: str, why: str = "the session moves to another hub") -> None:
        """Stop the work on a session and send its desks away: they find it at another hub."""
        session = self._sessions.pop(name, None)
        if session is None:
            return
        session.leave_off()
        for desk in session.desks:
            desk.leave(why)
        await session.stop()

    def _drop(self, name: str) -> None:
        task = asyncio.get_running_loop().create_task(
            self.give_up(name, "the session is read anew, here or at another hub")
        )
        self._dropping.add(task)
        task.add_done_callback(self._dropping.discard)

    async def close(self) -> None:
        """Stop all sessions; the store stays open."""
        await asyncio.gather(*(session.stop() for session in self._sessions.values()))
        self._sessions.clear()
        await self.group.close()

    async def _made(self, name: str) -> SessionActor:
        """The session as the store has it, read in a thread: the loop and the commits of others go on meanwhile."""
        history, links = await self.threads.entering(read_history, self._store, name)
        return self._actor(name, history, links)

    def _actor(self, name: str, history: History, links: int) -> SessionActor:
        opened = history.state.opened
        domain = self._others.get(opened.protocol.domain, self._own) if opened is not None else self._own
        return SessionActor(
            name,
            history,
            links,
            self.group,
            self._recordings,
            domain.database(),
            self._clock,
            domain.beside,
            domain.voice,
            self.threads,
        )

    def _begun(self, session: SessionActor) -> SessionActor:
        self._sessions[session.name] = session
        session.start()
        if self._attend is not None:
            self._attend(session)
        return session
