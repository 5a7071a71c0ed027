"""A hub's figures in Prometheus' text form, and whether it lives and is ready, at an address of their own.

Nothing there names a session, a speaker or a token: it may be read by anyone who watches machines.
"""

import asyncio
import contextlib
import resource
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from session.hub.server import RunningHub
from session.store.event_store import StoreUnavailable
from session.transport.listen_address import ListenAddress
from session.values.vocabulary import Role

LARGEST_REQUEST = 8_192
WITHIN_S = 2.0
LAG_EVERY_S = 0.25
MOST_WAITING = 5_000
"""With so many writers waiting, a hub is not ready for more sessions."""


class HubMetrics:
    """The figures of one running hub."""

    def __init__(self, running: RunningHub) -> None:
        self._running = running
        self.lag_s = 0.0

    def text(self) -> str:
        """Return all figures, a line each behind what they are."""
        hub, group = self._running.hub, self._running.hub.group
        desks = Counter(desk.role for session in hub.sessions.values() for desk in session.desks)
        used = resource.getrusage(resource.RUSAGE_SELF)
        lines: list[str] = []

        def tell(name: str, kind: str, what: str, *values: tuple[str, float]) -> None:
            lines.extend((f"# HELP curtain_{name} {what}", f"# TYPE curtain_{name} {kind}"))
            lines.extend(f"curtain_{name}{labels} {value:g}" for labels, value in values)

        tell("sessions", "gauge", "Sessions that are held open.", ("", len(hub.sessions)))
        tell("desks", "gauge", "Desks attached, by role.", *((f'{{role="{role}"}}', desks[role]) for role in Role))
        tell("connections", "gauge", "Sockets that are open.", ("", self._running.served.connections))
        tell("connections_refused_total", "counter", "Sockets over the limit.", ("", self._running.served.refused))
        tell("facts_total", "counter", "Facts recorded.", ("", group.facts))
        tell("commits_total", "counter", "Transactions that recorded them.", ("", group.commits))
        tell("commit_seconds_total", "counter", "Seconds that these took.", ("", group.commit_s))
        tell("writers_waiting", "gauge", "Writers that wait for the next transaction.", ("", group.waiting))
        tell("loop_lag_seconds", "gauge", "Lateness of the event loop's last timer.", ("", self.lag_s))
        tell("cpu_seconds_total", "counter", "Processor time, all threads.", ("", used.ru_utime + used.ru_stime))
        tell("memory_peak_bytes", "gauge", "The most memory held.", ("", used.ru_maxrss * 1024))
        return "\n".join(lines) + "\n"

    async def objection(self) -> str:
        """Return why no more sessions should come here; empty for a hub that is ready."""
        if self._running.hub.group.waiting > MOST_WAITING:
            return "too many writers wait for the store"
        try:
            async with asyncio.timeout(WITHIN_S):
                await self._running.hub.threads.entering(self._running.store.head, "")
        except TimeoutError:
            return "the store does not answer in time"
        except StoreUnavailable:
            return "the store does not work"
        return ""

    async def watch(self) -> None:
        """Measure how late the event loop is, until cancelled."""
        while True:
            began = time.monotonic()
            await asyncio.sleep(LAG_EVERY_S)
            self.lag_s = max(0.0, time.monotonic() - began - LAG_EVERY_S)


@asynccontextmanager
async def metrics_served(running: RunningHub, listening: ListenAddress) -> AsyncIterator[int]:
    """Answer /metrics, /health and /ready until the block ends; gives the port. Raises OSError."""
    metrics = HubMetrics(running)
    open_sockets: set[asyncio.StreamWriter] = set()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        open_sockets.add(writer)
        try:
            async with asyncio.timeout(2 * WITHIN_S):
                writer.write(await _answered(metrics, await reader.readuntil(b"\r\n\r\n")))
                await writer.drain()
        except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # whoever asks for nothing, or for too much, gets no answer
        finally:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()
            open_sockets.discard(writer)

    server = await asyncio.start_server(handle, listening.host, listening.port, limit=LARGEST_REQUEST)
    watching = asyncio.get_running_loop().create_task(metrics.watch())
    try:
        yield int(server.sockets[0].getsockname()[1])
    finally:
        watching.cancel()
        server.close()
        for writer in open_sockets:
            writer.transport.abort()
        await asyncio.gather(watching, *(writer.wait_closed() for writer in open_sockets), return_exceptions=True)


async def _answered(metrics: HubMetrics, head: bytes) -> bytes:
    method, _, rest = head.partition(b" ")
    path = rest.partition(b" ")[0].partition(b"?")[0]
    status, body = "404 Not Found", "There are /metrics, /health and /ready.\n"
    if method not in (b"GET", b"HEAD"):
        status, body = "405 Method Not Allowed", "Only GET.\n"
    elif path == b"/metrics":
        status, body = "200 OK", metrics.text()
    elif path == b"/health":
        status, body = "200 OK", "alive\n"
    elif path == b"/ready":
        objection = await metrics.objection()
        status, body = ("503 Service Unavailable", f"{objection}\n") if objection else ("200 OK", "ready\n")
    content = body.encode()
    kind = "text/plain; version=0.0.4; charset=utf-8"
    opening = (
        f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(content)}\r\nConnection: close\r\n\r\n"
    )
    return opening.encode() + (b"" if method == b"HEAD" else content)
