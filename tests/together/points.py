"""The moments at which a crash may strike: around each call that commits, sends, acknowledges, journals, syncs or renames.

A process of the world that is to die has its calls wrapped here, in itself and nowhere in the product; the n-th of the moments
sends it SIGKILL. The moment after a call counts where it leaves something that the next call does not; sound goes by in many
small pieces, of which every sixteenth counts.
"""

import functools
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.asyncio.connection import Connection

from session.collection.recordings import ChannelFile
from session.protocol.links import DeskLink
from session.store import event_store
from session.transport.living_socket import HubSocket
from subject.capture.take_file import TakeFile
from subject.spool.reports import Outbox

SPARSE = 16
TWO_SIDED = ("commit", "journal", "rename", "acknowledgement")


class Points:
    """Counts the moments and remembers their names; dies at number `deadly`, never at 0."""

    def __init__(self, deadly: int = 0) -> None:
        self.names: list[str] = []
        self._deadly = deadly
        self._lock = threading.Lock()
        self._skipped = 0

    def reached(self, name: str) -> None:
        with self._lock:
            self.names.append(name)
            if len(self.names) == self._deadly:
                os.kill(os.getpid(), signal.SIGKILL)
                signal.pause()

    def seldom(self) -> bool:
        """Whether this piece of sound counts."""
        self._skipped += 1
        return self._skipped % SPARSE == 1

    def around(self, name: str, function: Callable[..., Any], counts: Callable[..., bool]) -> Callable[..., Any]:
        @functools.wraps(function)
        def wrapped(*arguments: Any, **named: Any) -> Any:
            if not counts(*arguments):
                return function(*arguments, **named)
            self.reached(f"before {name}")
            result = function(*arguments, **named)
            if name in TWO_SIDED:
                self.reached(f"after {name}")
            return result

        return wrapped

    def around_sending(self, send: Callable[..., Any]) -> Callable[..., Any]:
        async def wrapped(connection: Connection, frame: str | bytes, **named: Any) -> None:
            self.sending(frame)
            await send(connection, frame, **named)

        return wrapped

    def around_sending_at_once(self, send: Callable[..., bool]) -> Callable[..., bool]:
        def wrapped(socket: HubSocket, frame: str | bytes) -> bool:
            self.sending(frame)
            return send(socket, frame)

        return wrapped

    def sending(self, frame: str | bytes) -> None:
        """Count a frame that is about to go out, unless it is one of those that measure clocks."""
        if '"m":"p' not in str(frame[:12]) and (isinstance(frame, str) or self.seldom()):
            self.reached("before send")


@contextmanager
def watched(points: Points) -> Iterator[None]:
    """Have every such call of this process counted by `points` until the block ends."""

    def always(*_: object) -> bool:
        return True

    def acknowledged(_: object, frame: str | bytes) -> bool:
        return isinstance(frame, str) and frame.startswith('{"m":"ack"')

    def sparsely(*_: object) -> bool:
        return points.seldom()

    wrapped: list[tuple[Any, str, str, Callable[..., bool]]] = [
        (event_store.Store, "append_together", "commit", always),
        (event_store, "insert", "rows", always),
        (DeskLink, "receive", "acknowledgement", acknowledged),
        (Outbox, "_append", "journal", always),
        (Path, "rename", "rename", always),
        (Path, "replace", "rename", always),
        (Path, "unlink", "unlink", always),
        (os, "fsync", "fsync", always),
        (os, "ftruncate", "truncate", always),
        (TakeFile, "flush", "sound to the spool", sparsely),
        (ChannelFile, "write", "sound to the recordings", sparsely),
    ]
    before = [(owner, name, getattr(owner, name)) for owner, name, _, _ in wrapped]
    for owner, name, label, counts in wrapped:
        setattr(owner, name, points.around(label, getattr(owner, name), counts))
    sending, at_once = Connection.send, HubSocket.send_at_once
    Connection.send = points.around_sending(sending)  # type: ignore[method-assign]
    HubSocket.send_at_once = points.around_sending_at_once(at_once)  # type: ignore[method-assign]
    try:
        yield
    finally:
        Connection.send = sending  # type: ignore[method-assign]
        HubSocket.send_at_once = at_once  # type: ignore[method-assign]
        for owner, name, function in before:
            setattr(owner, name, function)
