"""`curtain wizard`: a console with a hub of its own over a study, or attached to the hub at an address."""

import asyncio
import contextlib
import datetime
import os
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from platformdirs import user_log_path

from corpus.closing import checked
from desk.stderr import c_stderr_to
from desk.theme import theme_for
from domain.hosting import StudyHub, study_hub
from domain.serving import FAULTS, at_same_port, connecting, keep_port, reachable, unencrypted
from session.asides import Closing
from session.audio import DeviceError, Loudspeaker, SoundDeviceLoudspeaker
from session.clock import Clock, SystemClock
from session.extras import missing
from session.garbage import settle
from session.hosting import Listening as HubListening
from session.hub import Session
from session.inert import inert
from session.names import SessionName, ulid
from session.network import Address
from session.opening import sessions
from session.recordings import Recordings
from session.state import fold
from session.study import Speaker
from session.studyfolder import Study, load
from session.vocabulary import Role
from wizard.app import WizardApp
from wizard.attached import WizardDesk
from wizard.beside import unconfirmed
from wizard.listening import Listening

LOG = "wizard.log"


def wizard_command(
    target: str,
    *,
    role: str,
    listen: str,
    insecure: bool,
    wizard: str,
    speaker: str,
    loudspeaker: str | None,
    theme: str,
    out: TextIO,
    err: TextIO,
    resume: bool | None = None,
) -> int:
    """Run the console over `target`, a study folder or a ws:// or wss:// address, until it is left.

    `resume` takes up the last session that has not ended (True), opens a new one (False), or takes up one of today if there
    is one (None); `speaker` names a new session's subject, else the site's next id. `loudspeaker` is a part of a device's
    name or its number. 0 after an orderly end, 1 when the console itself failed, 2 when it could not be
    started. Nothing goes to `out`.
    """
    running = _Running(wizard, loudspeaker, theme, err)
    try:
        if target.startswith(("ws:", "wss:")):
            asyncio.run(running.attached(Address.parse(target)))
        else:
            listening = HubListening.parse(listen, insecure)
            asyncio.run(running.with_hub(load(Path(target)), listening, Role(role), speaker, resume))
    except FAULTS as error:
        err.write(f"{error}\n")
        return 2
    return running.status


class _Running:
    """What both ways have in common: who sits here, where sound goes, how it looks."""

    def __init__(self, wizard: str, loudspeaker: str | None, theme: str, err: TextIO) -> None:
        self.status = 0
        self._wizard = wizard
        self._device: str | int | None = (
            int(loudspeaker) if loudspeaker is not None and loudspeaker.isdigit() else loudspeaker
        )
        self._theme = theme_for(os.environ, theme)
        self._err = err

    async def attached(self, address: Address) -> None:
        """A console at a hub elsewhere."""
        clock = _clock()
        folder = user_log_path("curtain", appauthor=False, ensure_exists=True)
        desk = await self._console(clock, address, folder / LOG, english=True)
        self._err.write(f"Left session {address.session}; its hub goes on.\n")
        self._tell_unconfirmed(desk)

    async def with_hub(
        self, study: Study, listening: HubListening, role: Role, speaker: str, resume: bool | None
    ) -> None:
        """A console with the study's hub in the same process; the hub ends with it."""
        clock = _clock()
        self._err.write("Making the domain's database ready …\n")
        async with study_hub(study, clock, at_same_port(study.folder, listening), checked) as hub:
            keep_port(study.folder, hub.hosted.port)
            session = await chosen_session(hub, speaker, self._wizard, resume, clock)
            here = reachable(listening.host)
            invitation = connecting(hub.address(session.name, Role.SUBJECT, here), Role.SUBJECT)
            warning = " ".join(filter(None, (unencrypted(listening), missing(study.profile))))
            self._err.write(f"{warning}\nSession {session.name}. The subject connects with\n\n    {invitation}\n\n")
            self._err.flush()
            recordings = Recordings(study.recordings)
            desk = await self._console(
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
            self._err.write(
                f"Session {session.name} {ended}.\nChain head {head}\nRecordings in {study.recordings / session.name}\n"
            )
            self._tell_unconfirmed(desk)
            if session.state.ended:
                seen = desk.console.beside.closing
                fresh = seen if seen and seen.checks else Closing(await asyncio.to_thread(checked, study, session.name))
                self._tell_light(fresh)

    def _tell_light(self, closing: Closing) -> None:
        light = "GREEN: the session is done" if closing.green else f"RED: {len(closing.problems)} against it"
        self._err.write("".join(f"{line}\n" for line in (light, *(f"  {inert(each)}" for each in closing.problems))))

    async def _console(
        self,
        clock: Clock,
        address: Address,
        log: Path,
        *,
        english: bool,
        invitation: str = "",
        notice: str = "",
        recorded: Callable[[str], bytes] | None = None,
    ) -> WizardDesk:
        with c_stderr_to(log):
            # The desk tells the app of changes and the app shows the desk; the lambda ties the knot.
            desk = WizardDesk(
                address, clock, lambda: app.changed(), loudspeaker=self._opened_loudspeaker, english=english
            )
            listening = Listening(None, lambda: desk.link_state, recorded)
            app = WizardApp(
                desk.console,
                clock,
                listening,
                invitation=invitation,
                english=english,
                wizard=self._wizard,
                notice=notice,
                run_desk=desk.run,
                after_paint=lambda: app.run_worker(_hear(desk, listening, app, notice)),
                theme=self._theme,
            )
            try:
                await app.run_async()
            finally:
                desk.close()
            self.status = app.return_code or 0
        return desk

    def _opened_loudspeaker(self) -> Loudspeaker:
        return SoundDeviceLoudspeaker(self._device)

    def _tell_unconfirmed(self, desk: WizardDesk) -> None:
        if missing := unconfirmed(desk.console.state):
            self._err.write(
                f"{missing} recordings are not complete yet; they come when the subject's desk runs again.\n"
            )


def _clock() -> Clock:
    return SystemClock(f"wizard-{ulid(0)[-8:]}")


async def _hear(desk: WizardDesk, listening: Listening, app: WizardApp, notice: str) -> None:
    """Open the loudspeaker; without one everything else works, and this says so."""
    try:
        await asyncio.to_thread(desk.listen)
    except DeviceError as error:
        app.desk.say(" ".join(part for part in (notice, f"The subject cannot be heard here: {error}") if part))
    listening.use(desk.monitor)
    app.changed()
    settle()


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
