"""`release.json`: every file of a release with its hash, what it replaces, and the documents that go with it.

A release holds what is new or corrected since the one before; all releases together hold everything, each item in every form
that it ever had. Which form is the present one follows from the listings in their order.
"""

import hashlib
from pathlib import Path

import msgspec

from corpus.centre.centre_state import CentreState
from corpus.centre.ledger import RELEASES, Centre
from corpus.formats.errors import FormatFault
from corpus.formats.manifest import FileEntry, SessionEntry

LISTING = "release.json"
FORMAT = "curtain-release-1"


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
    return msgspec.json.format(msgspec.json.encode(listing, order="deterministic"), indent=1) + b"\n"


def read(folder: Path) -> ReleaseListing:
    """The listing of the release in a folder; raises `FormatFault`."""
    try:
        return msgspec.json.decode((folder / LISTING).read_bytes(), type=ReleaseListing)
    except (msgspec.DecodeError, OSError) as error:
        raise FormatFault(str(folder / LISTING), 0, str(error), "restore the release from a copy") from None


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
        folder = folder_of(centre, made.release)
        try:
            listing = read(folder)
        except FormatFault as fault:
            found.append(str(fault))
            continue
        if hashlib.sha256((folder / LISTING).read_bytes()).hexdigest() != centre_state.listings[made.release]:
            found.append(f"{folder / LISTING} is not as the ledger has it; restore it from a copy")
        known = {path: entry.sha256 for path, entry in listing.files.items()} | listing.beside
        there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
        for path, sha256 in sorted(known.items()):
            if path not in there or hashlib.sha256((folder / path).read_bytes()).hexdigest() != sha256:
                found.append(f"{folder / path} is not as it was released; restore it from a copy")
    return found
