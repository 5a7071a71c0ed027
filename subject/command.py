"""`curtain subject URL`: one subject's terminal, from the address that the hub printed to the end of the session."""

import asyncio
import contextlib
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TextIO

import msgspec

from desk.quiet_stderr import c_stderr_to
from desk.theme import theme_for
from session.gc_pauses import settle
from session.transport.websocket import Address
from session.values.clock import SystemClock
from session.values.names import ulid
from subject.app import SubjectApp
from subject.capture.microphones import RATE, inputs, parsed
from subject.desk import Inputs, SubjectDesk, default_loudspeaker
from subject.spool.spool_folder import spool_folder
from subject.spool.takes import SpoolError


class SubjectOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of `curtain subject`.

    `microphones` are `[LETTERS=]DEVICE[@RATE]`, without any those of the profile; `rate` is in samples per second.
    `loudspeaker` is a part of a device's name or its number, the default one when empty. `code`
    unlocks the screen; without one Ctrl+Q leaves it. `spool` is the folder for what the hub has not confirmed.
    """

    microphones: tuple[str, ...] = ()
    loudspeaker: str = ""
    rate: int | None = None
    code: str | None = None
    theme: str = "dark"
    spool: str | None = None


def subject_command(url: str, options: SubjectOptions, err: TextIO) -> int:
    """Run the terminal of the session at `url`; 2 when it cannot be started."""
    try:
        address = Address.parse(url)
        named = parsed(options.microphones, options.rate or RATE)
        folder = Path(options.spool) if options.spool else spool_folder(address.session)
        folder.mkdir(parents=True, exist_ok=True)
    except (ValueError, OSError) as error:
        err.write(f"{error}\n")
        return 2
    log = folder / "terminal.log"
    try:
        with c_stderr_to(log):
            left = asyncio.run(
                _run(address, folder, lambda profile: inputs(named, profile, options.rate), options, log)
            )
    except SpoolError as error:
        err.write(f"{error}\n")
        return 2
    err.write(left)
    return 0


async def _run(address: Address, folder: Path, microphones: Inputs, options: SubjectOptions, log: Path) -> str:
    clock = SystemClock(f"subject-{ulid(0)[-8:]}")
    # The desk tells the app of changes and the app shows the desk; the lambda ties the knot.
    heard_from = partial(default_loudspeaker, options.loudspeaker)
    desk = SubjectDesk(address, clock, folder, microphones, lambda: app.changed(), loudspeaker=heard_from)
    app = SubjectApp(
        desk.terminal,
        clock,
        open_microphone=desk.open_microphone,
        levels=lambda: desk.levels,
        reason=lambda: desk.link_state.reason,
        turned_away=lambda: desk.link_state.rejected,
        code=options.code,
        theme=theme_for(os.environ, options.theme),
        after_paint=lambda: app.run_worker(_prepared(desk)),
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


async def _prepared(desk: SubjectDesk) -> None:
    """Return all that can wait until something stands on the screen."""
    await asyncio.to_thread(desk.prepare)
    settle()


def _crash_writer(log: Path) -> Callable[[BaseException], None]:
    def write(error: BaseException) -> None:
        with log.open("a", encoding="utf-8") as file:
            file.write(f"{type(error).__name__}: {error}\n")

    return write
