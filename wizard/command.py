"""`curtain wizard`: a console with a hub of its own over a study, or attached to the hub at an address."""

import asyncio
import importlib
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import msgspec

from session.store.upcasting import DamagedEvent, NewerEvent
from session.study.folder import Study, load
from session.study.screen_words import Words
from session.study.settings import Profile
from session.study.speaker_details import described
from session.study.toml_reader import StudyError
from session.transport.listen_address import ListenAddress
from session.transport.page import PageServer
from session.transport.websocket import Address
from session.values.vocabulary import Role
from wizard.desk import WizardDesk
from wizard.launch import LOG, CannotStart, ConnectionTarget, ConsoleRun, HubRequest

if TYPE_CHECKING:
    from server.study_hub import MachinesFactory


class WizardOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of `curtain wizard`.

    `resume` takes up the last session that has not ended (True), opens a new one (False), or takes up one of today if there
    is one (None). `speaker` is the id of a new session's subject, otherwise the site's next free one; `about` describes the
    subject, each `KEY=VALUE` (`session.study.speaker_details`). `loudspeaker` is a part of a device's name or its number.
    `participants` keeps a recruiting service's ids, outside the study.
    """

    role: str = "wizard"
    listen: str = "127.0.0.1:0"
    insecure: bool = False
    wizard: str = ""
    speaker: str = ""
    about: tuple[str, ...] = ()
    loudspeaker: str | None = None
    resume: bool | None = None
    theme: str = "dark"
    participants: str = ""


def wizard_command(
    target: str,
    options: WizardOptions,
    err: TextIO,
    machines: "MachinesFactory | None" = None,
    *,
    pages: Callable[[Profile, Collection[str], Words], PageServer] | None = None,
) -> int:
    """Run the console over `target`, a study folder or a ws:// or wss:// address, until it is left; over a study, `machines`
    makes what operates the stages that its profile gives to machines, and `pages` a page for subjects.

    0 after an orderly end, 1 when the console itself failed, 2 when it could not be started. Nothing goes to standard output.
    """
    sitting = ConsoleRun(options.wizard, options.loudspeaker, options.theme, err)
    try:
        subject = described(options.speaker, options.about)
        if options.participants and pages is None:
            raise ValueError("--participants is of the lobby, which a hub has with --browser")
        if target.startswith(("ws:", "wss:")):
            if options.about:
                raise ValueError("--about is for a new session of a STUDY; at a URL the hub opens the sessions")
            if pages is not None:
                raise ValueError(
                    "--browser is for a STUDY; at a URL the hub serves the page: `curtain hub STUDY --browser`"
                )
            asyncio.run(sitting.attached(Address.parse(target)))
        else:
            wish = HubRequest(
                ListenAddress.parse(options.listen, options.insecure),
                Role(options.role),
                subject,
                options.resume,
                pages,
                options.participants,
            )
            asyncio.run(_over(sitting, load(Path(target)), wish, machines))
    except (CannotStart, DamagedEvent, NewerEvent, StudyError, ValueError, OSError) as error:
        err.write(f"{error}\n")
        return 2
    return sitting.status


async def _over(sitting: ConsoleRun, study: Study, wish: HubRequest, machines: "MachinesFactory | None") -> None:
    """A console with a hub of its own over `study`; raises CannotStart."""

    @asynccontextmanager
    async def here(desk: WizardDesk) -> AsyncIterator[ConnectionTarget]:
        # In a thread, and then at once: the first painting does not wait for a hub's libraries, nor do the keys.
        await asyncio.to_thread(importlib.import_module, "wizard.own_hub")
        from wizard.own_hub import own_hub

        async with own_hub(sitting, study, wish, desk, machines) as place:
            yield place

    await sitting.console(
        here, study.folder / LOG, english=any(study.in_domain(name).english for name in study.held_domains)
    )
