"""A small file system of its own for a torture run, that can really be filled and really be read-only.

Only where the system lets this user mount one; elsewhere the processes are made to believe that their disk is full.
"""

import os
import shutil
import subprocess
from pathlib import Path

BALLAST = "ballast"
_PIECES = (1 << 20, 4096, 64)


class Disk:
    """A tmpfs of `megabytes` at `path`, or a mere folder there; `real` tells which."""

    def __init__(self, path: Path, megabytes: int, *, mounting: bool = True) -> None:
        self.path = path
        path.mkdir()
        self.real = mounting and _mount("-t", "tmpfs", "-o", f"size={megabytes}m,mode=700", "tmpfs", str(path))

    def fill(self) -> None:
        """Leave no byte free."""
        file = os.open(self.path / BALLAST, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            for size in _PIECES:
                _write_all_there_is_room_for(file, bytes(size))
        finally:
            os.close(file)

    def free(self) -> None:
        """Give the room back."""
        (self.path / BALLAST).unlink(missing_ok=True)

    def read_only(self, wanted: bool) -> bool:
        """Return whether it could be done: not while a file is open for writing."""
        return self.real and _mount("-o", "remount,ro" if wanted else "remount,rw", str(self.path))

    def close(self) -> None:
        """Leave what it held in an ordinary folder of the same name."""
        if not self.real:
            return
        self.free()
        aside = self.path.with_name(self.path.name + ".aside")
        shutil.copytree(self.path, aside)
        subprocess.run(["umount", str(self.path)], check=True)
        self.path.rmdir()
        aside.rename(self.path)
        self.real = False


def _mount(*arguments: str) -> bool:
    if shutil.which("mount") is None:
        return False
    return subprocess.run(["mount", *arguments], check=False, capture_output=True).returncode == 0


def _write_all_there_is_room_for(file: int, piece: bytes) -> None:
    try:
        while os.write(file, piece) == len(piece):
            pass
    except OSError:
        return
