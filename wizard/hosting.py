"""`curtain wizard STUDY`: a console with a hub of its own, which ends with it."""

import asyncio
import contextlib
import datetime
from pathlib import Path

from corpus.closing import checked
from domain.hosting import StudyHub, study_hub
from domain.serving import FAULTS, at_same_port, connecting, keep_port, reachable, unencrypted
from session.asides import Closing
from session.clock import Clock
from session.extras import missing
from session.hosting import Listening
from session.hub import Session
from session.inert import inert
from session.names import SessionName
from session.opening import sessions
from session.recordings import Recordings
from session.state import fold
from session.study import Speaker
from session.studyfolder import Study, load
from session.vocabulary import Role
from wizard.sitting import LOG, Sitting, desk_clock


def over_study(
    sitting: Sitting, folder: str, listen: str, insecure: bool, role: Role, speaker: str, resume: bool | None
) -> int:
    """Run a hub over the study in `folder` and a console at it until that is left; gives the exit status."""
    try:
        listening = Listening.parse(listen, insecure)
        asyncio.run(_with_hub(sitting, load(Path(folder)), listening, role, speaker, resume))
    except FAULTS as error:
        sitting.err.write(f"{error}\n")
        return 2
    return sitting.status


async def _with_hub(
    sitting: Sitting, study: Study, listening: Listening, role: Role, speaker: str, resume: bool | None
) -> None:
    """A console with the study's hub in the same process; the hub ends with it."""
    clock = desk_clock()
    sitting.err.write("Making the domain's database ready …\n")
    async with study_hub(study, clock, at_same_port(study.folder, listening), checked) as hub:
        keep_port(study.folder, hub.hosted.port)
        session = await chosen_session(hub, speaker, sitting.wizard, resume, clock)
        here = reachable(listening.host)
        invitation = connecting(hub.address(session.name, Role.SUBJECT, here), Role.SUBJECT)
        warning = " ".join(filter(None, (unencrypted(listening), missing(study.profile))))
        sitting.err.write(f"{warning}\nSession {session.name}. The subject connects with\n\n    {invitation}\n\n")
        sitting.err.flush()
        recordings = Recordings(study.recordings)
        desk = await sitting.console(
            clock,
            hub.address(session.name, role, "127.0.0.1" if here != listening.host else ""),
            study.folder / LOG,
            english=hub.english,
            invitation=invitation,
            notice=warning,
            recorded=lambda take: _recorded(recordings, session.name, take),
        )
        head = hub.hosted.store.head(session.name)
        ended = "has ended" if session.state.ended else "has not ended and can be taken up again"
        sitting.err.write(
            f"Session {session.name} {ended}.\nChain head {head}\nRecordings in {study.recordings / session.name}\n"
        )
        sitting.tell_unconfirmed(desk)
        if session.state.ended:
            seen = desk.console.beside.closing
            fresh = seen if seen and seen.checks else Closing(await asyncio.to_thread(checked, study, session.name))
            _tell_light(sitting, fresh)


def _tell_light(sitting: Sitting, closing: Closing) -> None:
    light = "GREEN: the session is done" if closing.green else f"RED: {len(closing.problems)} against it"
    sitting.err.write("".join(f"{line}\n" for line in (light, *(f"  {inert(each)}" for each in closing.problems))))


def _recorded(recordings: Recordings, session: str, take: str) -> bytes:
    with contextlib.suppress(OSError):
        return recordings.pcm(session, take, "s")
    return b""


async def chosen_session(hub: StudyHub, speaker: str, operator: str, resume: bool | None, clock: Clock) -> Session:
    """The session to work on; raises ValueError when one is to be taken up and there is none, or what `open_session` raises."""
    day = "" if resume else f"{datetime.datetime.fromtimestamp(clock.wall_ns() / 1e9).astimezone():%Y%m%d}"
    found = None if resume is False or (speaker and not resume) else unended(hub, day)
    if found is not None:
        return hub.hosted.hub.resume(found)
    if resume:
        raise ValueError("no session of this study waits to be taken up; leave out --resume, and a new one is opened")
    return await hub.open_session(speaker=Speaker(id=speaker) if speaker else None, operator=operator)


def unended(hub: StudyHub, day: str) -> str | None:
    """The last session that has not ended, of `day` (YYYYMMDD) if one is given."""
    for name in reversed(sessions(hub.hosted.store)):
        if day and SessionName.parse(name).date != day:
            continue
        state = fold(hub.hosted.store.read(name))
        if state.opened is not None and not state.ended:
            return name
    return None
