"""The hub of `curtain wizard STUDY`, which ends with the console."""

import asyncio
import contextlib
import datetime
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import msgspec

from corpus.verify.session_check import checked
from server.hub_command import (
    FAULTS,
    connect_command,
    keep_port,
    machine_commands,
    page_names,
    warnings_of,
    with_last_port,
)
from server.study_hub import MachinesFactory, StudyHub, running_study_hub
from session.collection.recordings import Recordings, recordings_of
from session.hub.session_actor import SessionActor
from session.protocol.side_messages import ClosingResponse
from session.store.leases import SILENT_MS
from session.study.folder import Study
from session.study.settings import Speaker
from session.transport.listen_address import reachable_host
from session.values.clock import SECOND, Clock
from session.values.names import SessionName
from session.values.sanitize import inert
from session.values.vocabulary import Role
from wizard.desk import WizardDesk
from wizard.launch import CannotStart, ConnectionTarget, ConsoleRun, HubRequest

SUBJECT_ADDRESS = "subject.address"
OVERVIEW_ADDRESS = "overview.address"
MACHINE_ADDRESSES = "machines.address"
LOBBY_ADDRESS = "lobby.address"
DEAD_AFTER_S, LOOK_AGAIN_S = SILENT_MS / 1000 + 0.5, 0.25
"""A hub that was killed is known to be dead after so long: until then its session is looked for again and again."""


@contextlib.asynccontextmanager
async def own_hub(
    sitting: ConsoleRun, study: Study, wish: HubRequest, desk: WizardDesk, machines: MachinesFactory | None = None
) -> AsyncIterator[ConnectionTarget]:
    """The study's hub in this process, and in it the session for `desk`; it ends with the block. Raises CannotStart."""
    try:
        listening = with_last_port(study.folder, wish.listening)
        page = wish.pages(study.profile, page_names(listening), study.words) if wish.pages is not None else None
        # Without the file that keeps a service's ids nobody can come from there; the session can be held all the same.
        lobby = wish.participants if wish.participants or not study.settings.lobby.participant else None
        async with running_study_hub(
            study, sitting.clock, listening, checked, machines, page, lobby, sitting.notice
        ) as hub:
            keep_port(study.folder, hub.hosted.port)
            session = await chosen_session(hub, wish.speaker, sitting.wizard, wish.resume, sitting.clock)
            here = reachable_host(listening.host)
            to_subject = hub.address(session.name, Role.SUBJECT, here)
            recordings = recordings_of(study)
            apart = [command for _, command in machine_commands(hub, session.name, here)]
            hint = [f"The commands of the machines are in {study.folder / MACHINE_ADDRESSES}."] if apart else []
            with (
                handed_out(study.folder / MACHINE_ADDRESSES, "\n".join(apart)),
                handed_out(study.folder / SUBJECT_ADDRESS, to_subject.page if page is not None else str(to_subject)),
                handed_out(study.folder / OVERVIEW_ADDRESS, hub.overview_address(here)),
                handed_out(study.folder / LOBBY_ADDRESS, hub.lobby_address(here)),
            ):
                yield ConnectionTarget(
                    hub.address(session.name, wish.role, "127.0.0.1" if here != listening.host else ""),
                    to_subject.page if page is not None else connect_command(to_subject, Role.SUBJECT),
                    " ".join([*warnings_of(study, listening), *hint]),
                    lambda take: _recorded(recordings, session.name, take),
                )
            await _tell_end(sitting, hub, session, desk)
    except FAULTS as error:
        raise CannotStart(str(error)) from error


@contextlib.contextmanager
def handed_out(path: Path, address: str) -> Iterator[None]:
    """While inside, an address, if there is one, is in a file of the study that no other person may read.

    A script finds it there that starts the subject's terminal, or a browser; a folder that cannot be written only costs that.
    """
    if not address:
        yield
        return
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(f"{address}\n")
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


async def _tell_end(sitting: ConsoleRun, hub: StudyHub, session: SessionActor, desk: WizardDesk) -> None:
    head = hub.hosted.store.head(session.name)
    ended = "has ended" if session.state.ended else "has not ended and can be taken up again"
    folder = f"{hub.study.settings.recordings or hub.study.recordings}/{session.name}"
    sitting.err.write(f"Session {session.name} {ended}.\nChain head {head}\nRecordings in {folder}\n")
    sitting.tell_unconfirmed(desk)
    if session.state.ended:
        seen = desk.console.hub_info.closing
        fresh = (
            seen if seen and seen.checks else ClosingResponse(await asyncio.to_thread(checked, hub.study, session.name))
        )
        _tell_light(sitting, fresh)


def _tell_light(sitting: ConsoleRun, closing: ClosingResponse) -> None:
    light = "GREEN: the session is done" if closing.green else f"RED: {len(closing.problems)} against it"
    sitting.err.write(
        "".join(f"{line}\n" for line in (light, *(f"  {inert(problem)}" for problem in closing.problems)))
    )


def _recorded(recordings: Recordings, session: str, take: str) -> bytes:
    with contextlib.suppress(OSError):
        return recordings.pcm(session, take, "s")
    return b""


async def chosen_session(
    hub: StudyHub, speaker: Speaker, operator: str, resume: bool | None, clock: Clock
) -> SessionActor:
    """The session to work on, which no other hub is at work on: one of a console that died a moment ago is waited for.

    Raises ValueError when one is to be taken up and there is none, or its subject is described, or what `open_session` raises.
    """
    new = speaker != Speaker(id="")
    if resume and msgspec.structs.replace(speaker, id="") != Speaker(id=""):
        raise ValueError("--about describes the participant of a new session; leave out --resume, or --about")
    day = "" if resume else f"{datetime.datetime.fromtimestamp(clock.wall_ns() / 1e9).astimezone():%Y%m%d}"
    waiting = [] if resume is False or (new and not resume) else await asyncio.to_thread(unended, hub, day)
    patience = clock.monotonic_ns() + DEAD_AFTER_S * SECOND
    while waiting:
        for name in waiting:
            if await hub.hosted.hub.free(name):
                return await hub.hosted.hub.resume(name)
        if clock.monotonic_ns() > patience:
            break
        await clock.sleep(LOOK_AGAIN_S)
    if resume:
        served = " but those that another hub serves" if waiting else ""
        raise ValueError(
            f"no session of this study waits to be taken up{served}; leave out --resume, and a new one is opened"
        )
    return await hub.open_session(speaker=speaker if new else None, operator=operator)


def unended(hub: StudyHub, day: str) -> list[str]:
    """The sessions that have not ended, of `day` (YYYYMMDD) if one is given, the last one first."""
    names = hub.hosted.store.usage.unended()
    return [name for name in reversed(names) if not day or SessionName.parse(name).date == day]
