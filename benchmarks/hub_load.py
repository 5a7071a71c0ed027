"""How many sessions one hub carries at once, all of them streaming 20 ms frames, recording, hashing, committing, replying.

The load comes from another process on the same machine, which it shares with the hub. Each session's subject speaks takes of
two seconds without a pause; the wizard replies to each. A reply counts from its command to its arrival at the subject. The
design wants 30 sessions with a 99th percentile under 50 ms; the ceiling is the last step that keeps to it.

    python -m benchmarks.hub_load [--sessions N …] [--seconds S]
"""

import argparse
import asyncio
import hashlib
import random
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.figures import figure, percentile
from benchmarks.hubs import Running, hub, name
from benchmarks.torture.processes import BY_ROLE
from session import commands as c
from session import events as e
from session.protocol.links import DeskLink, FactReceived, LinkEvent
from session.protocol.messages import AudioChunk
from session.study.settings import Profile
from session.transport.websocket import Address, HubClient
from session.values.clock import Clock, SystemClock, stamp
from session.values.names import ulid
from session.values.vocabulary import Channel, Echo, Role, Sealed

PROFILE = Profile(name="bench", consent=False, echo=Echo.NEVER, reply_limit_s=0)
FRAME, FRAMES, LIMIT_MS, PATIENCE_S = 320, 100, 50.0, 5.0


class Client:
    """One session: its subject, its wizard, and what their replies took."""

    def __init__(self, port: int, number: int, clock: Clock) -> None:
        self.took: list[float] = []
        self.heard: list[float] = []
        self.takes = self.confirmed = 0
        self._clock, self._sent = clock, dict[str, float]()
        self._connected = asyncio.Event()
        self._speaking = ("", 0.0)
        self._pcm = random.Random(number).randbytes(2 * FRAME * FRAMES)
        self._sha256 = hashlib.sha256(self._pcm).hexdigest()
        self._subject = self._desk(port, number, Role.SUBJECT, self._at_subject)
        self._wizard = self._desk(port, number, Role.WIZARD, self._at_wizard)
        self._links = [asyncio.ensure_future(each.run()) for each in (self._subject, self._wizard)]

    def _desk(self, port: int, number: int, role: Role, happened: object) -> HubClient:
        address = Address("127.0.0.1", port, name(number), BY_ROLE[role], tls=False)
        link = DeskLink(f"{role}-{number}", self._clock, "0", address.token)
        return HubClient(address, link, self._clock, happened, lambda state: None)  # type: ignore[arg-type]

    def _at_subject(self, happening: LinkEvent) -> None:
        self._connected.set()
        if isinstance(happening, FactReceived):
            match happening.recorded.event:
                case e.CannedSent(reply=reply) if reply in self._sent:
                    self.took.append((time.perf_counter() - self._sent.pop(reply)) * 1e3)
                case e.TakeConfirmed():
                    self.confirmed += 1
                case _:
                    pass

    def _at_wizard(self, happening: LinkEvent) -> None:
        if isinstance(happening, AudioChunk) and happening.take == self._speaking[0]:
            self.heard.append((time.perf_counter() - self._speaking[1]) * 1e3 - 20 * (happening.first // FRAME + 1))
        if isinstance(happening, FactReceived) and isinstance(happening.recorded.event, e.RecordingStopped):
            command = c.SendCanned(id=ulid(0), message="none", blanks=("that",), take=happening.recorded.event.take)
            self._sent[command.id] = time.perf_counter()
            self._wizard.give(command)

    async def run(self, until: float, delay: float) -> None:
        self._wizard.give(c.StartScenario(id="start", scenario="try"))
        await self._connected.wait()
        await asyncio.sleep(delay)
        while time.perf_counter() < until:
            await self._speak(ulid(time.time_ns()))
        deadline = time.perf_counter() + PATIENCE_S
        while self.confirmed < self.takes and time.perf_counter() < deadline:
            await asyncio.sleep(0.05)
        for link in self._links:
            link.cancel()
        await asyncio.gather(*self._links, return_exceptions=True)

    async def _speak(self, take: str) -> None:
        began, channel = time.perf_counter(), (Channel("s", "bench", 16_000),)
        self._report(e.TalkPressed(at=stamp(self._clock), take=take))
        self._report(e.RecordingStarted(at=stamp(self._clock), take=take, channels=channel, pre_roll=0))
        self._speaking = (take, began)
        for number in range(FRAMES):
            piece = self._pcm[2 * FRAME * number : 2 * FRAME * (number + 1)]
            await asyncio.sleep(max(0.0, began + 0.02 * (number + 1) - time.perf_counter()))
            self._subject.sound(AudioChunk(take, "s", FRAME * number, piece))
        self._report(e.TalkReleased(at=stamp(self._clock), take=take))
        sealed = (Sealed("s", FRAME * FRAMES, self._sha256),)
        self._report(e.RecordingStopped(at=stamp(self._clock), take=take, sealed=sealed))
        self.takes += 1

    def _report(self, event: c.SubjectFact) -> None:
        self._subject.give(c.Report(id=ulid(0), event=event))


async def _load(running: Running, sessions: int, seconds: float) -> list[Client]:
    clock = SystemClock("load")
    until = time.perf_counter() + seconds
    clients = [Client(running.port, number, clock) for number in range(sessions)]
    await asyncio.gather(*(client.run(until, 2 * number / sessions) for number, client in enumerate(clients)))
    return clients


def step(sessions: int, seconds: float) -> float:
    """Print the figures of so many sessions; gives the 99th percentile of their replies."""
    with tempfile.TemporaryDirectory() as folder, hub(Path(folder), sessions, PROFILE) as running:
        clients = asyncio.run(_load(running, sessions, seconds))
    took = [each for client in clients for each in client.took]
    sound = [each for client in clients for each in client.heard]
    lost = sum(client.takes - client.confirmed for client in clients)
    p99 = percentile(took, 0.99)
    print(figure(f"sessions_{sessions}_reply_p50", percentile(took, 0.5), "ms"))
    print(figure(f"sessions_{sessions}_reply_p99", p99, "ms", f"under {LIMIT_MS:.0f}"))
    print(figure(f"sessions_{sessions}_sound_p99", percentile(sound, 0.99), "ms from desk to desk"))
    print(figure(f"sessions_{sessions}_hub_stall_p99", percentile(running.stalls, 0.99), "ms"))
    print(figure(f"sessions_{sessions}_hub_cpu", 100 * running.cpu_s / seconds, "percent of a core", digits=0))
    print(figure(f"sessions_{sessions}_unconfirmed", lost, "takes", "0", digits=0), flush=True)
    return p99 if not lost else float("inf")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, nargs="*", default=[10, 20, 30, 40, 50, 60])
    parser.add_argument("--seconds", type=float, default=10.0)
    options = parser.parse_args()
    ceiling = 0
    for sessions in options.sessions:
        if step(sessions, options.seconds) >= LIMIT_MS:
            break
        ceiling = sessions
    print(figure("sessions_ceiling", ceiling, "sessions", "30; aim at 60", digits=0))
    return 0


if __name__ == "__main__":
    sys.exit(main())
