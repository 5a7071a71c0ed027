"""Somebody sits down at a console, at a hub of this process or of another: who, where sound goes, how it looks."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from platformdirs import user_log_path

from desk.stderr import c_stderr_to
from desk.theme import theme_for
from session.audio import DeviceError, Loudspeaker, SoundDeviceLoudspeaker
from session.clock import Clock, SystemClock
from session.garbage import settle
from session.names import ulid
from session.network import Address
from wizard.app import WizardApp
from wizard.attached import WizardDesk
from wizard.beside import unconfirmed
from wizard.listening import Listening

LOG = "wizard.log"


class Sitting:
    """`status` is the exit status once the console was left; what is told goes to `err`."""

    def __init__(self, wizard: str, loudspeaker: str | None, theme: str, err: TextIO) -> None:
        self.status = 0
        self.wizard = wizard
        self._device: str | int | None = (
            int(loudspeaker) if loudspeaker is not None and loudspeaker.isdigit() else loudspeaker
        )
        self._theme = theme_for(os.environ, theme)
        self.err = err

    async def attached(self, address: Address) -> None:
        """A console at a hub elsewhere."""
        clock = desk_clock()
        folder = user_log_path("curtain", appauthor=False, ensure_exists=True)
        desk = await self.console(clock, address, folder / LOG, english=True)
        self.err.write(f"Left session {address.session}; its hub goes on.\n")
        self.tell_unconfirmed(desk)

    async def console(
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
                wizard=self.wizard,
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

    def tell_unconfirmed(self, desk: WizardDesk) -> None:
        if missing := unconfirmed(desk.console.state):
            self.err.write(
                f"{missing} recordings are not complete yet; they come when the subject's desk runs again.\n"
            )


def desk_clock() -> Clock:
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
