"""Later states of a delivery: the centre's transcriptions and masks, and sites' annotations, become a new folder.

A state once made is never changed. What stays the same is a second name of the same file, so a correction costs no disk.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.annotation.overlay import changes, is_behind
from corpus.annotation.submitted import AllFinished
from corpus.annotation.submitted_answers import annotations
from corpus.centre import facts as f
from corpus.centre.centre_state import CentreState
from corpus.centre.corpus_tables import corpus_in
from corpus.centre.ledger import DELIVERIES, Centre
from corpus.centre.recovery import entered
from corpus.dataset.reader import Corpus
from corpus.dataset.subset import MADE_ANEW, TextSummary, shared_files
from corpus.formats import layout, manifest
from corpus.formats.manifest import FileEntry
from corpus.formats.spkrinfo import SpeakerTable
from corpus.io.staging import link_or_copy
from corpus.release.earlier_exports import finished_around
from corpus.verify.rules.scratch_tables import scratch_tables

Changed = Iterable[tuple[str, bytes, FileEntry]]


def next_state(centre: Centre, delivery: str) -> str:
    """The name of the next state of a delivery.

    The first one is called as the delivery; `bbn_1.2` is the second.
    """
    return f"{delivery}.{2 + sum(fact.delivery == delivery for fact in centre.facts(f.DeliveryCorrected))}"


def write_state(corpus: Corpus, root: Path, changed: Changed) -> tuple[str, ...]:
    """Write the corpus with what has changed into the empty folder `root`; return the paths of what has."""
    new = {path: (data, entry) for path, data, entry in changed}
    files = dict[str, FileEntry]()
    for path, entry in corpus.manifest.files.items():
        if path not in MADE_ANEW and path not in new:
            link_or_copy(corpus.root / path, root / path)
            files[path] = entry
    for path, (data, entry) in new.items():
        _write(root / path, data)
        files[path] = entry
    _describe(corpus, root, files)
    return tuple(sorted(new))


def _write(target: Path, data: bytes) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)


def _describe(corpus: Corpus, root: Path, files: dict[str, FileEntry]) -> None:
    summary, before = TextSummary(), corpus.manifest
    for path in files:
        if path.endswith((".log", ".sro")):
            summary.add(path, (root / path).read_bytes())
    table = SpeakerTable(tuple(corpus.speakers().values()))
    made = shared_files(
        before.sessions,
        table,
        files,
        lambda path: (root / path).read_bytes(),
        summary,
        left_out=sum(before.left_out.values()),
    )
    for path, data in made.items():
        _write(root / path, data)
    whole = files | {path: manifest.entry_of(data) for path, data in made.items()}
    manifest.write(root / layout.MANIFEST, msgspec.structs.replace(before, files=whole))


def take_in_work(centre: Centre, err: TextIO) -> None:
    """Make a new state of every delivery beside which somebody at the centre has transcribed, masked or annotated since; who made
    what before stays on record."""
    with scratch_tables() as tables:
        for _ in states_with_work(centre, tables, err):
            pass


def states_with_work(centre: Centre, tables: sqlite3.Connection, err: TextIO) -> Iterator[tuple[set[str], Corpus]]:
    """The corpora of all deliveries that hold sessions, with the names of these, once what was made beside each at the centre is
    in it as by `take_in_work`; their entries are in the `tables`, one at a time."""
    centre_state = CentreState(centre)
    for state, root in centre_state.roots():
        corpus = corpus_in(root, tables)
        if (name := _take_in(centre, centre_state, state, corpus, err)) != state:
            corpus = corpus_in(centre.folder / DELIVERIES / name, tables)
        yield centre_state.states()[state], corpus


def _take_in(centre: Centre, centre_state: CentreState, state: str, corpus: Corpus, err: TextIO) -> str:
    """Return the name of the state that has the work: a new one, where there is any that it had not."""
    finished = _in_force(finished_around(corpus.root), centre)
    beside = [*annotations(corpus, {})]
    if not beside and not is_behind(corpus, finished):
        return state
    delivery = next(held.delivery for held in centre_state.sessions.values() if held.state == state)
    name = next_state(centre, delivery)
    with entered(centre.place(DELIVERIES, name)) as staging:
        files = write_state(corpus, staging.root, chain(changes(corpus, finished), beside))
        centre.record(f.DeliveryCorrected(delivery=delivery, state=name, files=files, why="work at the centre"))
    err.write(f"{delivery} has a new state {name}: {len(files)} files\n")
    return name


def _in_force(finished: AllFinished, centre: Centre) -> AllFinished:
    """Return what is finished but for transcriptions whose words or sound a later delivery has corrected. One with words that
    identify a person stays until somebody makes it again: these go out in no case."""
    corrected = dict[str, str]()
    for found in centre.happened:
        if isinstance(fact := found.fact, f.DeliveryReceived):
            names = (path.rpartition("/")[2] for path in fact.dropped if path.endswith(".sro"))
            corrected |= {name.partition(".")[0]: f"{found.at:%Y-%m-%dT%H:%M:%SZ}" for name in names}
    if not corrected:
        return finished
    later = {
        take: done
        for take, done in finished.items()
        if done.names
        or done.stretches
        or corrected.get(done.utterance, "") < max(done.work.transcribed, done.work.checked)
    }
    return AllFinished(later, finished.kept)
