"""Where files lie in memory, for tests that kill what writes them: no disk is waited for."""

import os
import shutil
from pathlib import Path

ROOM_BYTES = 128_000_000


def memory_disk(place: Path = Path("/dev/shm")) -> Path | None:
    """A folder in memory with room for a test's files; None, the usual place for scratch files, where there is none."""
    if os.access(place, os.W_OK) and shutil.disk_usage(place).free >= ROOM_BYTES:
        return place
    return None
