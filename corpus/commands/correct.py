"""`curtain correct`: corrects the description of a speaker. Nothing is overwritten: each visit gets one more fact.

The fact has what was told, what is so, who says it, when and why. From then on the study, and every corpus made of it, tell what
is so; reasons and former values stay in the lab, for they may tell more of a person than was ever to be handed over. Who is held
out does not hang on any of it. Copies that were made before are named, to be made again.
"""

from collections.abc import Collection, Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.export.study_source import FAULTS
from corpus.formats.errors import FormatFault, counted, message_of
from corpus.io.staging import Refused
from corpus.release.exports_log import exports_around
from session import events as e
from session.collection.erase_speaker import sessions_of
from session.collection.study_lock import StudyInUse, exclusive_lock, shared_lock
from session.state.fold import fold
from session.store.event_store import Entry, SecondWriter, Store
from session.study.folder import Study, load
from session.study.settings import Speaker
from session.study.speaker_details import KEYS, corrected, differing
from session.values.clock import Clock, iso, stamp
from session.values.names import check_speaker
from session.values.sanitize import inert, one_line

_FAULTS = (*FAULTS, SecondWriter, StudyInUse, ValueError)


class Correction(msgspec.Struct, frozen=True):
    """Options of `curtain correct`: the values of a `speaker`, each `KEY=VALUE`, for all visits or those in `sessions`;
    `person` says so, and `why`. Without values nothing changes."""

    speaker: str
    values: tuple[str, ...] = ()
    person: str = ""
    why: str = ""
    sessions: tuple[str, ...] = ()


class CorrectedVisit(msgspec.Struct, frozen=True):
    """A session of the speaker: its opening as it counts now, what was corrected of it, and the last number of its chain."""

    session: str
    opened: e.SessionOpened
    corrections: tuple[e.Recorded, ...]
    seq: int


def correct_command(folder: str, asked: Correction, clock: Clock, out: TextIO, err: TextIO) -> int:
    """Correct what a study tells of a speaker, or without values show it.

    What is told of each visit goes to `out`, with its history, what was done and what is to be made again to `err`. 0 when all
    that is known of was made after the correction, 1 when some was not, 2 when nothing could be corrected or not all.
    """
    try:
        check_speaker(asked.speaker)
        study = load(Path(folder))
        if not asked.values:
            with shared_lock(study.folder), closing(Store(study.store_url)) as store:
                out.write(_shown(_visits(study, store, asked)))
            return 0
        asked = msgspec.structs.replace(asked, person=one_line(asked.person), why=one_line(asked.why))
        if not (asked.person and asked.why):
            raise Refused(
                "name the corrector (--person NAME) and the reason (--why TEXT); both are stored, and never exported"
            )
        with exclusive_lock(study.folder), closing(Store(study.store_url)) as store:
            changed = correct(store, _visits(study, store, asked), asked, clock)
            after = _visits(study, store, asked)
            every = _visits(study, store, Correction(asked.speaker))
            before = _heads_before(store, every)
    except _FAULTS as error:
        err.write(f"{message_of(error)}\n")
        return 2
    out.write(_shown(after))
    err.write(f"speaker {asked.speaker}: {changed} of {counted(len(after), 'visit')} corrected\n")
    return _tell_copies(study, every, before, err)


def correct(store: Store, visits: Iterable[CorrectedVisit], asked: Correction, clock: Clock) -> int:
    """Record what is asked for in each visit that tells otherwise; in how many that was.

    Raises ValueError before anything is recorded, and what the store raises; then the same call records the rest.
    """
    wanted = [(visit, corrected(visit.opened.speaker, asked.values)) for visit in visits]
    changes = [(visit, now) for visit, now in wanted if differing(visit.opened.speaker, now)]
    for visit, now in changes:
        fact = e.SpeakerCorrected(was=visit.opened.speaker, now=now, who=asked.person, why=asked.why)
        store.append(visit.session, visit.seq, [Entry(stamp(clock), "experimenter", "", fact)])
    return len(changes)


def _visits(study: Study, store: Store, asked: Correction) -> list[CorrectedVisit]:
    names = sessions_of(store, asked.speaker)
    if strange := [name for name in asked.sessions if name not in names]:
        raise Refused(
            f"{strange[0]} is not a session of speaker {asked.speaker}; those are: {' '.join(names) or 'none'}"
        )
    found = [visit for name in names if (visit := _visit(store, name)) is not None]
    if not found:
        gone = "the speaker has withdrawn" if names else f"curtain sessions {study.folder} lists them"
        raise Refused(f"no session of {study.folder} describes speaker {asked.speaker}; {gone}")
    return [visit for visit in found if not asked.sessions or visit.session in asked.sessions]


def _visit(store: Store, name: str) -> CorrectedVisit | None:
    """None if the person has withdrawn."""
    recorded = store.read(name)
    opened = fold(recorded).opened
    if opened is None or any(isinstance(record.event, e.SpeakerWithdrawn) for record in recorded):
        return None
    corrections = tuple(record for record in recorded if isinstance(record.event, e.SpeakerCorrected))
    return CorrectedVisit(name, opened, corrections, recorded[-1].seq)


def _shown(visits: Iterable[CorrectedVisit]) -> str:
    lines = list[str]()
    for visit in visits:
        lines.append(f"{visit.session}  {_values_of(visit.opened.speaker, KEYS)}")
        for correction in visit.corrections:
            if isinstance(correction.event, e.SpeakerCorrected):
                fact, keys = correction.event, differing(correction.event.was, correction.event.now)
                said = f"{iso(correction.at.wall)} {inert(fact.who)}"
                lines.append(
                    f"  {said}: {_values_of(fact.was, keys)} -> {_values_of(fact.now, keys)} ({inert(fact.why)})"
                )
    return "".join(f"{line}\n" for line in lines)


def _values_of(speaker: Speaker, keys: Iterable[str]) -> str:
    values = ((key, getattr(speaker, key)) for key in keys)
    return " ".join(f"{key}={'' if value is None else inert(str(value))}" for key, value in values)


def _heads_before(store: Store, visits: Iterable[CorrectedVisit]) -> dict[str, frozenset[str]]:
    """By session, the heads that its chain has had before the last correction of it: what bears one of them tells otherwise."""
    last = {visit.session: visit.corrections[-1].seq for visit in visits if visit.corrections}
    return {
        session: frozenset(fact.digest.hex() for fact in store.raw(session)[: seq - 1]) for session, seq in last.items()
    }


def _tell_copies(study: Study, visits: list[CorrectedVisit], before: Mapping[str, Collection[str]], err: TextIO) -> int:
    """Name the copies that tell otherwise, by the heads that the chains of the visits had when they were made."""
    speaker = visits[0].opened.speaker.id
    try:
        made = exports_around(study.folder)
    except (FormatFault, OSError) as error:
        err.write(f"earlier copies are unknown: {message_of(error)}\n")
        return 1
    stale = [export for export in made if any(head in before.get(name, ()) for name, head in export.heads.items())]
    for place in (Path(export.where) for export in stale):
        where = "" if place.exists() else ", is not where it was written,"
        err.write(f"{place} was made before{where} and describes {speaker} differently: make it again\n")
    return 1 if stale else 0
