"""Start of a console at a hub of this process or of another, with its operator, sound and theme.

The console is painted first. Then a hub of its own is made ready, whose libraries and database take longer, and then the
loudspeaker is opened.
"""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TextIO

import msgspec
from platformdirs import user_log_path

from desk.quiet_stderr import c_stderr_to
from desk.theme import theme_for
from session.audio.devices import DeviceError, Loudspeaker, SoundDeviceLoudspeaker
from session.gc_pauses import settle, undisturbed
from session.study.screen_words import Words
from session.study.settings import Profile, Speaker
from session.transport.listen_address import ListenAddress as HubListening
from session.transport.page import PageServer
from session.transport.websocket import Address
from session.values.clock import Clock, SystemClock
from session.values.names import ulid
from session.values.vocabulary import Role
from wizard.app import WizardApp
from wizard.audio.playback_state import PlaybackState, Recorded
from wizard.core.hub_info import unconfirmed
from wizard.desk import WizardDesk

LOG = "wizard.log"


class CannotStart(Exception):
    """The console's hub cannot be started; the message says why and what to do."""


class HubRequest(msgspec.Struct, frozen=True):
    """Settings of a console's own hub: its address, the operator's role, and the session (see `wizard_command`); with `pages`
    it serves subjects a page and a lobby, and `participants` keeps a recruiting service's ids."""

    listening: HubListening
    role: Role
    speaker: Speaker = Speaker(id="")
    resume: bool | None = None
    pages: Callable[[Profile, Collection[str], Words], PageServer] | None = None
    participants: str = ""


class ConnectionTarget(msgspec.Struct, frozen=True):
    """Target to which a console connects; of a hub of its own also how the subject does, a warning, and what earlier takes
    hold."""

    address: Address
    invitation: str = ""
    notice: str = ""
    recorded: Recorded | None = None


Opening = Callable[[WizardDesk], AbstractAsyncContextManager[ConnectionTarget]]
"""Opens the place for a desk, and closes it when the console was left."""


class ConsoleRun:
    """`status` is the exit status once the console was left; what is told goes to `err`."""

    def __init__(self, wizard: str, loudspeaker: str | None, theme: str, err: TextIO) -> None:
        self.status = 0
        self.wizard = wizard
        self.clock: Clock = SystemClock(f"wizard-{ulid(0)[-8:]}")
        self._device: str | int | None = (
            int(loudspeaker) if loudspeaker is not None and loudspeaker.isdigit() else loudspeaker
        )
        self._theme = theme_for(os.environ, theme)
        self.err = err
        self.app: WizardApp | None = None

    async def attached(self, address: Address) -> None:
        """A console at a hub elsewhere."""

        @asynccontextmanager
        async def there(desk: WizardDesk) -> AsyncIterator[ConnectionTarget]:
            yield ConnectionTarget(address)
            self.err.write(f"Left session {address.session}; its hub keeps running.\n")
            self.tell_unconfirmed(desk)

        folder = user_log_path("curtain", appauthor=False, ensure_exists=True)
        await self.console(there, folder / LOG, english=True)

    async def console(self, opening: Opening, log: Path, *, english: bool) -> None:
        """Paint a console, then open its place, until it is left; raises what `opening` raises."""
        painted, left = asyncio.Event(), asyncio.Event()
        with c_stderr_to(log):
            # The desk tells the app of changes and the app shows the desk; the lambda ties the knot.
            desk = WizardDesk(
                None, self.clock, lambda: app.changed(), loudspeaker=self._opened_loudspeaker, english=english
            )
            listening = PlaybackState(None, lambda: desk.link_state)
            app = WizardApp(
                desk.console,
                self.clock,
                listening,
                english=english,
                wizard=self.wizard,
                run_desk=desk.run,
                after_paint=painted.set,
                theme=self._theme,
            )
            self.app = app
            seat = asyncio.create_task(_seated(opening, desk, listening, app, painted, left))
            try:
                await app.run_async()
            finally:
                left.set()
                if not desk.led:
                    seat.cancel()
            self.status = app.return_code or 0
        with contextlib.suppress(asyncio.CancelledError):
            await seat

    def notice(self, line: str) -> None:
        """Say something of the hub to anyone who sits at the console."""
        if self.app is not None:
            self.app.desk.show_notice(line)

    def _opened_loudspeaker(self) -> Loudspeaker:
        return SoundDeviceLoudspeaker(self._device)

    def tell_unconfirmed(self, desk: WizardDesk) -> None:
        """Print what of the subject's recordings is still to come."""
        if missing := unconfirmed(desk.console.state):
            self.err.write(
                f"{missing} recordings are not complete yet; they come when the participant's desk runs again.\n"
            )


async def _seated(
    opening: Opening,
    desk: WizardDesk,
    listening: PlaybackState,
    app: WizardApp,
    painted: asyncio.Event,
    left: asyncio.Event,
) -> None:
    """Have a place for the desk from the first painting until it is left; without one the app ends."""
    try:
        await painted.wait()
        async with AsyncExitStack() as stack:
            with undisturbed():
                place = await stack.enter_async_context(opening(desk))
            listening.replay_from(place.recorded)
            desk.lead(place.address)
            app.hub_ready(place.invitation, place.notice)
            await _hear(desk, listening, app)
            await left.wait()
            desk.close()
    finally:
        if not left.is_set():
            app.exit()


async def _hear(desk: WizardDesk, listening: PlaybackState, app: WizardApp) -> None:
    """Open the loudspeaker; without one everything else works, and this says so."""
    try:
        await asyncio.to_thread(desk.listen)
    except DeviceError as error:
        app.cannot_hear(str(error))
    listening.use(desk.monitor)
    app.changed()
    settle()
