"""Whether a session may be called done: the light is green only if nothing of it could be lost or turn out unusable.

Every take is confirmed by count and hash, the logs render and the whole exports, `verify` finds no error in it, and where the
study has a second disk a copy lies there from which the same bytes come. Said while the subject is still in the house.
"""

import hashlib
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from corpus.directory import Refused
from corpus.export import export
from corpus.faults import FormatFault
from corpus.rules.findings import Severity
from corpus.second_copy import CopySource, write_copy
from corpus.session_files import Options
from corpus.source import Collected, Source
from corpus.study_source import source_of
from corpus.verify import verify
from session.state import SessionState, fold
from session.store import Store, StoreUnavailable
from session.studyfolder import Study
from session.versions import DamagedEvent, NewerEvent

PRACTICE_ONLY = "no scenario but practice was started: there is nothing to export"


def close(study: Study, session: str) -> list[str]:
    """What stands against calling the session done, a sentence each; empty is the green light.

    Makes the second copy where the study wants one and it is not there yet.
    """
    try:
        store = Store(study.store_url)
    except StoreUnavailable as error:
        return [str(error)]
    try:
        source = source_of(study, store, [session])
        problems = [f"the chain of events: {each}" for each in store.verify(session)]
        return problems + closed(source, session, study.second_copy)
    except (StoreUnavailable, NewerEvent, DamagedEvent) as error:
        return [str(error)]
    finally:
        store.close()


def closed(source: Source, session: str, second: Path | None = None) -> list[str]:
    """The same of any source; `second` is the folder on the second disk."""
    collected = next((each for each in source.sessions() if each.session == session), None)
    if collected is None:
        return [f"there is no session {session}"]
    if collected.unreadable:
        return [collected.unreadable]
    state = fold(collected.facts)
    problems = [*collected.damage, *_unfinished(state), *_unheld(source, session, state)]
    if state.opened is None:
        return [*problems, "its opening was erased"]
    if not any(run.number is not None for run in state.runs):
        return [*problems, PRACTICE_ONLY]
    with _exported(source) as (first, complaints):
        problems += complaints
        if not complaints:
            problems += _findings(first)
        if second is not None:
            problems += _copied(source, collected, second / session, first if not complaints else None)
    return problems


def _unfinished(state: SessionState) -> list[str]:
    lacking = [take.take for take in state.takes.values() if take.stopped is not None and not take.confirmed]
    open_takes = [take.take for take in state.takes.values() if not take.complete and not take.discarded]
    problems = [] if state.ended else ["the session has not ended"]
    problems += [f"take {take} is not confirmed: leave the subject's desk running" for take in lacking]
    return problems + [f"take {take} was never completed" for take in open_takes]


def _unheld(source: Source, session: str, state: SessionState) -> list[str]:
    """Takes that were confirmed and whose samples are not what was confirmed, practice and discarded ones included."""
    problems = []
    for take in state.takes.values():
        for each in take.sealed if take.confirmed else ():
            data = source.pcm(session, take.take, each.letter)
            if data is None or hashlib.sha256(data).hexdigest() != each.sha256:
                problems.append(f"channel {each.letter} of take {take.take} is not held as it was confirmed")
    return problems


@contextmanager
def _exported(source: Source) -> Iterator[tuple[Path, list[str]]]:
    """An export into a folder that goes again, and what stood in its way."""
    with tempfile.TemporaryDirectory(prefix="curtain-closing-") as scratch:
        target = Path(scratch) / "corpus"
        try:
            export(source, target, Options())
        except (Refused, FormatFault, ValueError) as error:
            yield target, [f"it cannot be exported: {error}"]
        else:
            yield target, []


def _findings(root: Path) -> list[str]:
    errors = [each for each in verify(root).findings if each.severity is Severity.ERROR]
    return [f"{each.path}:{each.line}: {each.message} ({each.rule})" for each in errors]


def _copied(source: Source, collected: Collected, folder: Path, first: Path | None) -> list[str]:
    """Make the copy if there is none, read it back, and export from it again; a disk that is not there is not made up."""
    if not folder.parent.is_dir():
        return [f"the second copy: there is no folder {folder.parent}; is the disk there?"]
    try:
        if not folder.exists():
            write_copy(source, collected, folder)
        copy = CopySource(folder)
    except (Refused, OSError) as error:
        return [f"the second copy: {error}"]
    if copy.sessions()[0].head != collected.head:
        return [f"the second copy: {folder} is older than the session; delete it and close the session again"]
    if first is None:
        return []
    with _exported(copy) as (again, complaints):
        if complaints:
            return [f"the second copy: {each}" for each in complaints]
        return [f"the second copy: {each}" for each in _differences(first, again)]


def _differences(one: Path, other: Path) -> list[str]:
    first, second = _bytes(one), _bytes(other)
    return [
        f"{name} comes out differently"
        for name in sorted(first.keys() | second.keys())
        if first.get(name) != second.get(name)
    ]


def _bytes(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}
