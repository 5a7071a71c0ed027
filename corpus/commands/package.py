"""`curtain export STUDY|CORPUS DIR --as FORMAT` for the formats of today: the call behind the command."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.annotation.overlay import changes, is_behind
from corpus.annotation.submitted import AllFinished
from corpus.commands.sources import opened
from corpus.dataset import removals
from corpus.dataset.reader import Corpus
from corpus.dataset.removals import REMOVALS
from corpus.dataset.subset import CorpusPart, copy_part
from corpus.export.exclusions import IN_ORDER, PILOT, REHEARSAL, with_rehearsals
from corpus.export.madcow import export
from corpus.export.session_files import ExportOptions
from corpus.export.study_source import FAULTS, asked_of, reading, stated_in
from corpus.formats import layout
from corpus.formats.errors import counted, status_of
from corpus.formats.manifest import is_in
from corpus.io.parallel import MANY, Jobs, chosen
from corpus.io.progress import counting
from corpus.io.staging import (
    Refused,
    discard,
    in_use,
    is_corpus,
    meanwhile,
    refuse_existing,
    refuse_nowhere,
    reopen,
    staged,
    stopped,
)
from corpus.packages import package_writer, writers
from corpus.packages.dialogue_judgements import rated_in
from corpus.packages.formats import ExportFormat
from corpus.packages.package_writer import PackageSummary
from corpus.release import earlier_exports, holdout_file
from corpus.release.exports_log import exports_around, heads_of, record
from corpus.withdrawal.unfinished import refuse_study
from session.annotation.store import WORK_FILE
from session.study.folder import load


class Package(msgspec.Struct, frozen=True):
    """Options of a package: a format; of a study the named `sessions` alone, with the files of later `work`; the
    `whole` with speakers who are held out for tests; `pilots` too; so many `processes` (None: as many as suit), or the Dask
    cluster at the address `cluster`; where the `database` of a domain is, who judges, and the `microphones` whose sound is
    taken, as `flac` if so."""

    form: ExportFormat
    sessions: Sequence[str] = ()
    work: Sequence[str] = ()
    whole: bool = False
    pilots: bool = False
    processes: int | None = None
    cluster: str = ""
    database: package_writer.DatabaseFinder | None = None
    judges: package_writer.Judges = package_writer.Judges()
    microphones: Sequence[str] = ()
    flac: bool = False

    def jobs(self, size: int) -> Jobs:
        """Return the jobs for so many subject-scenarios, or sessions of a study."""
        return chosen(self.processes, self.cluster, size >= MANY)


def package_command(source: str, directory: str, asked: Package, out: TextIO, err: TextIO) -> int:
    """Write a package from a study folder or from an exported corpus.

    Speakers who are held out for tests are refused, unless the whole is asked for; all others count as handed over from then on
    (`assignments.handing_over`). 0 when all is written, 1 when waveforms or sessions of a study had to be left out or are
    damaged, 2 when nothing could be. The target's path goes to `out`, what was written and left out to `err`.
    """
    target = Path(directory)
    try:
        if (target / layout.SESSIONS).is_file() and is_in(between_of(target)) and not in_use(between_of(target)):
            discard(between_of(target))  # left by whoever was killed just before the end, with people's speech in it
        refuse_existing(target)
        refuse_nowhere(target)
        lacking: list[str] = []
        if is_corpus(Path(source)):
            if asked.sessions or asked.work:
                raise Refused(f"{source} is an exported corpus; sessions and --work are for a study")
            corpus = opened(Path(source))
            finished = earlier_exports.finished_around(corpus.root)
            with (
                _handing_over(asked_for := _sessions_of(corpus, asked), target, asked, err),
                _data_of(corpus, target, asked, finished, err) as data,
            ):
                record([corpus.root], asked.form, target, heads_of(asked_for.manifest.sessions), err)
                done = _packed(data, target, asked, err, corpus.root)
        else:
            done, lacking = _from_study(Path(source), target, asked, err)
    except (*FAULTS, KeyboardInterrupt) as error:
        err.write(stopped(error, target, between_of(target)))
        return status_of(error)
    err.write(f"{counted(done.utterances, 'utterance')} as {asked.form}\n")
    err.write("".join(f"{note}\n" for note in (*lacking, *(f"left out: {note}" for note in done.notes))))
    out.write(f"{directory}\n")
    return 1 if lacking else 0


def between_of(target: Path) -> Path:
    """The corpus from which the package of a study is made, while it is made."""
    return target.parent / f".{target.name}.corpus"


def _from_study(study: Path, target: Path, asked: Package, err: TextIO) -> tuple[PackageSummary, list[str]]:
    """By way of a corpus that exists only meanwhile, so that consent, masks and drafts are obeyed in one place."""
    found = load(study)
    with reading(found) as store:
        refuse_study(found.folder, store)
        between = between_of(target)
        reopen(between)
        gathered = earlier_exports.gather(found.folder, target, asked.work)
        source = asked_of(found, store, asked.sessions)
        rehearsals = with_rehearsals(source, asked.sessions)
        options = ExportOptions(True, False, gathered.finished, asked.pilots, rehearsals, stated_in(found))
        total = len(source.names)
        heads = {name: source.head(name) for name in source.names}
        earlier_exports.begin(found.folder, gathered, target, heads, err, asked.form)
        with counting(err, "sessions", total) as tell:
            done = export(source, between, options, removals.held_in(study), tell, asked.jobs(total), found.folder)
        with meanwhile(between):
            corpus = Corpus(between)
            with _handing_over(corpus, target, asked, err, found.folder):
                packed = _packed(corpus, target, asked, err, found.folder)
    if pilots := sum(why == PILOT for _, why in done.skipped):
        err.write(_left_out(pilots))
    lacking = [f"left out: {path}, whose samples are lost or altered" for path in done.missing]
    if rehearsed := sum(why == REHEARSAL for _, why in done.skipped):
        err.write(f"left out: {counted(rehearsed, 'rehearsal')}; --session packs one alone\n")
    fine = IN_ORDER | {PILOT}
    lacking += [f"left out: session {session}: {why}" for session, why in done.skipped if why not in fine]
    lacking += [f"damaged: session {session}: {what}" for session, what in done.damaged]
    return packed, lacking


def _sessions_of(corpus: Corpus, asked: Package) -> Corpus:
    """The corpus as if it had no other sessions than are asked for; raises `Refused` if it has none of these."""
    if not corpus.manifest.sessions:
        raise Refused(f"{corpus.root} holds no session, so there is nothing to pack; name a corpus that does")
    entries = tuple(entry for entry in corpus.manifest.sessions if asked.pilots or not entry.pilot)
    if not entries:
        raise Refused(f"all sessions of {corpus.root} are pilots, which are not data; --pilots packs them")
    return Corpus(corpus.root, msgspec.structs.replace(corpus.manifest, sessions=entries))


def _handing_over(
    corpus: Corpus, target: Path, asked: Package, err: TextIO, study: Path | None = None
) -> AbstractContextManager[None]:
    """`assignments.handing_over`, unless the whole is asked for: that stays in the lab."""
    return nullcontext() if asked.whole else holdout_file.handing_over(corpus, study or corpus.root, target, err)


@contextmanager
def _data_of(corpus: Corpus, target: Path, asked: Package, finished: AllFinished, err: TextIO) -> Iterator[Corpus]:
    """Yield the corpus itself, or, where it has pilots that are not asked for or lacks what is finished beside it, one that
    exists only meanwhile."""
    entries = corpus.manifest.sessions
    pilots = sum(entry.pilot for entry in entries)
    if (asked.pilots or not pilots) and not is_behind(corpus, finished):
        yield corpus
        return
    between = between_of(target)
    reopen(between)
    part = CorpusPart(corpus, {entry.speaker for entry in entries}, pilots=asked.pilots)
    extra = {path: corpus.read(path) for path in (REMOVALS,) if path in corpus.manifest.files}
    total = sum(map(part.holds, corpus.manifest.files))
    with staged(between) as staging, counting(err, "files", total) as tell:
        staging.tell(tell)
        copy_part([part], staging, extra, asked.jobs(len(corpus.logs)), partial(changes, finished=finished))
    with meanwhile(between):
        err.write(_left_out(pilots) if pilots and not asked.pilots else "")
        yield Corpus(between)


def _left_out(pilots: int) -> str:
    return f"left out: {counted(pilots, 'pilot session')}; --pilots packs pilots too\n"


def _packed(corpus: Corpus, target: Path, asked: Package, err: TextIO, source: Path) -> PackageSummary:
    """Write the package of a corpus; who is held out is told by the assignments of the `source`."""
    jobs = asked.jobs(len(corpus.logs))
    assigned = holdout_file.known(source)
    sets = assigned.every if assigned is not None else {}
    with counting(err, "subject-scenarios", len(corpus.logs)) as tell:
        table = asked.form is ExportFormat.CSV
        judges = asked.judges if table else package_writer.Judges(replies=asked.judges.replies)
        contents = package_writer.contents_of(corpus, jobs, tell, asked.database, judges, asked.microphones, sets)
        rated = rated_in(_works(source, asked)) if asked.form is ExportFormat.DIALOGUES else {}
        contents = msgspec.structs.replace(contents, flac=asked.flac, rated=rated)
    with counting(err, "files", writers.writer_of(asked.form).count(contents)) as tell:
        return writers.write_package(contents, target, asked.form, tell)


def _works(source: Path, asked: Package) -> list[Path]:
    """The files of later work on a study or a corpus, those that were named among them."""
    named = [path / WORK_FILE if path.is_dir() else path for path in map(Path, asked.work)]
    return list(dict.fromkeys((*earlier_exports.works_of(source, exports_around(source)), *named)))
