"""`curtain volume`: released waveforms that wait are packed onto volumes of a capacity, as ISO 9660 images of level 1.

No session is split. A volume is written when what waits would overflow it; what does not fit waits for the next one. Names of
waveforms are short enough for level 1 and only become capitals; `INDEX.TXT` on the volume says which file is which.
"""

import hashlib
import io
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import TextIO

import msgspec

from corpus.centre import facts as f
from corpus.centre.centre_state import CentreState
from corpus.centre.corpus_tables import corpus_in
from corpus.centre.ledger import FAULTS, VOLUMES, Centre
from corpus.centre.pending_withdrawals import refuse_pending_withdrawals
from corpus.centre.waiting_waveforms import (
    INDEX_HEAD,
    SYSTEM,
    VolumeWaveform,
    WaitingSession,
    index_of,
    index_on,
    waiting_waveforms,
)
from corpus.formats.errors import counted, status_of
from corpus.io.staging import Refused, stopped
from corpus.verify.rules.scratch_tables import scratch_tables
from session.values.clock import Clock

_EXTRA = "volumes need the extra volumes: pip install 'curtain-woz[volumes]'"


class VolumeOptions(msgspec.Struct, frozen=True):
    """Options of `volume_command`: a `capacity` in bytes, 0 for the centre's; with `every` a volume that is not full is
    written."""

    centre: str
    capacity: int = 0
    every: bool = False


def volume_command(options: VolumeOptions, clock: Clock, out: TextIO, err: TextIO) -> int:
    """Write the volumes that are full; their images go to `out`. 1 where a session fits on none, 2 when something could not be
    done."""
    try:
        with Centre(Path(options.centre), clock) as centre:
            refuse_pending_withdrawals(centre, CentreState(centre))
            capacity = options.capacity or centre.settings.capacity
            with waiting_waveforms(centre) as waits:
                while chosen := packed(_fitting(waits.sessions, capacity), capacity, options.every):
                    out.write(f"{_write(centre, chosen, [*waits.waves(chosen)], capacity)}\n")
                    waits.drop(chosen)
            left = sum(size for _, size in waits.sessions)
            err.write(f"{counted(len(waits.sessions), 'session')} of {left} bytes wait for the next volume\n")
            large = [entry for entry in waits.sessions if entry.size > capacity - SYSTEM]
            for held, size in large:
                name = held.session.session
                err.write(
                    f"session {name} takes {size} bytes and fits on no volume of {capacity}: "
                    f"it waits for a --capacity of {size + SYSTEM} or more\n"
                )
    except (*FAULTS, KeyboardInterrupt) as error:
        err.write(stopped(error))
        return status_of(error)
    return 1 if large else 0


Waiting = list[WaitingSession]


def _fitting(waits: Waiting, capacity: int) -> Waiting:
    """Those that fit on a volume at all."""
    return [entry for entry in waits if entry.size <= capacity - SYSTEM]


def packed(waits: Waiting, capacity: int, every: bool = False) -> Waiting:
    """Return the items of the next volume, nothing if the waiting items do not fill one."""
    room = capacity - SYSTEM
    if not every and sum(size for _, size in waits) <= room:
        return []
    chosen: Waiting = []
    for entry in waits:
        if entry.size <= room:
            chosen.append(entry)
            room -= entry.size
    return chosen


def _write(centre: Centre, chosen: Waiting, waves: list[VolumeWaveform], capacity: int) -> Path:
    name = f"vol{1 + sum(1 for _ in centre.facts(f.VolumeWritten)):03}"
    centre_state = CentreState(centre)
    target = centre.place(VOLUMES, f"{name}.iso")
    digest = _draw_up(target, name, waves)
    size = _part(target).stat().st_size
    if size > capacity:
        _part(target).unlink()
        raise Refused(
            f"{name} would take {size} bytes of {capacity}; give a capacity that is larger by {size - capacity}"
        )
    sessions = tuple(held.session.session for held, _ in chosen)
    releases = tuple(release.release for release in centre_state.releases if {*release.sessions} & {*sessions})
    centre.record(
        f.VolumeWritten(
            volume=name,
            capacity=capacity,
            size=size,
            sessions=sessions,
            utterances=sum(held.session.data for held, _ in chosen),
            image=digest,
            releases=releases,
            to=centre_state.recipients,
        )
    )
    _publish(target)
    return target


def _part(target: Path) -> Path:
    return target.with_name(f".{target.name}.part")


def _publish(target: Path) -> None:
    for path in (target.with_suffix(".ndx"), target):
        _part(path).chmod(0o444)  # like a release: it went out as it is
        _part(path).replace(path)


def _draw_up(target: Path, name: str, waves: list[VolumeWaveform]) -> str:
    """Write an image and its index under hidden names; return the SHA-256 of the image. Raises `Refused` without the extra."""
    image = _pycdlib().PyCdlib()
    image.new(interchange_level=1, vol_ident=name.upper())
    folders = {parent.as_posix() for wave in waves for parent in Path(wave.name).parents} - {"/"}
    for folder in sorted(folders):
        image.add_directory(folder)
    lines = [f"{wave.name}\t{wave.path}\t{wave.bytes}\t{wave.sha256}" for wave in sorted(waves, key=lambda w: w.path)]
    index = "\n".join((INDEX_HEAD.format(name), *lines, "")).encode()
    image.add_fp(io.BytesIO(index), len(index), "/INDEX.TXT;1")
    for wave in waves:
        image.add_file(str(wave.source), f"{wave.name};1")
    try:
        image.write(str(_part(target)))
        image.close()
        _part(target.with_suffix(".ndx")).write_bytes(index)
    except BaseException:
        _part(target).unlink(missing_ok=True)
        raise
    return digest_of(_part(target))


def holds(centre: Centre, volume: str, speaker: str) -> bool:
    """Return whether a person is on a volume."""
    return any(f"/{speaker}/" in path for path, _ in index_of(centre, volume))


def rewrite(centre: Centre, volume: str, speaker: str) -> str:
    """Write the image of a volume again without a person, all else as it went out; return its SHA-256, or nothing if nobody
    is left on it."""
    target = centre.folder / VOLUMES / f"{volume}.iso"
    wanted = {entry for entry in index_of(centre, volume) if f"/{speaker}/" not in entry[0]}
    waves = dict[tuple[str, str], VolumeWaveform]()
    for root in centre.kept() if wanted else ():
        with scratch_tables() as tables:
            for path, entry in corpus_in(root, tables).manifest.files.items():
                if (path, entry.sha256) in wanted:
                    waves[path, entry.sha256] = VolumeWaveform(root / path, path, entry.bytes, entry.sha256)
    if not waves:
        target.unlink(missing_ok=True)
        target.with_suffix(".ndx").unlink(missing_ok=True)
        return ""
    digest = _draw_up(target, volume, [wave for _, wave in sorted(waves.items())])
    _publish(target)
    return digest


def faults(centre: Centre, centre_state: CentreState) -> Iterator[str]:
    """Return the volumes that are not as they went out, in sentences."""
    for fact in centre.facts(f.VolumeWritten):
        image = centre.folder / VOLUMES / f"{fact.volume}.iso"
        beside = image.with_suffix(".ndx")
        if not is_as_written(centre, centre_state, fact):
            yield f"{image} is not as it was written; restore it from a copy"
        elif image.is_file() and not (beside.is_file() and beside.read_bytes() == index_on(image)):
            yield f"{beside} is not the index on {image.name}; write INDEX.TXT of that in its place"


def is_as_written(centre: Centre, centre_state: CentreState, fact: f.VolumeWritten) -> bool:
    """Return whether an image is as the ledger has it; one on which nobody is left is gone."""
    image, digest = centre.folder / VOLUMES / f"{fact.volume}.iso", centre_state.listings.get(fact.volume, fact.image)
    return not digest or (image.is_file() and digest_of(image) == digest)


def digest_of(path: Path) -> str:
    """The SHA-256 of a large file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _pycdlib() -> ModuleType:
    try:
        import pycdlib
    except ImportError:
        raise Refused(_EXTRA) from None
    found: ModuleType = pycdlib
    return found
