"""`curtain wizard`: a console with a hub of its own over a study, or attached to the hub at an address."""

import asyncio
from typing import TextIO

from session.network import Address
from session.versions import DamagedEvent, NewerEvent
from session.vocabulary import Role
from wizard.sitting import Sitting


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
    sitting = Sitting(wizard, loudspeaker, theme, err)
    if not target.startswith(("ws:", "wss:")):
        from wizard.hosting import over_study  # here: a console at a hub elsewhere does not wait for a hub's libraries

        return over_study(sitting, target, listen, insecure, Role(role), speaker, resume)
    try:
        asyncio.run(sitting.attached(Address.parse(target)))
    except (DamagedEvent, NewerEvent, ValueError, OSError) as error:
        err.write(f"{error}\n")
        return 2
    return sitting.status
