"""A directory that is there whole or not at all.

An export takes minutes and may be stopped at any moment; half a corpus looks like a whole one. So the files are written
into a sibling directory, which gets its name when the last of them is on the disk. Nothing is ever overwritten.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from corpus.manifest import FileEntry, entry_of


class Refused(Exception):
    """The target cannot be written; the message says why and what to do."""


class Staging:
    """The directory in the making; remembers size and hash of every file."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files: dict[str, FileEntry] = {}
        self._progress: Callable[[int], None] = lambda _: None

    def tell(self, progress: Callable[[int], None]) -> None:
        """From now on, `progress` is told the number of files after each."""
        self._progress = progress

    def write(self, path: str, data: bytes, draft: bool = False, like: FileEntry | None = None) -> None:
        """Write a new file, with the marks of `like` if given; raises `Refused` when the corpus has it already."""
        if path in self.files:
            raise Refused(f"two sessions lead to the same file {path}; give their speakers different ids")
        self.files[path] = entry_of(data, draft, like)
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("xb") as file:
            file.write(data)

    def take_back(self, paths: Iterable[str]) -> None:
        """Remove files that were written: those of a session of which not all can be."""
        for path in paths:
            del self.files[path]
            (self.root / path).unlink()


@contextmanager
def staged(target: Path) -> Iterator[Staging]:
    """Yields a `Staging`; on leaving, its files become `target`, or vanish when an exception passes through.

    Raises `Refused` when `target` exists or its parent does not.
    """
    refuse_existing(target)
    if not target.parent.is_dir():
        raise Refused(f"{target.parent} is no directory; make it first")
    root = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".partial", dir=target.parent))
    try:
        yield Staging(root)
        refuse_existing(target)
        root.chmod(0o777 & ~_umask())
        root.rename(target)
    except BaseException:
        shutil.rmtree(root)
        raise


def replace(path: Path, data: bytes) -> None:
    """Put a file in the place of another one, whole or not at all."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    with part.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    part.rename(path)


def refuse_existing(target: Path) -> None:
    """Raises `Refused` when there is anything at `target`."""
    if target.exists() or target.is_symlink():
        raise Refused(f"{target} exists already; choose another directory, nothing is overwritten")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
