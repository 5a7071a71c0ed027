"""`curtain hub`, `wizard`, `subject`, `revoke`, `sessions` and `replay`: holding sessions and looking back at them."""

import sys
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from server.hub_command import PagesFactory

_listen = click.option(
    "--listen", default="127.0.0.1:0", show_default=True, metavar="HOST:PORT", help="Off loopback it encrypts."
)
_insecure = click.option("--insecure", is_flag=True, help="Do not encrypt off loopback, and say so on the screens.")
_browser = click.option(
    "--browser", is_flag=True, help="Serve subjects a page for their browser, at the hub's own port."
)
_participants = click.option(
    "--participants", default="", metavar="FILE", help="Keeps a recruiting service's ids, outside the study."
)
_theme = click.option("--theme", type=click.Choice(["dark", "light", "plain"]), default="dark", show_default=True)


@click.command(short_help="Run the hub alone, for several sessions or remote desks.")
@click.argument("study", type=click.Path())
@_listen
@_insecure
@click.option("--sessions", default=1, show_default=True, help="How many sessions to open at once.")
@click.option("--behind", default="", metavar="HOST:PORT", help="Desks come through a proxy there, which encrypts.")
@click.option("--metrics", default="", metavar="HOST:PORT", help="Figures for Prometheus, /health and /ready.")
@_participants
@_browser
def hub(study: str, browser: bool, **options: Any) -> None:
    """Serve STUDY alone: for several sessions, or for desks on other machines. Prints every role's address."""
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
    """The machines of a study's sessions, imported when a hub is there to need them."""
    from operators.attendance import StudyMachines

    return StudyMachines(study, clock, database_url)


def _pages(browser: bool) -> "PagesFactory | None":
    """Return what makes a study's page, loaded only where one is wanted."""
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
    help="With a STUDY; a URL's token tells the role.",
    type=click.Choice(["wizard", "transcriber", "experimenter", "observer"]),
)
@_listen
@_insecure
@click.option("--wizard", default="", help="Operator; kept with the session.")
@click.option("--speaker", default="", help="The subject's id; without it the site's next free one.")
@click.option(
    "--about",
    multiple=True,
    metavar="KEY=VALUE",
    help="What is known of the subject: sex (f, m, x), age, dialect, recruitment, compensation.",
)
@click.option("--loudspeaker", default=None, help="A part of the headphones' name, or their number.")
@click.option("--resume/--new", default=None, help="Take up the last session that has not ended, or open a new one.")
@_participants
@_browser
@_theme
def wizard(target: str, browser: bool, **options: Any) -> None:
    """Run the wizard's console: over STUDY with a hub of its own, or attached to the hub at URL."""
    from wizard.command import WizardOptions, wizard_command

    sys.exit(wizard_command(target, WizardOptions(**options), sys.stderr, _machines, pages=_pages(browser)))


@click.command(short_help="Run the subject's terminal.")
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
    "--loudspeaker", default="", metavar="DEVICE", help="Where replies are heard: a part of its name, or its number."
)
@click.option(
    "--rate", default=None, type=click.IntRange(8_000, 48_000), help="Samples per second; 16000 if nothing says."
)
@click.option("--code", default=None, envvar="CURTAIN_CODE", help="Locks the screen: only this code opens the way out.")
@_theme
@click.option("--spool", default=None, type=click.Path(), help="Where to keep what the hub has not confirmed.")
def subject(url: str, **options: Any) -> None:
    """Run the subject's terminal of the session at URL, which is printed where the session was opened."""
    from subject.command import SubjectOptions, subject_command

    sys.exit(subject_command(url, SubjectOptions(**options), sys.stderr))


@click.command(short_help="Have a machine operate a stage.")
@click.argument("url")
@click.option("--stage", required=True, type=click.Choice(["recognition", "understanding", "response"]))
@click.option("--engine", default="", help="The stage's machine; understanding has two.")
@click.option(
    "--study",
    default="",
    type=click.Path(),
    help="The study that a recogniser learns, or whose [engine] names the model.",
)
def operate(url: str, **options: Any) -> None:
    """Operate a stage of the session at URL by machine, apart from the hub, until Ctrl-C.

    The study says `apart` for the stage under [machines]; the hub then prints the URL.
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
    help="Only this role's; may be given several times. Without it: all of them.",
    type=click.Choice(["subject", "wizard", "transcriber", "experimenter", "observer"]),
)
def revoke(study: str, session: str, roles: tuple[str, ...]) -> None:
    """Void the addresses of a SESSION of STUDY, disconnect the desks that used them, and print each role's new token."""
    from server.revoke_command import revoke_command

    sys.exit(revoke_command(study, session, roles, sys.stdout, sys.stderr))


@click.command(short_help="List what a study has collected.")
@click.argument("study", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="The list as JSON.")
@click.option("--check", is_flag=True, help="Print for each ended session whether it is complete, and its problems.")
@click.option(
    "--diff", "pair", nargs=2, default=None, metavar="SESSION SESSION", help="How two sessions' protocols differ."
)
@click.option("--links", is_flag=True, help="List connections, refused connections and refused commands.")
def sessions(study: str, as_json: bool, check: bool, pair: tuple[str, str] | None, links: bool) -> None:
    """List what STUDY has collected, with figures."""
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
@click.option("--pace", default=1.0, show_default=True, help="How fast at first: 0.5 to 8; 0 prints it at once.")
def replay(folder: str, session: str, pace: float) -> None:
    """Replay the screens of both desks of a SESSION, with the sound of its utterances: from a study, or from a corpus alone.

    Space pauses, the arrows go from turn to turn, + and - change the pace. Where there is no terminal, it is printed in words.
    """
    from rehearsal.replay import replay_command

    sys.exit(replay_command(folder, session, pace, sys.stdout, sys.stderr))
