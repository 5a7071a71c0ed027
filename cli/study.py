"""The subcommands of a study before and beside its sessions: `new`, `doctor`, `rehearse`, `design`, `roster` and others."""

import sys
from typing import Any

import click


@click.command(short_help="Create a study folder.")
@click.argument("study", type=click.Path())
@click.option(
    "--domain",
    "domains",
    default=("air_travel",),
    multiple=True,
    show_default=True,
    help="One that ships, or a domain's folder; may be given several times: a level of a factor can name each.",
)
@click.option(
    "--database",
    "databases",
    multiple=True,
    metavar="[NAME=]URL",
    help="Of a folder's domain: its database, for SQLAlchemy; of a further domain with its name.",
)
@click.option("--profile", default="BBN-89", show_default=True, help="Whose procedure to begin with.")
@click.option("--site", default="lab", show_default=True, help="The site's short name, part of every session's name.")
@click.option("--language", default="en", show_default=True, help="Of all that participants read: en, de or es.")
@click.option(
    "--from", "archive", default="", type=click.Path(), help="Another site's set-up (export --as study) instead."
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
    """Make a study folder STUDY from what ships, or from the set-up of another site.

    On a terminal it asks how the corpus is to be described and cited; Enter skips a question.
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
    "--record/--no-record", default=True, show_default=True, help="Listen to each microphone for three seconds."
)
@click.option(
    "--microphone",
    "microphones",
    multiple=True,
    metavar="[LETTERS=]DEVICE[@RATE]",
    help="A part of its name or its number; may be given several times. Without any: the study's, or the default one.",
)
@click.option("--play/--no-play", "playing", default=True, show_default=True, help="Play the recording back.")
@click.option(
    "--keys",
    "desk",
    default="",
    metavar="DESK",
    help="Ask for the keys that a desk (subject, wizard or annotator) needs, and for nothing else.",
)
def doctor(target: str, record: bool, microphones: tuple[str, ...], playing: bool, desk: str) -> None:
    """Check this machine, a study, or the connection of a subject's desk to the hub at URL."""
    from rehearsal.doctor import doctor_command, keys_command

    if desk:
        sys.exit(keys_command(desk, sys.stdin.isatty() and sys.stdout.isatty(), sys.stdout, sys.stderr))
    sys.exit(doctor_command(target, record, microphones, sys.stdout, sys.stderr, playing=playing))


@click.command(short_help="Run a whole session with scripted people.")
@click.argument("study", required=False, default="", type=click.Path())
@click.option(
    "--out", "target", default="", type=click.Path(), help="Folder for what the rehearsal leaves; must not exist."
)
@click.option("--pace", default=1.0, show_default=True, help="How many times faster than life all clocks run.")
@click.option("--watch", is_flag=True, help="Show the screens of both desks, side by side from 160 columns on.")
@click.option("--machines", is_flag=True, help="Let machines operate what the profile gives to them.")
@click.option(
    "--condition",
    default="",
    metavar="TEXT",
    help="Under this one, or one with these levels, as in topic=staff; without it as the next subject would have it.",
)
@click.option("--transcriber", is_flag=True, help="Add a second wizard, who transcribes (TI).")
def rehearse(
    study: str, target: str, pace: float, watch: bool, machines: bool, condition: str, transcriber: bool
) -> None:
    """Run a whole session with scripted people, export it and verify it; needs no screen and no sound card.

    Without STUDY, a new study of what ships is rehearsed.
    """
    from rehearsal.command import rehearse_command

    played = {"machines": machines, "transcriber": transcriber}
    sys.exit(rehearse_command(study, target, pace, watch, sys.stdout, sys.stderr, condition=condition, **played))


@click.command(short_help="Make a demonstration corpus.")
@click.argument("directory", type=click.Path())
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0), help="Of everything that is drawn.")
def demo(directory: str, seed: int) -> None:
    """Make a small synthetic corpus in the new folder DIRECTORY: three sites, 20 speakers, annotated, judged, scored, split, and
    in every format of today."""
    from rehearsal.demonstration.demo_command import demo_command

    sys.exit(demo_command(directory, seed, sys.stdout, sys.stderr))


@click.command(short_help="Train and certify a wizard.")
@click.argument("study", type=click.Path())
@click.option("--wizard", default="", metavar="NAME", help="Who is trained, as she signs on at the console.")
@click.option(
    "--drill",
    default="play",
    show_default=True,
    metavar="SESSION|DIR[:SESSION]",
    help="The domain's play, a session of STUDY, or one of an exported corpus.",
)
@click.option("--condition", default="", metavar="LEVELS", help="Hold it under a condition, such as delay=slow.")
@click.option("--turns", default=0, type=click.IntRange(0), help="Only so many utterances; 0 is all of them.")
@click.option("--curve", is_flag=True, help="Play nothing: print the learning curves, of --wizard or of all.")
@click.option("--loudspeaker", default=None, help="A part of the headphones' name, or their number.")
@click.option("--theme", type=click.Choice(["dark", "light", "plain"]), default="dark", show_default=True)
def train(study: str, **options: Any) -> None:
    """Hold a drill at the real console against a scripted or recorded subject; 1 if it was not passed or was broken off.

    Each turn is judged when it is over. The pass mark is [training] of study.toml.
    """
    from rehearsal.training.train_command import TrainOptions, train_command

    sys.exit(train_command(study, TrainOptions(**options), sys.stdout, sys.stderr))


@click.command(short_help="Show a study's design, slots and balance.")
@click.argument("study", type=click.Path())
@click.option("--csv", "as_csv", is_flag=True, help="The plan as CSV, a line per slot and visit.")
@click.option(
    "--simulate",
    "ratio",
    default=0.0,
    metavar="RATIO",
    help="How many subjects find that scenarios take RATIO times as long under a factor's last level as under its first.",
)
@click.option("--factor", default="", metavar="NAME", help="With --simulate: which factor, where there are several.")
@click.option("--power", default=0.8, show_default=True, help="With --simulate: the probability of finding it.")
@click.option(
    "--spread",
    nargs=2,
    type=float,
    default=None,
    metavar="SUBJECT RESIDUAL",
    help="With --simulate: standard deviations of log times, in place of those of a pilot.",
)
def design(
    study: str, as_csv: bool, ratio: float, factor: str, power: float, spread: tuple[float, float] | None
) -> None:
    """Show the plan of STUDY by its design: every slot, whose it is, the balance achieved so far, and what is short."""
    if ratio:
        from study.power_command import PowerOptions, power_command

        sys.exit(power_command(study, PowerOptions(ratio, factor, power, spread), sys.stdout, sys.stderr))
    if factor or spread:
        raise click.UsageError("--factor and --spread go with --simulate RATIO")
    from study.design_command import design_command

    sys.exit(design_command(study, as_csv=as_csv, out=sys.stdout, err=sys.stderr))


@click.command(short_help="Show or edit a study's participants, by pseudonym.")
@click.argument("study", type=click.Path())
@click.option("--invite", is_flag=True, help="Put somebody on the roster, under the next free id or that of --person.")
@click.option("--pilot", is_flag=True, help="With --invite: as a pilot, who never counts.")
@click.option("--person", default="", metavar="ID", help="Whom it is about.")
@click.option("--answer", "answers", multiple=True, metavar="ITEM=VALUE", help="An answer to demographics.toml.")
@click.option("--appointment", default="", metavar="DATE", help="A visit, YYYY-MM-DD HH:MM.")
@click.option("--drop", default=None, metavar="REASON", help="The person dropped out: the slot is given again.")
@click.option("--csv", "as_csv", is_flag=True, help="The roster as CSV.")
@click.option("--identities", default="", metavar="FILE", help="Names and contacts, encrypted, outside the study.")
@click.option("--key", default="", metavar="FILE", help="The key that opens them, in another folder.")
@click.option("--name", default="", help="With --invite: the person's name, for --identities.")
@click.option("--contact", default="", help="With --invite: how to reach the person, for --identities.")
@click.option("--write-to", is_flag=True, help="Print names and contacts, of --person or of all.")
@click.option("--forget", is_flag=True, help="Remove --person from --identities.")
@click.option("--codes", is_flag=True, help="Each session's completion code, with --csv as CSV.")
def roster(**options: Any) -> None:
    """Show who was invited to STUDY, came, finished, dropped out or withdrew; or enter it."""
    from session.values.clock import SystemClock
    from study.roster_command import RosterOptions, roster_command

    sys.exit(roster_command(RosterOptions(**options), SystemClock("roster"), sys.stdout, sys.stderr))


@click.command(short_help="Invite people to a study's lobby.")
@click.argument("study", type=click.Path())
@click.option(
    "--until", default="", metavar="DATE", help="Make invitations, good until the end of that day, YYYY-MM-DD."
)
@click.option("--count", default=1, show_default=True, help="How many.")
@click.option(
    "--person", default="", metavar="ID", help="For this speaker alone, whose session is opened when she comes."
)
@click.option("--at", default="", metavar="URL", help="The hub's address, the beginning of each invitation.")
@click.option("--revoke", default="", metavar="ID", help="Void one, by the id that the list shows or by its address.")
def invite(**options: Any) -> None:
    """Make one-time invitations to STUDY, one address a line; without --until, list them and who was turned away."""
    from session.values.clock import SystemClock
    from study.invite_command import InviteOptions, invite_command

    sys.exit(invite_command(InviteOptions(**options), SystemClock("invite"), sys.stdout, sys.stderr))


@click.command(short_help="Freeze or amend a study's protocol.")
@click.argument("study", type=click.Path())
@click.option("--reason", default="", help="Why a frozen protocol is amended; every log states it.")
@click.option("--show", is_flag=True, help="Only print whether the study is frozen, and its changes.")
def freeze(study: str, reason: str, show: bool) -> None:
    """Fix the protocol of STUDY: a session that counts is refused once a file has changed."""
    from session.values.clock import SystemClock
    from study.freeze_command import freeze_command

    sys.exit(
        freeze_command(study, reason=reason, show=show, clock=SystemClock("freeze"), out=sys.stdout, err=sys.stderr)
    )


@click.command(short_help="Judge declared solutions.")
@click.argument("study", type=click.Path())
@click.option("--failures", is_flag=True, help="Without a right solution never solved, instead of censored.")
@click.option("--csv", "as_csv", is_flag=True, help="A line per subject-scenario as CSV.")
@click.option("--assemble", "sites", multiple=True, type=click.Path(), help="Take in the scenarios of a site's folder.")
def solutions(study: str, failures: bool, as_csv: bool, sites: tuple[str, ...]) -> None:
    """Compare the solutions declared in STUDY with the scenarios' solution sets; 1 if one tells nobody apart.

    With --assemble, scenarios that sites submit with their solution sets are checked and taken into STUDY.
    """
    from study.solutions_command import assemble_command, solutions_command

    if sites:
        sys.exit(assemble_command(study, sites, sys.stdout, sys.stderr))

    sys.exit(solutions_command(study, failures=failures, as_csv=as_csv, out=sys.stdout, err=sys.stderr))


@click.command(short_help="Back up a study to another disk, or restore it.")
@click.argument("study", type=click.Path())
@click.argument("target", metavar="DEST", type=click.Path())
@click.option("--restore", is_flag=True, help="Make the new folder STUDY of the copy at DEST.")
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
    """Write the papers of STUDY as an HTML page; 1 where one of its texts shows how to put a request."""
    from study.pack_command import pack_command

    sys.exit(pack_command(study, target, sys.stdout, sys.stderr))
