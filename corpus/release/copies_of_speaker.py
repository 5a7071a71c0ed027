"""Which copies still hold a person, of all that was made of a study or a corpus and lies on this machine.

A corpus can lose a person (`curtain withdraw` on it), a package or a report is made anew. What is not where it was written may
be deleted, moved, or on a disk that is not there: the removal list names it for whoever has it.
"""

import re
from collections.abc import Collection, Sequence
from pathlib import Path

import msgspec

from corpus.dataset.reader import Corpus
from corpus.dataset.removals import Removal
from corpus.formats import layout
from corpus.formats.errors import FormatFault, told_of
from corpus.formats.manifest import SessionEntry, is_in
from corpus.io.staging import Refused, discard, in_use, is_partial, partial_of, reopen
from corpus.release.copies import Written, forget, is_between


class Holders(msgspec.Struct, frozen=True):
    """Copies that hold a person or may, `encrypted` files too; `damaged` are corpora that cannot be read, with the reason; `gone`
    are not where they were written; `others` are corpora without the person."""

    corpora: tuple[Path, ...] = ()
    packages: tuple[Path, ...] = ()
    pages: tuple[Path, ...] = ()
    damaged: tuple[tuple[Path, str], ...] = ()
    gone: tuple[Path, ...] = ()
    others: tuple[Path, ...] = ()
    encrypted: tuple[Path, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.corpora or self.packages or self.pages or self.damaged or self.encrypted)


def holders_of(written: Written, sessions: Collection[str]) -> Holders:
    """Where somebody's sessions are still held; what cannot be read may hold them."""
    corpora, packages, pages = (list(map(Path, each)) for each in (written.corpora, written.packages, written.pages))
    encrypted = [Path(file) for file, held in written.encrypted.items() if {*sessions} & {*held}]
    there, damaged = dict[Path, set[str]](), list[tuple[Path, str]]()
    for root in filter(is_in, corpora):
        try:
            there[root] = {*Corpus(root).sessions}
        except (FormatFault, OSError) as error:
            damaged.append((root, told_of(error)))
    return Holders(
        tuple(root for root, held in there.items() if held & {*sessions}),
        tuple(package for package in packages if _is_package(package) and _packed(package, sessions)),
        tuple(page for page in pages if page.is_file() and _told(page, sessions)),
        tuple(damaged),
        (
            *(path for path in (*corpora, *pages, *encrypted) if not path.exists()),
            *(path for path in packages if not _is_package(path)),
        ),
        tuple(root for root, held in there.items() if not held & {*sessions}),
        tuple(file for file in encrypted if file.is_file()),
    )


def called(copy: Path, removal: Removal) -> tuple[str, ...]:
    """The ids that a person has in a corpus or package, which may have been renamed on the way to it."""
    try:
        entries = sessions_in(copy)
    except (OSError, msgspec.DecodeError):
        entries = ()
    return tuple(sorted({entry.speaker for entry in entries if entry.session in removal.sessions})) or (
        removal.speaker,
    )


def sessions_in(copy: Path) -> tuple[SessionEntry, ...]:
    """What a corpus or a package says of its sessions; raises `FormatFault`, `msgspec.DecodeError`, OSError."""
    return Corpus(copy).manifest.sessions if is_in(copy) else _entries(copy)


def _is_package(folder: Path) -> bool:
    """Whether a package lies there yet, and not somebody's own things."""
    return folder.is_dir() and not folder.is_symlink() and (folder / layout.SESSIONS).is_file()


def _packed(package: Path, sessions: Collection[str]) -> bool:
    try:
        return any(entry.session in sessions for entry in _entries(package))
    except (OSError, msgspec.DecodeError):
        return True


def _entries(package: Path) -> tuple[SessionEntry, ...]:
    return msgspec.json.decode((package / layout.SESSIONS).read_bytes(), type=tuple[SessionEntry, ...])


def _told(page: Path, sessions: Collection[str]) -> bool:
    """A report names every session that it counts; an encrypted file whose deletion was interrupted may hold anybody."""
    named = b"|".join(re.escape(session.encode()) for session in sorted(sessions))
    words = rb"\Aage-encryption\.org/|(?<![\w-])(?:%b)(?![\w-])" % named
    return bool(sessions) and re.search(words, page.read_bytes()) is not None


def left_over(places: Sequence[Path]) -> list[Path]:
    """Of the places where somebody may have stopped, those where something lies that can be made anew.

    Raises `Refused` where somebody is at it.
    """
    found = [place for place in places if _is_left_over(place)]
    for place in filter(in_use, found):
        raise Refused(f"{place} is being written by another process; wait for it, then withdraw")
    return found


def take_away(source: Path, places: Sequence[Path]) -> Sequence[Path]:
    """Delete packages and reports that were made of a study or a corpus, and the notes of them; the same again.

    Each goes back into its making first, where what is left of it, should this be interrupted, is found like that of an export.
    Raises `Refused` where somebody has put something there.
    """
    for place in places:
        forget(source, place)
        reopen(place)
        if place.exists():
            raise Refused(f"{partial_of(place)} is in the way of deleting {place}; move it, then withdraw again")
        delete([partial_of(place)])
    return places


def delete(places: Sequence[Path]) -> Sequence[Path]:
    """Delete folders that were found here; the same again."""
    for place in places:
        discard(place)
    return places


def _is_left_over(place: Path) -> bool:
    """Whether a folder is what its name says: the list may have been edited, and nothing else must ever be deleted."""
    if place.is_symlink() or not place.is_dir() or not place.name.startswith("."):
        return False
    return is_partial(place) or (is_between(place) and is_in(place))
