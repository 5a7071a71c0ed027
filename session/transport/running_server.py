"""A server that listens: its port, its figures, and its end within a few seconds whatever its desks do."""

import asyncio
from collections.abc import Iterable, Set
from typing import Any, Protocol

from session.transport.connection_limits import ConnectionLimits

CLOSE_WITHIN_S = 1.5


class ListeningServer(Protocol):
    """The server of the library that speaks WebSocket."""

    @property
    def sockets(self) -> Iterable[Any]: ...

    def close(self) -> None: ...

    async def wait_closed(self) -> None: ...


class RunningServer:
    """A running server; `port` is the one that it got."""

    def __init__(
        self, server: ListeningServer, handlers: Set[asyncio.Task[Any]], limits: ConnectionLimits,
        watch: asyncio.Task[None],
    ) -> None:  # fmt: skip
        self._server = server
        self._handlers = handlers
        self._limits = limits
        self._watch = watch

    @property
    def connections(self) -> int:
        """The number of sockets that are open."""
        return len(self._handlers)

    @property
    def refused(self) -> int:
        """The number of sockets that were one too many."""
        return self._limits.refused

    @property
    def port(self) -> int:
        return int(next(iter(self._server.sockets)).getsockname()[1])

    async def close(self) -> None:
        """Close every connection and the port; who is still at work then, on a store that is locked say, is cut short."""
        self._server.close()
        try:
            async with asyncio.timeout(CLOSE_WITHIN_S):
                await self._server.wait_closed()
        except TimeoutError:
            handlers = set(self._handlers)
            for handler in handlers:
                handler.cancel()
            if handlers:
                await asyncio.wait(handlers, timeout=CLOSE_WITHIN_S)
        self._watch.cancel()
        await asyncio.gather(self._watch, return_exceptions=True)
