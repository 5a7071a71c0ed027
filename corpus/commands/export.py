"""`curtain export STUDY|CORPUS DIR`: the call behind the command."""

from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.commands.derive import DeriveOptions, derive_command
from corpus.commands.package import Package, package_command
from corpus.dataset import removals
from corpus.export.exclusions import IN_ORDER, with_rehearsals
from corpus.export.madcow import Exported, export
from corpus.export.session_files import ExportOptions
from corpus.export.study_source import FAULTS, StudySource, asked_of, reading, stated_in
from corpus.formats.errors import counted, status_of
from corpus.formats.manifest import is_in
from corpus.io.parallel import MANY, Jobs, chosen
from corpus.io.progress import counting
from corpus.io.staging import refuse_existing, refuse_nowhere, stopped
from corpus.packages.formats import PACKING, SOUNDING, ExportFormat, WaveformFormat
from corpus.packages.package_writer import DatabaseFinder, Judges
from corpus.release import earlier_exports
from corpus.withdrawal.unfinished import refuse_study
from session.study.folder import Study, load

FORMATS: tuple[str, ...] = (*WaveformFormat, *ExportFormat)


class ExportRequest(msgspec.Struct, frozen=True):
    """Options of `export_command`: all, or the named, `sessions` of a `study` to `directory`; `form` is one of `FORMATS`.

    The formats of today have no place for what `unnumbered` adds, and they alone need to be told that the `whole` is meant,
    speakers who are held out for tests included, or `pilots` too, or other `microphones` than the primary one, or the sound as
    `flac`. `work` names further files of later work. `jobs` and `cluster` as in `corpus.verify.verify.VerifyOptions`.
    """

    study: str
    directory: str
    form: str = ""
    unnumbered: bool = False
    sessions: Sequence[str] = ()
    work: Sequence[str] = ()
    whole: bool = False
    pilots: bool = False
    jobs: int | None = None
    cluster: str = ""
    database: str = ""
    microphones: Sequence[str] = ()
    flac: bool = False


def export_command(
    request: ExportRequest,
    out: TextIO,
    err: TextIO,
    shipped: DatabaseFinder | None = None,
    judges: Judges = Judges(),
) -> int:
    """Export a study; where it is an exported corpus, derive a new one from it. `shipped` finds the database of a domain where
    the request names none, `judges` judge what was declared and replied.

    What the transcription desk has finished beside any earlier export of the study, beside the new one, and in the named files
    of later work is taken over, masks included (`corpus.release.earlier_exports`). 0 when all is written, 1 when waveforms or
    sessions had to be left out or are damaged, 2 when nothing could be.
    """
    if wrong := _misfit(request):
        err.write(f"{wrong}\n")
        return 2
    work, jobs, cluster = request.work, request.jobs, request.cluster
    if request.form in [*ExportFormat]:
        package = Package(
            ExportFormat(request.form),
            request.sessions,
            work,
            request.whole,
            request.pilots,
            jobs,
            cluster,
            (lambda _: Path(request.database)) if request.database else shipped,
            judges,
            request.microphones,
            request.flac,
        )
        return package_command(request.study, request.directory, package, out, err)
    if is_in(Path(request.study)):
        return derive_command(
            DeriveOptions(request.study, request.directory, work, request.form, jobs, cluster), out, err
        )
    target = Path(request.directory)
    try:
        refuse_existing(target)
        refuse_nowhere(target)
        return _of_study(request, target, out, err)
    except (*FAULTS, KeyboardInterrupt) as error:
        err.write(stopped(error, target))
        return status_of(error)


def _misfit(request: ExportRequest) -> str:
    """Return the options that do not fit the format or the source; empty if all fit."""
    form = request.form
    if form not in ("", *FORMATS):
        return f"there is no format {form}; choose {', '.join(FORMATS)} or study"
    if request.database and form not in (ExportFormat.TEXT2SQL, ExportFormat.CSV):
        return f"--database is for {ExportFormat.TEXT2SQL} and {ExportFormat.CSV}; in {form} there is no place for it"
    if request.microphones and form not in SOUNDING:
        formats = ", ".join(SOUNDING)
        return f"--microphone is for formats that choose among the sound ({formats}); {form} has that of all microphones or none"
    if request.flac and form not in PACKING:
        return f"--flac is for formats that name their files of sound ({', '.join(PACKING)})"
    if form in [*ExportFormat]:
        return f"practice and discarded takes have no place in {form}; leave --all out" if request.unnumbered else ""
    if request.whole or request.pilots:
        packages = ", ".join(ExportFormat)
        return (
            f"--{'whole' if request.whole else 'pilots'} is for the formats of today ({packages}); a corpus is always exported "
            "whole, pilots marked"
        )
    if is_in(Path(request.study)) and (request.unnumbered or request.sessions):
        return (
            f"{request.study} is an exported corpus: its sessions stay as they are, so only --as and --work go with it"
        )
    return ""


def _of_study(request: ExportRequest, target: Path, out: TextIO, err: TextIO) -> int:
    found = load(Path(request.study))
    with reading(found) as store:
        refuse_study(found.folder, store)
        gathered = earlier_exports.gather(found.folder, target, request.work)
        source = asked_of(found, store, request.sessions)
        options = ExportOptions(
            request.form == WaveformFormat.RIFF,
            request.unnumbered,
            finished=gathered.finished,
            rehearsals=with_rehearsals(source, request.sessions),
            metadata=stated_in(found),
        )
        heads = {name: source.head(name) for name in source.names}
        earlier_exports.begin(found.folder, gathered, target, heads, err)
        jobs = chosen(request.jobs, request.cluster, len(source.names) >= MANY)
        done = _exported(source, found, target, options, jobs, err)
        out.write(f"{target}\n")
        earlier_exports.carry_assignments(gathered, err)
        return 1 if done.missing or done.damaged or any(why not in IN_ORDER for _, why in done.skipped) else 0


def _exported(
    source: StudySource, study: Study, target: Path, options: ExportOptions, jobs: Jobs, err: TextIO
) -> Exported:
    with counting(err, "sessions", len(source.names)) as tell:
        done = export(source, target, options, removals.held_in(study.folder), tell, jobs, study.folder)
    err.write("".join(f"{line}\n" for line in remarks(done)))
    return done


def remarks(done: Exported) -> list[str]:
    """Return the remarks on an export that a person should read."""
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
