"""Reference answers made in a separate process: a wide request takes seconds, and the desk stays responsive."""

import asyncio
import signal
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from annotator.annotation.sentence_reader import SentenceReader
from session.annotation.annotation_facts import Annotation

BROKEN = (EOFError, OSError)


class ReferencesApart:
    """Makes reference answers of what `reader` reads, in a process that `with` ends; without a reader it makes none."""

    def __init__(self, reader: SentenceReader | None) -> None:
        self._turn = asyncio.Lock()
        self._pipe: Connection | None = None
        if reader is None:
            return
        spawning = get_context("spawn")  # a fork would share the terminal's state and the database's connections
        self._pipe, theirs = spawning.Pipe()
        domain, database, principles = reader.source
        call = theirs, str(domain), database, principles
        self._process = spawning.Process(target=_serve, args=call, daemon=True, name="reference answers")
        self._process.start()
        theirs.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        if self._pipe is not None:
            self._pipe.close()
            self._process.terminate()
            self._process.join()

    async def refusal(self, annotation: Annotation, day: str) -> str | None:
        """Return why no reference answers can be made of this annotation, empty if they can; None if the process is gone."""
        async with self._turn:
            return await asyncio.to_thread(self._ask, annotation, day)

    def _ask(self, annotation: Annotation, day: str) -> str | None:
        if self._pipe is None:
            return None
        try:
            self._pipe.send_bytes(msgspec.msgpack.encode((annotation, day)))
            return self._pipe.recv_bytes().decode()
        except BROKEN:
            return None


def _serve(pipe: Connection, domain: str, database: str, principles: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the desk's business
    reader = SentenceReader(Path(domain), database, principles)
    try:
        while True:
            annotation, day = msgspec.msgpack.decode(pipe.recv_bytes(), type=tuple[Annotation, str])
            pipe.send_bytes(reader.refusal(annotation, day).encode())
    except BROKEN:
        pass
    finally:
        reader.close()
