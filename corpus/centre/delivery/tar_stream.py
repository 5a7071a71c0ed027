"""An archive in the format tar that is read once from its beginning to its end, and hashed as it is read.

`tarfile` takes as long over a header as hashing and writing the file; so the headers of plain files under short names, as nearly
all are, are read here. All others, and whatever is wrong, are for `tarfile`.
"""

import hashlib
import re
import tarfile
import zlib
from collections.abc import Iterator
from io import FileIO
from typing import NamedTuple

from corpus.io.packed_files import PIECE

_BLOCK = tarfile.BLOCKSIZE
_LARGEST_READ = 1 << 24
"""Bytes that are read of an archive at a time: a header that announces more is no header."""
_SHORT_NAME = re.compile(rb"([0-9A-Za-z_./-]{1,99})\0")
_SIZE = re.compile(rb"([0-7]{11})[ \0]")
_CHECKSUM = re.compile(rb"([0-7]{6})[ \0]{2}")
_PLAIN = b"0" + bytes(100) + b"ustar"
_NO_PREFIX = bytes(167)
"""Fields of a header as POSIX has them: 100 bytes of name, the size at 124, the checksum at 148, the type at 156, 100 bytes of a
link's target, the format, and from 345 on what a longer name begins with."""


class TarMember(NamedTuple):
    """A file of an archive; `fault` says why it may not be taken, empty where nothing is known against it."""

    name: str
    size: int
    fault: str = ""


class TarStream:
    """An archive that is read by large pieces, each hashed once: `plain_files` and `take` from the beginning, and from
    where these end `read` for `tarfile`, which may read again what was read before."""

    def __init__(self, file: FileIO) -> None:
        self.offset = 0
        self._file = file
        self._sha256 = hashlib.sha256()
        self._hashed = 0
        self._held = b""
        self._at = 0

    def at(self) -> int:
        """Return where the next byte lies that is taken."""
        return self.offset

    def take(self, size: int) -> bytes:
        """The next bytes, of which there may be fewer."""
        end = self._at + size
        while end > len(self._held) and (more := self._read(PIECE)):
            self._hash(more)
            self._held = self._held[self._at :] + more
            self._at, end = 0, size
        data = self._held[self._at : end]
        self._at += len(data)
        self.offset += len(data)
        return data

    def pass_over(self, size: int) -> bool:
        """Hash the next bytes and hold none of them; return whether there were so many."""
        while size > (here := len(self._held) - self._at):
            size -= here
            self.offset += here
            self._held, self._at = self._read(PIECE), 0
            self._hash(self._held)
            if not self._held:
                return False
        self._at += size
        self.offset += size
        return True

    def plain_files(self) -> Iterator[TarMember]:
        """The plain files under short names, up to the first other header, where reading goes on. Whoever asks for the next has
        taken the bytes of the one before."""
        while True:
            begins = self.offset
            if (found := _plain_header(self.take(_BLOCK))) is None:
                break
            yield found
            self.pass_over(begins + _BLOCK + -(-found.size // _BLOCK) * _BLOCK - self.offset)
        self._file.seek(begins)
        self._held, self._at = b"", 0

    def read(self, size: int = -1) -> bytes:
        """For `tarfile`."""
        if not 0 <= size <= _LARGEST_READ:
            raise tarfile.ReadError("a header that announces more than any has")
        begins = self._file.tell()
        if self._hashed < begins:  # the padding after a file, which nobody reads
            self._file.seek(self._hashed)
            while skipped := self._read(min(begins - self._hashed, PIECE)):
                self._hash(skipped)
            self._file.seek(begins)
        data = self._read(size)
        self._hash(data[self._hashed - begins :])
        return data

    def read_over(self, size: int) -> bool:
        """For files that `tarfile` has found and nobody unpacks yet, as `pass_over`."""
        while size and (some := len(self.read(min(size, PIECE)))):
            size -= some
        return not size

    def _read(self, size: int) -> bytes:
        try:
            return self._file.read(size) or b""
        except OSError as error:
            raise tarfile.ReadError(f"it cannot be read: {error.strerror}") from None

    def _hash(self, data: bytes) -> None:
        self._sha256.update(data)
        self._hashed += len(data)

    def digest(self) -> str:
        """The SHA-256 of the whole, the rest of which is read for that."""
        self._file.seek(self._hashed)
        while data := self._read(PIECE):
            self._hash(data)
        return self._sha256.hexdigest()

    def tell(self) -> int:
        return self._file.tell()

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset, whence)


def _plain_header(block: bytes) -> TarMember | None:
    """What the header of a plain file under a short name says, None for any other."""
    name, size, checked = _SHORT_NAME.match(block), _SIZE.match(block, 124), _CHECKSUM.match(block, 148)
    if not (name and size and checked and block[156:262] == _PLAIN and block[345:] == _NO_PREFIX):
        return None
    # So few bytes of it are not zero that the lower half of Adler's sum is theirs, and one.
    if (zlib.adler32(block) & 0xFFFF) - 1 - sum(block[148:156]) + 8 * ord(" ") != int(checked[1], 8):
        return None
    return TarMember(name[1].decode("ascii"), int(size[1], 8))
