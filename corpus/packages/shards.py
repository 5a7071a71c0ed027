"""Tar archives of some megabytes each, as loaders stream them over a network: one is in memory at a time."""

import io
import tarfile
from collections.abc import Callable

from corpus.io.staging import Staging

SHARD_BYTES = 64 << 20
"""Bytes of sound from which a shard is written."""


class Shards:
    """Shards of one set; `name` gives the path of each by its number, from 0. The same files give the same bytes."""

    def __init__(self, staging: Staging, name: Callable[[int], str], limit: int = SHARD_BYTES) -> None:
        self.number = 0
        self._staging = staging
        self._name = name
        self._limit = limit
        self._open()

    def _open(self) -> None:
        self._bytes = io.BytesIO()
        self._tar = tarfile.TarFile(fileobj=self._bytes, mode="w", format=tarfile.USTAR_FORMAT)
        self._held = False

    def add(self, files: dict[str, bytes]) -> bool:
        """Put the files of one utterance into the shard; True if that filled it, so that the next begins another."""
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            self._tar.addfile(member, io.BytesIO(data))
        self._held = True
        if self._bytes.tell() < self._limit:
            return False
        self.flush()
        return True

    def flush(self) -> None:
        """Write the shard, if there is anything in it."""
        self._tar.close()
        if self._held:
            self._staging.write(self._name(self.number), self._bytes.getvalue())
            self.number += 1
        self._open()
