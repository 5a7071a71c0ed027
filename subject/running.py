"""`curtain subject URL`: one subject's terminal, from the address that the hub printed to the end of the session."""

import asyncio
import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from desk.stderr import c_stderr_to
from desk.theme import theme_for
from session.audio import Microphone, SoundDeviceMicrophone, refresh_devices
from session.clock import SystemClock
from session.names import ulid
from session.network import Address
from subject.app import SubjectApp
from subject.attached import SubjectDesk
from subject.intake import Input
from subject.spool import SpoolError
from subject.spooling import spool_folder

RATE = 16_000


def subject_command(
    url: str,
    microphone: str | None,
    rate: int,
    code: str | None,
    theme: str,
    spool: str | None,
    out: TextIO,
    err: TextIO,
) -> int:
    """Run the terminal. `code` unlocks it (none: it can be left with Ctrl+Q); 2 when it cannot be started."""
    try:
        address = Address.parse(url)
        folder = Path(spool) if spool else spool_folder(address.session)
        folder.mkdir(parents=True, exist_ok=True)
    except (ValueError, OSError) as error:
        err.write(f"{error}\n")
        return 2
    log = folder / "terminal.log"
    try:
        with c_stderr_to(log):
            left = asyncio.run(_run(address, folder, _opener(microphone, rate), code, theme, log))
    except SpoolError as error:
        err.write(f"{error}\n")
        return 2
    err.write(left)
    return 0


def _opener(device: str | None, rate: int) -> list[Input]:
    """The microphone, and the default one when it goes away."""
    chosen: str | int | None = int(device) if device is not None and device.isdigit() else device

    def first() -> Microphone:
        return SoundDeviceMicrophone(chosen, rate)

    def default() -> Microphone:
        refresh_devices()
        return SoundDeviceMicrophone(None, rate)

    return [Input(first, take_over=default)]


async def _run(address: Address, folder: Path, inputs: list[Input], code: str | None, theme: str, log: Path) -> str:
    clock = SystemClock(f"subject-{ulid(0)[-8:]}")
    # The desk tells the app of changes and the app shows the desk; the lambda ties the knot.
    desk = SubjectDesk(address, clock, folder, inputs, lambda: app.changed())
    app = SubjectApp(
        desk.terminal,
        clock,
        open_microphone=desk.open_microphone,
        levels=lambda: desk.levels,
        reason=lambda: desk.link_state.reason,
        code=code,
        theme=theme_for(os.environ, theme),
        on_crash=_crash_writer(log),
    )
    link = asyncio.create_task(desk.run())
    try:
        await app.run_async()
    finally:
        link.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await link
        await desk.close()
    waiting = len(desk.kept.spool)
    return f"{waiting} recordings wait here for the hub; start the terminal again to send them.\n" if waiting else ""


def _crash_writer(log: Path) -> Callable[[BaseException], None]:
    def write(error: BaseException) -> None:
        with log.open("a", encoding="utf-8") as file:
            file.write(f"{type(error).__name__}: {error}\n")

    return write
