"""The commands that prepare and manage a study: `new`, `doctor`, `rehearse`, `design`, `roster` and others."""

import sys
from typing import Any

import click

from cli.shared_options import headphones, theme


@click.command(short_help="Create a study folder.")
@click.argument("study", type=click.Path())
@click.option(
    "--domain",
    "domains",
    default=("air_travel",),
    multiple=True,
    show_default=True,
    help="Domain that ships, or folder of a domain; repeatable: levels of a factor can name further domains.",
)
@click.option(
    "--database",
    "databases",
    multiple=True,
    metavar="[NAME=]URL",
    help="SQLAlchemy URL of the database of a domain given by folder; for a further domain, NAME=URL.",
)
@click.option("--profile", default="BBN-89", show_default=True, help="Profile of the study.")
@click.option("--site", default="lab", show_default=True, help="Short name of the site, used in session names.")
@click.option("--language", default="en", show_default=True, help="Language of the participants' texts: en, de or es.")
@click.option(
    "--from",
    "archive",
    default="",
    type=click.Path(),
    help="Create the study from another site's set-up (export --as study).",
)
def new(
    study: str,
    domains: tuple[str, ...],
    databases: tuple[str, ...],
    profile: str,
    site: str,
    language: str,
    archive: str,
) -> None:
    """Create the study folder STUDY from the files that ship, or from another site's set-up.

    On a terminal, the command asks for the corpus's description and citation; Enter skips a question.
    """
    if archive:
        from session.study.archive import unpack_command

        sys.exit(unpack_command(study, archive, sys.stdout, sys.stderr))
    from session.study.create import new_command

    answers = sys.stdin if sys.stdin.isatty() and sys.stderr.isatty() else None
    sys.exit(
        new_command(study, domains[0], profile, site, sys.stdout, sys.stderr, language, answers, databases, domains[1:])
    )


@click.command(short_help="Check a machine, a study or a connection.")
@click.argument("target", metavar="[STUDY|URL]", required=False, default="")
@click.option(
    "--record/--no-record", default=True, show_default=True, help="Record three seconds from each microphone."
)
@click.option(
    "--microphone",
    "microphones",
    multiple=True,
    metavar="[LETTERS=]DEVICE[@RATE]",
    help="Name, part of it, or number of a microphone; repeatable [default: the study's, or the system's].",
)
@click.option("--play/--no-play", "playing", default=True, show_default=True, help="Play the recording.")
@click.option(
    "--keys",
    "desk",
    default="",
    metavar="DESK",
    help="Test only the keys of a desk: subject, wizard or annotator.",
)
def doctor(target: str, record: bool, microphones: tuple[str, ...], playing: bool, desk: str) -> None:
    """Check this machine, a study, or the connection from a subject's desk to the hub at URL."""
    from rehearsal.doctor import doctor_command, keys_command

    if desk:
        sys.exit(keys_command(desk, sys.stdin.isatty() and sys.stdout.isatty(), sys.stdout, sys.stderr))
    sys.exit(doctor_command(target, record, microphones, sys.stdout, sys.stderr, playing=playing))


@click.command(short_help="Run a whole session with scripted people.")
@click.argument("study", required=False, default="", type=click.Path())
@click.option(
    "--out", "target", default="", type=click.Path(), help="New folder for the study and the corpus of the rehearsal."
)
@click.option("--pace", default=1.0, show_default=True, help="Speed of all clocks, as a multiple of real time.")
@click.option("--watch", is_flag=True, help="Show the screens of both desks; side by side from 160 columns on.")
@click.option("--machines", is_flag=True, help="Let machines operate the stages that the profile gives them.")
@click.option(
    "--condition",
    default="",
    metavar="TEXT",
    help="Condition, by name or by levels such as topic=staff [default: the next subject's].",
)
@click.option("--transcriber", is_flag=True, help="Add a second wizard to transcribe (TI).")
def rehearse(
    study: str, target: str, pace: float, watch: bool, machines: bool, condition: str, transcriber: bool
) -> None:
    """Run a whole session with scripted people, export it and verify it; needs no screen and no sound card.

    Without STUDY, the command rehearses a new study.
    """
    from rehearsal.command import rehearse_command

    played = {"machines": machines, "transcriber": transcriber}
    sys.exit(rehearse_command(study, target, pace, watch, sys.stdout, sys.stderr, condition=condition, **played))


@click.command(short_help="Make a demonstration corpus.")
@click.argument("directory", type=click.Path())
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0), help="Seed for all random draws.")
def demo(directory: str, seed: int) -> None:
    """Make a small synthetic corpus in the new folder DIRECTORY: three sites, 20 speakers, annotated, judged, scored, split, and
    in every export format."""
    from rehearsal.demonstration.demo_command import demo_command

    sys.exit(demo_command(directory, seed, sys.stdout, sys.stderr))


@click.command(short_help="Train and certify a wizard.")
@click.argument("study", type=click.Path())
@click.option("--wizard", default="", metavar="NAME", help="Name of the wizard, as used at the console.")
@click.option(
    "--drill",
    default="play",
    show_default=True,
    metavar="SESSION|DIR[:SESSION]",
    help="Drill: the domain's play, a session of STUDY, or one of a corpus.",
)
@click.option("--condition", default="", metavar="LEVELS", help="Condition of the drill, such as delay=slow.")
@click.option("--turns", default=0, type=click.IntRange(0), help="Maximal number of utterances; 0 is all.")
@click.option("--curve", is_flag=True, help="Print the learning curves of --wizard, or of all, and play nothing.")
@headphones
@theme
def train(study: str, **options: Any) -> None:
    """Run a drill at the real console with a scripted or recorded subject; exit with 1 if it was failed or broken off.

    Each turn is judged when it is over. [training] in study.toml sets the pass mark.
    """
    from rehearsal.training.train_command import TrainOptions, train_command

    sys.exit(train_command(study, TrainOptions(**options), sys.stdout, sys.stderr))


@click.command(short_help="Show a study's design, slots and balance.")
@click.argument("study", type=click.Path())
@click.option("--csv", "as_csv", is_flag=True, help="Print the plan as CSV, one line per slot and visit.")
@click.option(
    "--simulate",
    "ratio",
    default=0.0,
    metavar="RATIO",
    help="Estimate the number of subjects needed to detect that scenarios take RATIO times as long under a factor's last "
    "level as under its first.",
)
@click.option("--factor", default="", metavar="NAME", help="Factor for --simulate, if there are several.")
@click.option("--power", default=0.8, show_default=True, help="Statistical power for --simulate.")
@click.option(
    "--spread",
    nargs=2,
    type=float,
    default=None,
    metavar="SUBJECT RESIDUAL",
    help="Standard deviations of log times for --simulate [default: from a pilot].",
)
def design(
    study: str, as_csv: bool, ratio: float, factor: str, power: float, spread: tuple[float, float] | None
) -> None:
    """Show the plan of STUDY by its design: every slot with its subject, the balance so far, and shortages."""
    if ratio:
        from study.power_command import PowerOptions, power_command

        sys.exit(power_command(study, PowerOptions(ratio, factor, power, spread), sys.stdout, sys.stderr))
    if factor or spread:
        raise click.UsageError("--factor and --spread go with --simulate RATIO")
    from study.design_command import design_command

    sys.exit(design_command(study, as_csv=as_csv, out=sys.stdout, err=sys.stderr))


@click.command(short_help="Show or edit a study's participants, by pseudonym.")
@click.argument("study", type=click.Path())
@click.option("--invite", is_flag=True, help="Add a person, under the next free id or that of --person.")
@click.option("--pilot", is_flag=True, help="With --invite: add the person as a pilot, who never counts.")
@click.option("--person", default="", metavar="ID", help="Speaker id of the person.")
@click.option(
    "--answer", "answers", multiple=True, metavar="ITEM=VALUE", help="Answer to an item of demographics.toml."
)
@click.option("--appointment", default="", metavar="DATE", help="Add an appointment, YYYY-MM-DD HH:MM.")
@click.option(
    "--drop", default=None, metavar="REASON", help="Record that the person dropped out; the slot becomes free."
)
@click.option("--csv", "as_csv", is_flag=True, help="Print the roster as CSV.")
@click.option(
    "--identities", default="", metavar="FILE", help="Encrypted file of names and contacts, outside the study."
)
@click.option("--key", default="", metavar="FILE", help="File with the key for --identities, in another folder.")
@click.option("--name", default="", help="With --invite: the person's name, for --identities.")
@click.option("--contact", default="", help="With --invite: the person's contact, for --identities.")
@click.option("--write-to", is_flag=True, help="Print names and contacts, of --person or of all.")
@click.option("--forget", is_flag=True, help="Remove --person from --identities.")
@click.option("--codes", is_flag=True, help="Print each session's completion code; with --csv, as CSV.")
def roster(**options: Any) -> None:
    """Show or edit the roster of people who were invited to STUDY, came, finished, dropped out or withdrew."""
    from session.values.clock import SystemClock
    from study.roster_command import RosterOptions, roster_command

    sys.exit(roster_command(RosterOptions(**options), SystemClock("roster"), sys.stdout, sys.stderr))


@click.command(short_help="Invite people to a study's lobby.")
@click.argument("study", type=click.Path())
@click.option("--until", default="", metavar="DATE", help="Make invitations that expire after this day, YYYY-MM-DD.")
@click.option("--count", default=1, show_default=True, help="Number of invitations.")
@click.option("--person", default="", metavar="ID", help="Invite this speaker only; the session opens on arrival.")
@click.option("--at", default="", metavar="URL", help="Address of the hub, for the invitations.")
@click.option("--revoke", default="", metavar="ID", help="Revoke an invitation, by its id in the list or its address.")
def invite(**options: Any) -> None:
    """Make one-time invitations to STUDY, one address per line; without --until, list them and rejected visitors."""
    from session.values.clock import SystemClock
    from study.invite_command import InviteOptions, invite_command

    sys.exit(invite_command(InviteOptions(**options), SystemClock("invite"), sys.stdout, sys.stderr))


@click.command(short_help="Freeze or amend a study's protocol.")
@click.argument("study", type=click.Path())
@click.option("--reason", default="", help="Amend a frozen protocol for this reason, which every log states.")
@click.option("--show", is_flag=True, help="Print whether the study is frozen, and its changes.")
def freeze(study: str, reason: str, show: bool) -> None:
    """Freeze the protocol of STUDY: after a change to its files, no session that counts can start."""
    from session.values.clock import SystemClock
    from study.freeze_command import freeze_command

    sys.exit(
        freeze_command(study, reason=reason, show=show, clock=SystemClock("freeze"), out=sys.stdout, err=sys.stderr)
    )


@click.command(short_help="Judge declared solutions.")
@click.argument("study", type=click.Path())
@click.option(
    "--failures", is_flag=True, help="Count a scenario without a right solution as never solved instead of censored."
)
@click.option("--csv", "as_csv", is_flag=True, help="Print one line per subject-scenario as CSV.")
@click.option("--assemble", "sites", multiple=True, type=click.Path(), help="Add the scenarios in a site's folder.")
def solutions(study: str, failures: bool, as_csv: bool, sites: tuple[str, ...]) -> None:
    """Compare the solutions declared in STUDY with the scenarios' solution sets; exit with 1 if a set does not discriminate.

    With --assemble, check scenarios that sites submit with their solution sets, and add them to STUDY.
    """
    from study.solutions_command import assemble_command, solutions_command

    if sites:
        sys.exit(assemble_command(study, sites, sys.stdout, sys.stderr))

    sys.exit(solutions_command(study, failures=failures, as_csv=as_csv, out=sys.stdout, err=sys.stderr))


@click.command(short_help="Back up a study to another disk, or restore it.")
@click.argument("study", type=click.Path())
@click.argument("target", metavar="DEST", type=click.Path())
@click.option("--restore", is_flag=True, help="Restore the copy at DEST to the new folder STUDY.")
def backup(study: str, target: str, restore: bool) -> None:
    """Update the copy of STUDY at DEST, even while sessions run, and verify it."""
    from session.values.clock import SystemClock
    from study.backup_command import backup_command

    sys.exit(
        backup_command(study, target, restore=restore, clock=SystemClock("backup"), out=sys.stdout, err=sys.stderr)
    )


@click.command(short_help="Write a study's papers for printing.")
@click.argument("study", type=click.Path())
@click.argument("target", metavar="FILE", type=click.Path())
def pack(study: str, target: str) -> None:
    """Write the papers of STUDY as an HTML page; exit with 1 if one of the texts shows how to phrase a request."""
    from study.pack_command import pack_command

    sys.exit(pack_command(study, target, sys.stdout, sys.stderr))
