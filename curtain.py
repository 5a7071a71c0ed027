"""The front door: one `curtain` command. A subcommand's module is imported only when that subcommand is called.

Exit status everywhere: 0 fine; 1 findings of severity error, or a wrong or missing answer; 2 the call or a file is at fault.
Data go to standard output, narration and progress to standard error.
"""

import sys
from typing import Any

import click

SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(context_settings=SETTINGS)
@click.version_option(package_name="curtain-woz", prog_name="curtain")
def main() -> None:
    """Wizard-of-Oz data collection of spoken language: two terminals, one hub, a corpus that others can trust."""


def _done(status: int) -> None:
    sys.exit(status)


@main.command()
@click.argument("study", type=click.Path())
@click.option("--domain", default="air_travel", show_default=True, help="A domain that ships with Curtain.")
@click.option("--profile", default="BBN-89", show_default=True, help="Whose procedure to begin with.")
@click.option("--site", default="lab", show_default=True, help="The site's short name, part of every session's name.")
def new(study: str, domain: str, profile: str, site: str) -> None:
    """Make a study folder STUDY out of what ships."""
    from session.making import new_command

    _done(new_command(study, domain, profile, site, sys.stdout, sys.stderr))


@main.command()
@click.argument("study", required=False, default="", type=click.Path())
@click.option(
    "--out", "target", default="", type=click.Path(), help="Folder for what the rehearsal leaves; must not exist."
)
@click.option("--pace", default=1.0, show_default=True, help="How many times faster than life all clocks run.")
@click.option("--watch", is_flag=True, help="Show both screens as they change.")
def rehearse(study: str, target: str, pace: float, watch: bool) -> None:
    """Hold a whole session with scripted people, export it and verify it; needs no screen and no sound card.

    Without STUDY, a new study of what ships is rehearsed.
    """
    from rehearsal.rehearsing import rehearse_command

    _done(rehearse_command(study, target, pace, watch, sys.stdout, sys.stderr))


@main.command()
@click.argument("url")
@click.option("--microphone", default=None, help="A part of the microphone's name, or its number (see doctor).")
@click.option("--rate", default=16_000, show_default=True, help="Samples per second.")
@click.option("--code", default=None, envvar="CURTAIN_CODE", help="Locks the screen: only this code opens the way out.")
@click.option("--theme", type=click.Choice(["dark", "light", "plain"]), default="dark", show_default=True)
@click.option("--spool", default=None, type=click.Path(), help="Where to keep what the hub has not confirmed.")
def subject(url: str, microphone: str | None, rate: int, code: str | None, theme: str, spool: str | None) -> None:
    """Run the subject's terminal of the session at URL, which is printed where the session was opened."""
    from subject.running import subject_command

    _done(subject_command(url, microphone, rate, code, theme, spool, sys.stdout, sys.stderr))


@main.command()
@click.argument("target", metavar="[STUDY|URL]", required=False, default="")
@click.option(
    "--record/--no-record", default=True, show_default=True, help="Listen to the microphone for three seconds."
)
@click.option("--microphone", "device", default=None, help="A part of the microphone's name, or its number.")
def doctor(target: str, record: bool, device: str | None) -> None:
    """Say what would go wrong before it does: on this machine, with a study, or as a subject's desk of the hub at URL."""
    from rehearsal.doctor import doctor_command

    _done(doctor_command(target, record, device, sys.stdout, sys.stderr))


@main.command()
@click.argument("study", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="The list as JSON.")
def sessions(study: str, as_json: bool) -> None:
    """List what STUDY has collected, with figures."""
    from corpus.listing import sessions_command

    _done(sessions_command(study, as_json, sys.stdout, sys.stderr))


@main.command()
@click.argument("study", type=click.Path())
@click.argument("session")
@click.option("--pace", default=4.0, show_default=True, help="How many times faster than it was; 0 shows it at once.")
def replay(study: str, session: str, pace: float) -> None:
    """Show both screens of a SESSION of STUDY again, from its events."""
    from rehearsal.replaying import replay_command

    _done(replay_command(study, session, pace, sys.stdout, sys.stderr))


@main.command()
@click.argument("study", type=click.Path())
@click.argument("directory", type=click.Path())
@click.option("--as", "form", default="sphere", show_default=True, help="Form of the waveforms: sphere or riff.")
@click.option("--all", "unnumbered", is_flag=True, help="Practice and discarded takes too.")
@click.option("--session", "sessions", multiple=True, help="Only this session; may be given several times.")
def export(study: str, directory: str, form: str, unnumbered: bool, sessions: tuple[str, ...]) -> None:
    """Write the corpus of STUDY to a new folder DIRECTORY, in the MADCOW layout."""
    from corpus.exporting import export_command

    _done(export_command(study, directory, form, unnumbered, sessions, sys.stdout, sys.stderr))


@main.command()
@click.argument("directory", type=click.Path())
@click.option("--headers", is_flag=True, help="Read waveforms no further than their headers, and say so.")
@click.option("--strict", is_flag=True, help="Warnings count as errors.")
@click.option("--json", "as_json", is_flag=True, help="Findings as JSON.")
def verify(directory: str, headers: bool, strict: bool, as_json: bool) -> None:
    """Report every finding about the corpus in DIRECTORY: path, line, rule, severity, remedy."""
    from corpus.verify import verify_command

    _done(verify_command(directory, headers, strict, as_json, sys.stdout, sys.stderr))


@main.command()
@click.option("--database", required=True, help="SQLAlchemy URL of the database.")
@click.option("--domain", required=True, type=click.Path(), help="The domain's folder.")
@click.option("--today", default=None, help="The date that `today` means, as YYYY-MM-DD.")
@click.option("--json", "as_json", is_flag=True, help="JSON lines in and out.")
def ask(database: str, domain: str, today: str | None, as_json: bool) -> None:
    """Turn requests in English on standard input into SQL, outside a session."""
    from domain.asking import ask_command

    _done(ask_command(database, domain, today, as_json, sys.stdin, sys.stdout, sys.stderr))


def run(arguments: list[str]) -> Any:
    """The command as a function, for tests; returns the exit status."""
    try:
        return main.main(args=arguments, prog_name="curtain", standalone_mode=True)
    except SystemExit as end:
        return end.code


if __name__ == "__main__":
    main()
