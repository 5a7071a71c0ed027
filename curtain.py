"""The front door: one `curtain` command. A subcommand's module is imported only when that subcommand is called.

Exit status everywhere: 0 fine; 1 findings of severity error, or a wrong or missing answer; 2 the call or a file is at fault;
130 interrupted with Ctrl-C. Data go to standard output, narration and progress to standard error.
"""

import sys

INTERRUPTED = 130
"""What a shell gives for a program that an interrupt has ended."""


def _interrupted() -> "NoReturn":
    sys.stderr.write("\ninterrupted\n")
    sys.exit(INTERRUPTED)


try:
    import errno
    import os
    from importlib import import_module
    from typing import Any, NoReturn

    import click
except KeyboardInterrupt:  # they take long enough to load for somebody to think better of it
    _interrupted()

SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


ELSEWHERE = {
    "answers": ("cli.evaluation", "Make reference answers beside every .sql."),
    "cas": ("cli.evaluation", "Check and print an answer in CAS."),
    "compare": ("cli.evaluation", "Say whether an answer is right, and if not, why."),
    "correct": ("cli.corpus", "Correct what was told of a speaker."),
    "encrypt": ("cli.corpus", "Encrypt a set with a key of its own."),
    "holdout": ("cli.corpus", "Set a fifth of each site aside, by whole speaker."),
    "luck": ("cli.evaluation", "Show which answers are right by luck."),
    "merge": ("cli.corpus", "Put the corpora of several sites together."),
    "rename": ("cli.corpus", "Give speakers of a corpus other ids."),
    "report": ("cli.corpus", "Write one HTML page about a corpus."),
    "score": ("cli.evaluation", "Score systems' answers against references."),
    "stats": ("cli.corpus", "Print the figures of a corpus."),
    "transcribe": ("cli.annotator", "Open the transcription desk on a corpus."),
    "withdraw": ("cli.corpus", "Remove everything made from a person."),
}
"""Subcommands that stand beside their rooms, with their help: `--help` is to load none of them."""


class Door(click.Group):
    """The group of all subcommands, those elsewhere fetched when they are called."""

    def invoke(self, ctx: click.Context) -> Any:
        # Nothing multiplies matrices; threads made for it would spin in each process as it starts, beside those that work.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            _interrupted()
        except OSError as error:
            if error.errno != errno.ENAMETOOLONG:
                raise
            raise click.UsageError(
                f"the name {str(error.filename)[:40]!r}... is too long for this disk; give a shorter one"
            ) from None

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *ELSEWHERE})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in ELSEWHERE:
            return super().get_command(ctx, cmd_name)
        found: click.Command = getattr(import_module(ELSEWHERE[cmd_name][0]), cmd_name)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        shown = [(name, self._short_help(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(shown)

    def _short_help(self, ctx: click.Context, name: str) -> str:
        if name in ELSEWHERE:
            return ELSEWHERE[name][1]
        known = self.get_command(ctx, name)
        return known.get_short_help_str(limit=60) if known else ""


@click.group(cls=Door, context_settings=SETTINGS)
@click.version_option(package_name="curtain-woz", prog_name="curtain")
def main() -> None:
    """Wizard-of-Oz data collection of spoken language: two terminals, one hub, a corpus that others can trust."""


def _done(status: int) -> None:
    sys.exit(status)


@main.command(short_help="Make a study folder.")
@click.argument("study", type=click.Path())
@click.option("--domain", default="air_travel", show_default=True, help="A domain that ships with Curtain.")
@click.option("--profile", default="BBN-89", show_default=True, help="Whose procedure to begin with.")
@click.option("--site", default="lab", show_default=True, help="The site's short name, part of every session's name.")
@click.option(
    "--from", "archive", default="", type=click.Path(), help="Another site's set-up (export --as study) instead."
)
def new(study: str, domain: str, profile: str, site: str, archive: str) -> None:
    """Make a study folder STUDY out of what ships, or out of what another site has handed over."""
    if archive:
        from session.study.archive import unpack_command

        _done(unpack_command(study, archive, sys.stdout, sys.stderr))
    from session.study.create import new_command

    _done(new_command(study, domain, profile, site, sys.stdout, sys.stderr))


@main.command(short_help="Hold a whole session with scripted people.")
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
    from rehearsal.command import rehearse_command

    _done(rehearse_command(study, target, pace, watch, sys.stdout, sys.stderr))


@main.command(short_help="Serve a study: several sessions, desks elsewhere.")
@click.argument("study", type=click.Path())
@click.option(
    "--listen", default="127.0.0.1:0", show_default=True, metavar="HOST:PORT", help="Off loopback it encrypts."
)
@click.option("--insecure", is_flag=True, help="Do not encrypt off loopback, and say so.")
@click.option("--sessions", default=1, show_default=True, help="How many sessions to open at once.")
def hub(study: str, listen: str, insecure: bool, sessions: int) -> None:
    """Serve STUDY alone: for several sessions, or for desks on other machines. Prints every role's address."""
    from corpus.verify.session_check import checked
    from server.hub_command import hub_command

    requests = sys.stdin if sys.stdin.isatty() else None
    _done(
        hub_command(
            study, listen, insecure, sys.stdout, sys.stderr, sessions=sessions, requests=requests, closing=checked
        )
    )


@main.command(short_help="Run the wizard's console.")
@click.argument("target", metavar="STUDY|URL")
@click.option(
    "--as",
    "role",
    default="wizard",
    show_default=True,
    help="With a STUDY; a URL's token tells the role.",
    type=click.Choice(["wizard", "transcriber", "experimenter", "observer"]),
)
@click.option(
    "--listen", default="127.0.0.1:0", show_default=True, metavar="HOST:PORT", help="Off loopback it encrypts."
)
@click.option("--insecure", is_flag=True, help="Do not encrypt off loopback, and say so on the screen.")
@click.option("--wizard", "name", default="", help="Who sits here; kept with the session.")
@click.option("--speaker", default="", help="The subject's id; without it the site's next free one.")
@click.option(
    "--about",
    multiple=True,
    metavar="KEY=VALUE",
    help="What is known of the subject: sex (f, m, x), age, dialect, recruitment, compensation.",
)
@click.option("--loudspeaker", default=None, help="A part of the headphones' name, or their number.")
@click.option("--resume/--new", default=None, help="Take up the last session that has not ended, or open a new one.")
@click.option("--theme", type=click.Choice(["dark", "light", "plain"]), default="dark", show_default=True)
def wizard(
    target: str,
    role: str,
    listen: str,
    insecure: bool,
    name: str,
    speaker: str,
    about: tuple[str, ...],
    loudspeaker: str | None,
    resume: bool | None,
    theme: str,
) -> None:
    """Run the wizard's console: over STUDY with a hub of its own, or attached to the hub at URL."""
    from wizard.command import wizard_command

    status = wizard_command(
        target,
        role=role,
        listen=listen,
        insecure=insecure,
        wizard=name,
        speaker=speaker,
        loudspeaker=loudspeaker,
        theme=theme,
        err=sys.stderr,
        resume=resume,
        about=about,
    )
    _done(status)


@main.command(short_help="Run the subject's terminal.")
@click.argument("url")
@click.option(
    "--microphone",
    "microphones",
    multiple=True,
    metavar="[LETTERS=]DEVICE[@RATE]",
    help="A part of its name or its number (see doctor); up to four, such as s=Sennheiser and c=Crown@8000. "
    "Without any: those of the profile.",
)
@click.option(
    "--rate", default=None, type=click.IntRange(8_000, 48_000), help="Samples per second; 16000 if nothing says."
)
@click.option("--code", default=None, envvar="CURTAIN_CODE", help="Locks the screen: only this code opens the way out.")
@click.option("--theme", type=click.Choice(["dark", "light", "plain"]), default="dark", show_default=True)
@click.option("--spool", default=None, type=click.Path(), help="Where to keep what the hub has not confirmed.")
def subject(
    url: str, microphones: tuple[str, ...], rate: int | None, code: str | None, theme: str, spool: str | None
) -> None:
    """Run the subject's terminal of the session at URL, which is printed where the session was opened."""
    from subject.command import subject_command

    _done(subject_command(url, microphones, rate, code, theme, spool, sys.stdout, sys.stderr))


@main.command(short_help="Say what would go wrong before it does.")
@click.argument("target", metavar="[STUDY|URL]", required=False, default="")
@click.option(
    "--record/--no-record", default=True, show_default=True, help="Listen to each microphone for three seconds."
)
@click.option(
    "--microphone",
    "microphones",
    multiple=True,
    metavar="[LETTERS=]DEVICE[@RATE]",
    help="A part of its name or its number; may be given several times. Without any: the study's, or the default one.",
)
@click.option("--play/--no-play", "playing", default=True, show_default=True, help="Play what was heard.")
def doctor(target: str, record: bool, microphones: tuple[str, ...], playing: bool) -> None:
    """Say what would go wrong before it does: on this machine, with a study, or as a subject's desk of the hub at URL."""
    from rehearsal.doctor import doctor_command

    _done(doctor_command(target, record, microphones, sys.stdout, sys.stderr, playing=playing))


@main.command(short_help="List what a study has collected.")
@click.argument("study", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="The list as JSON.")
@click.option("--check", is_flag=True, help="Say of each session that has ended whether it is done, and what is not.")
@click.option(
    "--diff", "pair", nargs=2, default=None, metavar="SESSION SESSION", help="How two sessions' protocols differ."
)
def sessions(study: str, as_json: bool, check: bool, pair: tuple[str, str] | None) -> None:
    """List what STUDY has collected, with figures."""
    from corpus.commands.sessions import differences_command, sessions_command

    if pair:
        _done(differences_command(study, *pair, sys.stdout, sys.stderr))

    _done(sessions_command(study, as_json, sys.stdout, sys.stderr, check))


@main.command(short_help="Show both screens of a session again.")
@click.argument("study", type=click.Path())
@click.argument("session")
@click.option("--pace", default=4.0, show_default=True, help="How many times faster than it was; 0 shows it at once.")
def replay(study: str, session: str, pace: float) -> None:
    """Show both screens of a SESSION of STUDY again, from its events."""
    from rehearsal.replay import replay_command

    _done(replay_command(study, session, pace, sys.stdout, sys.stderr))


@main.command(short_help="Write the corpus of a study.")
@click.argument("study", metavar="STUDY|CORPUS", type=click.Path())
@click.argument("directory", type=click.Path())
@click.option(
    "--as",
    "form",
    default="sphere",
    show_default=True,
    help="The corpus with its waveforms as sphere or riff; kaldi, audiofolder, lhotse, trn, stm, textgrid, bagit or csv; "
    "study: the set-up alone, in one file.",
)
@click.option("--all", "unnumbered", is_flag=True, help="Practice and discarded takes too.")
@click.option("--session", "sessions", multiple=True, help="Only this session; may be given several times.")
@click.option("--work", multiple=True, type=click.Path(), help="A work.sqlite that no earlier export here tells of.")
@click.option("--whole", is_flag=True, help="In a format of today, speakers who are held out for tests too.")
@click.option("--pilots", is_flag=True, help="In a format of today, pilot sessions too, which are no data.")
@click.option("--jobs", default=None, type=click.IntRange(min=1), help="Processes; all processors for a large corpus.")
@click.option("--cluster", default="", help="Address of a Dask scheduler that does the work instead.")
def export(
    study: str,
    directory: str,
    form: str,
    unnumbered: bool,
    sessions: tuple[str, ...],
    work: tuple[str, ...],
    whole: bool,
    pilots: bool,
    jobs: int | None,
    cluster: str,
) -> None:
    """Write the corpus of STUDY to a new folder DIRECTORY, in the MADCOW layout, or STUDY or an exported CORPUS in a format of
    today; or the set-up of STUDY to one file, to hand over."""
    if form == "study":
        if unnumbered or sessions or work or whole or pilots or jobs or cluster:
            raise click.UsageError(
                "--as study packs the set-up, in which nobody has spoken yet: leave the other options out"
            )
        from session.study.archive import pack_command

        _done(pack_command(study, directory, sys.stdout, sys.stderr))
    from corpus.commands.export import export_command

    _done(
        export_command(
            study, directory, form, unnumbered, sessions, sys.stdout, sys.stderr, work, whole, jobs, cluster, pilots
        )
    )


@main.command(short_help="Report every finding about a corpus.")
@click.argument("directory", type=click.Path())
@click.option("--headers", is_flag=True, help="Read waveforms no further than their headers, and say so.")
@click.option("--strict", is_flag=True, help="Warnings count as errors.")
@click.option("--json", "as_json", is_flag=True, help="Findings as JSON.")
@click.option("--jobs", default=None, type=click.IntRange(min=1), help="Processes; all processors for a large corpus.")
@click.option("--cluster", default="", help="Address of a Dask scheduler that does the work instead.")
def verify(directory: str, headers: bool, strict: bool, as_json: bool, jobs: int | None, cluster: str) -> None:
    """Report every finding about the corpus in DIRECTORY: path, line, rule, severity, remedy."""
    from corpus.verify.verify import verify_command

    _done(verify_command(directory, headers, strict, as_json, sys.stdout, sys.stderr, jobs, cluster))


@main.command(short_help="Turn requests in English into SQL.")
@click.option("--database", required=True, help="SQLAlchemy URL of the database.")
@click.option("--domain", required=True, type=click.Path(), help="The domain's folder.")
@click.option("--today", default=None, help="The date that `today` means, as YYYY-MM-DD.")
@click.option("--json", "as_json", is_flag=True, help="JSON lines in and out.")
def ask(database: str, domain: str, today: str | None, as_json: bool) -> None:
    """Turn requests in English on standard input into SQL, outside a session."""
    from domain.commands.ask import ask_command

    _done(ask_command(database, domain, today, as_json, sys.stdin, sys.stdout, sys.stderr))


@main.command(short_help="Write a first domain folder from a database.")
@click.argument("url")
@click.argument("directory", type=click.Path())
def learn(url: str, directory: str) -> None:
    """Write a first domain folder DIRECTORY out of the database at URL, and say what could not be guessed."""
    from domain.learn.learn import learn_command

    _done(learn_command(url, directory, sys.stdout, sys.stderr))


if __name__ == "__main__":
    main()
