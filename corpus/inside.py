"""Files of a corpus that came from elsewhere, touched only where they are plain files that lie within it.

A symbolic link can lead to anybody's files, a pipe never ends, and a header of twenty bytes can stand before twenty
gigabytes of nothing. `curtain verify` reports such files; whatever else reads, rewrites or deletes comes through here.
"""

import os
import stat
from functools import lru_cache
from pathlib import Path

from corpus.faults import FormatFault

LARGEST = 1 << 30
"""Bytes. Nine hours of speech at 16 kHz: no file of a corpus is as large."""
_REMEDY = "do not trust this corpus; curtain verify lists all such files"


def read_plain(root: Path, path: str) -> bytes:
    """The bytes of a file of the corpus at `root`.

    Raises `FormatFault` for anything but a plain file, OSError where there is none or it cannot be read.
    """
    check_inside(root, path)
    try:
        handle = os.open(root / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        if (root / path).is_symlink():
            raise FormatFault(path, 0, "a symbolic link", _REMEDY) from error
        raise
    with os.fdopen(handle, "rb", buffering=0) as file:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise FormatFault(path, 0, "no plain file", _REMEDY)
        if found.st_size > LARGEST:
            raise FormatFault(path, 0, f"{found.st_size} bytes", _REMEDY)
        return file.read()


def check_inside(root: Path, path: str) -> None:
    """Raises `FormatFault` where a folder on the way to a file is a link that leads elsewhere."""
    if not _same(root, path.rpartition("/")[0]):
        raise FormatFault(path, 0, "it lies behind a symbolic link", _REMEDY)


@lru_cache(maxsize=4_096)
def _same(root: Path, folder: str) -> bool:
    return (root / folder).resolve() == root.resolve() / folder
