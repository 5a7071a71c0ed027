"""`release.json`: every file of a release with its hash, what it replaces, and the documents that go with it.

A release holds what is new or corrected since the one before; all releases together hold everything, each item in every form
that it ever had. Which form is the present one follows from the listings in their order.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import FileIO
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import msgspec

from corpus.centre.centre_state import CentreState
from corpus.centre.ledger import RELEASES, Centre
from corpus.formats.errors import FormatFault
from corpus.formats.manifest import FileEntry, SessionEntry

LISTING = "release.json"
FORMAT = "curtain-release-1"
_ROWS = 512
_FILES, _REPLACES, _ENDS = b' "files": {\n', b' "replaces": {\n', b" },\n"
_NO_ROWS = b'\n "files": {},\n "replaces": {},\n'
_OPENS, _CLOSES = b'{\n "": {\n', b"\n }\n}"
_entries = msgspec.json.Decoder(dict[str, FileEntry])


class ReleaseListing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of a release: `files` are the items, `replaces` names the release in which an item stood before, `gone`
    are items that a corrected delivery has no more, `beside` all other files with their SHA-256."""

    release: str
    sessions: tuple[SessionEntry, ...]
    files: dict[str, FileEntry]
    replaces: dict[str, str]
    beside: dict[str, str]
    gone: tuple[str, ...] = ()
    since: str = ""
    format: str = FORMAT


class ReleasedItem(msgspec.Struct, frozen=True):
    """An item in its present form: its entry, and the release that has it."""

    entry: FileEntry
    release: str


def render(listing: ReleaseListing) -> bytes:
    """The bytes of a listing."""
    return b"".join(rendered(listing, sorted(listing.files.items()), sorted(listing.replaces.items())))


def rendered(
    listing: ReleaseListing, files: Iterable[tuple[str, FileEntry]], replaces: Iterable[tuple[str, str]]
) -> Iterator[bytes]:
    """The bytes of a listing with these items, in the order of their paths, in place of its own, piece by piece."""
    head, _, tail = _indented(msgspec.structs.replace(listing, files={}, replaces={})).partition(_NO_ROWS)
    yield head + b'\n "files": '
    yield from _object(files)
    yield b',\n "replaces": '
    yield from _object(replaces)
    yield b",\n" + tail + b"\n"


def _object(pairs: Iterable[tuple[str, object]]) -> Iterator[bytes]:
    opens, rows = b"{\n", iter(pairs)
    while some := dict(islice(rows, _ROWS)):
        yield opens + _indented({"": some})[len(_OPENS) : -len(_CLOSES)]
        opens = b",\n"
    yield b"{}" if opens == b"{\n" else b"\n }"


def _indented(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value, order="deterministic"), indent=1)


def read(folder: Path) -> ReleaseListing:
    """The listing of the release in a folder; raises `FormatFault`."""
    try:
        return msgspec.json.decode((folder / LISTING).read_bytes(), type=ReleaseListing)
    except (msgspec.DecodeError, OSError) as error:
        raise FormatFault(str(folder / LISTING), 0, str(error), "restore the release from a copy") from None


def read_rows(folder: Path, keep: Callable[[Mapping[str, FileEntry]], None]) -> ReleaseListing:
    """The listing without its items, which `keep` gets some at a time, and without what they replace; raises `FormatFault`."""
    try:
        with (folder / LISTING).open("rb") as file:
            head = b"".join(iter(lambda: _before(file.readline(), _FILES), b""))
            more = True
            while more:
                some, more = _next_rows(file)
                if some:
                    keep(_entries.decode(b"{%b}" % some.rstrip(b",\n")))
            tail = b"".join(_without_rows(file))
        return msgspec.json.decode(b'%b "files": {},\n%b' % (head, tail), type=ReleaseListing)
    except (msgspec.DecodeError, OSError):  # what is wrong with it is told by reading it in one piece
        whole = read(folder)
        keep(whole.files)
        return msgspec.structs.replace(whole, files={}, replaces={})


def _before(line: bytes, end: bytes) -> bytes:
    return b"" if line == end else line


def _next_rows(file: BinaryIO) -> tuple[bytes, bool]:
    """The lines of the next items, and whether there may be more."""
    lines, rows = list[bytes](), 0
    while rows < _ROWS and (line := file.readline()) != _ENDS and line:
        rows += line.startswith(b"  }")
        lines.append(line)
    return b"".join(lines), rows == _ROWS


def _without_rows(file: BinaryIO) -> Iterator[bytes]:
    """The lines behind the items, but for what these replace."""
    for line in file:
        if line == _REPLACES:
            while file.readline() not in (_ENDS, b""):
                pass
            yield b' "replaces": {},\n'
        else:
            yield line


def folder_of(centre: Centre, release: str) -> Path:
    """The folder of a release."""
    return centre.folder / RELEASES / release


def listings(centre: Centre, centre_state: CentreState) -> list[ReleaseListing]:
    """The listings of all releases, in their order."""
    return [read(folder_of(centre, made.release)) for made in centre_state.releases]


def items(found: list[ReleaseListing]) -> dict[str, ReleasedItem]:
    """Every item in its present form."""
    whole = dict[str, ReleasedItem]()
    for listing in found:
        whole |= {path: ReleasedItem(entry, listing.release) for path, entry in listing.files.items()}
        for path in listing.gone:
            whole.pop(path, None)
    return whole


def faults(centre: Centre, centre_state: CentreState) -> list[str]:
    """Return what of the releases is not as it went out, in sentences: no byte of them ever changes, but when a person leaves."""
    found = list[str]()
    for made in centre_state.releases:
        folder, others = folder_of(centre, made.release), set[str]()

        def look(items: Mapping[str, FileEntry], folder: Path = folder, others: set[str] = others) -> None:
            others.update(path for path, entry in items.items() if _digest(folder / path) != entry.sha256)

        try:
            listing = read_rows(folder, look)
        except FormatFault as fault:
            found.append(str(fault))
            continue
        if _digest(folder / LISTING) != centre_state.listings[made.release]:
            found.append(f"{folder / LISTING} is not as the ledger has it; restore it from a copy")
        others.update(path for path, sha256 in listing.beside.items() if _digest(folder / path) != sha256)
        found += [f"{folder / path} is not as it was released; restore it from a copy" for path in sorted(others)]
        found += [
            f"{folder / path} was never released; take it away" for path in sorted(_unreleased(folder, listing.beside))
        ]
    return found


def _unreleased(folder: Path, beside: Mapping[str, str]) -> set[str]:
    """Return the files of a release's folder that its listing does not name."""
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not _is_folder(path)}
    read_rows(folder, there.difference_update)
    return there - {*beside, LISTING}


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _digest(path: Path) -> str:
    """The SHA-256 of a file; empty where there is none."""
    try:
        with FileIO(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        return ""
