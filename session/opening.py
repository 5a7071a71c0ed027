"""Opens a session of a study: its name, its speaker, the subject-scenario number at which it begins, its protocol kept.

All of it follows from the store, so that a speaker who comes again goes on counting and no id is given twice.
"""

import datetime
import os
from collections.abc import Iterator
from pathlib import Path

from session import events as e
from session.names import SessionName, check_speaker
from session.state import fold
from session.store import Store
from session.study import Speaker
from session.studyfolder import Study
from session.vocabulary import Outcome


def sessions(store: Store) -> list[str]:
    """The names of all sessions in the store, the oldest first."""
    names = [SessionName.parse(info.stream) for info in store.streams() if "/" not in info.stream]
    return [str(name) for name in sorted(names, key=lambda name: (name.date, name.number, name.site))]


def _visits(store: Store) -> Iterator[tuple[str, list[e.Recorded]]]:
    """The speaker and the facts of every session; a withdrawn speaker's id stays taken."""
    for name in sessions(store):
        recorded = store.read(name)
        for each in recorded:
            if isinstance(each.event, e.SessionOpened):
                yield each.event.speaker.id, recorded
            elif isinstance(each.event, e.SpeakerWithdrawn):
                yield each.event.speaker, recorded


def known_speaker(study: Study, speaker: str) -> str:
    """`speaker` itself if it lies in the site's blocks; raises ValueError."""
    check_speaker(speaker)
    if not any(speaker in block for block in study.settings.speakers):
        shown = ", ".join(f"{block.first} to {block.last}" for block in study.settings.speakers)
        raise ValueError(f"speaker {speaker} is not of this site, whose ids are {shown}")
    return speaker


def first_scenario(store: Store, speaker: str) -> int:
    """The first subject-scenario number that a speaker has not had yet."""
    numbers = [
        each.event.number or 0
        for visitor, recorded in _visits(store)
        if visitor == speaker
        for each in recorded
        if isinstance(each.event, e.ScenarioStarted)
    ]
    return 1 + max(numbers, default=0)


def _site_so_far(store: Store) -> tuple[int, int]:
    """Scenarios of production and how many of them were the common one (MADCOW 1992, section 2: a tenth of all)."""
    common = [
        run.common
        for _, recorded in _visits(store)
        if (state := fold(recorded)).opened is not None and not state.opened.pilot and not state.opened.rehearsal
        for run in state.runs
        if run.number is not None and run.outcome is not Outcome.INVALIDATED
    ]
    return len(common), sum(common)


def opening(
    study: Study,
    store: Store,
    database_version: str,
    day: datetime.date,
    *,
    speaker: Speaker | None = None,
    operator: str = "",
    rehearsal: bool = False,
    pace: float = 1.0,
    pilot: bool | None = None,
) -> tuple[str, e.SessionOpened]:
    """The name and first fact of the next session; a speaker without an id gets the site's next one.

    Raises names.Exhausted when the site has no id left and ValueError for an id that is not the site's.
    """
    used = {visitor for visitor, _ in _visits(store)}
    who = speaker or Speaker(id="")
    scenarios, common = _site_so_far(store)
    name = known_speaker(study, who.id) if who.id else study.next_speaker(used)
    who = Speaker(name, who.sex, who.age, who.dialect, who.recruitment, who.compensation)
    opened = e.SessionOpened(
        site=study.site,
        speaker=who,
        protocol=study.protocol(database_version),
        operator=operator,
        condition=study.condition(len(used | {name})),
        pilot=study.settings.pilot if pilot is None else pilot,
        rehearsal=rehearsal,
        pace=pace,
        first_scenario=first_scenario(store, name),
        scenarios_before=scenarios,
        common_before=common,
    )
    return study.next_session(sessions(store), day), opened


def keep_protocol(study: Study) -> None:
    """Keep the protocol's files by their hashes beside the recordings: a session's protocol outlives the study's changes."""
    folder = protocols(study.folder)
    folder.mkdir(exist_ok=True)
    for name, sha256 in study.files.items():
        kept = folder / sha256
        if not kept.exists():
            part = folder / f"{sha256}.{os.getpid()}.part"
            part.write_bytes((study.folder / name).read_bytes())
            part.rename(kept)


def protocols(folder: Path) -> Path:
    """Where a study keeps the files of the protocols of its sessions."""
    return folder / "protocols"
