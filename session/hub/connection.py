"""The hub's side of one desk's connection, over any carrier of frames: a socket, a pipe in a test, a lossy link.

It admits the desk by its token, attaches it to its session, answers pings at once and takes commands one after another.
"""

import asyncio
import logging
from collections.abc import Callable

from session.hub.attached_desk import CONNECTED_ANEW, Desk
from session.hub.hub import Hub, SessionElsewhere
from session.hub.hub_words import not_done, not_possible
from session.hub.refused_desks import RefusedDesks
from session.hub.session_actor import SessionActor
from session.protocol.links import HubLink
from session.protocol.messages import (
    AudioChunk,
    CommandMessage,
    Hello,
    HubMessage,
    InvalidCommand,
    Ping,
    Pong,
    Refusal,
    Rejected,
    Sound,
    Unusable,
    Welcome,
    WireError,
)
from session.protocol.side_messages import (
    AdmitRequest,
    ClosingRequest,
    DraftTyped,
    MenuRequest,
    SchemaRequest,
    SolutionRequest,
    ValuesRequest,
    may_ask,
)
from session.values.clock import SECOND, Clock
from session.values.consent import ConsentScope
from session.values.vocabulary import DeskRefusal, Role
from session.visibility import access

LOG = logging.getLogger(__name__)
WAITING_COMMANDS = 256
COMPARED_EVERY = SECOND
NOT_VALID = "The token is not valid here. Use the address exactly as the hub printed it."

Admit = Callable[[str, str], Role | None]
"""Gives the role that a token has in a session, by name; None where it has none. Called in a thread: it may ask a database."""
Outlet = Callable[[HubMessage | Sound], None]


class Connection:
    """One desk for as long as its connection lasts."""

    def __init__(
        self, hub: Hub, session: str, admit: Admit, clock: Clock, outlet: Outlet, close: Callable[[str], None],
        refused: RefusedDesks,
    ) -> None:  # fmt: skip
        self._hub = hub
        self._name = session
        self._admit = admit
        self._clock = clock
        self._outlet = outlet
        self._close = close
        self._refused = refused
        self._link = HubLink()
        self._session: SessionActor | None = None
        self._desk: Desk | None = None
        self._commands: asyncio.Queue[CommandMessage | Refusal] = asyncio.Queue(WAITING_COMMANDS)
        self._compared: int | None = None
        self._worker: asyncio.Task[None] | None = None

    @property
    def place(self) -> str:
        """The session and the role of this desk; empty before it is let in."""
        return f"{self._name} {self._desk.role}" if self._desk is not None else ""

    async def receive(self, frame: str | bytes) -> None:
        """Act on a frame; raises WireError or Rejected, after which the connection is to be closed."""
        try:
            message = self._link.receive(frame)
        except InvalidCommand as error:
            if self._session is None or self._desk is None:
                raise WireError("no frame may come before the hello") from error
            # Behind the commands before it: a desk whose commands are answered out of order takes one of them for lost.
            why = not_possible(self._session.state, self._desk.role, str(error))
            await self._commands.put(Refusal(error.command, why))
            return
        if isinstance(message, Hello):
            await self._enter(message)
            return
        if isinstance(message, Unusable):
            role = await asyncio.to_thread(self._admit, message.token, self._name)
            why = DeskRefusal.TAKEN if message.taken else DeskRefusal.BROWSER
            await self._refused.note(self._name, role or "", DeskRefusal.TOKEN if role is None else why)
            raise Rejected(NOT_VALID)
        if self._session is None or self._desk is None:
            raise WireError("no frame may come before the hello")
        match message:
            case CommandMessage():
                await self._commands.put(message)
            case (
                MenuRequest() | SchemaRequest() | ClosingRequest() | ValuesRequest() | SolutionRequest() | AdmitRequest()
                | DraftTyped()
            ):  # fmt: skip
                if not may_ask(self._desk.role, message):
                    raise WireError("this desk requests something that its role may not see")
                if isinstance(message, DraftTyped):
                    _pass_on(self._session, self._desk, message)
                else:
                    self._session.asides.asked(self._outlet, message)
            case AudioChunk():
                self._session.sound(self._desk, message)
            case Ping():
                arrived = self._clock.monotonic_ns()
                self._outlet(Pong(message.sent, arrived, self._clock.monotonic_ns()))
                if message.last is not None and self._due(arrived):
                    self._session.compared(self._desk, *message.last)

    def pass_sound(self, frame: bytes) -> AudioChunk | None:
        """Take a frame of sound in passing, for there are more of them than of all others; raises WireError."""
        if self._session is None or self._desk is None:
            return None
        message = self._link.receive(frame)
        assert isinstance(message, AudioChunk)
        self._session.sound(self._desk, message)
        return message

    def _due(self, now: int) -> bool:
        """Return whether another comparison of clocks is worth its commit: a flood of them would hold up every session."""
        if self._compared is not None and 0 <= now - self._compared < COMPARED_EVERY:
            return False
        self._compared = now
        return True

    async def _enter(self, hello: Hello) -> None:
        role = await self._hub.threads.entering(self._admit, hello.token, self._name)
        if role is None:
            await self._refused.note(self._name, "", DeskRefusal.TOKEN)
            raise Rejected(NOT_VALID)
        try:
            session = await self._hub.resume(self._name)
        except KeyError:
            raise Rejected(f"There is no session {self._name} here.") from None
        except SessionElsewhere:
            raise WireError("another hub serves this session; try again") from None
        if session.over:
            await self._refused.note(self._name, role, DeskRefusal.OVER)
            raise Rejected("This session is over, and its tokens with it.", DeskRefusal.OVER)
        async with session.entering:
            desk = await self._attached(session, role, hello)
        # A token that was renewed while the session was read: nobody had this desk yet to send it away.
        if await self._hub.threads.entering(self._admit, hello.token, self._name) is not role:
            raise Rejected(NOT_VALID)
        self._worker = asyncio.get_running_loop().create_task(self._work(session, desk))

    async def _attached(self, session: SessionActor, role: Role, hello: Hello) -> Desk:
        # A desk that has more than there is saw a store that was put back since: it starts over.
        have = hello.have if hello.have <= len(session.seen_by(role)) else 0
        desk = Desk(role, hello.desk, hello.clock, have, self._outlet, self._close)
        for other in session.desks:
            if other.role is role and access(role).only_one:
                if other.name != hello.desk:
                    await self._refused.note(self._name, role, DeskRefusal.TAKEN)
                    why = "This place is taken: another desk is attached in the same role."
                    raise Rejected(why, DeskRefusal.TAKEN)
                other.leave("the desk connected again")
                await session.detach(other, CONNECTED_ANEW)
        self._session, self._desk = session, desk
        self._outlet(Welcome(session.name, role, self._clock.name, len(session.seen_by(role))))
        await session.attach(desk, hello.version)
        return desk

    async def _work(self, session: SessionActor, desk: Desk) -> None:
        while True:
            waiting = await self._commands.get()
            if isinstance(waiting, Refusal):
                self._outlet(waiting)
                continue
            command = waiting.command
            try:
                await session.command(desk, command)
            except Exception:
                # A fault of this program costs this one command, never the desk its place.
                LOG.exception("session %s: %s of %s failed", session.name, type(command).__name__, desk.role)
                self._outlet(Refusal(command.id, not_done(session.state, desk.role)))

    async def closed(self, why: str) -> None:
        """The carrier is gone. Commands that were not acknowledged come again with the next connection."""
        if self._worker is not None:
            self._worker.cancel()
            await asyncio.gather(self._worker, return_exceptions=True)
        if self._session is not None and self._desk is not None:
            await self._session.detach(self._desk, why)


def _pass_on(session: SessionActor, author: Desk, draft: DraftTyped) -> None:
    """Show a draft to the other wizard; of a subject who is not to be written down, nobody reads a word."""
    take = session.state.takes.get(draft.take)
    if take is not None and not take.discarded and session.state.allows(ConsentScope.TRANSCRIBE):
        for desk in session.desks:
            if desk is not author and desk.access.drafts:
                desk.outlet(draft)


def connection_factory(
    hub: Hub, admit: Admit, clock: Clock
) -> Callable[[str, Outlet, Callable[[str], None]], Connection]:
    """Return the factory with which a server makes the connections of one hub."""
    refused = RefusedDesks(hub, clock)
    return lambda session, outlet, leave: Connection(hub, session, admit, clock, outlet, leave, refused)
