"""Which files a corpus has, where they lie, and which subject-scenario each belongs to."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from corpus import layout
from corpus.layout import FileName, parse_name
from corpus.rules.findings import Findings

_KNOWN = re.compile(
    r"manifest\.json|removals\.json|README\.txt|doc/(?:spkrinfo\.log|lexicon\.doc|readme\.doc|holdout\.json)|doc/protocol/[0-9A-Za-z_-]+\.json"
    r"|doc/protocol/files/[0-9A-Za-z_-]+|doc/drafts/[^/]+\.ref|unnumbered/[^/]+/[^/]+\.wav"
)
_SPEECH = frozenset(layout.DIRECTORIES.values())


class Unit(msgspec.Struct, frozen=True):
    """The files of one subject-scenario in one speaking mode, by their parsed names; paths are relative to the corpus."""

    directory: str
    files: dict[FileName, str]


class Survey(msgspec.Struct, frozen=True):
    """All files with their sizes in bytes, and those of speech directories gathered by subject-scenario."""

    sizes: dict[str, int]
    units: tuple[Unit, ...]


def survey(root: Path, findings: Findings) -> Survey:
    """Walk over the corpus at `root`, reporting what is misnamed, misplaced, unknown or no file."""
    sizes: dict[str, int] = {}
    units: dict[str, dict[FileName, str]] = {}
    for path, size in _walk(root, "", findings):
        sizes[path] = size
        if size == 0 and path != layout.LEXICON:  # where nothing was spoken, there is no word
            findings.add("file.empty", path, "the file is empty")
        if path.partition("/")[0] in _SPEECH:
            _sort_in(path, units, findings)
        elif not _KNOWN.fullmatch(path):
            findings.add("file.unknown", path, "unknown file")
    return Survey(sizes, tuple(Unit(directory, files) for directory, files in sorted(units.items())))


def _sort_in(path: str, units: dict[str, dict[FileName, str]], findings: Findings) -> None:
    directory, _, base = path.rpartition("/")
    try:
        name = parse_name(base)
    except ValueError as error:
        rule = "name.form" if base.rpartition(".")[2] in layout.UNITS else "file.unknown"
        findings.add(rule, path, str(error))
        return
    if directory != layout.directory_of(name.stem):
        right = f"{layout.directory_of(name.stem)}/{base}"
        findings.add(
            "name.directory", path, "the file lies in another place than its name tells", remedy=f"move it to {right}"
        )
        return
    units.setdefault(directory, {})[name] = path


def _walk(root: Path, below: str, findings: Findings) -> Iterator[tuple[str, int]]:
    try:
        with os.scandir(root / below) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        findings.add("file.unreadable", below or ".", error.strerror or "cannot be read")
        return
    for entry in found:
        path = f"{below}/{_printable(entry.name)}" if below else _printable(entry.name)
        if entry.is_file(follow_symlinks=False):
            yield path, entry.stat(follow_symlinks=False).st_size
        elif entry.is_dir(follow_symlinks=False):
            yield from _walk(root, path, findings) if path.isprintable() else ()
        elif entry.is_symlink():
            findings.add("file.link", path, "a symbolic link")
        else:
            findings.add("file.unknown", path, "neither file nor directory")


def _printable(name: str) -> str:
    """A name that is no UTF-8 is shown with its bytes escaped; it matches no rule and is reported as unknown."""
    return name if name.isascii() else name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
