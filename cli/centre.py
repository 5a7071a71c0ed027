"""The commands of `curtain` for a centre that gathers many sites' corpora; their work is imported only when they are called."""

import sys
from typing import Any

import click

from cli.shared_options import cluster, jobs


@click.command(short_help="Pack a delivery for a centre.")
@click.argument("corpus", type=click.Path())
@click.argument("file", type=click.Path())
@click.option("--label", default="", help="Name of the delivery [default: the folder's name].")
@click.option("--annotations", default="", metavar="RELEASE", help="Deliver only annotations of this release.")
@click.option(
    "--key", default="", type=click.Path(), help="File with the shared key of site and centre, for the signature."
)
@click.option("--site", default="", help="Delivering site [default: the site of the data].")
def deliver(**given: Any) -> None:
    """Pack CORPUS, or initial data, for the centre as one archive FILE with the hash of every file."""
    from corpus.centre.delivery.deliver import DeliverOptions, deliver_command

    sys.exit(deliver_command(DeliverOptions(**given), sys.stdout, sys.stderr))


@click.command(short_help="Receive a site's delivery.")
@click.argument("centre", type=click.Path())
@click.argument("archive", metavar="FILE", type=click.Path())
@jobs
@cluster
def receive(**given: Any) -> None:
    """Receive the delivery FILE: verify it, repair or return it, and set a part of it aside for tests."""
    from corpus.centre.delivery.arrivals import ReceiveOptions, receive_command
    from session.values.clock import SystemClock

    sys.exit(receive_command(ReceiveOptions(**given), SystemClock("centre"), sys.stdout, sys.stderr))


@click.command(short_help="Create a centre, or show its state.")
@click.argument("folder", metavar="CENTRE", type=click.Path())
def centre(folder: str) -> None:
    """Create the folder of a centre, or print what an existing one has received, released and queued."""
    from corpus.centre.centre_folder import centre_command
    from session.values.clock import SystemClock

    sys.exit(centre_command(folder, SystemClock("centre"), sys.stdout, sys.stderr))


@click.command(short_help="Release new and corrected text.")
@click.argument("centre", type=click.Path())
@click.option("--final", default="", metavar="RELEASE", help="Declare the annotations of this release final.")
@jobs
@cluster
def release(**given: Any) -> None:
    """Release new and corrected text at CENTRE under the day's date, with the documents that govern its annotation."""
    from corpus.centre.releases import ReleaseOptions, release_command
    from evaluation.references.handouts import documents_of
    from session.values.clock import SystemClock

    sys.exit(release_command(ReleaseOptions(**given), SystemClock("centre"), sys.stdout, sys.stderr, documents_of))


@click.command(short_help="Make, score and repeat a test.")
@click.argument("centre", type=click.Path())
@click.argument("name")
@click.option(
    "--size", default=1000, show_default=True, type=click.IntRange(min=1), help="Approximate number of utterances."
)
@click.option(
    "--kind",
    default="speech",
    show_default=True,
    type=click.Choice(["speech", "text"]),
    help="Input of the tested systems.",
)
@click.option("--trial", is_flag=True, help="Make a dry run, which comes before any official test.")
@click.option("--submit", default="", metavar="SYSTEM=FILE", help="Receive a system's answers, or its words in .trn.")
@click.option("--adjudicate", default="", type=click.Path(), help="Apply a table of rulings on the references.")
@click.option("--score", is_flag=True, help="Score all submissions; after rulings, this is the final score.")
@click.option("--repeat", is_flag=True, help="Compute every score again from the archive and compare its bytes.")
def testset(**given: Any) -> None:
    """Choose a test NAME from the pool of CENTRE and pack it without answers, or take the next step of an existing test."""
    from evaluation.commands.testset import OfficialOptions, official_command
    from session.values.clock import SystemClock

    sys.exit(official_command(OfficialOptions(**given), SystemClock("centre"), sys.stdout, sys.stderr))


@click.command(short_help="Write released waveforms to volumes.")
@click.argument("centre", type=click.Path())
@click.option("--capacity", default=0, type=click.IntRange(min=0), help="Bytes of a volume [default: the centre's].")
@click.option("--all", "every", is_flag=True, help="Also write a volume that is not full.")
def volume(**given: Any) -> None:
    """Write the waiting waveforms of CENTRE's releases to images of volumes, without splitting a session."""
    from corpus.centre.volumes import VolumeOptions, volume_command
    from session.values.clock import SystemClock

    sys.exit(volume_command(VolumeOptions(**given), SystemClock("centre"), sys.stdout, sys.stderr))


@click.command(short_help="Show the history of an item.")
@click.argument("centre", type=click.Path())
@click.argument("item", metavar="ID")
def history(centre: str, item: str) -> None:
    """Print the history of ID at CENTRE: an utterance such as 8k9011, a session, a speaker, a delivery."""
    from corpus.centre.histories import history_command
    from session.values.clock import SystemClock

    sys.exit(history_command(centre, item, SystemClock("centre"), sys.stdout, sys.stderr))


@click.command(short_help="Report, judge or list bugs in the data.")
@click.argument("centre", type=click.Path())
@click.argument("item", metavar="[ID]", required=False, default="")
@click.option("--text", default="", help="Description of the bug, or reason for the judgement.")
@click.option("--by", "reporter", default="", help="Name of the reporter.")
@click.option("--judge", default="", metavar="NUMBER=STATE", help="Set the state of a bug: accepted, fixed or refused.")
def bug(**given: Any) -> None:
    """Report a bug in the item ID, judge a bug, or, without ID, list the bugs of CENTRE."""
    from corpus.centre.bugs import BugOptions, bug_command
    from session.values.clock import SystemClock

    sys.exit(bug_command(BugOptions(**given), SystemClock("centre"), sys.stdout, sys.stderr))
