"""Recovery of a centre after its program was killed: completes what the ledger records and deletes the rest.

Everything new is made under a hidden name, entered in the ledger, and only then gets its own name. Whoever opens the centre next
finishes what the ledger knows and deletes what it does not, so that nothing blocks the same command, and no copy of anybody
stays where a withdrawal would not look.
"""

import re
import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from corpus.io.staging import Refused, Staging, in_use, locked, partial_of
from corpus.withdrawal.rebuild import finish

_PARTIAL = re.compile(r"\.(.+)\.partial")
_FILES = "files"


@contextmanager
def entered(target: Path, mode: int = 0o666) -> Iterator[Staging]:
    """Yields a `Staging` below a hidden name, whose files have this mode. The last thing that the block does is to enter `target`
    in the ledger; then the files get its name. Nothing is left when the block fails; raises `Refused` when `target` exists, which
    no ledger knows."""
    if target.exists() or target.is_symlink():
        raise Refused(f"{target} is in no ledger: restore the ledger from a copy, or delete the folder")
    partial = partial_of(target)
    empty(partial)
    try:
        yield Staging(partial, mode=mode)
    except BaseException:
        shutil.rmtree(partial)
        raise
    settle(target)


def empty(partial: Path) -> Path:
    """Make a hidden folder again; return where its files come."""
    shutil.rmtree(partial, ignore_errors=True)
    (partial / _FILES).mkdir(parents=True)
    return partial / _FILES


def settle(target: Path) -> None:
    """Give what the ledger knows by now its own name, if it has not got it yet."""
    partial = partial_of(target)
    if (partial / _FILES).exists() and not target.exists():
        (partial / _FILES).rename(target)
    shutil.rmtree(partial, ignore_errors=True)


def recover(folder: Path, known: Collection[str]) -> None:
    """Finish what somebody was killed at in a folder, where the ledger has it among the `known`, and delete all else that has a
    hidden name of ours and that nobody is at work on."""
    for left in sorted(folder.glob(".*.withdrawal")) if folder.is_dir() else ():
        with locked(folder):
            finish(folder / left.name[1:].removesuffix(".withdrawal"))
    for partial in sorted(folder.glob(".*.partial")) if folder.is_dir() else ():
        found = _PARTIAL.fullmatch(partial.name)
        if found and found[1] in known:
            settle(folder / found[1])
        elif not in_use(partial):
            shutil.rmtree(partial)


def recover_files(folder: Path, known: Collection[str]) -> None:
    """Do for files, such as `vol001.iso` with its index, what `recover` does for folders."""
    for part in sorted(folder.glob(".*.part")) if folder.is_dir() else ():
        target = folder / part.name.removeprefix(".").removesuffix(".part")
        if target.stem in known and not target.exists():
            part.rename(target)
        else:
            part.unlink()


def strays(folder: Path, known: Collection[str]) -> Iterator[Path]:
    """The folders that the ledger does not know."""
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.is_dir() and path.name not in known and not path.name.startswith("."):
            yield path


def prune(folder: Path, root: Path) -> None:
    """Remove a folder below `root` if it is empty or not there, and then those that it lay in."""
    while folder != root and not (folder.exists() and any(folder.iterdir())):
        if folder.exists():
            folder.rmdir()
        folder = folder.parent
