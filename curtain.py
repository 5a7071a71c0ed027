"""The front door: one `curtain` command. A subcommand's module is imported only when that subcommand is called.

Exit status everywhere: 0 fine; 1 findings of severity error, or a wrong or missing answer; 2 the call or a file is at fault.
Data go to standard output, narration and progress to standard error.
"""

import sys

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
@click.option(
    "--from", "archive", default="", type=click.Path(), help="Another site's set-up (export --as study) instead."
)
def new(study: str, domain: str, profile: str, site: str, archive: str) -> None:
    """Make a study folder STUDY out of what ships, or out of what another site has handed over."""
    if archive:
        from session.handover import unpack_command

        _done(unpack_command(study, archive, sys.stdout, sys.stderr))
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
@click.argument("study", type=click.Path())
@click.option(
    "--listen", default="127.0.0.1:0", show_default=True, metavar="HOST:PORT", help="Off loopback it encrypts."
)
@click.option("--insecure", is_flag=True, help="Do not encrypt off loopback, and say so.")
@click.option("--sessions", default=1, show_default=True, help="How many sessions to open at once.")
def hub(study: str, listen: str, insecure: bool, sessions: int) -> None:
    """Serve STUDY alone: for several sessions, or for desks on other machines. Prints every role's address."""
    from domain.serving import hub_command

    requests = sys.stdin if sys.stdin.isatty() else None
    _done(hub_command(study, listen, insecure, sys.stdout, sys.stderr, sessions=sessions, requests=requests))


@main.command()
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
    loudspeaker: str | None,
    resume: bool | None,
    theme: str,
) -> None:
    """Run the wizard's console: over STUDY with a hub of its own, or attached to the hub at URL."""
    from wizard.running import wizard_command

    status = wizard_command(
        target,
        role=role,
        listen=listen,
        insecure=insecure,
        wizard=name,
        speaker=speaker,
        loudspeaker=loudspeaker,
        theme=theme,
        out=sys.stdout,
        err=sys.stderr,
        resume=resume,
    )
    _done(status)


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
@click.option(
    "--diff", "pair", nargs=2, default=None, metavar="SESSION SESSION", help="How two sessions' protocols differ."
)
def sessions(study: str, as_json: bool, pair: tuple[str, str] | None) -> None:
    """List what STUDY has collected, with figures."""
    from corpus.listing import differences_command, sessions_command

    if pair:
        _done(differences_command(study, *pair, sys.stdout, sys.stderr))

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
@click.option(
    "--as", "form", default="sphere", show_default=True, help="Waveforms: sphere or riff; study: the set-up alone."
)
@click.option("--all", "unnumbered", is_flag=True, help="Practice and discarded takes too.")
@click.option("--session", "sessions", multiple=True, help="Only this session; may be given several times.")
def export(study: str, directory: str, form: str, unnumbered: bool, sessions: tuple[str, ...]) -> None:
    """Write the corpus of STUDY to a new folder DIRECTORY, in the MADCOW layout; or its set-up to one file, to hand over."""
    if form == "study":
        from session.handover import pack_command

        _done(pack_command(study, directory, sys.stdout, sys.stderr))
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


@main.command()
@click.argument("url")
@click.argument("directory", type=click.Path())
def learn(url: str, directory: str) -> None:
    """Write a first domain folder DIRECTORY out of the database at URL, and say what could not be guessed."""
    from domain.learn import learn_command

    _done(learn_command(url, directory, sys.stdout, sys.stderr))


RULES = click.option("--rules", type=click.Choice(["1989", "1992"]), default="1992", show_default=True)
LENIENT = click.option("--lenient", is_flag=True, help="Special words in any mixture of cases.")


@main.command()
@click.argument("source")
@click.option("--from", "form", default="", help="cas, csv or json; by default what the name ends in.")
@click.option("--no-header", is_flag=True, help="The first line of the CSV is data.")
@click.option("--types", default="", help="Types of the columns, as letters: s string, n number, b boolean.")
@click.option("--database", default="", help="A SQLAlchemy URL; SOURCE is SQL then.")
@RULES
@click.option("--keep-order", is_flag=True, help="Do not sort the rows.")
def cas(source: str, form: str, no_header: bool, types: str, database: str, rules: str, keep_order: bool) -> None:
    """Check SOURCE, a file or -, and print it as an answer in the Common Answer Specification."""
    from evaluation.converting import cas_command

    status = cas_command(
        source,
        form=form,
        header=not no_header,
        types=types,
        database=database,
        rules=rules,
        keep_order=keep_order,
        stdin=sys.stdin,
        out=sys.stdout,
        err=sys.stderr,
    )
    _done(status)


@main.command()
@click.argument("reference", metavar="REF")
@click.argument("answer", metavar="HYP")
@click.option("--max", "maximum", default=None, metavar="RF2", help="The maximal answer.")
@RULES
@click.option("--tolerance", default="0.0001", show_default=True, help="Relative deviation of reals, or digits=N.")
@click.option("--integers", default="exact", show_default=True, help="How integers are compared.")
@click.option("--alternatives", default="any", show_default=True, help="Whether any or all alternatives must match.")
@LENIENT
@click.option("--json", "as_json", is_flag=True, help="Verdict and reasons as JSON.")
def compare(
    reference: str,
    answer: str,
    maximum: str | None,
    rules: str,
    tolerance: str,
    integers: str,
    alternatives: str,
    lenient: bool,
    as_json: bool,
) -> None:
    """Say whether HYP answers as REF does, both CAS expressions or files, and if not, why."""
    from evaluation.comparing import compare_command

    status = compare_command(
        reference,
        answer,
        maximum=maximum,
        rules=rules,
        tolerance=tolerance,
        integers=integers,
        alternatives=alternatives,
        lenient=lenient,
        as_json=as_json,
        out=sys.stdout,
        err=sys.stderr,
    )
    _done(status)


@main.command()
@click.argument("directory", type=click.Path())
@click.option("--database", required=True, help="SQLAlchemy URL of the database.")
@click.option("--domain", required=True, type=click.Path(), help="The folder with principles*.toml.")
@click.option("--principles", required=True, help="The name of the set of principles.")
@click.option("--check", is_flag=True, help="Write nothing; compare what stands there byte by byte.")
@click.option("--replace", is_flag=True, help="Write over files that exist.")
def answers(directory: str, database: str, domain: str, principles: str, check: bool, replace: bool) -> None:
    """Make .ref, .sq2 and .rf2 beside every .sql in DIRECTORY."""
    from evaluation.answering import answers_command

    status = answers_command(
        directory,
        database=database,
        domain=domain,
        principles=principles,
        check=check,
        replace=replace,
        out=sys.stdout,
        err=sys.stderr,
    )
    _done(status)


@main.command()
@click.argument("references")
@click.argument("hypotheses", nargs=-1, required=True)
@click.option("--max", "maximum", default=None, help="The list of maximal answers beside a list of references.")
@click.option("--index", default=None, help="Classes, speakers and sites of the queries.")
@click.option("--before", default=None, help="The references before adjudication.")
@click.option("--variants", multiple=True, help="A folder with references and answers on a perturbed database.")
@RULES
@click.option("--tolerance", default="0.0001", show_default=True, help="Relative deviation of reals, or digits=N.")
@LENIENT
@click.option("--weight", default=2.0, show_default=True, help="What a wrong answer costs, no answer costing 1.")
@click.option("--seed", default=1992, show_default=True, help="Of the bootstrap and permutation tests.")
@click.option("--json", "as_json", is_flag=True, help="Every table as JSON.")
@click.option("--page", default=None, type=click.Path(), help="An HTML page to write; it must not exist.")
def score(
    references: str,
    hypotheses: tuple[str, ...],
    maximum: str | None,
    index: str | None,
    before: str | None,
    variants: tuple[str, ...],
    rules: str,
    tolerance: str,
    lenient: bool,
    weight: float,
    seed: int,
    as_json: bool,
    page: str | None,
) -> None:
    """Score systems' answers (FILE, NAME=FILE or NAME@SITE=FILE each) against a corpus or a list of references."""
    from evaluation.scoring_command import score_command

    status = score_command(
        references,
        hypotheses,
        maximum=maximum,
        index=index,
        before=before,
        variants=variants,
        rules=rules,
        tolerance=tolerance,
        lenient=lenient,
        weight=weight,
        seed=seed,
        as_json=as_json,
        page=page,
        out=sys.stdout,
        err=sys.stderr,
    )
    _done(status)


if __name__ == "__main__":
    main()
