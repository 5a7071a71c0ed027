"""The one fork server of a run of the tests, which has imported what its processes live by: anew in each life, it takes a second.

Python has one fork server to a process, and what it imports is what was asked for last before it began.
"""

import multiprocessing
from multiprocessing import forkserver

CONTEXT = multiprocessing.get_context("forkserver")
IMPORTED = ["pytest", "tests.together.world", "tests.corpus.withdrawal_lab", "benchmarks.torture.processes"]


def begin_fork_server() -> None:
    """Have it run from now on; whoever starts a process in `CONTEXT` calls this before."""
    forkserver.set_forkserver_preload(IMPORTED)
    forkserver.ensure_running()
