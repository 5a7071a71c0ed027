"""Categories and reference answers made after an export, laid over the corpus for a new one.

An export knows nothing of them: annotators and programs write them beside the speech afterwards. The corpus itself stays as
it is; in the new one they are in the manifest, so that a change or a loss is seen and every part, package and figure has
them.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from corpus.annotation.overlay import Change
from corpus.dataset.reader import Corpus, speech_name
from corpus.formats import layout
from corpus.formats.manifest import FileEntry, entry_of
from corpus.io.safe_open import check_inside, read_plain

_SPEECH = tuple(f"{mode}/" for mode in sorted(layout.SPEECH))
_ENDINGS = tuple(f".{kind}" for kind in sorted(layout.ANNOTATIONS))


def annotations(corpus: Corpus, made: Mapping[str, bytes]) -> Iterator[Change]:
    """Yield the annotations that are beside the speech, those just `made` in their place, wherever the manifest has others.

    Raises `FormatFault` for a file that is none, OSError where one cannot be read.
    """
    listed = corpus.manifest.files
    lying = {path: read_plain(corpus.root, path) for path in _lying(corpus.root, listed) if path not in made}
    for path, data in sorted({**lying, **made}.items()):
        entry = entry_of(data, like=listed.get(path))
        if entry != listed.get(path):
            yield Change(path, data, entry)


def _lying(root: Path, listed: Mapping[str, FileEntry]) -> Iterator[str]:
    """Yield what is in its place beside speech that is listed."""
    for directory in sorted({path[: path.rfind("/")] for path in listed if path.startswith(_SPEECH)}):
        check_inside(root, f"{directory}/")
        with os.scandir(root / directory) as entries:
            names = [entry.name for entry in entries if entry.name.endswith(_ENDINGS)]
        for base in names:
            path = f"{directory}/{base}"
            name = speech_name(path)
            if name is not None and name.type in layout.ANNOTATIONS and str(layout.path_of(name)) == path:
                yield path
