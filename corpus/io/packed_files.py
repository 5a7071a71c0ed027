"""Files of an archive by the places of their bytes in it: whoever unpacks them has these at hand and need not read them again."""

import hashlib
import os
from collections.abc import Callable, Iterator
from io import FileIO
from pathlib import Path
from typing import NamedTuple

import msgspec

from corpus.formats.errors import FormatFault
from corpus.formats.manifest import header_of

PIECE = 1 << 20
"""Bytes that are read at a time; what is not longer is held until it was looked at."""
TWICE = "stands twice"
_REMEDY = "do not trust it; have it packed by curtain deliver"


class PackedFile(msgspec.Struct, frozen=True, array_like=True):
    """A file of an archive: its path in the corpus, where its bytes begin, and how many there are."""

    path: str
    begins: int
    size: int


class PackedDirectory(msgspec.Struct, frozen=True, array_like=True):
    """The files of one directory, in the order of the archive."""

    directory: str
    files: tuple[PackedFile, ...]


class UnpackedFile(msgspec.Struct, frozen=True, array_like=True):
    """A file that was unpacked: its path, its size, its SHA-256, and that of its header where it is a SPHERE file."""

    path: str
    size: int
    sha256: str
    header: str


class HeldFile(NamedTuple):
    """A file whose bytes are all in memory, with its SHA-256."""

    data: bytes
    sha256: str


class PackedFiles(msgspec.Struct, frozen=True, array_like=True):
    """The directories of an archive that are not yet unpacked."""

    archive: str = ""
    directories: tuple[PackedDirectory, ...] = ()

    def unpack(self, root: Path, unpacked: list[UnpackedFile]) -> Iterator[tuple[str, dict[str, HeldFile]]]:
        """Write the files below `root`; yields each directory with its files by their paths, and adds these to `unpacked`.
        Raises `FormatFault` for what an archive cannot hold, OSError."""
        if not self.directories:
            return
        with FileIO(self.archive) as archive:
            at, handle = 0, archive.fileno()

            def take(size: int) -> bytes:
                nonlocal at
                data = os.pread(handle, size, at)
                at += len(data)
                return data

            for place in self.directories:
                held = dict[str, HeldFile]()
                for packed in place.files:
                    at = packed.begins
                    try:
                        file, data = write_new(root, packed.path, packed.size, take)
                    except OCCUPIED:
                        raise occupied(self.archive, root, packed.path) from None
                    if file is None:
                        raise FormatFault(self.archive, 0, f"{packed.path} is cut off", _REMEDY)
                    unpacked.append(file)
                    if len(data) == packed.size:
                        held[packed.path] = HeldFile(data, file.sha256)
                yield place.directory, held


OCCUPIED = (FileExistsError, NotADirectoryError, IsADirectoryError)
"""What `write_new` raises where something has the place already."""


def occupied(archive: str, root: Path, path: str) -> FormatFault:
    """Return the fault of an archive with two entries at one path."""
    both = TWICE if (root / path).is_file() else "stands as a file and as a folder"
    return FormatFault(archive, 0, f"{path!r} {both}", _REMEDY)


def write_new(root: Path, path: str, size: int, take: Callable[[int], bytes]) -> tuple[UnpackedFile | None, bytes]:
    """Write a file that is not there yet below `root`, of which `take` gives the next bytes; return what it is, None if it is cut
    off, and its first bytes, which are all where it is short."""
    handle = _opened(f"{root}/{path}")
    try:
        data = first = take(min(size, PIECE))
        digest, left = hashlib.sha256(first), size - len(first)
        while data:
            while data:  # the system may take a part
                data = data[os.write(handle, data) :]
            if left and (data := take(min(left, PIECE))):
                digest.update(data)
                left -= len(data)
    finally:
        os.close(handle)
    # No header is longer than a piece.
    return None if left else UnpackedFile(path, size, digest.hexdigest(), header_of(first)), first


def _opened(target: str) -> int:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    try:
        return os.open(target, flags, 0o666)
    except FileNotFoundError:  # the first file of its directory
        Path(target).parent.mkdir(parents=True, exist_ok=True)
        return os.open(target, flags, 0o666)
