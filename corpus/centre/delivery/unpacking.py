"""Unpacking of what comes from elsewhere, member by member: plain files only, each once, below the folder, of bounded number and
size.

The archive is read once from its beginning to its end and hashed on the way. Where what tells of the whole comes first, the
speech may be looked at while it arrives. A plain tar of a site that has no Curtain is taken too; its logs say where it comes
from.
"""

import os
import stat
import tarfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from io import FileIO
from itertools import chain, islice
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import BinaryIO, Self, cast

import msgspec

from corpus.centre.delivery.arrived_files import ArrivedFiles
from corpus.centre.delivery.delivery_archive import FORMAT, LISTING, SITES, DeliveryListing, content_of
from corpus.centre.delivery.tar_stream import TarMember, TarStream
from corpus.formats import layout
from corpus.formats.errors import FormatFault
from corpus.io.packed_files import (
    OCCUPIED,
    PIECE,
    TWICE,
    PackedDirectory,
    PackedFile,
    PackedFiles,
    UnpackedFile,
    occupied,
    write_new,
)
from corpus.io.safe_open import largest
from corpus.verify.rules.scratch_tables import scratch_tables

MOST_FILES = 4_000_000
MOST_BYTES = 1 << 38
_REPACK = "have it packed by curtain deliver"
_COMPRESSED = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\0": "xz", b"\x28\xb5\x2f\xfd": "zstd", b"PK": "zip"}
Found = tuple[str, str, int]
"""The name, the path and the size of a file."""
_UNPACKED = -1


class Unpacked(msgspec.Struct, frozen=True):
    """The contents of an archive: `listing`, without its files, is None for a plain tar; `digest` is the SHA-256 of the archive,
    `content` that over its `files`."""

    listing: DeliveryListing | None
    digest: str
    content: str
    files: ArrivedFiles


class Unpacking:
    """An archive that is being unpacked into a folder, which is there and empty; to be used in a `with` block, within which what
    is known of its files can be asked for.

    Raises `FormatFault` for anything that no delivery has, OSError where it cannot be read.
    """

    def __init__(self, archive: Path, folder: Path) -> None:
        self.listing: DeliveryListing | None = None
        self.is_in_order = True
        self.content = ""
        self._archive = archive
        self._folder = folder
        self._file = open_archive(archive)
        self._stream = TarStream(self._file)
        self._take, self._pass_over, self._at = self._stream.take, self._stream.pass_over, self._stream.at
        self._leaves = False
        self._packed = list[PackedDirectory]()
        self._capitals = set[str]()
        self._arriving = self._extracted()
        self._open = ExitStack()

    def __enter__(self) -> Self:
        self._open.callback(self._file.close)
        self.files = ArrivedFiles(self._open.enter_context(scratch_tables()))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.__exit__(kind, error, trace)

    def heading(self) -> bool:
        """Unpack what tells of the whole; return whether a listing and a manifest are there and the speech is to come."""
        for name, size, place in self._arriving:
            if name.partition("/")[0] in layout.SPEECH:
                self._arriving = chain([(name, size, place)], self._arriving)
                break
        self._take_listing()
        return self.listing is not None and not self.listing.release and layout.MANIFEST in self.files

    def _take_listing(self) -> None:
        """Read the listing, which is no file of the corpus."""
        if self.listing is None and LISTING in self.files:
            self.listing = _read_listing(self.files, self._folder, self._archive)
            (self._folder / LISTING).unlink()
            self.files.drop(LISTING)
            self.content = content_of(self.files.sent())

    @property
    def sender(self) -> tuple[str, str]:
        """The site and the label by the listing, empty where there is none that can be read."""
        with suppress(FormatFault, OSError):
            self._take_listing()
        return (self.listing.site, self.listing.label) if self.listing is not None else ("", "")

    def directories(self, packed: bool = False) -> Iterator[tuple[str, list[Found]]]:
        """Unpack the speech; yields each directory with its files when all of them are there, or, where they are left `packed`,
        as soon as it is known where in the archive they are. `is_in_order` tells afterwards whether that was so: an archive of
        another program may have them in another order."""
        here, files, left = "", list[Found](), list[PackedFile]()
        self._leaves = packed
        for path, size, begins in self._arriving:
            directory, _, name = path.rpartition("/")
            if directory != here:
                if files:
                    self._packed.append(PackedDirectory(here, tuple(left)))
                    yield here, files
                self.is_in_order &= directory > here and path.partition("/")[0] in layout.SPEECH
                here, files, left = directory, [], []
            files.append((name, path, size))
            if begins != _UNPACKED:
                left.append(PackedFile(path, begins, size))
        if files:
            self._packed.append(PackedDirectory(here, tuple(left)))
            yield here, files

    def left_packed(self) -> PackedFiles:
        """The files of the directories that were found since this was asked before; whoever asks unpacks them."""
        found, self._packed = tuple(place for place in self._packed if place.files), []
        return PackedFiles(str(self._archive), found)

    def keep(self, files: Iterable[UnpackedFile]) -> None:
        """Take in that files were unpacked which had been left packed."""
        for file in files:
            self.files.keep(file)

    def done(self) -> Unpacked:
        """Unpack what is left, and hold it against the listing."""
        for _ in self._arriving:
            pass
        digest = self._stream.digest()
        if not len(self.files):
            raise FormatFault(str(self._archive), 0, "holds no file", _REPACK)
        if again := next((name for name in sorted(self._capitals) if name in self.files), ""):
            raise FormatFault(str(self._archive), 0, f"{again!r} {TWICE}", f"do not trust it; {_REPACK}")
        self._take_listing()
        if self.listing is not None and (unlike := self.files.unlike()) is not None:
            remedy = "it was damaged on its way: have it sent again"
            raise FormatFault(str(self._archive), 0, " ".join(unlike), remedy)
        if root := _only_folder(self._folder):
            self.files.lift(root)
        return Unpacked(self.listing, digest, self.content or content_of(self.files.hashes()), self.files)

    def digest(self) -> str:
        """The SHA-256 of the archive, however far it could be unpacked; empty where it cannot be read."""
        try:
            return self._stream.digest()
        except tarfile.ReadError:
            return ""

    def _extracted(self) -> Iterator[tuple[str, int, int]]:
        """Write the files of the archive; yields the name and size of each, and where it begins if it was left packed."""
        left, count, capitals, wrong = MOST_BYTES, 0, self._capitals, _Names().wrong
        try:
            for member in self._members():
                name = member.name.removeprefix("./")
                folded = name.casefold()
                fault = member.fault or wrong(name, member.size)
                if not fault and (name in capitals or (folded != name and folded in capitals)):
                    fault = TWICE
                if fault:
                    raise FormatFault(str(self._archive), 0, f"{name!r} {fault}", f"do not trust it; {_REPACK}")
                if folded != name:
                    capitals.add(folded)
                left -= member.size
                count += 1
                if left < 0 or count > MOST_FILES:
                    many = "more files or bytes than any delivery has"
                    raise FormatFault(str(self._archive), 0, many, "have it sent in parts")
                place = self._at() if self._leaves else _UNPACKED
                if place == _UNPACKED:
                    self._write(name, member.size)
                elif not self._pass_over(member.size):
                    raise tarfile.ReadError(f"{name} is cut off")
                yield name, member.size, place
        except FormatFault:
            raise
        except (tarfile.TarError, EOFError, ValueError) as error:
            program = _compressed_by(self._archive)
            if program:
                remedy = f"unpack it with {program}, and receive what is in it"
                raise FormatFault(
                    str(self._archive), 0, f"no tar archive, but compressed by {program}", remedy
                ) from None
            raise FormatFault(str(self._archive), 0, f"no tar archive: {error}", _REPACK) from None

    def _members(self) -> Iterator[TarMember]:
        """The files of the archive; whoever asks for the next has taken the bytes of the one before."""
        yield from self._stream.plain_files()
        self._take, self._pass_over, self._at = self._stream.read, self._stream.read_over, self._stream.tell
        with tarfile.TarFile(fileobj=cast(BinaryIO, self._stream), mode="r") as tar:
            for member in tar:
                if not member.isdir():
                    self._stream.seek(member.offset_data)
                    fault = "" if member.isreg() and not member.issparse() else "is not a plain file"
                    yield TarMember(member.name, member.size, fault)
                tar.members = []  # type: ignore[attr-defined]  # else the index grows with the archive
            _refuse_cut_off(tar)

    def _write(self, name: str, size: int) -> None:
        try:
            file, _ = write_new(self._folder, name, size, self._take)
        except OCCUPIED:
            raise occupied(str(self._archive), self._folder, name) from None
        if file is None:
            raise tarfile.ReadError(f"{name} is cut off")
        self.files.keep(file)


def open_archive(archive: Path) -> FileIO:
    """The archive, to be read; raises `FormatFault` for a folder, and for what would never end or has no beginning, OSError."""
    handle = os.open(archive, os.O_RDONLY | os.O_NONBLOCK)  # a pipe that nobody writes into would keep us waiting
    found = os.fstat(handle).st_mode
    if stat.S_ISREG(found):
        return FileIO(handle)
    os.close(handle)
    if stat.S_ISDIR(found):
        raise FormatFault(str(archive), 0, "a folder, no archive", f"pack it: curtain deliver {archive} FILE")
    raise FormatFault(str(archive), 0, "no plain file", "write what it gives into a file, and name that")


def _compressed_by(archive: Path) -> str:
    """Return the program that has compressed a file, by how that begins; empty if none is known."""
    begins = b""
    with suppress(OSError), archive.open("rb") as file:
        begins = file.read(6)
    return next((program for magic, program in _COMPRESSED.items() if begins.startswith(magic)), "")


def _refuse_cut_off(tar: tarfile.TarFile) -> None:
    """Raise `ReadError` where an archive does not end as one: `tarfile` takes a damaged header, and an end before its time, for
    the end, and a plain tar has no list that would miss what came after."""
    source = cast(BinaryIO, tar.fileobj)
    source.seek(tar.offset)
    if source.read(tarfile.BLOCKSIZE) != bytes(tarfile.BLOCKSIZE):
        raise tarfile.ReadError("it breaks off, or is damaged in the middle")
    while rest := source.read(PIECE):
        if rest.strip(b"\0"):
            raise tarfile.ReadError("something follows after its end")


class _Names:
    """Names of an archive's files; that of a folder is looked at once, for many files of one folder follow one another."""

    def __init__(self) -> None:
        self._looked, self._right = "", True

    def wrong(self, name: str, size: int) -> str:
        """Say why a file of this name may not be taken, whatever else there is; empty where it may."""
        parent, _, last = name.rpartition("/")
        if parent != self._looked:
            self._looked, self._right = parent, _is_within(parent)
        if not self._right or last in ("", ".", "..") or "\\" in last:
            return "leads out of the folder"
        if not name.isprintable() or name.count("/") > 11 or (len(name) > 50 and _has_long_part(name)):
            return "is no name of a file of a corpus"
        return "is longer than any such file" if size > largest(name) else ""


def _is_within(folder: str) -> bool:
    """Return whether a folder lies within, under a name that is spelled in one way only."""
    place = PurePosixPath(folder)
    right = not place.is_absolute() and str(place) == (folder or ".")
    return right and ".." not in place.parts and "\\" not in folder


def _has_long_part(name: str) -> bool:
    return any(len(part.encode()) > 200 for part in name.split("/"))


def _read_listing(files: ArrivedFiles, folder: Path, archive: Path) -> DeliveryListing:
    try:
        listing = files.read_listing(folder / LISTING)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FormatFault(f"{archive}: {LISTING}", 0, str(error), "have it packed and sent again") from None
    if listing.format != FORMAT:
        raise FormatFault(f"{archive}: {LISTING}", 0, f"format {listing.format!r}", f"this version reads {FORMAT}")
    if not SITES.fullmatch(listing.site):
        raise FormatFault(
            f"{archive}: {LISTING}", 0, f"{listing.site[:40]!r} is not a site", "have it packed and sent again"
        )
    return listing


def _only_folder(folder: Path) -> str:
    """Lift what lies in one folder within, as people pack; return that folder's name, or nothing."""
    tops = [*islice(folder.iterdir(), 2)]
    if len(tops) != 1 or not (tops[0] / layout.SPEAKER_TABLE).is_file():
        return ""
    (top,) = tops
    within = folder / f".{os.getpid()}.within"
    top.rename(within)
    for path in within.iterdir():
        path.rename(folder / path.name)
    within.rmdir()
    return f"{top.name}/"
