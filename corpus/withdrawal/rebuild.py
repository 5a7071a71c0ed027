"""Rebuild a corpus without a person, and put it in the place of the old one.

The new corpus is made beside the old one, out of links to the files of everybody else; then the two change places, and the old
one is deleted. Whoever is killed meanwhile leaves the old corpus or the new one whole, and the same call finishes the work. What
is damaged in the files of others keeps nobody in: they are taken over as they are, those that no manifest lists too.
"""

import ctypes
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.dataset import removals
from corpus.dataset.reader import Corpus, speech_name
from corpus.dataset.removals import REMOVALS, Removal, Removals
from corpus.dataset.subset import MADE_ANEW, TextSummary, shared_files
from corpus.formats import layout, manifest
from corpus.formats.errors import FormatFault
from corpus.formats.manifest import Manifest
from corpus.formats.spkrinfo import SpeakerTable
from corpus.io.progress import followed
from corpus.io.staging import Refused, is_corpus, link_or_copy, locked

_NEW, _OLD = "new", "old"
_HERE = -100  # AT_FDCWD: paths are relative to the current directory
_EXCHANGE = 2  # RENAME_EXCHANGE


def removal_from(corpus: Corpus, speaker: str, day: str) -> Removal:
    """Return what the corpus holds of a speaker, joined with what its list says already; raises `Refused` for a stranger."""
    entries = [entry for entry in corpus.manifest.sessions if entry.speaker == speaker]
    listed = (*corpus.manifest.files, *corpus.manifest.withheld, *corpus.manifest.missing)
    files = [path for path in listed if corpus.speaker_of(path) == speaker]
    known = removals.held_in(corpus.root).whole(speaker)
    if not entries and not files and not known and speaker not in corpus.speakers():
        raise Refused(
            f"{corpus.root} has no speaker {speaker}; its speakers are {' '.join(corpus.speakers()) or 'none'}"
        )
    names = [name.stem for name in map(speech_name, files) if name is not None and name.stem.utterance]
    stems = sorted({str(msgspec.structs.replace(stem, mic="x")) for stem in names})
    site = entries[0].site if entries else ""
    sessions = tuple(sorted(entry.session for entry in entries))
    found = Removal(speaker, site, day, sessions, tuple(stems), tuple(sorted(set(files))))
    return removals.joined([Removals((removal,)) for removal in (*known, found)]).removals[0]


def takes_of(corpus: Corpus, speaker: str) -> dict[str, str]:
    """Return the names of a speaker's utterances by their takes, as far as the logs can be read."""
    found = dict[str, str]()
    for path in corpus.logs:
        if corpus.speaker_of(path) == speaker:
            with suppress(FormatFault, OSError):
                found |= {take: str(stem) for stem, take in corpus.takes(path)}
    return found


def rebuild(root: Path, removal: Removal, err: TextIO | None = None) -> int:
    """Put a corpus without the person in the place of the one at `root`, or with a removal of the sound alone one without the
    person's waveforms; how many files went. Progress goes to `err`.

    Raises `FormatFault`, OSError where a part could not be done; then the old corpus is there.
    """
    corpus, place = Corpus(root), _place_of(root)
    if place.exists():
        shutil.rmtree(place)
    place.mkdir(mode=0o700)
    (place / _NEW).mkdir()
    gone = 0
    paths = [*_paths(root)]
    for path in followed(paths, err, "files taken over", len(paths)):
        if _goes(corpus, path, removal):
            gone += 1
        elif path not in MADE_ANEW and path != REMOVALS:
            link_or_copy(root / path, place / _NEW / path)
    _describe(corpus, removal, place / _NEW)
    (place / _NEW).chmod(root.stat().st_mode & 0o777)
    _exchange(root, place)
    shutil.rmtree(place)
    return gone


def finish(root: Path) -> None:
    """Finish what a call that was killed has left: the new corpus gets its place, and what is not needed any more is deleted."""
    place = _place_of(root)
    if not place.is_dir():
        return
    if not root.exists():
        (place / _NEW).rename(root)
    shutil.rmtree(place)


def refuse_half_rebuilt(root: Path) -> None:
    """Raise `Refused` if a call that rebuilds a corpus was killed, or is at work: files of the person are there yet."""
    place = _place_of(root)
    if place.is_dir():
        raise Refused(
            f"{place} is left of a withdrawal from {root} that was interrupted or is at work: once it is over, make the same "
            "call of curtain withdraw again, then this one"
        )


@contextmanager
def alone(root: Path) -> Iterator[None]:
    """Wait for anyone who withdraws from a corpus beside this one, and keep others waiting; the lock is on the folder around
    it, because the corpus itself changes places."""
    with locked(root.parent) if _place_of(root).is_dir() or is_corpus(root) else nullcontext():
        yield


def _place_of(root: Path) -> Path:
    here = root.resolve()
    return here.with_name(f".{here.name}.withdrawal")


def _paths(root: Path) -> Iterator[str]:
    """Every file below `root`; a link is a file whatever it leads to."""
    for folder, folders, files in os.walk(root):
        links = [name for name in folders if (Path(folder) / name).is_symlink()]
        for name in (*files, *links):
            yield (Path(folder) / name).relative_to(root).as_posix()


def _goes(corpus: Corpus, path: str, removal: Removal) -> bool:
    return corpus.speaker_of(path) == removal.speaker and (not removal.scope or path.endswith(".wav"))


def _describe(corpus: Corpus, removal: Removal, new: Path) -> None:
    """Write what tells of the whole corpus; the manifest is written last."""
    before = corpus.manifest
    after = _silent(corpus, removal) if removal.scope else _without(corpus, removal)
    speakers = [info for info in corpus.speakers().values() if removal.scope or info.speaker != removal.speaker]
    summary = TextSummary()
    for path in (path for path in after.files if path.endswith((".log", ".sro"))):
        with suppress(FormatFault, OSError):  # `curtain verify` tells of it
            summary.add(path, corpus.read(path))

    def read(path: str) -> bytes:
        with suppress(FormatFault, OSError):
            return corpus.read(path)
        return b""

    left_out = sum(before.left_out.values())
    made = shared_files(after.sessions, SpeakerTable(tuple(speakers)), after.files, read, summary, left_out=left_out)
    made[REMOVALS] = removals.render(removals.joined([removals.held_in(corpus.root), Removals((removal,))]))
    for path, data in made.items():
        (new / path).parent.mkdir(parents=True, exist_ok=True)
        (new / path).write_bytes(data)
    files = after.files | {path: manifest.entry_of(data) for path, data in made.items()}
    with (new / layout.MANIFEST).open("xb") as file:
        file.write(manifest.render(msgspec.structs.replace(after, files=files)))
        file.flush()
        os.fsync(file.fileno())


def _without(corpus: Corpus, removal: Removal) -> Manifest:
    before = corpus.manifest
    sessions = tuple(entry for entry in before.sessions if entry.speaker != removal.speaker)

    def others(paths: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(path for path in paths if corpus.speaker_of(path) != removal.speaker)

    return msgspec.structs.replace(
        before,
        rehearsal=any(entry.rehearsal for entry in sessions),
        sessions=sessions,
        files={path: before.files[path] for path in others(tuple(before.files))},
        withheld=others(before.withheld),
        missing=others(before.missing),
    )


def _silent(corpus: Corpus, removal: Removal) -> Manifest:
    """The manifest with the person's waveforms withheld."""
    before = corpus.manifest
    waves = {path for path in (*before.files, *before.missing) if _goes(corpus, path, removal)}
    return msgspec.structs.replace(
        before,
        files={path: entry for path, entry in before.files.items() if path not in waves},
        withheld=tuple(sorted({*before.withheld, *waves})),
        missing=tuple(path for path in before.missing if path not in waves),
    )


def _exchange(root: Path, place: Path) -> None:
    """Let the new corpus and the old one change places: in one step where the system can, in two where it cannot."""
    try:
        renamed = ctypes.CDLL(None).renameat2(
            _HERE, os.fsencode(root), _HERE, os.fsencode(place / _NEW), ctypes.c_uint(_EXCHANGE)
        )
    except AttributeError:  # not Linux, or an old C library
        renamed = -1
    if renamed != 0:
        root.rename(place / _OLD)
        (place / _NEW).rename(root)
