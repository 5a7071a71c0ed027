"""The load that hubs carry: sessions that stream 20 ms frames, record, hash, commit, query, reply, all at once.

The load comes from another process on the same machine, which it shares with the hubs. Each session's subject speaks takes of
two seconds; the wizard transcribes, asks the database and answers. `continuous` speech leaves no pause between takes; `people`
speak two seconds of every twenty. A reply counts from its command to its arrival at the subject, once all desks are connected.
The ceiling is the last step whose 99th percentile stays under 50 ms. Several hubs share one store, and the sessions among them.
With `--pages` the subjects speak the protocol of a page in a browser: its gateway, at the hub, folds and lays out for each.
`--table` takes every line of the table in docs/development/scale.md, 36 of them with `--postgres`, in about 18 minutes.

    python -m benchmarks.hub_load [--speech continuous|people] [--sessions N …] [--hubs N] [--postgres URL] [--seconds S]
                                  [--pages]
    python -m benchmarks.hub_load --table [--postgres URL] [--seconds S]
"""

import argparse
import asyncio
import hashlib
import itertools
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from benchmarks.figures import figure, percentile
from benchmarks.hubs import Running, name, open_many_files, processor_s, several
from benchmarks.torture.processes import BY_ROLE
from session import commands as c
from session import events as e
from session.protocol.links import DeskLink, FactReceived, LinkEvent
from session.protocol.messages import AudioChunk, encode
from session.study.settings import Profile
from session.transport.websocket import Address, HubClient
from session.values.clock import Clock, SystemClock, stamp
from session.values.names import ulid
from session.values.vocabulary import Channel, Echo, Language, Role, Sealed

PROFILE = Profile(name="bench", consent=False, echo=Echo.NEVER, reply_limit_s=0)
FRAME, FRAMES, LIMIT_MS, PATIENCE_S = 320, 100, 50.0, 5.0
EVERY_S, AT_ONCE, BEGUN_S, TABLE_S = 20.0, 50, 2.0, 10.0
PEOPLE, HUBS, CONTINUOUS = (30, 100, 300, 500, 1000), (1, 2, 4), (20, 40, 60)
COLUMNS = ("speech", "sessions", "hubs", "store", "reply p50", "reply p99", "in time", "core use per hub")


class Client:
    """One session: its subject, its wizard, and what their replies took."""

    def __init__(self, port: int, number: int, clock: Clock, every_s: float) -> None:
        self._every_s = every_s
        self.took: list[float] = []
        self.heard: list[float] = []
        self.takes = self.confirmed = 0
        self._clock, self._sent = clock, dict[str, float]()
        self._connected = asyncio.Event()
        self._speaking = ("", 0.0)
        self._asked: dict[str, str] = {}
        self._replies: dict[str, str] = {}
        self._pcm = random.Random(number).randbytes(2 * FRAME * FRAMES)
        self._sha256 = hashlib.sha256(self._pcm).hexdigest()
        self._subject = self._subject_at(port, number)
        self._wizard = self._desk(port, number, Role.WIZARD, self._at_wizard)
        self._links = [asyncio.ensure_future(link.run()) for link in (self._subject, self._wizard)]

    def _subject_at(self, port: int, number: int) -> "HubClient | PageLink":
        return self._desk(port, number, Role.SUBJECT, self._at_subject)

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
                    self._report(e.ReplyShown(at=stamp(self._clock), reply=reply, first=0, last=0))
                case e.TakeConfirmed():
                    self.confirmed += 1
                case _:
                    pass

    def _at_wizard(self, happening: LinkEvent) -> None:
        if isinstance(happening, AudioChunk) and happening.take == self._speaking[0]:
            self.heard.append((time.perf_counter() - self._speaking[1]) * 1e3 - 20 * (happening.first // FRAME + 1))
        if not isinstance(happening, FactReceived):
            return
        match happening.recorded.event:
            case e.RecordingStopped(take=take):
                now = stamp(self._clock)
                self._wizard.give(c.Transcribe(id=ulid(0), at=now, take=take, text="rows of what I said just now"))
                self._wizard.give(
                    c.SubmitQuery(id=ulid(0), at=now, take=take, language=Language.SQL, text="SELECT number FROM rows")
                )
            case e.QueryReturned(attempt=attempt):
                take = self._asked.pop(attempt, "")
                command = c.SendCanned(id=ulid(0), message="none", blanks=("that",), take=take)
                self._sent[command.id], self._replies[take] = time.perf_counter(), command.id
                self._wizard.give(command)
            case e.QuerySubmitted(attempt=attempt, take=take):
                self._asked[attempt] = take
            case _:
                pass

    async def connected(self) -> None:
        self._wizard.give(c.StartScenario(id="start", scenario="try"))
        await self._connected.wait()

    async def run(self, until: float, delay: float) -> None:
        await asyncio.sleep(delay)
        while (began := time.perf_counter()) < until:
            await self._speak(ulid(time.time_ns()))
            await asyncio.sleep(max(0.0, began + self._every_s - time.perf_counter()))
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


class PageLink:
    """The link of a page: says what a page says, and gives what it is told to `told`."""

    def __init__(self, port: int, number: int, clock: Clock, told: Callable[[dict[str, Any]], None]) -> None:
        self._port, self._number, self._clock, self._told = port, number, clock, told
        self._frames: asyncio.Queue[str | bytes] = asyncio.Queue()
        self.levels = False

    async def run(self) -> None:
        """Be connected until cancelled, with the loudness ten times a second wherever the screen asks for it."""
        address = f"127.0.0.1:{self._port}"
        path = f"ws://{address}/visit/{name(self._number)}/link"
        async with (
            connect(path, origin=Origin(f"http://{address}"), compression=None) as socket,
            asyncio.TaskGroup() as at,
        ):
            await socket.send(
                _text("hello", token=BY_ROLE[Role.SUBJECT], desk=f"page-{self._number}", at=stamp(self._clock))
            )
            at.create_task(self._send(socket))
            at.create_task(self._loudness())
            async for frame in socket:
                self._told(json.loads(frame))

    async def _send(self, socket: ClientConnection) -> None:
        while True:
            await socket.send(await self._frames.get())

    async def _loudness(self) -> None:
        for end in itertools.count(1_600, 1_600):
            await asyncio.sleep(0.1)
            if self.levels:
                self._frames.put_nowait(_text("level", end=end, peak=0.01, rms=0.001))

    def say(self, kind: str, **fields: Any) -> None:
        self._frames.put_nowait(_text(kind, **fields))

    def give(self, report: c.Report) -> None:
        """A fact of the page's recorder."""
        self.say("report", id=ulid(0), event=report.event)

    def sound(self, sound: AudioChunk) -> None:
        self._frames.put_nowait(encode(sound))


def _text(kind: str, **fields: Any) -> str:
    return msgspec.json.encode({"m": kind, **fields}).decode()


class PageClient(Client):
    """One session whose subject sits at a page; a reply has come when its turn has lines."""

    def _subject_at(self, port: int, number: int) -> "HubClient | PageLink":
        self._page = PageLink(port, number, self._clock, self._at_page)
        return self._page

    def _at_page(self, message: dict[str, Any]) -> None:
        match message:
            case {"m": "welcome"}:
                self._page.say("microphone", open=True, rate=16_000)
                self._connected.set()
            case {"m": "confirmed"}:
                self.confirmed += 1
            case {"m": "part", "name": "screen", "part": part}:
                self._page.levels = part["levels"]
            case {"m": "part", "name": str(turn), "part": {"lines": [_, *_]}} if turn.startswith("turn:"):
                self._replied(turn.removeprefix("turn:"))

    def _replied(self, take: str) -> None:
        if (reply := self._replies.pop(take, "")) in self._sent:
            self.took.append((time.perf_counter() - self._sent.pop(reply)) * 1e3)
            deed = {"type": "LinesViewed", "spans": [{"key": take, "first": 0, "last": 0}]}
            self._page.say("deed", id=ulid(0), at=stamp(self._clock), deed=deed)


class Load(msgspec.Struct):
    """What a step's sessions met, and the seconds that it took to connect them; `cpu_s` of each hub is of `during_s` seconds in
    which all were at work."""

    clients: list[Client]
    connecting_s: float
    during_s: float
    cpu_s: list[float]

    @property
    def took(self) -> list[float]:
        return [reply for client in self.clients for reply in client.took]

    @property
    def lost(self) -> int:
        return sum(client.takes - client.confirmed for client in self.clients)

    def p99(self) -> float:
        return percentile(self.took, 0.99) if self.took and not self.lost else float("inf")


async def _load(
    hubs: Sequence[Running], sessions: int, seconds: float, every_s: float, client: type[Client], behind: int = 0
) -> Load:
    """Have so many sessions speak for so long, those `behind` the first that there are."""
    clock, began = SystemClock("load"), time.perf_counter()
    clients: list[Client] = []
    for first in range(behind, behind + sessions, AT_ONCE):  # as many as a listening socket lets wait
        numbers = range(first, min(behind + sessions, first + AT_ONCE))
        some = [client(hubs[n % len(hubs)].port, hubs[0].first + n, clock, every_s) for n in numbers]
        await asyncio.gather(*(one.connected() for one in some))
        clients += some
    connecting = time.perf_counter() - began
    until, spread = time.perf_counter() + seconds, max(2.0, every_s)
    during = asyncio.ensure_future(_processor_time(hubs, seconds))
    await asyncio.gather(*(one.run(until, spread * n / sessions) for n, one in enumerate(clients)))
    return Load(clients, connecting, *await during)


async def _processor_time(hubs: Sequence[Running], seconds: float) -> tuple[float, list[float]]:
    """How long the hubs were looked at once the first takes had begun, and the processor time of each meanwhile."""
    await asyncio.sleep(min(BEGUN_S, seconds / 2))
    began, before = time.perf_counter(), [processor_s(hub.pid) for hub in hubs]
    await asyncio.sleep(seconds - min(BEGUN_S, seconds / 2))
    return time.perf_counter() - began, [processor_s(hub.pid) - spent for hub, spent in zip(hubs, before, strict=True)]


def step(sessions: int, seconds: float, every_s: float, hubs: int, url: str, pages: bool) -> float:
    """Print the figures of so many sessions; gives the 99th percentile of their replies."""
    with (
        tempfile.TemporaryDirectory() as folder,
        several(Path(folder), sessions, PROFILE, hubs, url) as running,
    ):
        found = asyncio.run(_load(running, sessions, seconds, every_s, PageClient if pages else Client))
    sound = [piece for client in found.clients for piece in client.heard]
    what = "pages" if pages else "sessions"
    prefix = f"{what}_{sessions}" if hubs == 1 else f"hubs_{hubs}_{what}_{sessions}"
    facts, commits = sum(hub.facts for hub in running), sum(hub.commits for hub in running)
    print(figure(f"{prefix}_reply_p50", percentile(found.took, 0.5), "ms"))
    print(figure(f"{prefix}_reply_p99", percentile(found.took, 0.99), "ms", f"under {LIMIT_MS:.0f}"))
    print(figure(f"{prefix}_replies", len(found.took), "replies", digits=0))
    print(figure(f"{prefix}_sound_p99", percentile(sound, 0.99), "ms from desk to desk"))
    print(
        figure(
            f"{prefix}_facts", facts / sessions / (seconds + found.connecting_s), "facts a second and session", digits=2
        )
    )
    print(figure(f"{prefix}_together", facts / max(1, commits), "facts a commit"))
    for number, (hub, cpu_s) in enumerate(zip(running, found.cpu_s, strict=True), start=1):
        name_ = prefix if hubs == 1 else f"{prefix}_hub_{number}"
        print(figure(f"{name_}_stall_p99", percentile(hub.stalls, 0.99), "ms"))
        print(figure(f"{name_}_cpu", 100 * cpu_s / found.during_s, "percent of a core", digits=0))
    print(figure(f"{prefix}_unconfirmed", found.lost, "takes", "0", digits=0), flush=True)
    return found.p99()


def table(seconds: float, postgres: str) -> None:
    """Print the table of docs/development/scale.md, a line as soon as it is measured. Hubs of all lines over as many hubs and the
    same store are started once, with sessions of their own for each line."""
    print(f"| {' | '.join(COLUMNS)} |\n|{' --- |' * len(COLUMNS)}", flush=True)
    stores = {"SQLite": "", "PostgreSQL": postgres} if postgres else {"SQLite": ""}
    for (store, url), hubs in itertools.product(stores.items(), HUBS):
        steps = [("people", sessions, EVERY_S) for sessions in PEOPLE]
        steps += [("continuous", sessions, 0.0) for sessions in CONTINUOUS if hubs == 1]
        with (
            tempfile.TemporaryDirectory() as folder,
            several(Path(folder), sum(sessions for _, sessions, _ in steps), PROFILE, hubs, url) as running,
        ):
            behind = 0
            for speech, sessions, every_s in steps:
                found = asyncio.run(_load(running, sessions, seconds, every_s, Client, behind))
                behind += sessions
                print(line(speech, sessions, hubs, store, found), flush=True)


def line(speech: str, sessions: int, hubs: int, store: str, found: Load) -> str:
    """The line of a step in that table; `in time` are replies that came before their session left off."""
    takes = sum(client.takes for client in found.clients)
    each = 100 * sum(found.cpu_s) / len(found.cpu_s) / found.during_s
    ms = [f"{percentile(found.took, part):.1f} ms" if found.took else "none" for part in (0.5, 0.99)]
    lost = f", {found.lost} unconfirmed" if found.lost else ""
    cells = (speech, f"{sessions:,}", str(hubs), store, *ms, f"{len(found.took):,} of {takes:,}{lost}", f"{each:.0f} %")
    return f"| {' | '.join(cells)} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--speech", choices=["continuous", "people"], default="continuous")
    parser.add_argument("--sessions", type=int, nargs="*")
    parser.add_argument("--hubs", type=int, default=1)
    parser.add_argument("--postgres", default="", help="the URL of a store to use in place of a SQLite file")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--pages", action="store_true", help="the subjects sit at pages in browsers")
    parser.add_argument("--table", action="store_true", help="all lines of the table in docs/development/scale.md")
    options = parser.parse_args()
    open_many_files()
    if options.table:
        table(options.seconds or TABLE_S, options.postgres)
        return 0
    people = options.speech == "people"
    steps = options.sessions or (PEOPLE if people else [10, 20, 30, 40, 50, 60])
    seconds = options.seconds or (60.0 if people else 10.0)
    ceiling, best = 0, True
    for sessions in steps:
        p99 = step(sessions, seconds, EVERY_S if people else 0.0, options.hubs, options.postgres, options.pages)
        best = best and p99 < LIMIT_MS
        ceiling = sessions if best else ceiling
        if not best and not people:
            break
    wanted = "300 on one hub, 500 on two" if people else "30; aim at 60"
    print(figure("sessions_ceiling", ceiling, "sessions", wanted, digits=0))
    return 0


if __name__ == "__main__":
    sys.exit(main())
