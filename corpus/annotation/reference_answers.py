"""Annotations made beside the speech of a corpus, taken into its manifest.

An export knows nothing of categories and reference answers: annotators and programs write them into the corpus afterwards. Until
they stand in the manifest nobody can tell whether one was changed or lost, and no part, package or figure has them.
"""

from pathlib import Path

import msgspec

from corpus.dataset.reader import speech_name
from corpus.formats import layout, manifest
from corpus.formats.manifest import FileEntry, entry_of
from corpus.io.safe_open import check_inside, read_plain
from corpus.io.staging import locked, replace

KINDS = layout.ANSWER_TYPES | {"cat"}


def is_annotation(path: str) -> bool:
    """Return whether annotators or their programs make a file of this name; an export never does."""
    name = speech_name(path)
    return name is not None and name.type in KINDS


def take_in(root: Path) -> tuple[str, ...]:
    """Let the manifest say of all annotations what there is now; the paths that are new, changed or gone, in order.

    Nothing is done to a directory without a manifest. Raises `FormatFault` for a manifest or a file that is none, OSError where
    one cannot be read or written.
    """
    if not manifest.is_in(root):
        return ()
    with locked(root):
        listed = manifest.held_in(root)
        before = {path: entry for path, entry in listed.files.items() if is_annotation(path)}
        after = _annotations(root, listed.files)
        changed = tuple(sorted(path for path in {*before, *after} if before.get(path) != after.get(path)))
        if changed:
            files = {path: entry for path, entry in listed.files.items() if path not in before} | after
            replace(root / layout.MANIFEST, manifest.render(msgspec.structs.replace(listed, files=files)))
        return changed


def _annotations(root: Path, listed: dict[str, FileEntry]) -> dict[str, FileEntry]:
    """Return what lies in its place beside speech that is listed."""
    found: dict[str, FileEntry] = {}
    for directory in sorted({path.rpartition("/")[0] for path in listed if speech_name(path) is not None}):
        check_inside(root, f"{directory}/")
        for file in (root / directory).iterdir():
            path = f"{directory}/{file.name}"
            name = speech_name(path)
            if name is not None and name.type in KINDS and str(layout.path_of(name)) == path:
                found[path] = entry_of(read_plain(root, path), like=listed.get(path))
    return found
