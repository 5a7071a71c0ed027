"""`curtain learn`, `ask`, `principles` and `domain`: domains and how they read English."""

import sys

import click


@click.command(short_help="Write a first domain folder from a database.")
@click.argument("url")
@click.argument("directory", type=click.Path())
def learn(url: str, directory: str) -> None:
    """Write a first domain folder DIRECTORY out of the database at URL, and say what could not be guessed."""
    from domain.learn.learn import learn_command

    sys.exit(learn_command(url, directory, sys.stdout, sys.stderr))


@click.command(short_help="Turn English requests into SQL.")
@click.option("--database", required=True, help="SQLAlchemy URL of the database.")
@click.option("--domain", required=True, type=click.Path(), help="The domain's folder.")
@click.option("--today", default=None, help="The date that `today` means, as YYYY-MM-DD.")
@click.option("--json", "as_json", is_flag=True, help="JSON lines in and out.")
def ask(database: str, domain: str, today: str | None, as_json: bool) -> None:
    """Turn English requests on standard input into SQL, outside a session."""
    from domain.commands.ask import ask_command

    sys.exit(ask_command(database, domain, today, as_json, sys.stdin, sys.stdout, sys.stderr))


@click.command(short_help="Print a domain's principles of interpretation.")
@click.argument("domain", type=click.Path())
@click.argument("name", required=False, default="")
def principles(domain: str, name: str) -> None:
    """Print the set NAME of principles in the folder DOMAIN as a document; without NAME, the names of its sets."""
    from domain.commands.principles import principles_command

    sys.exit(principles_command(domain, name, sys.stdout, sys.stderr))


@click.group(short_help="Check a domain folder, explain how it reads a request, let it grow.")
def domain() -> None:
    """Check a domain folder, explain how a request is read by it, and let it grow by a study's log."""


@domain.command("check", short_help="List a domain's faults, or explain a request.")
@click.argument("directory", metavar="DIR", type=click.Path())
@click.argument("requests", metavar="[REQUEST]...", nargs=-1)
@click.option("--database", default="", help="SQLAlchemy URL of the database, by default the folder's own.")
@click.option("--today", default="", help="The date that `today` means, as YYYY-MM-DD.")
def _check(directory: str, requests: tuple[str, ...], database: str, today: str) -> None:
    """List the faults of the domain folder DIR, each with line and remedy. With a REQUEST, explain how that is read: its words,
    joins and rivals, and which line of domain.toml would change it. Of several, the last is explained after the others."""
    from domain.commands.check_domain import check_command

    sys.exit(check_command(directory, requests, database, today, sys.stdout, sys.stderr))


@domain.command("grow", short_help="Propose lines for a study's domain out of its log.")
@click.argument("study", type=click.Path())
@click.option("--accept", "accepted", multiple=True, type=int, metavar="N", help="Write proposal N into domain.toml.")
@click.option("--domain", default="", metavar="NAME", help="One of domains/ in the study; without it the study's own.")
@click.option(
    "--remember", is_flag=True, help="Write statements that were sent into requests.jsonl, the domain's memory."
)
def _grow(study: str, accepted: tuple[int, ...], domain: str, remember: bool) -> None:
    """Propose lines for the domain of STUDY out of what its wizards reworded or asked in SQL, each with the requests that speak
    for it and those that it would change."""
    from domain.commands.grow_domain import grow_command

    sys.exit(grow_command(study, accepted, sys.stdout, sys.stderr, domain, remember))
