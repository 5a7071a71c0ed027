"""The freeze: the protocol that data collection runs under, and its amendments, as events of the study.

Until a study is frozen it is in its pilot phase or has no phases; from then on only sessions under the frozen protocol count.
"""

import datetime
from pathlib import Path
from typing import Any, cast

import msgspec

from session.events import Fact, Redacted
from session.events.base import Event
from session.store.event_store import Entry, Store
from session.store.upcasting import Versions
from session.study.folder import Study
from session.values.clock import Clock, stamp

STREAM = "freeze/protocol"


class ProtocolFrozen(Event, frozen=True):
    """Data collection runs under the protocol of this hash from now on; `reason` is why it was amended, if it was."""

    sha256: str
    files: dict[str, str]
    reason: str = ""


FreezeFact = ProtocolFrozen | Redacted
VERSIONS = Versions(FreezeFact, {}, {})


class Freeze(msgspec.Struct, frozen=True):
    """One freeze: the first, or an amendment; `at` is nanoseconds of the wall clock."""

    sha256: str
    files: dict[str, str]
    reason: str
    at: int


def freezes_of(store: Store) -> list[Freeze]:
    """Return the freezes of a study, the first one first; raises what the store raises."""
    found = []
    for stored in store.raw(STREAM):
        recorded = VERSIONS.recorded(stored)
        event: Any = recorded.event
        if isinstance(event, ProtocolFrozen):
            found.append(Freeze(event.sha256, event.files, event.reason, recorded.at.wall))
    return found


def freeze(study: Study, reason: str, clock: Clock) -> Freeze:
    """Freeze the protocol of `study` as it is; raises ValueError if there is nothing to freeze or no reason to amend it."""
    store = Store(study.store_url, VERSIONS)
    try:
        earlier = freezes_of(store)
        if study.settings.pilot:
            raise ValueError(
                f"{study.folder / 'study.toml'}: `pilot = true` marks all sessions as pilots; remove it, then freeze"
            )
        if earlier and earlier[-1].sha256 == study.sha256:
            raise ValueError(f"{study.folder} is frozen as it is: nothing was changed since")
        if earlier and not reason:
            raise ValueError(
                f"{study.folder} is frozen, and {changes(study, earlier[-1])}; say why with --reason: an amendment"
            )
        event = ProtocolFrozen(sha256=study.sha256, files=study.files, reason=reason)
        at = stamp(clock)
        store.append(STREAM, len(earlier), [Entry(at, "experimenter", "", cast(Fact, event))])
    finally:
        store.close()
    return Freeze(study.sha256, study.files, reason, at.wall)


def changes(study: Study, frozen: Freeze) -> str:
    """Say which files of the protocol are other ones than those that were frozen."""
    names = sorted(name for name in {*study.files, *frozen.files} if study.files.get(name) != frozen.files.get(name))
    more = f" and {len(names) - 4} more" if len(names) > 4 else ""
    return f"{', '.join(names[:4])}{more} {'has' if len(names) == 1 else 'have'} been changed since"


def objection(study: Study, freezes: list[Freeze]) -> str:
    """Return why no session that counts may be opened; empty if one may."""
    if not freezes or freezes[-1].sha256 == study.sha256:
        return ""
    return (
        f"the protocol is frozen, and {changes(study, freezes[-1])}; put that back, or make it an amendment: "
        f"curtain freeze {Path(study.folder)} --reason WHY"
    )


def statement(freezes: list[Freeze]) -> str:
    """Return the statement about the protocol in every log: when it was frozen, and each amendment with its reason."""
    if not freezes:
        return ""
    told = [f"frozen {_day(freezes[0])}"]
    told += [f"amendment {n} of {_day(one)}: {one.reason}" for n, one in enumerate(freezes[1:], 1)]
    return "; ".join(told)


def _day(one: Freeze) -> str:
    return f"{datetime.datetime.fromtimestamp(one.at / 1e9, datetime.UTC):%Y-%m-%d}"
