"""`curtain new`, `doctor`, `rehearse`, `design`: a study before and beside its sessions."""

import sys

import click


@click.command(short_help="Make a study folder.")
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

        sys.exit(unpack_command(study, archive, sys.stdout, sys.stderr))
    from session.study.create import new_command

    sys.exit(new_command(study, domain, profile, site, sys.stdout, sys.stderr))


@click.command(short_help="Say what would go wrong before it does.")
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

    sys.exit(doctor_command(target, record, microphones, sys.stdout, sys.stderr, playing=playing))


@click.command(short_help="Hold a whole session with scripted people.")
@click.argument("study", required=False, default="", type=click.Path())
@click.option(
    "--out", "target", default="", type=click.Path(), help="Folder for what the rehearsal leaves; must not exist."
)
@click.option("--pace", default=1.0, show_default=True, help="How many times faster than life all clocks run.")
@click.option("--watch", is_flag=True, help="Show both screens as they change.")
@click.option("--machines", is_flag=True, help="Let machines operate what the profile gives to them.")
def rehearse(study: str, target: str, pace: float, watch: bool, machines: bool) -> None:
    """Hold a whole session with scripted people, export it and verify it; needs no screen and no sound card.

    Without STUDY, a new study of what ships is rehearsed.
    """
    from rehearsal.command import rehearse_command

    sys.exit(rehearse_command(study, target, pace, watch, sys.stdout, sys.stderr, machines=machines))


@click.command(short_help="Show a study's design, and what is short.")
@click.argument("study", type=click.Path())
@click.option("--csv", "as_csv", is_flag=True, help="The plan as CSV, a line per slot and visit.")
def design(study: str, as_csv: bool) -> None:
    """Show the plan of STUDY by its design: every slot, whose it is, the balance achieved so far, and what is short."""
    from study.design_command import design_command

    sys.exit(design_command(study, as_csv=as_csv, out=sys.stdout, err=sys.stderr))
