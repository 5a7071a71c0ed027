"""`curtain freeze`: names the protocol that data collection runs under, and amends it with a reason."""

from contextlib import closing
from pathlib import Path
from typing import TextIO

from session.collection.freeze import changes, freeze, freezes_of, statement
from session.store.event_store import UNREADABLE, SecondWriter, Store
from session.study.folder import load
from session.study.toml_reader import StudyError
from session.values.clock import Clock
from session.values.sanitize import inert, one_line


def freeze_command(folder: str, *, reason: str, show: bool, clock: Clock, out: TextIO, err: TextIO) -> int:
    """Freeze the study, amend it, or with `show` say how it stands: 1 where it was changed since, 2 for a fault."""
    try:
        study = load(Path(folder))
        if not show:
            freeze(study, one_line(reason), clock)
        with closing(Store(study.store_url)) as store:
            found = freezes_of(store)
    except (StudyError, ValueError, SecondWriter, *UNREADABLE) as error:
        err.write(f"{error}\n")
        return 2
    if not found:
        out.write("not frozen: edits of the study go into the next session\n")
        return 0
    changed = found[-1].sha256 != study.sha256
    out.write(f"protocol {found[-1].sha256[:12]}: {inert(statement(found))}\n")
    if changed:
        out.write(f"{changes(study, found[-1])}; no session that counts is opened\n")
    return int(changed)
