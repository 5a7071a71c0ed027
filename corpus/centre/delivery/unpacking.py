"""Unpacking of what comes from elsewhere, member by member: plain files only, each once, below the folder, of bounded number and
size.

The archive is read once from its beginning to its end and hashed on the way. Where what tells of the whole comes first, the
speech may be looked at while it arrives. A plain tar of a site that has no Curtain is taken too; its logs say where it comes
from.
"""

import hashlib
import os
import stat
import tarfile
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from io import FileIO
from itertools import chain, islice
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import BinaryIO, Self, cast

import msgspec

from corpus.centre.delivery.arrived_files import ArrivedFiles
from corpus.centre.delivery.delivery_archive import FORMAT, LISTING, SITES, DeliveryListing, content_of
from corpus.centre.delivery.tar_stream import PIECE, TarMember, TarStream
from corpus.formats import layout
from corpus.formats.errors import FormatFault
from corpus.formats.manifest import header_of
from corpus.io.safe_open import largest
from corpus.verify.rules.scratch_tables import scratch_tables

MOST_FILES = 4_000_000
MOST_BYTES = 1 << 38
_TWICE = "stands twice"
_REPACK = "have it packed by curtain deliver"
Found = tuple[str, str, int]
"""The name, the path and the size of a file."""


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
        self._take = self._stream.take
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
        for name, size in self._arriving:
            if name.partition("/")[0] in layout.SPEECH:
                self._arriving = chain([(name, size)], self._arriving)
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

    def directories(self) -> Iterator[tuple[str, list[Found]]]:
        """Unpack the speech; yields each directory with its files when all of them are there. `is_in_order` tells afterwards
        whether that was so: an archive of another program may have them in another order."""
        here, files = "", list[Found]()
        for path, size in self._arriving:
            directory, _, name = path.rpartition("/")
            if directory != here:
                if files:
                    yield here, files
                self.is_in_order &= directory > here and path.partition("/")[0] in layout.SPEECH
                here, files = directory, []
            files.append((name, path, size))
        if files:
            yield here, files

    def done(self) -> Unpacked:
        """Unpack what is left, and hold it against the listing."""
        for _ in self._arriving:
            pass
        digest = self._stream.digest()
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

    def _extracted(self) -> Iterator[tuple[str, int]]:
        """Write the files of the archive, yielding the name and size of each."""
        left, capitals, places = MOST_BYTES, set[str](), _Places(self._folder)
        try:
            for member in self._members():
                name = member.name.removeprefix("./")
                folded = name.casefold()
                fault = member.fault or _wrong(name, member.size, places)
                if not fault and (name in capitals or (folded != name and self._is_there(folded, capitals))):
                    fault = _TWICE
                if fault:
                    raise FormatFault(str(self._archive), 0, f"{name!r} {fault}", f"do not trust it; {_REPACK}")
                if folded != name:
                    capitals.add(folded)
                left -= member.size
                if left < 0 or len(self.files) >= MOST_FILES:
                    many = "more files or bytes than any delivery has"
                    raise FormatFault(str(self._archive), 0, many, "have it sent in parts")
                try:
                    self._write(name, member.size, places.of(name))
                except (FileExistsError, NotADirectoryError, IsADirectoryError):
                    twice = (self._folder / name).is_file()
                    both = f"{name!r} {_TWICE if twice else 'stands as a file and as a folder'}"
                    raise FormatFault(str(self._archive), 0, both, f"do not trust it; {_REPACK}") from None
                yield name, member.size
        except FormatFault:
            raise
        except (tarfile.TarError, EOFError, ValueError) as error:
            raise FormatFault(str(self._archive), 0, f"no tar archive: {error}", _REPACK) from None

    def _is_there(self, folded: str, capitals: set[str]) -> bool:
        return folded in capitals or folded in self.files

    def _members(self) -> Iterator[TarMember]:
        """The files of the archive; whoever asks for the next has taken the bytes of the one before."""
        yield from self._stream.plain_files()
        self._take = self._stream.read
        with tarfile.TarFile(fileobj=cast(BinaryIO, self._stream), mode="r") as tar:
            for member in tar:
                if not member.isdir():
                    self._stream.seek(member.offset_data)
                    fault = "" if member.isreg() and not member.issparse() else "is not a plain file"
                    yield TarMember(member.name, member.size, fault)
                tar.members = []  # type: ignore[attr-defined]  # else the index grows with the archive
            _refuse_cut_off(tar)

    def _write(self, name: str, size: int, target: str) -> None:
        digest, left, header = hashlib.sha256(), size, ""
        handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666)
        try:
            while left and (data := self._take(min(left, PIECE))):
                digest.update(data)
                if left == size:
                    header = header_of(data)  # none is longer than a piece
                left -= len(data)
                while data:  # the system may take a part
                    data = data[os.write(handle, data) :]
        finally:
            os.close(handle)
        if left:
            raise tarfile.ReadError(f"{name} is cut off")
        self.files.keep(name, size, digest.hexdigest(), header)


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


class _Places:
    """The folders of an archive's files, each looked at and made once: an archive has many files in few folders, one after the
    other."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._looked, self._right, self._made = "", True, ""

    def may_hold(self, name: str) -> bool:
        """Return whether a file of this name lies within, under a name that is spelled in one way only."""
        parent, _, last = name.rpartition("/")
        if parent != self._looked:
            place = PurePosixPath(parent)
            self._looked, self._right = parent, not place.is_absolute() and str(place) == (parent or ".")
            self._right &= ".." not in place.parts and "\\" not in parent
        return self._right and last not in ("", ".", "..") and "\\" not in last

    def of(self, name: str) -> str:
        """The path of a file, whose folder is made."""
        parent = name.rpartition("/")[0]
        if parent != self._made:
            folder = self._root / parent
            try:
                folder.mkdir()
            except OSError:  # it lies in one that is not there either, or it was made before
                folder.mkdir(parents=True, exist_ok=True)
            self._made = parent
        return f"{self._root}/{name}"


def _wrong(name: str, size: int, places: _Places) -> str:
    """Say why a file of this name may not be taken, whatever else there is; empty where it may."""
    if not places.may_hold(name):
        return "leads out of the folder"
    if not name.isprintable() or name.count("/") > 11 or (len(name) > 50 and _has_long_part(name)):
        return "is no name of a file of a corpus"
    return "is longer than any such file" if size > largest(name) else ""


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
