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
from corpus.centre.centre_state import CentreState, HeldSession
from corpus.centre.ledger import FAULTS, VOLUMES, Centre
from corpus.centre.pending_withdrawals import refuse_pending_withdrawals
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


class VolumeWaveform(msgspec.Struct, frozen=True):
    """A waveform for a volume: where it lies, its path in the corpus, its bytes and its SHA-256."""

    source: Path
    path: str
    bytes: int
    sha256: str

    @property
    def name(self) -> str:
        """Its path on the volume, as level 1 allows it."""
        return name_on_volume(self.path)


def name_on_volume(path: str) -> str:
    """The name that a waveform has on a volume, by its path in the corpus."""
    return "/" + path.upper()


def volume_command(options: VolumeOptions, clock: Clock, out: TextIO, err: TextIO) -> int:
    """Write the volumes that are full; their images go to `out`. 1 where a session fits on none, 2 when something could not be
    done."""
    try:
        with Centre(Path(options.centre), clock) as centre:
            refuse_pending_withdrawals(centre, CentreState(centre))
            capacity = options.capacity or centre.settings.capacity
            while chosen := packed(_fitting(waits := waiting(centre), capacity), capacity, options.every):
                out.write(f"{_write(centre, chosen, capacity)}\n")
            left = sum(size for _, _, size in waits)
            err.write(f"{counted(len(waits), 'session')} of {left} bytes wait for the next volume\n")
            large = [entry for entry in waits if entry not in _fitting(waits, capacity)]
            for held, _, size in large:
                name = held.session.session
                err.write(
                    f"session {name} takes {size} bytes and fits on no volume of {capacity}: "
                    f"it waits for a --capacity of {size + _SYSTEM} or more\n"
                )
    except (*FAULTS, KeyboardInterrupt) as error:
        err.write(stopped(error))
        return status_of(error)
    return 1 if large else 0


Waiting = list[tuple[HeldSession, list[VolumeWaveform], int]]


def waiting(centre: Centre) -> Waiting:
    """The released sessions of which not every waveform is on a volume as it is now, with all their waveforms and the bytes that
    these take."""
    centre_state = CentreState(centre)
    found: Waiting = []
    corpora = {state: Corpus(root) for state, root in centre_state.roots()}
    for held in sorted(centre_state.in_set(RELEASE), key=lambda held: held.session.session):
        name = held.session.session
        if name not in centre_state.released:
            continue
        waves = [*waves_of(corpora[held.state], held)]
        out = {line for volume in centre_state.on_volume.get(name, ()) for line in index_of(centre, volume)}
        if any((wave.path, wave.sha256) not in out for wave in waves):
            found.append((held, waves, size_of(waves)))
    return found


def index_of(centre: Centre, volume: str) -> Iterator[tuple[str, str]]:
    """Path and SHA-256 of every waveform on a volume."""
    path = centre.folder / VOLUMES / f"{volume}.ndx"
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
        if not line.startswith(";"):
            _, name, _, sha256 = line.split("\t")
            yield name, sha256


def _fitting(waits: Waiting, capacity: int) -> Waiting:
    """Those that fit on a volume at all."""
    return [entry for entry in waits if entry[2] <= capacity - _SYSTEM]


def waves_of(corpus: Corpus, held: HeldSession) -> Iterator[VolumeWaveform]:
    """The waveforms of a session."""
    units = {(held.session.speaker, number) for number in held.session.scenarios}
    for path, entry in sorted(corpus.manifest.files.items()):
        name = speech_name(path)
        if name is not None and name.type == "wav" and name.scenario in units:
            yield VolumeWaveform(corpus.root / path, path, entry.bytes, entry.sha256)


def size_of(waves: list[VolumeWaveform]) -> int:
    """Bytes that waveforms take on a volume: whole sectors, with their directories and their lines of the index."""
    folders = {path for wave in waves for path in Path(wave.path).parents}
    lines = sum(len(wave.path) + len(wave.name) + 90 for wave in waves)
    sectors = sum(-(-wave.bytes // SECTOR) for wave in waves) + len(folders) * 2 + -(-lines // SECTOR)
    return (sectors + -(-len(waves) * 64 // SECTOR)) * SECTOR


def packed(waits: Waiting, capacity: int, every: bool = False) -> Waiting:
    """Return the items of the next volume, nothing if the waiting items do not fill one."""
    room = capacity - _SYSTEM
    if not every and sum(size for _, _, size in waits) <= room:
        return []
    chosen: Waiting = []
    for entry in waits:
        if entry[2] <= room:
            chosen.append(entry)
            room -= entry[2]
    return chosen


def _write(centre: Centre, chosen: Waiting, capacity: int) -> Path:
    name = f"vol{1 + sum(1 for _ in centre.facts(f.VolumeWritten)):03}"
    centre_state = CentreState(centre)
    waves = [wave for _, own, _ in chosen for wave in own]
    target = centre.place(VOLUMES, f"{name}.iso")
    digest = _draw_up(target, name, waves)
    size = _part(target).stat().st_size
    if size > capacity:
        _part(target).unlink()
        raise Refused(
            f"{name} would take {size} bytes of {capacity}; give a capacity that is larger by {size - capacity}"
        )
    sessions = tuple(held.session.session for held, _, _ in chosen)
    releases = tuple(release.release for release in centre_state.releases if {*release.sessions} & {*sessions})
    centre.record(
        f.VolumeWritten(
            volume=name,
            capacity=capacity,
            size=size,
            sessions=sessions,
            utterances=sum(held.session.data for held, _, _ in chosen),
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
    index = "\n".join((f";; volume {name}: name here, path in the corpus, bytes, SHA-256", *lines, "")).encode()
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
    for root in centre.kept():
        for path, entry in Corpus(root).manifest.files.items() if wanted else ():
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
        image, digest = (
            centre.folder / VOLUMES / f"{fact.volume}.iso",
            centre_state.listings.get(fact.volume, fact.image),
        )
        if digest and (not image.is_file() or digest_of(image) != digest):
            yield f"{image} is not as it was written; restore it from a copy"


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
