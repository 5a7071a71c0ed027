"""The survey of a delivery that is verified while it arrives: what unpacking knows of its files is not found once more."""

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

from corpus.centre.delivery.unpacking import Unpacking
from corpus.formats.manifest import Manifest
from corpus.io.packed_files import PackedFiles, UnpackedFile
from corpus.verify.rules.file_survey import FileSurvey
from corpus.verify.rules.findings import Findings
from corpus.verify.rules.scratch_tables import FileSizes, ListedFiles


class ArrivingSurvey(FileSurvey):
    """The files of a corpus whose speech is being unpacked; where it is `packed`, whoever checks it unpacks it, and has its bytes
    at hand: a worker of a cluster need not see the archive, and finds it unpacked."""

    def __init__(
        self, root: Path, findings: Findings, tables: sqlite3.Connection, unpacking: Unpacking, packed: bool
    ) -> None:
        self._unpacking = unpacking
        self._is_packed = packed
        super().__init__(root, findings, tables)

    def sizes_in(self, tables: sqlite3.Connection) -> FileSizes:
        """Those that unpacking has kept."""
        return self._unpacking.files.sizes()

    def manifest(self, files: ListedFiles) -> Manifest | None:
        """The manifest, which is read once for all who ask for it."""
        return self._unpacking.files.read_manifest(self._root)

    def speech(self) -> Iterator[tuple[str, list[tuple[str, str, int]]]]:
        """Each directory, as soon as its files are known."""
        return self._unpacking.directories(self._is_packed)

    def packed(self) -> PackedFiles:
        """The files of the directories found since."""
        return self._unpacking.left_packed()

    def keep_unpacked(self, files: Iterable[UnpackedFile]) -> None:
        """Keep what is known of files by those who unpacked them."""
        self._unpacking.keep(files)
