"""Annotations that come back: the classes, requests and answers of a release, verified with the speech that they are about."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from corpus.annotation.reference_answers import is_annotation
from corpus.centre import facts as f
from corpus.centre.delivery_archive import Listing
from corpus.centre.ledger import DELIVERIES, Centre
from corpus.centre.standing import Held, Standing
from corpus.centre.states import make_state, next_state
from corpus.dataset.reader import Corpus, speech_name
from corpus.formats.manifest import FileEntry, entry_of
from corpus.io.safe_open import read_plain
from corpus.io.staging import Refused
from corpus.release.utterance_status import POOL
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify


def lay_over(centre: Centre, folder: Path, listing: Listing, archive: str, err: TextIO) -> tuple[str, list[str]]:
    """Take in the annotations in `folder`; return the name of the arrival, and the errors for which they go back.

    Raises `Refused` for a release that there is not, or for files that are no annotations of it.
    """
    arrival = f"ann_{1 + sum(1 for _ in centre.facts(f.AnnotationsReceived))}"
    standing = Standing(centre)
    by_state: dict[str, list[str]] = {}
    for path in sorted(listing.files):
        held = _held(standing, listing.release, path)
        by_state.setdefault(held.state, []).append(path)
    made = dict[str, tuple[str, ...]]()
    errors = list[str]()
    for state, paths in by_state.items():
        corpus = Corpus(centre.folder / DELIVERIES / state)
        delivery = next(held.delivery for held in standing.sessions.values() if held.state == state)
        name = next_state(centre, delivery)
        target = centre.place(DELIVERIES, name)
        changed = [*_changed(corpus, folder, paths)]
        if not changed:
            continue
        made[name] = (delivery, *make_state(corpus, target, changed))
        known = {str(finding) for finding in verify(corpus.root, headers=True).findings}
        errors += [
            str(finding)
            for finding in verify(target, headers=True, err=err).findings
            if finding.severity is Severity.ERROR and str(finding) not in known
        ]
    fact = f.AnnotationsReceived(
        arrival=arrival,
        site=listing.site,
        release=listing.release,
        files=tuple(sorted(listing.files)),
        archive=archive,
        errors=len(errors),
    )
    if errors:
        for name in made:
            shutil.rmtree(centre.folder / DELIVERIES / name)
        centre.record(fact)
        return arrival, errors
    later = [
        f.DeliveryCorrected(delivery=found[0], state=name, files=found[1:], why=arrival) for name, found in made.items()
    ]
    centre.record(fact, *later)
    return arrival, []


def _held(standing: Standing, release: str, path: str) -> Held:
    name = speech_name(path)
    if name is None or not is_annotation(path):
        raise Refused(f"{path} is no annotation; deliver .cat .win .sql .sq2 .ref .rf2 alone")
    within = {session for made in standing.releases if made.release == release for session in made.sessions}
    if release == POOL:
        within = {held.session.session for held in standing.in_set(POOL)}
    elif not within:
        raise Refused(
            f"there is no release {release}; releases are {' '.join(r.release for r in standing.releases) or 'none'}"
        )
    for held in standing.sessions.values():
        if held.session.speaker == name.stem.speaker and name.stem.scenario in held.session.scenarios:
            if held.session.session in within:
                return held
            break
    raise Refused(f"{path} is of nothing in {release}")


def _changed(corpus: Corpus, folder: Path, paths: list[str]) -> Iterator[tuple[str, bytes, FileEntry]]:
    for path in paths:
        data = read_plain(folder, path)
        entry = entry_of(data, like=corpus.manifest.files.get(path))
        if entry != corpus.manifest.files.get(path):
            yield path, data, entry
