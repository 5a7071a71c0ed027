"""The threads of a hub, grouped by what they wait for, so that admitting a desk never waits for a recording or a query.

The event loop's own threads do what is left: queries and voices. Without groups of their own, as in tests,
everything is done by those.
"""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any, TypeVar

ENTRANCE, STORAGE, ASIDE = 6, 8, 2
"""Each at the entrance may hold a connection to the database; a hub is to need no more than SQLAlchemy's fifteen in all."""

T = TypeVar("T")


class LooseThreads(Executor):
    """Threads that nobody waits for when the program ends, as it does for a pool's: an archive may not answer for minutes, and
    what it was being sent is still here."""

    def __init__(self, count: int, name: str) -> None:
        self._waiting: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        self._threads = [threading.Thread(target=self._work, name=f"{name}_{n}", daemon=True) for n in range(count)]
        for thread in self._threads:
            thread.start()

    def submit(self, fn: Callable[..., T], /, *args: Any, **more: Any) -> "Future[T]":
        """Have it called by the next thread that is free."""
        future: Future[T] = Future()
        self._waiting.put((future, lambda: fn(*args, **more)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Begin nothing that waits any more, and let the threads end when they can."""
        while not self._waiting.empty():
            if (call := self._waiting.get()) is not None:
                call[0].cancel()
        for _ in self._threads:
            self._waiting.put(None)

    def _work(self) -> None:
        while (call := self._waiting.get()) is not None:
            future, fn = call
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(fn())
            except BaseException as error:  # noqa: BLE001 (whoever asked for it hears of it)
                future.set_exception(error)


class ThreadGroups:
    """The threads that let desks in, those that wait for recordings, and those that answer what consoles ask aside."""

    def __init__(
        self, entrance: Executor | None = None, storage: Executor | None = None, aside: Executor | None = None
    ) -> None:
        self._entrance, self._storage, self._aside = entrance, storage, aside

    @classmethod
    def apart(cls) -> "ThreadGroups":
        """Groups of their own, to be closed."""
        return cls(
            ThreadPoolExecutor(ENTRANCE, "entrance"), LooseThreads(STORAGE, "storage"), LooseThreads(ASIDE, "aside")
        )

    async def entering(self, call: Callable[..., T], *given: object) -> T:
        """Have something done that somebody waits for at the entrance, or a proxy who asks whether the hub is ready."""
        return await asyncio.get_running_loop().run_in_executor(self._entrance, call, *given)

    async def storing(self, call: Callable[..., T], *given: object) -> T:
        """Have something done that waits for recordings: an archive that is out of reach takes as long as it likes."""
        return await asyncio.get_running_loop().run_in_executor(self._storage, call, *given)

    async def answering(self, call: Callable[..., T], *given: object) -> T:
        """Have something done that a console asks beside a session: a menu takes seconds to make."""
        return await asyncio.get_running_loop().run_in_executor(self._aside, call, *given)

    def close(self) -> None:
        """Let go of the threads; what waits in line is not begun any more."""
        for group in (self._entrance, self._storage, self._aside):
            if group is not None:
                group.shutdown(wait=False, cancel_futures=True)
