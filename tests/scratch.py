"""Folders for what several tests of a process look at and none changes; they go when the process ends."""

import atexit
import shutil
import tempfile
from pathlib import Path


def scratch_folder(name: str) -> Path:
    """Return a new folder in the temporary directory."""
    folder = Path(tempfile.mkdtemp(prefix=f"curtain-{name}-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
