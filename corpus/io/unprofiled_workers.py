"""Workers of a Dask cluster without Dask's own profile of what they do, as long as they work for Curtain.

A worker keeps a hundred samples a second of its stack, by the second and by the task, and a worker that checks a large corpus
grew by 150 MB of them. Only the cluster's own pages show them. Workers that join later have none either.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from distributed.diagnostics.plugin import WorkerPlugin

_PROFILES = ("profile", "profile-cycle")  # what a worker does now and then, by Dask's names
_NAME = "curtain-unprofiled"


class UnprofiledWorker(WorkerPlugin):  # type: ignore[misc]
    """Stops the profile of a worker, and begins it again when the work is done."""

    def setup(self, worker: Any) -> None:
        """Stop it."""
        for callback in _profiles(worker):
            callback.stop()

    def teardown(self, worker: Any) -> None:
        """Begin it again, unless the worker ends."""
        for callback in _profiles(worker) if worker.status.name == "running" else ():
            callback.start()


def _profiles(worker: Any) -> list[Any]:
    """Return a worker's profilers; none if the operator has switched profiling off or this release of Dask has none."""
    return [callback for name in _PROFILES if (callback := worker.periodic_callbacks.get(name)) is not None]


@contextmanager
def unprofiled(client: Any) -> Iterator[None]:
    """Have no worker of a cluster profile itself while the block lasts; a cluster that is gone by its end keeps nothing."""
    client.register_plugin(UnprofiledWorker(), name=_NAME)
    try:
        yield
    finally:
        with suppress(OSError):  # whoever works there is told of by the work
            if client.status == "running":
                client.unregister_worker_plugin(_NAME)
