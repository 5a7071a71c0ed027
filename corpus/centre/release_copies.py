"""The items of a release: copies of what lies in deliveries, each read once, held against its hash, and read-only from the start.

Kept apart from `corpus.centre.releases`, because each process that copies imports this module, and what it does not need would be
loaded as often.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import msgspec

from corpus.dataset.reader import listed
from corpus.dataset.subset import TextSummary
from corpus.formats.manifest import FileEntry
from corpus.io.parallel import MANY, Jobs

_PART = 64
"""Files that a process gets at a time."""
READ_ONLY = 0o444
MANY_COPIES = 8 * MANY
"""Subject-scenarios from which further processes are worth their start: to copy one takes an eighth of verifying it."""
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW


class _FileCopy(msgspec.Struct, frozen=True):
    source: Path
    target: Path


def copied(source: Path, target: Path, files: Iterable[tuple[str, FileEntry]], jobs: Jobs) -> TextSummary:
    """Copy files of the corpus `source`, which come in the order of their paths, into the folder `target`; return what their logs
    and transcriptions tell.

    Raises `FormatFault` for a file that is not the one of its entry.
    """
    summary = TextSummary()
    with closing(jobs.over(_copy, _FileCopy(source, target), _parts(files), source)) as parts:
        for part in parts:
            summary.join(part)
    return summary


def _parts(files: Iterable[tuple[str, FileEntry]]) -> Iterator[tuple[tuple[str, str], ...]]:
    entries = ((path, entry.sha256) for path, entry in files)
    while part := tuple(islice(entries, _PART)):
        yield part


def _copy(copying: _FileCopy, part: tuple[tuple[str, str], ...]) -> TextSummary:
    summary, made = TextSummary(), ""
    for path, sha256 in part:
        data = listed(copying.source, path, sha256)
        if path.endswith((".log", ".sro")):
            summary.add(path, data)
        folder = path.rpartition("/")[0]
        if folder != made:
            (copying.target / folder).mkdir(parents=True, exist_ok=True)
            made = folder
        handle = os.open(f"{copying.target}/{path}", _NEW, READ_ONLY)
        try:
            while data:  # the system may take a part
                data = data[os.write(handle, data) :]
        finally:
            os.close(handle)
    return summary
