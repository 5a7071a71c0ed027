"""Waveforms read and measured in a thread, a few ahead of whoever checks them.

Reading, hashing and adding up let other threads of Python work meanwhile, and they take a third of a verification. What can be
wrong with a file is said by those who check it: of any that is not as nearly all are nothing is known here, and they read it.
"""

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from queue import SimpleQueue
from threading import Thread
from typing import NamedTuple

import numpy as np

from corpus.formats import pcm, riff, sphere

AHEAD = 6
"""Files; so that neither waits for the other where one is long."""
LARGEST = 1 << 24
"""Bytes. Nine minutes of speech: a larger one is read when it is its turn, so that one is in memory at a time."""
_RIFF_OFFSET = 44
_WORD = np.dtype("<i2")


class MeasuredWave(NamedTuple):
    """Bytes of a file, its SHA-256 before and behind `offset`, and what the words of two bytes behind it are: the extremes, and
    their sum modulo 65536. An `offset` of 0 says that nothing is known but the bytes."""

    data: bytes
    offset: int
    header: str
    samples: bytes
    minimum: int
    maximum: int
    checksum: int


class WavesAhead:
    """Waveforms below `root`, in the order in which they are going to be asked for."""

    def __init__(self, root: str, paths: Sequence[str]) -> None:
        self._below = f"{root}/"
        self._coming = iter(paths)
        self._asked = set[str]()
        self._begun = set[str]()
        self._ready: dict[str, MeasuredWave | None] = {}
        self._wanted: SimpleQueue[str] = SimpleQueue()
        self._done: SimpleQueue[tuple[str, MeasuredWave | None]] = SimpleQueue()

    def take(self, path: str) -> MeasuredWave | None:
        """The measures of a file, once; None where it is for the caller to read."""
        if path not in self._begun:
            self._asked.add(path)
            return None
        while path not in self._ready:
            name, found = self._done.get()
            self._ready[name] = found
        self._begun.discard(path)
        self.begin(1)
        return self._ready.pop(path)

    def begin(self, count: int) -> None:
        """Have the next so many read."""
        for path in islice((path for path in self._coming if path not in self._asked), count):
            self._begun.add(path)
            self._wanted.put(path)

    def read(self) -> None:
        """Read whatever is wanted, in the thread; until `end`."""
        while path := self._wanted.get():
            self._done.put((path, _measured(self._below + path)))

    def end(self) -> None:
        """Have nothing more read."""
        self._wanted.put("")


@contextmanager
def waves_ahead(root: str, paths: Sequence[str]) -> Iterator[WavesAhead | None]:
    """Yield what reads the waveforms at `paths` below `root` as long as the block lasts; nothing where there is none."""
    if not paths:
        yield None
        return
    found = WavesAhead(root, paths)
    Thread(target=found.read, name="waveforms ahead", daemon=True).start()
    try:
        found.begin(AHEAD)
        yield found
    finally:
        found.end()


def _measured(path: str) -> MeasuredWave | None:
    try:
        data = _plainly_read(path)
    except (OSError, ValueError, MemoryError):  # whoever asks reads it again, and tells
        return None
    if not data:
        return None
    offset = _offset(data)
    if not 0 < offset <= len(data):
        return MeasuredWave(data, 0, "", b"", 0, 0, 0)
    body = memoryview(data)[offset:]
    words = np.frombuffer(body, _WORD, len(body) // 2)
    return MeasuredWave(
        data,
        offset,
        hashlib.sha256(data[:offset]).hexdigest(),
        hashlib.sha256(body).digest(),
        *pcm.extremes(words),
        pcm.checksum(body, 2, big_endian=False),
    )


def _plainly_read(path: str) -> bytes:
    """The bytes of a file that is read at once; none of any other."""
    handle = os.open(path, os.O_RDONLY)
    try:
        size = os.fstat(handle).st_size
        data = os.read(handle, size) if size <= LARGEST else b""
    finally:
        os.close(handle)
    return data if len(data) == size else b""


def _offset(data: bytes) -> int:
    """Return where the samples begin by a header as it is mostly written; 0 for any other."""
    if data.startswith(sphere.MAGIC):
        stated = data[8:16].strip()
        return int(stated) if stated.isdigit() else 0
    return _RIFF_OFFSET if data.startswith(riff.MAGIC) and data[36:40] == b"data" else 0
