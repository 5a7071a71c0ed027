"""`curtain export STUDY|CORPUS DIR --as FORMAT` for the formats of today: the call behind the command."""

from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from corpus import holdout, packages, removals, written
from corpus.catching_up import caught_up
from corpus.directory import Refused, is_corpus, meanwhile, partial_of, refuse_existing, reopen, stopped
from corpus.export import WITHDRAWN, export
from corpus.faults import FormatFault
from corpus.jobs import MANY, Jobs, chosen
from corpus.packages import Packed
from corpus.places import held_in, remembering
from corpus.progress import counting
from corpus.reading import Corpus
from corpus.session_files import Options
from corpus.study_source import reading, source_of
from session.store import StoreUnavailable
from session.studyfolder import load
from session.tomlfile import StudyError
from session.versions import DamagedEvent, NewerEvent

_FAULTS = (FormatFault, Refused, StudyError, StoreUnavailable, NewerEvent, DamagedEvent, OSError)


def package_command(
    source: str,
    directory: str,
    form: str,
    sessions: Sequence[str],
    out: TextIO,
    err: TextIO,
    work: Sequence[str] = (),
    whole: bool = False,
    jobs: int | None = None,
    cluster: str = "",
) -> int:
    """Write one of `packages.FORMATS` from a study folder (all or the named sessions) or from an exported corpus.

    Without `whole`, speakers who are held out for tests are refused (`holdout.handing_over`).
    0 when all is written, 1 when waveforms or sessions of a study had to be left out or are damaged, 2 when nothing could be.
    The target's path goes to `out`, what was written and left out to `err`. `jobs` and `cluster` as for
    `corpus.exporting.export_command`.
    """
    target = Path(directory)
    try:
        refuse_existing(target)
        if not target.absolute().parent.is_dir():
            raise Refused(f"{target.parent} is no directory; make it first")
        lacking: list[str] = []
        if is_corpus(Path(source)):
            if sessions or work:
                raise Refused(f"{source} is an exported corpus; sessions and --work are for a study")
            corpus = caught_up(Path(source), err)
            err.write("" if whole else holdout.handing_over(corpus, holdout.known(corpus.root)))
            with remembering([corpus.root], err, packages=[target]):
                done = _packed(corpus, target, form, chosen(jobs, cluster, len(corpus.logs) >= MANY), err)
        else:
            done, lacking = _from_study(Path(source), target, form, (sessions, work, whole), (jobs, cluster), err)
    except (*_FAULTS, KeyboardInterrupt) as error:
        err.write(stopped(error, target, between_of(target)))
        return 2
    err.write(f"{done.utterances} utterances as {form}\n")
    err.write("".join(f"{note}\n" for note in (*lacking, *(f"left out: {note}" for note in done.notes))))
    out.write(f"{directory}\n")
    return 1 if lacking else 0


def between_of(target: Path) -> Path:
    """The corpus from which the package of a study is made, while it is made."""
    return target.with_name(f".{target.name}.corpus")


def _from_study(
    study: Path,
    target: Path,
    form: str,
    what: tuple[Sequence[str], Sequence[str], bool],
    by: tuple[int | None, str],
    err: TextIO,
) -> tuple[Packed, list[str]]:
    """By way of a corpus that exists only meanwhile, so that consent, masks and drafts are obeyed in one place.

    `what` are sessions, files of later work, and whether those who are held out are meant too; `by` are a number of processes
    and the address of a cluster.
    """
    sessions, work, whole = what
    found = load(study)
    with reading(found) as store:
        between = between_of(target)
        reopen(between)
        gathered = written.gather(found.folder, target, work)
        source, options = source_of(found, store, sessions), Options(riff=True, finished=gathered.finished)
        written.begin(found.folder, between, partial_of(between), partial_of(target))
        total = len(source.names)
        jobs = chosen(*by, large=total >= MANY)
        with counting(err, "sessions", total) as tell:
            done = export(source, between, options, removals.held_in(study), tell, jobs, found.folder)
        with meanwhile(between):
            corpus, earlier = Corpus(between), map(Path, held_in(found.folder).corpora)
            err.write("" if whole else holdout.handing_over(corpus, holdout.known(target, *earlier)))
            packed = _packed(corpus, target, form, jobs, err)
        written.remember(found.folder, gathered, [], err, [target])
    lacking = [f"left out: {path}, whose samples are lost or altered" for path in done.missing]
    lacking += [f"left out: session {session}: {why}" for session, why in done.skipped if why != WITHDRAWN]
    lacking += [f"damaged: session {session}: {what}" for session, what in done.damaged]
    return packed, lacking


def _packed(corpus: Corpus, target: Path, form: str, jobs: Jobs, err: TextIO) -> Packed:
    with counting(err, "subject-scenarios", len(corpus.logs)) as tell:
        contents = packages.contents_of(corpus, jobs, tell)
    with counting(err, "files") as tell:
        return packages.write_package(contents, target, form, tell)
