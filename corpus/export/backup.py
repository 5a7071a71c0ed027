"""A session on a second disk: everything that an export needs, in a folder whose files vouch for one another.

A copy that was never read is not a copy, so it is a `SessionSource` like the study itself: the same export must come out of
it. Each session has a folder of its own with its facts as JSON, the samples of its takes, the files of its protocol, and
SHA256SUMS, which `sha256sum -c` checks too. Whoever withdraws is to be deleted here as well: the folder's name is the
session's.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import msgspec

from corpus.export.source import Collected, SessionSource, spoken_in
from corpus.io.staging import Refused, staged
from session.state.fold import fold

SUMS = "SHA256SUMS"
FACTS = "facts.json"


def write_copy(source: SessionSource, collected: Collected, folder: Path) -> None:
    """Copy one session into the new `folder`; raises `Refused` when it exists, OSError when the disk will not take it."""
    with staged(folder) as staging:
        staging.write(FACTS, msgspec.json.encode(collected))
        for take, letter in _channels(collected):
            data = source.pcm(collected.session, take, letter)
            if data is not None:
                staging.write(f"takes/{take}.{letter}.pcm", data)
        for sha256 in spoken_in(collected.facts):
            if (sound := source.spoken(collected.session, sha256)) is not None:
                staging.write(f"spoken/{sha256}.pcm", sound)
        for sha256 in _protocol(collected):
            held = source.protocol_file(sha256)
            if held is not None:
                staging.write(f"protocol/{sha256}", held)
        names = sorted(staging.files)
        sums = "".join(f"{hashlib.sha256((staging.root / name).read_bytes()).hexdigest()}  {name}\n" for name in names)
        staging.write(SUMS, sums.encode())


def _channels(collected: Collected) -> Iterator[tuple[str, str]]:
    for take in fold(collected.facts).takes.values():
        yield from ((take.take, seal.letter) for seal in take.sealed)


def _protocol(collected: Collected) -> list[str]:
    opened = fold(collected.facts).opened
    return sorted(set(opened.protocol.files.values())) if opened else []


class CopySource:
    """A copied session as the source of an export; raises `Refused` when its files are not what they were."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        if problems := faults(folder):
            raise Refused(problems[0])
        try:
            self._kept = msgspec.json.decode((folder / FACTS).read_bytes(), type=Collected)
        except msgspec.MsgspecError as error:
            raise Refused(f"{folder / FACTS} cannot be read: {error}") from error

    @property
    def names(self) -> list[str]:
        """The one session of this folder."""
        return [self._kept.session]

    def collected(self, name: str) -> Collected:
        """The session as it was copied."""
        return self._kept

    def head(self, name: str) -> str:
        """Return the head of its chain."""
        return self._kept.head

    def pcm(self, session: str, take: str, letter: str) -> bytes | None:
        """The samples of a take, or None."""
        return self._read(f"takes/{take}.{letter}.pcm") if session == self._kept.session else None

    def spoken(self, session: str, sha256: str) -> bytes | None:
        """Return what the system said, or None."""
        return self._read(f"spoken/{sha256}.pcm") if session == self._kept.session else None

    def protocol_file(self, sha256: str) -> bytes | None:
        """A file of the protocol, or None."""
        return self._read(f"protocol/{sha256}")

    def _read(self, name: str) -> bytes | None:
        path = self._folder / name
        return path.read_bytes() if path.is_file() else None


def faults(folder: Path) -> list[str]:
    """List what is wrong with a copy: files that are missing, strange, or not what they were."""
    try:
        listing = (folder / SUMS).read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError) as error:
        return [f"{folder / SUMS} cannot be read: {error}"]
    wanted = {name: sha256 for sha256, _, name in (line.partition("  ") for line in listing.splitlines())}
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()} - {SUMS}
    found = [f"{folder / name} is missing" for name in sorted(set(wanted) - there)]
    found += [f"{folder / name} is not listed in {SUMS}" for name in sorted(there - set(wanted))]
    for name in sorted(there & set(wanted)):
        if hashlib.sha256((folder / name).read_bytes()).hexdigest() != wanted[name]:
            found.append(f"{folder / name} differs from the copied file")
    return found
