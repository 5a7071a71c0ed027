"""Check of references against the manifest of the corpus: one that was edited since is refused in a test.

`curtain answers` enters what it makes in the manifest, and an export freezes a corpus with it. A reference that somebody
edited by hand would give figures that nobody can make again.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from corpus.formats import layout, manifest


def edited(paths: Iterable[Path]) -> list[str]:
    """A fault for every file whose bytes are not those that the manifest of its corpus lists.

    What no manifest lists, and what is in no corpus, is taken as it is. Raises FormatFault or OSError for a manifest or a
    file that cannot be read.
    """
    faults: list[str] = []
    listed: dict[Path, dict[str, str]] = {}
    for path in paths:
        root = next((folder for folder in path.absolute().parents if (folder / layout.MANIFEST).is_file()), None)
        if root is None:
            continue
        if root not in listed:
            listed[root] = {name: entry.sha256 for name, entry in manifest.held_in(root).files.items()}
        frozen = listed[root].get(path.absolute().relative_to(root).as_posix())
        found = hashlib.sha256(path.read_bytes()).hexdigest()
        if frozen not in (None, found):
            faults.append(
                f"{path}: edited since it was frozen: its SHA-256 is {found[:12]}…, the manifest has {str(frozen)[:12]}…; "
                "restore it, or make a new corpus with `curtain answers --replace --out`"
            )
    return faults
