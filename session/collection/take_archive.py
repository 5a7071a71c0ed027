"""Object storage for sealed takes, in place of the study's folder, by fsspec, the file systems of Dask and pandas.

The hub still writes a take to its own disk while it comes; sealed, it goes to the archive, is read back and hashed there. Only
then is it confirmed to the subject's desk, and the hub's copy goes soon after. Several hubs need no shared disk then.
"""

import hashlib
import importlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from session.study.toml_reader import StudyError

PIECE = 1 << 22
_TRIAL = ".trial"


class ArchiveTrouble(OSError):
    """An archive that is out of reach, or does not do what it is to do; `filename` is its address."""

    @property
    def kind(self) -> str:
        """Its name in a word or two, the same for every file."""
        return str(self.strerror).partition(":")[0]


class TakeArchive(Protocol):
    """A place for files of sessions, each called `session/name`. Every call blocks and may raise ArchiveTrouble."""

    @property
    def url(self) -> str:
        """The address, as a person would name it."""

    def put(self, name: str, source: Path, sha256: str) -> None:
        """Keep a file; when this returns, the archive holds bytes of that SHA-256. One that already exists is kept."""

    def read(self, name: str, first: int = 0, count: int = -1) -> bytes:
        """Return `count` bytes from `first` on, to the end without a count; raises FileNotFoundError."""

    def names(self, session: str) -> list[str]:
        """Return the names of a session's files, in order."""

    def erase(self, session: str) -> int:
        """Delete everything of a session; how many files it was."""


class ObjectArchive:
    """An archive at the URL of any store that fsspec reaches: `s3://bucket/folder`, `gs://`, `az://`, `webdav+https://` …

    Keys and endpoints come from the environment or fsspec's own configuration, never from the study: it is handed on.
    """

    def __init__(self, url: str) -> None:
        """Raises `StudyError` if the package for such a URL is missing."""
        self.url = url.rstrip("/")
        try:
            core = importlib.import_module("fsspec.core")
            self._files, root = core.url_to_fs(self.url, use_listings_cache=False)
        except ImportError as error:
            raise StudyError(
                f"`recordings` in study.toml names {url}, for which a package is missing: {error}. Install "
                "curtain-woz[storage] and the package that it names"
            ) from error
        except ValueError as error:
            raise StudyError(f"`recordings` in study.toml names {url}: {error}") from error
        self._root = str(root).rstrip("/")

    def put(self, name: str, source: Path, sha256: str) -> None:
        """Keep a file, and hash what is there then: an upload that was cut off, or other bytes there, raise ArchiveTrouble."""
        where = f"{self._root}/{name}"
        if self._asked(lambda: self._hash(where)) != sha256:
            try:
                self._asked(lambda: self._files.put_file(str(source), where))
            except FileNotFoundError as error:
                raise ArchiveTrouble(2, f"there is no such place: {error}", self.url) from error
            if self._asked(lambda: self._hash(where)) != sha256:
                raise ArchiveTrouble(5, f"what was sent is not what came back: {name}", self.url)

    def read(self, name: str, first: int = 0, count: int = -1) -> bytes:
        """Return a part of a file; raises FileNotFoundError, OSError."""
        end = first + count if count >= 0 else None
        return bytes(self._asked(lambda: self._files.cat_file(f"{self._root}/{name}", start=first, end=end)))

    def names(self, session: str) -> list[str]:
        """Return the names of a session's files, in order."""
        return sorted(path.removeprefix(f"{self._root}/") for path in self._paths(session))

    def erase(self, session: str) -> int:
        """Delete a session's files and look whether they are gone; old versions kept by the store are its owner's to delete."""
        paths = self._paths(session)
        for path in paths:
            self._asked(partial(self._files.rm_file, path))
        if left := self._paths(session):
            raise ArchiveTrouble(5, f"{len(left)} files of {session} were not deleted", self.url)
        return len(paths)

    @property
    def lasts(self) -> bool:
        """Return whether what it holds outlives this process: fsspec's `memory://` does not."""
        return bool(self._files.protocol != "memory")

    def trial(self, scratch: Path) -> None:
        """Write, read back and delete a small file; raises OSError."""
        scratch.write_bytes(b"curtain")
        try:
            self.put(f"{_TRIAL}/{_TRIAL}", scratch, hashlib.sha256(b"curtain").hexdigest())
            self.erase(_TRIAL)
        finally:
            scratch.unlink(missing_ok=True)

    def _paths(self, session: str) -> list[str]:
        try:
            return list(self._asked(lambda: self._files.find(f"{self._root}/{session}")))
        except FileNotFoundError:
            return []

    def _hash(self, where: str) -> str:
        try:
            with self._files.open(where, "rb") as file:
                digest = hashlib.sha256()
                while piece := file.read(PIECE):
                    digest.update(piece)
                return digest.hexdigest()
        except FileNotFoundError:
            return ""

    def _asked(self, call: Callable[[], Any]) -> Any:
        """Return what a call returns; what a store's own package raises is an ArchiveTrouble."""
        try:
            return call()
        except FileNotFoundError:
            raise
        except Exception as error:
            raise ArchiveTrouble(5, f"{type(error).__name__}: {error}", self.url) from error


def archive_at(url: str) -> ObjectArchive | None:
    """Return the archive at a URL, None for none; raises `StudyError`."""
    return ObjectArchive(url) if url else None


def lasting_archive(url: str) -> ObjectArchive | None:
    """Return the archive at a URL for a hub to collect into; raises `StudyError`, also for one that ends with the process."""
    archive = archive_at(url)
    if archive is not None and not archive.lasts:
        raise StudyError(
            f"`recordings` in study.toml names {url}, which loses every take when the hub ends; name object storage such as "
            "s3://bucket/folder, or nothing: then recordings are in the study's folder"
        )
    return archive
