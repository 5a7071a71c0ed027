"""The commands of `curtain` that make a corpus and work on one; their work is imported only when they are called."""

import sys
from typing import TYPE_CHECKING, Any

import click

from cli.shared_options import cluster, jobs

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from corpus.dataset.reader import Corpus
    from corpus.packages.package_writer import Judges


@click.command(short_help="Hold out a fifth of each site, by whole speaker.")
@click.argument("directory", type=click.Path())
@click.option("--seed", default="", help="Seed of the first assignment, which is never drawn again.")
@click.option(
    "--assignments", default="", type=click.Path(), help="Second file for the assignments, besides holdout.json."
)
@click.option("--release", default="", type=click.Path(), help="Write the released part to this new corpus.")
@click.option("--pool", default="", type=click.Path(), help="Write the held-out part to this new corpus.")
@click.option(
    "--not-handed-over",
    "kept",
    multiple=True,
    metavar="PACKAGE",
    type=click.Path(),
    help="Package that never left the lab: its speakers may be held out.",
)
@click.option(
    "--handed-over",
    "handed",
    multiple=True,
    metavar="PACKAGE",
    type=click.Path(),
    help="Package or corpus that left the lab: its speakers are never held out.",
)
@jobs
@cluster
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
    """Hold out about a fifth of each site's utterances in DIRECTORY for tests, by whole speaker and permanently."""
    from corpus.commands.holdout import HoldoutOptions, holdout_command

    call = HoldoutOptions(seed, assignments, release, pool, kept, handed)
    sys.exit(holdout_command(directory, call, sys.stdout, sys.stderr, jobs, cluster))


@click.command(short_help="Encrypt a test pool or a release.")
@click.argument("directory", type=click.Path())
@click.argument("target", metavar="FILE", type=click.Path())
@click.option("--key", required=True, type=click.Path(), help="New file for the key, in another folder.")
def encrypt(**given: Any) -> None:
    """Encrypt the test pool or the release in DIRECTORY as FILE, a tar archive in age's format, with the key in another file."""
    from corpus.commands.encrypt import EncryptOptions, encrypt_command

    sys.exit(encrypt_command(EncryptOptions(**given), sys.stdout, sys.stderr))


@click.command(short_help="Merge the corpora of several sites.")
@click.argument("directories", metavar="DIR...", nargs=-1, required=True, type=click.Path())
@click.argument("target", type=click.Path())
@jobs
@cluster
def merge(**given: Any) -> None:
    """Merge the corpora DIR... of several sites into the new folder TARGET, without renaming files."""
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
    help="Layout of the source.",
)
@click.option("--site", required=True, help="Name of the collecting site: two to eight lower-case letters and digits.")
@click.option("--speakers", "first_speaker", default="001", show_default=True, help="First speaker id to assign.")
@click.option("--sounds", default="", type=click.Path(), help="Base folder of the paths [default: SOURCE].")
@click.option(
    "--tier",
    "tiers",
    multiple=True,
    metavar="NAME",
    help="Tier with the words, with * as a wildcard; repeatable.",
)
@click.option("--metadata", default="", metavar="FILE", help="TOML file with [metadata], such as a study.toml.")
def import_(**given: Any) -> None:
    """Make the new corpus CORPUS from recordings and transcriptions made elsewhere, and report guesses."""
    from corpus.commands.import_recordings import ImportOptions, import_command
    from session.values.clock import SystemClock

    sys.exit(import_command(ImportOptions(**given), SystemClock("import"), sys.stdout, sys.stderr))


@click.command(short_help="Rename speakers of a corpus.")
@click.argument("directory", type=click.Path())
@click.argument("target", type=click.Path())
@click.argument("pairs", metavar="[OLD=NEW]...", nargs=-1)
@click.option("--by", default="", type=click.Path(), help="A renames.json to apply.")
@jobs
@cluster
def rename(**given: Any) -> None:
    """Copy the corpus in DIRECTORY to the new folder TARGET with speaker OLD renamed to NEW everywhere, and verify the copy."""
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
    help="Further folder with subjects' spools.",
)
@click.option("--sound-only", is_flag=True, help="Withdraw only the audio; the person stays in the data.")
@click.option(
    "--named",
    multiple=True,
    metavar="WORDS",
    help="Name of the person, or a spelling of it, to mask in other people's speech; repeatable.",
)
@click.option("--dry-run", is_flag=True, help="Print what would be removed; change nothing.")
def withdraw(
    target: str,
    speaker: str,
    spools: tuple[str, ...],
    sound_only: bool,
    named: tuple[str, ...],
    dry_run: bool,
) -> None:
    """Remove everything made from SPEAKER from a study, a corpus or a data centre, and print the removal list."""
    from pathlib import Path

    from platformdirs import user_data_path, user_log_path

    from corpus.annotation.identifying_phrases import phrase_of
    from corpus.centre.centre_settings import is_centre
    from corpus.commands.withdraw import WithdrawOptions, withdraw_command
    from session.values.clock import SystemClock

    folders = (*map(Path, spools), user_data_path("curtain", appauthor=False) / "spool")
    logs = sorted(Path(user_log_path("curtain", appauthor=False)).glob("*.log"))
    if sound_only and named:
        raise click.UsageError("--named cannot be combined with --sound-only, which masks no words")
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
@click.option("--person", default="", help="Name of the corrector; stored with the session, never exported.")
@click.option("--why", default="", metavar="TEXT", help="Reason; stored with the session, never exported.")
@click.option("--session", "sessions", multiple=True, help="Correct only this visit; repeatable.")
def correct(
    study: str, speaker: str, values: tuple[str, ...], person: str, why: str, sessions: tuple[str, ...]
) -> None:
    """Correct the description of SPEAKER in STUDY (sex, age, dialect, recruitment, compensation), or show it with its history."""
    from corpus.commands.correct import Correction, correct_command
    from session.values.clock import SystemClock

    asked = Correction(speaker, values, person, why, sessions)
    sys.exit(correct_command(study, asked, SystemClock("correction"), sys.stdout, sys.stderr))


@click.command(short_help="Write one HTML page about a corpus.")
@click.argument("directory", type=click.Path())
@click.option("--out", "target", default="", type=click.Path(), help="New file for the page.")
@jobs
@cluster
def report(**given: Any) -> None:
    """Write an HTML page about the corpus in DIRECTORY: time lines, delays, levels, counts, the methods checklist. For a data
    centre, write the weekly report and print its text."""
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
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@jobs
@cluster
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
        self.help = f"Format: a corpus with waveforms as {waveforms}; a package: {packages}; or study: only the set-up."
        return super().get_help_record(ctx)


@click.command(short_help="Export a corpus, a package or a study's set-up.")
@click.argument("study", metavar="STUDY|CORPUS", type=click.Path())
@click.argument("directory", type=click.Path())
@click.option(
    "--as",
    "form",
    default="",
    show_default="sphere; for a CORPUS, unchanged",
    cls=_FormatOption,
)
@click.option("--all", "unnumbered", is_flag=True, help="Include practice and discarded takes.")
@click.option("--session", "sessions", multiple=True, help="Export only this session; repeatable.")
@click.option("--work", multiple=True, type=click.Path(), help="A work.sqlite that is not beside an earlier export.")
@click.option("--whole", is_flag=True, help="Include speakers held out for tests in a package.")
@click.option("--pilots", is_flag=True, help="Include pilot sessions in a package.")
@click.option("--database", default="", type=click.Path(), help="SQLite file of your own domain, for text2sql and csv.")
@click.option(
    "--microphone",
    "microphones",
    multiple=True,
    metavar="LETTER",
    help="Microphone to use instead of s, in formats with single waveforms; repeatable.",
)
@click.option("--flac", is_flag=True, help="Write FLAC, in audiofolder, lhotse, manifest and webdataset.")
@jobs
@cluster
def export(form: str, **given: Any) -> None:
    """Export STUDY to the new folder DIRECTORY as a corpus in the MADCOW layout, STUDY or CORPUS as a package in a current
    format, or the set-up of STUDY as one file."""
    study, directory, others = given.pop("study"), given.pop("directory"), given
    if form == "study":
        if any(others.values()):
            raise click.UsageError("--as study packs only the set-up, without recordings: omit the other options")
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
@click.option("--seen", "seen_only", is_flag=True, help="Show only what the participant perceived.")
def show(logs: tuple[str, ...], seen_only: bool) -> None:
    """Print each LOG of a subject-scenario as a dialogue; needs no corpus."""
    from corpus.commands.show import show_command

    sys.exit(show_command(logs, seen_only, sys.stdout, sys.stderr))


@click.command(short_help="Report every finding about a corpus.")
@click.argument("directory", type=click.Path())
@click.option("--headers", is_flag=True, help="Read only the headers of waveforms, and say so.")
@click.option("--strict", is_flag=True, help="Treat warnings as errors.")
@click.option("--json", "as_json", is_flag=True, help="Print findings as JSON.")
@jobs
@cluster
def verify(**given: Any) -> None:
    """Report every finding about the corpus in DIRECTORY: path, line, rule, severity, remedy."""
    from corpus.verify.verify import VerifyOptions, verify_command

    sys.exit(verify_command(VerifyOptions(**given), sys.stdout, sys.stderr))
