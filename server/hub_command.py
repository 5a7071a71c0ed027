"""`curtain hub`: a hub alone, for several sessions and for desks on other machines; and what every host of a hub has to say.

Sessions are opened when it starts (`--sessions N`) and, where somebody sits before it, one more for every line; what the line
says of the subject (`speaker=001 sex=f age=31`) is kept. An earlier session needs no opening: a desk that comes back with its
address finds it where it was.
"""

import asyncio
import contextlib
import os
import resource
import shlex
import signal
import socket
import threading
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from pathlib import Path
from typing import TextIO

import msgspec

from domain.database.build import DatabaseError
from server.metrics import metrics_served
from server.study_hub import ClosingCheckFunction, MachinesFactory, StudyHub, running_study_hub
from session.gc_pauses import settle
from session.rules.assigned_scenarios import next_line
from session.rules.stage_holding import STAGE_OF
from session.store.event_store import SecondWriter, StoreUnavailable
from session.store.upcasting import DamagedEvent, NewerEvent
from session.study.extras import missing
from session.study.folder import Study, load
from session.study.screen_words import Words
from session.study.settings import APART, Profile, Speaker
from session.study.speaker_details import described
from session.study.toml_reader import StudyError
from session.transport.listen_address import ListenAddress, reachable_host
from session.transport.page import PageServer
from session.transport.websocket import Address
from session.values.clock import SystemClock
from session.values.names import Exhausted, ulid
from session.values.vocabulary import Role, Stage

MOST_SESSIONS = 1000
END_WITHIN_S = 4.5
MOST_FILES = 65_536
PORT = "hub.port"
SPEAKER = "speaker="
FAULTS = (
    StudyError, DatabaseError, StoreUnavailable, SecondWriter, DamagedEvent, NewerEvent, Exhausted, ValueError, OSError
)  # fmt: skip
"""Exceptions for a call or a study at fault when a hub is started; each names its remedy."""


PagesFactory = Callable[[Profile, Collection[str], Words], PageServer]
"""Makes a study's page for subjects from its profile, the names of this machine and its words (`subject.browser.pages.Pages`)."""


class HubOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of `curtain hub`: the address HOST:PORT to listen at, how many sessions to open at once, the address of a proxy
    that desks come through, and an address for those who watch the hub."""

    listen: str = "127.0.0.1:0"
    insecure: bool = False
    sessions: int = 1
    behind: str = ""
    metrics: str = ""
    participants: str = ""


def hub_command(
    study: str,
    options: HubOptions,
    out: TextIO,
    err: TextIO,
    *,
    requests: TextIO | None = None,
    closing: ClosingCheckFunction | None = None,
    machines: MachinesFactory | None = None,
    pages: PagesFactory | None = None,
) -> int:
    """Serve the study in folder `study` until Ctrl-C; each line read from `requests` opens a session, and may say whose
    it is and describe the subject (`session.study.speaker_details`).

    `closing` tells consoles whether a session that has ended is done, `machines` operates what the profile gives to
    machines, `pages` serves a page to subjects too. Addresses go to `out`, narration to `err`.
    0 after an orderly end, 1 when it took longer than `END_WITHIN_S`, 2 when the hub could not be started.
    """
    if not 0 <= options.sessions <= MOST_SESSIONS:
        err.write(f"--sessions is between 0 and {MOST_SESSIONS}, not {options.sessions}\n")
        return 2
    if options.participants and pages is None:
        err.write("--participants is of the lobby, which a hub has with --browser\n")
        return 2
    deadline = threading.Timer(END_WITHIN_S, _give_up, (err,))
    deadline.daemon = True
    try:
        asyncio.run(_serve(Path(study), options, requests, (closing, machines), pages, deadline, out, err))
    except FAULTS as error:
        err.write(f"{error}\n")
        return 2
    finally:
        deadline.cancel()
    return 0


def _give_up(err: TextIO) -> None:
    """End at once: a disk or a database holds up the orderly end, and what has been acknowledged is stored."""
    err.write("The hub could not close in order in time; every session can be taken up again.\n")
    err.flush()
    os._exit(1)


async def _serve(
    folder: Path,
    options: HubOptions,
    requests: TextIO | None,
    given: tuple[ClosingCheckFunction | None, MachinesFactory | None],
    pages: PagesFactory | None,
    deadline: threading.Timer,
    out: TextIO,
    err: TextIO,
) -> None:
    listening = ListenAddress.parse(options.listen, options.insecure, options.behind)
    allow_files()
    clock = SystemClock(f"hub-{ulid(0)[-8:]}")
    study = load(folder)
    page = pages(study.profile, page_names(listening), study.words) if pages is not None else None

    def tell(line: str) -> None:
        err.write(f"{line}\n")
        err.flush()

    async with (
        running_study_hub(
            study, clock, with_last_port(folder, listening), *given, page, options.participants, tell
        ) as hub,
        _end_signal(deadline) as end,
        _watched(hub, options.metrics, err),
    ):
        keep_port(folder, hub.hosted.port)
        host = reachable_host(listening.host)
        for warning in warnings_of(study, listening):
            err.write(f"{warning}\n")
        for _ in range(options.sessions):
            if not end.is_set():
                await _open(hub, host, out, page=page is not None)
        message = (
            "Enter opens another session (or speaker=001 sex=f age=31 and Enter), Ctrl-C ends."
            if requests is not None
            else "Ctrl-C ends."
        )
        err.write(f"The experimenter's token in every session of this study: {hub.tokens.console}\n")
        if page is not None:
            err.write(f"The experimenter's page: {hub.overview_address(host)}\n")
            err.write(f"The lobby, for invited people: {hub.lobby_address(host)}\n")
        err.write(f"The hub is listening on port {hub.hosted.port}. {message}\n")
        err.flush()
        settle()
        waiting = asyncio.create_task(end.wait())
        with _line_queue(requests) as lines:
            await _open_on_request(hub, host, lines, waiting, out, err, page=page is not None)
        err.write("The hub is closing; every session that has not ended can be taken up again.\n")
        for name in hub.hosted.hub.sessions:
            err.write(f"{name}: chain head {hub.hosted.store.head(name)}\n")


def warnings_of(study: Study, listening: ListenAddress) -> list[str]:
    """Return what anyone who opens sessions has to know first: no encryption, packages that lack, instructions that are not
    true."""
    untrue = study.untrue_instructions()
    said = [encryption_warning(listening), missing(study.profile), *(f"{what}; {remedy}." for what, remedy in untrue)]
    return [warning for warning in said if warning]


@contextlib.asynccontextmanager
async def _watched(hub: StudyHub, address: str, err: TextIO) -> AsyncIterator[None]:
    """Serve the hub's figures at `address`, if one is given, until the block ends."""
    if not address:
        yield
        return
    listening = ListenAddress.parse(address)
    async with metrics_served(hub.hosted, listening) as port:
        err.write(f"Figures of the hub: http://{listening.host}:{port}/metrics (and /health, /ready)\n")
        yield


async def _open_on_request(
    hub: StudyHub,
    host: str,
    lines: "asyncio.Queue[str]",
    waiting: "asyncio.Task[bool]",
    out: TextIO,
    err: TextIO,
    *,
    page: bool,
) -> None:
    """Open a session for every line until `waiting` is over; a session that cannot be opened is said and no end."""
    while not waiting.done():
        wish = asyncio.create_task(lines.get())
        await asyncio.wait((wish, waiting), return_when=asyncio.FIRST_COMPLETED)
        if not wish.done():
            wish.cancel()
            return
        try:
            await _open(hub, host, out, wish.result(), page=page)
        except (Exhausted, StoreUnavailable, SecondWriter, ValueError) as error:
            err.write(f"{error}\n")


def _expected(line: str) -> Speaker:
    """Return the subject of a line such as `speaker=001 sex=f`, split as a shell splits words; raises ValueError."""
    about = shlex.split(line)
    ids = [entry for entry in about if entry.startswith(SPEAKER)]
    if len(set(ids)) > 1:
        raise ValueError(f"{line.strip()!r} names several speakers; a session has one")
    return described(ids[0].removeprefix(SPEAKER) if ids else "", [entry for entry in about if entry not in ids])


async def _open(hub: StudyHub, host: str, out: TextIO, about: str = "", *, page: bool) -> None:
    session = await hub.open_session(speaker=_expected(about))
    out.write(f"{session.name}\n")
    opened = session.state.opened
    if opened is not None and opened.assignment is not None:
        what = " · ".join(filter(None, (opened.condition, opened.assignment.text, next_line(session.state))))
        out.write(f"  speaker {opened.speaker.id}: {what}\n")
    for role in Role:
        if role not in STAGE_OF:
            out.write(f"  {role:<13}{connect_command(hub.address(session.name, role, host), role)}\n")
    for role, command in machine_commands(hub, session.name, host):
        out.write(f"  {role:<13}{command}\n")
    if page:
        out.write(f"  {'browser':<13}{hub.address(session.name, Role.SUBJECT, host).page}\n")
    out.flush()


def allow_files() -> None:
    """Raise this process's limit of open files as far as the system lets it: each connection is one, and with the usual 1,024
    those who only connect would leave none for the store and the recordings."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def with_last_port(folder: Path, listening: ListenAddress) -> ListenAddress:
    """Return the address with the last time's port where none is named and it is free: addresses handed out stay good."""
    if listening.port:
        return listening
    try:
        port = int((folder / PORT).read_text(encoding="ascii"))
        if not 0 < port < 65536:
            return listening
        with contextlib.closing(socket.create_server((listening.host, port))):
            return msgspec.structs.replace(listening, port=port)
    except (OSError, ValueError):
        return listening


def keep_port(folder: Path, port: int) -> None:
    """Remember the port for the next time; a folder that cannot be written only costs that."""
    with contextlib.suppress(OSError):
        (folder / PORT).write_text(f"{port}\n", encoding="ascii")


def connect_command(address: Address, role: Role) -> str:
    """The command with which a desk of this role connects; the quotes keep a shell from reading the `#`."""
    return f"curtain {'subject' if role is Role.SUBJECT else 'wizard'} '{address}'"


def machine_commands(hub: StudyHub, session: str, host: str) -> list[tuple[Role, str]]:
    """Return the command of each machine of the session that the study has come in from elsewhere; all others are at work
    inside the hub, or not needed. They can be typed as they stand where the study is, or a copy of it."""
    more = {
        Stage.RECOGNITION: f" --study {shlex.quote(str(hub.study.folder))}",
        Stage.UNDERSTANDING: " --engine english",
        Stage.RESPONSE: "",
    }
    return [
        (role, f"curtain operate '{hub.address(session, role, host)}' --stage {stage}{more[stage]}")
        for role in Role
        if (stage := STAGE_OF.get(role)) is not None and getattr(hub.study.settings.machines, stage) == APART
    ]


def encryption_warning(listening: ListenAddress) -> str:
    """Return the warning for audio that would cross a network unencrypted; empty when it does not."""
    if listening.loopback or listening.behind or not listening.insecure:
        return ""
    return "NOT ENCRYPTED: everybody on this network can hear the subject and read the tokens."


def page_names(listening: ListenAddress) -> frozenset[str]:
    """The names under which a browser may have asked for this hub's page; behind a proxy only the proxy's."""
    if listening.behind:
        return frozenset({ListenAddress.parse(listening.behind).host})
    here = {reachable_host(listening.host), socket.gethostname(), socket.getfqdn()} - {""}
    loopback = {"localhost", "127.0.0.1", "::1"}
    return frozenset(loopback if listening.loopback else here | loopback)


@contextlib.asynccontextmanager
async def _end_signal(deadline: threading.Timer) -> AsyncIterator[asyncio.Event]:
    """An event that Ctrl-C and a request to terminate set, so that the hub closes in order, within `END_WITHIN_S` at most."""
    loop, end = asyncio.get_running_loop(), asyncio.Event()

    def begin_end() -> None:
        if not end.is_set():
            end.set()
            deadline.start()

    caught = (signal.SIGINT, signal.SIGTERM)
    for number in caught:
        loop.add_signal_handler(number, begin_end)
    try:
        yield end
    finally:
        for number in caught:
            loop.remove_signal_handler(number)


@contextlib.contextmanager
def _line_queue(requests: TextIO | None) -> Iterator["asyncio.Queue[str]"]:
    """A queue that gets every line of `requests`."""
    queue: asyncio.Queue[str] = asyncio.Queue()
    if requests is None:
        yield queue
        return
    loop = asyncio.get_running_loop()

    def ready() -> None:
        if line := requests.readline():
            queue.put_nowait(line)
        else:
            loop.remove_reader(requests)

    loop.add_reader(requests, ready)
    try:
        yield queue
    finally:
        loop.remove_reader(requests)
