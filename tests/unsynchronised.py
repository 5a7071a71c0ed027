"""Files and stores that wait for no disk: what a killed process has written the system still has, and no test cuts the power."""

import os
from collections.abc import Callable
from typing import Any

Careful = Callable[[Any, object], None]


def fsync(file: Any) -> None:
    """Stand in for `os.fsync`: as there, the file must be open."""
    os.fstat(file if isinstance(file, int) else file.fileno())


def unsynchronised(careful: Careful) -> Careful:
    """Have SQLite wait for no disk after all else that a store asks of it (`session.store.database._careful`)."""

    def connected(connection: Any, other: object) -> None:
        careful(connection, other)
        connection.execute("PRAGMA synchronous = OFF")

    return connected
