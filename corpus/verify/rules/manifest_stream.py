"""Reading of a manifest file by file, so that memory does not grow with it.

Only what `corpus.formats.manifest.render` writes, whole and sealed, is read so; for any other manifest nothing is said here,
and anyone who called reads it in one piece, to tell what is wrong.
"""

import hashlib
import sqlite3
import unicodedata
from io import FileIO
from pathlib import Path

import msgspec

from corpus.formats import layout, manifest
from corpus.formats.errors import FormatFault
from corpus.formats.manifest import FileEntry, Manifest
from corpus.io.safe_open import largest
from corpus.verify.rules.encoding import is_plain, unseen
from corpus.verify.rules.scratch_tables import ListedFiles

_PIECE = 1 << 18
_FILES, _NEXT, _LAST, _END = b'\n "files": {\n', b"\n  },\n", b"\n  }", b"\n },\n"
"""The lines between the parts: a line end within a string is written as an escape, so these are nothing else."""
_OPENS = b'": {\n'
_entry = msgspec.json.Decoder(FileEntry)
_entries = msgspec.json.Decoder(dict[str, FileEntry])


class _Unlike(Exception):
    """The manifest is not one that `render` wrote."""


def read_manifest(root: Path, listed: ListedFiles) -> Manifest | None:
    """The manifest without its files, whose entries go to `listed`; None if it must be read in one piece."""
    try:
        with FileIO(root / layout.MANIFEST) as file:
            return _ManifestReader(file, listed).manifest()
    except (_Unlike, OSError, msgspec.DecodeError, UnicodeDecodeError, FormatFault, sqlite3.IntegrityError):
        return None


class _ManifestReader:
    def __init__(self, file: FileIO, listed: ListedFiles) -> None:
        self._file = file
        self._listed = listed
        self._hash = hashlib.sha256()
        self._left = largest(layout.MANIFEST)

    def manifest(self) -> Manifest:
        head, rest = self._head()
        tail = _END + self._entries(rest) + self._all()
        seal = manifest.SEAL.search(tail, max(0, len(tail) - manifest.SEAL_WITHIN))
        if seal is None or not _is_right(tail):
            raise _Unlike
        self._hash.update(tail[: seal.start()])
        self._hash.update(tail[seal.end() :])
        if self._hash.hexdigest().encode() != seal[0]:
            raise _Unlike
        return manifest.parse(head + _FILES + tail, layout.MANIFEST)

    def _head(self) -> tuple[bytes, bytes]:
        """Return what stands before the files, and what was read behind that."""
        parts, place = bytearray(), -1
        while place < 0:
            seen = max(0, len(parts) - len(_FILES))
            parts += self._more()
            place = parts.find(_FILES, seen)
        head, begun = bytes(parts[:place]), place + len(_FILES)
        if not _is_right(head + b"\n"):
            raise _Unlike
        self._hash.update(head + _FILES)
        return head, bytes(parts[begun:])

    def _entries(self, rest: bytes) -> bytes:
        """Read all entries, of which `rest` is read already; return what was read behind them."""
        while True:
            end = rest.find(_END)
            *whole, last = (rest if end < 0 else rest[:end]).split(_NEXT)
            if end >= 0:
                if not last.endswith(_LAST):
                    raise _Unlike
                self._keep([*whole, last.removesuffix(_LAST)])
                self._hash.update(rest[:end])
                return rest[end + len(_END) :]
            self._keep(whole)
            self._hash.update(rest[: len(rest) - len(last)])
            rest = last + self._more()

    def _keep(self, pieces: list[bytes]) -> None:
        if pieces and not _is_right(b"\n".join(pieces) + b"\n"):
            raise _Unlike
        simple = [piece for piece in pieces if b"}" not in piece and b"\\" not in piece]
        if simple:  # nothing is closed in any but what it opens, so that each is one entry
            entries = _entries.decode(b"{%b}}" % b"},".join(simple))
            if len(entries) != len(simple) or not all(piece[:3] == b'  "' and _OPENS in piece for piece in simple):
                raise _Unlike
            self._listed.add(entries.items())
        if len(simple) < len(pieces):
            self._listed.add(map(_entry_of, (piece for piece in pieces if b"}" in piece or b"\\" in piece)))

    def _more(self) -> bytes:
        if not (found := self._file.read(min(_PIECE, self._left))):
            raise _Unlike
        self._left -= len(found)
        return found

    def _all(self) -> bytes:
        parts: list[bytes] = []
        while found := self._file.read(min(_PIECE, self._left)):
            self._left -= len(found)
            parts.append(found)
        return b"".join(parts)


def _entry_of(piece: bytes) -> tuple[str, FileEntry]:
    """The path and the entry of a file that bears marks."""
    key, opens, values = piece.partition(_OPENS)
    path = key[3:]
    if not opens or key[:3] != b'  "' or b"\\" in path or b'"' in path:
        raise _Unlike
    return path.decode(), _entry.decode(b"{%b}" % values)


def _is_right(data: bytes) -> bool:
    """Return whether nothing is to be said of a text by the rules of all texts."""
    if is_plain(data):
        return True
    text = data.decode()
    return not unseen(text) and "\r" not in text and "\ufffd" not in text and unicodedata.is_normalized("NFC", text)
