"""The manifest in the hands of one who changes it again and again: parsed and rendered whole once, from then on only amended.

A manifest of 58,000 files takes a tenth of a second to parse and to render. Whoever submits a transcription waits for it, and it
changes a handful of its entries. On disk it is a whole manifest at any moment all the same: it is sealed and replaced as ever.
"""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from corpus.formats import layout, manifest
from corpus.formats.manifest import FileEntry, Manifest
from corpus.io.staging import replace

_FILES = b'\n "files": {'
_CLOSED = b"\n  }"


class ManifestInHand:
    """The manifest of the corpus at `root`; only for who holds the corpus alone from `read` to `write`."""

    def __init__(self, root: Path) -> None:
        self._path = root / layout.MANIFEST
        self._manifest: Manifest | None = None
        self._before = self._written = b""

    def read(self) -> dict[str, FileEntry]:
        """The entries as they are on disk, to be changed in place; raises `FormatFault` that names the key."""
        data = self._path.read_bytes()
        self._before, self._written = data if data == self._written else b"", b""
        if self._manifest is None or not self._before:
            self._manifest = manifest.parse(data, layout.MANIFEST)
        return self._manifest.files

    def write(self, new: Mapping[str, FileEntry]) -> None:
        """Put the manifest in the place of the one on disk, if anything is `new`."""
        data = self._before
        if new and self._manifest is not None:
            data = amended(data, new) or manifest.render(self._manifest)
            replace(self._path, data)
        self._written = data


def amended(data: bytes, new: Mapping[str, FileEntry]) -> bytes | None:
    """The bytes of a manifest, as `manifest.render` gave them, with other entries for some of its files; None where it does not
    list one of them.

    >>> entry = FileEntry(1, "ab")
    >>> old = manifest.render(Manifest(manifest.FORMAT, False, (), {"a": entry, "b": entry}))
    >>> amended(old, {"b": FileEntry(2, "cd")}) == old, amended(old, {"c": entry})
    (False, None)
    """
    at, done, parts = data.find(_FILES), 0, list[bytes]()
    for path, entry in sorted(new.items()):
        at = data.find(b"\n  " + manifest.visible(msgspec.json.encode(path)) + b": {", at)
        if at < 0:
            return None
        parts += [data[done:at], _entry(path, entry)]
        at = done = data.index(_CLOSED, at) + len(_CLOSED)
    return manifest.sealed(b"".join((*parts, data[done:])))


def _entry(path: str, entry: FileEntry) -> bytes:
    """An entry as it stands among the files."""
    alone = msgspec.json.format(msgspec.json.encode({"files": {path: entry}}), indent=1)
    return manifest.visible(alone.removeprefix(b"{" + _FILES).removesuffix(b"\n }\n}"))
