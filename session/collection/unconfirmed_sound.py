"""Account of sound that came and was never confirmed, or lies aside: it fills a disk like any other, and no fact tells of it.

`recordings/.coming/` holds an empty file of the name of each session of which some may lie there, so that its extent is known
without a look into the folders of thousands of sessions.
"""

import contextlib
import os
import re
import time
from collections.abc import Collection
from pathlib import Path

MARKS = ".coming"
_EVERY = ".every"
"""Stands among the marks once all folders have been looked into: an earlier release made no marks."""
_AGE_S = 60.0
"""A mark is made before the sound that it is of: one that is younger may stand for some that is just coming."""
_COMING = re.compile(r"\.pcm\.(part|aside\d+)\Z")


class ComingSessions:
    """The marks that one program makes; a set in its memory keeps it from making one for every piece of sound."""

    def __init__(self, root: Path) -> None:
        self._marks = root / MARKS
        self._made: set[str] = set()

    def mark(self, session: str) -> None:
        """Mark a session of which sound comes; raises OSError."""
        if session not in self._made:
            _mark(self._marks, session)
            self._made.add(session)

    def forget(self, session: str) -> None:
        """A take of it was confirmed, and its mark may go."""
        self._made.discard(session)


def unconfirmed_bytes(root: Path, going_on: Collection[str]) -> int:
    """Return how much all sessions of a study hold of takes that are still coming, or that were put aside. The marks of those
    that are not `going_on`, and of which nothing lies there, go."""
    marks = root / MARKS
    marked = {path.name for path in _there(marks)}
    names = {*going_on, *marked} - {_EVERY}
    if _EVERY not in marked:
        names |= {path.name for path in _there(root) if path.name != MARKS}
    total = 0
    for name in names:
        held = _held(root / name)
        total += held
        with contextlib.suppress(OSError):  # whoever only looks may write nothing here
            if held and name not in marked:
                _mark(marks, name)
            elif not held and name in marked and name not in going_on:
                _clear(marks / name)
    if _EVERY not in marked:
        with contextlib.suppress(OSError):
            _mark(marks, _EVERY)
    return total


def _there(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except FileNotFoundError:
        return []


def _held(folder: Path) -> int:
    try:
        with os.scandir(folder) as there:
            return sum(file.stat().st_size for file in there if _COMING.search(file.name))
    except (FileNotFoundError, NotADirectoryError):
        return 0


def _mark(marks: Path, name: str) -> None:
    marks.mkdir(parents=True, exist_ok=True)
    (marks / name).touch(mode=0o600)


def _clear(mark: Path) -> None:
    if time.time() - mark.stat().st_mtime > _AGE_S:
        mark.unlink(missing_ok=True)
