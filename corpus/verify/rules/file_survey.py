"""Survey of a corpus: its files, their places, and the subject-scenario that each belongs to."""

import os
import re
import sqlite3
from collections.abc import Iterable, Iterator
from operator import attrgetter
from pathlib import Path

import msgspec

from corpus.formats import layout
from corpus.formats.layout import FileName, parse_name
from corpus.formats.manifest import Manifest
from corpus.io.packed_files import PackedFiles, UnpackedFile
from corpus.verify.rules.findings import Findings
from corpus.verify.rules.manifest_stream import read_manifest
from corpus.verify.rules.scratch_tables import FileSizes, ListedFiles, with_files
from session.values.names import DEVICES

KNOWN = re.compile(
    r"(?:manifest|removals|renames)\.json|README\.txt|doc/(?:spkrinfo\.log|lexicon\.doc|readme\.doc|holdout\.json|(?:pool|release)\.ndx)|doc/protocol/[0-9A-Za-z_-]+\.json"
    r"|doc/protocol/files/[0-9A-Za-z_-]+(?:\.[0-9A-Za-z_]+)?|doc/drafts/[0-9a-z]{8}\.(?:drf|ref)|unnumbered/[0-9A-Za-z_-]+/[0-9A-Za-z_-]+\.wav"
    r"|spoken/[0-9A-Za-z_-]+/[0-9a-f]{64}\.wav|doc/metadata/[0-9A-Za-z_]+\.json"
)
_NAME = attrgetter("name")
_Place = tuple[str, str]  # below the corpus, as the system names it and as it is printed
_File = tuple[str, str, int]  # its name, its path, its size


class ScenarioFiles(msgspec.Struct, frozen=True):
    """The files of one subject-scenario in one speaking mode, by their parsed names; paths are relative to the corpus."""

    directory: str
    files: dict[FileName, str]


class FileSurvey:
    """The files of a corpus with their sizes in bytes, as they are found; `directories` are those of subject-scenarios.

    What is outside the speech directories is known at once, the rest when `units` has come to its end: the checks of a large
    corpus begin while it is still being looked through.
    """

    def __init__(self, root: Path, findings: Findings, tables: sqlite3.Connection) -> None:
        self.sizes = self.sizes_in(tables)
        self.directories: set[str] = set()
        self._root = root
        self._findings = findings
        self._speech: list[_Place] = []
        for shown, files in self._walk([("", "")], self._speech):
            for name, path, size in files:
                self._keep(path, size, apart=True)
                if path in layout.SPEECH:
                    _parsed(name, path, shown, findings)  # which can only refuse it
                elif not KNOWN.fullmatch(path):
                    _misnamed(path, "file.unknown", "unknown file", findings)
        self._portable()

    def sizes_in(self, tables: sqlite3.Connection) -> FileSizes:
        """The sizes of the files, which lie in a table."""
        return FileSizes(tables)

    def manifest(self, files: ListedFiles) -> Manifest | None:
        """The manifest, its entries in `files`; None if it must be read in one piece."""
        streamed = read_manifest(self._root, files)
        return with_files(streamed, files) if streamed is not None else None

    def packed(self) -> PackedFiles:
        """The files of directories that `units` has found since this was asked before, where they are not unpacked yet."""
        return PackedFiles()

    def keep_unpacked(self, files: Iterable[UnpackedFile]) -> None:
        """Take in that files were unpacked."""

    @property
    def apart(self) -> Iterator[str]:
        """The files outside the speech directories."""
        return self.sizes.apart()

    @property
    def drafts(self) -> Iterator[str]:
        """The drafts of answers."""
        return self.sizes.apart(f"{layout.DRAFTS}/")

    def units(self) -> Iterator[ScenarioFiles]:
        """The subject-scenarios in the order of their directories; to be gone through once."""
        for shown, files in self.speech():
            unit: dict[FileName, str] = {}
            for name, path, size in files:
                self._keep(path, size, apart=False)
                if (parsed := _parsed(name, path, shown, self._findings)) is not None:
                    unit[parsed] = path
            if unit:
                self.directories.add(shown)
                if (speaker := min(unit).stem.speaker) in DEVICES:
                    self._findings.add("name.portable", shown, f"{speaker} is the name of a device")
                yield ScenarioFiles(shown, unit)
        self._links()

    def speech(self) -> Iterator[tuple[str, list[_File]]]:
        """Each speech directory that has files, with them."""
        return self._walk(self._speech[::-1], [])

    def _portable(self) -> None:
        """Names that are two here and one elsewhere; those of speech have no capitals."""
        capitals = {folded for path in self.apart if (folded := path.casefold()) != path}
        known: dict[str, str] = {}
        for path in self.apart:
            if (folded := path.casefold()) in capitals and (other := known.setdefault(folded, path)) != path:
                self._findings.add("name.portable", path, f"differs from {other} in capitals alone")

    def _keep(self, path: str, size: int, apart: bool) -> None:
        self.sizes.keep(path, size, apart)
        if size == 0 and path != layout.LEXICON:  # where nothing was spoken, there is no word
            self._findings.add("file.empty", path, "the file is empty")

    def _walk(self, waiting: list[_Place], speech: list[_Place]) -> Iterator[tuple[str, list[_File]]]:
        """Each directory that has files, with them; speech directories are put by.

        Names are as they are printed, so that one that cannot be printed matches no rule. Directories wait on a list of
        their own: they may lie deeper than calls can be nested.
        """
        while waiting:
            place, shown = waiting.pop()
            files: list[_File] = []
            below: list[_Place] = []
            for entry in self._entries(place, shown):
                name = _printable(entry.name)
                path = f"{shown}/{name}" if shown else name
                if entry.is_dir(follow_symlinks=False):
                    found = f"{place}/{entry.name}" if place else entry.name, path
                    (speech if path in layout.SPEECH else below).append(found)
                elif (known := _stat(entry, path, self._findings)) is not None:
                    files.append((name, path, known.st_size))
                    if known.st_nlink > 1:
                        self.sizes.link(path, f"{known.st_dev} {known.st_ino}")
            waiting.extend(reversed(below))
            if files:
                yield shown, files

    def _links(self) -> None:
        """A file with a second name elsewhere is a copy that somebody keeps; with two in the corpus, two files change at once."""
        for path, first in self.sizes.linked():
            self._findings.add(
                "file.link", path, f"the same file as {first}, not one like it", remedy="put a copy there"
            )

    def _entries(self, place: str, shown: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(f"{self._root}/{place}") as entries:
                found = sorted(entries, key=_NAME)
        except OSError as error:
            self._findings.add("file.unreadable", shown or ".", error.strerror or "cannot be read")
            return []
        if shown and not found:
            self._findings.add("directory.empty", shown, "an empty directory")
        return found


def _parsed(base: str, path: str, directory: str, findings: Findings) -> FileName | None:
    """The name of a file in a speech directory; None, with a finding, where it is none or is in another place."""
    try:
        name = parse_name(base)
    except ValueError as error:
        rule = "name.form" if base.rpartition(".")[2] in layout.UNITS else "file.unknown"
        _misnamed(path, rule, str(error), findings)
        return None
    if directory != (right := layout.directory_of(name.stem)):
        found = "the file is not in the directory that its name implies"
        findings.add("name.directory", path, found, remedy=f"move it to {right}/{base}")
        return None
    return name


def _misnamed(path: str, rule: str, message: str, findings: Findings) -> None:
    """Report what `rule` has against a name, unless its small letters are right: some discs were written in capitals."""
    if path != path.lower() and (right := _small(path)):
        findings.add("name.form", path, "capitals in the name", remedy=f"rename it to {right}")
    else:
        findings.add(rule, path, message)


def _small(path: str) -> str:
    lower = path.lower()
    if lower == layout.README.lower():
        return layout.README
    if KNOWN.fullmatch(lower):
        return lower
    directory, _, base = lower.rpartition("/")
    try:
        return lower if directory == layout.directory_of(parse_name(base).stem) else ""
    except ValueError:
        return ""


def _stat(entry: os.DirEntry[str], path: str, findings: Findings) -> os.stat_result | None:
    """What the system knows of a plain file; None, with a finding, for anything else."""
    if entry.is_file(follow_symlinks=False):
        try:
            return entry.stat(follow_symlinks=False)
        except OSError as error:
            findings.add("file.unreadable", path, error.strerror or "cannot be read")
    elif entry.is_symlink():
        findings.add("file.link", path, "a symbolic link")
    else:
        findings.add("file.unknown", path, "neither file nor directory")
    return None


def _printable(name: str) -> str:
    """A name with its controls, invisible characters and bytes that are no UTF-8 escaped."""
    if name.isprintable():
        return name
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
