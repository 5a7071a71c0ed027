"""`curtain export STUDY|CORPUS DIR`: the call behind the command."""

from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.commands.derive import derive_command
from corpus.commands.package import Package, package_command
from corpus.dataset import removals
from corpus.export.exclusions import IN_ORDER, with_rehearsals
from corpus.export.madcow import Exported, export
from corpus.export.session_files import Options
from corpus.export.study_source import FAULTS, StudySource, asked_of, reading
from corpus.formats.errors import counted, status_of
from corpus.formats.manifest import is_in
from corpus.io.parallel import MANY, Jobs, chosen
from corpus.io.progress import counting
from corpus.io.staging import refuse_existing, refuse_nowhere, stopped
from corpus.packages.formats import ExportFormat, WaveformFormat
from corpus.release import earlier_exports
from corpus.withdrawal.unfinished import refuse_study
from session.study.folder import Study, load

FORMATS: tuple[str, ...] = (*WaveformFormat, *ExportFormat)


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

    `study` may be an exported corpus too: then a new one is derived from it. The formats of today have no
    place for what `unnumbered` adds, and they alone need to be told that the `whole` is meant, speakers who are held out for
    tests included, or `pilots` too.
    What the transcription desk has finished beside any earlier export of the study, beside `directory`, and in the files of
    later work that `work` names is taken over, masks included (`corpus.release.earlier_exports`).
    `jobs` processes make the files (None: as many as suit the number of sessions), or the Dask cluster at the address `cluster`.
    0 when all is written, 1 when waveforms or sessions had to be left out or are damaged, 2 when nothing could be.
    """
    if wrong := _misfit(form, unnumbered, whole, pilots):
        err.write(f"{wrong}\n")
        return 2
    if form in [*ExportFormat]:
        asked = Package(ExportFormat(form), sessions, work, whole, pilots, jobs, cluster)
        return package_command(study, directory, asked, out, err)
    if is_in(Path(study)):
        if form != WaveformFormat.SPHERE or unnumbered or sessions:
            err.write(
                f"{study} is an exported corpus: its sessions and waveforms stay as they are, so only --work goes with it\n"
            )
            return 2
        return derive_command(study, directory, work, out, err, jobs, cluster)
    waveforms = Options(form == WaveformFormat.RIFF, unnumbered)
    try:
        refuse_existing(Path(directory))
        refuse_nowhere(Path(directory))
        return _of_study(Path(study), Path(directory), waveforms, sessions, work, jobs, cluster, out, err)
    except (*FAULTS, KeyboardInterrupt) as error:
        err.write(stopped(error, Path(directory)))
        return status_of(error)


def _misfit(form: str, unnumbered: bool, whole: bool, pilots: bool) -> str:
    """What a format has no use for; empty where all fits."""
    if form not in FORMATS:
        return f"there is no format {form}; choose {', '.join(FORMATS)} or study"
    if form in [*ExportFormat]:
        return f"practice and discarded takes have no place in {form}; leave --all out" if unnumbered else ""
    if whole or pilots:
        packages = ", ".join(ExportFormat)
        return (
            f"--{'whole' if whole else 'pilots'} is for the formats of today ({packages}); a corpus is always exported whole, "
            "pilots marked"
        )
    return ""


def _of_study(
    study: Path,
    target: Path,
    options: Options,
    sessions: Sequence[str],
    work: Sequence[str],
    jobs: int | None,
    cluster: str,
    out: TextIO,
    err: TextIO,
) -> int:
    found = load(study)
    with reading(found) as store:
        refuse_study(found.folder, store)
        gathered = earlier_exports.gather(found.folder, target, work)
        source, kept = asked_of(found, store, sessions), gathered.finished
        options = msgspec.structs.replace(options, finished=kept, rehearsals=with_rehearsals(source, sessions))
        heads = {name: source.head(name) for name in source.names}
        earlier_exports.begin(found.folder, gathered, target, heads, err)
        done = _exported(source, found, target, options, chosen(jobs, cluster, len(source.names) >= MANY), err)
        out.write(f"{target}\n")
        earlier_exports.carry_assignments(gathered, err)
        return 1 if done.missing or done.damaged or any(why not in IN_ORDER for _, why in done.skipped) else 0


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
