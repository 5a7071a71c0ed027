"""A machine's desk: no screen and nobody before it; facts and sound come down, commands go up, as at any other desk.

It works over the ordinary link: inside the hub over a carrier in memory, or on another machine over the websocket.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Protocol

from session import events as e
from session.commands import AnyCommand, OperateStage
from session.hub.attached_desk import HUB_CLOSES
from session.hub.connection import Admit, Connection
from session.hub.hub import Hub
from session.hub.refused_desks import RefusedDesks
from session.protocol.links import CommandAnswered, DeskLink, FactReceived, HistoryReset, LinkEvent
from session.protocol.messages import AudioChunk, HubMessage, Rejected, Sound, Welcome, encode
from session.state.fold import SessionState, evolve
from session.transport.websocket import Address, HubClient, LinkState
from session.values.clock import Clock
from session.values.names import ulid
from session.values.vocabulary import Role, Stage

LOG = logging.getLogger(__name__)
VERSION = "1"
ROLE_OF = {
    Stage.RECOGNITION: Role.RECOGNISER,
    Stage.UNDERSTANDING: Role.INTERPRETER,
    Stage.RESPONSE: Role.RESPONDER,
}
"""The stages that a machine's desk can operate, each with its role; the database is asked by the hub itself."""
RESTART_S = (0.5, 2.0, 10.0)
Send = Callable[[AnyCommand], None]


class Machine(Protocol):
    """The part of a machine's desk that does the work of a stage; called from the event loop, and never waits there."""

    stage: Stage
    engine: str
    version: str

    def follow(self, state: SessionState, event: e.Fact | None) -> None:
        """Do what there is to do now; `event` is the fact that came, None when the desk has caught up."""

    def hear(self, chunk: AudioChunk) -> None:
        """Take in a piece of what the subject says."""

    def close(self) -> None:
        """End all work."""


MachineFactory = Callable[[Send, Clock], Machine]


class MachineDesk:
    """One machine with its link; it acts once it has caught up with the session."""

    def __init__(self, make: MachineFactory, clock: Clock, give: Send, notify: Callable[[str], None]) -> None:
        self.state = SessionState()
        self.link = DeskLink(f"machine-{ulid(clock.wall_ns())}", clock, VERSION)
        self.machine = make(self._send, clock)
        self._clock = clock
        self._give = give
        self._notify = notify
        self._facts: int | None = None
        self._sent: set[str] = set()

    def receive(self, event: LinkEvent) -> None:
        """Fold what came, and let the machine act on it."""
        match event:
            case Welcome():
                self._facts = event.facts
                if self.link.have >= event.facts:
                    self._caught_up()
            case HistoryReset():
                self.state = SessionState()
            case FactReceived():
                self.state = evolve(self.state, event.recorded)
                if self._facts is not None and self.link.have == self._facts:
                    self._caught_up()
                elif self._facts is not None and self.link.have > self._facts:
                    self.machine.follow(self.state, event.recorded.event)
            case CommandAnswered(command, refusal):
                if refusal is not None:
                    self._sent.discard(command)
                    self._notify(f"{self.machine.stage}: {refusal}")
            case AudioChunk():
                self.machine.hear(event)
            case _:
                pass

    def _caught_up(self) -> None:
        if self.state.ended:
            return
        machine = self.machine
        self._give(
            OperateStage(
                id=ulid(self._clock.wall_ns()), stage=machine.stage, engine=machine.engine, version=machine.version
            )
        )
        machine.follow(self.state, None)

    def _send(self, command: AnyCommand) -> None:
        """Send a command once; one that was refused may be sent again."""
        if command.id not in self._sent:
            self._sent.add(command.id)
            self._give(command)


class _Carrier:
    """A connection within the hub's process: the frames of the ordinary link, without a socket."""

    def __init__(self, hub: Hub, session: str, token: str, admit: Admit, clock: Clock, make: MachineFactory) -> None:
        self.desk = MachineDesk(make, clock, self._give, lambda line: LOG.info("session %s: %s", session, line))
        self.desk.link.show(token)
        self._outgoing: asyncio.Queue[str | bytes] = asyncio.Queue()
        self._incoming: asyncio.Queue[str | bytes] = asyncio.Queue()
        self._connection = Connection(hub, session, admit, clock, self._outlet, self._leave, RefusedDesks(hub, clock))
        self._left = ""

    def _give(self, command: AnyCommand) -> None:
        self._outgoing.put_nowait(self.desk.link.give(command))

    def _outlet(self, message: HubMessage | Sound) -> None:
        self._incoming.put_nowait(encode(message))

    def _leave(self, why: str) -> None:
        self._left = why
        self._incoming.put_nowait("")

    async def run(self) -> BaseException | None:
        """Carry frames both ways until the hub or the machine ends that; return why."""
        why = HUB_CLOSES
        ways = [asyncio.ensure_future(way) for way in (self._up(), self._down())]
        try:
            over, _ = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            error = next(way.exception() for way in over)
            why = f"{type(error).__name__}: {error}"
            return error
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            self.desk.machine.close()
            await asyncio.shield(self._connection.closed(why))

    async def _up(self) -> None:
        for frame in self.desk.link.opening():
            await self._connection.receive(frame)
        while True:
            await self._connection.receive(await self._outgoing.get())

    async def _down(self) -> None:
        while not self._left:
            if frame := await self._incoming.get():
                for event in self.desk.link.receive(frame):
                    self.desk.receive(event)
        raise Rejected(self._left)


async def operate_inside(hub: Hub, session: str, token: str, admit: Admit, clock: Clock, make: MachineFactory) -> None:
    """Operate a stage of a session within the hub's process until cancelled; start a machine that fails again, a few times."""
    for pause in (*RESTART_S, None):
        carrier = _Carrier(hub, session, token, admit, clock, make)
        error = await carrier.run()
        LOG.error("session %s: the machine of %s ended", session, carrier.desk.machine.stage, exc_info=error)
        if pause is not None:
            await clock.sleep(pause)


async def operate_apart(address: Address, clock: Clock, make: MachineFactory, notify: Callable[[str], None]) -> None:
    """Operate a stage of the session at `address` over the network until cancelled."""
    clients: list[HubClient] = []
    desk = MachineDesk(make, clock, lambda command: clients[0].give(command), notify)
    desk.link.show(address.token)

    def linked(state: LinkState) -> None:
        notify("connected" if state.up else f"not connected: {state.reason}")

    clients.append(HubClient(address, desk.link, clock, desk.receive, linked))
    try:
        await clients[0].run()
    finally:
        desk.machine.close()
