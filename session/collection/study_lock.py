"""The lock on a study: hubs and exports share it, withdrawal and correction hold it alone."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class StudyInUse(OSError):
    """A desk is recording into what is to go, or a hub takes in what a desk sends; the message says what to close."""


@contextmanager
def shared_lock(folder: Path) -> Iterator[None]:
    """Hold the study in `folder` for a hub or an export: any number may at once, and nobody withdraws meanwhile.

    Raises `StudyInUse`, OSError.
    """
    with _held(
        folder,
        fcntl.LOCK_SH,
        f"{folder}: a withdrawal or a correction is running in this study; wait, then try again",
    ):
        yield


@contextmanager
def exclusive_lock(folder: Path) -> Iterator[None]:
    """Hold the study alone: no hub receives what a terminal still holds, no export hands over what is to be erased or changed;
    raises `StudyInUse`, OSError."""
    with _held(
        folder,
        fcntl.LOCK_EX,
        f"{folder}: a hub serves this study, or it is exported; close the hub or wait, then try again",
    ):
        yield


@contextmanager
def _held(folder: Path, kind: int, message: str) -> Iterator[None]:
    recordings = folder / "recordings"
    recordings.mkdir(exist_ok=True)
    descriptor = os.open(recordings, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise StudyInUse(message) from error
        yield
    finally:
        os.close(descriptor)
