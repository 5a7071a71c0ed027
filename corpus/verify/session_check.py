"""The check that a session may be called done: the light is green only if nothing of it could be lost or turn out unusable.

Every take is confirmed by count and hash, the logs render and the whole exports, `verify` finds no error in it, and where the
study has a second disk a copy is there from which the same bytes come. Said while the subject is still in the house.
"""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from corpus.export.backup import CopySource, write_copy
from corpus.export.exclusions import why_left_out
from corpus.export.madcow import export
from corpus.export.session_files import ExportOptions
from corpus.export.source import Collected, SessionSource
from corpus.export.study_source import source_of
from corpus.formats.errors import FormatFault
from corpus.formats.log.logged_consent import REFUSALS
from corpus.io.staging import Refused, locked
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from session.events import Recorded
from session.protocol.side_messages import ClosingCheck
from session.state.fold import SessionState, fold
from session.store.event_store import UNREADABLE, Store, StoreUnavailable
from session.study.folder import Study

PRACTICE_ONLY = "only practice was started: there is nothing to export; open another session for the scenarios"
READABLE = "the session is readable, its chain of events is intact"
ENDED = "the session has ended"
CONFIRMED = "every recording is confirmed and stored unchanged"
KEPT_IN = "nothing of it leaves the study, as the speaker decided"
ERASED = "everything that the speaker wants erased is erased"
EXPORTED = "the logs and the export can be written"
VERIFIED = "verify finds no error"
COPIED = "the copy on the second disk exports the same bytes"


_SCRATCH = "curtain-closing-"


def left_behind(names: Collection[str]) -> list[Path]:
    """Folders that a check which was killed has left, with one of these sessions or takes in them.

    A check that is still at work, of this study or of another whose speakers have the same ids, holds its folder locked.
    """
    wanted = [name.encode() for name in sorted(names)]
    found = list[Path]()
    for scratch in sorted(Path(tempfile.gettempdir()).glob(f"{_SCRATCH}*")):
        # A check that ends meanwhile takes its folder away; one that begins waits, with nothing in its folder, for the lock.
        with suppress(FileNotFoundError, BlockingIOError):
            if scratch.is_dir() and not scratch.is_symlink() and scratch.stat().st_uid == os.geteuid():
                with locked(scratch, wait=False):
                    texts = (
                        path.read_bytes() for path in scratch.rglob("*") if path.is_file() and path.suffix != ".wav"
                    )
                    if any(name in text for text in texts for name in wanted):
                        found.append(scratch)
    return found


def close(study: Study, session: str) -> list[str]:
    """List what stands against calling the session done, a sentence each; empty is the green light."""
    return [problem for check in checked(study, session) for problem in check.problems]


def checked(study: Study, session: str) -> tuple[ClosingCheck, ...]:
    """Check all that has to be so before the session is done, check by check, each with what stands against it.

    Makes the second copy where the study wants one and it is not there yet, or is an earlier state of this session.
    """
    try:
        store = Store(study.store_url)
    except StoreUnavailable as error:
        return (ClosingCheck(READABLE, (str(error),)),)
    try:
        source = source_of(study, store, [session])
        chain = tuple(
            f"the chain of events: {finding}; the store was changed by another program, restore it from a copy"
            for finding in store.verify(session)
        )
        first, *others = checks(source, session, study.second_copy, study.folder)
        return (ClosingCheck(READABLE, (*chain, *first.problems)), *others)
    except UNREADABLE as error:
        return (ClosingCheck(READABLE, (str(error),)),)
    finally:
        store.close()


def checks(
    source: SessionSource, session: str, second: Path | None = None, study: Path = Path("STUDY")
) -> tuple[ClosingCheck, ...]:
    """The checks of any source; those that make no sense after a failed one are left out. `study` is named in remedies."""
    if session not in source.names:
        return (ClosingCheck(READABLE, (f"there is no session {session}",)),)
    collected = source.collected(session)
    if collected.unreadable:
        return (ClosingCheck(READABLE, (collected.unreadable,)),)
    source = _SessionSnapshot(source, collected)
    state = fold(collected.facts)
    damage = (*collected.damage, *(() if state.opened else ("its opening was erased",)))
    found = [
        ClosingCheck(READABLE, damage),
        ClosingCheck(ENDED, () if state.ended else ("the session has not ended: end it (Alt+X)",)),
        ClosingCheck(CONFIRMED, (*_unconfirmed(state), *_unheld(source, session, state))),
    ]
    if state.opened is None:
        return tuple(found)
    if state.erasure_requested:
        speaker = state.opened.speaker.id
        wish = f"speaker {speaker} wants everything erased: run curtain withdraw {study} {speaker}"
        return (*found, ClosingCheck(ERASED, (wish,)))
    if not any(run.number is not None for run in state.runs):
        return (*found, ClosingCheck(EXPORTED, () if state.withdrawn else (PRACTICE_ONLY,)))
    if why_left_out(collected, state, ExportOptions()) in REFUSALS.values():
        return (*found, ClosingCheck(KEPT_IN), *_copy_check(source, collected, state, second, None))
    with _exported(source) as (first, complaints):
        found.append(ClosingCheck(EXPORTED, tuple(complaints)))
        if not complaints:
            found.append(ClosingCheck(VERIFIED, tuple(_findings(first))))
        found += _copy_check(source, collected, state, second, None if complaints else first)
    return tuple(found)


def _copy_check(
    source: SessionSource, collected: Collected, state: SessionState, second: Path | None, first: Path | None
) -> list[ClosingCheck]:
    """The check of the second copy, where the study wants one and the session has ended."""
    if second is None or not state.ended:
        return []
    return [ClosingCheck(COPIED, tuple(_copied(source, collected, second / collected.session, first)))]


class _SessionSnapshot:
    """One session as it was read once: while a desk is attached its links go on being recorded, and no two reads are alike."""

    def __init__(self, source: SessionSource, collected: Collected) -> None:
        self._source, self._collected = source, collected
        self.protocol_file = source.protocol_file
        self.pcm = source.pcm
        self.spoken = source.spoken

    @property
    def names(self) -> list[str]:
        """The one session."""
        return [self._collected.session]

    def collected(self, name: str) -> Collected:
        """The session as it was read."""
        return self._collected

    def head(self, name: str) -> str:
        """Return the head of its chain at that time."""
        return self._collected.head


def _unconfirmed(state: SessionState) -> list[str]:
    lacking = [take.take for take in state.takes.values() if take.stopped is not None and not take.confirmed]
    open_takes = [take.take for take in state.takes.values() if not take.complete and not take.discarded]
    problems = [f"take {take} is not confirmed: leave the participant's desk running" for take in lacking]
    return problems + [
        f"take {take} was never completed: start the participant's desk again to send the rest" for take in open_takes
    ]


def _unheld(source: SessionSource, session: str, state: SessionState) -> list[str]:
    """Takes that were confirmed and whose samples are not what was confirmed, practice and discarded ones included."""
    problems = []
    for take in state.takes.values():
        for seal in take.sealed if take.confirmed else ():
            data = source.pcm(session, take.take, seal.letter)
            if data is None or hashlib.sha256(data).hexdigest() != seal.sha256:
                problems.append(
                    f"channel {seal.letter} of take {take.take} differs from the confirmed one: "
                    "restore the file from a copy of the recordings"
                )
    return problems


@contextmanager
def _exported(source: SessionSource) -> Iterator[tuple[Path, list[str]]]:
    """An export into a folder that goes again, and what stood in its way."""
    with tempfile.TemporaryDirectory(prefix=_SCRATCH) as scratch, locked(Path(scratch)):
        target = Path(scratch) / "corpus"
        try:
            export(source, target, ExportOptions())
        except (Refused, FormatFault, ValueError) as error:
            yield target, [f"it cannot be exported: {error}"]
        else:
            yield target, []


def _findings(root: Path) -> list[str]:
    errors = [finding for finding in verify(root).findings if finding.severity is Severity.ERROR]
    return [f"{error.path}:{error.line}: {error.message} ({error.rule}); {error.remedy}" for error in errors]


def _copied(source: SessionSource, collected: Collected, folder: Path, first: Path | None) -> list[str]:
    """Make the copy if there is none, read it back, and export from it again; a disk that is not there is not made up."""
    if not folder.parent.is_dir():
        return [f"the second copy: there is no folder {folder.parent}; is the disk connected?"]
    try:
        if not folder.exists():
            write_copy(source, collected, folder)
        copy = CopySource(folder)
        if _is_older(copy.collected(collected.session), collected):
            _renew(source, collected, folder)
            copy = CopySource(folder)
    except (Refused, OSError) as error:
        return [f"the second copy: {error}"]
    if copy.collected(collected.session).head != collected.head:
        return [
            f"the second copy: {folder} does not contain this session as it is now; "
            "it belongs to another session or predates a withdrawal: delete it and check again"
        ]
    if first is None:
        return []
    with _exported(copy) as (again, complaints):
        if complaints:
            return [f"the second copy: {complaint}" for complaint in complaints]
        return [f"the second copy: {difference}" for difference in _differences(first, again)]


def _is_older(copied: Collected, now: Collected) -> bool:
    """Return whether the copy holds the session as it was: nothing of it is gone, and a note or a fact of a link came since."""
    then, whole = _own(copied), _own(now)
    return whole[: len(then)] == then and list(copied.facts) != list(now.facts)


def _own(collected: Collected) -> list[Recorded]:
    """The facts of the session itself; those of its links lie between them by their times."""
    return [fact for fact in collected.facts if fact.session == collected.session]


def _renew(source: SessionSource, collected: Collected, folder: Path) -> None:
    """The new copy is whole before the old one goes."""
    fresh, old = folder.with_name(f"{folder.name}.new"), folder.with_name(f"{folder.name}.old")
    for left in (fresh, old):
        if left.exists():
            shutil.rmtree(left)
    write_copy(source, collected, fresh)
    CopySource(fresh)
    folder.rename(old)
    fresh.rename(folder)
    shutil.rmtree(old)


def _differences(one: Path, other: Path) -> list[str]:
    first, second = _bytes(one), _bytes(other)
    return [f"{name} differs" for name in sorted(first.keys() | second.keys()) if first.get(name) != second.get(name)]


def _bytes(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}
