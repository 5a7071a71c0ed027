"""Everything that a subject's desk owes the hub, behind one door: sound in the spool, reports in the journal.

What a crash left behind is put in order when the door opens: unfinished takes are sealed and every take that is still here is
reported as stopped, under an identifier that follows from the take, so that a report made before the crash counts once.
"""

import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec

from session.commands import Report
from session.events import AudioTroubled, Event, RecordingStarted, RecordingStopped, ReplyShown, TalkPressed
from session.values.clock import Clock, Stamp, stamp
from session.values.vocabulary import AudioTrouble
from subject.capture.take_file import SealedTake, UnreadableFile
from subject.spool.reports import Outbox
from subject.spool.takes import Spool, SpoolError

JOURNAL = "reports.jsonl"


class DeskStorage:
    """A folder of takes and reports; raises `SpoolError` if it cannot be used.

    `recovered` are the channels that a crash had left unfinished, `warnings` what a person should know of the folder.
    """

    def __init__(self, directory: Path, clock: Clock) -> None:
        self.spool = Spool(directory)
        try:
            found = self.spool.recover()
        except SpoolError:
            self.spool.close()
            raise
        self.recovered = [item for item in found if isinstance(item, SealedTake)]
        self.outbox = Outbox(directory / JOURNAL)
        self.trouble = ""
        self._lock = threading.Lock()
        self._unwritten: dict[str, Report] = {}
        self.warnings = [item.problem for item in found if isinstance(item, UnreadableFile)]
        self.warnings += [
            f"{directory / JOURNAL}, line {damage.line}: no report; it is left as it is"
            for damage in self.outbox.damage
        ]
        left = list(self.spool.left_behind(clock))
        self.warnings += [item.problem for item in left if isinstance(item, UnreadableFile)]
        reports = [Report(id=named(event), event=event) for event in left if not isinstance(event, UnreadableFile)]
        reports += self._empty(clock, {report.id for report in reports})
        self._unwritten = {report.id: report for report in reports}
        self._write()

    def _empty(self, clock: Clock, stopped: set[str]) -> Iterator[Report]:
        """The ends of takes that were pressed and fell with the desk before a sample of them was written."""
        pressed = {report.event.take for report in self.pending() if isinstance(report.event, TalkPressed)}
        for take in sorted(pressed):
            report = Report(id=f"{take}-stopped", event=nothing_left(take, stamp(clock)))
            if report.id not in stopped and not self.holds(take):
                yield report

    def holds(self, take: str) -> bool:
        """Return whether samples or the end of a take wait here for the hub."""
        files = self.directory.glob(f"{take}.?.pcm*")
        return any(path.stat().st_size for path in files) or any(
            report.id == f"{take}-stopped" for report in self.pending()
        )

    @property
    def troubles(self) -> list[str]:
        """List what a person should know of the folder now: damage that was found at the start, a disk that refuses."""
        return [*self.warnings, *([self.trouble] if self.trouble else [])]

    @property
    def directory(self) -> Path:
        """Return where the recorder is to write."""
        return self.spool.directory

    def read(self, take: str, letter: str, first: int, samples: int) -> bytes:
        """See `Spool.read`."""
        return self.spool.read(take, letter, first, samples)

    def confirm(self, take: str, letter: str, samples: int, sha256: str) -> bool:
        """See `Spool.confirm`."""
        return self.spool.confirm(take, letter, samples, sha256)

    def sealed(self, sealed: SealedTake) -> None:
        """The recorder finished a channel."""
        self.spool.add(sealed)

    def add(self, *reports: Report) -> None:
        """Keep reports until they are acknowledged; they are on the disk when this returns, unless there is `trouble`.

        A disk that refuses stops nobody from speaking: a report waits in memory, is tried again with the next one, and
        goes to the hub all the same. Any thread may call this.
        """
        with self._lock:
            self._unwritten.update((report.id, report) for report in reports)
            self._write()

    def _write(self) -> None:
        try:
            self.outbox.add_all((name, msgspec.json.encode(report)) for name, report in self._unwritten.items())
        except OSError as error:
            self.trouble = (
                f"{self.directory / JOURNAL}: the disk refuses the journal ({error.strerror}); make room on it"
            )
        else:
            self.trouble = ""
            self._unwritten.clear()

    def acknowledge(self, report: str) -> None:
        """The hub has the report of this identifier."""
        with self._lock:
            self._unwritten.pop(report, None)
            try:
                self.outbox.acknowledge(report)
            except OSError:
                # Without this line in the journal the report goes up once more after a restart, and counts once.
                self.outbox.forget(report)

    def pending(self) -> list[Report]:
        """Reports that the hub has not acknowledged, oldest first."""
        with self._lock:
            kept = [msgspec.json.decode(report, type=Report) for _, report in self.outbox.pending()]
            return kept + list(self._unwritten.values())

    def close(self) -> None:
        """Let another process have the folder."""
        with self._lock:
            if self._unwritten:
                self._write()
            self.outbox.close()
        self.spool.close()


def nothing_left(take: str, at: Stamp) -> RecordingStopped:
    """The end of a take of which a crash left no sample."""
    return RecordingStopped(at=at, take=take, sealed=(), recovered=True)


def named(event: Event) -> str:
    """The identifier of a report that can be made only once, whichever run of the desk makes it; empty for all others."""
    match event:
        case RecordingStarted():
            return f"{event.take}-started"
        case RecordingStopped():
            return f"{event.take}-stopped"
        case AudioTroubled(trouble=AudioTrouble.RECOVERED):
            return f"{event.take}-recovered-{event.letter}"
        case ReplyShown():
            return f"{event.reply}-shown"
        case _:
            return ""
