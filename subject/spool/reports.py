"""Reports that the hub has not acknowledged, kept on the subject's disk in the order in which they were made.

A journal of JSON lines: `{"id": …, "report": …}` for a report, on the disk before `add` returns, and `{"done": …}` when it was
acknowledged. A crash can tear only the last line; a line that cannot be read is reported and left where it is.
"""

import contextlib
import errno
import os
from collections.abc import Iterable
from pathlib import Path

import msgspec

from subject.capture.take_file import sync_directory

_COMPACT_BEYOND = 1_000


class _ReportLine(msgspec.Struct, frozen=True, omit_defaults=True):
    id: str = ""
    report: msgspec.Raw = msgspec.Raw(b"")
    done: str = ""


class Damage(msgspec.Struct, frozen=True):
    """A line of the journal that is not a report: its number from 1, and its bytes."""

    line: int
    data: bytes


class Outbox:
    """The journal at `path`; `damage` holds what could not be read when it was opened. Raises OSError if it cannot be used."""

    def __init__(self, path: Path) -> None:
        self.damage: list[Damage] = []
        self._path = path
        self._pending: dict[str, bytes] = {}
        self._lines = 0
        existing = path.read_bytes() if path.exists() else b""
        self._load(existing)
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        sync_directory(path.parent)
        self._torn = bool(existing) and not existing.endswith(b"\n")
        self._compact_if_worth_it()

    def _load(self, data: bytes) -> None:
        for number, text in enumerate(data.split(b"\n"), start=1):
            if not text:
                continue
            self._lines += 1
            try:
                line = msgspec.json.decode(text, type=_ReportLine)
            except msgspec.MsgspecError:
                self.damage.append(Damage(number, text))
                continue
            if line.done:
                self._pending.pop(line.done, None)
            else:
                self._pending[line.id] = bytes(line.report)

    def _compact_if_worth_it(self) -> None:
        """Return where the disk refuses, the longer journal is as good."""
        if self._lines > _COMPACT_BEYOND + 2 * len(self._pending) and not self.damage:
            with contextlib.suppress(OSError):
                self._compact()

    def _compact(self) -> None:
        temporary = self._path.with_name(self._path.name + ".tmp")
        file = os.open(temporary, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            pending = self._pending.items()
            _write(
                file, b"".join(_encoded(_ReportLine(id=name, report=msgspec.Raw(report))) for name, report in pending)
            )
            os.fsync(file)
            temporary.replace(self._path)
        except OSError:
            os.close(file)
            raise
        os.close(self._file)
        self._file, self._lines, self._torn = file, len(self._pending), False
        sync_directory(self._path.parent)

    def add(self, identifier: str, report: bytes) -> None:
        """Keep a report, a JSON document, under its identifier; a second time under the same one does nothing.

        Raises OSError if it cannot be kept, ValueError if it is not JSON.
        """
        self.add_all([(identifier, report)])

    def add_all(self, reports: Iterable[tuple[str, bytes]]) -> None:
        """As `add`, for all or none of them, with one wait for the disk."""
        new = {identifier: report for identifier, report in reports if identifier not in self._pending}
        if new:
            self._append([_ReportLine(id=identifier, report=_one_line(report)) for identifier, report in new.items()])
            self._pending.update(new)

    def acknowledge(self, identifier: str) -> None:
        """The hub has the report; of no effect on one that is not pending.

        The disk is not waited for: were the line lost with the power, the report would go up again and count once.
        """
        if identifier in self._pending:
            self._append([_ReportLine(done=identifier)], wait=False)
            del self._pending[identifier]
            self._compact_if_worth_it()

    def forget(self, identifier: str) -> None:
        """As `acknowledge`, where the disk refuses to hear of it: the report may come back with the next start."""
        self._pending.pop(identifier, None)

    def pending(self) -> list[tuple[str, bytes]]:
        """Identifier and report of everything not acknowledged, oldest first."""
        return list(self._pending.items())

    def __len__(self) -> int:
        return len(self._pending)

    def _append(self, lines: list[_ReportLine], *, wait: bool = True) -> None:
        data = (b"\n" if self._torn else b"") + b"".join(map(_encoded, lines))
        at = os.fstat(self._file).st_size
        try:
            _write(self._file, data)
            if wait:
                os.fsync(self._file)
        except OSError:
            os.ftruncate(self._file, at)
            raise
        self._lines, self._torn = self._lines + len(lines), False

    def close(self) -> None:
        """Let go of the journal; closing twice does no harm."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _write(file: int, data: bytes) -> None:
    if os.write(file, data) != len(data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _encoded(line: _ReportLine) -> bytes:
    return msgspec.json.encode(line) + b"\n"


def _one_line(report: bytes) -> msgspec.Raw:
    try:
        msgspec.json.decode(report)
    except msgspec.MsgspecError as error:
        raise ValueError(f"a report is not a JSON document ({error}): {report[:60]!r}") from error
    return msgspec.Raw(msgspec.json.format(report, indent=-1))
