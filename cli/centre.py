"""The commands of `curtain` for a centre that gathers many sites' corpora; their work is imported only when they are called."""

import sys
from typing import Any

import click


@click.command(short_help="Pack a corpus for the centre.")
@click.argument("corpus", type=click.Path())
@click.argument("file", type=click.Path())
@click.option("--label", default="", help="What the delivery is called; by default as the folder.")
@click.option("--annotations", default="", metavar="RELEASE", help="The annotations of this release alone.")
@click.option(
    "--key", default="", type=click.Path(), help="A file with the key that site and centre share, to sign with."
)
def deliver(**given: Any) -> None:
    """Pack CORPUS, or initial data, for the centre: one archive FILE with the hash of every file."""
    from corpus.centre.deliver import DeliverOptions, deliver_command

    sys.exit(deliver_command(DeliverOptions(**given), sys.stdout, sys.stderr))


@click.command(short_help="Receive what a site has delivered.")
@click.argument("centre", type=click.Path())
@click.argument("archive", metavar="FILE", type=click.Path())
def receive(**given: Any) -> None:
    """Receive the delivery FILE: verify it, mend it or send it back, and set a part of it aside for tests."""
    from corpus.centre.arrivals import ReceiveOptions, receive_command
    from session.values.clock import SystemClock

    sys.exit(receive_command(ReceiveOptions(**given), SystemClock("centre"), sys.stdout, sys.stderr))


@click.command(short_help="Make a centre, or say how it stands.")
@click.argument("folder", metavar="CENTRE", type=click.Path())
def centre(folder: str) -> None:
    """Make the folder of a centre; of one that is there, print what arrived, what is out and what waits."""
    from corpus.centre.overview import centre_command
    from session.values.clock import SystemClock

    sys.exit(centre_command(folder, SystemClock("centre"), sys.stdout, sys.stderr))


@click.command(short_help="Release what waits at a centre.")
@click.argument("centre", type=click.Path())
@click.option("--final", default="", metavar="RELEASE", help="The annotations of this release are final from now on.")
def release(**given: Any) -> None:
    """Release what is new or corrected at CENTRE: text at once, under the day's date, with every document it is judged by."""
    from corpus.centre.releases import ReleaseOptions, release_command
    from evaluation.references.handouts import documents_of
    from session.values.clock import SystemClock

    sys.exit(release_command(ReleaseOptions(**given), SystemClock("centre"), sys.stdout, sys.stderr, documents_of))
