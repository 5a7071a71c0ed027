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
from corpus.centre.arrivals import FAULTS
from corpus.centre.ledger import DELIVERIES, VOLUMES, Centre
from corpus.centre.standing import Held, Standing
from corpus.dataset.reader import Corpus, speech_name
from corpus.formats.errors import counted, status_of
from corpus.io.staging import Refused, stopped
from corpus.release.utterance_status import RELEASE
from session.values.clock import Clock

SECTOR = 2048
_SYSTEM = 40 * SECTOR
"""System area, descriptors, path tables and the version of whatever writes the image."""
_EXTRA = "volumes need the extra volumes: pip install 'curtain-woz[volumes]'"


class VolumeOptions(msgspec.Struct, frozen=True):
    """Options of `volume_command`: a `capacity` in bytes, 0 for the centre's; with `every` a volume that is not full is
    written."""

    centre: str
    capacity: int = 0
    every: bool = False


class Wave(msgspec.Struct, frozen=True):
    """A waveform for a volume: where it lies, its path in the corpus, its bytes and its SHA-256."""

    source: Path
    path: str
    bytes: int
    sha256: str

    @property
    def name(self) -> str:
        """Its path on the volume, as level 1 allows it."""
        return "/" + self.path.upper()


def volume_command(options: VolumeOptions, clock: Clock, out: TextIO, err: TextIO) -> int:
    """Write the volumes that are full; their images go to `out`. 2 when something could not be done."""
    try:
        with Centre(Path(options.centre), clock) as centre:
            capacity = options.capacity or centre.settings.capacity
            while (waiting := _waiting(centre)) and (chosen := packed(waiting, capacity, options.every)):
                out.write(f"{_write(centre, chosen, capacity)}\n")
            left = sum(size for _, _, size in waiting)
            err.write(f"{counted(len(waiting), 'session')} of {left} bytes wait for the next volume\n")
    except (*FAULTS, KeyboardInterrupt) as error:
        err.write(stopped(error))
        return status_of(error)
    return 0


Waiting = list[tuple[Held, list[Wave], int]]


def _waiting(centre: Centre) -> Waiting:
    """The released sessions that are on no volume, with their waveforms and the bytes that these take."""
    standing = Standing(centre)
    found: Waiting = []
    corpora = {state: Corpus(root) for state, root in standing.roots()}
    for held in sorted(standing.in_set(RELEASE), key=lambda held: held.session.session):
        name = held.session.session
        if name in standing.released and name not in standing.on_volume:
            waves = [*waves_of(corpora[held.state], held)]
            if waves:
                found.append((held, waves, size_of(waves)))
    return found


def waves_of(corpus: Corpus, held: Held) -> Iterator[Wave]:
    """The waveforms of a session."""
    units = {(held.session.speaker, number) for number in held.session.scenarios}
    for path, entry in sorted(corpus.manifest.files.items()):
        name = speech_name(path)
        if name is not None and name.type == "wav" and name.scenario in units:
            yield Wave(corpus.root / path, path, entry.bytes, entry.sha256)


def size_of(waves: list[Wave]) -> int:
    """Bytes that waveforms take on a volume: whole sectors, with their directories and their lines of the index."""
    folders = {path for wave in waves for path in Path(wave.path).parents}
    lines = sum(len(wave.path) + len(wave.name) + 90 for wave in waves)
    sectors = sum(-(-wave.bytes // SECTOR) for wave in waves) + len(folders) * 2 + -(-lines // SECTOR)
    return (sectors + -(-len(waves) * 64 // SECTOR)) * SECTOR


def packed(waiting: Waiting, capacity: int, every: bool = False) -> Waiting:
    """Return what goes onto the next volume, nothing where what waits does not fill one; raises `Refused` for what fits on
    none."""
    room = capacity - _SYSTEM
    for held, _, size in waiting:
        if size > room:
            raise Refused(
                f"session {held.session.session} takes {size} bytes and fits on no volume of {capacity}; give a larger capacity"
            )
    if not every and sum(size for _, _, size in waiting) <= room:
        return []
    chosen: Waiting = []
    for entry in waiting:
        if entry[2] <= room:
            chosen.append(entry)
            room -= entry[2]
    return chosen


def _write(centre: Centre, chosen: Waiting, capacity: int) -> Path:
    name = f"vol{1 + sum(1 for _ in centre.facts(f.VolumeWritten)):03}"
    standing = Standing(centre)
    waves = [wave for _, own, _ in chosen for wave in own]
    target = centre.place(VOLUMES, f"{name}.iso")
    digest = write_image(target, name, waves)
    size = target.stat().st_size
    if size > capacity:
        target.unlink()
        raise Refused(
            f"{name} would take {size} bytes of {capacity}; give a capacity that is larger by {size - capacity}"
        )
    sessions = tuple(held.session.session for held, _, _ in chosen)
    releases = tuple(release.release for release in standing.releases if {*release.sessions} & {*sessions})
    centre.record(
        f.VolumeWritten(
            volume=name,
            capacity=capacity,
            size=size,
            sessions=sessions,
            utterances=sum(held.session.data for held, _, _ in chosen),
            image=digest,
            releases=releases,
            to=standing.recipients,
        )
    )
    return target


def write_image(target: Path, name: str, waves: list[Wave]) -> str:
    """Write an image; return its SHA-256. Raises `Refused` without the extra."""
    image = _pycdlib().PyCdlib()
    image.new(interchange_level=1, vol_ident=name.upper())
    folders = {parent.as_posix() for wave in waves for parent in Path(wave.name).parents} - {"/"}
    for folder in sorted(folders):
        image.add_directory(folder)
    lines = [f"{wave.name}\t{wave.path}\t{wave.bytes}\t{wave.sha256}" for wave in sorted(waves, key=lambda w: w.path)]
    index = "\n".join((f";; volume {name}: name here, path in the corpus, bytes, SHA-256", *lines, "")).encode()
    image.add_fp(io.BytesIO(index), len(index), "/INDEX.TXT;1")
    for wave in waves:
        image.add_file(str(wave.source), f"{wave.name};1")
    part = target.with_name(f".{target.name}.part")
    try:
        image.write(str(part))
        image.close()
        with part.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    target.with_suffix(".ndx").write_bytes(index)
    return digest


def rewrite(centre: Centre, volume: str, without: set[str]) -> str:
    """Write the image of a volume again without some sessions, from what the deliveries hold; return its SHA-256, or nothing
    where nobody is left on it."""
    standing = Standing(centre)
    fact = next(fact for fact in centre.facts(f.VolumeWritten) if fact.volume == volume)
    left = [standing.sessions[name] for name in fact.sessions if name in standing.sessions and name not in without]
    waves = [wave for held in left for wave in waves_of(Corpus(centre.folder / DELIVERIES / held.state), held)]
    target = centre.folder / VOLUMES / f"{volume}.iso"
    if waves:
        return write_image(target, volume, waves)
    target.unlink(missing_ok=True)
    target.with_suffix(".ndx").unlink(missing_ok=True)
    return ""


def _pycdlib() -> ModuleType:
    try:
        import pycdlib
    except ImportError:
        raise Refused(_EXTRA) from None
    found: ModuleType = pycdlib
    return found
