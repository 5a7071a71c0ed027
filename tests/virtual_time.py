"""An event loop whose time passes only when nothing is left to do: real sockets, real threads, real timeouts, no waiting.

What a slow machine cannot do in time has all the time it needs, and a timer of twenty milliseconds fires in every run
between the same two steps. Every test that runs an app runs on it (tests/conftest.py).
"""

import asyncio
import fcntl
import selectors
import struct
import termios
import time
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

import textual._time
import textual._wait

GRACE_S = 0.01
GRACES = 200
PATIENCE = 25


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """`time` is virtual; whoever sleeps is woken as soon as everybody sleeps and no thread works for this loop."""

    def __init__(self) -> None:
        super().__init__(selectors.SelectSelector())
        self._now = 0.0
        self._in_threads = 0
        self._really_select = self._selector.select  # type: ignore[attr-defined]
        self._selector.select = self._select  # type: ignore[attr-defined]

    def time(self) -> float:
        return self._now

    def run_in_executor(  # type: ignore[override]
        self, executor: Executor | None, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        done = super().run_in_executor(executor, func, *args)
        self._in_threads += 1
        done.add_done_callback(self._came_back)
        return done

    async def shutdown_default_executor(self, *_: object) -> None:
        """Wait for threads without a limit: five minutes, which Python 3.12 and later allow, pass at once on this loop."""
        await super().shutdown_default_executor()

    def _came_back(self, _: object) -> None:
        self._in_threads -= 1

    def _select(self, timeout: float | None = None) -> object:
        if timeout is None or timeout <= 0:
            return self._really_select(timeout)
        if self._in_threads:
            return self._wait_for_a_thread(timeout)
        sockets = list(self._selector.get_map())  # type: ignore[attr-defined]
        for _ in range(GRACES):
            ready = self._really_select(GRACE_S if len(sockets) > 1 else 0)
            if ready or not any(map(on_their_way, sockets)):
                break
        if not ready:
            self._now += timeout
        return ready

    def _wait_for_a_thread(self, timeout: float) -> object:
        """Time passes, for one that waits for something itself, but so slowly that no work is overtaken by it."""
        began = time.monotonic()
        ready = self._really_select(timeout * PATIENCE)
        self._now += min(timeout, (time.monotonic() - began) / PATIENCE) if ready else timeout
        return ready


def on_their_way(socket: int) -> int:
    """How many bytes a socket has been given that have not reached its peer: a kernel under load is late with them."""
    try:
        waiting = fcntl.ioctl(socket, termios.TIOCOUTQ, bytes(4))
    except OSError:
        return 0  # a system that does not tell, or no socket any more
    return int(struct.unpack("i", waiting)[0])


def lend_textual_the_time_of_the_loop() -> None:
    """For its timers; and a pause of its pilot need not guess from the processor's use whether the app is done."""
    textual._time.get_time = textual._wait.monotonic = now  # type: ignore[attr-defined]
    textual._wait.process_time = worked  # type: ignore[attr-defined]


def now() -> float:
    loop = asyncio._get_running_loop()
    return time.monotonic() if loop is None else loop.time()


def worked() -> float:
    return 0.0 if isinstance(asyncio._get_running_loop(), VirtualTimeLoop) else time.process_time()
