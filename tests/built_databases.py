"""Databases of domains that a run of the tests builds once: whoever wants one again is given a copy of the same bytes."""

import fcntl
import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from domain.database import build
from tests import ROOT

Builder = Callable[[ModuleType, Path], build.BuiltDatabase]


class BuiltDatabases:
    """Stands before `domain.database.build._built`, in a folder that all processes of a run share."""

    def __init__(self, folder: Path, really: Builder) -> None:
        self._folder, self._really = folder, really
        self._shipped = {_program(path.parent) for path in (ROOT / "scenarios").glob("*/generator.py")}

    def __call__(self, generator: ModuleType, cache: Path) -> build.BuiltDatabase:
        """Build a database, or copy the file that the same program of a shipped domain has built already."""
        program = _program(Path(str(generator.__file__)).parent)
        if program not in self._shipped:
            return self._really(generator, cache)
        kept = self._folder / program
        kept.mkdir(parents=True, exist_ok=True)
        with (kept / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            path = Path(self._really(generator, kept).url.removeprefix("sqlite:///"))
        if not (cache / path.name).exists():
            cache.mkdir(parents=True, exist_ok=True)
            for one in (build.seal_path(path), path):
                partial = cache / f"{one.name}.{os.getpid()}.copy"
                shutil.copyfile(one, partial)
                partial.replace(cache / one.name)
        return self._really(generator, cache)


def _program(folder: Path) -> str:
    """What a generator is: the bytes of the modules of its folder."""
    total = hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        total.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()[:16]


def shared_by_all_processes(folders: pytest.TempPathFactory) -> Path:
    """The folder of scratch files of a run, which under xdist is the one above each worker's own."""
    own = folders.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
