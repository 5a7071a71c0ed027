"""An event loop whose time passes only when nothing is left to do: real sockets, real timeouts, no waiting."""

import asyncio
import selectors

GRACE_S = 0.01


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """`time` is virtual; whoever sleeps is woken as soon as everybody sleeps."""

    def __init__(self) -> None:
        super().__init__(selectors.SelectSelector())
        self._now = 0.0
        self._really_select = self._selector.select  # type: ignore[attr-defined]
        self._selector.select = self._select  # type: ignore[attr-defined]

    def time(self) -> float:
        return self._now

    def _select(self, timeout: float | None = None) -> object:
        # Whatever was written to a loopback socket is there at once; the grace is for a kernel under load.
        ready = self._really_select(0 if timeout is not None and timeout <= 0 else GRACE_S)
        if not ready and timeout is not None and timeout > 0:
            self._now += timeout
        return ready
