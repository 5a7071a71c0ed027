"""`curtain learn`, `ask`, `principles` and `domain`: domains and how they read English."""

import sys

import click


@click.command(short_help="Write a first domain folder from a database.")
@click.argument("url")
@click.argument("directory", type=click.Path())
def learn(url: str, directory: str) -> None:
    """Generate a first domain folder DIRECTORY from the database at URL, and list open questions."""
    from domain.learn.learn import learn_command

    sys.exit(learn_command(url, directory, sys.stdout, sys.stderr))


@click.command(short_help="Translate English requests into SQL.")
@click.option("--database", required=True, help="SQLAlchemy URL of the database.")
@click.option("--domain", required=True, type=click.Path(), help="Folder of the domain.")
@click.option("--today", default=None, help="Current date, as YYYY-MM-DD.")
@click.option("--json", "as_json", is_flag=True, help="Read and write JSON lines.")
def ask(database: str, domain: str, today: str | None, as_json: bool) -> None:
    """Translate English requests from standard input into SQL, outside a session."""
    from domain.commands.ask import ask_command

    sys.exit(ask_command(database, domain, today, as_json, sys.stdin, sys.stdout, sys.stderr))


@click.command(short_help="Print a domain's principles of interpretation.")
@click.argument("domain", type=click.Path())
@click.argument("name", required=False, default="")
def principles(domain: str, name: str) -> None:
    """Print the set NAME of principles in the folder DOMAIN as a document, or without NAME, the names of its sets."""
    from domain.commands.principles import principles_command

    sys.exit(principles_command(domain, name, sys.stdout, sys.stderr))


@click.group(short_help="Check, explain and extend a domain folder.")
def domain() -> None:
    """Check a domain folder, explain how it reads a request, and extend it from a study's log."""


@domain.command("check", short_help="List a domain's errors, or explain a request.")
@click.argument("directory", metavar="DIR", type=click.Path())
@click.argument("requests", metavar="[REQUEST]...", nargs=-1)
@click.option("--database", default="", help="SQLAlchemy URL of the database [default: the folder's own].")
@click.option("--today", default="", help="Current date, as YYYY-MM-DD.")
def _check(directory: str, requests: tuple[str, ...], database: str, today: str) -> None:
    """List the errors of the domain folder DIR, each with line and remedy. With REQUESTs, explain how the last one is read in the
    context of the others: its words, joins and rival readings, and the line of domain.toml that would change it."""
    from domain.commands.check_domain import check_command

    sys.exit(check_command(directory, requests, database, today, sys.stdout, sys.stderr))


@domain.command("grow", short_help="Propose lines for a study's domain from its log.")
@click.argument("study", type=click.Path())
@click.option("--accept", "accepted", multiple=True, type=int, metavar="N", help="Write proposal N to domain.toml.")
@click.option(
    "--domain", default="", metavar="NAME", help="Domain in domains/ of the study [default: the study's own]."
)
@click.option(
    "--remember", is_flag=True, help="Write statements that were sent to requests.jsonl, the domain's memory."
)
def _grow(study: str, accepted: tuple[int, ...], domain: str, remember: bool) -> None:
    """Propose lines for the domain of STUDY from requests that its wizards reworded or wrote in SQL, each with the requests that
    support it and those that it would change."""
    from domain.commands.grow_domain import grow_command

    sys.exit(grow_command(study, accepted, sys.stdout, sys.stderr, domain, remember))
