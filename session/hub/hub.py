"""The hub: all sessions of one study, opened or taken up again on demand, each an actor of its own (`session.hub.session_actor`).

It knows no socket and no screen.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor

from session import events as e
from session.hub.history import read_history
from session.hub.query_runner import QueryBackend
from session.hub.session_actor import SessionActor
from session.hub.side_requests import NoStudyInformation, StudyInformation
from session.hub.take_confirmation import TakeStore
from session.store.event_store import Store
from session.values.clock import Clock


class Hub:
    """All sessions of one study, opened or taken up again on demand."""

    def __init__(
        self, store: Store, recordings: TakeStore, database: Callable[[], QueryBackend], clock: Clock, writer: Executor,
        beside: StudyInformation | None = None,
    ) -> None:  # fmt: skip
        self._store = store
        self._recordings = recordings
        self._database = database
        self._clock = clock
        self._writer = writer
        self._beside = beside or NoStudyInformation()
        self._sessions: dict[str, SessionActor] = {}
        self._making = asyncio.Lock()

    @property
    def sessions(self) -> dict[str, SessionActor]:
        """The sessions that are held open, by name."""
        return dict(self._sessions)

    async def open(self, name: str, opened: e.SessionOpened, sessions_before: int = -1) -> SessionActor:
        """Begin a new session; raises SecondWriter when there is one of that name or the store does not hold
        `sessions_before` sessions."""
        async with self._making:
            session = await self._made(name)
            await session.open(opened, sessions_before)
            return self._begun(session)

    async def resume(self, name: str) -> SessionActor:
        """A session that exists in the store; raises KeyError when there is none of that name."""
        async with self._making:
            if name in self._sessions:
                return self._sessions[name]
            session = await self._made(name)
            if session.state.opened is None:
                raise KeyError(name)
            return self._begun(session)

    async def close(self) -> None:
        """Stop all sessions; the store stays open."""
        await asyncio.gather(*(session.stop() for session in self._sessions.values()))
        self._sessions.clear()

    async def _made(self, name: str) -> SessionActor:
        """The session as the store has it, read by the writer: the loop goes on meanwhile."""
        history, links = await asyncio.get_running_loop().run_in_executor(self._writer, read_history, self._store, name)
        return SessionActor(
            name,
            history,
            links,
            self._store,
            self._recordings,
            self._database(),
            self._clock,
            self._writer,
            self._beside,
        )

    def _begun(self, session: SessionActor) -> SessionActor:
        self._sessions[session.name] = session
        session.start()
        return session
