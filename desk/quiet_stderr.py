"""Keeps C libraries from writing across the screen.

ALSA and PortAudio print to file descriptor 2, which is also what Textual draws on. Before an app runs, the screen gets a
descriptor of its own and 2 becomes a log file; afterwards everything is as it was.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def c_stderr_to(log: Path) -> Iterator[None]:
    """While inside, whatever is written to file descriptor 2 is appended to `log`; `sys.__stderr__` still reaches the screen.

    Python's own `sys.stderr` goes to the log too. The app is to be made and run inside. Raises OSError when `log` cannot
    be written.
    """
    with log.open("ab") as file:
        before = sys.__stderr__
        sys.stderr.flush()
        screen = os.fdopen(os.dup(2), "w", encoding=getattr(before, "encoding", None) or "utf-8")
        try:
            os.dup2(file.fileno(), 2)
            sys.__stderr__ = screen  # type: ignore[misc]  # where Textual draws
            yield
        finally:
            sys.stderr.flush()
            screen.flush()
            os.dup2(screen.fileno(), 2)
            sys.__stderr__ = before  # type: ignore[misc]
            screen.close()
