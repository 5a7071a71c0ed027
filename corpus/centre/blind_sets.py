"""`curtain testset`: a test chosen from the pool, packed without an answer in it, its key beside it.

A dry run comes first: a test is official only when a trial has been scored before it. Nobody of a test was ever released, and no
subject-scenario is in two tests.
"""

import hashlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.centre import blind_package as packing
from corpus.centre import facts as f
from corpus.centre.balanced_selection import BalancedSelection, choose, report
from corpus.centre.centre_state import CentreState
from corpus.centre.ledger import TESTS, Centre
from corpus.centre.pending_withdrawals import refuse_pending_withdrawals
from corpus.centre.recovery import entered
from corpus.centre.release_listing import items, listings
from corpus.centre.states import take_in_work
from corpus.dataset.reader import Corpus, speech_name
from corpus.formats import cas, layout
from corpus.formats.errors import counted
from corpus.formats.nist import trn
from corpus.io.staging import Refused
from corpus.release.utterance_status import POOL

NAME = re.compile("[a-z][a-z0-9]{0,7}")
SIZE = 1000


class TestOptions(msgspec.Struct, frozen=True):
    """Options of a test: about so many utterances, of `speech` or `text`; a `trial` is a dry run."""

    name: str
    size: int = SIZE
    kind: str = packing.SPEECH
    trial: bool = False


def make(centre: Centre, options: TestOptions, err: TextIO) -> f.TestSetMade:
    """Choose and pack a test; raises `Refused` if it would be none."""
    take_in_work(centre, err)
    centre_state = CentreState(centre)
    refuse_pending_withdrawals(centre, centre_state)
    _check(centre, centre_state, options)
    used = [unit for test in centre_state.tests.values() for unit in test.units]
    corpora = {state: Corpus(root) for state, root in centre_state.roots()}
    held = {entry.session.session: entry.state for entry in centre_state.in_set(POOL)}
    pool = [
        unit
        for state, corpus in corpora.items()
        for unit in packing.units_of(corpus, (name for name, where in held.items() if where == state), used)
    ]
    found = choose(pool, options.size, centre.settings.outliers, f"{centre.settings.seed}/{options.name}")
    if not found.units:
        raise Refused("the pool has nothing left that was in no test: receive more")
    _refuse_overlap(centre, centre_state, found)
    target = centre.place(TESTS, options.name)
    with entered(target) as staging:
        staging.write("selection.txt", report(found).encode())
        package = _packed(found, corpora, options.kind, options.name)
        packing.refuse_leaks(package, options.kind)
        packing.archive(staging.root / f"{options.name}.tar", options.name, package)
        key = _key(found, corpora)
        packing.archive(staging.root / f"{options.name}_key.tar", f"{options.name}_key", key)
        for path in ("references.cas", "maxima.cas", "index.tsv", "references.trn"):
            staging.write(f"key/{path}", key[path])
        fact = f.TestSetMade(
            test=options.name,
            kind=options.kind,
            trial=options.trial,
            units=tuple(unit.name for unit in found.units),
            sessions=tuple(sorted({unit.session for unit in found.units})),
            utterances=sum(unit.utterances for unit in found.units),
            package=_hash(staging.root / f"{options.name}.tar"),
            key=_hash(staging.root / f"{options.name}_key.tar"),
            to=centre_state.recipients,
        )
        centre.record(fact)
    err.write(report(found))
    err.write(f"{counted(len(fact.units), 'subject-scenario')}, {counted(fact.utterances, 'utterance')}\n")
    return fact


def _check(centre: Centre, centre_state: CentreState, options: TestOptions) -> None:
    if not NAME.fullmatch(options.name):
        raise Refused(f"{options.name!r} is not a name of a test: up to eight small letters and digits, such as nov26")
    if options.name in centre_state.tests:
        raise Refused(f"there is a test {options.name} already; each has a name of its own")
    trials = {name for name, test in centre_state.tests.items() if test.trial}
    if not options.trial and not any(scored.test in trials for scored in centre.facts(f.TestScored)):
        raise Refused("no dry run was scored yet: make one with --trial, receive answers to it, and score it")


def _refuse_overlap(centre: Centre, centre_state: CentreState, found: BalancedSelection) -> None:
    """Refuse a test with a speaker in any listing of any release."""
    released = {speech_name(path) for path in items(listings(centre, centre_state))}
    speakers = {name.stem.speaker for name in released if name is not None}
    both = speakers & {unit.speaker for unit in found.units} or {*centre_state.released} & {
        unit.session for unit in found.units
    }
    if both:
        raise Refused(f"{min(both)} was released; the ledger and the folders do not agree")


def _packed(found: BalancedSelection, corpora: dict[str, Corpus], kind: str, name: str) -> dict[str, bytes]:
    files = dict[str, bytes]()
    wanted = {unit.speaker for unit in found.units}
    for corpus in corpora.values():
        files |= dict(packing.package_files(corpus, found.units, kind))
    infos = {info.speaker: info for corpus in corpora.values() for info in corpus.speakers().values()}
    files["test.ndx"] = packing.ordered(found.units, corpora.values())
    files[layout.SPEAKER_TABLE] = packing.speakers(infos[speaker] for speaker in sorted(wanted))
    files["cas.txt"] = f"{inspect.getdoc(cas)}\n".encode()
    files["README.txt"] = (
        f"Test {name}: {len(found.units)} subject-scenarios, in the order of test.ndx. Answer as they come, each with what came\n"
        "before it. Answers go into one file, a line each: the name of the utterance, a blank, the answer as in cas.txt.\n"
    ).encode()
    if kind == packing.SPEECH:
        files["README.txt"] += (
            b"What a recogniser hears goes into a file in .trn, as curtain recognise makes of this folder.\n"
        )
    return files


def _key(found: BalancedSelection, corpora: dict[str, Corpus]) -> dict[str, bytes]:
    files = dict[str, bytes]()
    least, most, index, words = list[str](), list[str](), list[str](), dict[str, str]()
    for corpus in corpora.values():
        files |= dict(packing.key_files(corpus, found.units))
        words |= packing.spoken_words(corpus, found.units)
        for name, minimum, maximum, row in packing.scoring_lists(corpus, found.units):
            least += [f"{name} {minimum}"] if minimum else []
            most += [f"{name} {maximum}"] if maximum and minimum else []
            index.append(row)
    header = "utterance\tspeaker\tsession\tsite\tclass\tscenario\tsex"
    files["references.cas"] = "".join(f"{line}\n" for line in sorted(least)).encode()
    files["references.trn"] = trn.render(words)
    files["maxima.cas"] = "".join(f"{line}\n" for line in sorted(most)).encode()
    files["index.tsv"] = "".join(f"{line}\n" for line in (header, *sorted(index))).encode()
    return files


def faults(centre: Centre, centre_state: CentreState) -> Iterator[str]:
    """Return the archives, answers and rulings of tests that are not as they were recorded, in sentences."""
    reached = {what for fact in centre.facts(f.SpeakerLeft) for what in fact.reached}
    for test in centre_state.tests.values():
        folder = centre.folder / TESTS / test.test
        wanted = _packed_as(centre_state, test)
        if f"test {test.test}" not in reached:  # else lines of the person were taken out, and the scores deleted
            wanted |= dict(_judged(centre, test.test))
        for name, digest in wanted.items():
            if not (folder / name).is_file() or _hash(folder / name) != digest:
                yield f"{folder / name} is not as it was recorded; restore it from a copy"


def _judged(centre: Centre, name: str) -> Iterator[tuple[str, str]]:
    """The answers to a test and the rulings on it, with their hashes."""
    for found in centre.happened:
        if isinstance(fact := found.fact, f.SubmissionReceived) and fact.test == name:
            yield f"submissions/{fact.system}{'.trn' if fact.words else '.cas'}", fact.content
        elif isinstance(fact, f.ReferencesAdjudicated) and fact.test == name:
            yield "adjudicated/rulings.tsv", fact.content


def _packed_as(centre_state: CentreState, test: f.TestSetMade) -> dict[str, str]:
    """The archives of a test with their hashes, as the ledger has them."""
    made = {f"{test.test}.tar": test.package, f"{test.test}_key.tar": test.key}
    return {name: centre_state.listings.get(name, digest) for name, digest in made.items()}


def is_as_packed(centre: Centre, centre_state: CentreState, test: f.TestSetMade) -> bool:
    """Return whether the archives of a test are as the ledger has them."""
    return archives_of(centre, test.test) == _packed_as(centre_state, test)


def archives_of(centre: Centre, name: str) -> dict[str, str]:
    """The archives of a test as they are now, with their hashes."""
    return {path.name: _hash(path) for path in sorted((centre.folder / TESTS / name).glob("*.tar"))}


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def folder_of(centre: Centre, name: str) -> Path:
    """The folder of a test; raises `Refused` if there is none of that name."""
    if name not in CentreState(centre).tests:
        known = " ".join(CentreState(centre).tests) or "none"
        raise Refused(f"there is no test {name}; tests are {known}")
    return centre.folder / TESTS / name
