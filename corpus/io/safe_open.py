"""Safe access to files of a foreign corpus: only plain files inside it are opened.

A symbolic link can lead to anybody's files, a pipe never ends, and a header of twenty bytes can stand before twenty
gigabytes of nothing. `curtain verify` reports such files; whatever else reads, rewrites or deletes comes through here.
"""

import os
import stat
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

from corpus.formats.errors import FormatFault

LARGEST = 1 << 30
"""Bytes. Nine hours of speech at 16 kHz: no file of a corpus is as large."""
LARGEST_WORDS = 1 << 20
"""Bytes of a file that holds what was said in one utterance: an hour of the fastest speech is a tenth of it."""
LARGEST_ANSWER = 1 << 26
"""Bytes of a file of statements or of an answer, a million rows and more, and of whatever else people write and read."""
LARGEST_TABLE = 1 << 23
"""Bytes of the table of speakers, of which there are 46,656 ids, of a questionnaire and of remarks."""
_WORDS = (".sro", ".lsn", ".cat", ".win")
_ANSWERS = (
    ".sql",
    ".sq2",
    ".ref",
    ".rf2",
    ".drf",
    ".doc",
    ".ndx",
    ".txt",
    "removals.json",
    "renames.json",
    "holdout.json",
)
_TABLES = (".com", ".squ", "spkrinfo.log")
_REMEDY = "do not trust this corpus; curtain verify lists all such files"


def largest(path: str) -> int:
    """Return how many bytes a file of this name may have to be looked into."""
    if path.endswith(_WORDS):
        return LARGEST_WORDS
    if path.endswith(_TABLES):
        return LARGEST_TABLE
    return LARGEST_ANSWER if path.endswith(_ANSWERS) else LARGEST


def leads_out(path: str) -> bool:
    """Return whether a path that a manifest lists is none, or leads out of the corpus."""
    return not path or path.startswith("/") or ".." in path.split("/") or "\\" in path or "\0" in path


def read_plain(root: Path, path: str) -> bytes:
    """The bytes of a file of the corpus at `root`; raises what `open_plain` raises."""
    handle, size = _opened(root, path)
    try:
        return read_whole(handle, size)
    finally:
        os.close(handle)


def read_whole(handle: int, size: int) -> bytes:
    """The bytes of a file of which the system says that there are so many."""
    data = os.read(handle, size)
    if size and len(data) == size:
        return data
    parts = [data]  # the system may tell no size, or give a part
    while part := os.read(handle, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def open_plain(root: Path, path: str) -> BinaryIO:
    """A file of the corpus at `root`, to be read.

    Raises `FormatFault` for anything but a plain file, OSError where there is none or it cannot be read.
    """
    return os.fdopen(_opened(root, path)[0], "rb")


def _opened(root: Path, path: str) -> tuple[int, int]:
    """Return the descriptor of a plain file, and its size."""
    check_inside(root, path)
    try:
        handle = os.open(f"{root}/{path}", os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        if (root / path).is_symlink():
            raise FormatFault(path, 0, "a symbolic link", _REMEDY) from error
        raise
    found = os.fstat(handle)
    if stat.S_ISREG(found.st_mode) and found.st_size <= largest(path):
        return handle, found.st_size
    os.close(handle)
    what = f"{found.st_size} bytes" if stat.S_ISREG(found.st_mode) else "not a plain file"
    raise FormatFault(path, 0, what, _REMEDY)


def check_inside(root: Path, path: str) -> None:
    """Raises `FormatFault` if a folder on the way to a file is a link that leads elsewhere."""
    if not _same(root, path.rpartition("/")[0]):
        raise FormatFault(path, 0, "it is behind a symbolic link", _REMEDY)


@lru_cache(maxsize=4_096)
def _same(root: Path, folder: str) -> bool:
    return not folder or (_same(root, folder.rpartition("/")[0]) and not (root / folder).is_symlink())
