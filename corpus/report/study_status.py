"""Status of a study's utterances, exported or not: the same states that `corpus.release.utterance_status` counts for a
corpus.

The sessions are counted as an export would take or leave them, the sets are those beside the corpora that were written before.
Rehearsals are no data of a study and stand nowhere, nor do sessions that cannot be read: nobody knows what is in them.
"""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import msgspec

from corpus.dataset import removals
from corpus.export.exclusions import has_withdrawn, why_left_out
from corpus.export.session_files import ExportOptions
from corpus.export.source import Collected
from corpus.release import holdout_file
from corpus.release.utterance_status import StandingRow, Volume, standings
from session.state.fold import SessionState


class SessionVolume(msgspec.Struct, frozen=True):
    """A session's contribution; `left_out` where an export takes nothing of it."""

    volume: Volume
    left_out: bool


def volume_of_session(collected: Collected, state: SessionState) -> SessionVolume | None:
    """Return what a session contributes; None if it is not data of the study, or its speaker has withdrawn."""
    if state.opened is None or state.opened.pilot or state.opened.rehearsal or has_withdrawn(collected):
        return None
    data, invalid = _counts(state)
    left_out = bool(why_left_out(collected, state, ExportOptions()))
    return SessionVolume(Volume(state.opened.site, state.opened.speaker.id, data, invalid), left_out)


def standing_of_study(study: Path, sessions: Iterable[SessionVolume]) -> list[StandingRow]:
    """Count the utterances of the study's sessions by status, by site, those of all sites last; nothing before the first.

    Raises `FormatFault` for a list in the study, or assignments beside its corpora, that are none, and `Refused` where two of
    these contradict each other.
    """
    left_out = Counter[str]()
    volumes: list[Volume] = []
    for session in sessions:
        if session.left_out:
            left_out[session.volume.site] += session.volume.utterances + session.volume.invalid
        else:
            volumes.append(session.volume)
    known = holdout_file.known(study)
    return standings(volumes, known.every if known else {}, removals.held_in(study), left_out)


def _counts(state: SessionState) -> tuple[int, int]:
    """Numbered utterances of scenarios that count, and of those that were declared invalid."""
    found = Counter[bool]()
    for index, run in enumerate(state.runs):
        found[run.counts] += sum(take.number is not None for take in state.takes_of(index))
    return found[True], found[False]
