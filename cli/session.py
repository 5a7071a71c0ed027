"""The commands of sessions: `curtain hub`, `wizard`, `subject`, `operate`, `revoke`, `sessions` and `replay`."""

import sys
from typing import TYPE_CHECKING, Any

import click

from cli.shared_options import headphones, theme

if TYPE_CHECKING:
    from server.hub_command import PagesFactory

_listen = click.option(
    "--listen",
    default="127.0.0.1:0",
    show_default=True,
    metavar="HOST:PORT",
    help="Address to listen on; links beyond loopback are encrypted.",
)
_insecure = click.option(
    "--insecure", is_flag=True, help="Do not encrypt links beyond loopback; the screens show a warning."
)
_browser = click.option("--browser", is_flag=True, help="Serve the subject's page for browsers, on the hub's port.")
_participants = click.option(
    "--participants", default="", metavar="FILE", help="File for a recruiting service's ids, outside the study."
)


@click.command(short_help="Run the hub alone, for several sessions or remote desks.")
@click.argument("study", type=click.Path())
@_listen
@_insecure
@click.option("--sessions", default=1, show_default=True, help="Number of sessions to open.")
@click.option("--behind", default="", metavar="HOST:PORT", help="Address of an encrypting proxy in front of the hub.")
@click.option("--metrics", default="", metavar="HOST:PORT", help="Address for Prometheus metrics, /health and /ready.")
@_participants
@_browser
def hub(study: str, browser: bool, **options: Any) -> None:
    """Serve STUDY without a desk, for several sessions or for desks on other machines, and print every role's address."""
    from corpus.verify.session_check import checked
    from server.hub_command import HubOptions, hub_command

    requests = sys.stdin if sys.stdin.isatty() else None
    sys.exit(
        hub_command(
            study,
            HubOptions(**options),
            sys.stdout,
            sys.stderr,
            requests=requests,
            closing=checked,
            machines=_machines,
            pages=_pages(browser),
        )
    )


def _machines(study: Any, clock: Any, database_url: str) -> Any:
    """Return the machines of a study's sessions; imported only when a hub needs them."""
    from operators.attendance import StudyMachines

    return StudyMachines(study, clock, database_url)


def _pages(browser: bool) -> "PagesFactory | None":
    """Return the maker of a study's page; imported only if a page is wanted."""
    if not browser:
        return None
    from subject.browser.pages import Pages

    return Pages


@click.command(short_help="Run the wizard's console.")
@click.argument("target", metavar="STUDY|URL")
@click.option(
    "--as",
    "role",
    default="wizard",
    show_default=True,
    help="Role of the console, with a STUDY; a URL contains the role.",
    type=click.Choice(["wizard", "transcriber", "experimenter", "observer"]),
)
@_listen
@_insecure
@click.option("--wizard", default="", help="Name of the wizard; stored with the session.")
@click.option("--speaker", default="", help="Speaker id of the subject [default: the site's next free one].")
@click.option(
    "--about",
    multiple=True,
    metavar="KEY=VALUE",
    help="Description of the subject: sex (f, m, x), age, dialect, recruitment, compensation.",
)
@headphones
@click.option("--resume/--new", default=None, help="Resume the last session that has not ended, or open a new one.")
@_participants
@_browser
@theme
def wizard(target: str, browser: bool, **options: Any) -> None:
    """Run the wizard's console, with its own hub for STUDY or attached to the hub at URL."""
    from wizard.command import WizardOptions, wizard_command

    sys.exit(wizard_command(target, WizardOptions(**options), sys.stderr, _machines, pages=_pages(browser)))


@click.command(short_help="Run the subject's terminal.")
@click.argument("url")
@click.option(
    "--microphone",
    "microphones",
    multiple=True,
    metavar="[LETTERS=]DEVICE[@RATE]",
    help="Microphone: its name, part of it, or its number (see doctor), such as s=Sennheiser or c=Crown@8000; up to four "
    "[default: the profile's].",
)
@click.option(
    "--loudspeaker", default="", metavar="DEVICE", help="Loudspeaker for replies: its name, part of it, or its number."
)
@click.option("--rate", default=None, type=click.IntRange(8_000, 48_000), help="Sampling rate in Hz [default: 16000].")
@click.option("--code", default=None, envvar="CURTAIN_CODE", help="Lock the screen; only this code unlocks it.")
@theme
@click.option(
    "--spool", default=None, type=click.Path(), help="Folder for takes and reports that the hub has not confirmed."
)
def subject(url: str, **options: Any) -> None:
    """Run the subject's terminal of the session at URL. The console or hub that opened the session shows the URL."""
    from subject.command import SubjectOptions, subject_command

    sys.exit(subject_command(url, SubjectOptions(**options), sys.stderr))


@click.command(short_help="Operate a stage by machine.")
@click.argument("url")
@click.option(
    "--stage", required=True, type=click.Choice(["recognition", "understanding", "response"]), help="Stage to operate."
)
@click.option("--engine", default="", help="Engine of the stage; required for understanding.")
@click.option(
    "--study",
    default="",
    type=click.Path(),
    help="Study for the recogniser's vocabulary, or with [engine] for the model.",
)
def operate(url: str, **options: Any) -> None:
    """Operate a stage of the session at URL by machine, outside the hub, until Ctrl-C.

    The study sets the stage to `apart` under [machines]; the hub then prints the URL.
    """
    from operators.command import OperateOptions, operate_command

    sys.exit(operate_command(url, OperateOptions(**options), sys.stderr))


@click.command(short_help="Replace the addresses of a session.")
@click.argument("study", type=click.Path())
@click.argument("session")
@click.option(
    "--role",
    "roles",
    multiple=True,
    help="Replace only this role's address; repeatable [default: all roles].",
    type=click.Choice(["subject", "wizard", "transcriber", "experimenter", "observer"]),
)
def revoke(study: str, session: str, roles: tuple[str, ...]) -> None:
    """Revoke the addresses of a SESSION of STUDY, disconnect the desks that use them, and print new tokens."""
    from server.revoke_command import revoke_command

    sys.exit(revoke_command(study, session, roles, sys.stdout, sys.stderr))


@click.command(short_help="List what a study has collected.")
@click.argument("study", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
@click.option("--check", is_flag=True, help="Check whether each ended session is complete, and list its problems.")
@click.option(
    "--diff",
    "pair",
    nargs=2,
    default=None,
    metavar="SESSION SESSION",
    help="Show the differences between the protocols of two sessions.",
)
@click.option("--links", is_flag=True, help="List connections, refused connections and refused commands.")
def sessions(study: str, as_json: bool, check: bool, pair: tuple[str, str] | None, links: bool) -> None:
    """List the sessions of STUDY with figures."""
    from corpus.commands.session_links import links_command
    from corpus.commands.sessions import SessionsOptions, differences_command, sessions_command

    if links:
        sys.exit(links_command(study, sys.stdout, sys.stderr))
    if pair:
        sys.exit(differences_command(study, *pair, sys.stdout, sys.stderr))

    sys.exit(sessions_command(SessionsOptions(study, as_json=as_json, check=check), sys.stdout, sys.stderr))


@click.command(short_help="Replay both screens of a session.")
@click.argument("folder", metavar="STUDY|CORPUS", type=click.Path())
@click.argument("session")
@click.option("--pace", default=1.0, show_default=True, help="Initial speed, 0.5 to 8; 0 prints everything at once.")
def replay(folder: str, session: str, pace: float) -> None:
    """Replay the screens of both desks of a SESSION with its sound, from a study or from a corpus alone.

    Space pauses, the arrow keys step by turn, + and - change the speed. Without a terminal, the screens are printed as text.
    """
    from rehearsal.replay import replay_command

    sys.exit(replay_command(folder, session, pace, sys.stdout, sys.stderr))
