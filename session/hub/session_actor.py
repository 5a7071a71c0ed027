"""The actor of one session: what desks ask for is decided, appended, folded and sent, in this order under one lock.

So whatever a desk is told is on disk already, and a desk that was cut off can be told it again. It knows no socket and no screen.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Executor
from typing import Any

from session import events as e
from session.commands import AnyCommand, CancelQuery, Report
from session.hub.history import History, links_stream
from session.hub.query_runner import QueryBackend, run_query
from session.hub.side_requests import SideRequests, StudyInformation
from session.hub.take_confirmation import TakeConfirmation, TakeStore, disk_trouble
from session.protocol.messages import (
    Ack,
    AudioChunk,
    DeskPresence,
    FactMessage,
    HubMessage,
    HubTrouble,
    Refusal,
    ResendRequest,
)
from session.rules.deadlines import due, next_due
from session.rules.decide import Refused, decide
from session.rules.dialogue_context import earlier_requests, judged
from session.state.fold import SessionState
from session.store.event_store import Entry, SecondWriter, Store, StoreUnavailable
from session.values.answers import FailureKind
from session.values.clock import SECOND, Clock, stamp
from session.values.vocabulary import Role
from session.visibility import access

LOG = logging.getLogger(__name__)
RETRY_S = 1.0
STOP_WITHIN_S = 1.0
AT_A_TIME = 100

Outlet = Callable[[HubMessage | AudioChunk], None]


class Desk:
    """One attached desk: how far it has been told, where to tell it more, and how to send it away."""

    def __init__(
        self, role: Role, name: str, clock: str, have: int, outlet: Outlet, leave: Callable[[str], None]
    ) -> None:
        self.role = role
        self.access = access(role)
        self.name = name
        self.clock = clock
        self.have = have
        self.outlet = outlet
        self.leave = leave


class SessionActor:
    """The actor of one session."""

    def __init__(
        self, name: str, history: History, links: int, store: Store, recordings: TakeStore, database: QueryBackend,
        clock: Clock, writer: Executor, beside: StudyInformation,
    ) -> None:  # fmt: skip
        self.name = name
        self.asides = SideRequests(name, beside, self._spawn, self._tell_consoles)
        # Held while a desk comes in: of two at the same moment the second sees the first.
        self.entering = asyncio.Lock()
        self._store = store
        self._database = database
        self._clock = clock
        self._writer = writer
        self._lock = asyncio.Lock()
        self._links_lock = asyncio.Lock()
        self._desks: list[Desk] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._timer: asyncio.Task[None] | None = None
        self._trouble = ""
        self._history, self._links = history, links
        self._cancelled: set[str] = set()
        self._settling = TakeConfirmation(
            name, recordings, self._confirmed, self._want, self._spawn, clock.sleep, self._in_trouble
        )

    @property
    def state(self) -> SessionState:
        return self._history.state

    @property
    def desks(self) -> tuple[Desk, ...]:
        return tuple(self._desks)

    def start(self) -> None:
        """Take up what an earlier run left unfinished: queries that ran, takes that were not confirmed, deadlines."""
        for attempt in self.state.attempts.values():
            if attempt.running:
                self._spawn(self._query(attempt.attempt))
        self._rearm()

    async def stop(self) -> None:
        """End all work; whatever is not recorded yet is taken up again by the next run."""
        if self._timer is not None:
            self._timer.cancel()
        self._database.cancel()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        # What the writer is committing now is to be in the store before anybody reads it anew.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(STOP_WITHIN_S):
                await asyncio.get_running_loop().run_in_executor(self._writer, lambda: None)

    # --- desks --------------------------------------------------------------------------------------------------------

    async def attach(self, desk: Desk, version: str) -> None:
        """Tell a desk all that it has missed, in parts lest others wait, then keep telling it."""
        seen, told = self._history.seen_by(desk.role), desk.have
        while len(seen) - told > AT_A_TIME:
            for recorded in seen[told : told + AT_A_TIME]:
                desk.outlet(FactMessage(recorded))
            told += AT_A_TIME
            await asyncio.sleep(0)
        async with self._lock:
            for recorded in seen[told:]:
                desk.outlet(FactMessage(recorded))
            if desk.access.console:
                for other in self._desks:
                    desk.outlet(DeskPresence(other.role, True))
                if self._trouble:
                    desk.outlet(HubTrouble(self._trouble))
            self._desks.append(desk)
        await self._link_fact(e.DeskAttached(role=desk.role, desk=desk.name, clock=desk.clock, version=version))
        self._tell_consoles(DeskPresence(desk.role, True))
        if desk.access.records:
            self._settling.ask_again(self.state)

    async def detach(self, desk: Desk, why: str) -> None:
        """The desk's connection has ended."""
        if desk not in self._desks:
            return
        self._desks.remove(desk)
        self._tell_consoles(DeskPresence(desk.role, any(other.role is desk.role for other in self._desks), why))
        await self._link_fact(e.DeskDetached(role=desk.role, desk=desk.name, why=why))

    async def compared(self, desk: Desk, mono: int, offset: int, uncertainty: int) -> None:
        """A desk has measured its clock against the hub's."""
        await self._link_fact(e.ClockCompared(clock=desk.clock, mono=mono, offset=offset, uncertainty=uncertainty))

    def facts_for(self, role: Role) -> int:
        """Count the facts that there are for a desk of this role."""
        return len(self._history.seen_by(role))

    # --- commands -----------------------------------------------------------------------------------------------------

    async def command(self, desk: Desk, command: AnyCommand) -> None:
        """Decide, append, fold, send; then acknowledge or refuse to the desk that asked.

        A report waits while the store cannot take it; a request is refused then, so that nobody believes it done.
        """
        while True:
            try:
                # A desk that goes away in the middle of a commit must not leave the fold behind the store.
                await asyncio.shield(self._spawn(self._settle_command(desk, command)))
                break
            except StoreUnavailable as error:
                self._in_trouble(str(error))
                if not isinstance(command, Report):
                    desk.outlet(Refusal(command.id, "The session cannot be recorded at this moment."))
                    return
                await self._clock.sleep(RETRY_S)
            except SecondWriter as error:
                # Without an acknowledgement the desk keeps its report and gives it to whichever hub is right.
                self._in_trouble(str(error))
                if not isinstance(command, Report):
                    desk.outlet(Refusal(command.id, "The session cannot be recorded at this moment."))
                return

    async def _settle_command(self, desk: Desk, command: AnyCommand) -> None:
        async with self._lock:
            desk.outlet(await self._decided(desk, command))

    async def _decided(self, desk: Desk, command: AnyCommand) -> Ack | Refusal:
        if not self._history.followed_from(command.id):
            decision = decide(self.state, command, desk.role, stamp(self._clock))
            if isinstance(decision, Refused):
                self._spawn(self._refused(desk, command, decision.reason))
                return Refusal(command.id, decision.reason)
            await self._append(decision, desk.role, command.id)
            if isinstance(command, CancelQuery):
                self._cancelled.add(command.attempt)
                self._database.cancel()
        return Ack(command.id)

    async def _refused(self, desk: Desk, command: AnyCommand, reason: str) -> None:
        await self._link_fact(e.CommandRefused(role=desk.role, command=type(command).__name__, reason=reason))

    async def open(self, opened: e.SessionOpened, sessions_before: int = -1) -> None:
        """Record the session's first fact; raises SecondWriter when it has one or other sessions were opened meanwhile."""
        async with self._lock:
            if self.state.opened is not None:
                raise SecondWriter(f"session {self.name} has been opened before")
            await self._append([opened], "hub", "", sessions_before)

    async def _append(self, facts: Sequence[e.Fact], by: str, cause: str, sessions_before: int = -1) -> None:
        """Make facts durable, fold them, send them, and start what follows from them. The caller holds the lock."""
        if not facts:
            return
        now = stamp(self._clock)
        entries = [Entry(now, by, cause, fact) for fact in judged(self.state, facts, now)]
        loop = asyncio.get_running_loop()
        recorded = await loop.run_in_executor(
            self._writer, self._store.append, self.name, len(self._history.facts), entries, sessions_before
        )
        if self._trouble:
            self._in_trouble("")
        for each in recorded:
            shown = self._history.add(each)
            for desk in self._desks:
                if (view := shown[desk.role]) is not None:
                    desk.outlet(FactMessage(view))
            try:
                self._follow_up(each.event)
            except Exception:
                # The fact is recorded and told; what should follow from it must not undo that.
                LOG.exception("session %s: nothing followed from fact %d", self.name, each.seq)
        self._rearm()

    def _follow_up(self, event: e.Fact) -> None:
        match event:
            case e.QuerySubmitted():
                self._spawn(self._query(event.attempt))
            case e.RecordingStopped():
                self._settling.stopped(event.take, event.sealed)
            case _:
                pass

    # --- queries ------------------------------------------------------------------------------------------------------

    async def _query(self, name: str) -> None:
        attempt = self.state.attempts[name]
        context = earlier_requests(self.state, attempt)
        try:
            fact = await run_query(self._database, self._clock, attempt, context)
        except Exception as error:
            # A fault is loud, but the attempt ends: the wizard must be able to ask anew.
            why = f"a fault of this program: {type(error).__name__}: {error}"
            await self._record(e.QueryFailed(attempt=name, kind=FailureKind.UNAVAILABLE, message=why))
            raise
        if name in self._cancelled and isinstance(fact, e.QueryReturned):
            # The wish came before there was anything to stop: its rows are not wanted any more.
            kind, sql = FailureKind.CANCELLED, fact.sql
            fact = e.QueryFailed(attempt=name, kind=kind, message="The query was cancelled.", sql=sql, took=fact.took)
        await self._record(fact)

    async def _record(self, fact: e.Fact) -> None:
        """Append a fact of the hub's own, again and again while the store cannot take it."""
        while True:
            try:
                async with self._lock:
                    await self._append([fact], "hub", "")
            except StoreUnavailable as error:
                self._in_trouble(str(error))
                await self._clock.sleep(RETRY_S)
            except SecondWriter as error:
                self._in_trouble(str(error))
                return
            else:
                return

    # --- sound --------------------------------------------------------------------------------------------------------

    def sound(self, desk: Desk, sound: AudioChunk) -> None:
        """Keep a piece of a take and pass it to those who listen."""
        if not desk.access.records:
            return
        for other in self._desks:
            if other.access.listens:
                other.outlet(sound)
        try:
            self._settling.received(sound, self.state.takes)
        except OSError as error:
            self._in_trouble(disk_trouble(error))

    def _want(self, take: str, letter: str, ranges: tuple[tuple[int, int], ...]) -> None:
        for desk in self._desks:
            if desk.access.records:
                desk.outlet(ResendRequest(take, letter, ranges))

    def _confirmed(self, take: str) -> None:
        known = self.state.takes[take]
        if not known.confirmed:
            self._spawn(self._record(e.TakeConfirmed(take=take, sealed=known.sealed)))

    # --- time, links, trouble -----------------------------------------------------------------------------------------

    def _rearm(self) -> None:
        """Sleep until the next deadline; every change of state sets the alarm anew."""
        wait = next_due(self.state, stamp(self._clock))
        self._set_alarm(None if wait is None else wait / SECOND)

    def _set_alarm(self, seconds: float | None) -> None:
        """In place of the one that is set; None for no alarm."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else asyncio.get_running_loop().create_task(self._alarm(seconds))

    async def _alarm(self, seconds: float) -> None:
        await self._clock.sleep(seconds)
        self._spawn(self._time_is_up())

    async def _time_is_up(self) -> None:
        async with self._lock:
            facts = due(self.state, stamp(self._clock))
            try:
                await self._append(facts, "hub", "")
            except StoreUnavailable as error:
                self._in_trouble(str(error))
                self._set_alarm(RETRY_S)  # it stays due
                return
            except SecondWriter as error:
                self._in_trouble(str(error))
            if not facts:
                self._rearm()

    async def _link_fact(self, fact: e.Fact) -> None:
        async with self._links_lock:
            entry = Entry(stamp(self._clock), "hub", "", fact)
            loop = asyncio.get_running_loop()
            try:
                await loop.run_in_executor(
                    self._writer, self._store.append, links_stream(self.name), self._links, [entry]
                )
                self._links += 1
            except (StoreUnavailable, SecondWriter) as error:
                self._in_trouble(str(error))

    def _in_trouble(self, text: str) -> None:
        if text != self._trouble:
            self._trouble = text
            self._tell_consoles(HubTrouble(text))

    def _tell_consoles(self, message: HubMessage) -> None:
        for desk in self._desks:
            if desk.access.console:
                desk.outlet(message)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
