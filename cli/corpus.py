"""The commands of `curtain` that make a corpus and work on one; their work is imported only when they are called."""

import sys
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from corpus.dataset.reader import Corpus
    from corpus.packages.package_writer import Judges

_jobs = click.option(
    "--jobs", default=None, type=click.IntRange(min=1), help="Processes; all processors for a large corpus."
)
_cluster = click.option("--cluster", default="", help="Address of a Dask scheduler that does the work instead.")


@click.command(short_help="Hold out a fifth of each site, by whole speaker.")
@click.argument("directory", type=click.Path())
@click.option("--seed", default="", help="Of the first assignment; later ones never draw again.")
@click.option("--assignments", default="", type=click.Path(), help="A second file for them, besides holdout.json.")
@click.option("--release", default="", type=click.Path(), help="Write the released part as a corpus.")
@click.option("--pool", default="", type=click.Path(), help="Write the held-out part as a corpus.")
@click.option(
    "--not-handed-over",
    "kept",
    multiple=True,
    metavar="PACKAGE",
    type=click.Path(),
    help="A package that never left the lab: its speakers may be drawn.",
)
@click.option(
    "--handed-over",
    "handed",
    multiple=True,
    metavar="PACKAGE",
    type=click.Path(),
    help="A package or corpus made elsewhere that left the lab: its speakers are never drawn.",
)
@_jobs
@_cluster
def holdout(
    directory: str,
    seed: str,
    assignments: str,
    release: str,
    pool: str,
    kept: tuple[str, ...],
    handed: tuple[str, ...],
    jobs: int | None,
    cluster: str,
) -> None:
    """Set about a fifth of each site's utterances in DIRECTORY aside, by whole speaker and for good."""
    from corpus.commands.holdout import Drawing, holdout_command

    call = Drawing(seed, assignments, release, pool, kept, handed)
    sys.exit(holdout_command(directory, call, sys.stdout, sys.stderr, jobs, cluster))


@click.command(short_help="Encrypt a test pool or a release.")
@click.argument("directory", type=click.Path())
@click.argument("target", metavar="FILE", type=click.Path())
@click.option(
    "--key", required=True, type=click.Path(), help="The file for the key, in another folder; it must not exist."
)
def encrypt(**given: Any) -> None:
    """Write the test pool or the release in DIRECTORY to FILE, a tar archive in the format of age, and its key to another."""
    from corpus.commands.encrypt import EncryptOptions, encrypt_command

    sys.exit(encrypt_command(EncryptOptions(**given), sys.stdout, sys.stderr))


@click.command(short_help="Merge the corpora of several sites.")
@click.argument("directories", metavar="DIR...", nargs=-1, required=True, type=click.Path())
@click.argument("target", type=click.Path())
@_jobs
@_cluster
def merge(**given: Any) -> None:
    """Merge the corpora DIR... of several sites in a new folder TARGET; no file is renamed."""
    from corpus.commands.merge import MergeOptions, merge_command

    sys.exit(merge_command(MergeOptions(**given), sys.stdout, sys.stderr))


@click.command("import", short_help="Make a corpus from recordings made elsewhere.")
@click.argument("source", type=click.Path())
@click.argument("directory", metavar="CORPUS", type=click.Path())
@click.option(
    "--as",
    "form",
    required=True,
    type=click.Choice(["csv", "kaldi", "lhotse", "textgrid", "elan", "bids", "madcow"]),
    help="The layout in which they lie.",
)
@click.option(
    "--site", required=True, help="Who made them, two to eight small letters and digits, as in sessions' names."
)
@click.option("--speakers", "first_speaker", default="001", show_default=True, help="The first id that a speaker gets.")
@click.option("--sounds", default="", type=click.Path(), help="The folder from which paths lead, if not SOURCE.")
@click.option(
    "--tier",
    "tiers",
    multiple=True,
    metavar="NAME",
    help="A tier with the words, * for any letters; repeatable.",
)
@click.option("--metadata", default="", metavar="FILE", help="A TOML file with [metadata], such as a study.toml.")
def import_(**given: Any) -> None:
    """Make a new corpus CORPUS from recordings and transcriptions made elsewhere, and report what was guessed."""
    from corpus.commands.import_recordings import ImportOptions, import_command
    from session.values.clock import SystemClock

    sys.exit(import_command(ImportOptions(**given), SystemClock("import"), sys.stdout, sys.stderr))


@click.command(short_help="Rename speakers of a corpus.")
@click.argument("directory", type=click.Path())
@click.argument("target", type=click.Path())
@click.argument("pairs", metavar="[OLD=NEW]...", nargs=-1)
@click.option("--by", default="", type=click.Path(), help="A renames.json to be followed here.")
@_jobs
@_cluster
def rename(**given: Any) -> None:
    """Write the corpus in DIRECTORY to a new folder TARGET with speaker OLD called NEW wherever the id stands, and verify it."""
    from corpus.commands.rename import RenameOptions, rename_command
    from session.values.clock import SystemClock

    sys.exit(rename_command(RenameOptions(**given), SystemClock("renaming"), sys.stdout, sys.stderr))


@click.command(short_help="Remove everything made from a person.")
@click.argument("target", metavar="STUDY|DIR|CENTRE")
@click.argument("speaker")
@click.option(
    "--spool",
    "spools",
    multiple=True,
    type=click.Path(exists=True, file_okay=False),
    help="A further folder with subjects' spools.",
)
@click.option("--sound-only", is_flag=True, help="The person goes on taking part; no sound is handed over any more.")
@click.option(
    "--named",
    multiple=True,
    metavar="WORDS",
    help="A name of the person, or a spelling of it, to be masked in what others said; may be given several times.",
)
@click.option("--dry-run", is_flag=True, help="Change nothing; say what would go.")
def withdraw(
    target: str,
    speaker: str,
    spools: tuple[str, ...],
    sound_only: bool,
    named: tuple[str, ...],
    dry_run: bool,
) -> None:
    """Remove everything made from SPEAKER from a study, a corpus or a data centre; the removal list goes to standard output."""
    from pathlib import Path

    from platformdirs import user_data_path, user_log_path

    from corpus.annotation.identifying_phrases import phrase_of
    from corpus.centre.centre_settings import is_centre
    from corpus.commands.withdraw import WithdrawOptions, withdraw_command
    from session.values.clock import SystemClock

    folders = (*map(Path, spools), user_data_path("curtain", appauthor=False) / "spool")
    logs = sorted(Path(user_log_path("curtain", appauthor=False)).glob("*.log"))
    if sound_only and named:
        raise click.UsageError("--named is for who leaves altogether; with --sound-only nobody's words are masked")
    try:
        phrases = tuple(map(phrase_of, named))
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    call = WithdrawOptions(speaker, folders, tuple(logs), dry_run, sound_only, phrases)
    if centre := next((place for place in (Path(target), *Path(target).resolve().parents) if is_centre(place)), None):
        from corpus.centre.withdrawal import centre_withdraw_command

        if centre != Path(target):
            raise click.UsageError(
                f"{target} is a part of the centre {centre}, from which a person leaves altogether: name it"
            )
        sys.exit(centre_withdraw_command(target, call, SystemClock("centre"), sys.stdout, sys.stderr))
    sys.exit(withdraw_command(target, call, SystemClock("withdrawal"), sys.stdout, sys.stderr))


@click.command(short_help="Correct a speaker's description.")
@click.argument("study", type=click.Path())
@click.argument("speaker")
@click.argument("values", metavar="[KEY=VALUE]...", nargs=-1)
@click.option("--person", default="", help="Who corrects; kept with the session, never exported.")
@click.option("--why", default="", metavar="TEXT", help="Why; kept with the session, never exported.")
@click.option("--session", "sessions", multiple=True, help="This visit alone; may be given several times.")
def correct(
    study: str, speaker: str, values: tuple[str, ...], person: str, why: str, sessions: tuple[str, ...]
) -> None:
    """Correct what STUDY tells of SPEAKER (sex, age, dialect, recruitment, compensation), or show it and what was corrected."""
    from corpus.commands.correct import Correction, correct_command
    from session.values.clock import SystemClock

    asked = Correction(speaker, values, person, why, sessions)
    sys.exit(correct_command(study, asked, SystemClock("correction"), sys.stdout, sys.stderr))


@click.command(short_help="Write one HTML page about a corpus.")
@click.argument("directory", type=click.Path())
@click.option("--out", "target", default="", type=click.Path(), help="The page to write; it must not exist.")
@_jobs
@_cluster
def report(**given: Any) -> None:
    """Write one HTML page about the corpus in DIRECTORY: time lines, delays, levels, counts, the methods checklist; of a data
    centre the weekly report, its text to standard output."""
    from pathlib import Path

    from corpus.centre.centre_settings import is_centre

    if is_centre(Path(given["directory"])):
        from corpus.centre.weekly_report import weekly_command
        from evaluation.references.handouts import documents_of
        from session.values.clock import SystemClock

        clock = SystemClock("centre")
        sys.exit(weekly_command(given["directory"], given["target"], clock, sys.stdout, sys.stderr, documents_of))
    from corpus.commands.report import ReportOptions, report_command
    from evaluation.scoring.sent_answers import right_answers

    sys.exit(report_command(ReportOptions(**given), sys.stdout, sys.stderr, right_answers))


@click.command(short_help="Print the figures of a corpus.")
@click.argument("directory", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="The figures as JSON.")
@_jobs
@_cluster
def stats(**given: Any) -> None:
    """Print the figures of the corpus in DIRECTORY."""
    from corpus.commands.report import StatsOptions, stats_command
    from evaluation.scoring.sent_answers import right_answers

    sys.exit(stats_command(StatsOptions(**given), sys.stdout, sys.stderr, right_answers))


class _FormatOption(click.Option):
    """`--as`, whose help names the formats from their registry, which is imported only to show it."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        from corpus.packages.formats import ExportFormat, WaveformFormat

        waveforms, packages = " or ".join(WaveformFormat), ", ".join(ExportFormat)
        self.help = f"The corpus with its waveforms as {waveforms}; a package: {packages}; study: the set-up alone."
        return super().get_help_record(ctx)


@click.command(short_help="Export a corpus, a package or a study's set-up.")
@click.argument("study", metavar="STUDY|CORPUS", type=click.Path())
@click.argument("directory", type=click.Path())
@click.option(
    "--as",
    "form",
    default="",
    show_default="sphere; of a CORPUS as they are",
    cls=_FormatOption,
)
@click.option("--all", "unnumbered", is_flag=True, help="Practice and discarded takes too.")
@click.option("--session", "sessions", multiple=True, help="Only this session; may be given several times.")
@click.option("--work", multiple=True, type=click.Path(), help="A work.sqlite that no earlier export here tells of.")
@click.option("--whole", is_flag=True, help="In a package, include speakers held out for tests.")
@click.option("--pilots", is_flag=True, help="In a format of today, pilot sessions too, which are no data.")
@click.option(
    "--database", default="", type=click.Path(), help="With text2sql and csv, the SQLite file of a domain of one's own."
)
@click.option(
    "--microphone",
    "microphones",
    multiple=True,
    metavar="LETTER",
    help="In a format of single waveforms, this microphone in place of s; may be given several times.",
)
@click.option("--flac", is_flag=True, help="The sound as FLAC: in audiofolder, lhotse, manifest and webdataset.")
@_jobs
@_cluster
def export(form: str, **given: Any) -> None:
    """Write the corpus of STUDY to a new folder DIRECTORY, in the MADCOW layout, or STUDY or an exported CORPUS in a format of
    today; or the set-up of STUDY to one file, to hand over."""
    study, directory, others = given.pop("study"), given.pop("directory"), given
    if form == "study":
        if any(others.values()):
            raise click.UsageError(
                "--as study packs the set-up, in which nobody has spoken yet: leave the other options out"
            )
        from session.study.archive import pack_command

        sys.exit(pack_command(study, directory, sys.stdout, sys.stderr))
    from corpus.commands.export import ExportRequest, export_command

    request = ExportRequest(study, directory, form, **others)
    sys.exit(export_command(request, sys.stdout, sys.stderr, _shipped_database, _judges(study, request.database)))


def _judges(study: str, named: str) -> "Judges":
    """Return who judges: declared solutions by the database `named`, the study's own, or one that ships, of the same version."""
    from corpus.packages.package_writer import Judges
    from evaluation.scoring.sent_answers import right_answers

    def find(domain: str, version: str) -> "Path":
        from pathlib import Path

        from corpus.io.staging import Refused

        name = f"{version.replace(' ', '-')}.sqlite"
        built = Path(study) / "database" / name
        found = Path(named) if named else built if built.is_file() else _shipped_database(domain)
        if not named and found.name != name:
            raise Refused(f"the database {version} is not here")
        return found

    def judge(corpus: "Corpus") -> "Mapping[str, str]":
        from study.exported_solutions import verdicts_of

        return verdicts_of(corpus, find)

    return Judges(judge, right_answers)


def _shipped_database(domain: str) -> "Path":
    """Return the database of a domain that ships; raises Refused for any other."""
    from platformdirs import user_cache_path

    from corpus.io.staging import Refused
    from domain.database.build import DatabaseError, shipped_database

    try:
        return shipped_database(domain, user_cache_path("curtain", appauthor=False) / "databases")
    except (DatabaseError, OSError) as error:
        raise Refused(f"{error}; name the SQLite file of the domain: --database FILE") from None


@click.command(short_help="Show logs as dialogues.")
@click.argument("logs", metavar="LOG...", nargs=-1, required=True, type=click.Path())
@click.option("--seen", "seen_only", is_flag=True, help="Only what the participant perceived.")
def show(logs: tuple[str, ...], seen_only: bool) -> None:
    """Show each LOG of a subject-scenario as a dialogue; no corpus has to be there."""
    from corpus.commands.show import show_command

    sys.exit(show_command(logs, seen_only, sys.stdout, sys.stderr))


@click.command(short_help="Report every finding about a corpus.")
@click.argument("directory", type=click.Path())
@click.option("--headers", is_flag=True, help="Read waveforms no further than their headers, and say so.")
@click.option("--strict", is_flag=True, help="Warnings count as errors.")
@click.option("--json", "as_json", is_flag=True, help="Findings as JSON.")
@_jobs
@_cluster
def verify(**given: Any) -> None:
    """Report every finding about the corpus in DIRECTORY: path, line, rule, severity, remedy."""
    from corpus.verify.verify import VerifyOptions, verify_command

    sys.exit(verify_command(VerifyOptions(**given), sys.stdout, sys.stderr))
