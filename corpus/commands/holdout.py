"""The command that sets a corpus's speech for tests aside before anything is handed over."""

from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.commands.sources import current, opened
from corpus.dataset import blind
from corpus.dataset.reader import Corpus
from corpus.dataset.removals import REMOVALS
from corpus.dataset.subset import CorpusPart, copy_part
from corpus.formats import layout
from corpus.formats.errors import FormatFault, counted, status_of
from corpus.formats.manifest import FileEntry, entry_of, is_in
from corpus.io.parallel import MANY, Jobs, chosen
from corpus.io.progress import counting
from corpus.io.staging import Refused, refuse_existing, refuse_nowhere, staged, stopped
from corpus.release.draw import assign, site_shares, standing_of, volumes_of
from corpus.release.exports_log import CORPUS, heads_of, record
from corpus.release.holdout_file import (
    IN_CORPUS,
    Holdout,
    alone_at,
    beside,
    handed_over,
    keep,
    known,
    render,
    with_handed,
)
from corpus.release.utterance_status import CAPTION, POOL, RELEASE, Volume, table
from session.values.sanitize import inert


class HoldoutOptions(msgspec.Struct, frozen=True):
    """Options of `holdout_command`: the first seed (empty: the one in the file, or 1), a second file for the assignments, the
    parts to be written, packages that never left the lab, and those that did, wherever they were made; empty if nothing is."""

    seed: str = ""
    assignments: str = ""
    release: str = ""
    pool: str = ""
    kept: tuple[str, ...] = ()
    handed: tuple[str, ...] = ()

    @property
    def parts(self) -> list[tuple[Path, str]]:
        """Return the folders to write, each with its set."""
        return [(Path(target), which) for target, which in ((self.release, RELEASE), (self.pool, POOL)) if target]


def holdout_command(
    directory: str, call: HoldoutOptions, out: TextIO, err: TextIO, jobs: int | None = None, cluster: str = ""
) -> int:
    """Assign the new speakers of a corpus, and write the parts that the `call` names as corpora of their own.

    The assignments are in `holdout.json` beside the corpus, where they outlive each export. The sets go to `out`, one line a
    speaker, the shares to `err`; 2 when a file is at fault. `jobs` and `cluster` as for
    `corpus.verify.verify.verify_command`.
    """
    try:
        corpus = current(Path(directory)) if call.parts else opened(Path(directory))
        if IN_CORPUS in corpus.manifest.files:
            raise Refused(f"{directory} is one part of a corpus already; hold out from the whole corpus")
        here = beside(corpus.root)
        lead = Path(call.assignments) if call.assignments else here
        if not lead.absolute().parent.is_dir():
            raise Refused(f"{lead.parent} is not a directory; make it first")
        if len({target.resolve() for target, _ in call.parts}) < len(call.parts):
            raise Refused(f"{call.pool} would be both parts; name two directories")
        for target, _ in call.parts:
            refuse_nowhere(target)
            if not is_in(target):
                refuse_existing(target)
        _before(corpus, lead, call)
        by = chosen(jobs, cluster, len(corpus.logs) >= MANY)
        with counting(err, "subject-scenarios", len(corpus.logs)) as tell:
            volumes = volumes_of(corpus, tell, by)
        with alone_at(here):
            after = assign(volumes, _before(corpus, lead, call))
            _keep(after, lead, here, err)
        for target, assigned in _lacking(corpus, call.parts, after, err):
            _part(corpus, target, assigned, by, err)
    except (FormatFault, Refused, OSError, KeyboardInterrupt) as error:
        err.write(stopped(error, *(target for target, _ in call.parts)))
        return status_of(error)
    _tell(corpus, volumes, after, out, err)
    return 0


def _before(corpus: Corpus, lead: Path, call: HoldoutOptions) -> Holdout:
    """The assignments as they are; raises `Refused` for what cannot be asked of them, and as `known` does."""
    kept = {str(Path(package).resolve()) for package in call.kept}
    found = known(corpus.root, lead=lead, kept=kept) or Holdout("")
    if strange := sorted(kept - {handover.package for handover in found.handed}):
        made = ", ".join(inert(handover.package) for handover in found.handed) or "none"
        raise Refused(f"{strange[0]} is not a package that was made of this corpus or its family; those are: {made}")
    if call.handed:
        found = with_handed(found, [handed_over(corpus, Path(package)) for package in call.handed], lead)
    if call.seed and found.seed not in ("", call.seed):
        raise Refused(
            f"{lead} was begun with seed {inert(found.seed)}; leave --seed out, assignments are never drawn again"
        )
    return found if found.seed else msgspec.structs.replace(found, seed=call.seed or "1")


def _tell(corpus: Corpus, volumes: Sequence[Volume], after: Holdout, out: TextIO, err: TextIO) -> None:
    here = {volume.speaker for volume in volumes}
    every, away = after.every, {speaker: package for speaker, package in after.away.items() if speaker in here}
    out.write("".join(f"{speaker}\t{kept}\n" for speaker, kept in every.items() if speaker in here))
    err.write(f"{CAPTION}:\n{table(standing_of(corpus, volumes, after))}")
    for package in sorted({inert(where) for where in away.values()}):
        gone = sorted(speaker for speaker, where in away.items() if inert(where) == package)
        err.write(
            f"not drawn, as handed over before: {counted(len(gone), 'speaker')}, {gone[0]} the first, in {package}; if that "
            f"never left the lab, --not-handed-over {package} lets them be drawn\n"
        )
    for share in site_shares(volumes, every):
        few = "" if share.near else "; no other choice of new speakers comes nearer"
        err.write(f"held out, {share}{few}\n")


def _keep(assigned: Holdout, lead: Path, here: Path, err: TextIO) -> None:
    """Write the assignments to both files: anyone who hands a corpus over looks beside it."""
    for place in dict.fromkeys((lead, here)):
        try:
            keep(assigned, place)
        except OSError as error:
            if place == lead:
                raise
            err.write(
                f"{place} cannot be written ({error.strerror}): exports of packages will not know the held-out speakers\n"
            )


def _lacking(
    corpus: Corpus, parts: Sequence[tuple[Path, str]], assigned: Holdout, err: TextIO
) -> list[tuple[Path, Holdout]]:
    """The parts that are to be written: a call that was interrupted may have finished one. Raises `Refused`."""
    lacking = list[tuple[Path, Holdout]]()
    for target, which in parts:
        own = Holdout(assigned.seed, assigned.every, which)
        if not any(entry.speaker in _within(own) for entry in corpus.manifest.sessions):
            raise Refused(
                f"{target} would have no speaker: no speaker of this corpus is in that set; no part was written"
            )
        if is_in(target) and _is_part(Corpus(target), corpus, own):
            err.write(f"{target} already exists, as it would be written\n")
        else:
            refuse_existing(target)
            lacking.append((target, own))
    return lacking


def _within(part: Holdout) -> set[str]:
    return {speaker for speaker, kept in part.sets.items() if kept == part.of}


def _is_part(found: Corpus, whole: Corpus, part: Holdout) -> bool:
    """Return whether a corpus has all files of a part, as they are in the whole now, its assignments and its index."""
    speakers = _within(part)
    listed = found.manifest.files
    source = CorpusPart(whole, speakers, blind=part.of == POOL)
    own = {path: entry for path, entry in whole.manifest.files.items() if whole.speaker_of(path) and source.holds(path)}
    same = own.keys() == {path for path in listed if found.speaker_of(path)} and all(
        _same(whole, path, entry, listed[path], source.blind) for path, entry in own.items()
    )
    lists = {IN_CORPUS, layout.INDEXES[part.of]} <= listed.keys()
    return same and lists and found.read(IN_CORPUS) == render(part)


def _same(whole: Corpus, path: str, entry: FileEntry, found: FileEntry, blinded: bool) -> bool:
    """Return whether a part has a file of the whole as it would be written now."""
    if blinded and blind.changes(path):
        return entry_of(blind.blinded(path, whole.read(path)), like=entry) == found
    return entry == found


def _part(corpus: Corpus, target: Path, assigned: Holdout, jobs: Jobs, err: TextIO) -> None:
    extra = {path: corpus.read(path) for path in (REMOVALS,) if path in corpus.manifest.files}
    extra[IN_CORPUS] = render(assigned)
    speakers = _within(assigned)
    total = sum(corpus.speaker_of(path) in speakers for path in corpus.manifest.files)
    part = CorpusPart(corpus, speakers, blind=assigned.of == POOL)
    record([corpus.root], CORPUS, target, heads_of(part.sessions), err)
    with staged(target) as staging, counting(err, "files", total) as tell:
        staging.tell(tell)
        copy_part([part], staging, extra, jobs)
