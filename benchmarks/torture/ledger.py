"""The look for losses after a torture run: what the processes knew to be safe, against what store and recordings hold.

The ledgers are written outside of everything that is tortured. Every sample of every take is looked at: it must follow the one
before it, or an event must tell of what is missing there.
"""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from benchmarks.torture.faults import PERIOD, places
from benchmarks.torture.processes import RATE, SESSION, SUBJECT_LEDGER, WIZARD_LEDGER
from session.collection.recordings import Recordings
from session.events import AudioTroubled, Recorded, RecordingStarted, TakeConfirmed
from session.state.fold import SessionState, Take
from session.values.clock import SECOND
from session.values.vocabulary import AudioTrouble

NEAR = RATE // 4
SPAN_TOLERANCE = RATE // 10


def losses(folder: Path, state: SessionState, facts: list[Recorded], recordings: Recordings) -> list[str]:
    """One sentence for each thing that was safe and is gone, is there twice, or is missing without a word."""
    heard = {take: recordings.read(SESSION, take, "s") for take in state.takes}
    unsure = {fact.event.take: fact.event.uncertainty for fact in facts if isinstance(fact.event, RecordingStarted)}
    found = _facts_lost(facts, _lines(folder / SUBJECT_LEDGER), _lines(folder / WIZARD_LEDGER))
    for take in state.takes.values():
        if take.pressed and not (take.complete and take.confirmed):
            found.append(f"take {take.take} was begun and never confirmed")
        found += _holes(take, heard[take.take], unsure.get(take.take, 0))
    for name, count in _written(folder / SUBJECT_LEDGER).items():
        if len(heard.get(name, b"")) < 2 * count:
            found.append(f"take {name}: {count} samples were on the disk, the hub has {len(heard.get(name, b'')) // 2}")
    return found + _unconfirmed(facts, recordings)


def _lines(path: Path) -> list[list[str]]:
    """The lines that were written whole."""
    text = path.read_text() if path.exists() else ""
    return [line.split() for line in text[: text.rfind("\n") + 1].splitlines()]


def _written(path: Path) -> dict[str, int]:
    """Samples of each take that its disk was said to hold."""
    return {line[1]: int(line[3]) for line in _lines(path) if line[0] == "written"}


def _facts_lost(facts: list[Recorded], *ledgers: list[list[str]]) -> list[str]:
    """Reports and commands that were safe and are not in the store; identifiers that brought about facts twice."""
    runs: list[str] = []
    for fact in facts:
        if fact.cause and (not runs or runs[-1] != fact.cause):
            runs.append(fact.cause)
    known = set(runs)
    silent = {line[1] for ledger in ledgers for line in ledger if line[0] in ("kept", "acknowledged")} - known
    found = [f"command {cause} brought about facts twice" for cause, count in Counter(runs).items() if count > 1]
    return found + [f"{name} was safe and is not recorded" for name in sorted(silent)]


def _unconfirmed(facts: list[Recorded], recordings: Recordings) -> list[str]:
    return [
        f"take {fact.event.take}: what was confirmed is not there"
        for fact in facts
        if isinstance(fact.event, TakeConfirmed)
        for sealed in fact.event.sealed
        if sealed.samples
        and not recordings.seal(SESSION, fact.event.take, sealed.letter, sealed.samples, sealed.sha256)
    ]


def _holes(take: Take, pcm: bytes, unsure_ns: int = 0) -> list[str]:
    """Places at which samples are missing although no event tells of that place; a take shorter than its events span."""
    jumps, gaps = holes([pcm]), _telling(take)
    if silent := untold(take, jumps):
        return [f"take {take.take}: a hole at {silent[:5]}, events tell of {[gap.at_sample for gap in gaps]}"]
    elsewhere: dict[int, int] = {}
    for gap in gaps:
        if not any(abs(place - gap.at_sample) <= NEAR for place in jumps):
            elsewhere[gap.at_sample] = max(gap.samples, elsewhere.get(gap.at_sample, 0))
    return _short(take, len(pcm) // 2, sum(jumps.values()) + sum(elsewhere.values()), unsure_ns)


def holes(pieces: Iterable[bytes]) -> dict[int, int]:
    """Where samples of a numbered microphone do not follow their predecessor, and how many are missing, modulo `PERIOD`."""
    found: dict[int, int] = {}
    at, last = 0, None
    for pcm in filter(None, pieces):
        steps = np.diff(places(pcm), prepend=[] if last is None else [last]) % PERIOD
        first = at + (last is None)
        found |= {first + int(place): int(steps[place]) - 1 for place in np.flatnonzero(steps != 1)}
        at, last = at + len(pcm) // 2, int(places(pcm[-2:])[0])
    return found


def untold(take: Take, places_: Iterable[int]) -> list[int]:
    """Those of the places beside which no event of the take tells that something is missing."""
    gaps = _telling(take)
    return [place for place in places_ if not any(abs(place - gap.at_sample) <= NEAR for gap in gaps)]


def _telling(take: Take) -> list[AudioTroubled]:
    return [
        trouble
        for trouble in take.troubles
        if trouble.trouble in (AudioTrouble.GAP, AudioTrouble.OVERFLOW, AudioTrouble.DISK)
    ]


def _short(take: Take, samples: int, known: int, unsure_ns: int) -> list[str]:
    if take.pressed is None or take.released is None or take.recovered or take.discarded:
        return []
    if take.pressed.clock != take.released.clock or not take.sealed:
        return []
    # Who presses before the microphone has given anything is recorded, and shown the lamp, from its first block on.
    began = max(take.pressed.mono, take.began.mono) if take.began else take.pressed.mono
    span = (take.released.mono - began) * RATE // SECOND + take.pre_roll + take.tail
    if samples + known >= span - SPAN_TOLERANCE - unsure_ns * RATE // SECOND:
        return []
    return [f"take {take.take}: {samples} samples and {known} known to be missing, the events span {span}"]
