"""Opens a session of a study: its name, its speaker, the subject-scenario number at which it begins, its protocol kept.

All of it follows from the store, so that a speaker who comes again goes on counting and no id is given twice.
"""

import datetime
import secrets
from collections.abc import Sequence
from pathlib import Path

import msgspec

from session import events as e
from session.state.fold import fold
from session.store.event_store import Store
from session.study.folder import Study
from session.study.settings import Speaker
from session.values.names import SessionName, check_speaker


def session_names(store: Store) -> list[str]:
    """The names of all sessions in the store, the oldest first."""
    names = [SessionName.parse(info.stream) for info in store.streams() if "/" not in info.stream]
    return [str(name) for name in sorted(names, key=lambda name: (name.date, name.number, name.site))]


class _SiteUsage:
    """The names and numbers that a site has used, from one reading of its store. A withdrawn speaker's id stays taken.

    `scenarios` of production, and how many of them were the `common` one (MADCOW 1992, section 2: a tenth of all); `numbers`
    holds each speaker's last subject-scenario, `conditions` the one that each was given at the first visit of production.
    """

    def __init__(self, store: Store) -> None:
        self.speakers: set[str] = set()
        self.numbers: dict[str, int] = {}
        self.conditions: dict[str, str] = {}
        self.scenarios = self.common = 0
        self.sessions = session_names(store)
        for name in self.sessions:
            self._visit(store.read(name))

    def _visit(self, recorded: Sequence[e.Recorded]) -> None:
        for each in recorded:
            if isinstance(each.event, e.SpeakerWithdrawn):
                self.speakers.add(each.event.speaker)
        state = fold(recorded)
        if state.opened is None:
            return
        speaker = state.opened.speaker.id
        self.speakers.add(speaker)
        numbered = [run for run in state.runs if run.number is not None]
        self.numbers[speaker] = max([self.numbers.get(speaker, 0), *(run.number or 0 for run in numbered)])
        if not (state.opened.pilot or state.opened.rehearsal):
            self.conditions.setdefault(speaker, state.opened.condition)
            counted = [run for run in numbered if run.counts]
            self.scenarios += len(counted)
            self.common += sum(run.common for run in counted)


def known_speaker(study: Study, speaker: str) -> str:
    """`speaker` itself if it lies in the site's blocks; raises ValueError."""
    check_speaker(speaker)
    if not any(speaker in block for block in study.settings.speakers):
        shown = ", ".join(f"{block.first} to {block.last}" for block in study.settings.speakers)
        raise ValueError(f"speaker {speaker} is not of this site, whose ids are {shown}")
    return speaker


class SessionPlan(msgspec.Struct, frozen=True):
    """The name and first fact of the next session, true as long as the store holds `sessions_before` sessions."""

    name: str
    opened: e.SessionOpened
    sessions_before: int


def plan_session(
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
) -> SessionPlan:
    """Plan the next session; a speaker without an id gets the site's next one.

    Reads the whole store: with many sessions that takes seconds.
    Raises names.Exhausted when the site has no id left and ValueError for an id that is not the site's.
    """
    so_far = _SiteUsage(store)
    who = speaker or Speaker(id="")
    name = known_speaker(study, who.id) if who.id else study.next_speaker(so_far.speakers)
    who = Speaker(name, who.sex, who.age, who.dialect, who.recruitment, who.compensation)
    opened = e.SessionOpened(
        site=study.site,
        speaker=who,
        protocol=study.protocol(database_version),
        operator=operator,
        condition=so_far.conditions.get(name) or study.next_condition(so_far.conditions.values()),
        pilot=study.settings.pilot if pilot is None else pilot,
        rehearsal=rehearsal,
        pace=pace,
        first_scenario=1 + so_far.numbers.get(name, 0),
        scenarios_before=so_far.scenarios,
        common_before=so_far.common,
    )
    return SessionPlan(study.next_session(so_far.sessions, day), opened, len(so_far.sessions))


def keep_protocol(study: Study) -> None:
    """Keep the protocol's files by their hashes beside the recordings: a session's protocol outlives the study's changes."""
    folder = protocols_folder(study.folder)
    folder.mkdir(exist_ok=True)
    for name, sha256 in study.files.items():
        kept = folder / sha256
        if not kept.exists():
            part = folder / f"{sha256}.{secrets.token_hex(4)}.part"
            part.write_bytes((study.folder / name).read_bytes())
            part.rename(kept)


def protocols_folder(folder: Path) -> Path:
    """Return the folder in which a study keeps the files of the protocols of its sessions."""
    return folder / "protocols"
