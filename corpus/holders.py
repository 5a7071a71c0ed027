"""Which copies still hold a person, of all that was made of a study or a corpus and lies on this machine.

A corpus can lose a person (`curtain withdraw` on it), a package or a report is made anew. What is not where it was written may
be deleted, moved, or on a disk that is not there: the removal list names it for whoever has it.
"""

import re
import shutil
from collections.abc import Collection, Sequence
from pathlib import Path

import msgspec

from corpus import layout
from corpus.directory import Refused, in_use, is_partial
from corpus.manifest import SessionEntry
from corpus.places import Written, is_between
from corpus.reading import Corpus
from corpus.removals import Removal


class Holders(msgspec.Struct, frozen=True):
    """Copies that hold a person or may; `gone` are not where they were written; `others` are corpora without the person."""

    corpora: tuple[Path, ...] = ()
    packages: tuple[Path, ...] = ()
    pages: tuple[Path, ...] = ()
    gone: tuple[Path, ...] = ()
    others: tuple[Path, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.corpora or self.packages or self.pages)


def holders_of(written: Written, sessions: Collection[str]) -> Holders:
    """Where somebody's sessions are still held; what cannot be read may hold them. Raises `FormatFault`."""
    corpora, packages, pages = (list(map(Path, each)) for each in (written.corpora, written.packages, written.pages))
    there = {root: {*Corpus(root).sessions} for root in corpora if (root / layout.MANIFEST).is_file()}
    return Holders(
        tuple(root for root, held in there.items() if held & {*sessions}),
        tuple(package for package in packages if _is_package(package) and _packed(package, sessions)),
        tuple(page for page in pages if page.is_file() and _told(page, sessions)),
        (
            *(path for path in (*corpora, *pages) if not path.exists()),
            *(path for path in packages if not _is_package(path)),
        ),
        tuple(root for root, held in there.items() if not held & {*sessions}),
    )


def called(copy: Path, removal: Removal) -> tuple[str, ...]:
    """The ids that a person has in a corpus or package, which may have been renamed on the way to it."""
    try:
        corpus = (copy / layout.MANIFEST).is_file()
        entries = Corpus(copy).manifest.sessions if corpus else _entries(copy)
    except (OSError, msgspec.DecodeError):
        entries = ()
    return tuple(sorted({entry.speaker for entry in entries if entry.session in removal.sessions})) or (
        removal.speaker,
    )


def _is_package(folder: Path) -> bool:
    """Whether a package, or what is left of one that was being deleted, lies there yet, and not somebody's own things."""
    there = folder.is_dir() and not folder.is_symlink()
    return there and ((folder / layout.SESSIONS).is_file() or not any(folder.iterdir()))


def _packed(package: Path, sessions: Collection[str]) -> bool:
    try:
        return any(entry.session in sessions for entry in _entries(package))
    except (OSError, msgspec.DecodeError):
        return True


def _entries(package: Path) -> tuple[SessionEntry, ...]:
    return msgspec.json.decode((package / layout.SESSIONS).read_bytes(), type=tuple[SessionEntry, ...])


def _told(page: Path, sessions: Collection[str]) -> bool:
    """A report names every session that it counts."""
    named = b"|".join(re.escape(session.encode()) for session in sorted(sessions))
    return bool(sessions) and re.search(rb"(?<![\w-])(?:%b)(?![\w-])" % named, page.read_bytes()) is not None


def left_over(places: Sequence[Path]) -> list[Path]:
    """Of the places where somebody may have stopped, those where something lies that can be made anew.

    Raises `Refused` where somebody is at it.
    """
    found = [place for place in places if _is_left_over(place)]
    for place in filter(in_use, found):
        raise Refused(f"{place} is being written by another process; wait for it, then withdraw")
    return found


def delete(places: Sequence[Path]) -> Sequence[Path]:
    """Delete folders and files that were found here; the same again. What a folder is known by goes last, so that one that was
    deleted half way is found by the next call."""
    for place in places:
        if not place.is_dir():
            place.unlink()
            continue
        for path in [path for path in place.iterdir() if path.name not in (layout.SESSIONS, layout.MANIFEST)]:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
        shutil.rmtree(place)
    return places


def _is_left_over(place: Path) -> bool:
    """Whether a folder is what its name says: the list may have been edited, and nothing else must ever be deleted."""
    if place.is_symlink() or not place.is_dir() or not place.name.startswith("."):
        return False
    return is_partial(place) or (is_between(place) and (place / layout.MANIFEST).is_file())
