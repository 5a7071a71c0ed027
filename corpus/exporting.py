"""`curtain export STUDY DIR`: the call behind the command."""

from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from corpus import packages, removals, written
from corpus.directory import Refused, partial_of, refuse_existing, refuse_nowhere, stopped
from corpus.export import Exported, export
from corpus.faults import counted, status_of
from corpus.halfway import refuse_study
from corpus.jobs import MANY, Jobs, chosen
from corpus.left_out import IN_ORDER, with_rehearsals
from corpus.manifest import is_in
from corpus.outdated import told_of_outdated
from corpus.packaging import Package, package_command
from corpus.progress import counting
from corpus.reading import Corpus
from corpus.session_files import Options
from corpus.study_source import FAULTS, StudySource, asked_of, reading
from session.studyfolder import Study, load

WAVEFORMS = ("sphere", "riff")
FORMATS = (*WAVEFORMS, *packages.FORMATS)


def export_command(
    study: str,
    directory: str,
    form: str,
    unnumbered: bool,
    sessions: Sequence[str],
    out: TextIO,
    err: TextIO,
    work: Sequence[str] = (),
    whole: bool = False,
    jobs: int | None = None,
    cluster: str = "",
    pilots: bool = False,
) -> int:
    """Export all (or the named) sessions of a study folder; `form` is one of `FORMATS`.

    For the formats of today, `packages.FORMATS`, `study` may be an exported corpus too; they have no place for what
    `unnumbered` adds, and they alone need to be told that the `whole` is meant, speakers who are held out for tests included, or
    `pilots` too.
    What the transcription desk has finished beside any earlier export of the study, beside `directory`, and in the files of
    later work that `work` names is taken over, masks included (`corpus.written`).
    `jobs` processes make the files (None: as many as suit the number of sessions), or the Dask cluster at the address `cluster`.
    0 when all is written, 1 when waveforms or sessions had to be left out or are damaged, 2 when nothing could be.
    """
    if form not in FORMATS:
        err.write(f"there is no format {form}; choose {', '.join(FORMATS)} or study\n")
        return 2
    if form in packages.FORMATS and unnumbered:
        err.write(f"practice and discarded takes have no place in {form}; leave --all out\n")
        return 2
    if form in packages.FORMATS:
        return package_command(study, directory, Package(form, sessions, work, whole, pilots, jobs, cluster), out, err)
    if whole or pilots:
        err.write(
            f"--{'whole' if whole else 'pilots'} is for the formats of today ({', '.join(packages.FORMATS)}); a corpus is always "
            "exported whole, pilots marked\n"
        )
        return 2
    try:
        refuse_existing(Path(directory))
        refuse_nowhere(Path(directory))
        found = _study(Path(study))
        with reading(found) as store:
            refuse_study(found.folder, store)
            gathered = written.gather(found.folder, Path(directory), work)
            source, kept = asked_of(found, store, sessions), gathered.finished
            options = Options(form == "riff", unnumbered, kept, rehearsals=with_rehearsals(source, sessions))
            written.begin(found.folder, partial_of(Path(directory)))
            done = _exported(
                source, found, Path(directory), options, chosen(jobs, cluster, len(source.names) >= MANY), err
            )
            out.write(f"{directory}\n")
            written.remember(found.folder, gathered, [Path(directory)], err)
            made = Corpus(Path(directory))
            err.write(told_of_outdated(found.folder, made, lambda: gathered.finished))
            return 1 if done.missing or done.damaged or any(why not in IN_ORDER for _, why in done.skipped) else 0
    except (*FAULTS, KeyboardInterrupt) as error:
        err.write(stopped(error, Path(directory)))
        return status_of(error)


def _study(folder: Path) -> Study:
    if is_in(folder):
        raise Refused(f"{folder} is an exported corpus already; copy it, or choose --as {', '.join(packages.FORMATS)}")
    return load(folder)


def _exported(source: StudySource, study: Study, target: Path, options: Options, jobs: Jobs, err: TextIO) -> Exported:
    with counting(err, "sessions", len(source.names)) as tell:
        done = export(source, target, options, removals.held_in(study.folder), tell, jobs, study.folder)
    err.write("".join(f"{line}\n" for line in remarks(done)))
    return done


def remarks(done: Exported) -> list[str]:
    """What a person should know of an export."""
    lines = [
        f"{counted(done.sessions, 'session')}, {counted(done.scenarios, 'subject-scenario')}, "
        f"{counted(done.utterances, 'utterance')}: {counted(done.files, 'file')}, {done.bytes / 1_000_000:.1f} MB; drafts among "
        f"the files: {done.drafts}"
    ]
    lines += [f"left out: session {session}: {why}" for session, why in done.skipped]
    lines += [
        f"left out: {path}: its samples are not held, or are not those that were recorded" for path in done.missing
    ]
    lines += [f"damaged: session {session}: {what}" for session, what in done.damaged]
    if done.hidden:
        lines.append(
            f"{counted(len(done.hidden), 'waveform')} masked from end to end, {done.hidden[0]} the first: nobody has "
            "transcribed them, and what was typed of them has words that identify a person elsewhere; curtain transcribe, in an "
            "export from before the mask, then export again"
        )
    if done.withheld:
        lines.append(f"{counted(len(done.withheld), 'waveform')} withheld: their speakers did not agree to audio")
    return lines
